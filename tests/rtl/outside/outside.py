#!/usr/bin/env python3
# Reads the RTL as another project would: through its file lists, from other folders. docs.docs_instantiate runs the page's commands.
# SPDX-License-Identifier: Apache-2.0
"""Usage: outside.py verilator|yosys|pyslang. Exit 1 with the tool's words if it refuses."""
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
CORES = {("ocs.f",): "ocs_top", ("ocs_fast.f",): "ocs_fast_top", ("ocs.f", "skew/ocs_skew.f"): "ocs_skew_top"}
PAGE = ROOT / "docs/instantiate.md"


def page_blocks() -> list[str]:
    """The indented blocks of the page, without their indentation."""
    blocks = re.findall(r"(?:^    .*\n|^\n(?=    ))+", PAGE.read_text(), re.M)
    return [re.sub(r"^    ", "", block.strip("\n"), flags=re.M) for block in blocks]


def lists(names: tuple[str, ...], rtl: str) -> list[str]:
    return [word for name in names for word in ("-F", f"{rtl}/{name}")]


def run(command: list[str], folder) -> None:
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)} in {folder}:\n{done.stdout}")


def verilator() -> None:
    example = [block for block in page_blocks() if block.startswith("module ")]
    with tempfile.TemporaryDirectory() as folder:
        for names, top in CORES.items():
            run(["verilator", "--lint-only", "--unroll-count", "4", *lists(names, f"{ROOT}/rtl"), "--top-module", top], folder)
            # No top is named, so a source that the core does not use is a second top: a warning, and so an error. ocs.f has a top of its own.
            if len(names) == 1:
                run(["verilator", "--lint-only", "-Wall", f"{ROOT}/rtl/ocs.vlt", *lists(names, f"{ROOT}/rtl")], folder)
        (pathlib.Path(folder) / "my_chip.sv").write_text(example[0] + "\n")
        waived = ["-Wno-DECLFILENAME", "-Wno-PINCONNECTEMPTY"]
        run(["verilator", "--lint-only", "-Wall", *waived, f"{ROOT}/rtl/ocs.vlt", "--unroll-count", "4",
             *lists(("ocs.f", "skew/ocs_skew.f"), f"{ROOT}/rtl"), "my_chip.sv", "--top-module", "my_chip"], folder)


def with_yosys() -> None:
    sys.path.insert(0, str(ROOT / "tools"))
    import yosys
    with tempfile.TemporaryDirectory() as folder:
        for names, top in CORES.items():
            yosys.yosys([f"read_slang --threads 1 {' '.join(lists(names, '/src/rtl'))} --top {top} -G N=4", f"hierarchy -check -top {top}"],
                        pathlib.Path(folder), 300)


def with_pyslang() -> None:
    from pyslang import driver
    for names, top in CORES.items():
        reader = driver.Driver()
        reader.addStandardArgs()
        named = " and ".join(f"rtl/{name}" for name in names)
        chosen = f" --top {top}" if len(names) > 1 else ""  # ocs.f has a top of its own
        if not (reader.parseCommandLine(f"slang {' '.join(lists(names, f'{ROOT}/rtl'))}{chosen}") and reader.processOptions() and reader.parseAllSources()):
            raise RuntimeError(f"pyslang does not read {named}")
        tops = [instance.name for instance in reader.createCompilation().getRoot().topInstances]
        if tops != [top] or not reader.runFullCompilation():
            raise RuntimeError(f"{named}: the tops are {tops}, or errors that are printed above")


if __name__ == "__main__":
    try:
        {"verilator": verilator, "yosys": with_yosys, "pyslang": with_pyslang}[sys.argv[1]]()
    except RuntimeError as error:
        sys.exit(str(error))
