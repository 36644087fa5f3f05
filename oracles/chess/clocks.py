#!/usr/bin/env python3
"""Random games with the fields of the FEN after each move as an independent program writes it: clocks, rights and en-passant squares.

Needs the Python package `chess` (python-chess, GPL: run here, never linked). From the root of the repository:

    python3 oracles/chess/clocks.py > fixtures/chess/clocks.txt

The first line says where the rest comes from. A game begins with `start` and the X-FEN of its start, and goes on with a line for
each move: UCI, with castling as the king taking its rook, and the X-FEN after it without its board. `crates/chess/tests/clocks.rs` reads them.

Half of the games are from the usual start, half from starts of Chess960. Moves are random, but what random play seldom does is
mostly preferred: to castle, to take a rook that may castle, to take en passant and to allow it. After an opening, half of the
games avoid captures and moves of pawns, so that their counts of quiet plies pass 100 and 150.
"""

import random
import sys

import chess

SEED = 51
GAMES = 20
PLIES = 120
QUIET_PLIES = 200
OPENING = 40


def is_rare(board, move):
    # To the square of a rook that may castle: the king does, or the rook is taken.
    if board.castling_rights & chess.BB_SQUARES[move.to_square] or board.is_en_passant(move):
        return True
    board.push(move)
    allows_en_passant = board.has_legal_en_passant()
    board.pop()
    return allows_en_passant


def chosen(board, rng, quietly):
    moves = sorted(board.legal_moves, key=chess.Move.uci)
    rare = [move for move in moves if is_rare(board, move)] if rng.random() < 0.8 else []
    quiet = [move for move in moves if quietly and not board.is_zeroing(move)]
    return rng.choice(rare or quiet or moves) if moves else None


def main():
    rng = random.Random(SEED)
    print(f"# oracles/chess/clocks.py with python-chess {chess.__version__}, seed {SEED}")
    for game in range(GAMES):
        # As Chess960 in either case, so that castling is the king taking its rook.
        is_usual, is_quiet = game % 2 == 0, game % 4 >= 2
        board = chess.Board(chess960=True) if is_usual else chess.Board.from_chess960_pos(rng.randrange(960))
        print("start", board.fen())
        for ply in range(QUIET_PLIES if is_quiet else PLIES):
            move = chosen(board, rng, is_quiet and ply >= OPENING)
            if move is None:
                break
            board.push(move)
            print(move.uci(), board.fen(en_passant="legal").split(" ", 1)[1])


if __name__ == "__main__":
    sys.exit(main())
