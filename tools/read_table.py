#!/usr/bin/env python3
"""Prints the entries of a table file, one per line.

    python3 tools/read_table.py FILE [INDEX ...]
    python3 tools/read_table.py --check FILE ...

Without an index, all entries are printed. `--check` reads whole files, and prints the CRC-32 of all lines of each.

This reader was written from docs/format.md alone, and shares no code with crates/table. It is for reading along, not for
speed. Codec 1 needs the Python package `zstandard`, unless Python has `compression.zstd`. The content hash is checked only
by `--check`, and only if the package `blake3` is there.
"""

import functools
import itertools
import math
import os
import struct
import sys
import unicodedata
import zlib

KINDS = ["nothing", "loss", "draw", "win", "not won", "loss by rule", "win by rule"]
NOTHING, LOSS, DRAW, WIN, NOT_WON, LOSS_BY_RULE, WIN_BY_RULE = range(7)
METRICS = {"values": ["wdl", "dtm", "dtz"], "numbers": ["equity", "distribution"], "outcomes": ["wdl"], "distances": ["dtm"]}


class TableError(Exception):
    """A file that cannot be read."""


def need(condition, problem):
    if not condition:
        raise TableError(f"is damaged: {problem}")


def is_ascending(things):
    return all(a < b for a, b in itertools.pairwise(things))


def bits_for(different):
    return next(bits for bits in (1, 2, 4, 8, 16) if different <= 1 << bits)


def decompress(frame, length):
    """The packed block of one zstd frame."""
    try:
        from compression import zstd
    except ImportError:
        return decompress_before_python_3_14(frame, length)
    try:
        decompressor = zstd.ZstdDecompressor()
        packed = decompressor.decompress(frame, length + 1)
    except zstd.ZstdError as error:
        raise TableError(f"is damaged: a block cannot be decompressed ({error})") from None
    need(decompressor.eof and not decompressor.unused_data, "a block is not one frame of zstd")
    return packed


def decompress_before_python_3_14(frame, length):
    try:
        import zstandard
    except ImportError:
        raise TableError("needs the Python package zstandard: python3 -m pip install zstandard") from None
    try:
        need(zstandard.frame_content_size(frame) in (-1, length), "the length of a block is wrong")
        return zstandard.ZstdDecompressor().decompress(frame, length, allow_extra_data=False)
    except zstandard.ZstdError as error:
        raise TableError(f"is damaged: a block cannot be decompressed ({error})") from None


def symbols(packed, bits, count, different):
    """The symbols of a packed block."""
    if bits == 16:
        found = struct.unpack(f"<{count}H", packed)
    else:
        found = [byte >> shift & (1 << bits) - 1 for byte in packed for shift in range(0, 8, bits)]
    need(not any(found[count:]), "bits after the last symbol are not 0")
    need(max(found) < different, "a symbol has no meaning")
    return found[:count]


