#!/usr/bin/env python3
"""New positions, compared between Endspiel, cshogi and python-shogi, three programs that share no code.

    python3 oracles/shogi/fresh.py ENDSPIEL COUNT SEED

ENDSPIEL is the path of the program. There are COUNT positions: half from random games of up to 300 moves, a quarter
random endgames with one to twelve men besides the kings, many of them in hand, and a quarter with a hemmed-in king and
a pawn in hand, whose drop must not mate. For each position the script compares the legal moves of all three programs,
check by cshogi and python-shogi (by all three if there is no legal move), and perft to depth 2 of Endspiel and cshogi.

The moves of python-shogi are its pseudo-legal moves, filtered here. Whether a dropped pawn mates is decided by the list
of replies, because python-shogi's own test assumes that a pinned man can capture the pawn.

Needs the Python packages `cshogi` and `python-shogi`. If all agree, the script prints a line and exits with 0.
Otherwise it stops at the first difference and exits with 1.
"""

import json
import random
import subprocess
import sys

import cshogi
import shogi

SUPPLY = {"P": 18, "L": 4, "N": 4, "S": 4, "G": 4, "B": 2, "R": 2, "K": 2}
EIGHT_WAYS = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]


class Setup:
    """A board with hands, filled man by man. Squares are (column, row) in the order of SFEN. Black moves to smaller rows."""

    def __init__(self):
        self.board = {}
        self.hands = {True: [], False: []}
        self.left = dict(SUPPLY)

    def place(self, square, kind, black, promoted=False):
        """Puts a man on a square, unless the rules forbid it."""
        column, row = square
        promoted = promoted and kind not in "GK"
        ahead = row if black else 8 - row
        plain_pawn = kind == "P" and not promoted
        stuck = not promoted and ahead < {"P": 1, "L": 1, "N": 2}.get(kind, 0)
        doubled = plain_pawn and any(self.board.get((column, y)) == ("P", black, False) for y in range(9))
        outside = not (0 <= column < 9 and 0 <= row < 9)
        if outside or square in self.board or self.left[kind] == 0 or stuck or doubled:
            return
        self.board[square] = (kind, black, promoted)
        self.left[kind] -= 1

    def hold(self, kind, black):
        if self.left[kind] > 0:
            self.hands[black].append(kind)
            self.left[kind] -= 1

    def turned(self):
        """The same setup with the sides exchanged."""
        other = Setup()
        other.board = {(8 - x, 8 - y): (kind, not black, up) for (x, y), (kind, black, up) in self.board.items()}
        other.hands = {black: self.hands[not black] for black in (True, False)}
        return other

    def sfen(self, black_moves):
        rows = []
        for y in range(9):
            text, gap = "", 0
            for x in range(9):
                if (x, y) not in self.board:
                    gap += 1
                    continue
                kind, black, promoted = self.board[x, y]
                text += (str(gap) if gap else "") + ("+" if promoted else "") + (kind if black else kind.lower())
                gap = 0
            rows.append(text + (str(gap) if gap else ""))
        hands = ""
        for black in (True, False):
            for kind in "RBGSNLP":
                count = self.hands[black].count(kind)
                letter = kind if black else kind.lower()
                hands += (str(count) if count > 1 else "") + (letter if count else "")
        return f"{'/'.join(rows)} {'b' if black_moves else 'w'} {hands or '-'} 1"

    def is_valid(self, black_moves):
        """Returns whether both kings are on the board and the side that is not to move is not in check."""
        kings = [square for square, (kind, _, _) in self.board.items() if kind == "K"]
        if len(kings) < 2 or max(abs(kings[0][0] - kings[1][0]), abs(kings[0][1] - kings[1][1])) < 2:
            return False
        return not cshogi.Board(self.sfen(not black_moves)).is_check()


def coin(rng, chance=0.5):
    return rng.random() < chance


def anywhere(rng):
    return rng.randrange(9), rng.randrange(9)


def random_game(rng):
    """The position after up to 300 random moves."""
    board = cshogi.Board()
    for _ in range(rng.randint(0, 300)):
        moves = list(board.legal_moves)
        if not moves:
            break
        board.push(rng.choice(moves))
    return board.sfen()


def random_endgame(rng):
    """Both kings and one to twelve more men, half of them in hand."""
    while True:
        setup = Setup()
        setup.place(anywhere(rng), "K", True)
        setup.place(anywhere(rng), "K", False)
        for _ in range(rng.randint(1, 12)):
            kind, black = rng.choice("PPPLNSGBR"), coin(rng)
            if coin(rng):
                setup.hold(kind, black)
            else:
                setup.place(anywhere(rng), kind, black, coin(rng))
        turn = coin(rng)
        if setup.is_valid(turn):
            return setup.sfen(turn)


