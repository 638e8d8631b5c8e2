# What every kind of attack needs: a folder of its own, programs that are watched, and what must hold after each attack.
# SPDX-License-Identifier: Apache-2.0
"""Imported by the kinds."""
import contextlib
import json
import os
import pathlib
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import time
import uuid

ROOT = pathlib.Path(__file__).resolve().parents[2]
MARK = "LIGHTLOOP_CAMPAIGN"  # in the environment of every process that an attack starts
PATIENCE_S = 120  # a run takes some seconds; one that takes this long hangs
MOST_BYTES = 400_000_000  # of a process; most take 30 MB, a password 64 MiB
SEEDS = 15
ROWS = 4 * SEEDS  # tiny.toml has four policies
# The last one is of rows that ran together.
VARIES = {"payload", "wall_time_s", "realtime_ratio", "transport", "peak_rss_bytes", "run_id", "row_id",
          "pst_over_psscheduler"}


# Below nohup a program ignores that a terminal closes, and so would what an attack starts: it could not be ended that way.
signal.signal(signal.SIGHUP, signal.SIG_DFL)


class Failure(Exception):
    """An invariant doesn't hold."""


def require(holds: bool, sentence: str) -> None:
    if not holds:
        raise Failure(sentence)


class Ended:
    """How a program ended: `code` as subprocess has it, and what it said."""

    def __init__(self, code: int, out: str, err: str, peak: int):
        self.code, self.out, self.err, self.peak = code, out, err, peak

    def holds(self, *codes: int) -> None:
        """One of the exit codes; if it isn't 0, one sentence says why; no more memory than allowed."""
        require(self.code in codes, f"exit code {self.code}, not one of {codes}: {self.err[-400:]}")
        # A warning, and how many rows run at once or are there already, are no reason to end.
        sentences = re.findall(r"(?m)^lightloop: (?!warning: |\d+ rows? )(.*)$", self.err)
        for word in ("internal error", "Sanitizer", "Assertion", "terminate called"):
            require(word not in self.err, f"it said: {self.err[-400:]}")
        if self.code > 0:
            require(len(sentences) == 1 and len(sentences[0]) > 10, f"exit {self.code} without one sentence, but {sentences}")
        require(self.peak < MOST_BYTES, f"{self.peak} bytes of memory")


class Child:
    """A program that runs. `peak` counts the program and every process that it waited for."""

    def __init__(self, rig: "Rig", arguments: tuple[str, ...], out=None, **options):
        self.out, self.err = rig.new("out"), rig.new("err")
        with open(self.out, "wb") as kept, open(self.err, "wb") as err:
            # What `&` and nohup ignore would be ignored by the program, too, which is sent these signals.
            command = ["env", "--default-signal=INT,QUIT,HUP,TERM", rig.program, *arguments]
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out or kept,
                                            stderr=err, cwd=rig.folder, env=rig.environment, start_new_session=True,
                                            **options)
        self.pid = self.process.pid

    def running(self) -> bool:
        """Without taking its exit code away."""
        return os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None

    def text(self) -> str:
        return self.err.read_text(errors="replace")

    def wait_for_rows(self, rows: int) -> None:
        """Until it has printed so many, or has ended."""
        while self.running() and printed(self.text()) < rows:
            time.sleep(0.001)

    def wait(self, patience: float = PATIENCE_S) -> Ended:
        deadline = time.monotonic() + patience
        while self.running():
            if time.monotonic() > deadline:
                os.killpg(self.pid, signal.SIGKILL)
                self.process.wait()
                raise Failure(f"it hung for {patience:.0f} s; it said: {self.text()[-400:]}")
            time.sleep(0.01)
        _, status, usage = os.wait4(self.pid, 0)
        self.process.returncode = os.waitstatus_to_exitcode(status)
        return Ended(self.process.returncode, self.out.read_text(errors="replace"), self.text(), usage.ru_maxrss * 1024)


