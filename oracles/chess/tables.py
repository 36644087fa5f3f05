#!/usr/bin/env python3
"""Endspiel's tables of chess endgames, checked with python-chess and the files of other generators.

    python3 oracles/chess/tables.py ENDSPIEL TABLES DATA POSITIONS DTZ SEED

ENDSPIEL is the path of the program, TABLES the folder of its tables, DATA the folder `data` of the source distribution of
python-chess 1.11.2. All tables of chess in TABLES are checked.

1. Three men: every position, one for each image under the symmetries of the board, with exchanged colours or not at random.
   Who wins must be as in the Syzygy files, and the distance to mate as in the Gaviota files.
2. Four men: POSITIONS random positions. Who wins must be as in the Syzygy files.
3. Three and four men with DTZ tables: of these positions, up to DTZ of each table have the distances of the Syzygy files.
   Where such a file rounds, ours may differ by one.
4. Four and five men: POSITIONS random positions. Each value, and each distance, must follow from those of Endspiel after the
   legal moves of python-chess. Without a legal move it is mate or stalemate.
5. Positions with published distances to mate: `endgame-dm-4.epd` and `endgame-dm-5.epd`.

Needs the Python package `chess` (python-chess). If all agree, the script prints a line per table and exits with 0. Otherwise
it stops at the first difference and exits with 1.
"""

import collections
import json
import multiprocessing
import pathlib
import random
import subprocess
import sys
import time

import chess
import chess.gaviota
import chess.syzygy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from endspiel import Difference, Prober, differ  # noqa: E402

CHUNK = 2000  # positions that are asked together
SIGN = {"win": 1, "draw": 0, "loss": -1}
CATEGORIES = {-2: "loss", -1: "blessed-loss", 0: "draw", 1: "cursed-win", 2: "win"}
MOST_OF_THREE = 166_000  # about the positions with three men in the largest table, KPvK
LIMIT = 100  # plies: above them the 50-move rule draws
KINDS = {"K": chess.KING, "Q": chess.QUEEN, "R": chess.ROOK, "B": chess.BISHOP, "N": chess.KNIGHT, "P": chess.PAWN}

# `dtm` is signed as in Gaviota: 0 is a draw or mate. It is `None` if the table has no distances. `dtz` is `None` if it was not
# asked for.
Value = collections.namedtuple("Value", "wdl dtm category dtz")
MATED = Value(-1, 0, "loss", -1)
STALEMATED = Value(0, 0, "draw", 0)


class Syzygy(chess.syzygy.Tablebase):
    """Syzygy files that know whether an answer is rounded."""

    def dtz_and_rounding(self, board):
        self.is_rounded = False
        return self.probe_dtz(board), self.is_rounded

    def probe_dtz_table(self, board, wdl):
        found = super().probe_dtz_table(board, wdl)
        flags = self.dtz[chess.syzygy.calc_key(board)].flags
        flags = flags if isinstance(flags, list) else [flags]
        # A file that stores plies for wins, or losses, says so in a flag. Otherwise it stores moves.
        self.is_rounded |= not all(flag & chess.syzygy.PA_FLAGS[wdl + 2] for flag in flags)
        return found


class Peers:
    """The files of other generators."""

    def __init__(self, data):
        self.syzygy = Syzygy()
        self.syzygy.add_directory(str(data / "syzygy" / "regular"))
        self.gaviota = chess.gaviota.PythonTablebase()
        self.gaviota.add_directory(str(data / "gaviota"))

    def check_wdl(self, board, value):
        found = self.syzygy.probe_wdl(board)
        if (found > 0) - (found < 0) != value.wdl:
            differ(board.fen(), Endspiel=value, Syzygy=found)

    def check_dtm(self, board, value):
        found = self.gaviota.probe_dtm(board)
        if found != value.dtm:
            differ(board.fen(), Endspiel=value, Gaviota=found)

    def check_dtz(self, board, value):
        wdl = self.syzygy.probe_wdl(board)
        found, is_rounded = self.syzygy.dtz_and_rounding(board)
        off = abs(found - value.dtz)
        if CATEGORIES[wdl] != value.category or off > is_rounded or (found > 0) != (value.dtz > 0):
            differ(board.fen(), Endspiel=value, Syzygy=(wdl, found), rounded=is_rounded)


class Endspiel(Prober):
    """The program with the tables of chess."""

    def values(self, fens):
        return [value_of(answer) for answer in self.answers(fens)]


def value_of(answer):
    wdl, plies = SIGN[answer["value"]], answer["plies"]
    dtm = 0 if wdl == 0 else None if plies is None else wdl * plies
    return Value(wdl, dtm, answer.get("category"), answer.get("dtz"))


def fen_of(board):
    """The position with its clocks at the start."""
    en_passant = chess.square_name(board.ep_square) if board.has_legal_en_passant() else "-"
    return f"{board.board_fen()} {'w' if board.turn else 'b'} - {en_passant} 0 1"


# Positions