class Fields:
    """The bytes of a header, taken one field after another."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def left(self):
        return len(self.data) - self.at

    def take(self, count):
        need(count <= self.left(), "the header is too short for its fields")
        self.at += count
        return self.data[self.at - count : self.at]

    def number(self, count=1):
        return int.from_bytes(self.take(count), "little")

    def text(self):
        text = self.take(self.number()).decode()
        bad = any(letter in "/\\" or unicodedata.category(letter) == "Cc" for letter in text)
        need(text and len(text.encode()) <= 200 and text[0] != "." and not bad, "a text is not allowed")
        return text


class Values:
    def __init__(self, fields, table):
        need(fields.left() % 3 == 0, "the length of the palette is wrong")
        palette = list(struct.iter_unpack("<BH", fields.take(fields.left())))
        need((palette == []) == (table.entries == 0) and len(palette) <= 65_536, "the size of the palette is wrong")
        need(is_ascending(palette), "the palette is not in ascending order")
        for kind, plies in palette:
            need(kind <= WIN_BY_RULE and (kind != NOT_WON or table.metric == "wdl"), "a kind is not allowed")
            has_plies = table.metric != "wdl" and kind in (LOSS, WIN)
            need((plies != 0xFFFF) == has_plies, "an entry has plies, or has none")
        self.bits, self.has_rules = bits_for(len(palette)), any(kind >= LOSS_BY_RULE for kind, _ in palette)
        self.palette = [(KINDS[kind], None if plies == 0xFFFF else plies) for kind, plies in palette]

    def unpack(self, packed, count):
        return [self.palette[symbol] for symbol in symbols(packed, self.bits, count, len(self.palette))]


class Numbers:
    def __init__(self, fields, table):
        self.each, self.width, signed, self.unit, self.error = struct.unpack("<HBBId", fields.take(16))
        need(1 <= self.each <= 1024 and self.width in (1, 2, 4) and signed < 2, "the numbers are not allowed")
        need(self.unit > 0 and math.isfinite(self.error) and math.copysign(1, self.error) > 0, "the unit or the error is not allowed")
        self.signed, self.bits = signed == 1, 8 * self.each * self.width
        self.none = -1 << 8 * self.width - 1 if signed else (1 << 8 * self.width) - 1

    def unpack(self, packed, count):
        def raw(number, place):
            start, end = (number * self.width * count + place, (number + 1) * self.width * count)
            return int.from_bytes(packed[start:end:count], "little", signed=self.signed)

        entries = [[raw(number, place) for number in range(self.each)] for place in range(count)]
        need(all(entry.count(self.none) in (0, self.each) for entry in entries), "an entry has a part of its numbers")
        return [None if self.none in entry else tuple(number / self.unit for number in entry) for entry in entries]


class Tiles:
    def __init__(self, fields, table):
        count, sections = fields.number(), fields.number()
        need(1 <= count <= 8 and sections < 2, "the number of digits is not allowed")
        self.digits = [(fields.number(8), fields.number()) for _ in range(count)]
        need(all(1 << bits < 2 * size for size, bits in self.digits), "the tiles of a digit are too large")
        need(not sections or (self.digits[0][0] <= 2 and self.digits[0][1] == 0), "the sections are not allowed")
        need(math.prod(size for size, _ in self.digits) == table.entries, "the digits give another number of entries")
        need(1 << sum(bits for _, bits in self.digits) == table.per_block <= 1 << 20, "the size of a tile is wrong")
        self.tiles = [(size - 1 >> bits) + 1 for size, bits in self.digits]
        self.sections = self.digits[0][0] if sections else 1
        shape = [bits for _, bits in self.digits if bits] or [0]
        self.coordinates = shape[:-1] + [shape[-1] - 6, 6] if shape[-1] > 6 else shape

    def section(self, tile):
        return tile * self.sections // math.prod(self.tiles)

    def locate(self, index):
        tile, place, tiles, below = 0, 0, 1, 0
        for (size, bits), count in zip(reversed(self.digits), reversed(self.tiles)):
            index, digit = divmod(index, size)
            tile, tiles = tile + (digit >> bits) * tiles, tiles * count
            place, below = place | (digit & (1 << bits) - 1) << below, below + bits
        return tile, place


class Leaf:
    def __init__(self, fields, different):
        self.first, weights = fields.number(), fields.take(fields.number())
        need(weights and weights[0] and weights[-1] and max(weights) <= 248, "the weights of a leaf are not allowed")
        need(self.first + len(weights) <= different, "a leaf has too many weights")
        weights = [8 + (code - 1) % 8 << (code - 1) // 8 if code else 0 for code in weights]
        rest = 16_384 - sum(weight > 0 for weight in weights)
        self.sizes = [1 + weight * rest // sum(weights) if weight else 0 for weight in weights]
        self.sizes[weights.index(max(weights))] += 16_384 - sum(self.sizes)
        self.starts = [0, *itertools.accumulate(self.sizes)]
        self.slots = b"".join(bytes([place]) * size for place, size in enumerate(self.sizes))
        self.expected = self.first + self.sizes.index(max(self.sizes))


class Model:
    def __init__(self, fields, coordinates, different, is_relative):
        self.different, self.is_relative, self.coordinates = different, is_relative, coordinates
        need((fields.number(), fields.number()) == (different, is_relative), "a model does not fit its payload")
        self.default, neighbours = fields.number(), fields.number()
        need(1 <= self.default <= different and neighbours <= 8, "a default or a number of neighbours is not allowed")
        need(is_relative or (different + 1) ** neighbours <= 65_536, "a model has too many neighbours")
        self.steps = [fields.take(len(coordinates)) for _ in range(neighbours)]
        for steps in self.steps:
            fits = all(step < 1 << bits for step, bits in zip(steps, coordinates))
            need(any(steps) and fits and steps[-1] <= 16, "a neighbour is not allowed")
        need(len(set(self.steps)) == len(self.steps), "a neighbour is not allowed")
        in_row = [not any(steps[:-1]) for steps in self.steps]
        need(in_row == sorted(in_row), "the neighbours are not in order")
        self.cuts = [fields.take(fields.number()) for _ in range(neighbours + 1)]
        need(all(map(is_ascending, self.cuts)), "the cuts are not in ascending order")
        need(math.prod(len(cuts) + 1 for cuts in self.cuts) <= 65_536, "a model has too many cuts")
        leaves = []
        self.root, self.known = self.tree(fields, leaves, 0), {}
        for leaf in leaves:
            leaf.append(Leaf(fields, different))

    def tree(self, fields, leaves, depth):
        """A node: its feature, its cut and both parts. A leaf is a list with one `Leaf`."""
        need(depth < 255 and len(leaves) < 255, "a tree has too many leaves")
        feature = fields.number()
        if feature == 0:
            leaves.append([])
            return leaves[-1]
        cut = fields.number()
        need(feature <= len(self.cuts) and cut < len(self.cuts[feature - 1]), "a node asks for what is not there")
        parts = [self.tree(fields, leaves, depth + 1) for _ in range(2)]
        return feature - 1, self.cuts[feature - 1][cut], *parts

    def leaf(self, features):
        node = self.root
        while isinstance(node, tuple):
            feature, cut, low, high = node
            node = low if features[feature] <= cut else high
        return node[0]

    def order(self):
        """The rows and columns of all places with their lanes, in the order of a stream."""
        *before, last = self.coordinates
        slabs, rows = (1 << before[0], 1 << sum(before[1:])) if before else (1, 1)
        for first in range(0, slabs, 4):
            lanes = range(min(4, slabs - first))
            for step in range(rows + len(lanes) - 1):
                active = [(lane, (first + lane) * rows + step - lane) for lane in lanes if 0 <= step - lane < rows]
                yield from ((lane, row, column) for column in range(1 << last) for lane, row in active)

    def reach(self):
        """For each row and neighbour: how many places before it is, and from which column on it is inside the tile."""
        *before, last = self.coordinates
        for row in itertools.product(*(range(1 << bits) for bits in before)):
            near = []
            for steps in self.steps:
                back = 0
                for step, bits in zip(steps, self.coordinates):
                    back = (back << bits) + step
                inside = all(step <= at for step, at in zip(steps, row))
                near.append((back, steps[-1] if inside else 1 << last))
            yield near

    def decode(self, stream, is_coded):
        """The cells of a tile."""
        plain = stream == b"\0"
        need(plain or (len(stream) >= 16 and len(stream) % 2 == 0), "the length of a stream is wrong")
        states = [65_536] * 4 if plain else list(struct.unpack_from("<4I", stream))
        words = struct.iter_unpack("<H", stream[16:])
        cells, reach, width = [0] * len(is_coded), list(self.reach()), 1 << self.coordinates[-1]
        for lane, row, column in self.order():
            place = row * width + column
            if not is_coded[place]:
                continue
            features = [cells[place - back] if column >= first else 0 for back, first in reach[row]]
            base = next(filter(None, features), self.default)
            if self.is_relative:
                differences = [(cell - base + 128) % 256 - 128 for cell in features]
                features = [cell and min(max(by, -30), 30) + 31 for cell, by in zip(features, differences)]
            features = (min(base, 63) if self.is_relative else 0, *features)
            leaf = self.known.get(features) or self.known.setdefault(features, self.leaf(features))
            number = leaf.expected
            if not plain:
                slot = states[lane] % 16_384
                at = leaf.slots[slot]
                number = leaf.first + at
                states[lane] = leaf.sizes[at] * (states[lane] // 16_384) + slot - leaf.starts[at]
                if states[lane] < 65_536:
                    word = next(words, None)
                    need(word, "a stream is too short")
                    states[lane] = states[lane] * 65_536 + word[0]
            around = base - self.different // 2 if self.is_relative else 1
            cells[place] = (number + around - 1) % self.different + 1
        need(states == [65_536] * 4 and next(words, None) is None, "a stream does not end as it should")
        return cells


class Outcomes:
    def __init__(self, fields, table):
        self.tiles, self.kinds = Tiles(fields, table), fields.take(fields.number())
        need(self.kinds and set(self.kinds) <= {LOSS, DRAW, WIN, LOSS_BY_RULE, WIN_BY_RULE}, "an outcome is not allowed")
        need(is_ascending(self.kinds), "the outcomes are not in ascending order")
        self.bits = bits_for(len(self.kinds))
        self.models = [
            Model(fields, self.tiles.coordinates, len(self.kinds), False) for _ in range(self.tiles.sections)
        ]

    def unpack(self, block, count, tile):
        if len(block) == -(-count * self.bits // 8):
            found = symbols(block, self.bits, count, len(self.kinds))
        else:
            cells = self.models[self.tiles.section(tile)].decode(block, [True] * count)
            found = [cell - 1 for cell in cells]
        return [(KINDS[self.kinds[symbol]], None) for symbol in found]


class Distances:
    def __init__(self, fields, table):
        self.tiles, self.outcomes_hash, self.bits = Tiles(fields, table), fields.take(32), 8
        sections = [[self.plane(fields) for _ in ("loss", "win")] for _ in range(self.tiles.sections)]
        # In each section the planes that are stored.
        self.planes = [{kind: plane for kind, plane in zip(("loss", "win"), planes) if plane} for planes in sections]

    def plane(self, fields):
        """The distances and the model of a plane, or `None` if it is not stored."""
        state = fields.number()
        need(state <= 2, "a plane is not allowed")
        if state < 2:
            return None
        count = fields.number()
        distances = struct.unpack(f"<{count}H", fields.take(2 * count))
        need(count and is_ascending(distances), "the distances are not in ascending order")
        need(distances[-1] < 0xFFFF, "a distance is too long")
        return distances, Model(fields, self.tiles.coordinates, count, True)

    def unpack(self, block, count, tile, outcomes):
        planes = self.planes[self.tiles.section(tile)]
        kinds = [kind for kind, _ in outcomes]
        cells = block if len(block) == count else self.decode(block, planes, kinds)
        for cell, kind in zip(cells, kinds):
            most = len(planes[kind][0]) if kind in planes else 0
            need(min(1, most) <= cell <= most, "a distance is missing, or has no meaning")
        return [planes[kind][0][cell - 1] if cell else None for cell, kind in zip(cells, kinds)]

    def decode(self, block, planes, kinds):
        need(planes or block == b"\0", "a block without distances is not 0")
        streams = [block]
        if len(planes) == 2:
            end = 2 + int.from_bytes(block[:2], "little")
            need(end <= len(block), "a block is too short")
            streams = [block[2:end], block[end:]]
        cells = [0] * len(kinds)
        for (kind, (_, model)), stream in zip(planes.items(), streams):
            plane = model.decode(stream, [found == kind for found in kinds])
            cells = [a or b for a, b in zip(cells, plane)]
        return cells


class Table:
    """A table file. Opening it checks all but the blocks, which are checked when they are read."""

    def __init__(self, path):
        self.path = path
        self.named(self.open)
        # Neighbouring indices are in several tiles, so some blocks are kept: about two million entries.
        self.block = functools.lru_cache((1 << 21) // self.per_block)(lambda number: self.named(self.read_block, number))

    def named(self, action, *arguments):
        """Does something whose errors shall name the file."""
        try:
            return action(*arguments)
        except TableError as error:
            raise error if str(error).startswith("the table") else TableError(f"the table `{self.path}` {error}") from None
        except OSError as error:
            raise TableError(f"the table `{self.path}` cannot be read: {error.strerror}") from None
        except UnicodeDecodeError:
            raise TableError(f"the table `{self.path}` is damaged: a text is not UTF-8") from None

    def bytes(self, offset, length):
        self.file.seek(offset)
        data = self.file.read(length)
        need(len(data) == length, "it is cut short")
        return data

    def checked(self, offset, length, part):
        *data, checksum = struct.unpack(f"<{length - 4}sI", self.bytes(offset, length))
        need(zlib.crc32(data[0]) == checksum, f"the checksum of the {part} is wrong")
        return data[0]

    def open(self):
        if os.path.exists(self.path) and not os.path.isfile(self.path):
            raise TableError("is not a regular file")
        self.file = open(self.path, "rb")
        size = os.fstat(self.file.fileno()).st_size
        if self.bytes(0, min(size, 8)) != b"\x89EST\r\n\x1a\n":
            raise TableError("is not an Endspiel table: its first bytes are not those of a table")
        version, codec, low_bits, length = struct.unpack("<HBBI", self.bytes(8, 8))
        if not 1 <= version <= 3:
            raise TableError(f"has version {version} of the format, and only versions 1 to 3 can be read here")
        need(36 <= length <= (197_924 if version == 1 else 198_180), "the length of the header is not allowed")
        need(length + 64 <= size, "it is cut short")
        need(self.bytes(size - 8, 8) == b"\nEST end", "its last bytes are not those of a table")
        fields = Fields(self.checked(0, length, "header")[16:])
        self.read_header(fields, version, codec, low_bits)
        need(fields.left() == 0, "the header is longer than its fields")
        trailer = self.checked(size - 60, 52, "trailer")
        index_at, self.blocks, self.content_hash = struct.unpack("<QQ32s", trailer)
        expected = math.prod(self.content.tiles.tiles) if self.is_small else -(-self.entries // self.per_block)
        need(self.blocks == expected, "the number of blocks is wrong")
        need(index_at + 8 * self.blocks + 64 == size, "the block index has a wrong place")
        self.index = []
        for number, (stored, checksum) in enumerate(
            struct.iter_unpack("<II", self.checked(index_at, 8 * self.blocks + 4, "block index"))
        ):
            packed = self.packed_length(number)
            need(1 <= stored <= packed and (codec or stored == packed), f"the length of block {number} is not allowed")
            self.index.append((length, stored, checksum))
            length += stored
        need(length == index_at, "the blocks do not fill their place")
        if self.payload == "distances":
            self.open_outcomes()

    def read_header(self, fields, version, codec, low_bits):
        self.entries, self.per_block, number = struct.unpack("<QII", fields.take(16))
        need(self.per_block in [1 << bits for bits in range(21)], "the size of a block is not allowed")
        game, rules, name, self.metric, index = (fields.text() for _ in range(5))
        self.description = dict(
            game=game, rules=rules, slice=name, metric=self.metric, index=index, entries=self.entries
        )
        self.payload = "values" if version == 1 else fields.text()
        need(self.metric in METRICS.get(self.payload, []), f"{self.payload} of the metric {self.metric} are not known")
        need(version != 1 or fields.left() == 3 * number, "the length of the palette is wrong")
        need(fields.left() <= 196_608, "the description of the payload is too long")
        self.is_small = self.payload in ("outcomes", "distances")
        need(codec <= 2 and (codec == 2) == self.is_small == (version == 3), "the codec or the version is not allowed")
        payloads = {"values": Values, "numbers": Numbers, "outcomes": Outcomes, "distances": Distances}
        self.content = payloads[self.payload](fields, self)
        is_old = self.payload == "values" and self.metric != "dtz" and not self.content.has_rules
        need(is_old == (version == 1), "the version does not fit the entries")
        bits = (low_bits, 0) if version == 1 else (number, low_bits)
        need(bits == (self.content.bits, 0), "the number of bits of an entry is wrong")
        need(self.per_block * self.content.bits <= 1 << 24, "the size of a block is not allowed")

    def open_outcomes(self):
        if not self.path.endswith(".dtm.est"):
            raise TableError("holds distances, but its name does not end with `.dtm.est`")
        self.outcomes = Table(self.path.removesuffix(".dtm.est") + ".wdl.est")
        is_same = self.outcomes.content_hash == self.content.outcomes_hash and self.outcomes.payload == "outcomes"
        if not is_same or vars(self.outcomes.content.tiles) != vars(self.content.tiles):
            raise TableError(f"does not belong to `{self.outcomes.path}`: one of the two files was replaced")

    def places(self, number):
        return self.per_block if self.is_small else min(self.per_block, self.entries - number * self.per_block)

    def packed_length(self, number):
        return -(-self.places(number) * self.content.bits // 8)

    def read_block(self, number):
        """The entries of a block or tile."""
        offset, stored, checksum = self.index[number]
        block = self.bytes(offset, stored)
        need(zlib.crc32(block) == checksum, f"the checksum of block {number} is wrong")
        if self.payload == "distances":
            return self.content.unpack(block, self.per_block, number, self.outcomes.block(number))
        if self.payload == "outcomes":
            return self.content.unpack(block, self.per_block, number)
        packed = self.packed_length(number)
        if stored < packed:
            block = decompress(block, packed)
            need(len(block) == packed, f"the length of block {number} is wrong")
        return self.content.unpack(block, self.places(number))

    def entry(self, index):
        """Values and outcomes: the kind and the plies, if any. Numbers and distances: these, or `None` if there are none."""
        if not 0 <= index < self.entries:
            raise IndexError(f"the table `{self.path}` has {self.entries} entries, and no index {index}")
        number, place = self.content.tiles.locate(index) if self.is_small else divmod(index, self.per_block)
        return self.block(number)[place]

    def text(self, index):
        entry = self.entry(index)
        if self.payload == "distances":
            return "-" if entry is None else str(entry)
        return "nothing" if entry is None else " ".join(str(part) for part in entry if part is not None)

    def check(self):
        """Reads all entries, and checks the content hash if there is a package for it. Returns the CRC-32 of all lines."""
        checksum = 0
        for index in range(self.entries):
            checksum = zlib.crc32(f"{self.text(index)}\n".encode(), checksum)
        try:
            from blake3 import blake3
        except ImportError:
            return checksum
        hashed = self.named(self.bytes, 0, os.path.getsize(self.path) - 44)
        if blake3(hashed).digest() != self.content_hash:
            raise TableError(f"the table `{self.path}` is damaged: its content hash is wrong")
        return checksum


def check(paths):
    code = 0
    for path in paths:
        try:
            print(f"the table `{path}` is valid: {Table(path).check():08x}")
        except TableError as error:
            print(error)
            code = 1
    return code


def main(arguments):
    if arguments[:1] == ["--check"] and arguments[1:]:
        return check(arguments[1:])
    if not arguments or arguments[0].startswith("-") or not all(index.isdecimal() for index in arguments[1:]):
        print(__doc__, file=sys.stderr)
        return 2
    try:
        table = Table(arguments[0])
        for index in map(int, arguments[1:]) if arguments[1:] else range(table.entries):
            print(table.text(index))
    except (TableError, IndexError) as error:
        print(error, file=sys.stderr)
        return 1 if isinstance(error, TableError) else 2
    except BrokenPipeError:  # such as by `| head`; Python must not write the rest when it ends
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
