#!/usr/bin/env python3
# Runs the controller of docs/tutorials/drive-a-switch.md on a served switch.
# SPDX-License-Identifier: Apache-2.0
"""Usage: run_controller.py LIGHTLOOP SCRIPT. The script gets the port of SCPI."""
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "control_plane"))
from served import Served  # noqa: E402

if __name__ == "__main__":
    with Served("verilated", "--ports", "16", "--switch", "palomar", "--speed", "10") as server:
        sys.exit(subprocess.run([sys.executable, sys.argv[2], str(server.ports["scpi"])], timeout=60, check=False).returncode)
