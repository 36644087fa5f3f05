"""Endspiel's prober, which answers questions about positions through pipes. The scripts that check tables share it."""

import json
import subprocess
import threading


class Difference(Exception):
    """Two answers that should be the same."""


def differ(position, **answers):
    lines = [f"values differ in {position}"] + [f"  {name:12} {answer}" for name, answer in answers.items()]
    raise Difference("\n".join(lines))


class Prober:
    """The program with the tables of a game."""

    def __init__(self, program, game, tables, *options):
        line = [program, "probe", game, "--stdin", "--tables", tables, *options]
        self.process = subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def answers(self, positions):
        """Returns the answers about the positions, without the moves."""
        # Another thread writes, because a full pipe of answers would stop Endspiel, and then the writer, for ever.
        writer = threading.Thread(target=self.write, args=(positions,), daemon=True)
        writer.start()
        answers = [self.read(position) for position in positions]
        writer.join()
        return answers

    def write(self, positions):
        try:
            self.process.stdin.write("".join(f"{position}\n" for position in positions).encode())
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # the reader reports it

    def read(self, position):
        line = self.process.stdout.readline()
        if not line:
            raise Difference(f"Endspiel gives no answer to {position}")
        # The moves are most of the line, come last, and are not needed.
        head, moves, _ = line.partition(b',"moves":')
        answer = json.loads(head + b"}" if moves else line)
        if answer["position"] != position or "error" in answer:
            differ(position, Endspiel=answer)
        return answer

    def end(self):
        self.process.kill()  # after a difference, questions and answers may still wait in the pipes
        self.process.wait()
