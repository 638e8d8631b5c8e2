#!/usr/bin/env python3
# LiteX's own comm_uart reads and writes registers of the Verilated FPGA top through a pseudo-terminal.
# SPDX-License-Identifier: Apache-2.0
"""Usage: uartbone.py BOARD [OPTION ...] (the program of board.cpp and its options). Exit 1 and a traceback if anything is wrong."""
import contextlib
import importlib
import importlib.util
import io
import pathlib
import re
import subprocess
import sys
import types


def comm_uart():
    """LiteX's module, without what importing the whole of LiteX needs (migen)."""
    folder = pathlib.Path(importlib.util.find_spec("litex").origin).parent.parent
    for name in ("litex", "litex.tools", "litex.tools.remote"):
        package = types.ModuleType(name)
        package.__path__ = [str(folder.joinpath(*name.split(".")))]
        sys.modules[name] = package
    return importlib.import_module("litex.tools.remote.comm_uart")


VALID = 1 << 31
CommUART = comm_uart().CommUART
ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLE = (ROOT / "rtl/regs/generated/ocs_reg_table.inc").read_text()


def address(name: str) -> int:
    """Byte address of a register of the device."""
    found = re.search(rf'OCS_REGISTER\("{name}", "\w+", 0x([0-9a-f]+),', TABLE)
    assert found, f"no register {name} in ocs_reg_table.inc"
    return int(found[1], 16)


def pause(board: subprocess.Popen) -> None:
    """The board runs twice the cycles after which it forgets half a transaction, however slow this machine is."""
    board.stdin.write("\n")
    board.stdin.flush()
    assert board.stdout.readline() == "ran\n"


def silent(board: subprocess.Popen, line: CommUART) -> None:
    """What was sent last is answered by nothing."""
    pause(board)
    assert line.port.in_waiting == 0, line.port.read(line.port.in_waiting)


def checks(board: subprocess.Popen, line: CommUART) -> int:
    scratch, count = [address(name) for name in ("SEQ_OFFSET", "SEQ_PERIOD")], 0

    def same(found, wanted, what: str) -> None:
        nonlocal count
        count += 1
        assert found == wanted, f"{what}: {found!r}, not {wanted!r}"

    def as_after_power_up() -> None:
        for name in ("STATUS", "ERROR", "EVENT", "EVENT_TIME", "COMMIT_AT", "COMMITS", "REFUSED", "LATE", "DROPPED"):
            same(line.read(address(name)), 0, f"{name} after power-up or reset")
        for port in range(4):  # of states, circuits, counters nothing but 0
            at = address("ACTIVE") + 4 * port
            same(line.read(at), 0, f"ACTIVE of port {port}")
        same(line.read(scratch[0]), 0, "SEQ_OFFSET")

    as_after_power_up()
    for value in (0x12345678, 0xFFFFFFFF, 0, 0xA5A5_5A5A):
        for register in scratch:
            line.write(register, value)
            same(line.read(register), value, f"register {register:#x}")
    same(line.read(address("CYCLE_PS")), 20000, "CYCLE_PS")
    # A burst over neighbours, read and written; the same word many times.
    base = address("SEQ_BASE")
    line.write(base, [1, 2])
    same([line.read(base), line.read(base + 4)], [1, 2], "burst of writes")
    same(line.read(base, 2), [1, 2], "burst of reads")
    line.write(scratch[0], [7, 8, 9], burst="fixed")
    same(line.read(scratch[0], 3, burst="fixed"), [9, 9, 9], "fixed address")
    same(len(line.read(base, 255)), 255, "the longest burst")
    # Time goes on by itself.
    first = line.read(address("TIME"))
    same(line.read(address("TIME")) > first, True, "TIME")
    # Beyond the window, refused by the device: 0, and the next access works.
    same(line.read(0x8200_0000), 0, "outside the window")
    line.write(0x8200_0000, 5)
    same(line.read(scratch[0] | 0xF_F000), 0, "unmapped")
    # An unknown command ends with its address; length 0 does nothing; half a transaction is forgotten in time.
    line.port.write(bytes([9, 1, 0, 0, 0, 0]))
    silent(board, line)
    line.port.write(bytes([2, 0, 0, 0, 0, 0]))
    silent(board, line)
    line.write(scratch[0], 0x600D)
    line.port.write(bytes([1, 1, 0, 0]))
    pause(board)
    same(line.read(scratch[0]), 0x600D, "after half a transaction")
    # A reset with a circuit in TUNING, a commit armed and errors set leaves what power-up left.
    line.write(address("BASE"), 1 << 29)
    line.write(address("SHADOW"), VALID | 3)
    line.write(address("COMMIT"), 1)
    line.write(address("COMMIT_AT"), [0, 1 << 30])
    same(line.read(address("COMMITS")), 1, "COMMITS")
    same(line.read(address("ACTIVE")), VALID | 3, "ACTIVE of port 0")
    same(line.read(address("STATE")), 1, "STATE of port 0: TUNING")
    same(line.read(address("STATUS")) & 2, 2, "a timed commit is armed")
    line.write(address("SOFT_RESET"), 1)
    as_after_power_up()
    return count


def main() -> int:
    with subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as board:
        name = board.stdout.readline().strip()
        line = CommUART(name, 115200)
        line.port.timeout = 100
        with contextlib.redirect_stdout(io.StringIO()):
            line.open()
        count = checks(board, line)
        board.stdin.close()
        assert board.wait(100) == 0
    print(f"{count} comparisons")
    return 0


if __name__ == "__main__":
    sys.exit(main())
