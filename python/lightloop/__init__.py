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
from .policies import (Collective, Gate, GateEvent, Placement, PlacementJob, Placer, Policy, Problem, ReceiverSelection, Reservation, Scheduler,
                       Selection, SelectionProblem, SyncScheme, collective, collective_steps, placer, scheduler, scheme, selection)
from .quantities import bits_per_second, bytes_, picoseconds, seconds
from .rows import Row, Rows
from .runs import run
from .switch import Event, Switch
from .native import engine as _engine

__version__: str = _engine.version()

__all__ = [
    "BrokenRule", "Collective", "Delivery", "Error", "Event", "Experiment", "Gate", "GateEvent", "InputError", "InternalError",
    "Interrupted", "Network", "Placement", "PlacementJob", "Placer", "Policy", "Problem", "ReceiverSelection", "Reservation", "Row",
    "Rows", "RunError", "Scheduler", "Selection", "SelectionProblem", "SettingWarning", "Switch", "SyncScheme", "bits_per_second",
    "bytes_", "catalogue", "collective", "collective_steps", "columns", "experiment_file", "keys", "picoseconds", "placer", "run",
    "scheduler", "scheme", "seconds", "selection",
]
