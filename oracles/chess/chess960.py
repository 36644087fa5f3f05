#!/usr/bin/env python3
"""Chess960 as an independent program plays it: counts from each start, and moves in the middle of random games.

Needs the Python package `chess` (python-chess, GPL: run here, never linked). From the root of the repository:

    python3 oracles/chess/chess960.py > fixtures/chess/chess960.jsonl

The first 960 lines: a start and the number of sequences of one and of two moves. The others: a position, in X-FEN, in which
castling is still possible, and its legal moves with castling as the king taking its rook. `crates/chess/tests/starts.rs` reads them.
"""

import json
import random

import chess

GAMES = 480


def count(board, depth):
    if depth == 1:
        return board.legal_moves.count()
    total = 0
    for move in board.legal_moves:
        board.push(move)
        total += count(board, depth - 1)
        board.pop()
    return total


def line(record):
    print(json.dumps(record, separators=(",", ":")))


def main():
    for number in range(960):
        board = chess.Board.from_chess960_pos(number)
        line({"start": number, "perft": [count(board, 1), count(board, 2)]})
    rng = random.Random(960)
    for _ in range(GAMES):
        board = chess.Board.from_chess960_pos(rng.randrange(960))
        can_castle = []
        # Moves of the back rank first, so that kings and rooks soon see each other.
        while board.ply() < 40 and not board.is_game_over():
            moves = sorted(board.legal_moves, key=chess.Move.uci)
            castling = [move for move in moves if board.is_castling(move)]
            if castling:
                can_castle.append(board.copy(stack=False))
            others = [move for move in moves if move not in castling and board.piece_type_at(move.from_square) != chess.KING]
            board.push(rng.choice(others or moves))
        if can_castle:
            board = rng.choice(can_castle)
            moves = sorted(board.uci(move, chess960=True) for move in board.legal_moves)
            line({"fen": board.fen(), "moves": " ".join(moves)})


if __name__ == "__main__":
    main()
