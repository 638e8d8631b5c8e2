# Yosys' cells of words as and-gates, the same as its own techmap and aigmap make of them (cells_test.py holds both side by side).
# SPDX-License-Identifier: Apache-2.0
"""Sums and comparisons are built as aig.py builds those of the proofs, so that what is alike is mostly one node. Semantics: Yosys' manual,
"Word-level cells". An x is a free input of its own wherever it is met, so that what is proved holds whatever it is."""
from collections.abc import Callable

import aig

CONSTANTS = {"0": aig.FALSE, "1": aig.TRUE}


class Gates(aig.Logic):
    """A literal is twice the number of a bit of the netlist, odd if inverted; bits of Yosys begin at 2."""

    def __init__(self, bits: int) -> None:
        self.bits = bits  # the number of the next new bit
        self.made: dict[int, tuple[int, int]] = {}  # bit -> two literals, of which it is the conjunction
        self.known: dict[tuple[int, int], int] = {}
        self.unknown: list[int] = []  # bits that may be anything

    def anything(self) -> int:
        self.unknown.append(self.bits)
        self.bits += 1
        return 2 * self.unknown[-1]

    def literal(self, bit) -> int:
        """Of a bit as Yosys writes it."""
        return 2 * bit if isinstance(bit, int) else self.anything() if bit == "x" else CONSTANTS[bit]

    def both(self, a: int, b: int) -> int:
        if a > b:
            a, b = b, a
        if a == aig.FALSE or a == b ^ 1:
            return aig.FALSE
        if a == aig.TRUE or a == b:
            return b
        found = self.known.get((a, b))
        if found is None:
            self.made[self.bits] = (a, b)
            found = self.known[a, b] = 2 * self.bits
            self.bits += 1
        return found

    def drive(self, bit: int, literal: int) -> None:
        self.made[bit] = (aig.TRUE, literal)

    def choose(self, condition: int, a: list[int], b: list[int]) -> list[int]:
        """a where the condition holds, else b."""
        return [self.either(self.both(condition, x), self.both(condition ^ 1, y)) for x, y in zip(a, b, strict=True)]


class Cell:
    """A cell's operands, and its widths."""

    def __init__(self, gates: Gates, cell: dict) -> None:
        self.gates, self.type = gates, cell["type"]
        self.numbers = {name: int(value, 2) if isinstance(value, str) else value for name, value in cell["parameters"].items()
                        if not isinstance(value, str) or set(value) <= {"0", "1"}}
        self.wires = {port: [gates.literal(bit) for bit in bits] for port, bits in cell["connections"].items()}
        self.width = len(self.wires["Y"])

    def operand(self, port: str, width: int) -> list[int]:
        """Extended or cut to a width; a signed one by its sign."""
        bits = self.wires[port]
        fill = bits[-1] if self.is_signed(port) and bits else aig.FALSE
        return (bits + [fill] * (width - len(bits)))[:width]

    def is_signed(self, port: str) -> bool:
        return bool(self.numbers.get(f"{port}_SIGNED", 0))

    def operands(self, width: int = 0) -> tuple[list[int], list[int]]:
        """Of a width; without one of the larger of theirs."""
        width = width or max(len(self.wires["A"]), len(self.wires["B"]))
        return self.operand("A", width), self.operand("B", width)

    def truth(self, bit: int) -> list[int]:
        return [bit] + [aig.FALSE] * (self.width - 1)


def parity(g: Gates, bits: list[int]) -> int:
    found = aig.FALSE
    for bit in bits:
        found = g.differ(found, bit)
    return found


def less(c: Cell, a: list[int], b: list[int]) -> int:
    if c.is_signed("A"):  # the order of signed numbers is that of unsigned ones with the sign inverted
        a, b = a[:-1] + [a[-1] ^ 1], b[:-1] + [b[-1] ^ 1]
    return c.gates.less(a, b)


def compare(c: Cell) -> int:
    g, (a, b) = c.gates, c.operands()
    return {"$eq": lambda: g.equal(a, b), "$ne": lambda: g.equal(a, b) ^ 1, "$lt": lambda: less(c, a, b), "$ge": lambda: less(c, a, b) ^ 1,
            "$gt": lambda: less(c, b, a), "$le": lambda: less(c, b, a) ^ 1}[c.type]()


def reduced(c: Cell) -> int:
    g, a = c.gates, c.wires["A"]
    return {"$reduce_and": lambda: g.all(a), "$reduce_or": lambda: g.any(a), "$reduce_bool": lambda: g.any(a), "$logic_not": lambda: g.any(a) ^ 1,
            "$reduce_xor": lambda: parity(g, a), "$reduce_xnor": lambda: parity(g, a) ^ 1}[c.type]()


def of_truths(c: Cell) -> int:
    join = c.gates.both if c.type == "$logic_and" else c.gates.either
    return join(c.gates.any(c.wires["A"]), c.gates.any(c.wires["B"]))


