#!/usr/bin/env python3
"""Exchanges on one square, as an independent program plays them.

Needs the Python package `chess` (python-chess, GPL: it is run here, never linked). From the root of the repository:

    python3 oracles/chess/exchanges.py > fixtures/chess/exchanges.txt

An optional argument is another seed, for other positions; `ENDSPIEL_EXCHANGES=FILE cargo test -p endspiel-chess --test
exchanges` then reads them from a file.

The first line names the script, the version of python-chess and the seed. Each further line is a position in X-FEN
without its clocks, a `|`, and some of its moves. Each move is written in UCI, with castling as the king taking its
rook, then `=` and the material that it wins in hundredths of a pawn. `crates/chess/tests/exchanges.rs` reads the lines.

A move is played on the board, then legal captures on its target square, always with the least valuable man (of equal
men the one nearest to its home rank, then to the a-file), and all of it is taken back. A side stops when this is better
for it. The last line says how often the result would differ if a side could also capture with another man.

The positions come from random games (usual start and Chess960), from random games whose moves avoid captures, which
leave many men in contact, and from random placements with many men that attack one square, often on the last rank.
"""

import random
import sys

import chess

SEED = 2026
OF_EACH = 400
MOVES = 8
VALUES = {chess.PAWN: 100, chess.KNIGHT: 300, chess.BISHOP: 300, chess.ROOK: 500, chess.QUEEN: 900, chess.KING: 0}


def promoted(move):
    return VALUES[move.promotion] - VALUES[chess.PAWN] if move.promotion else 0


def order(board, move):
    rank = chess.square_rank(move.from_square)
    near = rank if board.turn == chess.WHITE else 7 - rank
    return board.piece_type_at(move.from_square), near, chess.square_file(move.from_square)


def captures(board, target):
    """The legal captures on the square, the least valuable man first. A pawn becomes a queen."""
    moves = board.generate_legal_moves(to_mask=chess.BB_SQUARES[target])
    moves = (move for move in moves if board.is_capture(move) and move.promotion in (None, chess.QUEEN))
    return sorted(moves, key=lambda move: order(board, move))


def best(board, target, choose):
    """The most that the side to move can win on the square."""
    taken = board.piece_type_at(target)
    most = 0
    for move in choose(captures(board, target)):
        gain = VALUES[taken] + promoted(move)
        board.push(move)
        most = max(most, gain - best(board, target, choose))
        board.pop()
    return most


def least(moves):
    return moves[:1]


def exchange(board, move, choose=least):
    if board.is_castling(move):
        return 0
    if board.is_en_passant(move):
        gain = VALUES[chess.PAWN]
    else:
        gain = VALUES[board.piece_type_at(move.to_square)] if board.is_capture(move) else 0
    gain += promoted(move)
    board.push(move)
    gain -= best(board, move.to_square, choose)
    board.pop()
    return gain


def played(rng, start, quietly):
    while True:
        board = start()
        for _ in range(rng.randrange(120)):
            moves = list(board.legal_moves)
            quiet = [move for move in moves if not board.is_capture(move)]
            if not moves:
                break
            board.push(rng.choice(quiet if quietly and quiet and rng.random() < 0.95 else moves))
        yield board


def placed(rng):
    """Yields boards on which many men stand on lines with one square, or a knight's jump away."""
    while True:
        board = chess.Board(None, chess960=True)
        target = chess.square(rng.randrange(8), rng.choice([0, 7, 1, 6, 2, 3, 4, 5]))
        near = chess.BB_RANK_ATTACKS[target][0] | chess.BB_FILE_ATTACKS[target][0] | chess.BB_DIAG_ATTACKS[target][0]
        near = list(chess.SquareSet(near | chess.BB_KNIGHT_ATTACKS[target]))
        near = rng.sample(near, min(len(near), rng.randrange(4, 13)))
        others = [square for square in chess.SQUARES if square not in near and square != target]
        squares = rng.sample(near if rng.random() < 0.3 else others, 1) + rng.sample(others, 1 + rng.randrange(4))
        for square, colour in zip(squares, chess.COLORS):
            board.set_piece_at(square, chess.Piece(chess.KING, colour))
        for square in near + squares[2:] + [target]:
            is_pawn_rank = chess.square_rank(square) in (0, 7)
            kinds = [chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN] + [chess.PAWN] * (0 if is_pawn_rank else 4)
            if board.piece_at(square) is None and (square != target or rng.random() < 0.8):
                board.set_piece_at(square, chess.Piece(rng.choice(kinds), rng.random() < 0.5))
        board.turn = rng.random() < 0.5
        if board.is_valid():
            yield board


def chosen(board, rng):
    """Some moves: captures, en passant and promotions above all."""
    moves = sorted(board.legal_moves, key=chess.Move.uci)
    rare = [move for move in moves if board.is_en_passant(move) or move.promotion]
    takes = [move for move in moves if board.is_capture(move) and move not in rare]
    quiet = [move for move in moves if move not in rare and move not in takes]
    sample = lambda moves, count: rng.sample(moves, min(len(moves), count))
    return sample(rare, MOVES // 2) + sample(takes, MOVES) + sample(quiet, MOVES // 4)


def main(seed):
    rng = random.Random(seed)
    print(f"# oracles/chess/exchanges.py with python-chess {chess.__version__}, seed {seed}")
    chess960 = lambda: chess.Board.from_chess960_pos(rng.randrange(960))
    sources = [
        played(rng, lambda: chess.Board(chess960=True), False),
        played(rng, chess960, False),
        played(rng, lambda: chess.Board(chess960=True), True),
        placed(rng),
        placed(rng),
    ]
    moves, others = 0, 0
    for source in sources:
        count = 0
        while count < OF_EACH:
            board = next(source)
            if not any(board.legal_moves):
                continue
            count += 1
            texts = []
            for move in chosen(board, rng):
                value = exchange(board, move)
                moves += 1
                others += value != exchange(board, move, choose=lambda moves: moves)
                texts.append(f"{move.uci()}={value}")
            print(" ".join(board.fen(en_passant="legal").split()[:4]) + " | " + " ".join(texts))
    print(f"# of {moves} moves, {others} have another value if a side may also capture with a man that is not its least")


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else SEED))
