# SPDX-License-Identifier: Apache-2.0
"""A switch by hand."""
from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from .errors import InputError
from .experiment import _scalar
from .native import engine as _engine
from .quantities import picoseconds


class Event(NamedTuple):
    """Something that a switch noted. `at` is the first cycle in which it holds."""

    at: int
    kind: str  #: idle, tuning, locking, up, held, failed: of output `port`; run, burst_done, committed, refused, wrapped
    port: int  #: an output; of burst_done an input
    burst: int  #: of run and burst_done: what send() returned
    first: int  #: of run: the first word of a stretch that passed `port`
    words: int  #: of run: how many words; of burst_done: words that were sent


class Switch:
    """One switch, driven by the same driver as in every run. Time stands still until advance().

        sw = Switch("model", ports=16, tuning="10 us")
        sw.connect({0: 3, 1: 4}); sw.advance("12 us"); sw.send(0, words=1000); sw.advance("10 us"); sw.events()

    Times are text such as "10 us" or whole cycles (`cycle_ps` picoseconds each). Raises InputError for what the switch refuses
    and RunError for what it can't do.
    """

    def __init__(self, device: str = "model", *, ports: int = 16, tuning: str = "0 ns", locking: str = "0 ns",
                 rate: str = "100 Gbit/s", word: str = "64 B", all_stop: bool = False, multicast: bool = False,
                 switch: str | None = None, settings: Mapping[str, Any] | None = None) -> None:
        """device: `catalogue("devices")`. switch: a preset of delays in place of tuning and locking, such as "mordia".

        settings: further keys "fabric.*" of an experiment. An RTL switch of a new size is compiled when it is first named.
        """
        keys: dict[str, Any] = {"fabric.device": device, "fabric.ports": ports, "fabric.rate": rate, "fabric.word": word,
                                "fabric.all_stop": all_stop}
        if switch is None:
            keys |= {"fabric.tuning": tuning, "fabric.locking": locking}
        else:
            keys["fabric.switch"] = switch
        keys |= settings or {}
        for key in keys:
            if not key.startswith("fabric."):
                raise InputError(f'{key} is a setting of a switch, but must be a key "fabric.*"')
        self._native = _engine.Switch([(key, _scalar(key, value)) for key, value in keys.items()], multicast)

    @property
    def now(self) -> int:
        """The cycle that comes next; all before it are history."""
        return self._native.now

    @property
    def now_ps(self) -> int:
        """The same in picoseconds."""
        return self._native.now * self._native.cycle_ps

    @property
    def cycle_ps(self) -> int:
        """Picoseconds of a cycle, in which a port moves a word."""
        return self._native.cycle_ps

    @property
    def ports(self) -> int:
        """Inputs and outputs."""
        return self._native.ports

    def cycles(self, time: str | int) -> int:
        """Whole cycles of a time such as "10 us", rounded up; a whole number is cycles already. Raises InputError."""
        return time if isinstance(time, int) else -(-picoseconds(time) // self.cycle_ps)

    def connect(self, circuits: Mapping[int, int | Iterable[int]], at: int | None = None) -> None:
        """Sets circuits up, {input: output} or {input: [outputs]} (multicast); others stay as they are.

        at: a later cycle, of one timed commit. Raises InputError if an output would have two inputs, or the switch refuses.
        """
        change: dict[int, int] = {}
        for port, outputs in circuits.items():
            for out in [outputs] if isinstance(outputs, int) else outputs:
                if change.setdefault(out, port) != port:
                    raise InputError(f"output {out} is to be joined to inputs {change[out]} and {port}, but takes one")
        self._native.commit(list(change.items()), at)

    def disconnect(self, outputs: int | Iterable[int], at: int | None = None) -> None:
        """Makes outputs dark. Raises InputError."""
        self._native.commit([(out, None) for out in ([outputs] if isinstance(outputs, int) else outputs)], at)

    def send(self, port: int, words: int, *, gated: bool = True, at: int | None = None, word: int = 1) -> int:
        """Starts a burst of words (0 to 2^32 - 1) on an input; returns its number, which its events have.

        gated: a word leaves only while every output that selects the input is up; else they leave back to back, and are lost where
        there is no light. at: no word leaves before this cycle. word: cycles of a word, a divisor of 40000. Raises InputError: the
        input still sends.
        """
        return self._native.send(port, words, gated, at, word)

    def stop(self, burst: int) -> None:
        """Stops a burst now; words that have passed stay passed. Raises InputError."""
        self._native.stop(burst)

    def advance(self, time: str | int) -> int:
        """Lets time pass, "12 us" or whole cycles; returns the new cycle. Ctrl-C ends it. Raises InputError, RunError."""
        self._native.advance(self.cycles(time))
        return self.now

    def events(self) -> list[Event]:
        """What has happened since the last call, in order."""
        return [Event(*one) for one in self._native.events()]

    def waves(self, file: str | os.PathLike[str] | None, start: str | int | None = None,
              stop: str | int | None = None) -> None:
        """Writes the signals of the RTL to a waveform, FILE.fst or FILE.vcd, with views for GTKWave and Surfer beside it.

        It holds the time from this call, or from `start`, until `stop`, the next call, or close(): text such as "12 us" or whole
        cycles. None ends it; it is complete then. The first call must come before anything else is asked of the switch, which is
        compiled a second time for it. Raises InputError for a device without RTL, a file that can't be written, an empty window;
        RunError if the time never came to `start`, or the disk is full.
        """
        if file is None:
            self._native.end_waves()
            return
        window = [None if time is None else self.cycles(time) * self.cycle_ps for time in (start, stop)]
        self._native.waves(os.fspath(file), *window)

    def close(self) -> None:
        """Ends a waveform. `with ll.Switch(...) as sw:` calls it."""
        self.waves(None)

    def __enter__(self) -> Switch:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def counters(self, port: int) -> dict[str, int]:
        """Of output `port`: passed and lost words, dark cycles, reconfigurations; of input `port`: unrouted words."""
        return self._native.counters(port)

    def fail(self, port: int) -> None:
        """No light comes from `port` or goes to it, from the next cycle on. Raises InputError."""
        self._native.set_dead(port, True)

    def repair(self, port: int) -> None:
        """Takes fail() back. Raises InputError."""
        self._native.set_dead(port, False)

    def __getitem__(self, register: str) -> int | list[int]:
        """A register or field by name (docs/registers.md): sw["TIME"], sw["STATE[2]"], sw["BASE[*]"] (a list).

        Raises InputError for an unknown name.
        """
        values = self._native.read(register)
        return values if "*" in register or ":" in register else values[0]

    def __setitem__(self, register: str, value: int) -> None:
        """Writes a register or field, or all that a name with [*] means. The driver does not see it. Raises InputError."""
        self._native.write(register, value)

    @staticmethod
    def registers() -> list[str]:
        """Names of all registers."""
        return _engine.Switch.registers()
