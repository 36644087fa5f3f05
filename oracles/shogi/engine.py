"""Lets cshogi drive the USI engine through whole games against itself, and checks every answer by its rules.

    engine.py ENDSPIEL GAMES SEED

Some games have a clock, some byoyomi, some ponder. There are no illegal moves, no losses on time, and what is declared or resigned is right.
"""

import os
import random
import sys
import tempfile
import time

import cshogi
from cshogi.usi import Engine

MOST_PLIES = 300
# The processor has other work to do.
GRACE = 1.0


def start(endspiel, folder):
    """Starts `endspiel usi`. cshogi starts programs without arguments, so a script adds the one that is needed."""
    script = os.path.join(folder, "usi.sh")
    with open(script, "w") as file:
        file.write(f"#!/bin/sh\nexec '{os.path.abspath(endspiel)}' usi\n")
    os.chmod(script, 0o755)
    return Engine(script)


def game(engines, rng, way):
    board, moves = cshogi.Board(), []
    for engine in engines:
        engine.setoption("USI_Hash", 4)
        engine.setoption("USI_Ponder", "true" if way == "ponder" else "false")
        engine.isready()
        engine.usinewgame()
    for _ in range(rng.randrange(6)):
        move = rng.choice(list(board.legal_moves))
        moves.append(cshogi.move_to_usi(move))
        board.push(move)
    left = [1000, 1000]
    while len(moves) < MOST_PLIES:
        who = 0 if board.turn == cshogi.BLACK else 1
        engine = engines[who]
        engine.position(moves)
        begun = time.monotonic()
        times = {"btime": left[0], "wtime": left[1]}
        if way == "clock":
            best, ponder = engine.go(**times, binc=20, winc=20)
        elif way == "nodes":
            best, ponder = engine.go(nodes=2000)
        else:
            best, ponder = engine.go(btime=0, wtime=0, byoyomi=30)
        used = time.monotonic() - begun
        if way == "clock":
            left[who] += 20 - int(used * 1000)
            assert left[who] > -1000 * GRACE, f"lost on time after {moves}"
            left[who] = max(left[who], 0)
        elif way != "nodes":
            assert used < 0.03 + GRACE, f"{used} s with a byoyomi of 30 ms after {moves}"
        if best == "resign":
            assert board.is_game_over(), f"resigned too early: {board.sfen()}"
            return "mate", len(moves)
        if best == "win":
            assert board.is_nyugyoku(), f"wrong declaration: {board.sfen()}"
            return "declaration", len(moves)
        assert not board.is_nyugyoku(), f"no declaration: {board.sfen()}"
        move = board.move_from_usi(best)
        assert board.is_legal(move), f"illegal {best} in {board.sfen()}"
        board.push(move)
        moves.append(best)
        if ponder:
            reply = board.move_from_usi(ponder)
            assert board.is_legal(reply), f"illegal reply {ponder} in {board.sfen()}"
            if way == "ponder" and not board.is_game_over():
                pondered(engine, moves + [ponder], rng)
        repetition = board.is_draw()
        if repetition in (cshogi.REPETITION_DRAW, cshogi.REPETITION_WIN, cshogi.REPETITION_LOSE):
            return "repetition", len(moves)
    return "length", len(moves)


def pondered(engine, moves, rng):
    """The engine ponders; the expected move comes, or another one."""
    position = " ".join(moves)
    engine.proc.stdin.write(f"position startpos moves {position}\ngo ponder btime 0 wtime 0 byoyomi 20\n".encode())
    engine.proc.stdin.flush()
    time.sleep(rng.random() / 50)
    engine.ponderhit() if rng.random() < 0.5 else engine.stop()
    while True:
        line = engine.proc.stdout.readline()
        assert line, "the engine has ended"
        if line.startswith(b"bestmove"):
            return


def main():
    endspiel, games, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        engines = [start(endspiel, folder), start(endspiel, folder)]
    assert engines[0].go_mate(byoyomi=1000) == "notimplemented"
    ends, plies = {}, 0
    for number in range(games):
        way = ["clock", "byoyomi", "nodes", "ponder"][number % 4]
        end, length = game(engines, rng, way)
        ends[end] = ends.get(end, 0) + 1
        plies += length
    for engine in engines:
        process = engine.proc
        engine.gameover("draw")
        engine.quit()
        assert process.returncode == 0, "the engine failed"
    told = ", ".join(f"{count} by {end}" for end, count in sorted(ends.items()))
    print(f"{games} games with {plies} legal moves: {told}")


main()
