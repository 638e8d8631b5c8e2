#!/usr/bin/env python3
# Beside every assertion there is a cover point and a bug that it has to find; docs/proofs.md claims what is proved.
# SPDX-License-Identifier: Apache-2.0
"""Usage: beside.py. Exit 1 if an assertion of rtl/checks has no cover point of its module in beside.txt, if a name there doesn't exist,
if bug_list.py has no bug for a property of a module, if what a bug replaces isn't there just once, or if the tables of
docs/proofs.md name other subjects, ports or properties than there are."""
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


def ports_of(tasks: list[tuple]) -> dict[str, list[int]]:
    """Of each subject the ports at which these tasks prove it."""
    found: dict[str, set[int]] = {}
    for name, ports, _ in tasks:
        found.setdefault(name, set()).add(ports)
    return {name: sorted(ports) for name, ports in found.items()}


def claims() -> list[str]:
    """What docs/proofs.md says and isn't so."""
    import prove  # it uses this module
    import theorems
    text = (RTL.parent / "docs/proofs.md").read_text()
    run = [ports_of(tasks) for tasks in (prove.tasks(False), prove.tasks(True), theorems.large())]
    rows = {row[0]: row[1:] for row in re.findall(r"^\| `(\w+)` \| [^|]* \|([^|]*)\|([^|]*)\|([^|]*)\|$", text, re.M)}
    wrong = [f"docs/proofs.md: no row of {name}" for name in run[1] if name not in rows]
    for name, row in rows.items():
        for column, said, proved in zip(("default", "--all", "--large"), row, run):
            ports = [0] if said.strip() == "any" else [int(word) for word in said.replace(",", " ").split()]
            if ports != proved.get(name, []):
                wrong.append(f"docs/proofs.md: {name} {column}: {said.strip() or 'nothing'}, but {proved.get(name, 'nothing')} is proved")
    for subjects, names in re.findall(r"(\w+(?:, \w+)*): (own_\w+(?:, own_\w+)*)", text.split("## What section 13")[1]):
        module = subjects.split(", ")[-1].removeprefix("ocs_")
        wrong += [f"docs/proofs.md: no assertion {module}.{name}" for name in names.split(", ") if f"{module}.{name}" not in labels("own")]
    return wrong


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
    wrong += claims()
    for line in wrong:
        print(line)
    print(f"{len(own)} assertions, {len(BUGS)} bugs")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
