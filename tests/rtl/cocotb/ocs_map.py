# Register addresses for the bus tests, taken from the generated documentation.
# SPDX-License-Identifier: Apache-2.0
"""Addresses by register name (ocs_map.LEN: that of port 0) and masks of single bits (ocs_map.ERROR_ACCESS)."""
import pathlib
import re

_ROW = re.compile(r"^\| (?:(0x[0-9a-f]+)(?: \+ \d·k)?)? \| (?:(\w+)(?:\[\d+\])?)? \| (\w+) \| (\d+)(?::\d+)? \|")


def _load(text: str) -> dict[str, int]:
    names, register = {}, ""
    for line in text.splitlines():
        if row := _ROW.match(line):
            address, name, field, bit = row.groups()
            if name:
                register = name
                names[register] = int(address, 16)
            names[f"{register}_{field}"] = 1 << int(bit)
    names["PAIR"] = int(re.search(r"`PAIR` at (0x[0-9a-f]+)", text)[1], 16)
    return names


globals().update(_load((pathlib.Path(__file__).parents[3] / "docs/registers.md").read_text()))
