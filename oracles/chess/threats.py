#!/usr/bin/env python3
"""The threats in new positions, compared between Endspiel and python-chess.

    python3 oracles/chess/threats.py ENDSPIEL COUNT SEED

ENDSPIEL is the path of the program. There are COUNT positions: half from random games by Endspiel, half random boards on
which many men attack one square. For each position the script compares everything that `endspiel threats` tells: the
attackers of each square, checkers, pins with their lines, and for each legal move its SAN and what it wins in an exchange
(see exchanges.py). What hangs is computed here from the captures of both sides.

Needs the Python package `chess` (python-chess). If all agree, the script prints a line and exits with 0. Otherwise it
stops at the first difference and exits with 1.
"""

import json
import random
import subprocess
import sys

import chess
import exchanges

SIDES = {chess.WHITE: "white", chess.BLACK: "black"}


def man(board, square):
    colour, kind = board.color_at(square), board.piece_type_at(square)
    return {"side": SIDES[colour], "kind": chess.piece_name(kind), "square": chess.square_name(square)}


def names(squares):
    return [chess.square_name(square) for square in squares]


def pins(board):
    found = []
    for colour in chess.COLORS:
        king = board.king(colour)
        for square in chess.SquareSet(board.occupied_co[colour]):
            if not board.is_pinned(colour, square) or square == king:
                continue
            # Without the pinned man, exactly one more man attacks the king.
            without = board.copy(stack=False)
            without.remove_piece_at(square)
            (pinner,) = without.attackers(not colour, king) - board.attackers(not colour, king)
            line = list(chess.SquareSet.between(king, pinner)) + [pinner]
            if pinner < king:
                line = sorted(line, reverse=True)
            found.append({**man(board, square), "by": man(board, pinner), "line": names(line)})
    return found


def hanging(board, side):
    """The men of this side that lose material to a capture, and how much."""
    board = board.copy(stack=False)
    if board.turn == side:
        board.turn, board.ep_square = not side, None
    found = {}
    king = board.king(side)
    for move in board.legal_moves:
        if not board.is_capture(move) or move.to_square == king:
            continue
        wins = exchanges.exchange(board, move)
        square = move.to_square
        if board.is_en_passant(move):
            square = chess.square(chess.square_file(square), chess.square_rank(move.from_square))
        found[square] = max(wins, found.get(square, 0))
    return {(SIDES[side], chess.square_name(square)): wins for square, wins in found.items() if wins > 0}


def expected(board):
    attacks = {
        SIDES[colour]: {
            chess.square_name(square): names(board.attackers(colour, square))
            for square in chess.SQUARES
            if board.is_attacked_by(colour, square)
        }
        for colour in chess.COLORS
    }
    moves = [
        {"move": move.uci(), "san": board.san(move), "capture": board.is_capture(move), "exchange": exchanges.exchange(board, move)}
        for move in board.legal_moves
    ]
    return {
        "turn": SIDES[board.turn],
        "checkers": [man(board, square) for square in board.checkers()],
        "pins": pins(board),
        "moves": sorted(moves, key=lambda move: move["move"]),
        "attacks": attacks,
    }


def differ(what, fen, ours, theirs):
    print(f"{what} differ in {fen}\n  Endspiel {ours}\n  peer     {theirs}")
    sys.exit(1)


def main(endspiel, count, seed):
    rng = random.Random(seed)
    sampled = subprocess.run(
        [endspiel, "sample", "chess", "--count", str(count - count // 2), "--seed", str(seed)],
        capture_output=True, text=True, check=True,
    )
    fens = sampled.stdout.splitlines()
    crowded = exchanges.placed(rng)
    fens += [next(crowded).fen() for _ in range(count // 2)]
    text = "\n".join(fens) + "\n"
    answers = subprocess.run([endspiel, "threats", "chess", "--stdin"], input=text, capture_output=True, text=True, check=True)
    moves, hung = 0, 0
    for fen, line in zip(fens, answers.stdout.splitlines(), strict=True):
        board, answer = chess.Board(fen), json.loads(line)
        for key, theirs in expected(board).items():
            by_square = lambda men: sorted(men, key=lambda man: (man["square"], man["by"]["square"]))
            ours = answer[key]
            if key == "pins":
                ours, theirs = by_square(ours), by_square(theirs)
            if ours != theirs:
                differ(key, fen, ours, theirs)
        # In check, python-chess cannot be asked what a pass would allow.
        for side in chess.COLORS if not board.is_check() else [not board.turn]:
            ours = {(man["side"], man["square"]): man["wins"] for man in answer["hanging"] if man["side"] == SIDES[side]}
            theirs = hanging(board, side)
            if ours != theirs:
                differ("hanging men", fen, ours, theirs)
            hung += len(theirs)
        moves += len(answer["moves"])
    print(f"{count} positions, {moves} moves, {hung} hanging men: all agree")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
