#!/usr/bin/env python3
"""tools/coflow-trace: quantiles within 10 % of the published ones, one trace a seed, and a check that can fail."""
# SPDX-License-Identifier: Apache-2.0
import pathlib
import subprocess
import sys
import tempfile

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tools" / "coflow-trace"


def tool(*arguments):
    return subprocess.run([TOOL, *map(str, arguments)], capture_output=True, text=True)


def main():
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "trace.txt"
        for seed in (1, 2, 3):
            made = tool("--seed", seed).stdout
            assert made == tool("--seed", seed).stdout, f"seed {seed} makes two traces"
            assert made.startswith("150 526\n") and made.count("\n") == 527, made[:100]
            file.write_text(made)
            checked = tool("--check", file)
            assert checked.returncode == 0, f"seed {seed}:\n{checked.stdout}"
        lines = made.splitlines()
        file.write_text("\n".join(lines[:1] + lines[1:400]) + "\n")  # its last instants are missing
        assert tool("--check", file).returncode == 1, "a trace that is cut off passes"
        small = tool("--coflows", 100, "--ports", 8).stdout
        assert small.startswith("8 100\n"), small[:100]
        assert tool("--coflows", 99).returncode == 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
