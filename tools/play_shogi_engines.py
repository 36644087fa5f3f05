"""Plays shogi matches between two USI programs, and prints the score with its 95 % interval in Elo.

    python3 tools/play_shogi_engines.py --games 40 --movetime 100 'ENGINE' /usr/games/fairy-stockfish \\
        --second UCI_LimitStrength=true UCI_Elo=2300

Every opening is played twice, with colours exchanged. Limits are --movetime MILLISECONDS or --nodes N. Games end by the rules, as
cshogi knows them: a program that mates by a pawn drop, or gives perpetual check, loses. An illegal move of the first program, or a crash,
ends the script with an error. Needs cshogi.
"""

import argparse
import random
import shlex
import subprocess
import sys
import time

import cshogi

from match_summary import summary

MOST_PLIES = 320


class Program:
    def __init__(self, command, settings):
        self.process = subprocess.Popen(
            shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self.say("usi")
        self.wait("usiok")
        for setting in settings:
            name, value = setting.split("=", 1)
            self.say(f"setoption name {name} value {value}")
        self.slowest, self.nodes, self.seconds = 0, 0, 0

    def say(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def wait(self, beginning):
        last = ""
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise EOFError("the program has ended")
            if line.startswith(beginning):
                return line.split(), last
            if " score " in line:
                last = line

    def begin(self):
        self.say("usinewgame\nisready")
        self.wait("readyok")

    def move(self, sfen, moves, limit):
        self.say(f"position sfen {sfen} moves {' '.join(moves)}" if moves else f"position sfen {sfen}")
        begun = time.monotonic()
        self.say(f"go {limit}")
        words, info = self.wait("bestmove")
        self.slowest = max(self.slowest, time.monotonic() - begun)
        score, info = None, info.split()
        if "score" in info:
            at = info.index("score")
            value = int(info[at + 2])
            score = value if info[at + 1] == "cp" else (100_000 if value > 0 else -100_000)
            self.nodes += int(info[info.index("nodes") + 1])
            self.seconds += int(info[info.index("time") + 1]) / 1000
        return words[1], score


def opening(number):
    """Random moves from the start, after which neither side can win a man at once."""
    rng = random.Random(number)
    while True:
        board = cshogi.Board()
        for _ in range(6):
            board.push(rng.choice(list(board.legal_moves)))
        if board.is_check():
            continue
        captures = [move for move in board.legal_moves if cshogi.move_cap(move)]
        if not captures and not any(board.pieces_in_hand[0]) and not any(board.pieces_in_hand[1]):
            board.push_pass()
            captures = [move for move in board.legal_moves if cshogi.move_cap(move)]
            board.pop_pass()
            if not captures:
                return board.sfen()


def play(programs, limit, sfen):
    """Plays a game between the programs, Black first. Returns the winner's number or None, and the reason."""
    board, moves, scores = cshogi.Board(sfen), [], []
    for program in programs:
        program.begin()
    while len(moves) < MOST_PLIES:
        who = 0 if board.turn == cshogi.BLACK else 1
        if board.is_game_over():
            return 1 - who, "mate"
        repetition = board.is_draw()
        if repetition == cshogi.REPETITION_DRAW:
            return None, "repetition"
        if repetition in (cshogi.REPETITION_WIN, cshogi.REPETITION_LOSE):
            return (who if repetition == cshogi.REPETITION_WIN else 1 - who), "perpetual check"
        usi, score = programs[who].move(sfen, moves, limit)
        if usi == "resign":
            return 1 - who, "resignation"
        if usi == "win":
            if board.is_nyugyoku():
                return who, "declaration"
            sys.exit(f"wrong declaration in {board.sfen()}")
        move = board.move_from_usi(usi)
        if not board.is_legal(move):
            print(f"illegal {usi} in {board.sfen()}", flush=True)
            return 1 - who, f"illegal {who}"
        board.push(move)
        moves.append(usi)
        scores.append(None if score is None else score if who == 0 else -score)
        # Both sides agree on who wins, for several moves.
        last = scores[-6:]
        if len(last) == 6 and None not in last:
            if all(score > 4000 for score in last) or all(score < -4000 for score in last):
                return (0 if last[0] > 0 else 1), "adjudication"
    return None, "length"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engines", nargs=2, help="the command of a program")
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--movetime", type=int, help="milliseconds")
    parser.add_argument("--nodes", type=int)
    parser.add_argument("--first", nargs="*", default=[], metavar="NAME=VALUE", help="options of the first program")
    parser.add_argument("--second", nargs="*", default=[], metavar="NAME=VALUE", help="options of the second program")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    programs = [Program(command, words) for command, words in zip(given.engines, (given.first, given.second))]
    limit = f"nodes {given.nodes}" if given.nodes else f"movetime {given.movetime}"
    tally = [0, 0, 0]
    for number in range(given.games):
        order = (0, 1) if number % 2 == 0 else (1, 0)
        winner, why = play([programs[i] for i in order], limit, opening(given.seed * 100_000 + number // 2))
        winner = None if winner is None else order[winner]
        if why.startswith("illegal") and winner == 1:
            sys.exit("the first program made an illegal move")
        tally[1 if winner is None else 2 * winner] += 1
        print(f"{number + 1}: {summary(*tally)} ({why})", flush=True)
    for name, program in zip(given.engines, programs):
        rate = program.nodes / max(program.seconds, 1e-3)
        print(f"{name}: {rate:.0f} nodes/s, slowest move {program.slowest:.2f} s")
        program.say("quit")


main()
