# SPDX-License-Identifier: Apache-2.0
"""Policies in Python: functions that the engine calls in this process, at the seams and with the checkers of its own."""
from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, overload

from .errors import InputError
from .native import engine as _engine

Problem = _engine.Problem
PlacementJob = _engine.PlacementJob
SelectionProblem = _engine.SelectionProblem
Gate = _engine.Gate
GateEvent = _engine.GateEvent


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


class Placement(NamedTuple):
    """Where the servers are: `shards` is the node of each block, or a list of shards (block, offset, size, node) in bytes."""

    shards: Any
    servers: Any = None  #: nodes that are servers, also without a block; None: those that hold something


class Selection(NamedTuple):
    """To whom each peer sends: `pairs` is a list of (sender, receiver) or a bool array [sender, receiver]."""

    pairs: Any
    deadlines: Any = None  #: (sender, tick) of each; what is sent by an earlier one is more urgent


class Policy:
    """A function of Python at a seam of the engine, with the name that it has in results: "python:NAME"."""

    kind = ""  #: as the engine calls it
    key = ""  #: of an experiment, that names it
    needs = ""  #: what it is given

    def __init__(self, function: Callable[..., Any], name: str | None = None) -> None:
        if not callable(function):
            raise InputError(f"a {self.kind} is {function!r:.80}, but must be a function of {self.needs}")
        self.function = function
        words: str = name or str(getattr(function, "__name__", type(function).__name__))
        if not words.replace("_", "").replace("-", "").replace("<lambda>", "lambda").isalnum():
            raise InputError(f"a {self.kind} is called {words!r:.80}, but its name must be of letters, digits, _ and -")
        self.name = "python:" + words.replace("<lambda>", "lambda")
        self.__doc__ = getattr(function, "__doc__", None)

    def __call__(self, *arguments: Any) -> Any:
        return self.function(*arguments)

    def __repr__(self) -> str:
        return f"<{self.kind} {self.name}>"

    def _hash(self) -> str:
        """Of its text, for results: another text is another policy."""
        try:
            text = inspect.getsource(self.function)
        except (OSError, TypeError):
            text = repr(getattr(getattr(self.function, "__code__", None), "co_code", self.name))
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def _traits(self) -> _engine.FunctionTraits:
        return _engine.FunctionTraits()

    def _native(self) -> _engine.PolicyFunction:
        return _engine.PolicyFunction(self.kind, self.function, self.name, self._hash(), self._traits())


class Scheduler(Policy):
    """A function that plans."""

    kind, key, needs = "scheduler", "scheduler", "a problem"


class Placer(Policy):
    """A function that places parameter servers and blocks."""

    kind, key, needs = "placer", "placer", "a placement job"


class ReceiverSelection(Policy):
    """A function that chooses to whom peers send their models."""

    kind, key, needs = "selection", "job.peers", "a selection problem"

    def __init__(self, function: Callable[..., Any], name: str | None = None, while_sending: bool = False) -> None:
        super().__init__(function, name)
        self.while_sending = bool(while_sending)

    def _traits(self) -> _engine.FunctionTraits:
        traits = _engine.FunctionTraits()
        traits.while_sending = self.while_sending
        return traits


class SyncScheme(Policy):
    """A function of an event and a gate, or a class of such objects, made with (workers, settings) for each job."""

    kind, key, needs = "scheme", "job.sync", "an event and a gate"

    def __init__(self, function: Callable[..., Any], name: str | None = None, *, reads: Iterable[str] = (), compute: str = "own_pull",
                 whole_rounds: bool = False, mean_of_members: bool = False) -> None:
        super().__init__(function, name)
        self.reads = [reads] if isinstance(reads, str) else list(reads)
        if compute not in ("own_pull", "last_pull", "local_steps"):
            raise InputError(f'compute is {compute!r:.80}, but must be "own_pull", "last_pull" or "local_steps"')
        self.compute = compute
        self.whole_rounds, self.mean_of_members = bool(whole_rounds), bool(mean_of_members)

    def _traits(self) -> _engine.FunctionTraits:
        traits = _engine.FunctionTraits()
        traits.reads = self.reads
        traits.compute = self.compute
        traits.whole_rounds, traits.mean_of_members = self.whole_rounds, self.mean_of_members
        return traits

    def _make(self, workers: int, settings: dict[str, Any]) -> Callable[[GateEvent, Gate], None]:
        return self.function(workers, settings).on if isinstance(self.function, type) else self.function

    def _native(self) -> _engine.PolicyFunction:
        return _engine.PolicyFunction(self.kind, self._make, self.name, self._hash(), self._traits())


class Collective(Policy):
    """A function of the number of ranks that returns the steps of a collective."""

    kind, key, needs = "collective", "job.algorithm", "a number of ranks"

    def __init__(self, function: Callable[..., Any], name: str | None = None, of: str = "all_reduce") -> None:
        super().__init__(function, name)
        self.of = of

    def _traits(self) -> _engine.FunctionTraits:
        traits = _engine.FunctionTraits()
        traits.collective = self.of
        return traits


