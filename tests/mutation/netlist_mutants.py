#!/usr/bin/env python3
# Breaks a netlist of the switch in one place at a time and asks register programs alone, then a proof, whether they notice.
# SPDX-License-Identifier: Apache-2.0
"""Usage: netlist_mutants.py --judge PROGRAM [--top TOP] [--mutants K] [--seed S] [--programs P] [--jobs J] [--batch B] [--out FOLDER]
                          [--least PERCENT] [--no-proofs]

TOP (ocs_fast_top, or ocs_top with the counter-style core and its minimum tree) with 4 ports becomes a netlist of words, without the
checks of rtl/checks. Yosys' `mutate` lists K changes of it (default 2000): a bit of a cell's port is inverted, constant, or inverted if
another bit is 0 or 1; of a clock none is changed. B of them at a time are in one Verilated netlist, whose input says which one acts.
PROGRAM (ocs_netlist_judge) runs the register programs of tests/goldens/switch on each, warped, beside the C++ model; what differs kills, so
do a crash and ten times as many edges. The netlist without a change has to pass all of them, and one with the lowest bit of the time
inverted must not. These programs in two other ways, and P random ones, run on those that nobody has noticed and that aren't proved to be
the same.
Of a survivor it is asked whether it does the same as the switch in any state and with any inputs (netlist_same.py), and if not, whether a
mutant of the fast core does so in those that are related to the counter core's (netlist_related.py); and of every tenth of those that are
killed, which must not be.
FOLDER/log.md gets what became of each. Exit 1 if fewer than --least percent are killed of those that aren't proved to be the same."""
import argparse
import collections
import concurrent.futures
import functools
import json
import multiprocessing.connection
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[2] / folder) for folder in ("tools", "tests/formal")]
import apart  # noqa: E402  (tests/formal)
import yosys  # noqa: E402  (tools/yosys.py)

ROOT, HERE = yosys.ROOT, pathlib.Path(__file__).resolve().parent
PORTS, ENTRIES, DEPTH, WIDTH = 4, 16, 64, 16
LONGEST = 400  # seconds of a processor for the proofs of a mutant
LISTS = {"ocs_top": "ocs.f", "ocs_fast_top": "ocs_fast.f"}
KNOWN = "-mode inv -port Q -wire time_o -wirebit 0"  # every program notices it
# Times and counters of 64 bits. Each is 0 after a reset, or what input `origin_i` says in its high word; what counts no cycles has it in
# its low word, too, since no program makes so many things happen.
FROM_ORIGIN = {
    "ocs_fast_top": ["time_o", "u_core.set_seq_base", *(f"u_core.{name}" for name in (
        "commit_at", "loop_base", "entry_due", "taken_stamp", "dark_from", "since", "sent", "mark", "shown_mark", "passed", "lost", "misrouted", "dark", "tunings",
        "restarts", "unrouted", "unrouted_mark", "commits", "refusals", "lates", "drops"))],
    "ocs_top": ["time_o", "seq_base", "u_core.u_commands.at_q", "u_core.u_events.taken_q", "u_core.u_sequencer.loop_q", *(
        f"u_core.u_counters.{name}_q" for name in ("passed", "lost", "misrouted", "dark", "tunings", "restarts", "sent", "unrouted", "commits",
                                                   "refused", "late", "dropped"))]}
COUNTS_THINGS = ("tunings", "restarts", "commits", "refusals", "refused", "lates", "late", "drops", "dropped")
CHANGE = ("mode", "module", "cell", "port", "portbit", "ctrlbit")  # what `mutate` takes of a line of its list


def flatten(top: str, out: pathlib.Path) -> None:
    """out/switch.il: the switch as words, where of several names of a wire one is left; out/names.json: with all of them; out/registers.json: with
    resets in front of registers. Multiplexers of single bits become gates, since Verilog has no operator for them."""
    lines = (ROOT / "rtl" / LISTS[top]).read_text().splitlines()
    files = [f"/src/rtl/{line}" for line in lines if line and not line.startswith(("//", "+"))]
    yosys.yosys([yosys.read(top, files, {"N": PORTS, "S": ENTRIES, "FifoDepth": DEPTH}), f"hierarchy -top {top}", "proc", "flatten",
                 "opt -full", "bwmuxmap", "write_json /out/names.json", "opt_clean -purge", "write_rtlil /out/switch.il", "dffunmap -srst-only", "write_json /out/registers.json"],
                out, 1200)


