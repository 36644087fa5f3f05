#!/usr/bin/env python3
"""New random games, compared between Endspiel and GNU Backgammon.

    python3 oracles/backgammon/fresh.py ENDSPIEL GNUBG GAMES SEED

ENDSPIEL and GNUBG are the paths of the programs. The script plays GAMES random games from the start (the first roll may
be a double). At every position it compares the complete set of results of both programs, and at the end of each game
the points. Game N of a seed is always the same game. If all agree, the script prints what was compared and exits with
0. Otherwise it prints the first difference and exits with 1.
"""

import base64
import base64
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait

SCRIPT = os.path.join(os.path.dirname(__file__), "../../crates/env/src/backgammon/agents/gnubg.py")
START = "4HPwATDgc/ABMA"
PLACES = 25  # places of one player: 24 points and the bar
PASS = 676  # the action number of a pass
POINTS = {"single game": 1, "gammon": 2, "backgammon": 3}

# Games run in parallel, each "table" with its own gnubg process. gnubg sleeps up to 10 ms per question, so it takes many
# processes to keep two cores busy.
TABLES = 12


class Difference(Exception):
    pass


class Program:
    """A running program that reads a line and answers with a line."""

    def __init__(self, arguments):
        self.name = os.path.basename(arguments[0])
        environment = {**os.environ, "LC_ALL": "C"}  # otherwise gnubg translates the words in moves
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(arguments, stdin=pipe, stdout=pipe, text=True, env=environment)

    def send(self, line):
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            raise RuntimeError(f"{self.name} exited before it read {line}") from None

    def line(self):
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"{self.name} exited without an answer")
        return line.rstrip("\n")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.process.communicate(timeout=5)  # closing its input ends the program
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class Endspiel(Program):
    def __init__(self, program):
        super().__init__([program, "moves", "backgammon", "--stdin"])

    def ask(self, position, dice=()):
        self.send(f"{position} {''.join(map(str, dice))}".rstrip())

    def answer(self):
        answer = json.loads(self.line())
        if "moves" not in answer:
            raise Difference(f"Endspiel answers {answer}")
        return answer


class Gnubg(Program):
    def __init__(self, program, folder):
        super().__init__([program, "-t", "-q", "-r", "-s", folder, "-p", SCRIPT])
        while self.line() != "ready":  # skips its greeting
            pass

    def ask(self, question, position, dice, **more):
        self.send(json.dumps({"ask": question, "position": position, "dice": dice, **more}))

    def answer(self):
        answer = json.loads(self.line())
        if "error" in answer:
            raise Difference(f"gnubg reports an error: {answer['error']}")
        return answer["answer"]



def position_id(after):
    """The position ID of a position, which Endspiel tells as an XGID if the game is over."""
    if not after.startswith("XGID="):
        return after
    places, _, _, turn, *_ = after.removeprefix("XGID=").split(":")

    def counts(one):
        return [ord(place) - ord(one) + 1 if one <= place <= chr(ord(one) + 14) else 0 for place in places]

    bottom, top = counts("A")[1:26], counts("a")[24::-1]
    mover, other = (bottom, top) if turn == "1" else (top, bottom)
    bits = "".join("1" * count + "0" for side in (other, mover) for count in side)
    number = int(bits.ljust(80, "0")[::-1], 2)
    return base64.b64encode(number.to_bytes(10, "little")).decode().rstrip("=")


def halves(position):
    """The checkers of the player not on roll, then of the player on roll, by place.

    In the position ID, each place is written as one 1 per checker, followed by a 0.
    """
    bits = "".join(f"{byte:08b}"[::-1] for byte in base64.b64decode(position + "=="))
    counts = [len(ones) for ones in bits.split("0")]
    return counts[:PLACES], counts[PLACES : 2 * PLACES]


def swapped(position):
    """The same position as seen by the other player."""
    other, mover = halves(position)
    bits = "".join("1" * count + "0" for count in mover + other).ljust(80, "0")
    data = bytes(int(bits[start : start + 8][::-1], 2) for start in range(0, 80, 8))
    return base64.b64encode(data).decode().rstrip("=")


def is_over(position):
    """Returns whether the player who just moved has borne off all checkers."""
    return not any(halves(position)[0])


def compare(what, position, dice, ours, theirs):
    if ours != theirs:
        raise Difference(f"{what} of {position} with {dice[0]}{dice[1]}\n  Endspiel {ours}\n  gnubg    {theirs}")


def play(endspiel, gnubg, rng, tally, stop):
    """Plays a game from the start to its end."""
    position = START
    while not stop.is_set():
        dice = sorted((rng.randint(1, 6), rng.randint(1, 6)), reverse=True)
        endspiel.ask(position, dice)
        gnubg.ask("results", position, dice)
        ours, theirs = endspiel.answer(), gnubg.answer()
        compare("results", position, dice, sorted(position_id(move["after"]) for move in ours["moves"]), theirs)
        compare("pass", position, dice, ours.get("pass"), None if theirs else PASS)
        compare("outcome", position, dice, ours["outcome"], None)
        tally["positions"] += 1
        tally["results"] += len(theirs)
        if not theirs:
            tally["dances"] += 1
            position = swapped(position)
            continue
        after = rng.choice(theirs)
        if is_over(after):
            endspiel.ask(after)
            gnubg.ask("points", position, dice, after=after)
            ours, theirs = endspiel.answer(), gnubg.answer()
            compare("moves", after, dice, ours["moves"], [])
            outcome = ours["outcome"] or {}
            compare("points", position, dice, outcome.get("points"), theirs)
            compare("kind of win", position, dice, POINTS.get(outcome.get("by")), theirs)
            tally["games"] += 1
            tally[theirs] += 1
            return
        position = after


def play_games(endspiel, gnubg, seed, games, stop):
    """Plays the games of one table."""
    tally = Counter()
    try:
        with tempfile.TemporaryDirectory() as folder, Endspiel(endspiel) as ours, Gnubg(gnubg, folder) as theirs:
            for game in games:
                play(ours, theirs, random.Random(f"{seed} {game}"), tally, stop)
    except BaseException:
        stop.set()
        raise
    return tally


def main(endspiel, gnubg, games, seed):
    stop = threading.Event()
    with ThreadPoolExecutor(TABLES) as pool:
        tables = [range(table, games, TABLES) for table in range(min(TABLES, games))]
        running = [pool.submit(play_games, endspiel, gnubg, seed, table, stop) for table in tables]
        done, _ = wait(running, return_when=FIRST_EXCEPTION)
    for difference in filter(None, (table.exception() for table in done)):
        sys.exit(f"{type(difference).__name__}: {difference}")
    tally = sum((table.result() for table in running), Counter())
    print(
        f"{tally['games']} games, {tally['positions']} positions, {tally['results']} results, {tally['dances']} dances; "
        f"{tally[1]} single games, {tally[2]} gammons, {tally[3]} backgammons: all agree"
    )


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
