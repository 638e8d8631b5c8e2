#!/usr/bin/env python3
# Holds every #include to the list "The house" in docs/design.md: a room includes only from the rooms that it may use.
# SPDX-License-Identifier: Apache-2.0
"""Usage: check_rooms.py [ROOT]. Prints one line an offending #include; exit 1 if there is any."""
import pathlib
import posixpath
import re
import sys

import tree

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
SOURCES = {".c", ".h", ".cpp", ".hpp"}
GENERATED = "rtl/regs/generated"  # the register map; its headers are included by their bare names


def rooms(root: pathlib.Path) -> dict[str, list[str]]:
    """Room -> what its item says it may use, both without the closing slash. An item begins "- `ROOM/`: " and ends with
    "May use: " and rooms, "std", "everything" or "nothing"."""
    table = {}
    house = (root / "docs/design.md").read_text().partition("\n## The house\n")[2].partition("\n## ")[0]
    for item in re.findall(r"^- (`.*(?:\n  .*)*)", house, re.MULTILINE):
        names, _, text = " ".join(item.split()).partition(": ")
        used = text.partition("May use: ")[2].rstrip(".")
        may = [name.rstrip("/") for name in re.findall(r"`([^`]+)`", used)]
        for room in re.findall(r"`([^`]+)`", names):
            table[room.rstrip("/")] = may + [word for word in ("std", "everything") if word == used]
    return table


def below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder + "/")


def room_of(path: str, table: dict[str, list[str]]) -> str | None:
    """The room of the longest name that `path` lies in."""
    return max((room for room in table if below(path, room)), key=len, default=None)


def offences(root: pathlib.Path) -> list[str]:
    table, bad = rooms(root), []
    for needed in ("host/core", "host/scheduler", "testbed/apps"):
        if needed not in table:
            bad.append(f"docs/design.md: the list \"The house\" has no item for {needed}")
    for path in tree.files(root):
        if path.suffix not in SOURCES or below(str(path), GENERATED):
            continue
        room = room_of(str(path), table)
        if room is None:
            bad.append(f"{path}: lies in no room of docs/design.md")
            continue
        may = table[room]
        if "everything" in may:
            continue
        for quote, name in INCLUDE.findall(tree.text(root / path)):
            target = name
            if not (root / name).exists():
                beside, generated = posixpath.normpath(path.parent / name), f"{GENERATED}/{name}"
                target = generated if (root / generated).exists() else beside
                if not (root / target).exists():
                    # A library's header. The standard library's have neither a dot nor a folder.
                    if "std" in may and re.search(r"[./]", name) and quote == "<":
                        bad.append(f"{path}: {room} may use the standard library alone, not <{name}>")
                    continue
            if below(target, room) or any(below(target, other) for other in may):
                continue
            bad.append(f"{path}: {room} may not include {target}; it may use: {', '.join(may)}")
    return bad


if __name__ == "__main__":
    found = offences(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else tree.ROOT)
    print("\n".join(found))
    sys.exit(1 if found else 0)
