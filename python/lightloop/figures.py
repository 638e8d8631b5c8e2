# SPDX-License-Identifier: Apache-2.0
"""The charts of `lightloop report` as functions that return matplotlib figures.

Each takes rows: the Rows of a run, or any sequence of mappings from a column or a key to its value. Rows that differ in the seed
alone are one point: the mean, with a bar for its 95 % confidence interval (Student's t). Titles of axes say units, legends lie
beside the axes inside of the canvas, and series differ in colour (Okabe and Ito's), marker, dashes or hatching, so that they can
be told apart without colours. `lightloop report --figures` executes this file with what a database holds: it needs matplotlib
and nothing else of this package.
"""
from __future__ import annotations

import json
import math
import pathlib
import re
import statistics
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

COLOURS = ["#0072b2", "#d55e00", "#009e73", "#000000", "#cc79a7", "#56b4e9", "#e69f00"]
MARKERS = ["o", "s", "^", "D", "v", "X", "P", "*"]
DASHES: list[Any] = ["-", "--", (0, (12, 2)), ":", (0, (6, 1, 1, 1, 1, 1)), (0, (3, 2)), (0, (8, 2))]
HATCHES = ["", "//", "..", "xx", "\\\\", "++", "oo"]
MOST_SERIES = 12
MOST_BARS = 24

TITLES = {"iteration_ps": "iteration time", "pst_mean_ps": "PST, mean", "cct_mean_ps": "CCT, mean", "cct_p99_ps": "CCT, 99th percentile",
          "slowdown_mean": "slowdown, mean", "accuracy": "accuracy", "time_to_accuracy_ps": "time to accuracy",
          "planning_ps": "planning time", "sim_time_ps": "emulated time", "words_lost": "words lost", "retransmissions": "retransmissions"}
METRICS = tuple(TITLES)
NODE_TIME = {"node_compute_ps": "compute", "node_communication_ps": "exposed communication", "node_dark_ps": "dark (set-up)",
             "node_waiting_ps": "waiting"}
OUTPUTS = {"port_up_cycles": "up", "port_tuning_cycles": "tuning", "port_locking_cycles": "locking", "port_held_cycles": "held or failed",
           "port_idle_cycles": "idle"}

_TIMES = {"ps": 1e-12, "ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0, "min": 60.0, "h": 3600.0}
_SIZES = {"B": 1.0, "kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12, "KiB": 2.0**10, "MiB": 2.0**20, "GiB": 2.0**30}
_RATES = {"bit/s": 1.0, "kbit/s": 1e3, "Mbit/s": 1e6, "Gbit/s": 1e9, "Tbit/s": 1e12}
_QUANTITY = re.compile(r"\s*([-+]?[0-9]*\.?[0-9]+(?:e[-+]?[0-9]+)?)\s*([A-Za-z/]*)\s*", re.IGNORECASE)


def _pyplot() -> Any:
    try:
        import matplotlib
        from matplotlib import pyplot
    except ImportError as missing:
        raise ImportError(f"figures need matplotlib, which is not installed for {sys.executable}; `pip install matplotlib` or "
                          "`apt install python3-matplotlib` installs it; `lightloop report -o FILE` needs neither") from missing
    matplotlib.rcParams.update({"svg.hashsalt": "lightloop", "pdf.fonttype": 42, "axes.spines.top": False, "axes.spines.right": False,
                                "axes.grid": True, "grid.color": "#dddddd", "axes.axisbelow": True, "hatch.linewidth": 0.6})
    return pyplot


def quantity(value: Any) -> tuple[float, str] | None:
    """A number and its unit ("s", "B", "bit/s" or "") of 5, "10 us", "25 MB" or "100 Gbit/s"; None: it is none of these."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, (int, float)):
        return float(value), ""
    found = _QUANTITY.fullmatch(str(value))
    if not found:
        return None
    for units, base in ((_TIMES, "s"), (_SIZES, "B"), (_RATES, "bit/s")):
        if found[2] in units:
            return float(found[1]) * units[found[2]], base
    return (float(found[1]), "") if not found[2] else None


def _scale(unit: str, most: float) -> tuple[float, str]:
    """By what values up to `most` of a base unit are divided, and the unit that they then have."""
    if unit == "s":
        steps = [(1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"), (1e-12, "ps")]
    elif unit:
        steps = [(10.0 ** (3 * k), prefix + unit) for k, prefix in ((4, "T"), (3, "G"), (2, "M"), (1, "k"), (0, ""))]
    else:
        return 1.0, ""
    return next((step for step in steps if most >= step[0]), steps[-1])


def title_of(name: str, unit: str = "") -> str:
    """What the axis of a column or key is called: "iteration time (ms)"."""
    words = TITLES.get(name) or (name if "." in name else re.sub("_ps$", "", name).replace("_", " "))
    return f"{words} ({unit})" if unit else words


def half_width(values: Sequence[float]) -> float:
    """Half of the 95 % confidence interval of the mean, by Student's t; 0 below two values."""
    if len(values) < 2:
        return 0.0
    return _student(len(values) - 1) * statistics.stdev(values) / math.sqrt(len(values))


def _student(freedom: int) -> float:
    """The 97.5th percentile of Student's t: a table, then an expansion in 1 / freedom that is good to four digits."""
    table = [12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281]
    if freedom <= len(table):
        return table[freedom - 1]
    z, v = 1.959964, freedom
    return z + (z**3 + z) / (4 * v) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * v**2) + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * v**3)