OF_KEY: dict[str, type[Policy]] = {one.key: one for one in (Scheduler, Placer, ReceiverSelection, SyncScheme, Collective)}


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


@overload
def placer(function: Callable[[PlacementJob], Any]) -> Placer: ...
@overload
def placer(*, name: str) -> Callable[[Callable[[PlacementJob], Any]], Placer]: ...


def placer(function: Callable[[PlacementJob], Any] | None = None, *, name: str | None = None) -> Any:
    """Makes a placer of a function: it is called once a job, in place of the placer of the row's policy.

        @ll.placer
        def in_turn(job):
            return [job.candidates[k % job.servers] for k in range(len(job))]

    It returns the node of each block; or a list of shards (block, offset, size, node) in bytes, for blocks that are cut; or a
    Placement of either, which also names servers without a block. Every placement passes the checker of all placements: one
    that breaks a rule raises BrokenRule (placement) from run(), an exception of the function RunError with that exception as
    its cause.
    """
    return Placer(function, name) if function is not None else lambda each: Placer(each, name)


@overload
def selection(function: Callable[[SelectionProblem], Any]) -> ReceiverSelection: ...
@overload
def selection(*, name: str | None = None, while_sending: bool = False) -> Callable[[Callable[[SelectionProblem], Any]], ReceiverSelection]: ...


def selection(function: Callable[[SelectionProblem], Any] | None = None, *, name: str | None = None, while_sending: bool = False) -> Any:
    """Makes a selection of receivers (job.peers) of a function: it is called whenever peers have computed.

        @ll.selection
        def neighbours(problem):
            return [(i, (i + k) % problem.peers) for i in range(problem.peers) for k in range(1, problem.least[i] + 1)]

    while_sending: it is asked whenever one peer becomes ready (problem.sending); else once a round, when all are.
    It returns pairs (sender, receiver), or a bool array [sender, receiver], or a Selection of either with deadlines. Every
    selection passes the checker of all selections: one that breaks a rule raises BrokenRule (receivers) from run().
    """
    return ReceiverSelection(function, name, while_sending) if function is not None else lambda each: ReceiverSelection(each, name, while_sending)


@overload
def scheme(function: Callable[..., Any]) -> SyncScheme: ...
@overload
def scheme(*, name: str | None = None, reads: Iterable[str] = (), compute: str = "own_pull", whole_rounds: bool = False,
           mean_of_members: bool = False) -> Callable[[Callable[..., Any]], SyncScheme]: ...


def scheme(function: Callable[..., Any] | None = None, *, name: str | None = None, **traits: Any) -> Any:
    """Makes a synchronisation scheme (job.sync) of a function, or of a class.

        @ll.scheme
        def asynchronous(event, gate):
            if event.kind == "pushed": gate.apply([event.worker])
            if event.kind == "asked": gate.grant(event.worker)

        @ll.scheme(reads=["s"])
        class Stale:
            def __init__(self, workers, settings): self.s = settings["s"]
            def on(self, event, gate): ...

    It is called at every GateEvent and tells its decisions to the Gate; it returns nothing. A class is made anew for each job;
    settings has every key below [sync].

    reads:           keys below [sync] that it reads; the others have no effect and say so.
    compute:         "own_pull": a worker computes when it has pulled; "last_pull": when all have; "local_steps": it does not wait,
                     takes steps back to back, and pushes by the quota of Gate.grant().
    whole_rounds:    no push is applied before those of all workers are in.
    mean_of_members: an update is the mean over its members; else a push counts one part in the number of workers.

    Decisions go into the ledger of all schemes: one that it refuses raises BrokenRule (grant or push), there and from run().
    """
    return SyncScheme(function, name, **traits) if function is not None else lambda each: SyncScheme(each, name, **traits)


@overload
def collective(function: Callable[[int], Any]) -> Collective: ...
@overload
def collective(*, name: str | None = None, of: str = "all_reduce") -> Callable[[Callable[[int], Any]], Collective]: ...


def collective(function: Callable[[int], Any] | None = None, *, name: str | None = None, of: str = "all_reduce") -> Any:
    """Makes an algorithm of a collective (job.algorithm) of a function of the number of ranks.

        @ll.collective(of="broadcast")
        def one_by_one(ranks):
            return [[(0, rank, [0], "take")] for rank in range(1, ranks)]

    of: "all_reduce", "reduce_scatter", "all_gather", "all_to_all" or "broadcast". docs/collectives.md says what ranks begin and
    end with; of reduce_scatter the sum of block b is at rank b mod ranks in the end.
    It returns steps, each a list of transfers (sender, receiver, blocks, "add" or "take"). Every list passes the checker of all
    lists: one that breaks a rule raises BrokenRule (steps). It is called once for each number of ranks.
    """
    return Collective(function, name, of) if function is not None else lambda each: Collective(each, name, of)


def collective_steps(of: str, algorithm: str, ranks: int) -> list[list[tuple[int, int, list[int], str]]]:
    """The steps of a list of lightloop, as functions of `collective` return them. Raises InputError."""
    return _engine.collective_steps(of, algorithm, ranks)
