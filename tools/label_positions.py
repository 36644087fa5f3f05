"""Plays games of Stockfish against itself at few nodes, from random openings, and prints quiet positions: FEN; score of White in
centipawns; result of White (1, 0.5, 0).

    python3 tools/label_positions.py SECONDS SEED > positions.txt

It needs python-chess, and Stockfish where Debian puts it.
"""

import random
import subprocess
import sys
import time

import chess

NODES = 1200


class Engine:
    def __init__(self):
        self.process = subprocess.Popen(
            ["/usr/games/stockfish"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self.say("setoption name Hash value 8")
        self.say("setoption name Threads value 1")

    def say(self, line):
        self.process.stdin.write(line + "\n")

    def best(self, fen):
        self.say(f"position fen {fen}\ngo nodes {NODES}")
        self.process.stdin.flush()
        score = None
        while True:
            line = self.process.stdout.readline()
            words = line.split()
            if words[0] == "bestmove":
                return words[1], score
            if "score" in words:
                at = words.index("score")
                value = int(words[at + 2])
                score = value if words[at + 1] == "cp" else (32000 if value > 0 else -32000)


def game(engine, rng):
    board = chess.Board()
    for _ in range(rng.choice([4, 6, 7, 8, 9, 10])):
        moves = list(board.legal_moves)
        if not moves:
            return
        board.push(rng.choice(moves))
    seen, positions, result, decided = {}, [], None, 0
    if board.is_game_over():
        return
    for ply in range(300):
        fen = board.fen()
        move, score = engine.best(fen)
        if ply == 0 and abs(score) > 600:
            return
        move = chess.Move.from_uci(move)
        white = score if board.turn else -score
        quiet = not board.is_check() and not board.is_capture(move) and not move.promotion
        if quiet and abs(score) < 3000:
            positions.append((fen, white))
        decided = decided + 1 if abs(score) > 2500 else 0
        if decided >= 4:
            result = 1 if white > 0 else 0
            break
        # Now and then another move, so that positions differ.
        if rng.random() < 0.04:
            move = rng.choice(list(board.legal_moves))
        board.push(move)
        if board.is_game_over():
            result = {"1-0": 1, "0-1": 0}.get(board.result(), 0.5)
            break
        key = board._transposition_key()
        seen[key] = seen.get(key, 0) + 1
        if seen[key] == 3 or board.halfmove_clock >= 100:
            result = 0.5
            break
    if result is None:
        result = 0.5
    for fen, white in positions:
        print(f"{fen};{white};{result}")


def main():
    seconds, seed = float(sys.argv[1]), int(sys.argv[2])
    rng, engine, end = random.Random(seed), Engine(), time.time() + seconds
    while time.time() < end:
        game(engine, rng)
        sys.stdout.flush()


main()