def men_of(name):
    """The men of a material such as KQvKR."""
    white, black = name.split("v")
    return [chess.Piece(KINDS[k], True) for k in white] + [chess.Piece(KINDS[k], False) for k in black]


def position(men, squares, turn):
    """The board with these men, or `None` if it is not a legal position."""
    if any(man.piece_type == chess.PAWN and not 8 <= at < 56 for man, at in zip(men, squares)):
        return None
    board = chess.Board(None)
    for man, at in zip(men, squares):
        board.set_piece_at(at, man)
    board.turn = turn
    return None if board.was_into_check() else board


def exchanged(men, squares, turn):
    """The same position with the colours exchanged."""
    return [chess.Piece(man.piece_type, not man.color) for man in men], [at ^ 56 for at in squares], not turn


def is_distinct(squares):
    return len(set(squares)) == len(squares)


def every_position(men, rng):
    """Every legal position of two kings and a man, with White's king in one part of the board."""
    has_pawn = any(man.piece_type == chess.PAWN for man in men)
    king, other, man = (men.index(piece) for piece in (chess.Piece(6, True), chess.Piece(6, False), *men[1:2]))
    for at in range(64):
        column, row = at & 7, at >> 3
        if column > 3 or not has_pawn and row > column:
            continue
        for pair in range(64 * 64):
            squares = [0] * 3
            squares[king], squares[other], squares[man] = at, pair >> 6, pair & 63
            if not is_distinct(squares):
                continue
            for turn in (True, False):
                image = exchanged(men, squares, turn) if rng.random() < 0.5 else (men, squares, turn)
                board = position(*image)
                if board:
                    yield board


def random_positions(men, rng, count):
    """Random legal positions, some with a right to capture en passant."""
    found = 0
    while found < count:
        squares = [rng.randrange(64) for _ in men]
        if not is_distinct(squares):
            continue
        turn = rng.random() < 0.5
        image = exchanged(men, squares, turn) if rng.random() < 0.5 else (men, squares, turn)
        board = position(*image)
        if board:
            add_en_passant(board, rng)
            found += 1
            yield board


def add_en_passant(board, rng):
    """Lets a pawn of the side that has moved have made a double step, if a pawn can take it."""
    row, back = (4, 8) if board.turn else (3, -8)
    for at in board.pieces(chess.PAWN, not board.turn):
        if chess.square_rank(at) != row or board.piece_at(at + back) or board.piece_at(at + 2 * back):
            continue
        board.ep_square = at + back
        if board.has_legal_en_passant() and rng.random() < 0.5:
            return
        board.ep_square = None


def chunks(boards):
    chunk = []
    for board in boards:
        chunk.append(board)
        if len(chunk) == CHUNK:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


# Each value follows from the values after the moves.


def successors(board):
    """The positions after the legal moves: the text, whether the move is a capture or a pawn move, and whether it mates."""
    after = []
    for move in board.legal_moves:
        is_zeroing = board.is_zeroing(move)
        board.push(move)
        after.append((fen_of(board), is_zeroing, board.is_checkmate()))
        board.pop()
    return after


def best(values):
    """The best of pairs of a result and a distance: the shortest win, or the longest loss."""
    return max(values, key=lambda value: (value[0], -value[0] * value[1]))


def one_step(board, moves):
    """The value that follows from the moves: each is whether it is zeroing, whether it mates, and the value after it."""
    if not moves:
        return MATED if board.is_check() else STALEMATED
    wdl = max(-value.wdl for _, _, value in moves)
    dtm = category = dtz = None
    if all(value.dtm is not None for _, _, value in moves):
        wdl, plies = best((-value.wdl, abs(value.dtm) + 1) for _, _, value in moves)
        dtm = wdl * plies
    if all(value.dtz is not None for _, _, value in moves):
        result, plies = best((-move[2].wdl, 1 + plies_after(*move)) for move in moves)
        dtz = result * plies
        category = CATEGORIES[result * (1 if plies > LIMIT else 2)]
    return Value(wdl, dtm, category, dtz)


def plies_after(is_zeroing, mates, value):
    """The plies that count after a move, as DTZ counts them: above the limit, the 50-move rule draws."""
    plies = 0 if mates else abs(value.dtz)
    if not is_zeroing:
        return plies
    return LIMIT if plies > LIMIT else 0


def check_step(endspiel, boards):
    """Compares values with one step over the moves. Returns the values, and how many moves were looked at."""
    after = [successors(board) for board in boards]
    fens = [fen_of(board) for board in boards]
    values = endspiel.values(fens + [fen for moves in after for fen, _, _ in moves])
    rest = iter(values[len(fens) :])
    for board, fen, value, moves in zip(boards, fens, values, after):
        moves = [(zeroing, mates, next(rest)) for _, zeroing, mates in moves]
        expected = one_step(board, moves)
        # Some tables have no distances.
        compared = [(one, other) for one, other in zip(value, expected) if one is not None and other is not None]
        if any(one != other for one, other in compared):
            differ(fen, Endspiel=value, one_step=expected)
    return values[: len(fens)], sum(map(len, after))


