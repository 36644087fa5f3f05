#!/usr/bin/env python3
"""Endspiel's tables of shogi endgames, checked with the moves of cshogi, which shares no code with Endspiel.

    python3 oracles/shogi/tables.py ENDSPIEL TABLES CLASSES POSITIONS SEED

ENDSPIEL is the path of the program, TABLES the folder of its tables. CLASSES are the names of the tables, such as
P,GG,GGG: the men besides the kings. For each class there are two checks.

1. POSITIONS random positions: Endspiel gives the value of the position, and of the position after each legal move of
   cshogi. The first value must follow from the others. A position is lost in 0 plies exactly if cshogi has no move.
   Up to POSITIONS / 10 positions that perpetual check decides are checked in the same way. They are taken from the
   positions after the moves, because they are rare.
2. Positions with a short distance: a search by cshogi alone, through all moves, must find the same distance. There are
   up to POSITIONS / 10 positions of distance 0 to 3, and up to POSITIONS / 200 of each of the distances 4 and 5. They
   are taken from the positions of the first check and from those after their moves. If these are too few, some come
   from random positions with a king at the edge. If there are still too few, the line of the class says so.

Needs the Python package `cshogi`. If all agree, the script prints a line per class and exits with 0. Otherwise it stops
at the first difference and exits with 1. It also fails if it could check fewer than 90 % of POSITIONS.
"""

import collections
import multiprocessing
import pathlib
import random
import sys
import time

import cshogi

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from endspiel import Difference, Prober, differ  # noqa: E402

KINDS = "PLNSGBR"
CHUNK = 500  # positions whose successors are asked together
NEAR, FAR = (0, 1, 2, 3), (4, 5)  # the distances that are searched


class Value(collections.namedtuple("Value", "wdl plies by_rule")):
    """The value for the side to move. It has no plies if it is a draw, or if perpetual check decides."""

    def __str__(self):
        return self.wdl + (" by perpetual check" if self.by_rule else f" in {self.plies}" if self.wdl != "draw" else "")


DRAW = Value("draw", None, False)
WIN_BY_RULE = Value("win", None, True)
LOSS_BY_RULE = Value("loss", None, True)


class Endspiel(Prober):
    """The program with the tables of shogi."""

    def __init__(self, program, tables):
        super().__init__(program, "shogi", tables)

    def values(self, sfens):
        """Returns the values of the positions."""
        return [value_of(sfen, answer) for sfen, answer in zip(sfens, self.answers(sfens))]


def value_of(sfen, answer):
    value = Value(answer["value"], answer["plies"], answer.get("by") == "perpetual check")
    if (value.plies is None) != (value in (DRAW, WIN_BY_RULE, LOSS_BY_RULE)):
        differ(sfen, Endspiel=answer)
    return value


# Random positions. Squares are (column, row) in the order of SFEN. Black moves to smaller rows.


def anywhere(rng):
    return rng.randrange(9), rng.randrange(9)


def near(rng, square, distance):
    return tuple(at + rng.randint(-distance, distance) for at in square)


def random_position(rng, kinds):
    """A random position with these men, or `None` if the men drawn at random are not a legal position."""
    kings = [anywhere(rng), anywhere(rng)]
    men = [(anywhere(rng), rng.random() < 0.5) for _ in kinds]
    return position(rng, kinds, kings, men)


def cornered_position(rng, kinds):
    """A random position with a king at the edge, in which the opponent has most men and they are near, or `None`."""
    edge = (rng.choice((0, 8)), rng.choice((0, 0, 0, 1, 2, 3, 4)))
    king = edge if rng.random() < 0.5 else edge[::-1]
    if rng.random() < 0.5:
        king = tuple(8 - at for at in king)
    black = rng.random() < 0.5
    other = near(rng, king, 3) if rng.random() < 0.9 else anywhere(rng)
    men = [(near(rng, king, 3) if rng.random() < 0.8 else anywhere(rng), (rng.random() < 0.2) == black) for _ in kinds]
    return position(rng, kinds, [king, other] if black else [other, king], men)


def position(rng, kinds, kings, men):
    """A position with Black's and White's king and these men, some of them in hand or promoted, or `None`."""
    black_moves = rng.random() < 0.5
    board = {kings[0]: "K", kings[1]: "k"}
    hands = []
    for kind, (square, black) in zip(kinds, men):
        letter = kind if black else kind.lower()
        if rng.random() < 0.25:
            hands.append(letter)
            continue
        promoted = kind != "G" and rng.random() < 0.5
        ahead = square[1] if black else 8 - square[1]
        if not promoted and ahead < {"P": 1, "L": 1, "N": 2}.get(kind, 0):
            return None  # it could never move
        if not promoted and kind == "P" and any(board.get((square[0], row)) == letter for row in range(9)):
            return None  # two pawns on a file
        if square in board:
            return None
        board[square] = ("+" if promoted else "") + letter
    if len(board) + len(hands) < 2 + len(kinds) or not all(0 <= at < 9 for square in board for at in square):
        return None
    if max(abs(one - other) for one, other in zip(*kings)) < 2:
        return None
    sfen = sfen_of(board, hands, black_moves)
    is_check = cshogi.Board(sfen_of(board, hands, not black_moves)).is_check()
    return None if is_check else sfen


