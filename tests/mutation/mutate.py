#!/usr/bin/env python3
# Breaks the RTL in one place at a time and asks simulation, then the proofs, whether they notice.
# SPDX-License-Identifier: Apache-2.0
"""Usage: mutate.py --judge PROGRAM [--sample K] [--seed S] [--programs P] [--jobs J] [--out FOLDER] [--prove] [--least PERCENT]
       mutate.py --list

A mutant is one place of one module changed by one operator of places.py, which were fixed before any result was known. PROGRAM
(ocs_mutants, built of judge.cpp) runs the register programs and P random ones on it (default 40) beside the C++ model, with the checks
of rtl/checks. It is killed by what differs, by a check, by a crash, by running for two minutes.
--prove: of what simulation doesn't notice it is proved that it does the same as the switch, or what the contract allows (same.py); else
the properties are tried (prove.py, N = 2): one that fails kills it, so does Yosys by refusing it; what isn't decided in time kills
nothing. Every tenth of those killed by simulation is given to same.py, too, which must not find it to be the same.
--sample K: K places drawn by the seed; else all. With --prove FOLDER/log.md says how each module and operator fared, and what is known of
each survivor, which needs a line in reasons.txt.
--least: exit 1 if fewer are killed of those that aren't the same: with --prove proved to be, else said to be in reasons.txt.
With --prove what reasons.txt says has to be what is proved. Mutant 0, the switch itself, must survive."""
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


def noticed(place: tuple, out: pathlib.Path) -> str:
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

        possible_all = possible

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
    """Of each survivor, by "module: line with the mutant in it", " (no. K)" if it is the K-th such line: why nothing notices it."""
    out = {}
    for text in REASONS.read_text().splitlines():
        if text and not text.startswith("#"):
            what, _, why = text.partition(" ## ")
            out[what.strip()] = why.strip()
    return out


def name(result: dict) -> str:
    return f"{result['place'][0]}: {result['after']}" + (f" (no. {result['alike']})" if result["alike"] > 1 else "")


def told(result: dict, known: dict[str, str]) -> str:
    """"same", "allowed" or nothing: what reasons.txt says of a survivor."""
    word = known.get(name(result), "").partition(":")[0]
    return word if not result["killer"] and word in ("same", "allowed") else ""


def shown(result: dict) -> str:
    """The same, as proved."""
    return result["proof"].partition(":")[0]


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


def rates(results: list[dict], verdict) -> str:
    """Killed of those that aren't the same, and of those that aren't allowed either."""
    return (f"{share([r for r in results if verdict(r) != 'same']):.1f} % of those that aren't the same as the switch, "
            f"{share([r for r in results if not verdict(r)]):.1f} % of those that the contract doesn't allow")


def table(head: str, groups: list[tuple[str, list[dict]]]) -> list[str]:
    lines = ["", f"| {head} | mutants | killed by simulation | killed by proofs | proved the same | proved allowed | neither |", "|---|---|---|---|---|---|---|"]
    for what, own in groups:
        proofs = [r for r in own if kind(r["killer"]) == "a proof"]
        counts = [len(own), sum(bool(r["killer"]) for r in own) - len(proofs), len(proofs), sum(shown(r) == "same" for r in own),
                  sum(shown(r) == "allowed" for r in own), sum(not r["killer"] and not shown(r) for r in own)]
        lines.append(f"| {what} | {' | '.join(map(str, counts))} |")
    return lines


