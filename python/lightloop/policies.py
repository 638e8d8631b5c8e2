# SPDX-License-Identifier: Apache-2.0
"""Policies in Python: schedulers that the engine calls in this process."""
from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, overload

from .errors import InputError
from .native import engine as _engine

Problem = _engine.Problem


class Reservation(NamedTuple):
    """A part of a plan: ports are taken at `start`, data flow in [up, end). All times are ticks of the problem.

    up - start must be the set-up of the circuit (Problem.delta), or Problem.reuse if exactly this circuit is established.
    """

    flow: int  #: number of the flow, one of Problem.flow
    start: int
    up: int
    end: int
    offset: int = 0  #: the part of the flow that these data are: its first tick
    plane: int = 0


Plan = Iterable[Any]
PlanFunction = Callable[[Problem], Plan]


class Scheduler:
    """A function that plans, with the name that it has in results: "python:NAME"."""

    def __init__(self, function: PlanFunction, name: str | None = None) -> None:
        if not callable(function):
            raise InputError(f"a scheduler is {function!r:.80}, but must be a function of a problem")
        self.function = function
        words: str = name or str(getattr(function, "__name__", type(function).__name__))
        if not words.replace("_", "").replace("-", "").replace("<lambda>", "lambda").isalnum():
            raise InputError(f"a scheduler is called {words!r:.80}, but its name must be of letters, digits, _ and -")
        self.name = "python:" + words.replace("<lambda>", "lambda")
        self.__doc__ = getattr(function, "__doc__", None)

    def __call__(self, problem: Problem) -> Plan:
        return self.function(problem)

    def __repr__(self) -> str:
        return f"<scheduler {self.name}>"

    def _hash(self) -> str:
        """Of its text, for results: another text is another scheduler."""
        try:
            text = inspect.getsource(self.function)
        except (OSError, TypeError):
            text = repr(getattr(getattr(self.function, "__code__", None), "co_code", self.name))
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def _native(self) -> _engine.PlanFunction:
        return _engine.PlanFunction(self.function, self.name, self._hash())


@overload
def scheduler(function: PlanFunction) -> Scheduler: ...
@overload
def scheduler(*, name: str) -> Callable[[PlanFunction], Scheduler]: ...


def scheduler(function: PlanFunction | None = None, *, name: str | None = None) -> Scheduler | Callable[[PlanFunction], Scheduler]:
    """Makes a scheduler of a function: it is called in this process for every plan.

        @ll.scheduler
        def one_by_one(problem):
            at, plan = problem.now, []
            for flow, length in zip(problem.flow, problem.length):
                plan.append((flow, at, at + problem.delta, at + problem.delta + length))
                at = plan[-1][-1]
            return plan

    It returns reservations: tuples (flow, start, up, end[, offset[, plane]]), dictionaries as docs/plans.md has them, or an
    int64 array with the columns of such a tuple. Every plan passes the checker of all plans before anything of it is used: one
    that breaks a rule raises BrokenRule from run(), an exception of the function RunError with that exception as its cause.
    """
    if function is not None:
        return Scheduler(function, name)
    return lambda each: Scheduler(each, name)
