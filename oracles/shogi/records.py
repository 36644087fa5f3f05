#!/usr/bin/env python3
"""Random games in KIF and CSA as independent programs write them.

Needs the Python packages `cshogi` and `python-shogi` (GPL: they are run here, never linked). From the root of the
repository:

    python3 oracles/shogi/records.py > fixtures/shogi/records.jsonl

Each line is a game: the program that wrote it, the format, the start position in SFEN, the moves in USI with their
seconds, the end of the game, the winner according to a parser (`b`, `w`, `-`; null where the parsers are known to be
wrong), and the text. `crates/shogi/tests/oracle.rs` reads the lines.

cshogi writes games from the usual start position, from handicaps and from positions of random games. python-shogi
writes games from the usual start position only. Each text is read again by both programs, as far as they can. There are
two limits: the KIF parser of cshogi does not read diagrams; and python-shogi assumes that Black moves first, or, in
texts with diagrams, that Black moves last.
"""

import io
import json
import random
import sys
from datetime import datetime

import cshogi
import cshogi.CSA
import cshogi.KIF
import shogi.CSA
import shogi.KIF

SEED = 9
PLIES = 70
KIF_ENDS = ["resign", "win", "draw", "sennichite", "illegal_lose"]
CSA_ENDS = {
    "resign": "%TORYO",
    "win": "%KACHI",
    "draw": "%JISHOGI",
    "sennichite": "%SENNICHITE",
    "illegal_lose": "%ILLEGAL_MOVE",
    "time": "%TIME_UP",
    "interrupted": "%CHUDAN",
    "mate": "%TSUMI",
}
NAMES = ["先手の人", "Gote, 2"]
HANDICAPS = [name for name in cshogi.KIF.Parser.HANDYCAP_SFENS if name not in ("平手", "その他")]


def played(board, plies, rng):
    """Plays random moves on the board and returns them."""
    moves = []
    for _ in range(plies):
        legal = sorted(board.legal_moves, key=cshogi.move_to_usi)
        if not legal:
            break
        moves.append(rng.choice(legal))
        board.push(moves[-1])
    return moves


def kif(start, handicap, moves, seconds, end):
    exporter = cshogi.KIF.Exporter()
    exporter.kifu, exporter.prev_move, exporter.move_number = io.StringIO(), None, 1
    exporter.header(NAMES, starttime=datetime(2024, 5, 14, 10), handicap=handicap or cshogi.Board(sfen=start))
    totals = [0, 0]
    for ply, (move, spent) in enumerate(zip(moves, seconds)):
        totals[ply % 2] += spent
        exporter.move(move, spent, totals[ply % 2])
    exporter.end(end)
    return exporter.kifu.getvalue()


def csa(start, moves, seconds, end):
    exporter = cshogi.CSA.Exporter()
    exporter.f = io.StringIO()
    exporter.info(cshogi.Board(sfen=start), NAMES, {"EVENT": "random", "X": "y, z"}, "by cshogi", "V2.2")
    for ply, (move, spent) in enumerate(zip(moves, seconds)):
        exporter.move(move, spent, "a, b" if ply % 9 == 0 else None, "," if ply % 2 else "\n")
    exporter.endgame(CSA_ENDS[end], 0)
    return exporter.f.getvalue()


def usi_of(moves):
    return [cshogi.move_to_usi(move) for move in moves]


def row(by, kind, start, moves, seconds, end, win, text):
    fields = {"by": by, "format": kind, "start": start, "moves": usi_of(moves), "seconds": seconds, "end": end}
    print(json.dumps(fields | {"win": win, "text": text}, ensure_ascii=False))


def main():
    sys.stdout.reconfigure(encoding="utf-8")
    rng = random.Random(SEED)
    for game in range(24):
        handicap, board = None, cshogi.Board()
        if game % 3 == 1:
            handicap = rng.choice(HANDICAPS)
            board = cshogi.Board(sfen=cshogi.KIF.Parser.HANDYCAP_SFENS[handicap])
        elif game % 3 == 2:
            played(board, rng.randrange(20, 150), rng)
        else:
            handicap = "平手"
        # Neither format contains the number of the first move.
        start = board.sfen().rsplit(" ", 1)[0] + " 1"
        moves = played(board, rng.randrange(PLIES), rng)
        seconds = [rng.choice([0, rng.randrange(60), rng.randrange(5000)]) for _ in moves]
        if game % 2 == 0:
            end = rng.choice(KIF_ENDS)
            text = kif(start, handicap, moves, seconds, end)
            [read] = shogi.KIF.Parser.parse_str(text)
            assert read["moves"] == usi_of(moves), text
            if handicap:
                assert read["sfen"] == start
                assert usi_of(cshogi.KIF.Parser.parse_str(text).moves) == usi_of(moves), text
            row("cshogi", "kif", start, moves, seconds, end, read["win"] if game % 3 == 0 else None, text)
        else:
            end = rng.choice(list(CSA_ENDS))
            text = csa(start, moves, seconds, end)
            [read] = cshogi.Parser.parse_str(text)
            assert usi_of(read.moves) == usi_of(moves) and read.sfen.split()[:3] == start.split()[:3], text
            win = {cshogi.BLACK_WIN: "b", cshogi.WHITE_WIN: "w", cshogi.DRAW: "-"}.get(read.win)
            row("cshogi", "csa", start, moves, seconds, end, win, text)
        if game % 3 == 0:
            win = "w" if len(moves) % 2 == 0 else "b"
            summary = {"names": NAMES, "sfen": start, "moves": usi_of(moves), "win": win}
            text = shogi.KIF.Exporter.kif(summary)
            row("python-shogi", "kif", start, moves, None, "resign", win, text)


if __name__ == "__main__":
    sys.exit(main())
