#!/usr/bin/env python3
# Runs the bus tests in the simulator that CMake built; fails unless every one of them passed.
# SPDX-License-Identifier: Apache-2.0
"""Usage: run.py SIMULATOR RESULTS.xml [SIMULATOR_ARGUMENT...], with the Python that has cocotb. LIGHTLOOP_SEED: the seed (1)."""
import os
import pathlib
import subprocess
import sys
import xml.etree.ElementTree

import find_libpython

simulator, results, *arguments = sys.argv[1:]
simulator, results = (str(pathlib.Path(path).resolve()) for path in (simulator, results))
here = pathlib.Path(__file__).parent
seed = os.environ.get("LIGHTLOOP_SEED", "1")
print(f"LIGHTLOOP_SEED={seed}")
pathlib.Path(results).unlink(missing_ok=True)
status = subprocess.run(
    [simulator, *arguments], cwd=pathlib.Path(results).parent,
    env=os.environ | {"MODULE": "test_axil", "TOPLEVEL": "board", "TOPLEVEL_LANG": "verilog", "RANDOM_SEED": seed,
                      "PYTHONPATH": str(here), "PYTHONDONTWRITEBYTECODE": "1", "COCOTB_RESULTS_FILE": results,
                      "VIRTUAL_ENV": sys.prefix, "LIBPYTHON_LOC": find_libpython.find_libpython() or ""}).returncode
if status != 0 or not pathlib.Path(results).exists():
    sys.exit(f"the simulator ended with status {status}")
cases = list(xml.etree.ElementTree.parse(results).iter("testcase"))
failed = [case.get("name") for case in cases if case.find("failure") is not None or case.find("error") is not None]
print(f"{len(cases) - len(failed)} passed, {len(failed)} failed")
sys.exit(1 if failed or not cases else 0)
