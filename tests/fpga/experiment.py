#!/usr/bin/env python3
# An experiment on the Verilated FPGA top, through its serial line, as on a board.
# SPDX-License-Identifier: Apache-2.0
"""Usage: experiment.py LIGHTLOOP BOARD [OPTION ...] (the program of board.cpp and its options). Exit 1 and what is wrong."""
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FABRIC = ["--set", "fabric.ports=4", "--set", "job.workers=3", "--set", "job.servers=1",
          "--set", "policy=hlf", "--set", "job.iterations=1", "--set", 'control.lead="48 ms"']


def row(lightloop: str, device: str, rate: str) -> dict:
    done = subprocess.run([lightloop, "run", ROOT / "testbed/experiments/tiny.toml", "--set", f"fabric.device={device}", "--set", f'fabric.rate="{rate}"', *FABRIC,
                           "--json", "-", "--quiet"], capture_output=True, text=True, check=False, timeout=250)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["rows"][0]


def refused(lightloop: str, *arguments: str) -> str:
    done = subprocess.run([lightloop, "regs", *arguments, "-c", "read ID"], capture_output=True, text=True, check=False, timeout=250)
    assert done.returncode != 0, done.stdout
    return done.stderr


def main() -> int:
    lightloop, program = sys.argv[1], sys.argv[2:]
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as board:
        place = "uart:" + board.stdout.readline().strip()
        try:
            assert "ports must be 4" in refused(lightloop, place, "--ports", "8")
            assert "one word a cycle: 25600000000 bit/s" in refused(lightloop, place, "--ports", "4")
            on_board, twin = row(lightloop, place, "device"), row(lightloop, "model", "12.8 Gbit/s")
        finally:
            board.stdin.close()
            board.wait(100)
        assert "can't be opened" in refused(lightloop, place, "--ports", "4") or "gone" in refused(lightloop, place, "--ports", "4")
    for column in ("words_passed", "bytes_delivered", "reconfigurations", "events"):
        assert on_board[column] == twin[column], f"{column}: {on_board[column]} on the board, {twin[column]} on its twin"
    for column in ("words_lost", "crc_errors", "sum_errors"):
        assert on_board[column] == 0, f"{column}: {on_board[column]}"
    assert on_board["event_log_hash"] is None and on_board["commands"] > 0
    print(f"PST {on_board['pst_mean_ps'] / 1e9:.3f} ms on the board, {twin['pst_mean_ps'] / 1e9:.3f} ms on its twin; "
          f"{on_board['commands_late']} of {on_board['commands']} commands late, median {on_board['command_median_ps'] / 1e9:.3f} ms")
    return 0


if __name__ == "__main__":
    sys.exit(main())
