# The page of what is proved: docs/proofs.md.
# SPDX-License-Identifier: Apache-2.0
import re
from dataclasses import dataclass, field

import beside
import yosys
from bug_list import BUGS

PAGE = yosys.ROOT / "docs/proofs.md"
HEAD = """# What is proved of the switch

Written by `tests/formal/prove.py --all --write`; how it is done: [tests/formal](../tests/formal/README.md). N: ports.
One line stands for all ports of a property (`*`). Depth: edges that a proof looks at. "Induction": holds after any edge from any state in
which all checks hold, and after reset; so in every state that can be reached. "Any state" needs no more than what the table's first
column says of it in its module's own lines. "Bounded": so many edges from reset, no more. Solvers: "CaDiCaL checked, ABC" was found by
CaDiCaL with every clause of its proof checked and confirmed by ABC's iprove; "constant": the graph's own sharing settles it; "as one
before": the same query as an earlier one but for the names of its inputs. Times are processor seconds of the solvers, making the
netlists not included. Widths are the real ones (64, 32, 30 and 16 bits); two entries a sequencer bank, a FIFO of two records in the
cores, of four in its own module. `see_` checks are shown possible under the same assumptions.

**L1** is composed: each module's bounds are proved of the module alone, in any state; the tree of minima link by link, each node free
where it is compared; that the core joins just these leaves to just this tree, with one time and the same settings, is read off its
netlist with the modules left as boxes. **C** is proved on the whole core in steps: that the edge k is quiet, what the modules tell each
other at the end, the words, then each register; each step takes the earlier ones for granted, and port by port: what one port does needs
what is assumed of that port and of the requests, and all-stop's one bit, which is proved from what each port adds to it. Of the state
both assume only what the modules' own checks say; that those hold of the modules within the core is the subject `core`, at 2 ports.

**Reset** (`reset`, `fast_reset`): whatever the state and the inputs, one edge with reset leaves each register as section 12 says, seeds of
the draws included, and the sequencer's rows (and PAIR of the fast core) as they were; what isn't reset is written before it is read.
**Shadow**: two edges that differ in the shadow map alone differ in no register unless a software or timed commit is decided at them, or
SEQ_STORE copies it.

**Two solvers** are asked for L1, C and step(0): CaDiCaL, which checks every clause that it learns (`--check --checkproof`), and ABC's
`iprove`; a line that names both says that both proved it. Neither Debian 12 nor PyPI packages an independent checker of DRAT.

**On an FPGA** (`Warp` = 0) three modules are put together otherwise, and the engines have neither products nor quotients: each does what
its simulated form does, given the same state and inputs, at steps of 0 and 1 (`ahead`, `narrow`). That the sequencer's registers say what
is due, and what it holds, is an invariant of it; PAIR is looked up for what either form needs.

**The fast core**, L1: the stamps of groups, chunks and of all ports are never above a port's, and `due` is never above those, the timed
commit or the sequencer's next entry, and is the next cycle where something is pending, EXTERNAL or lost light has to act (or `stale` is
set, which makes the horizon 1); an engine at full rate has its stamp where its words end. That settings which are looked at in every
cycle change with `stale` alone, and are 0 after reset, is taken from the top's bus. C: an edge below the horizon changes nothing but the
time, and what an edge does depends on its length through the time after it alone. A step of 0 (`fast_step_0`) changes nothing, but where
a setting was written before it the core looks again at what is due.

**Not proved**, and covered by lockstep simulation (tests/conformance): that the fast core equals the counter core, of which nothing is
proved but what each of them keeps by itself; that its engines below full rate have their stamps early enough; what reads of the fast core
answer, which is of the present cycle; which register an access reaches (that it reaches one, and only if it is accepted, is proved:
`ocs_registers`); composition, the fast core and the modules' checks at more ports than the table names; of the fast core at 4 ports more
than the table names.

**Parts.** What the default tests run; `--all`; `--large`, which takes longest: composition at 8 ports and the fast core at 4.

| asked for in section 13 | subject: property | how |
|---|---|---|
| exact T and L for every start | ocs_outputs: own_delays_exact, own_timer_is_what_is_left | proved |
| words pass only in UP | ocs_counters: own_passed_in_up_alone; ocs_segments: own_grows_in_up_alone | proved |
| UP ends in the cycle after light is lost | ocs_outputs: own_up_ends_without_light; horizon: output_*_light | proved |
| conservation | ocs_counters: own_words_passed_or_lost, own_words_sent_or_unrouted | proved |
| unchanged outputs undisturbed | ocs_outputs: own_unchanged_undisturbed | proved |
| stop implies no UP; HELD released exactly | ocs_outputs: own_stop_holds; own_held_released, own_stop_ends_with_the_last | proved |
| a refused map changes nothing | core: own_refused_changes_nothing, own_taken_map_is_legal | proved |
| shadow invisible before commit | shadow | proved |
| one event an output and cycle, stamps never fall | ocs_outputs: own_entry_is_told; ocs_events: own_records_are_in_order, own_stamps_never_fall | proved |
| nothing is dropped unless full | ocs_events: own_drops_when_full_alone | proved |
| one draw per start | ocs_outputs: own_one_draw_a_start | proved |
| horizon bound | horizon; fast_horizon | proved; of the fast core as said above |
| step(k) composition | composition; fast_composition | proved |
| step(0) identity | step_0; fast_step_0 | proved |
| counters independent of lazy settling | fast_composition: what is settled is the same after both ways; what a read answers in between | proved; lockstep alone |
"""
WAYS = {"integers": ("on integers", "–"), "step_0": ("any state", 1), "reset": ("any state", 1), "shadow": ("any state", 1),
        "fast_step_0": ("any state", 1), "fast_reset": ("any state", 1), "composition": ("any state", 3), "horizon": ("any state", 0),
        "fast_composition": ("any state", 3), "fast_horizon": ("induction", 1)}


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
             "fail; it has been seen of all of them.", "",
             "| assertion | cover points | bug in | is written instead |", "|---|---|---|---|"]
    for label, points in beside.covers().items():
        subject, name, file, _, new = beside.bug_of_check(label)
        lines.append(f"| {label} | {', '.join(points)} | {file} | {code(new)} |")
    lines += ["", "What modules expect of each other (proved of the core) and the theorems:", "", "| subject | properties | bug in | is written instead |", "|---|---|---|---|"]
    for subject, name, file, _, new in BUGS:
        if "own_" not in name:
            lines.append(f"| {subject} | {name.strip('_')} | {file} | {code(new)} |")
    return lines


def write(done: list[Task], others: list[Task], usual: set[tuple], wall: float, jobs: int) -> None:
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
    PAGE.write_text(HEAD + "\n" + "\n".join(lines + others_beside()) + "\n")
