#!/usr/bin/env python3
# Breaks each sentence of the contract in the RTL and asks the register programs that hold its rule whether they notice.
# SPDX-License-Identifier: Apache-2.0
"""Usage: breaches.py --program TEST_CONFORMANCE [--out FOLDER] [--jobs J] [--only SENTENCE] [--all-programs]
       breaches.py --check

breaches.txt has a change of the RTL in counter style for each sentence of docs/switch-contract.md, or why there is none. All changes are
in one copy of the RTL, in which a number says which of them acts. Of each, the programs that evidence.txt names for its rule run on the
C++ model and on that copy; --all-programs: all of them. FOLDER/breaches.md gets who noticed what.
Exit 1 if a sentence has neither a change nor a reason, if a change is noticed by no program, or if the RTL without a change fails.
--check: reads the files alone."""
import argparse
import concurrent.futures
import dataclasses
import os
import pathlib
import re
import shutil
import subprocess
import sys

import trace

sys.path.insert(0, str(trace.ROOT / "tests/mutation"))
import places  # noqa: E402  (tests/mutation/places.py)

ROOT, HERE = trace.ROOT, pathlib.Path(__file__).resolve().parent
FILE = HERE / "breaches.txt"
SENTENCE = re.compile(r"(?<=[a-z0-9)\]`*}])[.!?] (?=[A-Z`*\[(])")
NUMBER = re.compile(r"^\d+\. ")  # of a list's item
TEST = "Switch/Programs.GiveTheExpectedResultOnEveryDevice/"
MOST_SECONDS = 30  # a change may make a program endless; the programs of a rule take one or two

# What package ocs_mutant (places.py) asks for.
CHOICE = """
#include <cstdlib>
extern "C" int ocs_mutant_chosen() {
  const char* chosen = std::getenv("LIGHTLOOP_BREACH");
  return chosen == nullptr ? 0 : std::atoi(chosen);
}
"""


@dataclasses.dataclass
class Breach:
    sentences: list[str]
    module: str  # "-": none can be noticed
    text: str = ""
    instead: str = ""
    reason: str = ""
    number: int = 0
    start: int = 0
    end: int = 0


def sentences() -> dict[str, str]:
    """"2.10/3" -> text."""
    return {f"{rule}/{k}": part for rule, text in trace.rules().items() for k, part in enumerate(SENTENCE.split(NUMBER.sub("", text)), 1)}


def path_of(module: str) -> pathlib.Path:
    return ROOT / f"rtl/ocs_{module}.sv"


def pattern(text: str) -> str:
    return r"\s+".join(re.escape(word) for word in text.split())


def locate(breach: Breach) -> None:
    """Where the changed part is. Its text has one place."""
    source = path_of(breach.module).read_text()
    before, changed, after = re.fullmatch(r"(?:(.*)«(.*)»(.*)|.*)", breach.text, re.S).groups()
    if changed is None:
        before, changed, after = "", breach.text, ""
    found = list(re.finditer(pattern(before + changed + after), source))
    if len(found) != 1:
        raise ValueError(f"{FILE.name}: {breach.sentences[0]}: \"{breach.text}\" is {len(found)} times in {path_of(breach.module).name}")
    ahead = re.compile((pattern(before) + r"\s*" if before else "") + f"({pattern(changed)})").match(source, found[0].start())
    breach.start, breach.end = ahead.span(1)


def breaches() -> list[Breach]:
    out = []
    for line in FILE.read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        names, module, rest = line.split(" | ", 2)
        breach = Breach(names.split(), module)
        if module == "-":
            breach.reason = rest
        else:
            breach.text, breach.instead = rest.split(" ==> ")
            breach.number = 1 + sum(one.number > 0 for one in out)
            locate(breach)
        out.append(breach)
    return out


def changed(module: str, own: list[Breach]) -> str:
    """The module with all its changes, each of which acts when its number is chosen."""
    source, after = path_of(module).read_text(), None
    places: dict[tuple[int, int], list[Breach]] = {}
    for breach in own:
        places.setdefault((breach.start, breach.end), []).append(breach)
    for (start, end), here in sorted(places.items(), reverse=True):
        if after is not None and end > after:
            raise ValueError(f"{FILE.name}: {here[0].sentences[0]}: \"{here[0].text}\" overlaps another change")
        text, after = source[start:end], start
        for breach in here:
            chosen = f"ocs_mutant::chosen == {breach.number}"
            text = f"if ({chosen}) {breach.instead} else {text}" if text.endswith(";") else f"({chosen} ? ({breach.instead}) : ({text}))"
        source = source[:start] + text + source[end:]
    return source


def changed_modules(all_of_them: list[Breach]) -> dict[str, str]:
    return {module: changed(module, [breach for breach in all_of_them if breach.module == module])
            for module in {breach.module for breach in all_of_them} - {"-"}}


