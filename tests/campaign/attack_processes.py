# Signals to a run and to its nodes at any time.
# SPDX-License-Identifier: Apache-2.0
import contextlib
import os
import pathlib
import signal
import time

from rig import ROWS, Child, Rig, printed, require

ENDINGS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
EARLY_S = 0.3  # a run starts, and has no row yet


def send(pid: int, number: int) -> bool:
    """Whether there was such a process."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, number)
        return True
    return False


def is_node(pid: int) -> bool:
    with contextlib.suppress(OSError):
        return b"\0node\0" in pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()
    return False


def stop_for_a_while(rig: Rig, run: Child) -> str:
    """Stopped and continued: nobody's fault, and no row differs."""
    victim = rig.random.choice(rig.processes() or [run.pid])
    length = rig.random.uniform(0.05, 1.5)
    rig.struck = run.running() and send(victim, signal.SIGSTOP)
    if rig.struck:
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
    rig.struck = bool(victim) and send(victim, number)
    run.wait().holds(0, 1)
    rig.nothing_is_left()
    return f"a {'worker' if worker else 'node'} got {number.name}"


def kill_the_run(rig: Rig, run: Child) -> str:
    send(run.pid, signal.SIGKILL)
    ended = run.wait()
    ended.holds(0, -signal.SIGKILL)
    rig.struck = ended.code != 0
    rig.nothing_is_left(sockets=False)  # the next run sweeps them
    return "the run got SIGKILL"


def end_the_run(rig: Rig, run: Child) -> str:
    number = rig.random.choice(ENDINGS)
    group = rig.random.random() < 0.5
    if run.running():
        with contextlib.suppress(ProcessLookupError):
            (os.killpg if group else os.kill)(run.pid, number)
    # Before it reads its experiment, and after its last row, the signal does what it usually does.
    ended = run.wait()
    ended.holds(0, 128 + number, -number)
    rig.struck = ended.code != 0
    rig.nothing_is_left()
    return f"the run{' and its nodes' if group else ''} got {number.name}"


def wait_for_its_moment(rig: Rig, run: Child) -> None:
    """Some time after the start, or a moment after some row; how long rows take depends on the machine."""
    if rig.random.random() < 0.25:
        time.sleep(rig.random.uniform(0, EARLY_S))
        return
    run.wait_for_rows(rig.random.randrange(ROWS - 5))
    time.sleep(rig.random.uniform(0, 0.01))


def attack(rig: Rig) -> str:
    choose = rig.random
    transport = choose.choice(("inproc", "ipc", "tcp"))
    more = choose.choice(((), (), ("-j", "2"), ("-j", "3"), ("--events",)))
    acts = (stop_for_a_while, kill_the_run, end_the_run)
    act = choose.choice(acts if transport == "inproc" and "-j" not in more else (*acts, kill_a_node))
    run = rig.start_rows(transport, *more)
    wait_for_its_moment(rig, run)
    what = act(rig, run)
    rows = printed(run.text())
    require(rows <= ROWS, "more rows were printed than there are")
    rig.rows_hold(transport, least=rows)
    rig.nothing_is_left()
    return f"{what}; {transport} {' '.join(more)}; {rows} rows before"
