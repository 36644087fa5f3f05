#!/usr/bin/env python3
"""Onitama by brute force: legal moves, outcomes and perft counts for comparison.

This script was written from the rules in `docs/onitama.md` and pictures of the cards, with lists and loops only. It
shares no code, no table and no optimisation with `crates/onitama`. It needs only Python. From the root of the
repository:

    python3 oracles/onitama/rules.py > fixtures/onitama/positions.jsonl

The first line names the script and its seed. Each further line is a position with its legal moves, sorted, and its
outcome if the game is over (`winner` and `by`); or a start position with `perft`, the numbers of sequences of exactly
1, 2, … moves.

The positions come from random games with random cards, from random placements of one to five men per side, and from
every way in which a side can be without a move, for both colours.
"""

import functools
import json
import random
import sys

SEED = 20250101
PLAYED = 800
PLACED = 700
PERFT_DEALS = 3
PERFT_DEPTH = 4

# The cards as printed, from two squares ahead to one behind. A man on `o` moves to an `x`.
CARDS = {
    "boar": "..... ..x.. .xox. .....",
    "cobra": "..... ...x. .xo.. ...x.",
    "crab": "..... ..x.. x.o.x .....",
    "crane": "..... ..x.. ..o.. .x.x.",
    "dragon": "..... x...x ..o.. .x.x.",
    "eel": "..... .x... ..ox. .x...",
    "elephant": "..... .x.x. .xox. .....",
    "frog": "..... .x... x.o.. ...x.",
    "goose": "..... .x... .xox. ...x.",
    "horse": "..... ..x.. .xo.. ..x..",
    "mantis": "..... .x.x. ..o.. ..x..",
    "monkey": "..... .x.x. ..o.. .x.x.",
    "ox": "..... ..x.. ..ox. ..x..",
    "rabbit": "..... ...x. ..o.x .x...",
    "rooster": "..... ...x. .xox. .x...",
    "tiger": "..x.. ..... ..o.. ..x..",
}
BLUE_STAMPS = ["crab", "crane", "eel", "goose", "monkey", "ox", "rabbit", "tiger"]

# The ways in which a side cannot move: its two cards and the squares of its five men, as seen by Blue.
STUCK = [
    (["boar", "crab"], ["a5", "b5", "c5", "d5", "e5"]),
    (["boar", "elephant"], ["a5", "b5", "c5", "d5", "e5"]),
    (["crab", "elephant"], ["a5", "b5", "c5", "d5", "e5"]),
    (["horse", "tiger"], ["a1", "a2", "a3", "a4", "a5"]),
    (["ox", "tiger"], ["e1", "e2", "e3", "e4", "e5"]),
]

SQUARES = [file + rank for rank in "12345" for file in "abcde"]
MEN = {"b": "12", "r": "34"}  # student and master
OTHER = {"b": "r", "r": "b"}
NAMES = {"b": "blue", "r": "red"}
GOALS = {"b": "c5", "r": "c1"}
START = "1121100000000000000033433"


class Table:
    """A position: a man or "0" on every square, two cards for each player, and one beside the board."""

    def __init__(self, board, turn, hands, beside):
        self.board = dict(board)
        self.turn = turn
        self.hands = {side: list(hand) for side, hand in hands.items()}
        self.beside = beside

    def text(self):
        board = "".join(self.board[square] for square in SQUARES)
        hands = [",".join(sorted(self.hands[side])) for side in "br"]
        return " ".join([board, self.turn, *hands, self.beside])

    def master(self, side):
        """The square of the side's master; None after it was captured."""
        for square in SQUARES:
            if self.board[square] == MEN[side][1]:
                return square
        return None

    def end(self):
        """The winner and the way of winning, or None. Only the side that moved last can have won."""
        them = OTHER[self.turn]
        if self.master(self.turn) is None:
            return them, "stone"
        if self.master(them) == GOALS[them]:
            return them, "stream"
        return None

    def moves(self):
        """The legal moves as (card, from, to). A pass is (card, None, None)."""
        if self.end():
            return []
        steps = []
        for card in self.hands[self.turn]:
            for square in SQUARES:
                if self.board[square] not in MEN[self.turn]:
                    continue
                for target in targets(card, self.turn, square):
                    if self.board[target] not in MEN[self.turn]:
                        steps.append((card, square, target))
        return steps or [(card, None, None) for card in self.hands[self.turn]]

    def after(self, move):
        card, square, target = move
        new = Table(self.board, OTHER[self.turn], self.hands, card)
        if square is not None:
            new.board[target] = self.board[square]
            new.board[square] = "0"
        hand = new.hands[self.turn]
        hand[hand.index(card)] = self.beside
        return new


