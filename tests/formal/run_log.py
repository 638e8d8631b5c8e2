# The log of a run: what was proved, by what, in which time.
# SPDX-License-Identifier: Apache-2.0
import pathlib
import re
from collections.abc import Iterable
from dataclasses import dataclass, field

import beside
from bug_list import BUGS

HEAD = """# A run of the proofs

Written by `tests/formal/prove.py --all`; what is claimed: docs/proofs.md. One line stands for all ports of a property (`*`). Depth: edges
that a proof looks at. "Induction": holds after any edge from any state in which all checks hold, and after reset. "Any state" needs no more
than the subject's own lines. "Bounded": so many edges from reset, no more. "CaDiCaL checked, ABC": found by CaDiCaL with every clause of its
proof checked, and confirmed by ABC; "constant": the graph's own sharing settles it; "as one before": the same query as an earlier
one but for the names of its inputs; "standing": one solver that keeps its clauses for all covers of a subject. Times are processor seconds
of the solvers, making the netlists not included. `see_` checks are shown possible under the same assumptions.
"""
WAYS = {"integers": ("on integers", "–"), "step_0": ("any state", 1), "reset": ("any state", 1), "shadow": ("any state", 1),
        "fast_step_0": ("any state", 1), "fast_reset": ("any state", 1), "composition": ("any state", 3), "horizon": ("any state", 0),
        "refine_step_0": ("any related states", 1), "refine_reset": ("any state", 2), "refine_step_1": ("any related states", 1), "fast_composition": ("any state", 3), "fast_horizon": ("induction", 1)}


def pattern(name: str) -> str:
    """The property without its port."""
    return re.sub(r"(?<=_)\d+(?=_|$)", "*", re.sub(r"\[\d+\]", "[*]", name)) if not name.startswith("step_0") else name


@dataclass
class Record:
    subject: str
    name: str
    ports: int
    method: str
    seconds: float
    proved: bool | None


@dataclass
class Task:
    name: str
    ports: int
    used: float    # seconds of a processor, with those of its tools
    bounded: bool  # a run of sby
    records: list[Record] = field(default_factory=list)


def joined(tasks: Iterable[Task]) -> list[Task]:
    """The shares of a task that was shared out, together."""
    found: dict[tuple, Task] = {}
    for task in tasks:
        whole = found.setdefault((task.name, task.ports, task.bounded), Task(task.name, task.ports, 0.0, task.bounded))
        whole.used += task.used
        whole.records += task.records
    return list(found.values())


def summary(done: list[Task], others: list[Task], usual: set[tuple], wall: float, jobs: int) -> list[str]:
    """What a run took, task by task."""
    total, quick = sum(task.used for task in done), sum(task.used for task in done if (task.name, task.ports) in usual and not task.bounded)
    lines = ["## The run", "",
             f"`prove.py --all --jobs {jobs}` proved {sum(bool(r.proved) for t in done for r in t.records)} of {sum(len(t.records) for t in done)} in {total:.0f} s of a "
             f"processor, {total / 2:.0f} s on each of two; it took {wall:.0f} s by the clock, beside what else the machine did.",
             f"The default tests' part: {quick:.0f} s of a processor. These seconds include making the netlists, each once. \"By itself\": found by other runs, before or",
             "after, of that subject alone.", "", "| subject | N | proved | s of a processor | run by |", "|---|---|---|---|---|"]
    for task in [*done, *others]:
        by = "by itself" if task in others else "default tests" if (task.name, task.ports) in usual and not task.bounded else "--all"
        name = f"{task.name}, sby" if task.bounded else task.name
        lines.append(f"| {name} | {task.ports or 'any'} | {sum(bool(r.proved) for r in task.records)} of {len(task.records)} | {task.used:.0f} | {by} |")
    return [*lines, "", "## What it proved", "", "| module | property | N | method | depth | s | |", "|---|---|---|---|---|---|---|"]


def others_beside() -> list[str]:
    """The cover points and the bug beside each assertion; the bugs that the theorems have to find."""
    def code(text: str) -> str:
        return "`" + " ".join(text.split()).replace("|", "\\|") + "`" if text else "left out"

    lines = ["", "## Beside each assertion", "",
             "Cover points that show at work what it speaks of, each shown possible above and reached in simulation (tools/coverage); and a bug that",
             "it has to find: what is written instead. `tests/formal/beside.py` fails if one is missing, `bugs.py` puts each in and sees the property",
             "fail.", "",
             "| assertion | cover points | bug in | is written instead |", "|---|---|---|---|"]
    for label, points in beside.covers().items():
        subject, name, file, _, new = beside.bug_of_check(label)
        lines.append(f"| {label} | {', '.join(points)} | {file} | {code(new)} |")
    lines += ["", "What modules expect of each other (proved of the core) and the theorems:", "", "| subject | properties | bug in | is written instead |", "|---|---|---|---|"]
    for subject, name, file, _, new in BUGS:
        if "own_" not in name:
            lines.append(f"| {subject} | {name.strip('_')} | {file} | {code(new)} |")
    return lines


def write(path: pathlib.Path, done: list[Task], others: list[Task], usual: set[tuple], wall: float, jobs: int) -> None:
    """`done`: of one run of all; `others`: of other runs; `usual`: what the default tests run, (name, ports)."""
    lines, records = summary(done, others, usual, wall, jobs), [record for task in [*done, *others] for record in task.records]
    groups: dict[tuple, list] = {}
    for record in records:
        cover = record.name.startswith("see_") or record.name == "assumptions"
        groups.setdefault((record.subject, "covers" if cover else pattern(record.name), record.ports), []).append(record)
    for (subject, name, ports), group in sorted(groups.items(), key=lambda item: (list(dict.fromkeys(r.subject for r in records)).index(item[0][0]), item[0][2])):
        way, depth = WAYS.get(subject, ("induction", 1))
        verdict = "proved" if all(record.proved for record in group) else "**not proved**"
        tools = ", ".join(sorted({record.method for record in group} - {"as one before"}))
        if "sby" in tools:
            way, depth, verdict = "from reset", re.search(r"within (\d+)", name).group(1), verdict.replace("proved", "bounded")
        if name == "covers":
            name, verdict = f"{len(group)} covers, assumptions included", verdict.replace("proved", "possible")
        same = sum(record.method == "as one before" for record in group)
        tools += f", {same} as one before" if same else ""
        name += f" ({len(group)})" if len(group) > 1 and "*" in name else ""
        lines.append(f"| {subject} | {name} | {ports or 'any'} | {way}, {tools} | {depth} | {sum(r.seconds for r in group):.2f} | {verdict} |")
    path.write_text(HEAD + "\n" + "\n".join(lines + others_beside()) + "\n")
