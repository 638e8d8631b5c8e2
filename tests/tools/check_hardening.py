#!/usr/bin/env python3
"""Is a program hardened as SECURITY.md says? check_hardening.py PROGRAM, by readelf(1).

SPDX-License-Identifier: Apache-2.0
"""
import re
import subprocess
import sys


def missing(elf):
    """What a program lacks, by the output of `readelf -hldW --dyn-syms`."""
    wanted = {
        "position-independent code": r"Type:\s+DYN",
        "read-only relocations": r"\bGNU_RELRO\b",
        "binding at start (BIND_NOW)": r"\(FLAGS\).*BIND_NOW|\(FLAGS_1\).*\bNOW\b|\(BIND_NOW\)",
        "a stack that isn't executed": r"GNU_STACK\s+(\S+\s+){5}RW\s",
        "stack protectors": r"\b__stack_chk_fail\b",
        "_FORTIFY_SOURCE": r"\b__(mem|str|sn?|vsn?|f|vf|)\w*(cpy|move|set|cat|printf)_chk\b",
    }
    return [what for what, pattern in wanted.items() if not re.search(pattern, elf)]


def main():
    elf = subprocess.run(["readelf", "-hldW", "--dyn-syms", sys.argv[1]], check=True, capture_output=True, text=True).stdout
    lacking = missing(elf)
    for what in lacking:
        print(f"{sys.argv[1]} lacks {what}")
    return 1 if lacking else 0


if __name__ == "__main__":
    sys.exit(main())