def hemmed_in_king(rng):
    """A king at the edge among men of both sides. A pawn could be dropped in front of it, guarded by another man."""
    while True:
        setup = Setup()
        x, y = (rng.choice((0, 8)) if coin(rng) else rng.randrange(9)), rng.choice((0, 0, 0, 1))
        setup.place((x, y), "K", False)
        front = (x, y + 1)
        guard, (right, down) = rng.choice(
            [(kind, (step, 1)) for kind in "GS" for step in (-1, 0, 1)]
            + [("N", (-1, 2)), ("N", (1, 2)), ("L", (0, 2)), ("R", (0, 3)), ("B", (2, 2)), ("B", (-2, 2))]
        )
        setup.place((x + right, front[1] + down), guard, True)
        if coin(rng, 0.4):
            # A man beside the king guards the square, but is pinned by a rook on the row or a bishop on the diagonal.
            side, on_row, distance = rng.choice((-1, 1)), coin(rng), rng.randint(2, 5)
            setup.place((x + side, y if on_row else y + 1), rng.choice("GGS" if on_row else "GGR"), False)
            pinner = (x + side * distance, y if on_row else y + distance)
            setup.place(pinner, "R" if on_row else "B", True, coin(rng, 0.3))
        for right, down in EIGHT_WAYS:
            square = (x + right, y + down)
            if square != front and coin(rng, 0.8):
                black = coin(rng, 0.2)
                setup.place(square, rng.choice("PPLLNNSG"), black, black and coin(rng, 0.3))
        for _ in range(rng.randint(0, 5)):
            kind, black = rng.choice("PLNSGBR"), coin(rng, 0.7)
            if coin(rng, 0.4):
                setup.hold(kind, black)
            else:
                near = (x + rng.randint(-3, 3), y + rng.randint(0, 4))
                if near != front:
                    setup.place(near, kind, black, coin(rng, 0.3))
        setup.hold("P", True)
        setup.place(anywhere(rng), "K", True)
        black_moves = coin(rng)
        if not black_moves:
            setup = setup.turned()
        if setup.is_valid(black_moves):
            return setup.sfen(black_moves)


def ask_cshogi(sfen):
    """Returns the moves of cshogi, whether it sees a check, and its perft to depth 2."""
    board = cshogi.Board(sfen)
    moves = list(board.legal_moves)
    sequences = 0
    for move in moves:
        board.push(move)
        sequences += len(board.legal_moves)
        board.pop()
    return sorted(map(cshogi.move_to_usi, moves)), board.is_check(), sequences


def ask_python_shogi(sfen):
    """Returns the moves of python-shogi, whether it sees a check, and the number of pawn drops that would mate."""
    board = shogi.Board(sfen)
    moves, pawn_drop_mates = [], 0
    for move in board.pseudo_legal_moves:
        board.push(move)
        if not board.was_suicide():
            if move.drop_piece_type == shogi.PAWN and board.is_check() and not any(board.generate_legal_moves()):
                pawn_drop_mates += 1
            else:
                moves.append(move.usi())
        board.pop()
    return sorted(moves), board.is_check(), pawn_drop_mates


def endspiel_answers(program, arguments, text):
    done = subprocess.run([program, *arguments], input=text, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def differ(what, sfen, answers):
    print(f"{what} differ in {sfen}")
    for name, answer in answers.items():
        print(f"  {name:12} {answer}")
    sys.exit(1)


def compare_moves(sfen, answers):
    first = next(iter(answers.values()))
    if any(moves != first for moves in answers.values()):
        shared = set.intersection(*map(set, answers.values()))
        differ("legal moves", sfen, {name: [m for m in moves if m not in shared] for name, moves in answers.items()})


def main(endspiel, count, seed):
    rng = random.Random(seed)
    half, quarter = count // 2, count // 4
    sfens = [random_game(rng) for _ in range(count - half)]
    sfens += [random_endgame(rng) for _ in range(half - quarter)]
    sfens += [hemmed_in_king(rng) for _ in range(quarter)]
    text = "\n".join(sfens) + "\n"
    listed = endspiel_answers(endspiel, ["moves", "shogi", "--stdin"], text)
    counted = endspiel_answers(endspiel, ["perft", "shogi", "--stdin", "--depth", "2"], text)
    assert len(listed) == len(counted) == len(sfens) == count
    moves = drops = pawn_drop_mates = sequences = 0
    for sfen, answer, perft in zip(sfens, listed, counted):
        if "error" in answer:
            differ("legal positions", sfen, {"Endspiel": answer["error"], "peers": "legal"})
        ours = [move["move"] for move in answer["moves"]]
        theirs, check, theirs_counted = ask_cshogi(sfen)
        others, others_check, mates = ask_python_shogi(sfen)
        compare_moves(sfen, {"Endspiel": ours, "cshogi": theirs, "python-shogi": others})
        if check != others_check:
            differ("checks", sfen, {"cshogi": check, "python-shogi": others_check})
        ended = None if ours else "checkmate" if check else "no legal move"
        if (answer["outcome"] or {}).get("by") != ended:
            differ("ends", sfen, {"Endspiel": answer["outcome"], "peers": ended})
        if perft["nodes"] != theirs_counted:
            differ("counts", sfen, {"Endspiel": perft["nodes"], "cshogi": theirs_counted})
        moves += len(ours)
        drops += sum("*" in move for move in ours)
        pawn_drop_mates += mates
        sequences += theirs_counted
    print(
        f"{count} positions, {moves} moves, {drops} of them drops, {pawn_drop_mates} forbidden pawn-drop mates, "
        f"{sequences} sequences of two moves: all agree"
    )


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