class Data:
    """Rows as the charts want them: what differs among them, and groups of those that differ in the seed alone."""

    def __init__(self, rows: Iterable[Any], axes: Sequence[str] | None = None) -> None:
        self.rows = list(rows)
        if axes is None:
            known = getattr(rows, "axes", None)
            axes = known() if callable(known) else self._differing()
        self.axes = [axis for axis in axes if axis != "seed"]
        groups: dict[str, list[Any]] = {}
        for row in self.rows:
            groups.setdefault(repr([row.get(axis, _setting(row, axis)) for axis in self.axes]), []).append(row)
        self.groups = list(groups.values())

    def _differing(self) -> list[str]:
        measured = {*TITLES, *NODE_TIME, *OUTPUTS, "curve"}
        names = [name for name in (self.rows[0] if self.rows else ()) if name not in measured]
        return [name for name in names if len({repr(row.get(name)) for row in self.rows}) > 1]

    def setting(self, row: Any, axis: str) -> Any:
        """The value of a key in a row; None where it has none."""
        return row.get(axis, _setting(row, axis))

    def values(self, rows: Sequence[Any], name: str) -> list[float]:
        """Of those rows that have it: a column in its base unit (times in seconds), whatever the key or column is called."""
        found = (_column(row, name) for row in rows)
        return [value for value in found if value is not None]

    def has(self, name: str) -> bool:
        """Some row has a value of this column that isn't 0."""
        return any(self.values(self.rows, name))

    def numeric(self) -> list[str]:
        """Those axes whose values all are numbers or quantities."""
        return [axis for axis in self.axes if all(quantity(self.setting(row, axis)) is not None for row in self.rows)]

    def metrics(self) -> list[str]:
        return [name for name in METRICS if self.has(name)]

    def name(self, row: Any, without: Sequence[str] = ()) -> str:
        return ", ".join(_shown(axis, self.setting(row, axis)) for axis in self.axes if axis not in without)


def _setting(row: Any, axis: str) -> Any:
    experiment = getattr(row, "experiment", None)
    return experiment.get(axis) if isinstance(experiment, Mapping) else None


def _shown(axis: str, value: Any) -> str:
    return str(value) if axis == "policy" or isinstance(value, str) and quantity(value) is None else f"{axis.rpartition('.')[2]} {value}"


def _column(row: Any, name: str) -> float | None:
    if name not in row and name + "_ps" in row:
        name += "_ps"
    known = quantity(row.get(name, _setting(row, name)))
    if known is None:
        return None
    return known[0] * 1e-12 if name.endswith("_ps") else known[0]


def _unit(data: Data, name: str) -> str:
    for row in data.rows:
        if name.endswith("_ps") or name + "_ps" in row:
            return "s"
        known = quantity(row.get(name, _setting(row, name)))
        if known is not None:
            return known[1]
    return ""


