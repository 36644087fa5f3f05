#!/usr/bin/env python3
"""Chess960 as an independent program plays it: perft from each start position, legal moves in random games, and legal and
forbidden castling.

Needs the Python package `chess` (python-chess, GPL: it is run here, never linked). From the root of the repository:

    python3 oracles/chess/chess960.py > fixtures/chess/chess960.jsonl

Each of the first 960 lines has a start position and its perft to depths 1 and 2. Each further line has a position in
X-FEN and its legal moves, with castling written as the king taking its rook. First come positions of games, in which
the side to move can castle. After them come random boards, in which castling may be illegal. These lines also list the
rooks of the side to move that have a castling right, each with `legal` or with all reasons that forbid castling:

    check     the king is in check
    blocked   another piece stands on the path or a target square of king or rook
    attacked  a square on the king's path or its target square is attacked, even with the rook still in its place
    pinned    no other reason, but the rook shields the king's target square from an attacker: this is always a rook on the
              b-file next to a rook or queen on the a-file. (On the other side the rook would be on the g-file, the king's
              target file, and the reason would be `attacked`.)

`crates/chess/tests/starts.rs` reads the lines.
"""

import json
import random

import chess

GAMES = 480
# For each side to move: the least number of rooks that may castle, and of rooks with exactly one reason against it.
ROOKS = {"legal": 100, "check": 30, "blocked": 100, "attacked": 100, "pinned": 100}


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


def legal_moves(board):
    return " ".join(sorted(board.uci(move, chess960=True) for move in board.legal_moves))


def random_board(rng):
    """Kings and rooks with castling rights on their home ranks, and men of both sides near the mover's home rank."""
    board = chess.Board(None, chess960=True)
    board.turn = rng.random() < 0.5
    for colour in chess.COLORS:
        home = 0 if colour == chess.WHITE else 7
        king = rng.randrange(1, 7)
        board.set_piece_at(chess.square(king, home), chess.Piece(chess.KING, colour))
        for files in (range(king), range(king + 1, 8)):
            if rng.random() < 0.6:
                rook = chess.square(rng.choice(files), home)
                board.set_piece_at(rook, chess.Piece(chess.ROOK, colour))
                board.castling_rights |= chess.BB_SQUARES[rook]
    for _ in range(rng.randrange(2, 7)):
        distance = rng.choice([0, 0, 0, 1, 1, 2, 3])
        rank = distance if board.turn == chess.WHITE else 7 - distance
        square = chess.square(rng.randrange(8), rank)
        is_enemy = rng.random() < 0.7
        kinds = [chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN] + [chess.PAWN] * (distance > 0)
        if board.piece_at(square) is None:
            board.set_piece_at(square, chess.Piece(rng.choice(kinds), board.turn != is_enemy))
    return board


def obstacles(board, rook):
    """The reasons that forbid the side to move to castle with this rook. Empty if castling is legal."""
    king, enemy = board.king(board.turn), not board.turn
    home = chess.square_rank(king)
    king_to, rook_to = (chess.square(file, home) for file in ((2, 3) if rook < king else (6, 5)))
    passed = chess.SquareSet.between(king, king_to) | chess.SquareSet.from_square(king_to)
    touched = passed | chess.SquareSet.between(rook, rook_to) | chess.SquareSet.from_square(rook_to)
    others = chess.SquareSet(board.occupied) - chess.SquareSet([king, rook])
    found = []
    if board.is_check():
        found.append("check")
    if touched & others:
        found.append("blocked")
    # The king leaves its square, so it does not shield the squares behind it.
    if any(board.attackers(enemy, square, others | chess.SquareSet([rook])) for square in passed - chess.SquareSet([king])):
        found.append("attacked")
    if not found and board.attackers(enemy, king_to, others | chess.SquareSet([rook_to])):
        found.append("pinned")
    assert (chess.Move(king, rook) in board.legal_moves) == (not found), f"{board.fen()}: {found}"
    return found


def random_castling(rng):
    """Prints random boards until there are enough rooks of each sort."""
    missing = {(colour, found): least for colour in chess.COLORS for found, least in ROOKS.items()}
    while any(missing.values()):
        board = random_board(rng)
        if not board.is_valid():
            continue
        rooks = chess.SquareSet(board.castling_rights & board.occupied_co[board.turn])
        rooks = {rook: obstacles(board, rook) or ["legal"] for rook in rooks}
        shown = [(board.turn, found[0]) for found in rooks.values() if len(found) == 1]
        if any(missing[kind] for kind in shown):
            for kind in shown:
                missing[kind] = max(0, missing[kind] - 1)
            texts = (f"{chess.square_name(rook)}={'+'.join(found)}" for rook, found in rooks.items())
            line({"fen": board.fen(), "moves": legal_moves(board), "rooks": " ".join(texts)})


def main():
    for number in range(960):
        board = chess.Board.from_chess960_pos(number)
        line({"start": number, "perft": [count(board, 1), count(board, 2)]})
    rng = random.Random(960)
    for _ in range(GAMES):
        board = chess.Board.from_chess960_pos(rng.randrange(960))
        can_castle = []
        # Moves of the king are avoided, so that castling rights last until the men between king and rook have left.
        while board.ply() < 40 and not board.is_game_over():
            moves = sorted(board.legal_moves, key=chess.Move.uci)
            castling = [move for move in moves if board.is_castling(move)]
            if castling:
                can_castle.append(board.copy(stack=False))
            others = [move for move in moves if move not in castling and board.piece_type_at(move.from_square) != chess.KING]
            board.push(rng.choice(others or moves))
        if can_castle:
            board = rng.choice(can_castle)
            line({"fen": board.fen(), "moves": legal_moves(board)})
    random_castling(random.Random(961))


if __name__ == "__main__":
    main()