def sfen_of(board, hands, black_moves):
    rows = []
    for y in range(9):
        row = "".join(board.get((x, y), ".") for x in range(9))
        for gap in range(9, 0, -1):
            row = row.replace("." * gap, str(gap))
        rows.append(row)
    held = ""
    for letter in "RBGSNLPrbgsnlp":
        count = hands.count(letter)
        held += (str(count) if count > 1 else "") + (letter if count else "")
    return f"{'/'.join(rows)} {'b' if black_moves else 'w'} {held or '-'} 1"


def many(rng, kinds, draw, count, known):
    """Up to `count` positions that are not `known`, which they become. A small class may have fewer."""
    found = []
    for _ in range(50 * count):
        if len(found) == count:
            break
        sfen = draw(rng, kinds)
        if sfen and sfen not in known:
            known.add(sfen)
            found.append(sfen)
    return found


# First check: each value follows from the values after the moves.


def successors(sfen):
    """The positions after the legal moves of cshogi, and for each whether it has no legal move."""
    board = cshogi.Board(sfen)
    after = []
    for move in board.legal_moves:
        board.push(move)
        after.append((one_number(board.sfen()), len(board.legal_moves) == 0))
        board.pop()
    return after


def one_number(sfen):
    """The position with the move number 1."""
    return sfen[: sfen.rindex(" ")] + " 1"


def one_step(after):
    """The value of a position that has these values after its moves."""
    lost = [value.plies for value in after if value.wdl == "loss" and not value.by_rule]
    if lost:
        return Value("win", 1 + min(lost), False)
    won = [value.plies for value in after if value.wdl == "win" and not value.by_rule]
    if len(won) == len(after):
        return Value("loss", 1 + max(won, default=-1), False)
    # Neither side can force mate. Perpetual check decides, or nothing does.
    if LOSS_BY_RULE in after:
        return WIN_BY_RULE
    return DRAW if DRAW in after else LOSS_BY_RULE


class Class:
    """The checks of one class, and what they have seen."""

    def __init__(self, endspiel, kinds, positions, rng):
        self.endspiel = endspiel
        self.kinds = kinds
        self.positions = positions
        self.rng = rng
        self.known = set()  # the positions whose value is checked, or that are drawn at random
        self.short = collections.defaultdict(dict)  # the positions of each short distance
        self.by_rule = {}  # positions that perpetual check decides
        self.checked = collections.Counter()
        self.moves = 0

    def note(self, sfen, value):
        if value.by_rule:
            self.by_rule[sfen] = value
        elif value.plies is not None and value.plies <= FAR[-1]:
            self.short[value.plies][sfen] = value

    def check_values(self, sfens):
        """The first check, for these positions."""
        for start in range(0, len(sfens), CHUNK):
            chunk = sfens[start : start + CHUNK]
            after = [successors(sfen) for sfen in chunk]
            values = self.endspiel.values(chunk + [sfen for moves in after for sfen, _ in moves])
            rest = iter(values[len(chunk) :])
            for sfen, value, moves in zip(chunk, values, after):
                self.check_value(sfen, value, [(*move, next(rest)) for move in moves])

    def check_value(self, sfen, value, moves):
        for next_sfen, is_over, next_value in moves:
            if is_over != (next_value.plies == 0):
                differ(next_sfen, Endspiel=next_value, cshogi="no legal move" if is_over else "has legal moves")
            self.note(next_sfen, next_value)
        expected = one_step([next_value for _, _, next_value in moves])
        if value != expected:
            after = ", ".join(f"{next_value} {next_sfen}" for next_sfen, _, next_value in moves)
            differ(sfen, Endspiel=value, one_step=expected, after=after)
        self.note(sfen, value)
        self.moves += len(moves)
        self.checked[value.wdl] += 1

    def check_rule(self, count):
        """The first check for positions that perpetual check decides. Their successors give more such positions."""
        checked = collections.Counter(value.wdl for sfen, value in self.by_rule.items() if sfen in self.known)
        while True:
            new = [sfen for sfen in self.by_rule if sfen not in self.known]
            left = max(count - sum(checked.values()), 0)
            new = self.rng.sample(new, min(len(new), left, CHUNK))
            if not new:
                return checked
            self.known.update(new)
            self.check_values(new)
            checked.update(self.by_rule[sfen].wdl for sfen in new)

    def find_short(self, near_count, far_count):
        """Looks for more positions of short distances, until there are enough or it has asked for long."""
        for _ in range(10):
            found = [len(self.short[plies]) for plies in NEAR]
            enough = sum(found) >= near_count and min(found) >= near_count / 10
            if enough and all(len(self.short[plies]) >= far_count for plies in FAR):
                return
            sfens = many(self.rng, self.kinds, cornered_position, self.positions, self.known)
            for sfen, value in zip(sfens, self.endspiel.values(sfens)):
                self.note(sfen, value)
            if len(sfens) < self.positions:
                return  # there are hardly any others

    def check_distances(self, near_count, far_count):
        """The second check. Returns how many positions of each distance were searched."""
        self.find_short(near_count, far_count)
        searched = {}
        # The rarest first, so that the others can make up for them.
        for at, plies in enumerate(sorted(NEAR, key=lambda plies: len(self.short[plies]))):
            share = (near_count - sum(searched.values())) // (len(NEAR) - at)
            searched[plies] = min(share, len(self.short[plies]))
        for plies in FAR:
            searched[plies] = min(far_count, len(self.short[plies]))
        for plies, count in sorted(searched.items()):
            for sfen in self.rng.sample(list(self.short[plies]), count):
                value = self.short[plies][sfen]
                found = Search(sfen).value(FAR[-1] if plies in FAR else NEAR[-1])
                if found != value:
                    differ(sfen, Endspiel=value, cshogi=found)
        return dict(sorted(searched.items()))


