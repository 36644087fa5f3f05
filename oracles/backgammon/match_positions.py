#!/usr/bin/env python3
"""The positions of match files, by a reader that knows nothing of the rules.

From the root of the repository:

    python3 oracles/backgammon/match_positions.py > fixtures/backgammon/match_positions.jsonl

Each line is an object for one game of the match files in `fixtures/backgammon`, which GNU Backgammon wrote: `file`, `game`, and
`ids`, the position IDs after each roll that was played, seen by the next player on roll, as GNU Backgammon shows them. The script
moves checkers as the file says, and sends a checker to the bar where the file has a `*`. `crates/registry/tests/records.rs` reads
the lines.
"""

import base64
import json
import re
import sys

FILES = ["match5.mat", "money.mat", "money_without_cube.mat"]
# From the view of each player: index 1 to 24 are the points, 25 is the bar, 0 is off.
START = {24: 2, 13: 5, 8: 3, 6: 5}
MIDDLE = 20


def position_id(opponent, on_roll):
    bits = []
    for board in (opponent, on_roll):
        for place in list(range(1, 26)):
            bits += [1] * board[place] + [0]
    number = sum(bit << at for at, bit in enumerate(bits))
    return base64.b64encode(number.to_bytes(10, "little")).decode().rstrip("=")


def games(text):
    boards, ids = None, None
    for line in text.splitlines():
        if re.match(r"\s*Game \d+\s*$", line):
            if ids is not None:
                yield ids
            boards, ids = [[START.get(place, 0) for place in range(26)] for _ in range(2)], []
            continue
        row = re.match(r"\s*\d+\)", line)
        if not row:
            continue
        for cell in re.finditer(r"(\d\d):((?: \d+/\d+\*?)*)", line[row.end() :]):
            player = 0 if row.end() + cell.start() < MIDDLE else 1
            own, other = boards[player], boards[1 - player]
            for source, target, hit in re.findall(r"(\d+)/(\d+)(\*?)", cell.group(2)):
                own[int(source)] -= 1
                own[int(target)] += 1
                if hit:
                    other[25 - int(target)] -= 1
                    other[25] += 1
            ids.append(position_id(own, other))
    if ids is not None:
        yield ids


def main():
    for name in FILES:
        with open(f"fixtures/backgammon/{name}", encoding="utf-8") as file:
            for number, ids in enumerate(games(file.read()), 1):
                print(json.dumps({"file": name, "game": number, "ids": ids}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
