#!/usr/bin/env python3
# Breaks the RTL in one place at a time and asks simulation, then the proofs, whether they notice.
# SPDX-License-Identifier: Apache-2.0
"""Usage: mutate.py --judge PROGRAM [--sample K] [--seed S] [--programs P] [--jobs J] [--out FOLDER] [--prove] [--write] [--least PERCENT]
       mutate.py --list

A mutant is one place of one module changed by one operator of places.py, which were fixed before any result was known. PROGRAM
(ocs_mutants, built of judge.cpp) runs the register programs and P random ones on it (default 40) beside the C++ model, with the checks
of rtl/checks; what they don't notice is given to the proofs (--prove: prove.py, N = 2). It is killed by what differs, by a check, by a
crash, by running for two minutes, by Yosys refusing it, or by a property that fails; one that isn't decided in time kills nothing.
--sample K: K places drawn by the seed; else all. --write: docs/mutation.md; survivors need a line in reasons.txt.
--least: exit 1 if fewer are killed of those that reasons.txt doesn't call "same" or "allowed". Mutant 0, the switch itself, must survive."""
import argparse
import collections
import json
import os
import pathlib
import random as randomly
import shutil
import subprocess
import sys
import time

import places

ROOT = places.ROOT
PAGE = ROOT / "docs/mutation.md"
REASONS = pathlib.Path(__file__).with_name("reasons.txt")


def simulated(judge: pathlib.Path, mutants: list[int], options) -> dict[int, tuple[float, str]]:
    """Seconds and killer of each; the killer is empty if it survives."""
    logs = options.out / "logs"
    logs.mkdir(parents=True, exist_ok=True)
    found = {}
    with subprocess.Popen([judge, str(options.seed), str(options.programs), str(options.jobs), logs, *map(str, mutants)],
                          stdout=subprocess.PIPE, text=True) as process:
        for answer in process.stdout:
            number, seconds, killer = (answer.rstrip("\n").split(" ", 2) + [""])[:3]
            found[int(number)] = (float(seconds), killer.strip())
            if options.verbose or not killer.strip():
                print(f"mutant {number}: {killer.strip() or 'not noticed by simulation'}, {float(seconds):.1f} s", flush=True)
    if process.returncode != 0 or len(found) != len(mutants):
        raise SystemExit(f"mutate.py: {judge} judged {len(found)} of {len(mutants)} mutants, exit code {process.returncode}")
    return found


def line(place: tuple) -> tuple[str, str]:
    """The line before and after."""
    module, number, column, index = place
    before = (ROOT / f"rtl/{module}.sv").read_text().splitlines()[number]
    return before.strip(), places.changed(before, column, index)[0].strip()


def broken(place: tuple, folder: pathlib.Path) -> None:
    """A copy of rtl/ with the mutant in it."""
    module, number, column, index = place
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT / "rtl", folder)
    path = folder / f"{module}.sv"
    lines = path.read_text().splitlines()
    lines[number] = places.changed(lines[number], column, index)[0]
    path.write_text("\n".join(lines) + "\n")


def proved(place: tuple, out: pathlib.Path) -> str:
    """The property that fails for the mutant; empty if none does."""
    sys.path.insert(0, str(ROOT / "tests/formal"))
    import horizon
    import prove
    import yosys

    class Noticed(Exception):
        """A property failed."""

    class Judge(prove.Run):
        """Stops at the first property that fails; covers needn't hold."""

        def note(self, subject, name, ports, answer, want=True, **_):
            if want and answer.proved is False:
                raise Noticed(name)

        def possible(self, *_, **__):
            pass

    run = Judge(out / "proofs", out / "rtl")
    try:
        if place[0] in prove.MODULES:
            prove.module(run, place[0], 2)
        if place[0] in ("ocs_outputs", "ocs_engines", "ocs_sequencer"):  # those that bound a step
            horizon.horizon(run, 2)
    except Noticed as by:
        return f"property {by}"
    except yosys.ToolError:
        return "Yosys"
    return ""


def reasons() -> dict[str, str]:
    """Of each survivor, by "module: line of code -> operator": why nothing notices it."""
    out = {}
    for text in REASONS.read_text().splitlines():
        if text and not text.startswith("#"):
            what, _, why = text.partition(" ## ")
            out[what.strip()] = why.strip()
    return out


def name(result: dict) -> str:
    return f"{result['place'][0]}: {result['after']}"


def harmless(result: dict, known: dict[str, str]) -> bool:
    """A survivor that does what the contract says, by its reason."""
    return not result["killer"] and known.get(name(result), "").startswith(("same:", "allowed:"))


def share(results: list[dict]) -> float:
    """Percentage that is killed."""
    return 100 * sum(bool(r["killer"]) for r in results) / max(1, len(results))


def cell(text: str) -> str:
    return text.replace("|", "\\|")


def kind(killer: str) -> str:
    if "(check " in killer:
        return "a check of rtl/checks, in simulation"
    if killer.startswith("property") or killer == "Yosys":
        return "a proof"
    if killer.startswith("random program"):
        return "a random program"
    if killer.startswith("the trial"):
        return "the trial at the pins"
    return "a register program" if not killer.startswith("it ") else killer