def listed(options: str, out: pathlib.Path) -> list[dict]:
    """Changes in the order of Yosys' list; none of a clock."""
    yosys.yosys(["read_rtlil /out/switch.il", f"mutate {options} -o /out/list.txt"], out, 1200)
    found = []
    for line in (out / "list.txt").read_text().splitlines():
        words = line.split()[1:]
        fields = collections.defaultdict(list)
        for name, value in zip(words[::2], words[1::2]):
            fields[name.lstrip("-")].append(value)
        if fields["port"] != ["CLK"]:
            found.append({name: " ".join(values) for name, values in fields.items() if values})
    return found


def drawn(options) -> tuple[dict[int, dict], int]:
    """Changes by number, and the number of the last one, which is no mutant to count but one that has to be noticed."""
    out, count = options.out / "switch", options.mutants
    changes = listed(f"-list {count + count // 20 + 20} -seed {options.seed}", out)[:count]
    known = listed(f"-list 1 {KNOWN}", out)
    if len(changes) != count or len(known) != 1:
        raise yosys.ToolError(f"Yosys lists {len(changes)} of {count} changes, and {len(known)} of \"{KNOWN}\"")
    return dict(enumerate(changes + known, 1)), count + 1


def commands(changes: dict[int, dict]) -> list[str]:
    """Commands of Yosys that put these changes into one netlist, by the number that chooses each."""
    return [f"mutate -ctrl mutant_i {WIDTH} {number} " + " ".join(f"-{name} {change[name]}" for name in CHANGE if name in change)
            for number, change in changes.items()]


def add_cell(module: dict, name: str, kind: str, connections: dict[str, list]) -> list:
    """An operator of as many bits as its first operand, or a register; the bits that it gives."""
    width = len(next(iter(connections.values())))
    first = 1 + max(bit for wire in module["netnames"].values() for bit in wire["bits"] if isinstance(bit, int))
    out, port = list(range(first, first + width)), "Q" if kind == "$dff" else "Y"
    parameters = {"WIDTH": width, "CLK_POLARITY": 1} if kind == "$dff" else {
        "A_SIGNED": 0, "B_SIGNED": 0, "A_WIDTH": width, "B_WIDTH": width, "Y_WIDTH": width}
    module["cells"][name] = {"hide_name": 0, "type": kind, "parameters": {key: f"{value:032b}" for key, value in parameters.items()}, "attributes": {},
                             "port_directions": {key: "input" for key in connections} | {port: "output"}, "connections": connections | {port: out}}
    module["netnames"][f"{name}_out"] = {"hide_name": 0, "bits": out, "attributes": {}}
    return out


def show_activity(module: dict) -> None:
    """Adds output active_o: of each mutant one bit, whether it would have changed its bit at an edge of a clock so far, or would now."""
    chosen = {cell["connections"]["Y"][0]: int("".join(reversed([bit for bit in cell["connections"]["B"]])), 2)
              for name, cell in module["cells"].items() if cell["type"] == "$eq" and ":mutate_ctrl$" in name}
    pairs = {chosen[cell["connections"]["S"][0]]: (cell["connections"]["A"][0], cell["connections"]["B"][0])
             for name, cell in module["cells"].items() if ":mutate_ctrl_mux$" in name}
    active = add_cell(module, "acts", "$xor", {"A": [pairs[k][0] for k in sorted(pairs)], "B": [pairs[k][1] for k in sorted(pairs)]})
    for clock in ("clk_i", "bus_clk_i"):
        earlier = add_cell(module, f"acted_{clock}", "$dff", {"D": active})  # D and clock come next
        register = module["cells"][f"acted_{clock}"]
        either = add_cell(module, f"acts_{clock}", "$or", {"A": active, "B": earlier})
        register["connections"] |= {"D": either, "CLK": module["ports"][clock]["bits"]}
        register["port_directions"]["CLK"] = "input"
        active = either
    module["ports"]["active_o"] = {"direction": "output", "bits": active}
    module["netnames"]["active_o"] = {"hide_name": 0, "bits": active, "attributes": {}}


