# SPDX-License-Identifier: Apache-2.0
"""Quantities as experiments write them: "10 us", "100 Gbit/s", "4 MiB"."""
from __future__ import annotations

from .native import engine as _engine

PICOSECONDS_PER_SECOND = 10**12


def picoseconds(quantity: str | int) -> int:
    """A time in whole picoseconds: "10 us" is 10000000; a whole number is picoseconds already.

    Raises InputError with what would be right.
    """
    return quantity if isinstance(quantity, int) else _engine.picoseconds(quantity)


def seconds(quantity: str | int) -> float:
    """A time in seconds: of text such as "10 us", or of whole picoseconds. Raises InputError."""
    return picoseconds(quantity) / PICOSECONDS_PER_SECOND


def bits_per_second(quantity: str) -> int:
    """A rate in bit/s: "100 Gbit/s" is 100000000000. Raises InputError."""
    return _engine.bits_per_second(quantity)


def bytes_(quantity: str) -> int:
    """A size in bytes: "4 MiB" is 4194304. Raises InputError."""
    return _engine.bytes(quantity)