def write(results: list[dict], seed: int, programs: int, proofs: bool) -> int:
    """docs/mutation.md. The number of survivors without a reason."""
    killed = [r for r in results if r["killer"]]
    known = reasons()
    random = f"{programs} random programs (seed {seed})" if programs else "no random ones"
    lines = ["# What breaks unnoticed", "",
             "Written by `tests/mutation/mutate.py --write`. One place of one module of the counter-style core is changed at a time, by one of the operators in",
             "`tests/mutation/places.py`. All mutants are in one Verilated switch (4 ports, 64 and 4 event records; 2 ports; 4 ports with Warp = 0), checks bound to it; each runs",
             f"the register programs of tests/goldens/switch for 4 and 2 ports, a trial at the pins and {random}, warped, cycle by cycle and in random",
             "strides, until something differs from what is expected or from the C++ model.",
             *(["What simulation doesn't notice is given to the proofs (N = 2)."] if proofs else []), "",
             f"**{len(results)} mutants, {len(killed)} killed ({share(results):.1f} %)**; {len(results) - len(killed)} survive. Of those, "
             f"{sum(harmless(r, known) for r in results)} can't be told from the switch by the contract (below: *same*, *allowed*), as has been seen by reading,",
             f"not proved; of the others {share([r for r in results if not harmless(r, known)]):.1f} % are killed.", "",
             "| module | mutants | killed |", "|---|---|---|"]
    for module in places.MODULES:
        own = [r for r in results if r["place"][0] == module]
        lines.append(f"| {module} | {len(own)} | {sum(bool(r['killer']) for r in own)} |")
    lines += ["", "| operator | mutants | killed |", "|---|---|---|"]
    for operator, _, _ in places.OPERATORS:
        own = [r for r in results if r["operator"] == operator]
        lines.append(f"| {operator} | {len(own)} | {sum(bool(r['killer']) for r in own)} |")
    lines += ["", "| noticed first by | mutants |", "|---|---|"]
    lines += [f"| {what} | {count} |" for what, count in collections.Counter(kind(r["killer"]) for r in killed).most_common()]
    lines += ["", "Survivors, and why:", "", "| module, line | operator | becomes | reason |", "|---|---|---|---|"]
    missing = 0
    for r in sorted(results, key=lambda r: r["mutant"]):
        if r["killer"]:
            continue
        why = known.get(name(r), "")
        missing += not why
        if not why:
            print(f"no reason in {REASONS.name}: {name(r)}")
        lines.append(f"| {r['place'][0]}:{r['place'][1] + 1} | {r['operator']} | `{cell(r['after'])}` | {why} |")
    PAGE.write_text("\n".join(lines) + "\n")
    return missing


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--judge", type=pathlib.Path)
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--programs", type=int, default=40)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--prove", action="store_true")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "build/mutation")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--least", type=float, default=0)
    options = parser.parse_args()
    everything = dict(enumerate(places.everything(), 1))
    if options.list:
        print("\n".join(f"{k}: {m}:{n + 1}:{c} {places.OPERATORS[o][0]}" for k, (m, n, c, o) in everything.items()))
        return 0
    if options.judge is None or not options.judge.exists():
        parser.error("--judge: the program ocs_mutants (cmake --build build/release --target ocs_mutants)")
    chosen = sorted(everything)
    if options.sample:
        chosen = sorted(randomly.Random(options.seed).sample(chosen, min(options.sample, len(chosen))))
        print(f"seed {options.seed}: mutants {chosen}")
    start = time.monotonic()
    found = simulated(options.judge, [0, *chosen], options)
    if found[0][1]:
        print(f"the switch itself doesn't survive: {found[0][1]}")
        return 1
    results = []
    for mutant in chosen:
        place = everything[mutant]
        before, after = line(place)
        killer = found[mutant][1]
        if not killer and options.prove:
            broken(place, options.out / "rtl")
            killer = proved(place, options.out)
            print(f"mutant {mutant}, {place[0]}:{place[1] + 1}: {killer or 'SURVIVES'}", flush=True)
        results.append({"mutant": mutant, "place": list(place), "operator": places.OPERATORS[place[3]][0], "before": before, "after": after,
                        "killer": killer, "seconds": found[mutant][0]})
    (options.out / "results.json").write_text(json.dumps(results, indent=1))
    missing = write(results, options.seed, options.programs, options.prove) if options.write else 0
    killed = sum(bool(r["killer"]) for r in results)
    print(f"{killed} of {len(results)} killed, {time.monotonic() - start:.0f} s")
    for r in results:
        if not r["killer"]:
            print(f"SURVIVES: {r['mutant']} {r['place'][0]}:{r['place'][1] + 1} {r['operator']}: {r['after']}")
    known = reasons()
    observable = share([r for r in results if not harmless(r, known)])
    print(f"{observable:.1f} % of those that can be told from the switch (reasons.txt)")
    return 1 if missing or observable < options.least else 0


if __name__ == "__main__":
    sys.exit(main())
