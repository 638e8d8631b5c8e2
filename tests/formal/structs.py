# The packed structs of rtl/ocs_pkg.sv, so that a wire of such a type has its fields as wires of their own.
# SPDX-License-Identifier: Apache-2.0
"""A port of type x_t is called x_i or x_o. Its bits, or those of an array of it, stand in the netlist as one word; field f of all elements is the
word x_i.f, in which they follow each other as in an array of that field."""
import functools
import re
from collections.abc import Iterator

import yosys

WORD = {"logic": 1, "state_e": 3, "cause_e": 2, "engine_e": 2, "power_t": 18}
FIELD = re.compile(r"^\s+(\w+)(?: \[(\w+)-?1?:0\])? (\w+);")


@functools.cache
def structs() -> dict[str, list[tuple[str, int, int]]]:
    """Of each struct, by the stem of its name, its fields: name, lowest bit, bits. Raises ToolError on a line that isn't understood."""
    text = (yosys.ROOT / "rtl/ocs_pkg.sv").read_text()
    sizes = {"Errors": int(re.search(r"Errors = (\d+);", text)[1])}
    found = {}
    for body, name in re.findall(r"typedef struct packed \{\n(.*?)\n  \} (\w+)_t;", text, re.S):
        fields, first = [], 0
        for line in reversed(body.splitlines()):
            told = FIELD.match(line)
            if not told:
                raise yosys.ToolError(f"ocs_pkg.sv: {line.strip()} isn't a field")
            last = told[2]
            width = WORD[told[1]] if last is None else sizes[last] if last in sizes else int(last) + 1
            fields.append((told[3], first, width))
            first += width
        found[name] = fields
    return found


def fields(wire: str, bits: list) -> Iterator[tuple[str, list]]:
    """The fields of a wire, and the bits of each; nothing if it has none."""
    stem = re.sub(r"_[ioq]$", "", wire.rsplit(".", 1)[-1])
    told = structs().get(stem)
    if told is None:
        return
    width = sum(size for _, _, size in told)
    if len(bits) % width:
        raise yosys.ToolError(f"{wire} has {len(bits)} bits, which is not a number of elements of {width}")
    for name, first, size in told:
        yield f"{wire}.{name}", [bit for start in range(0, len(bits), width) for bit in bits[start + first:start + first + size]]


def at(name: str, field: str, side: str = "o") -> str:
    """The wire of a field of port `name`."""
    return f"{name}_{side}.{field}"


# Of each setting of ports, and of the receivers' tables, the struct and the field in which it is.
SETTINGS = {field: (name, field) for name in ("port_cfg", "burst_cfg") for field, _, _ in structs()[name]}
SETTINGS |= {"repeat": SETTINGS.pop("repeats"), "lock_warm": ("quantile", "warm"), "lock_cold": ("quantile", "cold")}


def setting(name: str, side: str = "o") -> str:
    """The wire of a setting by its name among the registers; one that is in no struct has a port of its own."""
    return at(*SETTINGS[name], side) if name in SETTINGS else f"{name}_{side}"
