# SPDX-License-Identifier: Apache-2.0
"""lightloop: an emulator and testbed for optical circuit switches, from Python.

    import lightloop as ll
    rows = ll.run("main.toml", {"fabric.tuning": ["10 us", "1 ms"], "policy": ["psscheduler", "sunflow"]}, jobs=2)
    rows.to_pandas()

The C++ engine of the command `lightloop` does the work; docs/python.md of the project says what each part is for.
"""
from .errors import BrokenRule, Error, InputError, InternalError, Interrupted, RunError, SettingWarning
from .experiment import Experiment, catalogue, columns, experiment_file, keys
from .network import Delivery, Network
from .policies import Problem, Reservation, Scheduler, scheduler
from .quantities import bits_per_second, bytes_, picoseconds, seconds
from .rows import Row, Rows
from .runs import run
from .switch import Event, Switch
from .native import engine as _engine

__version__: str = _engine.version()

__all__ = [
    "BrokenRule", "Delivery", "Error", "Event", "Experiment", "InputError", "InternalError", "Interrupted", "Network", "Problem",
    "Reservation", "Row", "Rows", "RunError", "Scheduler", "SettingWarning", "Switch", "bits_per_second", "bytes_", "catalogue",
    "columns", "experiment_file", "keys", "picoseconds", "run", "scheduler", "seconds",
]
