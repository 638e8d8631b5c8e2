# SPDX-License-Identifier: Apache-2.0
"""Experiments: from a file, from a dictionary, or built step by step."""
from __future__ import annotations

import json
import os
import pathlib
from collections.abc import Iterator, Mapping
from typing import Any

from .errors import InputError
from .native import engine as _engine
from .policies import OF_KEY, Policy

_CHOICES = ("zip", "only", "skip")  # what chooses rows, and tables [[job]], are written as TOML


def _scalar(key: str, value: Any) -> str:
    """One value as TOML."""
    if hasattr(value, "item") and not isinstance(value, (str, bytes)) and getattr(value, "ndim", 0) == 0:
        value = value.item()  # of numpy
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, (str, os.PathLike)):
        text = os.fspath(value)
        if isinstance(text, str):
            plain = text.replace("\\", "\\\\").replace('"', '\\"')
            return '"' + "".join(c if c >= " " and c != "\x7f" else f"\\u{ord(c):04x}" for c in plain) + '"'
    raise InputError(f"{key} is {value!r:.80}, but must be text, a number, true or false, or a list of these")


def _value(key: str, value: Any) -> str:
    """A value, or the values of an axis, as TOML."""
    if isinstance(value, (list, tuple, range)) or getattr(value, "ndim", 0) == 1:
        return "[" + ", ".join(_scalar(key, item) for item in value) + "]"
    return _scalar(key, value)


def _inline(key: str, value: Any) -> str:
    """A list of lists, or of dictionaries, as TOML."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_scalar(key, str(name))} = {_inline(key, item)}" for name, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_inline(key, item) for item in value) + "]"
    return _scalar(key, value)


def _table(key: str, tables: Any) -> str:
    if not isinstance(tables, (list, tuple)) or not all(isinstance(table, Mapping) for table in tables):
        raise InputError(f"{key} is {tables!r:.80}, but must be a list of dictionaries")
    lines = []
    for table in tables:
        lines.append(f"[[{key}]]")
        for name, value in _flat(table):
            # A job has both `sync` and `sync.s`, which can't be a value and a table at once.
            word = f'"{name}"' if key in ("job", "jobs") and "." in name else name
            lines.append(f"{word} = {_value(f'{key}.{name}', value)}")
    return "\n".join(lines) + "\n"


def _flat(settings: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in settings.items():
        if not isinstance(name, str):
            raise InputError(f"a key is {name!r:.80}, but must be text such as \"fabric.ports\"")
        if isinstance(value, Mapping) and prefix + name not in _CHOICES:
            yield from _flat(value, prefix + name + ".")
        else:
            yield prefix + name, value


class _Functions:
    """The functions among the values of keys, which names stand for."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], Policy] = {}

    def named(self, key: str, value: Any) -> Any:
        """The value with names in place of functions."""
        if key in ("job", "jobs") and isinstance(value, (list, tuple)):
            return [{name: self.named(_key_of_table(name), item) for name, item in _flat(table)} if isinstance(table, Mapping) else table
                    for table in value]
        if isinstance(value, (list, tuple)):
            return [self.named(key, item) for item in value] if key in OF_KEY else value
        if not callable(value):
            return value
        if key not in OF_KEY:
            raise InputError(f"{key} is {value!r:.80}, but functions are values of {', '.join(sorted(OF_KEY))}")
        kind = OF_KEY[key]
        if isinstance(value, Policy) and not isinstance(value, kind):
            raise InputError(f"{key} is {value!r}, but must be a {kind.kind}")
        one = value if isinstance(value, kind) else kind(value)
        known = self._known.setdefault((key, one.name), one)
        if known is not one and known.function is not one.function:
            raise InputError(f'two {kind.kind}s are called "{one.name}", but each must have its own name')
        return one.name

    def native(self) -> list[_engine.PolicyFunction]:
        return [one._native() for one in self._known.values()]


def _key_of_table(name: str) -> str:
    """The key of an experiment that a table [[job]] calls so."""
    return name if "." in name else "job." + name


