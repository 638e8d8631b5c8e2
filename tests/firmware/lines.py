# How much of the driver its suite runs through: lines of ocs_dev.c, counted by gcov.
# SPDX-License-Identifier: Apache-2.0
"""Usage: lines.py PROGRAM FOLDER PERCENT: runs PROGRAM, whose object of ocs_dev.c is somewhere in FOLDER."""
import pathlib
import re
import subprocess
import sys

program, folder, least = sys.argv[1], pathlib.Path(sys.argv[2]), float(sys.argv[3])
for old in folder.rglob("*.gcda"):
    old.unlink()
subprocess.run([program, "--gtest_brief=1"], check=True)
counts = [path for path in folder.rglob("*.gcda") if path.name.startswith("ocs_dev.c")]
if len(counts) != 1:
    sys.exit(f"lines.py: {len(counts)} counts of ocs_dev.c in {folder}, not one")
told = subprocess.run(["gcov", "--no-output", str(counts[0])], check=True, capture_output=True, text=True).stdout
found = re.search(r"ocs_dev\.c'\nLines executed:([\d.]+)% of (\d+)", told)
if not found:
    sys.exit(f"lines.py: gcov says nothing of ocs_dev.c:\n{told}")
print(f"ocs_dev.c: {found[1]} % of {found[2]} lines run, at least {least:g} are wanted")
sys.exit(float(found[1]) < least)
