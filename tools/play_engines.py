"""Plays chess matches between two UCI programs, and prints the score with its 95 % interval in Elo.

    python3 tools/play_engines.py --games 100 --movetime 0.1 'ENGINE' '/usr/games/stockfish' --second UCI_LimitStrength=true UCI_Elo=2200

Every opening is played twice, with colours exchanged. Limits are --movetime SECONDS, --nodes N, or --clock SECONDS+INCREMENT. A program
may be given its own limit with --first-nodes and --second-nodes. An illegal move, a crash or a loss on time ends the script with an
error. Needs python-chess.
"""

import argparse
import random
import shlex
import sys
import time

import chess
import chess.engine

from match_summary import summary


def opening(number):
    """Random moves from the start, after which neither side has lost material at once."""
    rng = random.Random(number)
    while True:
        board = chess.Board()
        for _ in range(8):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(rng.choice(moves))
        if not board.is_game_over() and not board.is_check() and not hangs(board):
            return board


def hangs(board):
    """Whether the material is unequal, or a capture by the side to move wins a piece that nobody guards."""
    values = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9, chess.KING: 0}
    total = sum(values[piece.piece_type] * (1 if piece.color else -1) for piece in board.piece_map().values())
    if abs(total) > 1:
        return True
    for turn in (board.turn, not board.turn):
        view = board.copy(stack=False)
        view.turn = turn
        for move in view.generate_pseudo_legal_captures():
            taken = view.piece_type_at(move.to_square)
            own = view.piece_type_at(move.from_square)
            if taken and taken != chess.PAWN and (
                not view.is_attacked_by(not turn, move.to_square) or values[own] < values[taken]
            ):
                return True
    return False


def outcome(board):
    result = board.outcome(claim_draw=True)
    return None if result is None else result.winner


class Clock:
    def __init__(self, text):
        self.base, _, increment = text.partition("+")
        self.base, self.increment = float(self.base), float(increment or 0)


def play(engines, limits, clock, board, most_plies=400):
    """Plays a game. `engines` and `limits` are by colour, White first. Returns the winner's colour or None, and the reason."""
    left = [clock.base, clock.base] if clock else None
    scores = []
    while board.outcome(claim_draw=True) is None:
        if board.ply() > most_plies:
            return None, "length"
        who = 0 if board.turn else 1
        limit = limits[who]
        if clock:
            limit = chess.engine.Limit(
                white_clock=left[0], black_clock=left[1], white_inc=clock.increment, black_inc=clock.increment
            )
        begun = time.monotonic()
        answer = engines[who].play(board, limit, info=chess.engine.INFO_SCORE)
        if clock:
            left[who] -= time.monotonic() - begun
            if left[who] < 0:
                return not board.turn, "time"
            left[who] += clock.increment
        assert answer.move in board.legal_moves, f"illegal move {answer.move} in {board.fen()}"
        score = answer.info.get("score")
        scores.append(score.white().score(mate_score=10000) if score else None)
        board.push(answer.move)
        # Both sides agree on who wins, for several moves.
        last = scores[-6:]
        if len(last) == 6 and None not in last and board.ply() > 40:
            if all(score > 1000 for score in last) or all(score < -1000 for score in last):
                return last[0] > 0, "adjudication"
    return outcome(board), "rules"


def options(words):
    return dict(word.split("=", 1) for word in words)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engines", nargs=2, help="the command of a program")
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--movetime", type=float)
    parser.add_argument("--nodes", type=int)
    parser.add_argument("--first-nodes", type=int)
    parser.add_argument("--second-nodes", type=int)
    parser.add_argument("--clock", help="SECONDS+INCREMENT")
    parser.add_argument("--first", nargs="*", default=[], metavar="NAME=VALUE", help="options of the first program")
    parser.add_argument("--second", nargs="*", default=[], metavar="NAME=VALUE", help="options of the second program")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quiet", action="store_true", help="only print the last line")
    given = parser.parse_args()
    clock = Clock(given.clock) if given.clock else None
    programs = [chess.engine.SimpleEngine.popen_uci(shlex.split(command)) for command in given.engines]
    for program, words in zip(programs, (given.first, given.second)):
        program.configure(options(words))
    nodes = (given.first_nodes or given.nodes, given.second_nodes or given.nodes)
    limits = [chess.engine.Limit(time=given.movetime, nodes=count) for count in nodes]
    tally, late = [0, 0, 0], 0
    for number in range(given.games):
        board = opening(given.seed * 100_000 + number // 2)
        order = (0, 1) if number % 2 == 0 else (1, 0)
        winner, why = play([programs[i] for i in order], [limits[i] for i in order], clock, board)
        late += why == "time"
        if winner is None:
            tally[1] += 1
        else:
            tally[0 if order[0 if winner else 1] == 0 else 2] += 1
        if not given.quiet:
            print(f"{number + 1}: {summary(*tally)} ({why})", flush=True)
    print(summary(*tally))
    for program in programs:
        program.quit()
    if late:
        sys.exit(f"{late} games were lost on time")


main()
