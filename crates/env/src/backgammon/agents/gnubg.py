"""Runs inside GNU Backgammon and answers requests about positions: one line of JSON for each line of JSON.

    gnubg -t -q -r -s FOLDER -p gnubg.py        (set LC_ALL=C; otherwise the words in moves are translated)

Gnubg first prints lines about itself. Then the script prints `ready`, and a line for each request: `{"answer": …}`, or
`{"error": "reason"}`.

    {"ask": "results", "position": ID, "dice": [3, 1]}                        all distinct positions after a legal play, sorted
    {"ask": "best", "position": ID, "dice": [3, 1], "ply": 0, "stakes": …}    the position after gnubg's play, null if there is none
    {"ask": "doubles", "position": ID, "ply": 0, "stakes": …}                 would the player on roll double?
    {"ask": "takes", "position": ID, "ply": 0, "stakes": …}                   would the other player take that double?
    {"ask": "points", "position": ID, "dice": [3, 1], "after": ID}            points won by that play, null if the game goes on

    {"ask": "cubes", "positions": [[ID, stakes], …], "ply": 0}                what the cube is worth in each: equities and decisions
    {"ask": "serve", "socket": PATH, "ply": 0, "prune": false}                opens gnubg's line for other programs; see below

Positions are GNU position IDs. The position of a request is seen by the player on roll; a resulting position by the next
player. Stakes are null (money, no cube) or an object with `cube_value`, `cube_owner` (null = nobody, true = the player on roll,
false = the opponent), `match_length` (0 = money), `my_score`, `opponent_score`, `crawford` and `jacoby`.

Commands that evaluate take 10 ms each: gnubg calculates in a second thread, and sleeps 10 ms before it looks whether that is
done. Its line for other programs (`external`) calculates at once. The answer to `serve` comes when that line has ended. It ends
when the other end closes it and PATH can no longer be opened; so remove the folder of PATH as soon as the line is open. Best moves
on this line are for money without a cube, at the `ply` of the request.
"""

import json
import os
import re

import gnubg

SETTINGS = [
    "set automatic bearoff off",
    "set automatic game off",
    "set automatic move off",
    "set automatic roll off",
    "set confirm new off",
    "set cube use off",
    "set display off",
    "set evaluation chequerplay evaluation cubeful off",
    "set evaluation chequerplay evaluation plies 0",
    "set jacoby off",
    "set player 0 human",
    "set player 1 human",
    "set threads 1",
]

# The numbers of gnubg's `cubedecision`.
DOUBLE_TAKE, DOUBLE_PASS, TOO_GOOD_PASS, DOUBLE_BEAVER = 0, 1, 4, 5
REDOUBLE_TAKE, REDOUBLE_PASS, TOO_GOOD_TO_REDOUBLE_PASS = 7, 8, 11
OPTIONAL_DOUBLE_PASS, OPTIONAL_REDOUBLE_PASS = 19, 20
# By gnubg's own estimate an optional double changes nothing, so it is not made.
DOUBLES = {DOUBLE_TAKE, DOUBLE_PASS, DOUBLE_BEAVER, REDOUBLE_TAKE, REDOUBLE_PASS}
PASSES = {
    DOUBLE_PASS,
    TOO_GOOD_PASS,
    REDOUBLE_PASS,
    TOO_GOOD_TO_REDOUBLE_PASS,
    OPTIONAL_DOUBLE_PASS,
    OPTIONAL_REDOUBLE_PASS,
}

MAX_MATCH = 64  # the size of gnubg's match equity table


def set_up(position, dice=None):
    """Sets up a position. Returns the board: the half of the opponent, then the half of the player on roll."""
    if not re.fullmatch("[A-Za-z0-9+/]{14}", position):
        raise ValueError(f"`{position}` is not a position ID")
    # A new session each time, because gnubg keeps every position of a session in memory.
    gnubg.command("new session")
    gnubg.command("set turn 1")
    gnubg.command(f"set board {position}")
    if gnubg.positionid() != position:  # gnubg reports this only as text on the screen
        raise ValueError(f"gnubg does not accept position {position}")
    board = gnubg.board()
    if not any(board[0]) or not any(board[1]):
        raise ValueError(f"the game is over in position {position}")
    if dice is not None:
        high, low = dice
        if not (1 <= high <= 6 and 1 <= low <= 6):
            raise ValueError(f"{high} and {low} are not two dice from 1 to 6")
        gnubg.command(f"set dice {high} {low}")
    return board


def play(board, steps):
    """The position after these steps, seen by the next player. A step is a pair of points: 25 is the bar, 0 is off."""
    other, mover = list(board[0]), list(board[1])
    for start, end in steps:
        mover[start - 1] -= 1
        if end > 0:
            mover[end - 1] += 1
            other[24] += other[24 - end]  # the bar receives the blot that was hit
            other[24 - end] = 0
    return gnubg.positionid((tuple(mover), tuple(other)))


