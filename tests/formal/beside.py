#!/usr/bin/env python3
# Beside every assertion there is a cover point and a bug that it has to find.
# SPDX-License-Identifier: Apache-2.0
"""Usage: beside.py. Exit 1 if an assertion of rtl/checks has no cover point of its module in beside.txt, if a name there doesn't exist,
if bug_list.py has no bug for a property of a module, or if what a bug replaces isn't there just once."""
import pathlib
import re

from bug_list import BUGS

HERE = pathlib.Path(__file__).resolve().parent
RTL = HERE.parents[1] / "rtl"


def labels(kind: str) -> set[str]:
    """MODULE.LABEL of all checks of rtl/checks whose label begins so."""
    return {f"{path.stem.removesuffix('_checks').removeprefix('ocs_')}.{label}" for path in sorted((RTL / "checks").glob("*_checks.sv"))
            for label in re.findall(rf"^\s*({kind}_\w+):", path.read_text(), re.M)}


def covers() -> dict[str, list[str]]:
    """Assertion -> names of the cover points beside it."""
    lines = [line for line in (HERE / "beside.txt").read_text().splitlines() if line and not line.startswith("#")]
    return {line.split(": ")[0]: line.split(": ")[1].split() for line in lines}


def bug(subject: str, name: str) -> tuple | None:
    """The bug of a property, if there is one."""
    found = [entry for entry in BUGS if entry[0] == subject and name.startswith(entry[1])]
    return max(found, key=lambda entry: len(entry[1])) if found else None


def bug_of_check(label: str) -> tuple | None:
    """The bug of MODULE.LABEL, be it proved of the module alone, of the core or as a part of L1."""
    module, name = label.split(".")
    if name == "own_horizon_is_the_smallest_bound":
        return bug("horizon", "link_")
    return bug("core" if module == "core" else f"ocs_{module}", name)


def main() -> int:
    wrong, own, see, beside = [], labels("own"), labels("see"), covers()
    wrong += [f"{name}: no cover point beside it" for name in sorted(own - set(beside))]
    wrong += [f"{name}: no such assertion" for name in sorted(set(beside) - own)]
    for name, points in beside.items():
        wrong += [f"{name}: no cover point {point}" for point in points if f"{name.split('.')[0]}.{point}" not in see]
    wrong += [f"{name}: no bug" for name in sorted(own) if bug_of_check(name) is None]
    for subject, name, file, old, _ in BUGS:
        path = HERE / file if file.endswith(".py") else RTL / file
        count = path.read_text().count(old)
        if count != 1:
            wrong.append(f"{subject} {name}: {file} has {count} times, not once: {old}")
    for line in wrong:
        print(line)
    print(f"{len(own)} assertions, {len(BUGS)} bugs")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
