"""Plays in a terminal of 80 columns and 24 lines: `terminal.py ENDSPIEL KEYS ARGUMENT…`. Each part of KEYS, between two `|`, is
typed when the program asks for a line. Prints what was written, without the escape sequences, and the exit code at the end."""

import codecs, fcntl, os, pty, re, select, struct, sys, termios, time

program, keys, arguments = sys.argv[1], sys.argv[2], sys.argv[3:]
pid, terminal = pty.fork()
if pid == 0:
    os.environ.update(TERM="xterm", NO_COLOR="1")
    os.execv(program, [program, *arguments])
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))

written = b""
parts = [codecs.decode(part, "unicode_escape").encode("latin-1") for part in keys.split("|")]
asked, until = 0, time.monotonic() + 60
while time.monotonic() < until:
    if not select.select([terminal], [], [], 0.5)[0]:
        # Nothing is written any more, so the program waits for a line.
        if asked < len(parts):
            os.write(terminal, parts[asked])
        asked += 1
        if asked > len(parts) + 20:
            break
        continue
    try:
        some = os.read(terminal, 1 << 16)
    except OSError:
        break
    if not some:
        break
    written += some
_, status = os.waitpid(pid, 0)
text = written.decode("utf-8", "replace")
print(re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", text).replace("\r\n", "\n").replace("\r", "\n"))
print("exit code", os.waitstatus_to_exitcode(status))
