#!/usr/bin/env python3
# The event hashes of ten experiments are the same from g++ and clang, optimised and not, with and without LTO.
# SPDX-License-Identifier: Apache-2.0
"""Usage: compilers.py [--only WORD] [--write] [--program LIGHTLOOP_SIM]

Builds lightloop in build/compilers/NAME for each compiler, level and LTO, runs ten experiments on the model with it, and compares
what the rows hold with hashes.txt. --write: writes that file with the first one. --program: asks this one alone. Exit 1 if one differs or can't be built."""
import argparse
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
COMPILERS = {"g++": ("gcc", "g++"), "clang": ("clang-14", "clang++-14")}
WAYS = {f"{compiler}-{level}{lto}": (COMPILERS[compiler], level, bool(lto)) for compiler in COMPILERS for level in ("O0", "O1", "O2", "O3")
        for lto in ("", "-lto")}
EXPERIMENTS = {
    "bsp_phase": [], "asp": ["job.sync=asp", "job.payload=full"], "ssp": ["job.sync=ssp", "compute.jitter=uniform 30 %"],
    "predictive": ["job.sync=predictive", "compute.jitter=normal 10 %"], "collective": ["job.collective=all_reduce", "job.payload=digest"],
    "peers": ["job.peers=random", "peers.layer=L7", "job.payload=full"], "packet": ["network=packet", "job.payload=full"],
    "planes": ["fabric.planes=2", "fabric.ports=8"], "outages": ["fabric.outages=0: 3 us - 9 us", "job.payload=digest"],
    "timetable": ["control.mode=timetable", "nodes.clock_spread=200 ns"]}


def build(name: str) -> pathlib.Path:
    (c, cpp), level, lto = WAYS[name]
    made = ROOT / "build/compilers" / name
    subprocess.run(["cmake", "-S", ROOT, "-B", made, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", f"-DCMAKE_C_COMPILER={c}",
                    f"-DCMAKE_CXX_COMPILER={cpp}", f"-DCMAKE_CXX_FLAGS_RELEASE=-{level} -DNDEBUG", f"-DCMAKE_C_FLAGS_RELEASE=-{level} -DNDEBUG",
                    f"-DCMAKE_INTERPROCEDURAL_OPTIMIZATION={'ON' if lto else 'OFF'}", "-DLIGHTLOOP_TESTS=OFF", "-DLIGHTLOOP_WERROR=OFF",
                    f"-DPython_EXECUTABLE={ROOT}/build/venv/bin/python"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", made, "--target", "lightloop-sim", "-j2"], check=True, stdout=subprocess.DEVNULL)
    return made / "bin/lightloop-sim"


def hashes(program: pathlib.Path) -> str:
    """A line for each experiment: its name, and a number over all that happened and all columns of its rows."""
    lines = []
    for name, settings in EXPERIMENTS.items():
        scenario = "; ".join(["seed 1", "set nodes.transport=tcp"] + [f"set {setting}" for setting in settings])
        done = subprocess.run([program, "--scenario", scenario, "--rows"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        rows = [line for line in done.stdout.splitlines() if line.startswith("rows ")]
        if done.returncode != 0 or len(rows) != 1:
            return f"{name}: {done.stdout}"
        lines.append(f"{name} {rows[0]}")
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--program", type=pathlib.Path)
    options = parser.parse_args()
    if options.program:
        WAYS.clear()
        WAYS[str(options.program)] = (("", ""), "", False)
    kept, wrong, tried = HERE / "hashes.txt", 0, 0
    for name in WAYS:
        if options.only not in name:
            continue
        tried += 1
        try:
            found = hashes(options.program or build(name))
        except subprocess.CalledProcessError as failure:
            found = f"it can't be built: {failure}"
        if options.write and tried == 1:
            kept.write_text(found)
        same = found == kept.read_text()
        wrong += not same
        print(f"{'the same' if same else 'DIFFERS'}: {name}" + ("" if same else f"\n{found}"), flush=True)
    print(f"{tried - wrong} of {tried} have the hashes of hashes.txt")
    return 1 if wrong or not tried else 0


if __name__ == "__main__":
    sys.exit(main())
