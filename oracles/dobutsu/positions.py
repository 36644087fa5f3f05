#!/usr/bin/env python3
"""Legal moves of Dobutsu shogi as an independent program sees them.

Needs the Python package `pyffish` (Fairy-Stockfish, GPL: run here, never linked). From the root of the repository:

    python3 oracles/dobutsu/positions.py > fixtures/dobutsu/positions.jsonl

The first line says where the rest comes from. Each further line is a position in our text with the peer's legal moves
in ours, sorted; where the peer says that the game has ended, `result` is what it says of the side to move.
`crates/dobutsu/tests/peer.rs` reads them and explains how the peer's rules differ from ours.

Half of the positions come from random play by the peer's own moves, half are random placements: play seldom shows
chicks on the last row, lions face to face or hands full of pieces.
"""

import json
import random
import sys

import pyffish

VARIANT = "dobutsu"
SEED = 20250101
PLAYED = 700
PLACED = 700

# Both count ranks and files, from other corners: their a1 is our 3d.
FILES = {"a": "3", "b": "2", "c": "1"}
RANKS = {"1": "d", "2": "c", "3": "b", "4": "a"}
# Their White moves first and plays up the board: our Black.
TURNS = {"w": "b", "b": "w"}
HAND_ORDER = "GECgec"


def our_square(square):
    return FILES[square[0]] + RANKS[square[1]]


def our_move(move):
    """`b2b3`, `c3c4+` and `C@b2` become `2c2b`, `1b1a` and `C*2c`."""
    if "@" in move:
        kind, square = move.split("@")
        return f"{kind}*{our_square(square)}"
    move = move.removesuffix("+")
    return our_square(move[:2]) + our_square(move[2:])


def our_hands(hands):
    counts = ((letter, hands.count(letter)) for letter in HAND_ORDER)
    return "".join((str(n) if n > 1 else "") + letter for letter, n in counts if n) or "-"


def our_position(fen):
    """`gle/1c1/1C1/ELG[-] w 0 1` becomes `gle/1c1/1C1/ELG b - 1`."""
    placement, turn = fen.split()[:2]
    board, hands = placement.rstrip("]").split("[")
    return f"{board} {TURNS[turn]} {our_hands(hands)} 1"


def row(fen):
    moves = sorted(map(our_move, pyffish.legal_moves(VARIANT, fen, [])))
    over, score = pyffish.is_immediate_game_end(VARIANT, fen, [])
    result = "draw" if score == 0 else "win" if score > 0 else "loss"
    return {"position": our_position(fen), "moves": " ".join(moves)} | ({"result": result} if over else {})


def played(rng):
    """Positions along random games: one of each, the end as likely as any other."""
    while True:
        game = [pyffish.start_fen(VARIANT)]
        length = rng.randrange(60)
        while len(game) < length and (legal := pyffish.legal_moves(VARIANT, game[-1], [])):
            game.append(pyffish.get_fen(VARIANT, game[-1], [rng.choice(legal)]))
        yield rng.choice(game)


def placed(rng):
    """Pieces anywhere, both lions on the board."""
    while True:
        squares = rng.sample(range(12), 8)
        board = ["1"] * 12
        board[squares[0]], board[squares[1]] = "L", "l"
        hands = ""
        for kind, square in zip("GGEECC", squares[2:]):
            piece = rng.choice([kind, kind.lower()])
            if rng.random() < 0.4:
                hands += piece
            else:
                grown = kind == "C" and rng.random() < 0.4
                board[square] = "+" + piece if grown else piece
        rows = ["".join(board[i : i + 3]) for i in range(0, 12, 3)]
        rows = [r.replace("111", "3").replace("11", "2") for r in rows]
        yield f"{'/'.join(rows)}[{hands}] {rng.choice('wb')} 0 1"


def distinct(rows, count):
    seen = {}
    for r in rows:
        seen.setdefault(r["position"], r)
        if len(seen) == count:
            return seen.values()


def main():
    rng = random.Random(SEED)
    version = ".".join(map(str, pyffish.version()))
    print(json.dumps({"from": f"oracles/dobutsu/positions.py with pyffish {version}, seed {SEED}"}))
    for source, count in ((played, PLAYED), (placed, PLACED)):
        for r in distinct(map(row, source(rng)), count):
            print(json.dumps(r))


if __name__ == "__main__":
    sys.exit(main())