class Rig:
    """One attack's folder, its random choices and its programs."""

    def __init__(self, program: str, name: str, reference: "Reference | None"):
        self.program, self.random, self.reference = program, random.Random(name), reference
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="lightloop-campaign-"))
        self.mark = uuid.uuid4().hex
        self.struck = True  # an attack that met nothing, such as a signal after the end, clears it
        self.sockets = self.folder / "tmp"
        self.sockets.mkdir()
        self.environment = {**os.environ, MARK: self.mark, "TMPDIR": str(self.sockets)}
        self.count = 0
        for file in ("tiny.toml", "tiny.csv"):
            shutil.copy(ROOT / "testbed/experiments" / file, self.folder / file)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for pid in self.processes():
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        shutil.rmtree(self.folder, ignore_errors=True)
        return False

    def new(self, name: str) -> pathlib.Path:
        self.count += 1
        return self.folder / f"{name}{self.count}"

    def start(self, *arguments: str, **options) -> Child:
        return Child(self, arguments, **options)

    def run(self, *arguments: str, **options) -> Ended:
        return self.start(*arguments, **options).wait()

    def start_rows(self, transport: str, *more: str, **options) -> Child:
        """All rows of the reference, over a transport, to rows.db."""
        return self.start(*rows_of(transport), "--db", "rows.db", *more, **options)

    def example(self, path: str) -> bytes:
        """A file of the tree."""
        return (ROOT / path).read_bytes()

    def password_hash(self, password: str) -> str:
        return subprocess.run([self.program, "serve", "--hash-password"], input=password + "\n", capture_output=True,
                              text=True, check=True, timeout=PATIENCE_S).stdout.strip()

    def processes(self) -> list[int]:
        """All that are left of this attack's programs."""
        found = []
        for entry in pathlib.Path("/proc").iterdir():
            with contextlib.suppress(OSError):
                if entry.name.isdigit() and f"{MARK}={self.mark}".encode() in (entry / "environ").read_bytes():
                    found.append(int(entry.name))
        return found

    def nothing_is_left(self, sockets: bool = True) -> None:
        """No process after a moment; no folder of sockets, unless its owner was killed."""
        deadline = time.monotonic() + 10
        while self.processes() and time.monotonic() < deadline:
            time.sleep(0.02)
        require(not self.processes(), f"{len(self.processes())} processes are left")
        if sockets:
            require(not any(self.sockets.iterdir()), f"{list(self.sockets.iterdir())} is left")

    def rows_hold(self, transport: str, least: int = 0) -> None:
        """What the database has is sound and right; --resume adds what is missing, and sweeps what was left."""
        there = rows_in(self.folder / "rows.db")
        require(len(there) >= least, f"{len(there)} rows are kept of {least} that were printed")
        self.reference.agrees(there)
        self.run(*rows_of(transport), "--db", "rows.db", "--resume").holds(0)
        whole = rows_in(self.folder / "rows.db")
        require(len(whole) == ROWS, f"{len(whole)} rows after --resume, not {ROWS}")
        self.reference.agrees(whole)


def rows_of(transport: str) -> tuple[str, ...]:
    seeds = ",".join(map(str, range(1, SEEDS + 1)))
    return ("run", "tiny.toml", "--set", f"seed=[{seeds}]", "--set", f"nodes.transport={transport}", "--set",
            "job.payload=full")


def rows_in(database: pathlib.Path) -> list[dict]:
    if not database.exists():
        return []
    with contextlib.closing(sqlite3.connect(database)) as connection:
        connection.row_factory = sqlite3.Row
        (sound,) = connection.execute("PRAGMA integrity_check").fetchone()
        require(sound == "ok", f"the database isn't sound: {sound}")
        if not connection.execute("SELECT count(*) FROM sqlite_master WHERE name = 'row'").fetchone()[0]:
            return []  # it was ended before its first row
        return [dict(row) for row in connection.execute("SELECT * FROM row")]


def printed(err: str) -> int:
    """Rows of which a run has said that they are finished."""
    return len(re.findall(r"(?m)^\[\d+/\d+\] .*: iteration ", err))


class Reference:
    """The rows as they are without a fault."""

    def __init__(self, program: str):
        with Rig(program, "reference", None) as rig:
            rig.start(*rows_of("inproc"), "--db", "rows.db", "--json", "rows.json", "--quiet").wait().holds(0)
            rows = rows_in(rig.folder / "rows.db")
            require(len(rows) == len(json.loads((rig.folder / "rows.json").read_text())["rows"]) == ROWS, "rows are missing")
        self.rows = {self.key(row): row for row in rows}

    @staticmethod
    def key(row: dict) -> tuple:
        return row["policy"], row["seed"]

    def agrees(self, rows: list[dict]) -> None:
        for row in rows:
            right = self.rows.get(self.key(row))
            require(right is not None, f"a row that nobody asked for: {self.key(row)}")
            wrong = [column for column in right if column not in VARIES and row[column] != right[column]]
            require(not wrong, f"row {self.key(row)} differs in {wrong}")
        require(len({self.key(row) for row in rows}) == len(rows), "a row is there twice")
