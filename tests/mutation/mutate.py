#!/usr/bin/env python3
# Breaks the RTL in one place at a time and asks the proofs whether they notice.
# SPDX-License-Identifier: Apache-2.0
"""Usage: mutate.py [--sample K] [--seed S] [--module NAME] [--list] [--out FOLDER] [--write] [--least PERCENT]

A mutant is one place of one module changed by one operator of OPERATORS, which was fixed before any result was known. It is killed when
Yosys refuses it, or a property of the module or the horizon's theorem (prove.py, N = 2) fails; a property that isn't decided in time kills nothing. Results are
kept in FOLDER/results.json, so that a run goes on where the last one ended; --sample K judges K more places, drawn by the seed.
--write: docs/mutation.md. --least: exit 1 if fewer are killed."""
import argparse
import collections
import json
import pathlib
import random
import re
import shutil
import sys
import time

FORMAL = pathlib.Path(__file__).resolve().parents[1] / "formal"
sys.path.insert(0, str(FORMAL))
import prove  # noqa: E402  (tests/formal/prove.py)
import theorems  # noqa: E402
import yosys  # noqa: E402  (tools/yosys.py)

PAGE = yosys.ROOT / "docs/mutation.md"
# Name, what is searched for, what it becomes.
OPERATORS = [
    ("equal to unequal", r" == ", " != "), ("unequal to equal", r" != ", " == "),
    ("less to at most", r" < ", " <= "), ("more to at least", r" > ", " >= "), ("at least to more", r" >= ", " > "),
    ("and to or", r" & ", " | "), ("or to and", r" \| ", " & "), ("plus to minus", r" \+ ", " - "), ("minus to plus", r" - ", " + "),
    ("negation dropped", r"~(?=[\w(])", ""), ("true to false", r"1'b1", "1'b0"), ("false to true", r"1'b0", "1'b1"),
    ("zero to ones", r"'0;", "'1;"), ("or-assign to assign", r" \|= ", " = "), ("condition inverted", r"if \((?!N |S |Depth |Warp)", "if (!"),
]
OUTSIDE = re.compile(r"^\s*(//|for |input |output |parameter |localparam |module |import |function |\$error)|assign (state|cause|tag|index)_o")


def places(module: str) -> list[tuple]:
    """(module, line, column, operator) of every mutant, in the order of the file; only from the module's first always block on."""
    found, body = [], False
    for number, line in enumerate((yosys.ROOT / f"rtl/{module}.sv").read_text().splitlines()):
        body |= "always_comb" in line or "always_ff" in line or line.startswith("  assign")
        if not body or OUTSIDE.search(line):
            continue
        code = line.split("//")[0]
        for index, (_, pattern, _) in enumerate(OPERATORS):
            for match in re.finditer(pattern, code):
                if " <= " in match[0] or code[:match.start()].strip() == "":
                    continue
                found.append((module, number, match.start(), index))
    return found


def broken(place: tuple, folder: pathlib.Path) -> tuple[str, str]:
    """A copy of rtl/ with the mutant in it; the line before and after."""
    module, number, column, index = place
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(yosys.ROOT / "rtl", folder)
    path = folder / f"{module}.sv"
    lines = path.read_text().splitlines()
    before = lines[number]
    _, pattern, new = OPERATORS[index]
    lines[number] = before[:column] + re.sub(pattern, new, before[column:], count=1)
    path.write_text("\n".join(lines) + "\n")
    return before.strip(), lines[number].strip()


class Noticed(Exception):
    """A property failed."""


class Judge(prove.Run):
    """Stops at the first property that fails; covers needn't hold."""

    def note(self, subject, name, ports, answer, want=True):
        if want and answer.proved is False:
            raise Noticed(name)

    def possible(self, *_):
        pass


def judged(place: tuple, out: pathlib.Path) -> dict:
    start = time.monotonic()
    before, after = broken(place, out / "rtl")
    run = Judge(out / "proofs", out / "rtl")
    killer = ""
    try:
        prove.module(run, place[0], 2)
        if place[0] in ("ocs_outputs", "ocs_engines", "ocs_sequencer"):  # those that bound a step
            theorems.horizon(run, 2)
    except Noticed as by:
        killer = str(by)
    except yosys.ToolError:
        killer = "Yosys"
    return {"place": list(place), "operator": OPERATORS[place[3]][0], "before": before, "after": after, "killer": killer,
            "seconds": round(time.monotonic() - start, 1)}


def write(results: list[dict], total: int) -> None:
    killed = [result for result in results if result["killer"]]
    lines = ["# What breaks unnoticed", "",
             "Written by `tests/mutation/mutate.py --write`. One place of one module is changed at a time, by one of the operators in the script,",
             "and the module's properties and the horizon's theorem are proved anew (N = 2). Here the proofs alone judge: a survivor may well be killed by the",
             "conformance programs, which aren't run on mutants.", "",
             f"{len(results)} of {total} mutants judged, {len(killed)} killed ({100 * len(killed) / max(1, len(results)):.1f} %), "
             f"{sum(r['seconds'] for r in results):.0f} s.", "", "| module | judged | killed |", "|---|---|---|"]
    for module in prove.MODULES:
        own = [r for r in results if r["place"][0] == module]
        lines.append(f"| {module} | {len(own)} | {sum(bool(r['killer']) for r in own)} |")
    lines += ["", "| killed by | mutants |", "|---|---|"]
    lines += [f"| {name} | {count} |" for name, count in collections.Counter(r["killer"] for r in killed).most_common()]
    lines += ["", "Survivors of the proofs:", "", "| module, line | operator | becomes |", "|---|---|---|"]
    lines += [f"| {r['place'][0]}:{r['place'][1] + 1} | {r['operator']} | `{r['after'].replace('|', chr(92) + '|')}` |"
              for r in sorted(results, key=lambda r: r["place"]) if not r["killer"]]
    PAGE.write_text("\n".join(lines) + "\n")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--module", default="")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--out", type=pathlib.Path, default=yosys.ROOT / "build/mutation")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--least", type=float, default=0)
    options = parser.parse_args()
    everything = [place for module in prove.MODULES for place in places(module)]
    todo = [place for place in everything if options.module in place[0]]
    if options.list:
        print("\n".join(f"{m}:{n + 1}:{c} {OPERATORS[o][0]}" for m, n, c, o in todo))
        print(f"{len(todo)} mutants")
        return 0
    options.out.mkdir(parents=True, exist_ok=True)
    kept = options.out / "results.json"
    results = {tuple(r["place"]): r for r in json.loads(kept.read_text())} if kept.exists() else {}
    random.Random(options.seed).shuffle(todo)
    for place in [place for place in todo if place not in results][:options.sample]:
        results[place] = result = judged(place, options.out)
        print(f"{'killed by ' + result['killer'] if result['killer'] else 'SURVIVES'}: {place[0]}:{place[1] + 1} {result['operator']} "
              f"{result['seconds']} s", flush=True)
        kept.write_text(json.dumps(list(results.values()), indent=1))
    if options.write:
        write(list(results.values()), len(everything))
    killed = sum(bool(r["killer"]) for r in results.values())
    print(f"{killed} of {len(results)} killed")
    return 1 if 100 * killed < options.least * len(results) else 0


if __name__ == "__main__":
    sys.exit(main())
