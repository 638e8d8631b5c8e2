# SPDX-License-Identifier: Apache-2.0
"""Runs of experiments."""
from __future__ import annotations

import inspect
import os
import sys
import time
import warnings
from collections.abc import Mapping
from typing import Any

from .errors import Error, InputError, Interrupted, RunError, SchedulerTimeout, SettingWarning, error_of
from .experiment import Experiment
from .native import engine as _engine
from .policies import Collective
from .rows import Row, Rows, _module

_WAIT_MS = 50  # Ctrl-C is seen after this time at the latest


class _Bar:
    """How far the run is, by tqdm."""

    def __init__(self, rows: int, wanted: bool | None) -> None:
        self._bar: Any = None
        if wanted is None and not (rows and sys.stderr is not None and (sys.stderr.isatty() or "ipykernel" in sys.modules)):
            return
        if wanted is False:
            return
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of a notebook without widgets: tqdm falls back to text
            try:
                tqdm = _module("tqdm.auto", "progress=True", "tqdm")
            except ImportError:
                if wanted:
                    raise
                return
            self._bar = tqdm.tqdm(total=rows, unit="row", bar_format="{desc}{percentage:3.0f}%|{bar}| {n:.1f}/{total} [{elapsed}<{remaining}]")

    def show(self, done: int, first: tuple[int, float, int, str] | None) -> None:
        if self._bar is None:
            return
        if first is not None:
            row, fraction, _, waiting = first
            self._bar.set_description(f"row {row + 1}" + (f", waiting for {waiting}" if waiting else ""), refresh=False)
            self._bar.n = done + fraction
        else:
            self._bar.n = done
        self._bar.refresh()

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()


class _Runner:
    """One call of run()."""

    def __init__(self, loaded: _engine.Experiment, jobs: int, events: bool, keep_going: bool) -> None:
        self.rows: list[Row] = []
        self.failed = 0
        self.count = loaded.rows()
        self._keep_going = keep_going
        self._native = _engine.Run(loaded, list(range(self.count)), jobs, events, keep_going)

    def go_on(self, bar: _Bar) -> None:
        """Until all rows have ended, or one has failed."""
        while not self._native.done():
            for one in self._native.wait(_WAIT_MS):
                self._take(one)
            self._native.watch(SchedulerTimeout, KeyboardInterrupt)
            bar.show(len(self.rows), self._native.first())

    def stop(self) -> None:
        """Ends what still runs, and takes what has finished."""
        self._native.interrupt()
        while self._native.running():
            self._native.watch(SchedulerTimeout, KeyboardInterrupt)
            time.sleep(0.005)
        for one in self._native.wait(0) + self._native.rest():
            if "sentence" not in one:
                self._take(one)

    def _take(self, one: dict[str, Any]) -> None:
        if "sentence" in one and not self._keep_going:
            error = error_of(one["kind"], one["sentence"], one["rule"])
            raise error from one["raised"]
        self.failed += "sentence" in one
        self.rows.append(Row(one["row"], one["fields"], one["experiment"], one.get("curve"), one.get("events")))


def _jobs(jobs: int) -> int:
    if not isinstance(jobs, int) or isinstance(jobs, bool) or not 0 <= jobs <= 1024:
        raise InputError(f"jobs is {jobs!r:.80}, but must be a whole number from 0 to 1024; 0: one for each core")
    return jobs or len(os.sched_getaffinity(0))


def _listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else [value]


def _check(rows: list[Row], failed: int, count: int) -> None:
    for row in rows:
        if row.get("crc_errors") or row.get("sum_errors"):
            raise RunError(f"policy {row['policy']} has {row['crc_errors']} CRC errors and {row['sum_errors']} wrong sums, "
                           "but must have none: payload was damaged")
    if failed and failed == count:
        raise RunError(f"all {count} rows failed; the first one: {rows[0]['error']}")


def run(experiment: str | os.PathLike[str] | Mapping[str, Any] | Experiment, settings: Mapping[str, Any] | None = None, *,
        jobs: int = 1, scheduler: Any = None, placer: Any = None, selection: Any = None, scheme: Any = None,
        collective: Any = None, events: bool = False, keep_going: bool = False, progress: bool | None = None,
        any_rows: bool = False, database: str | os.PathLike[str] = "") -> Rows:
    """Runs every row of an experiment, as `lightloop run` does: rows have the same columns and event logs, hash for hash.

    experiment: the name of a TOML file, a dictionary of keys, or an Experiment.
    settings:   keys that replace the experiment's; a list is an axis: {"fabric.tuning": ["10 us", "1 ms"]}.
    jobs:       rows at the same time, each in a thread; 0: one for each core.
    scheduler:  the key "scheduler": a function that plans (`lightloop.scheduler`), a name, or a list of these.
    placer:     the key "placer", as scheduler (`lightloop.placer`).
    selection:  the key "job.peers" (`lightloop.selection`).
    scheme:     the key "job.sync" (`lightloop.scheme`).
    collective: the key "job.algorithm" (`lightloop.collective`); a function also says which collective.
    events:     keeps the event log of each row (Row.events).
    keep_going: goes on after a row that fails: its column "error" says why.
    progress:   True: a bar by tqdm; None: the same on a terminal and in notebooks, if tqdm is installed.
    any_rows:   allows an experiment of more than 10,000 rows.
    database:   of which row charge_planning = "row:ID" is.

    Raises InputError before anything runs; RunError, or BrokenRule for a plan that breaks a rule, for the first row that fails;
    Interrupted, a KeyboardInterrupt, after Ctrl-C. The exception's `rows` are the rows that had finished. A setting that changes
    nothing is a SettingWarning.
    """
    if experiment is None:
        raise InputError("an experiment is None, but must be the name of a file, a dictionary or an Experiment")
    wanted = Experiment(experiment, settings)
    for key, policy in (("scheduler", scheduler), ("placer", placer), ("job.peers", selection), ("job.sync", scheme), ("job.algorithm", collective)):
        if policy is not None:
            wanted[key] = policy if key != "job.algorithm" else [Collective(one) if inspect.isfunction(one) else one for one in _listed(policy)]
    kinds = {one.of for one in _listed(wanted._settings.get("job.algorithm")) if isinstance(one, Collective)}
    if len(kinds) == 1 and "job.collective" not in wanted._settings:
        wanted["job.collective"] = kinds.pop()
    number = _jobs(jobs)
    loaded = wanted._load(any_rows, os.fspath(database))
    for sentence in loaded.warnings():
        warnings.warn(sentence, SettingWarning, stacklevel=2)
    bar = _Bar(loaded.rows(), progress)
    runner = _Runner(loaded, number, events, keep_going)
    try:
        runner.go_on(bar)
        _check(runner.rows, runner.failed, runner.count)
        return Rows(runner.rows)
    except KeyboardInterrupt:
        runner.stop()
        done = len(runner.rows)
        raise Interrupted(f"interrupted: {done} of {runner.count} {'row is' if runner.count == 1 else 'rows are'} finished and kept",
                          Rows(runner.rows)) from None
    except Error as error:
        runner.stop()
        error.rows = Rows(runner.rows)
        raise
    finally:
        bar.close()
        runner.stop()