def displaced_bits(top: str, switch: pathlib.Path) -> dict[tuple[str, int], int]:
    """Of each bit of a time or counter that a reset takes from `origin_i` its register's cell and place in it, and its number in that word."""
    module = json.loads((switch / "registers.json").read_text())["modules"][top]
    place = {bit: (name, k) for name, cell in module["cells"].items() if cell["type"].startswith("$dff") for k, bit in enumerate(cell["connections"]["Q"])}
    found = {}
    for name in FROM_ORIGIN[top]:
        for k, bit in enumerate(module["netnames"][name]["bits"]):
            if k % 64 >= 32 or name.split(".")[-1].removesuffix("_q") in COUNTS_THINGS:
                found[place[bit]] = k % 32
    return found


def begin_at_origin(module: dict, registers: dict[tuple[str, int], int]) -> None:
    """Adds input origin_i, which these bits take at a reset in place of 0."""
    first = 1 + max(bit for wire in module["netnames"].values() for bit in wire["bits"] if isinstance(bit, int))
    origin = list(range(first, first + 32))
    for table in (module["ports"], module["netnames"]):
        table["origin_i"] = {"direction": "input", "hide_name": 0, "bits": origin, "attributes": {}}
    driver = {bit: (cell, k) for cell in module["cells"].values() if cell["type"] == "$mux" for k, bit in enumerate(cell["connections"]["Y"])}
    for (name, k), number in registers.items():
        mux, at = driver[module["cells"][name]["connections"]["D"][k]]
        constant = [port for port in "AB" if mux["connections"][port][at] == "0"]
        if len(constant) != 1:
            raise yosys.ToolError(f"bit {k} of {name} has no reset to 0")
        mux["connections"][constant[0]][at] = origin[number]


def compiled(top: str, changes: dict[int, dict], switch: pathlib.Path, out: pathlib.Path) -> pathlib.Path:
    """The shared object of these mutants. Words are split where their bits have different sources, else they would be loops to
    Verilator, four times as slow."""
    out.mkdir(parents=True, exist_ok=True)
    objects = out / "obj"
    shutil.rmtree(objects, ignore_errors=True)
    yosys.yosys(["read_rtlil /switch/switch.il", *commands(changes), "dffunmap -srst-only", "write_json /out/mutants.json"], out, 1200,
                {"/switch": switch.resolve()})
    design = json.loads((out / "mutants.json").read_text())
    show_activity(design["modules"][top])
    begin_at_origin(design["modules"][top], displaced_bits(top, switch))
    (out / "mutants.json").write_text(json.dumps(design))
    yosys.yosys(["read_json /out/mutants.json", "splitcells", "splitnets -driver", "opt_clean", "write_verilog -noattr /out/mutants.v"], out, 1200)
    subprocess.run(["verilator", "--cc", "--prefix", "Vocs", "--top-module", top, "--Mdir", str(objects), "-Wno-fatal", "-Wno-lint",
                    "-Wno-UNOPTFLAT", "--x-assign", "fast", "--x-initial", "fast", "-O3", str(out / "mutants.v")], check=True)
    include = subprocess.run(["verilator", "--getenv", "VERILATOR_ROOT"], check=True, capture_output=True, text=True).stdout.strip() + "/include"
    unit = objects / "unit.cc"
    unit.write_text("".join(f'#include "{path}"\n' for path in [*sorted(file.name for file in objects.glob("*.cpp")),
                                                                 "tests/mutation/netlist_object.cpp", "verilated.cpp", "verilated_threads.cpp"]))
    subprocess.run([os.environ.get("CXX", "g++"), "-std=c++20", "-O1", "-DNDEBUG", "-w", "-fPIC", "-shared", f"-I{ROOT}", f"-I{ROOT}/rtl/object",
                    f"-I{objects}", "-isystem", include, "-isystem", f"{include}/vltstd", str(unit), "-o", str(out / "mutants.so")], check=True)
    return out / "mutants.so"


def judged(library: pathlib.Path, first: int, numbers: list[int], programs: str, options) -> dict[int, tuple[str, int]]:
    """Killer of each, or no text and the number of runs in which it changed anything. By goldens "warped" or in "others" of the ways, or by a
    number of random programs."""
    logs = library.parent / f"logs{programs}"
    logs.mkdir(exist_ok=True)
    command = [options.judge, library, DEPTH, options.seed, programs, options.jobs, logs, first, *numbers]
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, text=True, check=False)
    found = {}
    for answer in done.stdout.splitlines():
        number, _, killer = (answer.split(" ", 2) + [""])[:3]
        killer = killer.strip()
        found[int(number)] = (killer, 0 if killer else int((logs / f"{number}.log").read_text().split()[-1]))
    if done.returncode != 0 or len(found) != len(numbers):
        raise SystemExit(f"netlist_mutants.py: {options.judge} judged {len(found)} of {len(numbers)} mutants, exit code {done.returncode}")
    return found