def write_copy(modules: dict[str, str], out: pathlib.Path) -> None:
    """FOLDER/rtl, to be named by LIGHTLOOP_RTL. What is the same stays as it is, so that it is compiled once."""
    rtl = out / "rtl"
    shutil.copytree(ROOT / "rtl", rtl, dirs_exist_ok=True)
    for module, text in modules.items():
        (rtl / f"ocs_{module}.sv").write_text(text)
    (rtl / "ocs_mutant.sv").write_text(places.PACKAGE)
    (rtl / "ocs.f").write_text("ocs_mutant.sv\n" + (ROOT / "rtl/ocs.f").read_text())
    (rtl / "ocs.vlt").write_text((ROOT / "rtl/ocs.vlt").read_text() + "".join(f"lint_off -rule {rule}\n" for rule in (
        "WIDTH", "UNUSED", "UNUSEDSIGNAL", "UNOPTFLAT", "CMPCONST", "UNSIGNED", "LITENDIAN", "BLKSEQ", "CASEINCOMPLETE")))
    (rtl / "object/switch_object.cpp").write_text((ROOT / "rtl/object/switch_object.cpp").read_text() + CHOICE)


def programs_of_rules() -> dict[str, set[str]]:
    """Golden programs that hold each rule."""
    names = trace.known()
    return {rule: {name for pattern_of in patterns for name in trace.spelled_out(pattern_of, names) if "." not in name and "/" not in name}
            for rule, patterns in trace.evidence().items()}


def run(program: pathlib.Path, out: pathlib.Path, number: int, wanted: str) -> subprocess.CompletedProcess:
    environment = os.environ | {"LIGHTLOOP_RTL": str(out / "rtl"), "LIGHTLOOP_BREACH": str(number), "LIGHTLOOP_TRACE": "off",
                                "LIGHTLOOP_DEVICES": "model,verilated_counter"}
    return subprocess.run([program, f"--gtest_filter={wanted}"], env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, timeout=MOST_SECONDS if number else None, check=False, errors="replace")


def unbroken(program: pathlib.Path, out: pathlib.Path) -> str:
    """Compiles the copy in all sizes. What is wrong with it when no change acts; the smallest switch first, for it may not compile."""
    for wanted in (TEST + "two_ports_cross", TEST + "*"):
        done = run(program, out, 0, wanted)
        if done.returncode != 0:
            return "without any change programs fail: " + done.stdout[-2000:]
    return ""


def noticed_by(program: pathlib.Path, out: pathlib.Path, number: int, programs: list[str]) -> list[str]:
    """Programs that fail, of these (none: of all)."""
    wanted = ":".join(f"{TEST}{name.replace('-', '_')}*" for name in programs) or TEST + "*"
    try:
        done = run(program, out, number, wanted)
    except subprocess.TimeoutExpired:
        return ["(it does not end)"]
    failed = sorted(set(re.findall(rf"^\[  FAILED  \] {re.escape(TEST)}(\w+)", done.stdout, re.M)))
    if done.returncode < 0 and not failed:
        return ["(it crashes)"]
    if done.returncode == 0 and "[  PASSED  ]" not in done.stdout:
        raise ValueError(f"no test ran for {wanted}")
    return failed


def judged(changes: list[Breach], options) -> list[tuple[Breach, list[str]]]:
    """Each change with who notices it."""
    held, rows = programs_of_rules(), []

    def ask(breach: Breach) -> list[str]:
        programs = set().union(*(held.get(sentence.split("/")[0], set()) for sentence in breach.sentences))
        return noticed_by(options.program, options.out, breach.number, [] if options.all_programs else sorted(programs))

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for breach, who in zip(changes, pool.map(ask, changes)):
            rows.append((breach, who))
            print(f"{len(rows)} of {len(changes)}: {' '.join(breach.sentences)}: {', '.join(who) or 'nobody'}", flush=True)
    return rows


def mistakes(all_of_them: list[Breach]) -> list[str]:
    known = sentences()
    held = {sentence for breach in all_of_them for sentence in breach.sentences}
    return [f"sentence {name} has neither a change nor a reason: \"{text[:90]}\"" for name, text in known.items() if name not in held] + [
        f"{FILE.name} speaks of sentence {name}, which the contract does not have" for name in sorted(held - set(known))]


def page(rows: list[tuple[Breach, list[str]]], all_of_them: list[Breach]) -> str:
    lines = ["# Sentences of the contract, each broken", "", "| sentences | module | change | noticed by |", "|---|---|---|---|"]
    for breach, who in rows:
        text = re.sub(r"\|", r"\\|", f"`{breach.text}` → `{breach.instead}`")
        lines.append(f"| {' '.join(breach.sentences)} | {breach.module} | {text} | {', '.join(who) or '**nobody**'} |")
    lines += ["", "Sentences without a change:", ""]
    lines += [f"- {' '.join(breach.sentences)}: {breach.reason}" for breach in all_of_them if breach.module == "-"]
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "build/breaches")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--only", default="")
    parser.add_argument("--all-programs", action="store_true")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    all_of_them = breaches()
    wrong = mistakes(all_of_them)
    changes = [breach for breach in all_of_them if breach.number and (not options.only or options.only in breach.sentences)]
    modules = changed_modules(all_of_them)
    if not options.check:
        if options.program is None:
            parser.error("--program names the program that runs register programs")
        write_copy(modules, options.out)
        if fails := unbroken(options.program, options.out):
            wrong.append(fails)
        else:
            rows = judged(changes, options)
            (options.out / "breaches.md").write_text(page(rows, all_of_them))
            wrong += [f"{' '.join(breach.sentences)}: no program notices \"{breach.text}\" become \"{breach.instead}\"" for breach, who in rows if not who]
            print(f"{sum(bool(who) for _, who in rows)} of {len(rows)} changes are noticed by a program that holds the rule")
    print("\n".join(wrong), end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