def bitwise(c: Cell) -> list[int]:
    g, (a, b) = c.gates, c.operands(c.width)
    join = {"$and": g.both, "$or": g.either, "$xor": g.differ, "$xnor": lambda x, y: g.differ(x, y) ^ 1}[c.type]
    return [join(x, y) for x, y in zip(a, b)]


def moved(g: Gates, bits: list[int], by: list[int], fill: int, left: bool) -> list[int]:
    """Shifted by a number, stage by stage."""
    for k, stage in enumerate(by):
        distance = min(1 << k, len(bits))
        far = [fill] * distance
        bits = g.choose(stage, far + bits[:len(bits) - distance] if left else bits[distance:] + far, bits)
    return bits


def shifted(c: Cell) -> list[int]:
    """By an amount that isn't signed. What comes in is 0, or the sign."""
    left = c.type in ("$shl", "$sshl")
    a = c.operand("A", c.width if left else max(c.width, len(c.wires["A"])))
    fill = a[-1] if c.type == "$sshr" and c.is_signed("A") else aig.FALSE
    return moved(c.gates, a, c.wires["B"], fill, left)[:c.width]


def either_way(c: Cell) -> list[int]:
    """To the right, or by a negative amount to the left; what comes in is 0, of $shiftx anything."""
    g, by, width = c.gates, c.wires["B"], max(c.width, len(c.wires["A"]))
    a, fill = c.operand("A", width), aig.FALSE
    if c.type == "$shiftx":
        a, fill = [*c.wires["A"], *(g.anything() for _ in range(width - len(c.wires["A"])))], g.anything()
    right = moved(g, a, by, fill, False)
    if c.is_signed("B"):
        right = g.choose(by[-1], moved(g, a, g.subtract([aig.FALSE] * len(by), by), fill, True), right)
    return right[:c.width]


def one_of(c: Cell) -> list[int]:
    """$pmux: the word whose bit of S is set, several OR-ed, else A."""
    g, choice, words = c.gates, c.wires["S"], c.wires["B"]
    none = g.any(choice) ^ 1
    return [g.any([g.both(none, a)] + [g.both(s, words[k * c.width + b]) for k, s in enumerate(choice)]) for b, a in enumerate(c.wires["A"])]


def numbered(c: Cell) -> list[int]:
    """$bmux: the word of A that S counts off."""
    words = c.wires["A"]
    for stage in c.wires["S"]:
        pairs = [words[k:k + 2 * c.width] for k in range(0, len(words), 2 * c.width)]
        words = [x for pair in pairs for x in c.gates.choose(stage, pair[c.width:], pair[:c.width])]
    return words


def dealt(c: Cell) -> list[int]:
    """$demux: A as the word that S counts off, the others 0."""
    g, words = c.gates, [aig.TRUE]
    for stage in c.wires["S"]:
        words = [g.both(x, s) for s in (stage ^ 1, stage) for x in words]
    return [g.both(word, a) for word in words for a in c.wires["A"]]


def by_bit(c: Cell) -> list[int]:
    """$bwmux: of each bit B where S is set."""
    return [c.gates.choose(s, [b], [a])[0] for s, a, b in zip(c.wires["S"], c.wires["A"], c.wires["B"], strict=True)]


CELLS: dict[str, Callable[[Cell], list[int]]] = {
    **dict.fromkeys(("$eq", "$ne", "$lt", "$le", "$gt", "$ge"), lambda c: c.truth(compare(c))),
    **dict.fromkeys(("$reduce_and", "$reduce_or", "$reduce_bool", "$reduce_xor", "$reduce_xnor", "$logic_not"), lambda c: c.truth(reduced(c))),
    **dict.fromkeys(("$logic_and", "$logic_or"), lambda c: c.truth(of_truths(c))),
    **dict.fromkeys(("$and", "$or", "$xor", "$xnor"), bitwise),
    **dict.fromkeys(("$shl", "$sshl", "$shr", "$sshr"), shifted),
    **dict.fromkeys(("$shift", "$shiftx"), either_way),
    "$not": lambda c: [x ^ 1 for x in c.operand("A", c.width)],
    "$pos": lambda c: c.operand("A", c.width),
    "$neg": lambda c: c.gates.subtract([aig.FALSE] * c.width, c.operand("A", c.width)),
    "$add": lambda c: c.gates.add(*c.operands(c.width)),
    "$sub": lambda c: c.gates.subtract(*c.operands(c.width)),
    "$mux": lambda c: c.gates.choose(c.wires["S"][0], c.wires["B"], c.wires["A"]),
    "$pmux": one_of, "$bmux": numbered, "$demux": dealt, "$bwmux": by_bit,
    "$_AND_": lambda c: [c.gates.both(c.wires["A"][0], c.wires["B"][0])],
    "$_NOT_": lambda c: [c.wires["A"][0] ^ 1],
}


def add_cell(gates: Gates, cell: dict) -> None:
    """Drives the bits of the cell's result."""
    for bit, value in zip(cell["connections"]["Y"], CELLS[cell["type"]](Cell(gates, cell)), strict=True):
        gates.drive(bit, value)
