#!/usr/bin/env python3
# Holds words and scripts to the house's style: spelling (codespell), shell scripts (ShellCheck), Python (ruff), and turns of
# phrase that readers found hard to decode (docs/house-style.md, *Words*).
# SPDX-License-Identifier: Apache-2.0
"""Usage: check_style.py [ROOT], with the Python of build/venv. Prints one line an offence; exit 1 if there is any."""
import pathlib
import re
import subprocess
import sys

import tree

TOOLS = pathlib.Path(sys.executable).parent
WORDS = pathlib.Path(__file__).parent / "words.txt"  # what codespell takes for a misspelt word, and is none here
DATA = re.compile(r"/corpus/|/generated/|\.svg$|\.csv$|\.json$|^testbed/workloads/.*\.(txt|csv)$|^tests/goldens/|^tools/requirements")
# What not to write, with what to write instead. Pages and the help of the program.
PHRASES = {
    r"\btells (?:`|its\b)": "reports, prints, shows",
    r"\b(?:so|as) often\b": "N times",
    r"\bwhoever\b": "a noun: the worker that, the client that",
    r"\bcarr(?:y|ies|ied) (?:\S+ )?out\b": "execute",
    r"\bis no (?:TOML|JSON|row)\b": "is not valid TOML",
    r"\b(?:has|have) it not\b": "does not include it",
    r"\bgoes with every\b": "works with every",
}
# House-style.md quotes them.
QUOTED = {"docs/house-style.md", "tests/tools/check_style.py"}


def scripts(root: pathlib.Path, files: list[pathlib.PurePosixPath], language: str, suffix: str) -> list[str]:
    """Files that have the suffix, or whose first line names the language."""
    first = re.compile(rf"#!.*\b{language}")
    return [str(path) for path in files if path.suffix == suffix or (not path.suffix and first.match(tree.text(root / path)))]


def printed(root: pathlib.Path, command: list[str], names: list[str]) -> list[str]:
    """The lines that a tool prints about files; none without a file."""
    if not names:
        return []
    done = subprocess.run([TOOLS / command[0], *command[1:], *names], cwd=root, capture_output=True, text=True, timeout=300, check=False)
    if done.returncode not in (0, 1, 65):  # 65: codespell found something
        return [f"{command[0]}: {done.stderr.strip()}"]
    return [line for line in done.stdout.splitlines() if line]


def spelling(root: pathlib.Path, files: list[pathlib.PurePosixPath]) -> list[str]:
    names = [str(path) for path in files if not DATA.search(str(path)) and path.name != WORDS.name and tree.text(root / path)]
    return printed(root, ["codespell", "--ignore-words", str(WORDS)], names)


def shell(root: pathlib.Path, files: list[pathlib.PurePosixPath]) -> list[str]:
    return printed(root, ["shellcheck", "--format=gcc"], scripts(root, files, "(?:bash|sh)", ".sh"))


def python(root: pathlib.Path, files: list[pathlib.PurePosixPath]) -> list[str]:
    rules = tree.ROOT / "ruff.toml"
    return printed(root, ["ruff", "check", "--quiet", "--output-format=concise", "--config", str(rules)], scripts(root, files, "python", ".py"))


def phrases(root: pathlib.Path, files: list[pathlib.PurePosixPath]) -> list[str]:
    bad = []
    for path in files:
        if path.suffix != ".md" or str(path) in QUOTED:
            continue
        text = tree.text(root / path)
        for phrase, better in PHRASES.items():
            bad += [f"{path}:{text.count(chr(10), 0, found.start()) + 1}: \"{found[0]}\"; better: {better}"
                    for found in re.finditer(phrase, text, re.IGNORECASE)]
    return bad


def offences(root: pathlib.Path) -> list[str]:
    files = tree.files(root)
    return [line for check in (spelling, shell, python, phrases) for line in check(root, files)]


if __name__ == "__main__":
    found = offences(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else tree.ROOT)
    print("\n".join(found))
    sys.exit(1 if found else 0)
