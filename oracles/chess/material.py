#!/usr/bin/env python3
"""Insufficient material, as an independent program judges it.

Needs the Python package `chess` (python-chess, GPL: it is run here, never linked). From the root of the repository:

    python3 oracles/chess/material.py > fixtures/chess/material.txt

The first line names the script and the version of python-chess. Each further line is a position without its clocks, and
`dead` if neither side can ever mate, otherwise `alive`. The positions have all choices of up to three men besides the
kings; bishops on light and on dark squares count as different men. `crates/chess/tests/draws.rs` reads the lines.
"""

import itertools
import sys

import chess

# The kings have a file of their own. Each sort of man has three squares on which it attacks neither king.
KINGS = {chess.A1: "K", chess.A8: "k"}
SQUARES = {
    "P": [chess.F2, chess.G2, chess.H2],
    "p": [chess.F7, chess.G7, chess.H7],
    "N": [chess.F3, chess.G3, chess.H3],
    "n": [chess.F6, chess.G6, chess.H6],
    "B light": [chess.B1, chess.D1, chess.F1],
    "B dark": [chess.C1, chess.E1, chess.G1],
    "b light": [chess.C8, chess.E8, chess.G8],
    "b dark": [chess.B8, chess.D8, chess.F8],
    "R": [chess.B4, chess.C4, chess.D4],
    "r": [chess.B5, chess.C5, chess.D5],
    "Q": [chess.C2, chess.D2, chess.E2],
    "q": [chess.C7, chess.D7, chess.E7],
}


def main():
    print(f"# oracles/chess/material.py with python-chess {chess.__version__}")
    for count in range(4):
        for men in itertools.combinations_with_replacement(SQUARES, count):
            pieces = dict(KINGS)
            for man in men:
                square = next(square for square in SQUARES[man] if square not in pieces)
                pieces[square] = man[0]
            board = chess.Board(None)
            board.set_piece_map({square: chess.Piece.from_symbol(letter) for square, letter in pieces.items()})
            assert board.is_valid() and not board.is_check(), board.fen()
            judged = "dead" if board.is_insufficient_material() else "alive"
            print(" ".join(board.fen().split()[:4]), judged)


if __name__ == "__main__":
    sys.exit(main())
