#!/usr/bin/env python3
# Puts bugs into a copy of the tree and sees the simulator find each.
# SPDX-License-Identifier: Apache-2.0
"""Usage: bugs.py [--only WORD] [--minutes M] [--write]

Each bug of bug_list.py is put into a copy of the sources, build/sim-bugs/tree; one program has all of them, and the environment
variable LIGHTLOOP_SIM_BUG chooses one. lightloop-sim has to find each within M minutes (default 10), and none without a bug.
bugs.txt keeps a scenario of each: it is played first. --write keeps the scenarios that were found there. Exit 1 if a bug is
missed."""
import argparse
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import time

from bug_list import BUGS

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
OUT = ROOT / "build/sim-bugs"
SWITCH = """// Which bug is chosen.
#pragma once
#include <cstdlib>
#include <string_view>
namespace ocs {
inline bool bug(std::string_view name) {
  const char* chosen = std::getenv("LIGHTLOOP_SIM_BUG");
  return chosen != nullptr && name == chosen;
}
}  // namespace ocs
"""


def copy_tree(tree: pathlib.Path) -> None:
    """What is in the index or new, with the bugs; files that have not changed keep their times."""
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, check=True, stdout=subprocess.PIPE)
    texts = {}
    for _, file, old, new in BUGS:
        text = texts.get(file) or '#include "sim_bug.hpp"\n' + (ROOT / file).read_text()
        if text.count(old) != 1:
            sys.exit(f"bugs.py: {file} has {text.count(old)} times, not once: {old}")
        texts[file] = text.replace(old, new)
    texts["sim_bug.hpp"] = SWITCH
    for name in listed.stdout.decode().split("\0"):
        source = ROOT / name
        if not name or name in texts or not source.is_file():
            continue
        target = tree / name
        if target.is_file() and target.read_bytes() == source.read_bytes():
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source, target)
    for name, text in texts.items():
        target = tree / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.is_file() or target.read_text() != text:
            target.write_text(text)


def build() -> pathlib.Path:
    tree = OUT / "tree"
    made = tree / "build/made"
    copy_tree(tree)
    venv = tree / "build/venv"
    if not venv.exists():
        venv.parent.mkdir(exist_ok=True)
        venv.symlink_to((ROOT / "build/venv").resolve())
    # As preset release is built, so that the compiler cache knows what has no bug.
    subprocess.run(["cmake", "-S", tree, "-B", made, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DLIGHTLOOP_PYTHON=ON",
                    f"-DPython_EXECUTABLE={tree}/build/venv/bin/python"], check=True, stdout=subprocess.DEVNULL)
    done = subprocess.run(["cmake", "--build", made, "--target", "lightloop-sim", "-j2"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        sys.exit("bugs.py: the program with the bugs cannot be built: " + done.stdout[-3000:])
    return made / "bin/lightloop-sim"


def kept() -> dict[str, str]:
    lines = (HERE / "bugs.txt").read_text().splitlines() if (HERE / "bugs.txt").is_file() else []
    return dict(line.split("  ", 1) for line in lines if line and not line.startswith("#"))


def found(program: pathlib.Path, bug: str, arguments: list[str]) -> tuple[bool, str, str]:
    """Whether it was found; the violation; the scenario."""
    environment = dict(os.environ, LIGHTLOOP_SIM_BUG=bug, LIGHTLOOP_DATA=str(ROOT / "testbed"))
    done = subprocess.run([program, *arguments], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    lines = done.stdout.splitlines()
    violation = next((line for line in lines if line.startswith("violation: ")), "".join(lines[-1:]))
    scenario = next((shlex.split(line)[2] for line in lines if line.startswith("lightloop-sim --scenario")), "")
    return done.returncode == 1 and bool(scenario), violation, scenario


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    program = build()
    known, missed, new = kept(), 0, {}
    for bug, *_ in BUGS:
        if options.only not in bug:
            continue
        began = time.monotonic()
        how = "as kept"
        hit, violation, scenario = found(program, bug, ["--scenario", known[bug]]) if bug in known else (False, "", "")
        if not hit:
            how = "searched"
            hit, violation, scenario = found(program, bug, ["--minutes", str(options.minutes), "--seed", "1"])
        new[bug] = scenario
        missed += not hit
        print(f"{'found' if hit else 'MISSED'}: {bug} ({how}, {time.monotonic() - began:.1f} s) {violation}", flush=True)
    innocent = [bug for bug, scenario in new.items() if scenario and found(program, "", ["--scenario", scenario])[0]]
    for bug in innocent:
        print(f"WRONG: the scenario of {bug} breaks something without it")
    if options.write:
        known.update({bug: scenario for bug, scenario in new.items() if scenario})
        (HERE / "bugs.txt").write_text("# A scenario that finds each bug of bug_list.py; bugs.py --write writes this file.\n" +
                                       "".join(f"{bug}  {known[bug]}\n" for bug, *_ in BUGS if bug in known))
    print(f"{len(new) - missed} of {len(new)} bugs found")
    return 1 if missed or innocent or not new else 0


if __name__ == "__main__":
    sys.exit(main())
