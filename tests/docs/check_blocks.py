#!/usr/bin/env python3
# No page and no block of commands is left out of the pages' test without being named.
# SPDX-License-Identifier: Apache-2.0
"""Usage: check_blocks.py [--pages]

Every block of every page either has commands that check_page.py runs, or is shown by a command (blocks.toml, [[PAGE.shown]]),
or blocks.toml says what it is ([[PAGE.other]]). --pages lists the pages that check_page.py has to check."""
import os
import pathlib
import re
import sys
import tomllib

from check_page import ROOT, blocks, commands, text_at

LEFT_OUT = {"build", "results", ".git"}


def pages():
    """Yields the path of each page, relative to the repository."""
    for folder, names, files in os.walk(ROOT):
        names[:] = sorted(name for name in names if name not in LEFT_OUT and not name.startswith("."))
        for name in sorted(files):
            if name.endswith(".md"):
                yield (pathlib.Path(folder) / name).relative_to(ROOT).as_posix()


def lines_of(page: str) -> list[str]:
    return (ROOT / page).read_text().splitlines()


def without_command(block: list[str]) -> list[int]:
    """Numbers of the lines of a block that belong to no command."""
    found = list(commands(block))
    if not found:
        return [0]
    taken = set()
    for at, _, shown in found:
        taken.add(at)
        if shown is not None:
            return list(range(found[0][0]))  # what follows "$ COMMAND" is its output
        while block[at].rstrip().endswith("\\"):
            at += 1
            taken.add(at)
    return [k for k, line in enumerate(block) if line.strip() and k not in taken]


def wrong_blocks(page: str, rules: dict) -> list[str]:
    lines, wrong = lines_of(page), []
    others = rules.get("other", [])
    shown = [text_at(lines, rule["first"])[0] for rule in rules.get("shown", [])]
    used = [0] * len(others)
    for begin, block in blocks(lines):
        if any(begin <= at < begin + len(block) for at in shown):
            continue
        named = [k for k, rule in enumerate(others) if re.search(rule["first"], block[0])]
        for k in named:
            used[k] += 1
        if not named:
            wrong += [f"{page}:{begin + k + 1}: no test runs this, and blocks.toml does not say what it is: {block[k]}"
                      for k in without_command(block)]
        elif not without_command(block):
            wrong.append(f"{page}:{begin + 1}: blocks.toml names this block, but its commands are run")
    return wrong + [f"blocks.toml: {rule['first']!r} of {page} is the beginning of {count} blocks, not of one"
                    for rule, count in zip(others, used) if count != 1]


def main() -> int:
    rules = tomllib.loads((pathlib.Path(__file__).parent / "blocks.toml").read_text())
    every = list(pages())
    if sys.argv[1:] == ["--pages"]:
        for page in every:
            own = rules.get(page, {})
            compared = own.get("shown", []) + [rule for rule in own.get("other", []) if "check" in rule]
            if compared or any(list(commands(block)) for _, block in blocks(lines_of(page))):
                print(page)
        return 0
    wrong = [f"blocks.toml: there is no page {page}" for page in rules if page != "replace" and page not in every]
    for page in every:
        wrong += wrong_blocks(page, rules.get(page, {}))
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