def write(results: list[dict], page: pathlib.Path) -> int:
    """Every mutant's fate, as Markdown. The number of survivors without a reason."""
    killed = [r for r in results if r["killer"]]
    known = reasons()
    lines = ["# What breaks unnoticed", "",
             f"**{len(results)} mutants, {len(killed)} killed**; of the other {len(results) - len(killed)}, {sum(shown(r) == 'same' for r in results)} are proved to be the same and "
             f"{sum(shown(r) == 'allowed' for r in results)} to be allowed.", "",
             f"Killed: {share(results):.1f} % of all, {rates(results, shown)}.",
             *table("module", [(module, [r for r in results if r["place"][0] == module]) for module in places.MODULES]),
             *table("operator", [(operator, [r for r in results if r["operator"] == operator]) for operator, _, _ in places.OPERATORS])]
    lines += ["", "| noticed first by | mutants |", "|---|---|"]
    lines += [f"| {what} | {count} |" for what, count in collections.Counter(kind(r["killer"]) for r in killed).most_common()]
    lines += ["", "Survivors, why, and what is proved of them:", "", "| module, line | operator | becomes | reason | proved |", "|---|---|---|---|---|"]
    missing = 0
    for r in sorted(results, key=lambda r: r["mutant"]):
        if r["killer"]:
            continue
        why = known.get(name(r), "")
        missing += not why
        if not why:
            print(f"no reason in {REASONS.name}: {name(r)}")
        lines.append(f"| {r['place'][0]}:{r['place'][1] + 1} | {r['operator']} | `{cell(r['after'])}` | {why} | {r['proof'] or '**nothing**'} |")
    page.write_text("\n".join(lines) + "\n")
    return missing


def prove(results: list[dict], out: pathlib.Path) -> int:
    """Adds to each survivor what is proved of it, or what kills it. How often that isn't what reasons.txt or simulation says."""
    import same
    prover, known, wrong = same.Same(out / "same"), reasons(), 0
    killed = [r for r in results if r["killer"] and r["place"][0] != "ocs_core"]
    for r in killed[::10]:
        if prover.alone(r["place"][0], r["mutant"]):
            print(f"mutant {r['mutant']} is proved to be the same, but {r['killer']}")
            wrong += 1
    print(f"{len(killed[::10])} of those killed given to same.py, too")
    for r in results:
        if r["killer"]:
            continue
        r["proof"] = prover.proved(r["place"][0], r["mutant"])
        if not r["proof"]:
            broken(r["place"], out / "rtl")
            r["killer"] = noticed(r["place"], out)
        print(f"mutant {r['mutant']}, {r['place'][0]}:{r['place'][1] + 1}: {r['killer'] or r['proof'] or 'SURVIVES'}", flush=True)
        if told(r, known) not in ("", shown(r)):
            print(f"{REASONS.name} says otherwise: {known[name(r)]}")
            wrong += 1
    return wrong


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
    results, texts = [], [(place[0], line(place)[1]) for place in everything.values()]
    for mutant in chosen:
        place = everything[mutant]
        before, after = line(place)
        killer = found[mutant][1]
        alike = sum(earlier == (place[0], after) for earlier in texts[:mutant])
        results.append({"mutant": mutant, "place": list(place), "alike": alike, "operator": places.OPERATORS[place[3]][0], "before": before, "after": after,
                        "killer": killer, "proof": "", "seconds": found[mutant][0]})
    (options.out / "results.json").write_text(json.dumps(results, indent=1))  # the proofs take long
    wrong = prove(results, options.out) if options.prove else 0
    (options.out / "results.json").write_text(json.dumps(results, indent=1))
    missing = write(results, options.out / "log.md") if options.prove else 0
    killed = sum(bool(r["killer"]) for r in results)
    print(f"{killed} of {len(results)} killed, {time.monotonic() - start:.0f} s")
    for r in results:
        if not r["killer"] and not r["proof"]:
            print(f"SURVIVES: {r['mutant']} {r['place'][0]}:{r['place'][1] + 1} {r['operator']}: {r['after']}")
    known = reasons()
    verdict = shown if options.prove else lambda r: told(r, known)
    print(f"{share(results):.1f} % of all, {rates(results, verdict)} ({'proved' if options.prove else REASONS.name})")
    return 1 if missing or wrong or share([r for r in results if verdict(r) != "same"]) < options.least else 0


if __name__ == "__main__":
    sys.exit(main())
