#!/usr/bin/env python3
# CONTRIBUTING names all files that one more of a kind touches: those that name an example of the kind.
# SPDX-License-Identifier: Apache-2.0
"""Usage: check_contributing.py [ROOT]. Prints one line an offence; exit 1 if there is any.

Each kind has a section `## A KIND` in CONTRIBUTING.md with one paragraph that begins `Code, for ` and an example in
backticks, and goes on with the files in backticks. They are the files of code that name the example, no more and no fewer.
Pages, tests and experiments are not compared: the rest of the section says which of them are needed."""
import pathlib
import re
import sys

import tree

FOLDERS = ("firmware", "host", "rtl", "sysc", "testbed")
SOURCES = {".c", ".h", ".cpp", ".hpp", ".sv", ".svh", ".rdl"}
# What names the example of a kind in code: words, as a regular expression.
WORDS = {
    "scheduler": r"solstice",
    "placer": r"exact_placer|ExactPlacer",
    "device": r"make_mapped|mapped\.cpp",
    "collective": r"halving_doubling",
    "synchronisation scheme": r"dssp|dssp_text|dssp_reads|make_dssp|Dssp|s_lo",
    "kind of job": r"CoflowsJob|run_coflows|run_arrivals|arrivals\(\)|work_of|make_coflow_node|CoflowPayload",
    "key": r"clock_spread",
    "column": r"words_retransmitted",
    "register": r"FLAP|flap|set_flap",
}


def section(text: str, kind: str) -> str | None:
    found = re.search(rf"^## A {re.escape(kind)}\n(.*?)(?=^## |\Z)", text, re.M | re.S)
    return found and found[1]


def named_files(text: str) -> list[str] | None:
    """The files of the paragraph `Code, for ...`; None without one."""
    found = re.search(r"^Code, for `[^`]+`:(.*?)(?=\n\n|\Z)", text, re.M | re.S)
    return found and re.findall(r"`([^`]+)`", found[1])


def files_with(root: pathlib.Path, files: list[pathlib.PurePosixPath], words: str) -> set[str]:
    word = re.compile(rf"(?<![A-Za-z0-9_])(?:{words})(?![A-Za-z0-9_])")
    return {str(path) for path in files
            if path.parts[0] in FOLDERS and "generated" not in path.parts
            and (path.suffix in SOURCES or path.name == "CMakeLists.txt") and word.search(tree.text(root / path))}


def offences(root: pathlib.Path) -> list[str]:
    text, files = (root / "CONTRIBUTING.md").read_text(), tree.files(root)
    bad = []
    for kind, words in WORDS.items():
        part = section(text, kind)
        named = named_files(part) if part else None
        if named is None:
            bad.append(f"CONTRIBUTING.md: no section \"A {kind}\" with a paragraph \"Code, for ...\"")
            continue
        right = files_with(root, files, words)
        bad += [f"CONTRIBUTING.md: a {kind}: {path} names the example, but is not listed" for path in sorted(right - set(named))]
        bad += [f"CONTRIBUTING.md: a {kind}: {path} is listed, but does not name the example"
                for path in sorted(set(named) - right)]
        bad += [f"CONTRIBUTING.md: a {kind}: {path} is listed twice" for path in sorted(set(named)) if named.count(path) > 1]
    return bad


def main() -> int:
    bad = offences(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[2])
    print("\n".join(bad) or "CONTRIBUTING.md: every kind's files are listed")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
