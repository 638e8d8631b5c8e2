# SPDX-License-Identifier: Apache-2.0
"""Charts of rows; figures.py has them all."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .figures import over_axis

if TYPE_CHECKING:
    from .rows import Rows


def plot(rows: Rows, x: str, y: str, by: str | None, ax: Any) -> Any:
    """As Rows.plot()."""
    return over_axis(rows, x, y, by, ax, seconds=True)