def _canvas(height: float = 3.6, width: float = 7.2) -> tuple[Any, Any]:
    figure, ax = _pyplot().subplots(figsize=(width, height), layout="constrained")
    return figure, ax


def _legend(ax: Any, count: int, title: str | None = None, **options: Any) -> None:
    """Beside the axes, on a canvas that is high enough for it."""
    figure = ax.figure
    figure.set_figheight(max(figure.get_figheight(), 0.7 + 0.22 * (count + (title is not None))))
    ax.legend(loc="upper left", bbox_to_anchor=(1.01, 1.0), borderaxespad=0.0, frameon=False, fontsize="small", title=title, **options)


def _look(k: int) -> dict[str, Any]:
    return {"color": COLOURS[k % len(COLOURS)], "linestyle": DASHES[k % len(DASHES)], "linewidth": 1.5}


def _spans_decades(values: Sequence[float]) -> bool:
    return bool(values) and min(values) > 0 and max(values) >= 30 * min(values)


def _series(data: Data, x: str, y: str, name_of: Callable[[Any], str]) -> dict[str, list[tuple[Any, float, float]]]:
    """Name -> points of a place, a mean and half of its interval, by place if places are numbers."""
    found: dict[str, dict[Any, list[Any]]] = {}
    numeric = all(_column(row, x) is not None for row in data.rows)
    for row in data.rows:
        place = _column(row, x) if numeric else str(data.setting(row, x))
        found.setdefault(name_of(row), {}).setdefault(place, []).append(row)
    series = {}
    for name, places in found.items():
        points = [(place, data.values(rows, y)) for place, rows in places.items()]
        known = [(place, statistics.fmean(values), half_width(values)) for place, values in points if values]
        if known:
            series[name] = sorted(known) if numeric else known
    return series


def over_axis(rows: Any, x: str, y: str, by: str | None = None, ax: Any = None, seconds: bool = False) -> Any:
    """Column `y` over key or column `x`, a line for each value of `by`, or of all other axes together; error bars over seeds.

    A numeric axis that spans a factor of 30 is logarithmic. `seconds` keeps times in seconds; else a unit is chosen that fits.
    At most twelve series are drawn: more raise ValueError. Returns the figure.
    """
    data = rows if isinstance(rows, Data) else Data(rows)
    names = {row_id: (str(data.setting(row, by)) if by else data.name(row, [x])) for row_id, row in enumerate(data.rows)}
    place = {id(row): names[row_id] for row_id, row in enumerate(data.rows)}
    series = _series(data, x, y, lambda row: place[id(row)])
    if len(series) > MOST_SERIES:
        raise ValueError(f"{len(series)} series of {y} over {x} are too many for a figure, which can have {MOST_SERIES}: choose some rows")
    figure, ax = (ax.figure, ax) if ax is not None else _canvas()
    points = [point for line in series.values() for point in line]
    places = [point[0] for point in points if not isinstance(point[0], str)]
    fit = (lambda unit, most: (1.0, unit)) if seconds else _scale
    by_x, unit_x = fit(_unit(data, x), max(places, default=0.0))
    by_y, unit_y = fit(_unit(data, y), max((abs(mean) for _, mean, _ in points), default=0.0))
    for k, (name, line) in enumerate(series.items()):
        ax.errorbar([at if isinstance(at, str) else at / by_x for at, _, _ in line], [mean / by_y for _, mean, _ in line],
                    yerr=[half / by_y for _, _, half in line] if any(half for _, _, half in line) else None, label=name or None,
                    marker=MARKERS[k % len(MARKERS)], markersize=5, capsize=3, **_look(k))
    if _spans_decades(places):
        ax.set_xscale("log")
    if _spans_decades([mean for _, mean, _ in points]):
        ax.set_yscale("log")
    elif points and min(mean for _, mean, _ in points) >= 0:
        ax.set_ylim(bottom=0)
    ax.set_xlabel(title_of(x, unit_x))
    ax.set_ylabel(title_of(y, unit_y))
    if len(series) > 1 or by:
        _legend(ax, len(series), by)
    return figure