def plays(position, dice):
    """All distinct positions after a legal play, each with gnubg's text of a play that leads to it."""
    board = set_up(position, dice)
    moves = [hint["move"] for hint in gnubg.hint()["hint"]]
    return {play(board, gnubg.parsemove(move)): move for move in moves}


def cube_info(stakes):
    value, length = stakes["cube_value"], stakes["match_length"]
    if value < 1 or value & (value - 1):
        raise ValueError(f"{value} is not a value of the cube: it must be a power of two")
    if length > MAX_MATCH:
        raise ValueError(f"gnubg plays matches to at most {MAX_MATCH} points, not {length}")
    # A cube of 64 decides every match, and for money the cube is the unit. A larger value would only exceed gnubg's tables.
    value = min(value, MAX_MATCH)
    owner = {None: -1, True: 1, False: 0}[stakes["cube_owner"]]
    scores = (stakes["opponent_score"], stakes["my_score"])
    if length and max(scores) >= length:
        raise ValueError(f"a match to {length} is over at {scores[1]}-{scores[0]}")
    info = gnubg.cubeinfo(value, owner, 1, length, scores if length else (0, 0), int(stakes["crawford"]))
    if stakes["jacoby"] and not length:
        info["jacoby"] = 1
        info = gnubg.calcgammonprice(info)
    return info


NO_CUBE = {
    "cube_value": 1,
    "cube_owner": None,
    "match_length": 0,
    "my_score": 0,
    "opponent_score": 0,
    "crawford": False,
    "jacoby": False,
}


def context(ply, cubeful):
    # Gnubg's own settings use the pruning networks from two plies on.
    deterministic, prune, noise = 1, int(ply >= 2), 0.0
    return gnubg.evalcontext(int(cubeful), ply, deterministic, prune, noise)


def results(position, dice):
    return sorted(plays(position, dice))


def best(position, dice, ply, stakes):
    board = set_up(position, dice)
    flat = gnubg.findbestmove(board, cube_info(stakes or NO_CUBE), context(ply, bool(stakes)), tuple(dice))
    return play(board, zip(flat[::2], flat[1::2])) if flat else None


def cube_decision(position, ply, stakes):
    board = set_up(position)
    if stakes is None:
        raise ValueError("a cube decision needs stakes")
    return gnubg.cfevaluate(board, cube_info(stakes), context(ply, True))[4]


def cubes(positions, ply):
    return [cube(position, ply, stakes) for position, stakes in positions]


def cube(position, ply, stakes):
    board = set_up(position)
    equity, no_double, take, drop, decision, words = gnubg.cfevaluate(board, cube_info(stakes), context(ply, True))
    return {
        "equity": equity,
        "no_double": no_double,
        "double_take": take,
        "double_pass": drop,
        "doubles": decision in DOUBLES,
        "takes": decision not in PASSES,
        "words": words,
    }


def doubles(position, ply, stakes):
    return cube_decision(position, ply, stakes) in DOUBLES


def takes(position, ply, stakes):
    decision = cube_decision(position, ply, stakes)
    if stakes["cube_owner"] is False or stakes["crawford"]:
        raise ValueError("the player on roll may not double")
    return decision not in PASSES


def points(position, dice, after):
    move = plays(position, dice).get(after)
    if move is None:
        raise ValueError(f"no legal play leads from {position} to {after}")
    gnubg.command(f"move {move}")
    if gnubg.positionid() != after:
        raise ValueError(f"gnubg played {move} to {gnubg.positionid()}, not to {after}")
    return gnubg.match(0, 0, 0, 0)["games"][-1]["info"].get("points-won")


def serve(socket, ply, prune):
    chequer_play = "set evaluation chequerplay evaluation"
    gnubg.command(f"{chequer_play} plies {ply}")
    gnubg.command(f"{chequer_play} prune {'on' if prune else 'off'}")
    try:
        gnubg.command(f"external {socket}")
    finally:
        gnubg.command(f"{chequer_play} plies 0")


QUESTIONS = {ask.__name__: ask for ask in (results, best, doubles, takes, points, cubes, serve)}


def answer(line):
    try:
        request = json.loads(line)
        return {"answer": QUESTIONS[request.pop("ask")](**request)}
    except Exception as error:
        return {"error": str(error) or repr(error)}


def private(descriptor, mode):
    """A private copy of a standard stream. The original is connected to the null device, so that gnubg cannot use it."""
    stream = os.fdopen(os.dup(descriptor), mode, encoding="utf-8")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, descriptor)
    os.close(nothing)
    return stream


def main():
    requests, answers = private(0, "r"), private(1, "w")
    for setting in SETTINGS:
        gnubg.command(setting)
    print("ready", file=answers, flush=True)
    for line in requests:
        print(json.dumps(answer(line)), file=answers, flush=True)


main()