@functools.cache
def targets(card, side, square):
    """The squares on the board to which the card moves a man from this square. Red sits on the other side."""
    found = []
    file, rank = "abcde".index(square[0]), "12345".index(square[1])
    for ahead, row in zip([2, 1, 0, -1], CARDS[card].split()):
        for right, mark in zip([-2, -1, 0, 1, 2], row):
            if mark != "x":
                continue
            new_file = file + right if side == "b" else file - right
            new_rank = rank + ahead if side == "b" else rank - ahead
            if 0 <= new_file <= 4 and 0 <= new_rank <= 4:
                found.append("abcde"[new_file] + "12345"[new_rank])
    return found


def move_text(move):
    card, square, target = move
    return f"{card}:pass" if square is None else f"{card}:{square}{target}"


def perft(table, depth):
    """The number of sequences of exactly `depth` moves."""
    if depth == 0:
        return 1
    return sum(perft(table.after(move), depth - 1) for move in table.moves())


def row(table):
    moves = sorted(map(move_text, table.moves()))
    end = table.end()
    return {"position": table.text(), "moves": " ".join(moves)} | (
        {"winner": NAMES[end[0]], "by": end[1]} if end else {}
    )


def deal(rng, held=(), side="b"):
    """Deals five different cards. `held` are the two cards that `side` has already, if any."""
    others = [card for card in CARDS if card not in held]
    rng.shuffle(others)
    hand = list(held) or others[3:5]
    return {side: hand, OTHER[side]: others[0:2]}, others[2]


def start(rng):
    hands, beside = deal(rng)
    return Table(zip(SQUARES, START), "b" if beside in BLUE_STAMPS else "r", hands, beside)


def played(rng):
    """A random position of a random game. All its positions are equally likely, the last one too."""
    game = [start(rng)]
    while len(game) < 60 and (moves := game[-1].moves()):
        game.append(game[-1].after(rng.choice(moves)))
    return rng.choice(game)


def placed(rng):
    """A random placement. The side to move has not won yet, and may have lost its master. The opponent has its master."""
    while True:
        hands, beside = deal(rng)
        table = Table(dict.fromkeys(SQUARES, "0"), rng.choice("br"), hands, beside)
        blue, red = rng.randint(1, 5), rng.randint(1, 5)
        squares = rng.sample(SQUARES, blue + red)
        for side, own in (("b", squares[:blue]), ("r", squares[blue:])):
            for square in own:
                table.board[square] = MEN[side][0]
            table.board[own[0]] = MEN[side][1]
        if rng.random() < 0.05:
            table.board[table.master(table.turn)] = "0"
        if table.master(table.turn) != GOALS[table.turn]:
            return table


def turned(square):
    return SQUARES[24 - SQUARES.index(square)]


def stuck(rng):
    """Every hand without a legal move, with every man as the master, for both colours. The opponent's men stand anywhere."""
    for side in "br":
        for hand, men in STUCK:
            men = men if side == "b" else [turned(square) for square in men]
            for master in men:
                if master == GOALS[side]:
                    continue
                hands, beside = deal(rng, hand, side)
                table = Table(dict.fromkeys(SQUARES, "0"), side, hands, beside)
                for square in men:
                    table.board[square] = MEN[side][1 if square == master else 0]
                goal = GOALS[OTHER[side]]
                free = [s for s in SQUARES if s not in men and s != goal]
                theirs = rng.sample(free, rng.randint(1, 5))
                for square in theirs:
                    table.board[square] = MEN[OTHER[side]][0]
                table.board[theirs[0]] = MEN[OTHER[side]][1]
                yield table


def distinct(make, rng, count):
    seen = {}
    while len(seen) < count:
        table = make(rng)
        seen.setdefault(table.text(), table)
    return seen.values()


def main():
    rng = random.Random(SEED)
    print(json.dumps({"from": f"oracles/onitama/rules.py, seed {SEED}"}))
    for table in [*distinct(played, rng, PLAYED), *distinct(placed, rng, PLACED), *stuck(rng)]:
        print(json.dumps(row(table)))
    for _ in range(PERFT_DEALS):
        table = start(rng)
        counts = [perft(table, depth) for depth in range(1, PERFT_DEPTH + 1)]
        print(json.dumps({"position": table.text(), "perft": counts}))


if __name__ == "__main__":
    sys.exit(main())