def compare(rows: Any, y: str) -> Any:
    """Column `y` of each combination of the axes, a mark and its interval a line; of more than 24 the first. Returns the figure."""
    data = rows if isinstance(rows, Data) else Data(rows)
    found = [(data.name(group[0]) or "all rows", data.values(group, y)) for group in data.groups]
    known = [(name, values) for name, values in found if values][:MOST_BARS]
    by, unit = _scale(_unit(data, y), max((abs(statistics.fmean(values)) for _, values in known), default=0.0))
    figure, ax = _canvas(0.9 + 0.3 * len(known))
    ax.errorbar([statistics.fmean(values) / by for _, values in known], range(len(known)),
                xerr=[half_width(values) / by for _, values in known], fmt="o", color=COLOURS[0], capsize=3)
    ax.set_yticks(range(len(known)), [name for name, _ in known])
    ax.invert_yaxis()
    ax.set_xlabel(title_of(y, unit))
    ax.set_ylabel(", ".join(data.axes) or "rows")
    return figure


def _bars(data: Data, parts: Mapping[str, str], whole: bool, label: str, title: str) -> Any:
    """Stacked bars, one a group: in a unit of time, or of its whole in per cent. `label` names the axis, `title` the figure."""
    groups = [group for group in data.groups if any(data.values(group, part) for part in parts)][:MOST_BARS]
    means = [[statistics.fmean(data.values(group, part) or [0.0]) for part in parts] for group in groups]
    by, unit = (1.0, "%") if whole else _scale("s", max((sum(mean) for mean in means), default=0.0))
    if whole:
        means = [[100 * value / (sum(mean) or 1.0) for value in mean] for mean in means]
    figure, ax = _canvas(1.1 + 0.32 * len(groups))
    left = [0.0] * len(groups)
    for k, name in enumerate(parts.values()):
        widths = [mean[k] / by for mean in means]
        ax.barh(range(len(groups)), widths, left=left, height=0.7, label=name, color=COLOURS[::-1][k], hatch=HATCHES[k], edgecolor="white", linewidth=0.5)
        left = [at + width for at, width in zip(left, widths)]
    ax.set_yticks(range(len(groups)), [data.name(group[0]) or "all rows" for group in groups])
    ax.set_ylim(len(groups) - 0.5, -0.5)
    ax.grid(axis="y", visible=False)
    ax.set_xlabel(f"{label} ({unit})")
    ax.set_ylabel(", ".join(data.axes) or "rows")
    figure.suptitle(title, x=0.01, horizontalalignment="left", fontsize="medium")
    _legend(ax, len(parts))
    return figure


def node_time(rows: Any) -> Any:
    """Where the time of workers goes: computing, exposed communication, dark, waiting. Returns the figure."""
    return _bars(rows if isinstance(rows, Data) else Data(rows), NODE_TIME, False, "emulated time",
                 "What a worker does from the beginning of a run to its end\n(mean over the workers)")


def outputs(rows: Any) -> Any:
    """What outputs did: shares of up, tuning, locking, held or failed, idle. Returns the figure."""
    return _bars(rows if isinstance(rows, Data) else Data(rows), OUTPUTS, True, "share of the cycles of all outputs",
                 "What the outputs of the switch do\nfrom the beginning of a run to its end")


