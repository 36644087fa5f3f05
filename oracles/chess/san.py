#!/usr/bin/env python3
"""Moves in SAN as an independent program writes them.

Needs the Python package `chess` (python-chess, GPL: it is run here, never linked). From the root of the repository:

    python3 oracles/chess/san.py > fixtures/chess/san.txt

The first line names the script, the version of python-chess and the seed. Each further line is a position in X-FEN
without its clocks, a `|`, and some of its moves. Each move is written in UCI, with castling as the king taking its
rook, then `=` and the SAN. `crates/chess/tests/san.rs` reads the lines.

A third of the positions come from random games from the usual start position, a third from random games of Chess960,
and a third are random placements with many pieces of one kind, because games rarely contain three queens that must be
told apart. For each position the script takes the moves with the longest texts and some of the others. The longest
texts are promotions, checks, and moves whose piece must be told apart from others.
"""

import random
import sys

import chess

SEED = 20250101
OF_EACH = 800
LONGEST = 3
OTHERS = 3


def row(board, rng):
    moves = sorted(board.legal_moves, key=lambda m: (-len(board.san(m)), m.uci()))
    others = moves[LONGEST:]
    chosen = moves[:LONGEST] + rng.sample(others, min(OTHERS, len(others)))
    texts = (f"{m.uci()}={board.san(m)}" for m in chosen)
    return " ".join(board.fen(en_passant="legal").split()[:4]) + " | " + " ".join(texts)


def played(rng, start):
    """Yields one position of each random game."""
    while True:
        board = start()
        for _ in range(rng.randrange(140)):
            legal = list(board.legal_moves)
            if not legal:
                break
            board.push(rng.choice(legal))
        yield board


def standard(rng):
    # Chess960 mode, so that castling is written as the king taking its rook.
    return played(rng, lambda: chess.Board(chess960=True))


def chess960(rng):
    return played(rng, lambda: chess.Board.from_chess960_pos(rng.randrange(960)))


def placed(rng):
    while True:
        board = chess.Board(None, chess960=True)
        kinds = [rng.choice([chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN]), chess.PAWN]
        squares = rng.sample(chess.SQUARES, 2 + rng.randrange(2, 9))
        board.set_piece_at(squares[0], chess.Piece(chess.KING, chess.WHITE))
        board.set_piece_at(squares[1], chess.Piece(chess.KING, chess.BLACK))
        for square in squares[2:]:
            kind = rng.choices(kinds, [3, 1])[0]
            board.set_piece_at(square, chess.Piece(kind, rng.random() < 0.7))
        if board.is_valid():
            yield board


def main():
    rng = random.Random(SEED)
    print(f"# oracles/chess/san.py with python-chess {chess.__version__}, seed {SEED}")
    for source in (standard, chess960, placed):
        rows, boards = [], source(rng)
        while len(rows) < OF_EACH:
            board = next(boards)
            if any(board.legal_moves):
                rows.append(row(board, rng))
        print("\n".join(rows))


if __name__ == "__main__":
    sys.exit(main())
