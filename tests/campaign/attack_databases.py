# Databases that are damaged or in use, under --resume and rerun.
# SPDX-License-Identifier: Apache-2.0
import contextlib
import os
import signal
import sqlite3
import threading

from rig import ROWS, Rig, require, rows_in, rows_of

HEADERS = ("user_version = -1", "user_version = 2147483647", "application_id = 1", "user_version = 0")


def flip(rig: Rig, file, least: int = 0) -> str:
    """A bit."""
    data = bytearray(file.read_bytes())
    rig.struck = len(data) > least
    if not rig.struck:
        return "nothing to flip"
    at = rig.random.randrange(least, len(data))
    data[at] ^= 1 << rig.random.randrange(8)
    file.write_bytes(data)
    return f"a bit of byte {at} of {file.name}"


def truncate(rig: Rig, file) -> str:
    size = rig.random.randrange(file.stat().st_size + 1)
    rig.struck = size < file.stat().st_size
    os.truncate(file, size)
    return f"{file.name} cut to {size} bytes"


def damage(rig: Rig) -> str:
    database = rig.folder / "rows.db"
    rig.run(*rows_of("inproc"), "--db", "rows.db", "--quiet", *rig.random.choice(((), ("--events",)))).holds(0)
    act = rig.random.choice((flip, flip, flip, truncate, "header", "garbage"))
    if act == "header":
        pragma = rig.random.choice(HEADERS)
        with contextlib.closing(sqlite3.connect(database)) as connection:
            connection.execute(f"PRAGMA {pragma}")
        return pragma
    if act == "garbage":
        database.write_bytes(rig.random.randbytes(rig.random.randrange(1, 20000)))
        return "random bytes"
    return act(rig, database)


def resume(rig: Rig, what: str) -> str:
    """Right rows, or a sentence; the same of a row that is run again."""
    database = rig.folder / "rows.db"
    row = str(rig.random.randrange(1, ROWS + 1))
    again = rig.run("rerun", "rows.db", row, "--quiet")
    again.holds(0, 1, 2)
    ended = rig.run(*rows_of("inproc"), "--db", "rows.db", "--resume", "--quiet")
    ended.holds(0, 1, 2)
    if ended.code == 0:
        rows = rows_in(database)
        require(len(rows) == ROWS, f"{len(rows)} rows after --resume, not {ROWS}")
        rig.reference.agrees(rows)
    return f"{what}: rerun {again.code}, --resume {ended.code}"


def damage_the_log(rig: Rig) -> str:
    """What a run that was killed leaves: the rows are in the write-ahead log."""
    run = rig.start_rows("inproc")
    run.wait_for_rows(rig.random.randrange(1, ROWS - 5))
    with contextlib.suppress(ProcessLookupError):
        os.kill(run.pid, signal.SIGKILL)
    run.wait()
    log = rig.folder / "rows.db-wal"
    if not log.exists() or log.stat().st_size == 0:
        rig.struck = False
        return resume(rig, "no write-ahead log")
    return resume(rig, (truncate if rig.random.random() < 0.3 else flip)(rig, log))


def lock(rig: Rig) -> str:
    """Another program writes to it meanwhile, for a moment or for long."""
    database = rig.folder / "rows.db"
    rig.run(*rows_of("inproc"), "--db", "rows.db", "--shard", "1/7", "--quiet").holds(0)
    length = rig.random.choice((0.1, 1.0, 8.0))
    locked, over = threading.Event(), threading.Event()

    def hold():
        with contextlib.closing(sqlite3.connect(database, isolation_level=None)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            locked.set()
            over.wait(length)
            connection.execute("ROLLBACK")

    holder = threading.Thread(target=hold)
    holder.start()
    locked.wait()
    try:
        ended = rig.run(*rows_of("inproc"), "--db", "rows.db", "--resume", "--quiet")
    finally:
        over.set()
        holder.join()
    ended.holds(0, 1)
    rig.struck = length >= 1 or ended.code != 0  # a shorter lock may be over before the program writes
    rig.rows_hold("inproc")
    return f"locked for {length} s: exit {ended.code}"


def attack(rig: Rig) -> str:
    choice = rig.random.random()
    if choice < 0.6:
        return resume(rig, damage(rig))
    return damage_the_log(rig) if choice < 0.85 else lock(rig)