def kind(killer: str) -> str:
    if killer.startswith("random program"):
        return "random programs"
    return "goldens" if not killer.startswith("it ") else "crash or time"


def file_of(change: dict) -> str:
    """The file of the RTL that the cell comes from."""
    found = re.findall(r"src/rtl/([\w/.]+):", change.get("src", ""))
    return found[-1] if found else "-"


def place(change: dict) -> str:
    """Cell, port and bit, the wire if it has a name, and lines of the RTL."""
    wire = f", {change['wire']}[{change['wirebit']}]" if "wire" in change else ""
    lines = " ".join(change.get("src", "-").replace("src/rtl/", "").split()[-2:])
    return f"{change['mode']} {change['cell']}.{change['port']}[{change['portbit']}]{wire}: {lines}"


def row(name: str, own: list[dict]) -> str:
    kinds = collections.Counter(kind(r["killer"]) for r in own if r["killer"])
    same = [sum(r["proof"] == states for r in own) for states in ("any state", "related states")]
    left = sum(not r["killer"] and not r["proof"] for r in own)
    return f"| {name} | {len(own)} | {kinds['goldens']} | {kinds['random programs']} | {kinds['crash or time']} | {same[0]} | {same[1]} | {left} |"


def share(results: list[dict]) -> float:
    """Percentage that is killed of those that aren't proved to be the same."""
    others = [r for r in results if not r["proof"]]
    return 100 * sum(bool(r["killer"]) for r in others) / max(1, len(others))


def write(results: list[dict], options) -> None:
    head = "mutants | killed by goldens | by random programs | by a crash or time | proved the same in any state | in related ones | left |"
    files = sorted({file_of(r["change"]) for r in results})
    modes = sorted({r["change"]["mode"] for r in results})
    lines = [f"# Mutants of a netlist of {options.top}", "", f"{len(results)} mutants, seed {options.seed}: {share(results):.1f} % are killed of those that aren't "
             "proved to be the same.", "",
             f"| file | {head}", "|---|---|---|---|---|---|---|---|", *(row(name, [r for r in results if file_of(r["change"]) == name]) for name in files),
             row("all", results), "",
             f"| mode | {head}", "|---|---|---|---|---|---|---|---|", *(row(mode, [r for r in results if r["change"]["mode"] == mode]) for mode in modes), "",
             "Survivors of which nothing is proved:", ""]
    lines += [f"- {r['number']}: {place(r['change'])}{'; not proved: ' * bool(r['doubt'])}{r['doubt']}" for r in results if not r["killer"] and not r["proof"]]
    (options.out / "log.md").write_text("\n".join(lines) + "\n")
    print("\n".join(lines))


class Prover:
    """In which states a mutant is proved to be the same."""

    def __init__(self, changes: dict[int, dict], options) -> None:
        import netlist_related
        import netlist_same
        self.same, self.related = netlist_same.Same(options.top, changes, options.out / "switch", options.out / "same"), None
        if options.top == "ocs_fast_top":
            self.related = netlist_related.Related(self.same, options.out / "related")

    def answer(self, mutant: int) -> Iterator[dict[str, str]]:
        """`proof`: in which states; in none `doubt` is what does not follow in related ones."""
        if self.same.proved(mutant):
            yield {"proof": "any state"}
            return
        doubt = self.related.refuted(mutant) if self.related else "a state that may be out of reach"
        yield {"doubt": doubt} if doubt else {"proof": "related states"}

    def answers(self, mutants: list[int], jobs: int) -> Iterator[tuple[int, dict[str, str]]]:
        """Of each mutant, as they come. Each is asked in a process of its own, which begins with what the solvers of this one have learnt."""
        rest, running = list(mutants), {}
        while rest or running:
            while rest and len(running) < jobs:
                mutant = rest.pop(0)
                process = apart.Apart(LONGEST, functools.partial(self.answer, mutant))
                running[process.answers] = process, mutant
            for ended in multiprocessing.connection.wait(running):
                process, mutant = running.pop(ended)
                found = list(process.each())
                yield mutant, found[0] if found else {"doubt": f"not decided within {LONGEST} s"}


