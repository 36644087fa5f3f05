#!/usr/bin/env python3
"""Hypergammon solved a second way, and compared with Endspiel's table and GNU Backgammon's database.

    python3 oracles/backgammon/hyper.py TABLE [GNUBG]

TABLE is a table of Endspiel: `hyper1`, `hyper2`, `left1` or `left2`. GNUBG is the file that GNU Backgammon's `makehyper -c 1` or
`-c 2` writes.

The script has its own move generator, which knows nothing of Endspiel's, and works by policy iteration: it fixes the best plays
and the best cube decisions, solves the linear equations of the expected points, improves the plays and decisions, and so on, until
none can be improved. All numbers of all positions must be equal within the error that the table states.

GNU Backgammon's equities with a cube have a mistake, which shows in `hyper2`: after a roll that allows no move, they count as if the
cube changed hands, and as if the opponent could not double. The script checks that each of its numbers follows from the others by
this rule, and that without such rolls it follows by ours. `hyper1` has no such rolls, and there all numbers are ours. It stops
iterating when no number changes by more than 0.00001. Where two plays have the same equity, probabilities may differ.

Needs the Python packages numpy, scipy and zstandard. If all agree it exits with 0, otherwise with 1.
"""

import itertools
import pathlib
import sys

import numpy as np
from scipy.sparse import csr_matrix, identity
from scipy.sparse.linalg import bicgstab, spsolve

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "tools"))
import read_table  # noqa: E402

BAR = 25
ROLLS = [(high, low) for low in range(1, 7) for high in range(low, 7)]
UNIT = 1 << 24
RESIDUAL = 1e-12  # of linear equations
GNUBG = 5e-6  # how well GNU Backgammon's numbers follow from each other


def sets_of(checkers):
    """The sets in the order of their numbers: a number for each point from the ace point to the bar."""
    found = []
    for count in range(checkers + 1):
        of_count = []
        for places in itertools.combinations_with_replacement(range(1, BAR + 1), count):
            of_count.append(tuple(places.count(place) for place in range(1, BAR + 1)))
        # Fewer checkers come first. Then zeros stand for checkers, and ones between the places, from the ace point on.
        of_count.sort(key=lambda counts: "1".join("0" * count for count in counts))
        found += of_count
    return found


def steps(mine, blocked, die):
    """The places from which a die can move a checker; `mine` is a sorted tuple of places."""
    places = set(mine)
    if BAR in places:
        places = {BAR}
    is_home = not mine or mine[-1] <= 6
    for place in places:
        to = place - die
        if to > 0:
            if to not in blocked:
                yield place
        elif is_home and (to == 0 or place == mine[-1]):
            yield place


def moved(mine, place, die):
    rest = list(mine)
    rest.remove(place)
    if place - die > 0:
        rest.append(place - die)
    return tuple(sorted(rest))


def sequences(mine, blocked, dice, landings):
    """All longest ways to play the dice in this order, as the checkers and the points of landing."""
    if not dice:
        return [(0, mine, landings)]
    found = []
    for place in steps(mine, blocked, dice[0]):
        after = moved(mine, place, dice[0])
        points = landings | ({place - dice[0]} if place > dice[0] else set())
        found += [(1 + n, own, all_points) for n, own, all_points in sequences(after, blocked, dice[1:], points)]
    return found or [(0, mine, landings)]


def plays(mine, blocked, roll):
    """The legal plays of a roll, as the checkers after it and the points of landing."""
    high, low = roll
    if high == low:
        found = sequences(mine, blocked, (high,) * 4, frozenset())
        most = max(n for n, *_ in found)
        return {(own, points) for n, own, points in found if n == most}
    by_order = [sequences(mine, blocked, order, frozenset()) for order in ((high, low), (low, high))]
    both = {(own, points) for found in by_order for n, own, points in found if n == 2}
    if both:
        return both
    for found in by_order:
        single = {(own, points) for n, own, points in found if n == 1}
        if single:
            return single
    return {(mine, frozenset())}


