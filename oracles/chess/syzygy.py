"""Prints positions of the tables in fixtures/chess/syzygy with their values and distances, by python-chess.

Each line has a FEN, the value from -2 (loss) to 2 (win), and the distance to zeroing in plies. The distance is `-` if it needs
a table that is not in the folder, such as that of a promotion. The last positions have a right to capture en passant.
"""

import itertools
import pathlib
import random

import chess
import chess.syzygy

FOLDER = pathlib.Path(__file__).parents[2] / "fixtures/chess/syzygy"
OF_EACH = 60
EN_PASSANT = 120

random = random.Random(1)


def show(tables, board):
    try:
        dtz = tables.probe_dtz(board)
    except chess.syzygy.MissingTableError:
        dtz = "-"
    print(f"{board.fen(en_passant='legal')}|{tables.probe_wdl(board)}|{dtz}")


def positions(men):
    """Random legal positions with these men."""
    while True:
        board = chess.Board(None)
        for square, symbol in zip(random.sample(chess.SQUARES, len(men)), men):
            board.set_piece_at(square, chess.Piece.from_symbol(symbol))
        board.turn = random.random() < 0.5
        if board.is_valid():
            yield board


def en_passant_positions():
    """Random positions with one pawn on each side, one of which has just made a double step."""
    while True:
        white_moves = random.random() < 0.5
        files = random.choice([(file, file + step) for file in range(8) for step in (-1, 1) if 0 <= file + step < 8])
        rank = 4 if white_moves else 3
        board = chess.Board(None)
        board.set_piece_at(chess.square(files[0], rank), chess.Piece(chess.PAWN, white_moves))
        board.set_piece_at(chess.square(files[1], rank), chess.Piece(chess.PAWN, not white_moves))
        free = [square for square in chess.SQUARES if not board.piece_at(square)]
        for square, symbol in zip(random.sample(free, 2), "Kk"):
            board.set_piece_at(square, chess.Piece.from_symbol(symbol))
        board.turn = white_moves
        board.ep_square = chess.square(files[1], rank + (1 if white_moves else -1))
        if board.is_valid() and board.has_legal_en_passant():
            yield board


with chess.syzygy.open_tablebase(FOLDER) as tables:
    for path in sorted(FOLDER.glob("*.rtbw")):
        white, black = path.stem.split("v")
        for board in itertools.islice(positions(white + black.lower()), OF_EACH):
            show(tables, board)
    for board in itertools.islice(en_passant_positions(), EN_PASSANT):
        show(tables, board)
