#!/usr/bin/env python3
"""python-chess drives the engine of chess through whole games with fast clocks, and finds illegal moves, losses on time and crashes.

Needs the Python package `chess` (python-chess, GPL: it is run here, never linked).

    python3 oracles/chess/engine.py ENDSPIEL GAMES SEED

Two processes of `ENDSPIEL uci` play each other. A third of the games are of Chess960, a third with pondering, a third with fixed time for a
move. Each game begins with some random moves. On a machine with more work than processors, an engine may wait for a processor while its clock
runs. So the grace for the clock then is longer, and the script says so.
"""

import os
import random
import sys
import time

import chess
import chess.engine

CLOCKS = [(1.0, 0.01), (0.5, 0.02), (2.0, 0.0)]
MOST_PLIES = 300
# What the operating system and the pipes may take, in seconds: usually, and on a busy machine.
GRACE, LONG_GRACE = 0.25, 10.0


def is_busy():
    return os.getloadavg()[0] > os.cpu_count()


def start(number, rng):
    if number % 3 == 1:
        return chess.Board.from_chess960_pos(rng.randrange(960))
    return chess.Board()


def play(engines, number, rng):
    board = start(number, rng)
    for _ in range(rng.randrange(12)):
        moves = list(board.legal_moves)
        if moves:
            board.push(rng.choice(moves))
    base, increment = rng.choice(CLOCKS)
    left = [base, base]
    fixed = number % 3 == 2
    while not board.is_game_over(claim_draw=True) and board.ply() < MOST_PLIES:
        who = 0 if board.turn else 1
        limit = chess.engine.Limit(time=0.01)
        if not fixed:
            limit = chess.engine.Limit(
                white_clock=max(left[0], 0.001), black_clock=max(left[1], 0.001), white_inc=increment,
                black_inc=increment,
            )
        begun = time.monotonic()
        # python-chess raises an error for an illegal move, and for an engine that dies.
        answer = engines[who].play(board, limit, ponder=number % 3 == 0, info=chess.engine.INFO_ALL)
        left[who] += increment - (time.monotonic() - begun)
        if not fixed and left[who] < -(LONG_GRACE if is_busy() else GRACE):
            raise RuntimeError(f"game {number}: a loss on time by {-left[who]:.3f} s after {base}+{increment} in {board.fen()}")
        if answer.move is None:
            raise RuntimeError(f"game {number}: no move in {board.fen()}")
        board.push(answer.move)
    return board


def main():
    command, games, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    rng = random.Random(seed)
    engines = [chess.engine.SimpleEngine.popen_uci([command, "uci"]) for _ in range(2)]
    plies, busy = 0, 0
    try:
        for number in range(games):
            plies += play(engines, number, rng).ply()
            busy += is_busy()
        for engine in engines:
            engine.quit()
    finally:
        for engine in engines:
            engine.close()
    print(f"{games} games with {plies} moves: no illegal move, no loss on time, no crash")
    if busy:
        print(f"the machine was busy in {busy} of them, so the clock was not looked at closely")


main()
