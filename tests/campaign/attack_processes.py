# Signals to a run and to its nodes at any time.
# SPDX-License-Identifier: Apache-2.0
import contextlib
import os
import pathlib
import signal
import time

from rig import ROWS, Child, Rig, printed, require

ENDINGS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
DURATION_S = {"inproc": 1.5, "ipc": 2.0, "tcp": 3.0}


def send(pid: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, number)


def is_node(pid: int) -> bool:
    with contextlib.suppress(OSError):
        return b"\0node\0" in pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()
    return False


def stop_for_a_while(rig: Rig, run: Child) -> str:
    """Stopped and continued: nobody's fault, and no row differs."""
    victim = rig.random.choice(rig.processes() or [run.pid])
    length = rig.random.uniform(0.05, 1.5)
    if run.running():
        send(victim, signal.SIGSTOP)
        time.sleep(length)
        send(victim, signal.SIGCONT)
    run.wait().holds(0)
    rig.nothing_is_left()
    return f"stopped for {length:.1f} s"


def kill_a_node(rig: Rig, run: Child) -> str:
    nodes = [pid for pid in rig.processes() if pid != run.pid]
    number = rig.random.choice((signal.SIGKILL, signal.SIGSEGV, signal.SIGTERM))
    victim = rig.random.choice(nodes) if nodes else 0
    worker = victim and not is_node(victim)  # of -j
    if victim:
        send(victim, number)
    run.wait().holds(0, 1)
    rig.nothing_is_left()
    return f"a {'worker' if worker else 'node'} got {number.name}"


def kill_the_run(rig: Rig, run: Child) -> str:
    send(run.pid, signal.SIGKILL)
    run.wait().holds(0, -signal.SIGKILL)
    rig.nothing_is_left(sockets=False)  # the next run sweeps them
    return "the run got SIGKILL"


def end_the_run(rig: Rig, run: Child) -> str:
    number = rig.random.choice(ENDINGS)
    group = rig.random.random() < 0.5
    if run.running():
        with contextlib.suppress(ProcessLookupError):
            (os.killpg if group else os.kill)(run.pid, number)
    # Before it reads its experiment, and after its last row, the signal does what it usually does.
    run.wait().holds(0, 128 + number, -number)
    rig.nothing_is_left()
    return f"the run{' and its nodes' if group else ''} got {number.name}"


def attack(rig: Rig) -> str:
    choose = rig.random
    transport = choose.choice(tuple(DURATION_S))
    more = choose.choice(((), (), ("-j", "2"), ("-j", "3"), ("--events",)))
    act = choose.choice((stop_for_a_while, kill_a_node, kill_the_run, end_the_run))
    run = rig.start_rows(transport, *more)
    time.sleep(choose.uniform(0, DURATION_S[transport]))
    what = act(rig, run)
    rows = printed(run.text())
    require(rows <= ROWS, "more rows were printed than there are")
    rig.rows_hold(transport, least=rows)
    rig.nothing_is_left()
    return f"{what}; {transport} {' '.join(more)}; {rows} rows before"