def prove(results: list[dict], options) -> int:
    """Adds to each survivor in which states it is proved to be the same, or what does not follow. How many are that were killed."""
    survivors, killed = [r for r in results if not r["killer"]], [r for r in results if r["killer"]][::options.every]
    prover, of = Prover({r["number"]: r["change"] for r in survivors + killed}, options), {r["number"]: r for r in survivors}
    for number, answer in prover.answers(list(of), options.jobs):
        of[number] |= answer
        r = of[number]
        print(f"mutant {number}: {'the same in ' + r['proof'] if r['proof'] else 'not proved: ' + r['doubt']}; {place(r['change'])}", flush=True)
        keep(results, options)
    killers = {r["number"]: r["killer"] for r in killed}
    wrong = [number for number, answer in prover.answers(list(killers), options.jobs) if "proof" in answer]
    for number in wrong:
        print(f"mutant {number} is proved to be the same, but {killers[number]} notices it")
    print(f"{len(killed)} of those killed were asked about, too", flush=True)
    return len(wrong)


def keep(results: list[dict], options) -> None:
    (options.out / "results.json").write_text(json.dumps(results, indent=1))


def by_goldens(changes: dict[int, dict], options) -> list[dict]:
    numbers, results = list(changes), []
    batches = [numbers[k:k + options.batch] for k in range(0, len(numbers), options.batch)]
    with concurrent.futures.ThreadPoolExecutor(1) as compiler:  # compiles the next batch while one is judged
        libraries = [compiler.submit(compiled, options.top, {k: changes[k] for k in batch}, options.out / "switch", options.out / f"batch{number}")
                     for number, batch in enumerate(batches)]
        for batch, library in zip(batches, libraries):
            found = judged(library.result(), batch[0], batch, "warped", options)
            results += [{"number": k, "change": changes[k], "library": str(library.result()), "first": batch[0], "killer": found[k][0],
                         "runs": found[k][1], "proof": "", "doubt": ""} for k in batch]
            keep(results, options)
            print(f"{len(results)} judged, {sum(bool(r['killer']) for r in results)} killed", flush=True)
    return results


def by_more_programs(results: list[dict], programs: str, options) -> None:
    """Of those that nothing has noticed and that aren't proved to be the same."""
    left = [r for r in results if not r["killer"] and not r["proof"]]
    for library, first in dict.fromkeys((r["library"], r["first"]) for r in left):
        own = {r["number"]: r for r in left if r["library"] == library}
        for number, (killer, runs) in judged(pathlib.Path(library), first, list(own), programs, options).items():
            own[number]["killer"] = killer
            own[number]["runs"] += runs
    keep(results, options)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--judge", type=pathlib.Path, required=True)
    parser.add_argument("--top", choices=sorted(LISTS), default="ocs_fast_top")
    parser.add_argument("--mutants", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--programs", type=int, default=12)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--batch", type=int, default=500)
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "build/netlist_mutants")
    parser.add_argument("--least", type=float, default=0)
    parser.add_argument("--every", type=int, default=10)
    parser.add_argument("--no-proofs", action="store_true")
    options = parser.parse_args()
    start = time.monotonic()
    try:
        flatten(options.top, options.out / "switch")
        changes, known = drawn(options)
        print(f"{options.mutants} mutants of {options.top}, seed {options.seed}", flush=True)
        results = by_goldens(changes, options)
        wrong = int(not results.pop()["killer"])
        if wrong:
            print(f"nothing notices mutant {known}: {place(changes[known])}")
        wrong += 0 if options.no_proofs else prove(results, options)
        by_more_programs(results, "others", options)
        by_more_programs(results, str(options.programs), options)
    except (yosys.ToolError, subprocess.SubprocessError) as error:
        print(f"netlist_mutants.py: {error}")
        return 1
    write(results, options)
    print(f"{share(results):.1f} % killed of those that aren't proved to be the same, {time.monotonic() - start:.0f} s")
    return 1 if wrong or share(results) < options.least else 0


if __name__ == "__main__":
    sys.exit(main())
