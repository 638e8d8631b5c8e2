#!/usr/bin/env python3
# Breaks the RTL, one bug a property, and sees that very property fail.
# SPDX-License-Identifier: Apache-2.0
"""Usage: bugs.py [--quick] [--only WORD] [--jobs N] [--out FOLDER]

Each bug of bug_list.py is put into a copy of rtl/; prove.py has to find that the property doesn't hold of it. --quick: those of the
subjects that take seconds. --only: subjects or properties whose name contains WORD. Exit 1 if a property holds in spite of its bug,
isn't decided, or if a text to be replaced isn't there just once."""
import argparse
import concurrent.futures
import pathlib
import shutil
import subprocess
import sys

from bug_list import BUGS, LARGE, PORTS, QUICK

HERE = pathlib.Path(__file__).resolve().parent
RTL = HERE.parents[1] / "rtl"


def caught(subject: str, name: str, file: str, old: str, new: str, copy: pathlib.Path, out: pathlib.Path) -> str:
    """Empty, or why the bug wasn't caught. `copy`: a folder of this bug alone; netlists in `out` serve those that don't change them."""
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(RTL, copy)
    text = (copy / file).read_text()
    if text.count(old) != 1:
        return f"{file} has {text.count(old)} times, not once: {old}"
    (copy / file).write_text(text.replace(old, new))
    more = ["--large"] if subject in LARGE else ["--all", "--ports", str(PORTS[subject])] if subject in PORTS else []
    done = subprocess.run([sys.executable, str(HERE / "prove.py"), "--only", subject, "--property", name, "--rtl", str(copy), "--out", str(out), *more],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    shutil.rmtree(copy)
    failed = [line for line in done.stdout.splitlines() if line.startswith("FAILED")]
    return "" if failed and done.returncode == 1 else f"{name} holds in spite of it:\n{done.stdout[-1500:]}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--out", type=pathlib.Path, default=HERE.parents[1] / "build/formal-bugs")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    chosen = [bug for bug in BUGS if (not options.quick or bug[0] in QUICK) and any(options.only in word for word in bug[:2])]
    missed = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        out = options.out.resolve()
        copies = [out / f"rtl_{number}" for number in range(len(chosen))]
        for bug, why in zip(chosen, pool.map(lambda bug, copy: caught(*bug, copy, out), chosen, copies)):
            missed += bool(why)
            print(f"{'MISSED' if why else 'caught'}: {bug[0]} {bug[1]} {why}", flush=True)
    print(f"{len(chosen) - missed} of {len(chosen)} bugs caught")
    return 1 if missed or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
