#!/usr/bin/env python3
"""The 960 start positions of Chess960, as an independent program numbers them.

Needs the Python package `chess` (python-chess, GPL: it is run here, never linked). From the root of the repository:

    python3 oracles/chess/starts.py > fixtures/chess/starts.txt

The first line names the script and the version of python-chess. Each further line is White's back rank from the a-file,
in the order of the numbers from 0 on. `crates/chess/tests/starts.rs` reads the lines.
"""

import sys

import chess


def main():
    print(f"# oracles/chess/starts.py with python-chess {chess.__version__}")
    for number in range(960):
        board = chess.Board.from_chess960_pos(number)
        print("".join(board.piece_at(square).symbol() for square in chess.SquareSet(chess.BB_RANK_1)))


if __name__ == "__main__":
    sys.exit(main())
