#!/usr/bin/env python3
# Every Python package of tools/requirements.txt accepts the Python of Debian 12, which may be older than this one.
# SPDX-License-Identifier: Apache-2.0
"""Usage: check_packages.py [REQUIREMENTS]. Prints a line for each package that asks for another Python, and for each
that is not installed in the pinned version; exit 1 if there is any. To be run with build/venv."""
import importlib.metadata
import pathlib
import sys

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

DEBIAN_12 = "3.11.2"
PINS = pathlib.Path(__file__).parents[2] / "tools/requirements.txt"


def offences(pins: pathlib.Path) -> list[str]:
    bad = []
    for line in pins.read_text().splitlines():
        text = line.partition("#")[0].strip()
        if not text:
            continue
        pin = Requirement(text)
        try:
            found = importlib.metadata.metadata(pin.name)
        except importlib.metadata.PackageNotFoundError:
            bad.append(f"{text} is not installed")
            continue
        if found["Version"] not in pin.specifier:
            bad.append(f"{text} is pinned, {found['Version']} is installed")
        wanted = found["Requires-Python"] or ""
        if DEBIAN_12 not in SpecifierSet(wanted):
            bad.append(f"{text} needs Python {wanted}; Debian 12 has {DEBIAN_12}")
    return bad


if __name__ == "__main__":
    lines = offences(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else PINS)
    print("\n".join(lines), end="\n" if lines else "")
    sys.exit(1 if lines else 0)
