# SPDX-License-Identifier: Apache-2.0
"""Results: rows with known units, and what they become."""
from __future__ import annotations

import difflib
import importlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, overload

import numpy

from .errors import InputError
from .quantities import PICOSECONDS_PER_SECOND


def _module(name: str, what: str, package: str = "") -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as missing:
        package = package or name
        raise ImportError(f"{what} needs {package}, which is not installed; `pip install {package}` installs it") from missing


class Row(Mapping[str, Any]):
    """One run: its columns by name (`lightloop.columns()` says what each is). Times, whose names end in _ps, are whole picoseconds.

    A key of the experiment is found as well: row["fabric.tuning"] is "10 us". Rows can be pickled.
    """

    __slots__ = ("number", "_fields", "_record", "curve", "events")

    def __init__(self, number: int, fields: dict[str, Any], record: str, curve: list[tuple[int, int, float, float]] | None,
                 events: dict[str, list[Any]] | None) -> None:
        self.number = number  #: of the experiment's rows, from 0
        self._fields = fields
        self._record = record
        self.curve = curve  #: of real gradients: (updates, time in ps, loss, accuracy) a point; else None
        self.events = events  #: columns at (cycle), plane, kind, port, burst, first, count (words), if they were asked for

    def __getitem__(self, name: str) -> Any:
        if name in self._fields:
            return self._fields[name]
        settings = self.experiment
        if name in settings:
            return settings[name]
        near = difflib.get_close_matches(name, [*self._fields, *settings], 1)
        raise KeyError(f'a row has no "{name}"' + (f'; did you mean "{near[0]}"?' if near else ""))

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    @property
    def experiment(self) -> dict[str, Any]:
        """Every key of the experiment with its value in this row, resolved."""
        keys: dict[str, Any] = json.loads(self._record)["keys"]
        return keys

    @property
    def record(self) -> dict[str, Any]:
        """What the results of the command line keep of this row's experiment: keys, version, hashes."""
        whole: dict[str, Any] = json.loads(self._record)
        return whole

    def seconds(self, name: str) -> float | None:
        """A time in seconds: "pst_mean_ps", or short "pst_mean"; None where the row has none. Raises InputError: no time."""
        column = name if name.endswith("_ps") else name + "_ps"
        if column not in self._fields:
            raise InputError(f'"{name}" is no time of a row; times are: '
                             + ", ".join(each for each in self._fields if each.endswith("_ps")))
        time = self._fields[column]
        return None if time is None else time / PICOSECONDS_PER_SECOND

    def events_to_pandas(self) -> Any:
        """The event log as a DataFrame; `at` is in cycles, `at_ps` in picoseconds. Raises InputError without run(events=True)."""
        pandas = _module("pandas", "events_to_pandas()")
        if self.events is None:
            raise InputError("this row has no event log; run(..., events=True) keeps it")
        frame = pandas.DataFrame(self.events)
        frame.insert(1, "at_ps", frame["at"] * self._fields["cycle_ps"])
        return frame

    def __repr__(self) -> str:
        iteration = self._fields.get("iteration_ps")
        what = "" if iteration is None else f", iteration {iteration / 1e9:g} ms"
        return f"<row {self.number + 1}: {self._fields.get('policy')} on {self._fields.get('device')}{what}>"

    def __getstate__(self) -> tuple[Any, ...]:
        return self.number, self._fields, self._record, self.curve, self.events

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        self.number, self._fields, self._record, self.curve, self.events = state

    def __hash__(self) -> int:
        return hash((self.number, self._record))


class Rows(Sequence[Row]):
    """The rows of a run, in their order."""

    def __init__(self, rows: Sequence[Row] = ()) -> None:
        self._rows = list(rows)

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> Rows: ...
    @overload
    def __getitem__(self, index: str) -> list[Any]: ...

    def __getitem__(self, index: int | slice | str) -> Row | Rows | list[Any]:
        """A row, some rows, or a column or key of all rows: rows["pst_mean_ps"], rows["fabric.tuning"]."""
        if isinstance(index, str):
            return [row[index] for row in self._rows]
        return Rows(self._rows[index]) if isinstance(index, slice) else self._rows[index]

    def __len__(self) -> int:
        return len(self._rows)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rows) and self._rows == other._rows

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return "\n".join(map(repr, self._rows)) or "<no rows>"

    def seconds(self, name: str) -> numpy.ndarray[Any, numpy.dtype[numpy.float64]]:
        """A time of all rows in seconds, float64 (rows,); NaN where a row has none. Raises InputError: no time."""
        times = [row.seconds(name) for row in self._rows]
        return numpy.array([numpy.nan if time is None else time for time in times], dtype=numpy.float64)

    def axes(self) -> list[str]:
        """The keys in which the rows differ."""
        settings = [row.experiment for row in self._rows]
        return [key for key in (settings[0] if settings else {}) if len({repr(each.get(key)) for each in settings}) > 1]

    def _columns(self, seconds: bool) -> dict[str, list[Any]]:
        columns: dict[str, list[Any]] = {}
        for key in self.axes():
            if key not in self._rows[0]._fields:
                columns[key] = self[key]
        for name in self._rows[0] if self._rows else ():
            if seconds and name.endswith("_ps"):
                columns[name[:-3] + "_s"] = [row.seconds(name) for row in self._rows]
            else:
                columns[name] = [row.get(name) for row in self._rows]
        return columns

    def to_pandas(self, seconds: bool = False) -> Any:
        """A DataFrame: a line a row, the keys that differ, then the columns; with `seconds`, times are floats NAME_s.

        Whole numbers stay whole where a row has none (Int64). Raises ImportError without pandas.
        """
        pandas = _module("pandas", "to_pandas()")
        return pandas.DataFrame(self._columns(seconds)).convert_dtypes()

    def to_polars(self, seconds: bool = False) -> Any:
        """The same as a polars DataFrame. Raises ImportError without polars."""
        polars = _module("polars", "to_polars()")
        return polars.DataFrame(self._columns(seconds), strict=False)

    def to_arrow(self, seconds: bool = False) -> Any:
        """The same as an Arrow table. Raises ImportError without pyarrow."""
        arrow = _module("pyarrow", "to_arrow()")
        return arrow.table(self._columns(seconds))

    def plot(self, x: str, y: str, by: str | None = None, ax: Any = None) -> Any:
        """A chart of column `y` over key or column `x`, a line for each value of `by`; returns the matplotlib figure.

        Times are in seconds ("pst_mean" is pst_mean_ps). Raises ImportError without matplotlib.
        """
        from .plotting import plot
        return plot(self, x, y, by, ax)