# Second check: a search through all moves.


class Search:
    """A search from one position, by cshogi alone."""

    def __init__(self, sfen):
        self.board = cshogi.Board(sfen)
        self.known = {}

    def value(self, most):
        """The value, if it is a win or loss in at most so many plies."""
        for plies in range(most + 1):
            if plies % 2 == 1 and self.wins(plies):
                return Value("win", plies, False)
            if plies % 2 == 0 and self.loses(plies):
                return Value("loss", plies, False)
        return f"neither side wins in {most}"

    def wins(self, plies):
        """Returns whether the side to move can win in at most so many plies."""
        board = self.board
        if plies == 1:
            for move in board.legal_moves:
                board.push(move)
                is_over = len(board.legal_moves) == 0
                board.pop()
                if is_over:
                    return True
            return False
        return any(self.after(move, self.loses, plies - 1) for move in board.legal_moves)

    def loses(self, plies):
        """Returns whether the side to move cannot avoid to lose in at most so many plies."""
        moves = self.board.legal_moves
        return len(moves) == 0 or plies > 0 and all(self.after(move, self.wins, plies - 1) for move in moves)

    def after(self, move, question, plies):
        """The answer to a question about the position after a move."""
        board = self.board
        board.push(move)
        sfen = board.sfen()
        key = (sfen[: sfen.rindex(" ")], plies)
        answer = self.known.get(key)
        if answer is None:
            answer = self.known[key] = question(plies)
        board.pop()
        return answer


def check_class(task):
    """Checks a class. Returns whether all agree, and a line that says it, or what differs."""
    program, tables, kinds, positions, seed = task
    endspiel = Endspiel(program, tables)
    started = time.monotonic()
    checks = Class(endspiel, kinds, positions, random.Random(f"{seed} {kinds}"))
    try:
        sfens = many(checks.rng, kinds, random_position, positions, checks.known)
        checks.check_values(sfens)
        counts = dict(checks.checked)
        if len(sfens) < 0.9 * positions:
            raise Difference(f"only {len(sfens)} of {positions} positions could be checked")
        ruled = checks.check_rule(positions // 10)
        middle = time.monotonic()
        searched = checks.check_distances(positions // 10, positions // 200)
    except Difference as difference:
        return False, f"{kinds}: {difference}"
    finally:
        endspiel.end()
    ended = time.monotonic()
    parts = [f"{len(sfens)} positions"]
    parts += [f"{counts.get(wdl, 0)} {word}" for wdl, word in (("win", "won"), ("loss", "lost"), ("draw", "drawn"))]
    parts += [f"{ruled['win']} won and {ruled['loss']} lost by perpetual check", f"{checks.moves} moves"]
    searches = ", ".join(f"{count} in {plies}" for plies, count in searched.items())
    wanted = positions // 10 + positions // 200 * len(FAR)
    few = f", too few, {wanted} wanted" if sum(searched.values()) < wanted else ""
    seconds = f"{middle - started:.1f} + {ended - middle:.1f} s"
    return True, f"{kinds}: {', '.join(parts)}; searched {searches}{few}: all agree ({seconds})"


def main(program, tables, classes, positions, seed):
    if not classes or any(not kinds or set(kinds) - set(KINDS) for kinds in classes):
        sys.exit(f"a class consists of the letters {KINDS}")
    tasks = [(program, tables, kinds, positions, seed) for kinds in classes]
    with multiprocessing.Pool() as pool:
        for agree, line in pool.imap(check_class, tasks):
            print(line, flush=True)
            if not agree:
                sys.exit(1)


if __name__ == "__main__":
    if len(sys.argv) != 6:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2], sys.argv[3].split(","), int(sys.argv[4]), int(sys.argv[5]))
