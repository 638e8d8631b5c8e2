#!/usr/bin/env python3
# Holds the modules of rtl/ to the house's rules: few ports, which are documented, and parameters whose legal range is checked.
# SPDX-License-Identifier: Apache-2.0
"""Usage: check_rtl.py [ROOT]. Prints one line an offence; exit 1 if there is any.

A port is documented by `///<` on its line or `///` above it or above the lines that it follows without a gap; a parameter
by `///` above it, and its range by an elaboration $error that names module and parameter. What goes between modules together is
one port, a struct (rtl/ocs_pkg.sv); AXI4-Lite at a top, which tools connect pin by pin, counts as one as well."""
import pathlib
import re
import sys

import tree

GENERATED = "rtl/regs/generated/"
CHECKS = "rtl/checks/"  # bound to modules whose ports they repeat
PORT = re.compile(r"(?:input|output|inout)\b[^,/]*?(\w+)\s*(?:\[[^\]]*\]\s*)*,?\s*(?:///<.*)?$")
MOST_PORTS = 30
AXI4_LITE = re.compile(r"(aw|w|b|ar|r)(valid|ready|addr|data|strb|resp)_[io]")
PARAMETER = re.compile(r"parameter\b[^=]*?(\w+)\s*=")


def of_module(path, text: str) -> list[str]:
    bad = []
    found = re.search(r"^module (\w+)", text, re.M)
    if not found:
        return bad
    name, head, told = found[1], text[found.start() :].split("\n);", 1)[0], False
    ports = [port[1] for port in map(PORT.match, map(str.strip, head.splitlines())) if port]
    loose = [port for port in ports if not AXI4_LITE.fullmatch(port)]
    count = len(loose) + (len(loose) != len(ports))
    if count > MOST_PORTS:
        bad.append(f"{path}: {count} ports, more than {MOST_PORTS}; those that go together are a struct")
    for line in head.splitlines():
        line = line.strip()
        if line.startswith("///"):
            told = True
        elif port := PORT.match(line):
            if not told and "///<" not in line:
                bad.append(f"{path}: port {port[1]} isn't documented (///< on its line, or /// above)")
        elif parameter := PARAMETER.match(line):
            if not told:
                bad.append(f"{path}: parameter {parameter[1]} isn't documented (/// above it, with its range)")
            if f'$error("{name}: {parameter[1]} must be' not in text:
                bad.append(f'{path}: the range of {parameter[1]} isn\'t checked ($error("{name}: {parameter[1]} must be ...")')
        else:
            told = False
    return bad


def offences(root: pathlib.Path) -> list[str]:
    return [offence for path in tree.files(root) if path.suffix == ".sv" and str(path).startswith("rtl/")
            and not str(path).startswith((GENERATED, CHECKS)) for offence in of_module(path, tree.text(root / path))]


if __name__ == "__main__":
    found = offences(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else tree.ROOT)
    print("\n".join(found))
    sys.exit(1 if found else 0)
