#!/usr/bin/env python3
"""New positions, compared between Endspiel, python-chess and Stockfish, three programs that share no code.

    python3 oracles/chess/fresh.py ENDSPIEL STOCKFISH COUNT SEED

ENDSPIEL and STOCKFISH are the paths of the programs. There are COUNT positions: half from random games by Endspiel,
half random endgames with three to seven men, placed with python-chess. For each position the script compares the legal
moves of Endspiel and python-chess, and perft to depth 2 of Endspiel and Stockfish. At the end it compares perft to
depth 4 of Endspiel and Stockfish from every start position of Chess960.

Needs the Python package `chess` (python-chess). If all agree, the script prints a line and exits with 0. Otherwise it
stops at the first difference and exits with 1.
"""

import json
import random
import subprocess
import sys

import chess


def endspiel_lines(program, arguments, text):
    done = subprocess.run([program, *arguments], input=text, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def random_endgame(rng):
    """A valid board with both kings and one to five more men."""
    while True:
        board = chess.Board.empty()
        squares = rng.sample(range(64), rng.randint(3, 7))
        men = [(chess.KING, chess.WHITE), (chess.KING, chess.BLACK)]
        men += [(rng.randint(1, 5), rng.random() < 0.5) for _ in squares[2:]]
        for square, (kind, colour) in zip(squares, men):
            board.set_piece_at(square, chess.Piece(kind, colour))
        board.turn = rng.random() < 0.5
        if board.is_valid():
            return board.fen()


class Stockfish:
    def __init__(self, program):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def perft(self, fen, depth):
        self.process.stdin.write(f"position fen {fen}\ngo perft {depth}\n")
        self.process.stdin.flush()
        for line in self.process.stdout:
            if line.startswith("Nodes searched:"):
                return int(line.split(":")[1])
        raise RuntimeError(f"Stockfish exited at {fen}")


def differ(what, fen, ours, theirs):
    print(f"{what} differ in {fen}\n  Endspiel {ours}\n  peer     {theirs}")
    sys.exit(1)


def main(endspiel, stockfish, count, seed):
    rng = random.Random(seed)
    half = count // 2
    fens = endspiel_lines(endspiel, ["sample", "chess", "--count", str(count - half), "--seed", str(seed)], "")
    fens += [random_endgame(rng) for _ in range(half)]
    text = "\n".join(fens) + "\n"
    moves = endspiel_lines(endspiel, ["moves", "chess", "--stdin"], text)
    counts = endspiel_lines(endspiel, ["perft", "chess", "--stdin", "--depth", "2"], text)
    assert len(moves) == len(counts) == len(fens) == count
    peer = Stockfish(stockfish)
    sequences = 0
    for fen, line, counted in zip(fens, moves, counts):
        ours = [move["move"] for move in json.loads(line)["moves"]]
        theirs = sorted(move.uci() for move in chess.Board(fen).legal_moves)
        if ours != theirs:
            differ("legal moves", fen, ours, theirs)
        ours, theirs = json.loads(counted)["nodes"], peer.perft(fen, 2)
        if ours != theirs:
            differ("counts", fen, ours, theirs)
        sequences += ours
    peer.process.stdin.write("setoption name UCI_Chess960 value true\n")
    starts = [chess.Board.from_chess960_pos(number).fen(en_passant="fen") for number in range(960)]
    text = "\n".join(starts) + "\n"
    counts = endspiel_lines(endspiel, ["perft", "chess", "--variant", "chess960", "--stdin", "--depth", "4"], text)
    for fen, counted in zip(starts, counts):
        ours, theirs = json.loads(counted)["nodes"], peer.perft(fen, 4)
        if ours != theirs:
            differ("counts of Chess960", fen, ours, theirs)
    print(f"{count} positions, {sequences} sequences of two moves, 960 starts to depth 4: all agree")


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