class Game:
    """All positions with up to so many checkers a side, and their plays as arrays."""

    def __init__(self, checkers, gammons):
        self.sets = sets_of(checkers)
        self.places = [tuple(p for p, n in enumerate(counts, 1) for _ in range(n)) for counts in self.sets]
        self.number = {places: number for number, places in enumerate(self.places)}
        self.count = len(self.sets)
        self.points = np.array([self.points_against(places, checkers, gammons) for places in self.places])
        lists, memo = [], {}
        self.positions = []
        for us, them in itertools.product(range(1, self.count), repeat=2):
            mine, theirs = self.places[us], self.places[them]
            seen = [BAR - p for p in theirs if p < BAR]
            if set(mine) & set(seen):
                continue
            self.positions.append((us, them))
            blocked = frozenset(p for p in seen if seen.count(p) > 1)
            blots = {p for p in seen if seen.count(p) == 1}
            for roll in ROLLS:
                key = (us, blocked, roll)
                if key not in memo:
                    memo[key] = sorted(plays(mine, blocked, roll), key=self.order)
                nexts = []
                for own, points in memo[key]:
                    hit = blots & points
                    after = theirs
                    if hit:
                        after = tuple(sorted(BAR if BAR - p in hit else p for p in theirs))
                    nexts.append(self.number[after] * self.count + self.number[own])
                lists.append(nexts)
        self.of = {position: at for at, position in enumerate(self.positions)}
        self.places_of = np.full(self.count * self.count, -1)
        for at, (us, them) in enumerate(self.positions):
            self.places_of[us * self.count + them] = at
        # Positions come first; then an end for each set of the player who has lost.
        size = len(self.positions)
        nexts = np.concatenate([np.array(list_) for list_ in lists])
        ended = nexts % self.count == 0
        self.nexts = np.where(ended, size + nexts // self.count, self.places_of[nexts])
        self.first = np.cumsum([0] + [len(list_) for list_ in lists])[:-1]
        self.rolls = np.repeat(np.arange(len(lists)), [len(list_) for list_ in lists])
        self.weights = np.tile([1 / 36 if high == low else 2 / 36 for high, low in ROLLS], size)
        self.size = size
        # Rolls that allow no move: the same sets, with the opponent to move.
        mirror = np.array([self.of[them, us] for us, them in self.positions])
        alone = np.diff(np.append(self.first, len(self.nexts))) == 1
        self.mirror = np.repeat(mirror, len(ROLLS))
        self.dances = alone & (self.nexts[self.first] == self.mirror)

    def order(self, play):
        """Of equal plays, the table takes the first: with the fewest pips, then by number, then by the points of landing."""
        own, points = play
        return sum(own), self.number[own], sum(1 << (BAR - p) for p in points)

    def points_against(self, places, checkers, gammons):
        if not gammons or len(places) < checkers:
            return 1
        return 3 if any(place >= 19 for place in places) else 2

    def best(self, after):
        """For each position and roll, the best number after a play, and the first play that has it."""
        values = after[self.nexts]
        most = np.maximum.reduceat(values, self.first)
        is_best = values == most[self.rolls]
        places = np.where(is_best, np.arange(len(values)), len(values))
        return most, self.nexts[np.minimum.reduceat(places, self.first)]

    def mean(self, best):
        return (best * self.weights).reshape(self.size, -1).sum(axis=1)

    def chosen(self, nexts):
        """The matrix of the probabilities of the positions after the chosen plays, and that of the ends."""
        rows = np.repeat(np.arange(self.size), len(ROLLS))
        shape = (self.size, self.size + self.count)
        matrix = csr_matrix((self.weights, (rows, nexts)), shape)
        return matrix[:, : self.size].tocsr(), matrix[:, self.size :].tocsr()


def solved(matrix, right, guess):
    """Solves (1 − matrix) x = right."""
    equations = (identity(matrix.shape[0], format="csc") - matrix).tocsc()
    if matrix.shape[0] < 2000:
        return spsolve(equations, right)
    x = guess
    for _ in range(60):
        rest = right - equations @ x
        if np.abs(rest).max() < RESIDUAL:
            return x
        step, _ = bicgstab(equations, rest, rtol=1e-4, atol=0.0, maxiter=200)
        x = x + step
    raise SystemExit("the linear equations are not solved")


def cubeless(game):
    equity = np.zeros(game.size)
    for number in itertools.count(1):
        after = np.concatenate([-equity, game.points])
        best, nexts = game.best(after)
        gain = np.abs(game.mean(best) - equity).max()
        if gain < 10 * RESIDUAL:
            print(f"cubeless: {number} policies, last step {gain:.1e}")
            return equity
        inner, ends = game.chosen(nexts)
        equity = solved(-inner, ends @ game.points, equity)


def with_cube(game, start):
    """The equities with an own cube, a cube in the middle, by Jacoby's rule, and with the opponent's cube, without doubling this turn."""
    size, ones = game.size, np.ones(game.count)
    own, theirs = start.copy(), start.copy()
    for number in itertools.count(1):
        best_owned, owned = game.best(np.concatenate([-theirs, game.points]))
        best_theirs, plays_theirs = game.best(np.concatenate([-own, game.points]))
        not_doubled, held = game.mean(best_owned), game.mean(best_theirs)
        gain = max(np.abs(held - theirs).max(), np.abs(np.maximum(not_doubled, np.minimum(1, 2 * held)) - own).max())
        if gain < 10 * RESIDUAL:
            print(f"own cube: {number} policies, last step {gain:.1e}")
            break
        doubles = np.minimum(1, 2 * held) > not_doubled
        drops = doubles & (2 * held > 1)
        takes = doubles & ~drops
        # An own cube: −theirs after the play, or twice theirs, or 1. The opponent's cube: −own after the play.
        inner_owned, ends_owned = game.chosen(owned)
        inner_theirs, ends_theirs = game.chosen(plays_theirs)
        stays = csr_matrix((np.where(doubles, 0.0, 1.0), (np.arange(size), np.arange(size))), (size, size))
        twice = csr_matrix((np.where(takes, 2.0, 0.0), (np.arange(size), np.arange(size))), (size, size))
        # Eliminates the own cube: theirs = −inner_theirs · own + ends.
        own_of_theirs = -(stays @ inner_owned) + twice
        own_alone = np.where(doubles, 0.0, 1.0) * (ends_owned @ game.points) + drops
        matrix = -(inner_theirs @ own_of_theirs)
        right = ends_theirs @ game.points - inner_theirs @ own_alone
        theirs = solved(matrix, right, theirs)
        own = own_of_theirs @ theirs + own_alone
    middle = [not_doubled]
    for points, name in ((game.points, "centred"), (ones, "Jacoby")):
        equity = start.copy()
        for number in itertools.count(1):
            best, nexts = game.best(np.concatenate([-equity, points]))
            not_doubled, doubled = game.mean(best), np.minimum(1, 2 * theirs)
            new = np.maximum(not_doubled, doubled)
            gain = np.abs(new - equity).max()
            if gain < 10 * RESIDUAL:
                print(f"{name}: {number} policies, last step {gain:.1e}")
                break
            doubles = doubled > not_doubled
            inner, ends = game.chosen(nexts)
            stays = csr_matrix((np.where(doubles, 0.0, 1.0), (np.arange(size), np.arange(size))), (size, size))
            right = np.where(doubles, doubled, ends @ points)
            equity = solved(-(stays @ inner), right, equity)
        middle.append(not_doubled)
    return *middle, theirs


def probabilities(game, stored):
    """The probabilities of the ends with the best plays by the stored cubeless equities."""
    raw = np.concatenate([-np.round(stored * UNIT), game.points * UNIT])
    inner, ends = game.chosen(game.best(raw)[1])
    # win = 1 − the opponent's win; the gammons of one are the lost gammons of the other.
    win = solved(-inner, np.asarray(inner.sum(axis=1)).ravel() + ends @ np.ones(game.count), np.full(game.size, 0.5))
    both = []
    for least in (2, 3):
        ended = ends @ (game.points >= least).astype(float)
        # won = inner · lost' + ended and lost = inner · won': their sum and difference are plain equations.
        total = solved(inner, ended, np.zeros(game.size))
        difference = solved(-inner, ended, np.zeros(game.size))
        both.append(((total + difference) / 2, (total - difference) / 2))
    (won_2, lost_2), (won_3, lost_3) = both
    return win, won_2, won_3, lost_2, lost_3


def gnubg_numbers(path, game):
    data = np.frombuffer(pathlib.Path(path).read_bytes()[40:], dtype=np.uint8).reshape(-1, 28)[:, :27]
    raw = data.reshape(-1, 9, 3).astype(np.int64) @ np.array([1, 1 << 8, 1 << 16])
    at = [us * game.count + them for us, them in game.positions]
    return raw[at] / 16777215.0


def gnubg_agrees(game, numbers, stored, names):
    win, win_2, win_3, lose_2, lose_3 = numbers.T[:5]
    own, centred, jacoby, theirs = numbers.T[5:] * 6 - 3
    equity = 2 * win - 1 + win_2 + win_3 - lose_2 - lose_3
    ones, twice = np.ones(game.count), np.minimum(1, 2 * theirs)
    has_dance = game.dances.reshape(game.size, -1).any(axis=1)
    print(f"GNU Backgammon, with {has_dance.sum()} positions in which a roll may allow no move:")
    agrees = True
    steps_to = [
        ("cubeless", equity, equity, game.points),
        ("own cube", own, theirs, game.points),
        ("centred", centred, np.maximum(centred, twice), game.points),
        ("centred (Jacoby)", jacoby, np.maximum(jacoby, twice), ones),
        ("opponent's cube", theirs, np.maximum(own, twice), game.points),
    ]
    for name, number, after, points in steps_to:
        best, _ = game.best(np.concatenate([-after, points]))
        ours = np.abs(game.mean(best) - number)
        by_their_rule = np.abs(game.mean(np.where(game.dances, -number[game.mirror], best)) - number)
        column = stored.T[names.index(name)]
        print(
            f"  {name:17} differs from ours by up to {np.abs(number - column).max():.2e}; from a step of its own numbers by up to"
            f" {ours.max():.2e}, without dances {ours[~has_dance].max():.2e}, by its rule {by_their_rule.max():.2e}"
        )
        agrees &= by_their_rule.max() < GNUBG and ours[~has_dance].max() < GNUBG
    # The probabilities of other best plays make the same equity.
    agrees &= np.abs(equity - stored.T[names.index("cubeless")]).max() < GNUBG
    return agrees


def main():
    table = read_table.Table(sys.argv[1])
    name, error = table.description["slice"], table.content.error
    gammons, checkers = name.startswith("hyper"), int(name[-1])
    game = Game(checkers, gammons)
    stored = np.array([table.entry(us * game.count + them) for us, them in game.positions], dtype=float)
    print(f"{name}: {game.size} positions, {len(game.nexts)} plays; the table states an error of {error:.3g}")
    equity = cubeless(game)
    own, centred, jacoby, theirs = with_cube(game, equity)
    if gammons:
        names = ["win", "win gammon", "win backgammon", "lose gammon", "lose backgammon"]
        names += ["cubeless", "own cube", "centred", "centred (Jacoby)", "opponent's cube"]
        columns = [*probabilities(game, stored[:, 5]), equity, own, centred, jacoby, theirs]
    else:
        names, columns = ["cubeless", "own cube", "centred", "opponent's cube"], [equity, own, centred, theirs]
    failed = False
    for name, column, ours in zip(names, columns, stored.T, strict=True):
        differences = np.abs(column - ours)
        worst = differences.argmax()
        failed |= not differences[worst] <= error
        print(f"  {name:17} largest difference {differences[worst]:.2e} at {game.positions[worst]}")
    if len(sys.argv) > 2:
        failed |= not gnubg_agrees(game, gnubg_numbers(sys.argv[2], game), stored, names)
    sys.exit(failed)


if __name__ == "__main__":
    main()
