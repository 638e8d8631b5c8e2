# SPDX-License-Identifier: Apache-2.0
"""A network that a simulator of your own offers transfers to."""
from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from .experiment import Experiment
from .native import engine as _engine
from .quantities import picoseconds

_NEVER = 2**63 - 1


class Delivery(NamedTuple):
    """Words of a transfer that have arrived."""

    at: int  #: picoseconds
    transfer: int  #: what offer() returned
    node: int
    words: int
    final: bool  #: False: more may come


class Network:
    """The circuits (or packets) of an experiment of one row, without its job: transfers come from you.

        net = Network({"policy": "sunflow", "fabric.ports": 8, "fabric.tuning": "10 us"}, {"scheduler": "sunflow_inter"})
        net.offer(0, 3, size=1_000_000)
        while (delivery := net.step()): ...

    A scheduler that plans around circuits in use is asked anew whenever a transfer comes or ends; any other one when its plan is
    over. Times are picoseconds, or text such as "10 us". Raises InputError.
    """

    def __init__(self, experiment: str | os.PathLike[str] | Mapping[str, Any] | Experiment,
                 settings: Mapping[str, Any] | None = None) -> None:
        self._native = _engine.Network(Experiment(experiment, settings)._load())
        self._arrived: list[Delivery] = []

    @property
    def now(self) -> int:
        """Picoseconds: everything before is history."""
        return self._native.now

    @property
    def ports(self) -> int:
        """Nodes 0 to ports - 1 send and receive."""
        return self._native.ports

    def offer(self, source: int, to: int | Iterable[int], size: int, at: int | str | None = None, priority: int = 0) -> int:
        """A transfer of `size` bytes (whole words, rounded up), ready now or `at` a later time; returns its number.

        priority: smaller goes first, with a scheduler that knows priorities. Raises InputError.
        """
        ready = None if at is None else picoseconds(at)
        return self._native.offer(source, [to] if isinstance(to, int) else list(to), size, ready, priority)

    def next(self) -> int | None:
        """A lower bound on the time of the next delivery, if nothing more is offered; None: nothing is under way."""
        at = self._native.next()
        return None if at == _NEVER else at

    def step(self, until: int | str = _NEVER - 1) -> Delivery | None:
        """Lets time pass up to the next delivery, which it returns, or up to `until`; None: there was none. Raises RunError."""
        if not self._arrived:
            if until == _NEVER - 1 and self.next() is None:
                return None
            limit = picoseconds(until)
            self._arrived = [Delivery(*one) for one in self._native.advance(limit)]
        return self._arrived.pop(0) if self._arrived else None

    def advance(self, until: int | str) -> list[Delivery]:
        """Lets time pass up to `until`; returns all deliveries on the way. Raises InputError, RunError."""
        limit, list_ = picoseconds(until), []
        while (delivery := self.step(limit)) is not None:
            list_.append(delivery)
        return list_