class Experiment:
    """An experiment: keys as `lightloop list keys` names them, each with a value, or with a list of values, an axis.

        e = Experiment("main.toml")             # or Experiment({"policy": "sunflow", "fabric": {"ports": 8}}), or Experiment()
        e["fabric.tuning"] = ["10 us", "1 ms"]
        len(e)                                  # rows

    A path within an experiment, such as "file:mine.csv", is relative to its file, or else to the current folder.
    """

    def __init__(self, source: str | os.PathLike[str] | Mapping[str, Any] | Experiment | None = None,
                 settings: Mapping[str, Any] | None = None) -> None:
        """Nothing is read or checked before the experiment is used. Raises InputError for what can't be a setting."""
        self.file = ""
        self._settings: dict[str, Any] = {}
        if isinstance(source, Experiment):
            self.file, self._settings = source.file, dict(source._settings)
        elif isinstance(source, Mapping):
            self.update(source)
        elif isinstance(source, (str, os.PathLike)):
            self.file = os.fspath(source)
            if not self.file:
                raise InputError('an experiment file must have a name, such as "main.toml"')
        elif source is not None:
            raise InputError(f"an experiment is {source!r:.80}, but must be the name of a file, a dictionary or an Experiment")
        self.update(settings or {})

    def __setitem__(self, key: str, value: Any) -> None:
        self.update({key: value})

    def __getitem__(self, key: str) -> Any:
        """What was said of a key here; what its file says is in rows()."""
        return self._settings[key]

    def update(self, settings: Mapping[str, Any]) -> None:
        """Says more: {"fabric.ports": 8} or {"fabric": {"ports": 8}}; what is said later holds."""
        if not isinstance(settings, Mapping):
            raise InputError(f"settings are {settings!r:.80}, but must be a dictionary of keys and values")
        self._settings.update(_flat(settings))

    def _load(self, any_rows: bool = False, database: str = "") -> _engine.Experiment:
        text, keys = "", []
        functions = _Functions()
        for key, value in self._settings.items():
            value = functions.named(key, value)
            if key == "zip":
                text += f"zip = {_inline(key, value)}\n"
            elif key in _CHOICES or key in ("job", "jobs"):
                text += _table(key, value)
            else:
                keys.append((key, _value(key, value)))
        # "zip" is a key of the root, so it stands before the tables.
        text = "".join(sorted(text.splitlines(keepends=True), key=lambda line: not line.startswith("zip = ")))
        return _engine.load(self.file, text, keys, functions.native(), database, any_rows)

    def rows(self) -> list[dict[str, Any]]:
        """Every key of every row, resolved, as `lightloop check` shows it; runs nothing. Raises InputError."""
        loaded = self._load()
        return [json.loads(loaded.row_record(row))["keys"] for row in range(loaded.rows())]

    def warnings(self) -> list[str]:
        """Which settings change nothing, a sentence each. Raises InputError."""
        return self._load().warnings()

    def __len__(self) -> int:
        """How many rows it has. Raises InputError."""
        return self._load().rows()

    def __repr__(self) -> str:
        return f"Experiment({self.file!r}, {self._settings!r})" if self.file else f"Experiment({self._settings!r})"


def experiment_file(name: str) -> pathlib.Path:
    """The file of an experiment that comes with lightloop: "main", "tiny", "pst". Raises InputError with the known names."""
    folder = pathlib.Path(_engine.data_folder()) / "experiments"
    file = folder / f"{name}.toml"
    if not file.is_file():
        known = ", ".join(sorted(one.stem for one in folder.glob("*.toml")))
        raise InputError(f'unknown experiment "{name}"; known: {known}')
    return file


def keys() -> dict[str, tuple[str, str]]:
    """Every key of an experiment, with its default (as TOML) and what it is."""
    return {name: (default, summary) for name, default, summary in _engine.keys()}


def columns() -> dict[str, str]:
    """Every column of a row, and what it is, with its unit in brackets if it has one."""
    return dict(_engine.columns())


def catalogue(what: str) -> dict[str, str]:
    """What there is of "devices", "placers", "policies", "schedulers", "selections" or "sync", each with a sentence. Raises InputError."""
    return dict(_engine.catalogue(what))
