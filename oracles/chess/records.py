#!/usr/bin/env python3
"""Games in PGN with their positions, as an independent program writes and reads them.

Needs the Python package `chess` (python-chess, GPL: it is run here, never linked). From the root of the repository:

    python3 oracles/chess/records.py > fixtures/chess/records.jsonl

Each line is an object. `pgn` is the text of a game with comments, marks and nested variations; `tags` are its tags without
those that say `?`, and without the result and the start; `result` is its result; `fens` are the positions of the main line,
from the start on; `moves` are its moves in UCI. python-chess wrote the text of random games, standard and Chess960, and read
it again, together with some texts written by hand. `crates/registry/tests/records.rs` reads the lines.
"""

import io
import json
import random
import sys

import chess
import chess.pgn

SEED = 20261119
GAMES = 36
# Three texts in the ways of people: no spaces, no numbers, castling with zeros, signs, nested variations.
BY_HAND = [
    '[White "Morphy"]\n[Black "Duke Karl / Count Isouard"]\n[Result "1-0"]\n\n'
    "1.e4 e5 2.Nf3 d6 3.d4 Bg4?! {This is a weak move already. --Fischer} 4.dxe5 Bxf3 "
    "(4...dxe5 5.Qxd8+ Kxd8 6.Nxe5 $18 (6. Nc3 Nc6 {a} (6... c6)) ) "
    "5.Qxf3 dxe5 6.Bc4 Nf6 7.Qb3 Qe7 8.Nc3 c6 9.Bg5 {Black is in what's like a zugzwang} b5 10.Nxb5! cxb5 "
    "11.Bxb5+ Nbd7 12.O-O-O Rd8 13.Rxd7! Rxd7 14.Rd1 Qe6 15.Bxd7+ Nxd7 16.Qb8+!! Nxb8 17.Rd8# 1-0\n",
    '[Event "?"]\n[SetUp "1"]\n[FEN "r3k2r/1P6/8/3pP3/8/8/8/R3K2R w KQkq d6 0 31"]\n\n'
    "31. exd6 (31. bxa8=N+ Kd7) O-O 32. O-O-O ; a comment up to the end of the line ( { 33. Kb1\n"
    "Rad8 33. b8=Q $1 1/2-1/2\n",
    "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 (3... Nf6 4. O-O (4. d3)) 4. Ba4 Nf6 5. O-O *\n",
]


def annotate(node, rng, depth):
    """Adds random moves below a node, with comments, marks and variations."""
    for _ in range(rng.randrange(1, 90 if depth == 0 else 6)):
        moves = list(node.board().legal_moves)
        if not moves:
            return
        chosen = rng.sample(moves, min(len(moves), 2))
        following = node.add_main_variation(chosen[0])
        if rng.random() < 0.1:
            following.comment = rng.choice(["good", "(a ( b", "[%clk 0:01:02] 1-0 *", "much longer than a line of " * 5])
        if rng.random() < 0.1:
            following.nags.add(rng.randrange(1, 140))
        if depth < 3 and len(chosen) == 2 and rng.random() < 0.1:
            annotate(node.add_variation(chosen[1]), rng, depth + 1)
        node = following


def written(rng, number):
    game = chess.pgn.Game()
    game.headers["Event"] = rng.choice(['the "Duke"', "C:\\games\\x", "?"])
    game.headers["White"] = rng.choice(["Morphy, Paul", "Näf"])
    game.headers["Round"] = str(number)
    game.headers["Result"] = rng.choice(["1-0", "0-1", "1/2-1/2", "*"])
    if number % 3 == 0:
        game.setup(chess.Board.from_chess960_pos(rng.randrange(960)))
    annotate(game, rng, 0)
    return str(game) + "\n"


def row(pgn):
    game = chess.pgn.read_game(io.StringIO(pgn))
    assert not game.errors, (pgn, game.errors)
    unknown = ("?", "????.??.??")
    left_out = ("Result", "FEN", "SetUp")
    tags = {name: value for name, value in game.headers.items() if value not in unknown and name not in left_out}
    board = game.board()
    fens, moves = [board.fen(en_passant="legal")], []
    for move in game.mainline_moves():
        moves.append(board.uci(move))
        board.push(move)
        fens.append(board.fen(en_passant="legal"))
    return {"pgn": pgn, "tags": tags, "result": game.headers["Result"], "fens": fens, "moves": moves}


def main():
    rng = random.Random(SEED)
    print(json.dumps({"by": "oracles/chess/records.py", "chess": chess.__version__, "seed": SEED}))
    for pgn in BY_HAND + [written(rng, number) for number in range(GAMES)]:
        print(json.dumps(row(pgn), ensure_ascii=False))
    return 0


if __name__ == "__main__":
    sys.exit(main())