# The checks of a table


def check_table(task):
    """Checks a table. Returns whether all agree, and a line that says it, or what differs."""
    program, tables, data, name, metrics, positions, dtz_positions, seed = task
    men, rng = men_of(name), random.Random(f"{seed} {name}")
    peers = Peers(data)
    has_dtz = "dtz" in metrics
    endspiel = Endspiel(program, "chess", tables, *(["--rule50"] if has_dtz else []))
    started = time.monotonic()
    counts = collections.Counter()
    source = every_position(men, rng) if len(men) == 3 else random_positions(men, rng, positions)
    # Distances are slow to look up, so only some are compared, from all parts of the table.
    every = max(1, (MOST_OF_THREE if len(men) == 3 else positions) // dtz_positions)
    try:
        for boards in chunks(source):
            if len(men) == 3:
                values = endspiel.values([fen_of(board) for board in boards])
            else:
                values, moves = check_step(endspiel, boards)
                counts["moves"] += moves
            for board, value in zip(boards, values):
                counts[value.wdl] += 1
                if len(men) <= 4:
                    peers.check_wdl(board, value)
                if len(men) == 3 and value.dtm is not None:
                    peers.check_dtm(board, value)
                if has_dtz and len(men) <= 4 and (counts[1] + counts[0] + counts[-1]) % every == 0:
                    peers.check_dtz(board, value)
                    counts["dtz"] += 1
    except Difference as difference:
        return False, f"{name}: {difference}"
    finally:
        endspiel.end()
    return True, line_of(name, metrics, counts, time.monotonic() - started)


def line_of(name, metrics, counts, seconds):
    positions = counts[1] + counts[0] + counts[-1]
    parts = [f"{positions} positions", f"{counts[1]} won", f"{counts[-1]} lost", f"{counts[0]} drawn"]
    parts += [f"{counts[key]} {words}" for key, words in (("moves", "moves"), ("dtz", "with dtz")) if counts[key]]
    return f"{name} ({' '.join(metrics)}): {', '.join(parts)}: all agree ({seconds:.1f} s)"


def name_of(board):
    """The materials of a board, with each side as White."""
    sides = ["".join("KQRBNP"[6 - kind] * len(board.pieces(kind, side)) for kind in range(6, 0, -1)) for side in (1, 0)]
    return "v".join(sides), "v".join(sides[::-1])


def check_published(program, tables, data, known):
    """Positions with published distances to mate, in moves: negative if the side to move is mated."""
    rows = []
    for file in ("endgame-dm-4.epd", "endgame-dm-5.epd"):
        for line in (data / file).read_text().splitlines():
            if line and not line.startswith("#"):
                board, operations = chess.Board.from_epd(line)
                if any("dtm" in known.get(name, ()) for name in name_of(board)):
                    rows.append((board.fen(), operations["dm"]))
    # Names have a `v` between the men. A check of nothing would pass whatever the names of the tables are.
    if not rows and any("dtm" in metrics and len(name) - 1 in (4, 5) for name, metrics in known.items()):
        return False, "published distances: no position has one of the tables with four or five men"
    endspiel = Endspiel(program, "chess", tables)
    try:
        for (fen, moves), value in zip(rows, endspiel.values([fen for fen, _ in rows])):
            if value.wdl * ((abs(value.dtm) + 1) // 2) != moves:
                differ(fen, Endspiel=value, published=f"mate in {moves} moves")
    except Difference as difference:
        return False, f"published distances: {difference}"
    finally:
        endspiel.end()
    return True, f"published distances: {len(rows)} positions: all agree"


def known_tables(program, tables):
    """The metrics of each material that has a table."""
    known = collections.defaultdict(list)
    done = subprocess.run([program, "tables", "--json", "--tables", tables], capture_output=True, check=True)
    for line in done.stdout.splitlines():
        table = json.loads(line)
        if table["game"] == "chess":
            known[table["slice"]].append(table["metric"])
    return known


def main(program, tables, data, positions, dtz_positions, seed):
    known = known_tables(program, tables)
    if not known:
        sys.exit(f"there are no tables of chess in {tables}")
    # The long ones first, so that no process is left alone with one at the end.
    names = sorted(known, key=lambda name: (len(name) > 4, "P" not in name, len(name), name))
    tasks = [(program, tables, data, name, known[name], positions, dtz_positions, seed) for name in names]
    agree, line = check_published(program, tables, data, known)
    print(line, flush=True)
    if not agree:
        sys.exit(1)
    with multiprocessing.Pool() as pool:
        for agree, line in pool.imap(check_table, tasks):
            print(line, flush=True)
            if not agree:
                sys.exit(1)


if __name__ == "__main__":
    if len(sys.argv) != 7:
        sys.exit(__doc__)
    _, program, tables, data, positions, dtz_positions, seed = sys.argv
    main(program, tables, pathlib.Path(data), int(positions), int(dtz_positions), int(seed))
