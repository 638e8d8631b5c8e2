# SPDX-License-Identifier: Apache-2.0
"""Charts of rows."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .errors import Error
from .quantities import seconds

if TYPE_CHECKING:
    from .rows import Row, Rows


def _number(row: Row, name: str) -> tuple[Any, str]:
    """A value and its unit: times are seconds, whether a column or a key says them."""
    if name not in row and name + "_ps" in row:
        name += "_ps"
    value = row[name]
    if name.endswith("_ps"):
        return row.seconds(name), "s"
    if isinstance(value, str):
        try:
            return seconds(value), "s"
        except Error:
            return value, ""
    return value, ""


def plot(rows: Rows, x: str, y: str, by: str | None, ax: Any) -> Any:
    """As Rows.plot()."""
    from .rows import _module
    pyplot = _module("matplotlib.pyplot", "plot()", "matplotlib")
    if ax is None:
        _, ax = pyplot.subplots()
    lines: dict[Any, list[tuple[Any, Any]]] = {}
    units = ["", ""]
    for row in rows:
        (at, units[0]), (value, units[1]) = _number(row, x), _number(row, y)
        lines.setdefault(row[by] if by else None, []).append((at, value))
    for name, points in lines.items():
        numeric = all(isinstance(at, (int, float)) for at, _ in points)
        ordered = sorted(points, key=lambda point: point[0]) if numeric else points
        ax.plot([at for at, _ in ordered], [value for _, value in ordered], marker="o", label=None if by is None else str(name))
        if numeric and min(at for at, _ in ordered) > 0 and max(at for at, _ in ordered) >= 100 * min(at for at, _ in ordered):
            ax.set_xscale("log")
    for label, name, unit in ((ax.set_xlabel, x, units[0]), (ax.set_ylabel, y, units[1])):
        label(name + (f" ({unit})" if unit else ""))
    if by is not None:
        ax.legend(title=by)
    return ax.figure
