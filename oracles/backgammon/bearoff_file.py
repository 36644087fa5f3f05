"""Lets GNU Backgammon use our two-sided database 6x6 in place of its own, and compares its answers.

    bearoff_file.py ENDSPIEL GNUBG POSITIONS SEED

ENDSPIEL exports the database. GNUBG runs twice on the same random bear-offs: with its own file, and with ours mounted over it,
which needs root and Linux. Each answer has the chances, the equity, and the equities of the cube.
"""

import json
import os
import random
import subprocess
import sys
import tempfile

# Where Debian's package has built the file.
OWN = "/var/lib/gnubg/gnubg_ts0.bd"

# Runs inside gnubg: one line of JSON for each position ID in the file that ASKED names.
INSIDE = """
import json, os, gnubg
gnubg.command("set display off")
context = gnubg.evalcontext(0, 0, 0, 1, 0.0)
cube = gnubg.cubeinfo(1, -1, 1, 0, (0, 0), 0)
with open(os.environ["ASKED"]) as asked, open(os.environ["ANSWERS"], "w") as answers:
    for line in asked:
        board = gnubg.positionfromid(line.strip())
        answer = [gnubg.classifypos(board), gnubg.evaluate(board, cube, context), gnubg.cfevaluate(board, cube)]
        answers.write(json.dumps(answer) + "\\n")
"""


def position_id(boards):
    """GNU Backgammon's position ID of two boards of 25 counts: the opponent's, then that of the player on roll."""
    import base64

    bits = "".join("1" * count + "0" for board in boards for count in board).ljust(80, "0")
    number = int(bits[::-1], 2)
    return base64.b64encode(number.to_bytes(10, "little")).decode().rstrip("=")


def bear_off(rng):
    counts = [0] * 25
    for _ in range(rng.randint(1, 6)):
        counts[rng.randrange(6)] += 1
    return counts


def ask(gnubg, folder, ids, database):
    asked, answers, script = (os.path.join(folder, name) for name in ("asked", "answers", "inside.py"))
    with open(asked, "w") as file:
        file.write("\n".join(ids))
    with open(script, "w") as file:
        file.write(INSIDE)
    run = f"{gnubg} -t -q -r -p {script}"
    if database:
        command = ["unshare", "--mount", "sh", "-c", f"mount --bind {database} {OWN} && exec {run}"]
    else:
        command = ["sh", "-c", f"exec {run}"]
    environment = dict(os.environ, ASKED=asked, ANSWERS=answers, LC_ALL="C")
    subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True)
    with open(answers) as file:
        return [json.loads(line) for line in file]


def main():
    endspiel, gnubg, positions, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    rng = random.Random(seed)
    ids = [position_id([bear_off(rng), bear_off(rng)]) for _ in range(positions)]
    with tempfile.TemporaryDirectory() as folder:
        database = os.path.join(folder, "ours.bd")
        subprocess.run([endspiel, "export", "backgammon", "6x6", "--to", database], check=True)
        own, ours = ask(gnubg, folder, ids, None), ask(gnubg, folder, ids, database)
        # If gnubg did not read the mounted file, it would answer as before, too. So a wrong file must make a difference.
        with open(database, "r+b") as file:
            contents = bytearray(file.read())
            contents[40:] = bytes(len(contents) - 40)
            file.seek(0)
            file.write(contents)
        wrong = ask(gnubg, folder, ids[:20], database)
    if wrong == own[:20]:
        sys.exit("gnubg does not read the file that is mounted over its own")
    different = [asked for asked, one, other in zip(ids, own, ours) if one != other]
    if len(own) != positions or len(ours) != positions or different:
        sys.exit(f"{len(different)} of {positions} answers differ, such as {different[:3]}")
    print(f"gnubg gives the same {positions} answers with our file as with its own")


if __name__ == "__main__":
    main()