def distribution(rows: Any, y: str, by: str | None = None) -> Any:
    """The share of rows up to each value of column `y`, a line for each value of `by`; marks at p50, p95 and p99. Returns the figure."""
    data = rows if isinstance(rows, Data) else Data(rows)
    found: dict[str, list[Any]] = {}
    for row in data.rows:
        found.setdefault(str(data.setting(row, by)) if by else "all rows", []).append(row)
    series = {name: sorted(data.values(some, y)) for name, some in list(found.items())[:MOST_SERIES]}
    series = {name: values for name, values in series.items() if values}
    by_y, unit = _scale(_unit(data, y), max((values[-1] for values in series.values()), default=0.0))
    figure, ax = _canvas()
    for k, (name, values) in enumerate(series.items()):
        shown = [value / by_y for value in values]
        ranks = [100 * (n + 1) / len(values) for n in range(len(values))]
        ax.step([shown[0], *shown], [0.0, *ranks], where="post", **_look(k))
        ax.plot([], [], marker=MARKERS[k % len(MARKERS)], markersize=5, label=name, **_look(k))  # for the legend
        at = [shown[math.ceil(len(shown) * p) - 1] for p in (0.5, 0.95, 0.99)]
        ax.plot(at, [50, 95, 99], linestyle="", marker=MARKERS[k % len(MARKERS)], color=COLOURS[k % len(COLOURS)], markersize=5)
    if _spans_decades([value for values in series.values() for value in values]):
        ax.set_xscale("log")
    ax.set_xlabel(title_of(y, unit))
    ax.set_ylabel("share of rows up to a value (%)\nmarks at 50, 95 and 99 %")
    _legend(ax, len(series), by)
    return figure


def winners(rows: Any, x: str, y: str, who: str, what: str) -> Any:
    """Which value of axis `who` has the best mean of column `what` at each pair of values of axes `x` and `y`.

    Best is least, of accuracy most. Each cell has the winner's colour and letter, and its mean. Returns the figure.
    """
    data = rows if isinstance(rows, Data) else Data(rows)
    places = [sorted({str(data.setting(row, axis)) for row in data.rows}, key=lambda text: (quantity(text) or (0.0, ""))[0]) for axis in (x, y)]
    names = list(dict.fromkeys(str(data.setting(row, who)) for row in data.rows))
    cells: dict[tuple[str, str, str], list[Any]] = {}
    for row in data.rows:
        cells.setdefault((str(data.setting(row, x)), str(data.setting(row, y)), str(data.setting(row, who))), []).append(row)
    best = max if what == "accuracy" else min
    by, unit = _scale(_unit(data, what), max(data.values(data.rows, what), default=0.0))
    figure, ax = _canvas(1.4 + 0.45 * len(places[1]))
    seen: set[int] = set()
    for r, yv in enumerate(places[1]):
        for c, xv in enumerate(places[0]):
            means = {k: statistics.fmean(values) for k, name in enumerate(names) if (values := data.values(cells.get((xv, yv, name), []), what))}
            if not means:
                continue
            k = best(means, key=lambda name, means=means: means[name])
            _cell(ax, c, r, k, f"{chr(65 + k % 26)}: {means[k] / by:.3g}", names[k] if k not in seen else None)
            seen.add(k)
    ax.set_xticks(range(len(places[0])), places[0])
    ax.set_yticks(range(len(places[1])), places[1])
    ax.set_xlim(-0.5, len(places[0]) - 0.5)
    ax.set_ylim(-0.5, len(places[1]) - 0.5)
    ax.grid(visible=False)
    ax.set_xlabel(x)
    ax.set_ylabel(y)
    _legend(ax, len(seen) + 1, f"{who} with the best\n{title_of(what, unit)}")
    return figure


def _cell(ax: Any, column: int, row: int, k: int, text: str, label: str | None) -> None:
    from matplotlib.patches import Rectangle
    name = f"{chr(65 + k % 26)}: {label}" if label is not None else None
    ax.add_patch(Rectangle((column - 0.5, row - 0.5), 1, 1, facecolor=COLOURS[k % len(COLOURS)], alpha=0.35, hatch=HATCHES[k % len(HATCHES)],
                           edgecolor="white", label=name))
    ax.text(column, row, text, ha="center", va="center", fontsize="small", bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.0, "alpha": 0.85})


def _curve(row: Any) -> list[Any]:
    return (row.get("curve") or []) if isinstance(row, dict) else (getattr(row, "curve", None) or [])


