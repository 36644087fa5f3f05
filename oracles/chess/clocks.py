#!/usr/bin/env python3
"""Random games with the FEN fields after each move by an independent program: clocks, rights and en-passant squares.

Needs the Python package `chess` (python-chess, GPL: it is run here, never linked). From the root of the repository:

    python3 oracles/chess/clocks.py > fixtures/chess/clocks.txt

The first line names the script, the version of python-chess and the seed. A game begins with a line of `start` and the
X-FEN of its start position. Then there is a line for each move: the move in UCI, with castling written as the king
taking its rook, and the X-FEN after it without the board. `crates/chess/tests/clocks.rs` reads the lines.

Half of the games begin with the usual start position, half with a start position of Chess960. Moves are random, but
rare moves are usually preferred: castling, capturing a rook that may castle, capturing en passant and allowing an
en-passant capture. After an opening, half of the games avoid captures and pawn moves, so that their counts of quiet
plies pass 100 and 150.
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
    # A move to the square of a rook that may castle is castling or captures the rook.
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
        # All boards use Chess960 mode, so that castling is written as the king taking its rook.
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
