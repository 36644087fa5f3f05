"""Plays games of Fairy-Stockfish against itself at few nodes, from random openings of shogi, and prints quiet positions: SFEN; score of
Black in hundredths of a pawn; result of Black (1, 0.5, 0).

    python3 tools/label_shogi_positions.py SECONDS SEED > positions.txt

Needs cshogi, and Debian's fairy-stockfish.
"""

import random
import subprocess
import sys
import time

import cshogi

NODES = 1000
MOST_PLIES = 300


class Engine:
    def __init__(self):
        self.process = subprocess.Popen(
            ["/usr/games/fairy-stockfish"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        for line in ["usi", "setoption name Hash value 8", "setoption name Contempt value 0", "usinewgame"]:
            self.say(line)

    def say(self, line):
        self.process.stdin.write(line + "\n")

    def best(self, sfen):
        self.say(f"position sfen {sfen}\ngo nodes {NODES}")
        self.process.stdin.flush()
        score = 0
        while True:
            words = self.process.stdout.readline().split()
            if words and words[0] == "bestmove":
                return words[1], score
            if "score" in words:
                at = words.index("score")
                value = int(words[at + 2])
                score = value if words[at + 1] == "cp" else (32000 if value > 0 else -32000)


def game(engine, rng):
    board = cshogi.Board()
    for _ in range(rng.choice([2, 4, 6, 8, 9, 10, 14, 20])):
        moves = list(board.legal_moves)
        if not moves:
            return
        board.push(rng.choice(moves))
    positions, result, decided = [], 0.5, 0
    for ply in range(MOST_PLIES):
        if board.is_game_over():
            result = 0 if board.turn == cshogi.BLACK else 1
            break
        if board.is_draw() != cshogi.NOT_REPETITION:
            break
        sfen = board.sfen()
        usi, score = engine.best(sfen)
        if ply == 0 and abs(score) > 1500:
            return
        black = score if board.turn == cshogi.BLACK else -score
        # It holds pawn drops that mate for legal.
        move = board.move_from_usi(usi)
        if not board.is_legal(move):
            return
        is_quiet = not board.is_check() and not cshogi.move_cap(move) and not cshogi.move_is_promotion(move)
        if is_quiet and abs(score) < 5000:
            positions.append((sfen, black))
        decided = decided + 1 if abs(score) > 4000 else 0
        if decided >= 4:
            result = 1 if black > 0 else 0
            break
        # Now and then another move, so that positions differ.
        if rng.random() < 0.05:
            move = rng.choice(list(board.legal_moves))
        board.push(move)
    for sfen, black in positions:
        print(f"{sfen};{black};{result}")


def main():
    seconds, seed = float(sys.argv[1]), int(sys.argv[2])
    rng, engine, end = random.Random(seed), Engine(), time.time() + seconds
    while time.time() < end:
        game(engine, rng)
        sys.stdout.flush()
    engine.say("quit")


main()