def learning(rows: Any, name_of: Callable[[Any], str] | None = None, target: float | None = None, low: float | None = None,
             title: str | None = None) -> Any:
    """Accuracy over emulated time, a line for each row that has a curve; of rows with one name the mean, and the span of them.

    `name_of` names a row (by default, by its axes); `low` is the least accuracy that is shown: what lies below it is cut off.
    `target` is drawn as a line, and the legend says when each reached it. At most twelve lines; more raise ValueError.
    """
    data = rows if isinstance(rows, Data) else Data(rows)
    lines: dict[str, list[Any]] = {}
    for row in data.rows:
        if _curve(row):
            lines.setdefault(name_of(row) if name_of else data.name(row), []).append(row)
    if len(lines) > MOST_SERIES:
        raise ValueError(f"{len(lines)} curves are too many for a figure, which can have {MOST_SERIES}: choose some rows")
    figure, ax = _canvas()
    for k, (name, some) in enumerate(lines.items()):
        times, middle, least, most = _mean_curve([_curve(row) for row in some])
        every = max(5, len(times) // 8)
        label = name if target is None else f"{name}: {_reached(some)}"
        ax.plot(times, middle, label=label, marker=MARKERS[k % len(MARKERS)], markevery=(k % every, every), markersize=max(4.0, 7 - 0.8 * k),
                **(_look(k) | {"linewidth": max(1.2, 3.2 - 0.5 * k)}))  # one that hides another lets its edges show
        if len(some) > 1:
            ax.fill_between(times, least, most, color=COLOURS[k % len(COLOURS)], alpha=0.18, linewidth=0)
    if target is not None:
        ax.axhline(target, color="#777777", linewidth=1, linestyle=(0, (2, 2)))
    if low is not None:
        best = max((point[3] for some in lines.values() for row in some for point in _curve(row)), default=1.0)
        ax.set_ylim(low, best + 0.04 * (best - low))
    ax.set_xlim(left=0)
    ax.set_xlabel("emulated time (s)")
    ax.set_ylabel("test accuracy")
    if title:
        ax.set_title(title, loc="left", fontsize="medium")
    _legend(ax, len(lines), None if target is None else f"emulated time to {target:g}")
    return figure


def _mean_curve(curves: Sequence[Sequence[Any]]) -> tuple[list[float], list[float], list[float], list[float]]:
    """Times in s, mean, least and most accuracy at each; points are (updates, ps, loss, accuracy). Between points it is linear."""
    if len(curves) == 1:
        times, values = [point[1] * 1e-12 for point in curves[0]], [point[3] for point in curves[0]]
        return times, values, values, values
    end = min(curve[-1][1] for curve in curves)
    places = sorted({point[1] for curve in curves for point in curve if point[1] <= end})
    known = [[_between(curve, place) for place in places] for curve in curves]
    columns = list(zip(*known))
    return [place * 1e-12 for place in places], [statistics.fmean(c) for c in columns], [min(c) for c in columns], [max(c) for c in columns]


def _between(curve: Sequence[Any], place: float) -> float:
    before = curve[0]
    for point in curve:
        if point[1] >= place:
            span = point[1] - before[1]
            return point[3] if span <= 0 else before[3] + (point[3] - before[3]) * (place - before[1]) / span
        before = point
    return before[3]


def _reached(rows: Sequence[Any]) -> str:
    times = [row.get("time_to_accuracy_ps") for row in rows]
    known = [time * 1e-12 for time in times if time is not None]
    if not known:
        return "never"
    text = f"{statistics.fmean(known):.1f} s"
    return text if len(known) == len(times) else f"{text} ({len(times) - len(known)} of {len(times)} never)"


def boxes(values: Mapping[str, Sequence[float]], label: str, names: str) -> Any:
    """A box a line: quartiles and median, whiskers to the least and the most. `label` and `names` title the axes."""
    figure, ax = _canvas(1.0 + 0.27 * len(values))
    import matplotlib
    lying: dict[str, Any] = {"orientation": "horizontal"} if matplotlib.__version_info__ >= (3, 10) else {"vert": False}
    ax.boxplot(list(values.values()), **lying, whis=(0, 100), widths=0.6, patch_artist=True, boxprops={"facecolor": "#cfe3f1", "edgecolor": COLOURS[0]},
               medianprops={"color": COLOURS[1], "linewidth": 2}, whiskerprops={"color": COLOURS[0]}, capprops={"color": COLOURS[0]})
    ax.set_yticks(range(1, len(values) + 1), list(values))
    ax.invert_yaxis()
    ax.axvline(0, color="#555555", linewidth=1)
    ax.grid(axis="y", visible=False)
    ax.set_xlabel(label)
    ax.set_ylabel(names)
    return figure


def charts(rows: Any) -> dict[str, Callable[[], Any]]:
    """Name -> a call that draws it, of every chart for which the rows have data."""
    data = rows if isinstance(rows, Data) else Data(rows)
    found: dict[str, Callable[[], Any]] = {}
    metrics, numeric = data.metrics(), data.numeric()
    for y in metrics:
        for x in numeric:
            found[f"{_file_part(y)}_over_{_file_part(x)}"] = lambda x=x, y=y: over_axis(data, x, y)
        if not numeric:
            found[_file_part(y)] = lambda y=y: compare(data, y)
    others = [axis for axis in data.axes if axis not in numeric]
    if metrics and len(numeric) >= 2 and others:
        who = "policy" if "policy" in others else others[0]
        x = next((axis for axis in numeric if re.search("tuning|delta|locking", axis)), numeric[0])
        y = next(axis for axis in numeric if axis != x)
        found["winners"] = lambda: winners(data, x, y, who, metrics[0])
    if metrics and len(data.rows) >= 4 and data.axes:
        by = "policy" if "policy" in data.axes else data.axes[0]
        found["distribution"] = lambda: distribution(data, metrics[0], by)
    if any(data.has(part) for part in NODE_TIME):
        found["node_time"] = lambda: node_time(data)
    if any(data.has(part) for part in OUTPUTS):
        found["outputs"] = lambda: outputs(data)
    if any(_curve(row) for row in data.rows):
        found["learning"] = lambda: learning(data)
    return found


def _file_part(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9_-]", "_", re.sub("_ps$", "", name))


def save(figure: Any, file: pathlib.Path | str) -> None:
    """Writes a figure as its suffix says (.pdf, .svg, .png); the same figure gives the same bytes. Raises OSError."""
    kind = pathlib.Path(file).suffix[1:]
    dates = {"pdf": {"CreationDate": None}, "svg": {"Date": None}, "png": {"Software": None}}
    figure.savefig(file, dpi=300, metadata=dates.get(kind))
    _pyplot().close(figure)


def save_all(rows: Any, folder: pathlib.Path | str, kind: str) -> tuple[list[str], list[str]]:
    """Writes charts() of the rows to a folder, which is made, as "pdf", "svg" or "png". Files that are there are replaced.

    Returns the names of the files, and a sentence for each chart that was left out. Raises OSError, ImportError.
    """
    place = pathlib.Path(folder)
    written, left_out = [], []
    for name, draw in charts(rows).items():
        try:
            figure = draw()
        except ValueError as too_many:
            left_out.append(f"{name}.{kind}: {too_many}")
            continue
        place.mkdir(parents=True, exist_ok=True)
        save(figure, place / f"{name}.{kind}")
        written.append(f"{name}.{kind}")
    return written, left_out


def rows_of_report(report: Mapping[str, Any]) -> Data:
    """The rows of what `lightloop report` knows of a database."""
    axes = [axis["key"] for axis in report["axes"]]
    rows = []
    for numbers in report["rows"]:
        row = dict(zip([*axes, *report["columns"]], numbers[1:]))
        curve = (report.get("curves") or {}).get(str(numbers[0]))
        row["curve"] = [(updates, at, None, accuracy) for updates, at, accuracy in curve] if curve else None
        rows.append(row)
    return Data(rows, axes)


def main() -> int:
    """FOLDER FORMAT: draws what standard input says as JSON; prints files, or one sentence and exit code 2."""
    folder, kind = sys.argv[1:3]
    try:
        _pyplot().switch_backend("agg")
        written, left_out = save_all(rows_of_report(json.load(sys.stdin)), folder, kind)
    except ImportError as missing:
        print(missing)
        return 2
    except OSError as failure:
        print(f"figures can't be written to \"{folder}\": {failure.strerror}")
        return 2
    print(json.dumps({"written": written, "left_out": left_out}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
