# SPDX-License-Identifier: Apache-2.0
"""Figures: everything lies on the canvas, axes have titles with units, series differ without colours, bars are those of a report."""
import json
import os
import pathlib
import statistics
import subprocess
import sys

import lightloop as ll
import pytest
from lightloop import figures

PROGRAM = os.environ["LIGHTLOOP"]


def made_rows(policies=("sunflow", "psscheduler", "a policy with a rather long name"), seeds=(1, 2, 3)):
    rows = []
    for k, policy in enumerate(policies):
        for tuning in ("1 us", "100 us", "10 ms"):
            for rate in ("10 Gbit/s", "100 Gbit/s"):
                for seed in seeds:
                    time = (k + 2) * (1 + figures.quantity(tuning)[0] * 1e3) * (seed + 5) * 10**8
                    curve = [(n, n * time // 10, 1.0, 0.8 - 0.6 / (n + 1)) for n in range(30)]
                    rows.append({"policy": policy, "fabric.tuning": tuning, "fabric.rate": rate, "seed": seed, "iteration_ps": int(time),
                                 "node_compute_ps": 10**9, "node_dark_ps": int(time) // 3, "port_up_cycles": 5, "port_idle_cycles": 7,
                                 "curve": curve if tuning == "1 us" and rate == "10 Gbit/s" else None, "time_to_accuracy_ps": None})
    return rows


AXES = ["policy", "fabric.tuning", "fabric.rate", "seed"]


@pytest.fixture
def data():
    return figures.Data(made_rows(), AXES)


def texts_of(ax):
    """Titles, labels of ticks that are drawn, and the legend."""
    yield from (ax.xaxis.label, ax.yaxis.label, ax.title, *ax.texts)
    for axis in (ax.xaxis, ax.yaxis):
        low, high = sorted(axis.get_view_interval())
        yield from (tick.label1 for tick in axis.get_major_ticks() if low <= tick.get_loc() <= high)
    if ax.get_legend():
        yield from (ax.get_legend().get_title(), *ax.get_legend().get_texts())


def check(figure):
    """Everything that is written lies on the canvas, and both axes say what they are."""
    figure.canvas.draw()
    renderer, whole = figure.canvas.get_renderer(), figure.bbox
    for ax in figure.axes:
        assert ax.get_xlabel() and ax.get_ylabel()
        for text in [*texts_of(ax), *filter(None, [figure._suptitle])]:
            if text.get_text():
                box = text.get_window_extent(renderer)
                assert box.x0 >= -1 and box.y0 >= -1 and box.x1 <= whole.x1 + 1 and box.y1 <= whole.y1 + 1, text.get_text()


def test_every_chart_lies_on_its_canvas_and_is_titled(data):
    drawn = {name: draw() for name, draw in figures.charts(data).items()}
    assert set(drawn) == {"iteration_over_fabric_tuning", "iteration_over_fabric_rate", "winners", "distribution", "node_time", "outputs", "learning"}
    for figure in drawn.values():
        check(figure)
    assert drawn["node_time"]._suptitle.get_text() == "What a worker does from the beginning of a run to its end\n(mean over the workers)"
    assert drawn["outputs"]._suptitle.get_text().startswith("What the outputs of the switch do")
    assert "marks at 50, 95 and 99 %" in drawn["distribution"].axes[0].get_ylabel()
    check(figures.compare(data, "iteration_ps"))
    check(figures.boxes({"A / sunflow": [1.0, 2, 3, 50], "B / hlf": [-4.0, 0, 2]}, "how much shorter (%)", "set-up"))
    over = drawn["iteration_over_fabric_tuning"].axes[0]
    assert (over.get_xlabel(), over.get_ylabel()) == ("fabric.tuning (ms)", "iteration time (ms)")
    assert (over.get_xscale(), over.get_yscale()) == ("log", "linear")


def test_series_differ_without_colours(data):
    ax = figures.over_axis(data, "fabric.tuning", "iteration_ps").axes[0]
    lines = [bar.lines[0] for bar in ax.containers]
    assert len(lines) == 6
    assert len({(line.get_marker(), str(line.get_linestyle()), line._dash_pattern[1] and tuple(line._dash_pattern[1])) for line in lines}) == 6
    assert len({line.get_color() for line in lines}) == 6
    parts = figures.node_time(data).axes[0].containers
    assert len({bars.patches[0].get_hatch() for bars in parts}) == len(parts)


def test_bars_are_intervals_over_seeds(data):
    ax = figures.over_axis(figures.Data(made_rows(["sunflow"]), AXES), "fabric.tuning", "iteration_ps", "fabric.rate", seconds=True).axes[0]
    mean = ax.containers[0].lines[0].get_ydata()[0]
    low, high = ax.containers[0].lines[2][0].get_segments()[0][:, 1]
    values = [row["iteration_ps"] * 1e-12 for row in made_rows(["sunflow"]) if row["fabric.tuning"] == "1 us" and row["fabric.rate"] == "10 Gbit/s"]
    assert mean == pytest.approx(statistics.fmean(values))
    assert high - mean == pytest.approx(4.3027 * statistics.stdev(values) / 3**0.5, rel=1e-4) and mean - low == pytest.approx(high - mean)
    assert figures.half_width([5.0]) == 0
    # Student's t, from tables.
    for freedom, t in ((1, 12.706), (10, 2.2281), (11, 2.2010), (30, 2.0423), (120, 1.9799)):
        assert figures._student(freedom) == pytest.approx(t, rel=1e-4)


def test_what_lies_below_an_axis_is_cut_off_and_not_drawn_on_it(data):
    figure = figures.learning(data, target=.7, low=.5, title="a title")
    ax = figure.axes[0]
    check(figure)
    assert ax.get_ylim()[0] == .5 and min(ax.get_lines()[0].get_ydata()) < .3
    assert [text.get_text() for text in ax.get_legend().get_texts()][0].endswith(": never")


def test_too_many_series_are_refused_and_left_out(tmp_path):
    many = figures.Data(made_rows([f"policy {k}" for k in range(8)], seeds=(1,)), AXES)
    with pytest.raises(ValueError, match="16 series of iteration_ps over fabric.tuning are too many"):
        figures.over_axis(many, "fabric.tuning", "iteration_ps")
    written, left_out = figures.save_all(many, tmp_path / "new", "png")
    assert "winners.png" in written and left_out[0].startswith("iteration_over_fabric_tuning.png: 16 series")
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == sorted(written)


def test_quantities_are_numbers_in_base_units():
    assert figures.quantity("10 us") == (pytest.approx(1e-5), "s") and figures.quantity("4 MiB") == (4 * 2**20, "B")
    assert figures.quantity("100 Gbit/s") == (1e11, "bit/s") and figures.quantity(3) == (3, "") and figures.quantity("2.5") == (2.5, "")
    assert all(figures.quantity(text) is None for text in ("sunflow", "10 parsecs", "", None, True, "1 us x"))


def test_rows_of_a_run_are_drawn(tmp_path):
    rows = ll.run(ll.experiment_file("tiny"), {"fabric.tuning": ["1 us", "1 ms"], "policy": ["psscheduler", "sunflow"]})
    check(figures.over_axis(rows, "fabric.tuning", "iteration_ps"))
    written, _ = figures.save_all(rows, tmp_path, "svg")
    assert {"iteration_over_fabric_tuning.svg", "node_time.svg", "outputs.svg"} <= set(written)
    first = (tmp_path / "outputs.svg").read_bytes()
    figures.save_all(rows, tmp_path, "svg")
    assert (tmp_path / "outputs.svg").read_bytes() == first


@pytest.fixture(scope="module")
def database(tmp_path_factory):
    file = tmp_path_factory.mktemp("figures") / "r.db"
    subprocess.run([PROGRAM, "run", ll.experiment_file("tiny"), "--db", file, "--quiet", "--set", 'fabric.tuning=["1 us", "1 ms"]', "--set",
                    "seed=[1, 2]"], check=True)
    return file


def report(*arguments, path=None):
    environment = dict(os.environ, PATH=path or f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}")
    return subprocess.run([PROGRAM, "report", *map(str, arguments)], capture_output=True, text=True, env=environment)


@pytest.mark.parametrize("kind, begins", [("pdf", b"%PDF"), ("svg", b"<?xml"), ("png", b"\x89PNG")])
def test_the_program_draws_a_database(database, tmp_path, kind, begins):
    done = report(database, "--figures", tmp_path / "out", *(() if kind == "pdf" else ("--format", kind)), "--quiet")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    files = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    assert f"iteration_over_fabric_tuning.{kind}" in files and all(content.startswith(begins) for content in files.values())


def test_the_program_refuses_in_a_sentence(database, tmp_path):
    bare = tmp_path / "bin"
    bare.mkdir()
    assert "needs python3 with matplotlib" in report(database, "--figures", tmp_path / "f", path=str(bare)).stderr
    (bare / "python3").write_text(f'#!/bin/sh\nexec {sys.executable} -S "$@"\n')  # without what is installed
    (bare / "python3").chmod(0o755)
    missing = report(database, "--figures", tmp_path / "f", path=str(bare))
    assert missing.returncode == 2 and missing.stderr.count("\n") == 1
    assert f"matplotlib, which is not installed for {sys.executable};" in missing.stderr
    assert "`lightloop report -o FILE` needs neither" in missing.stderr
    for arguments, sentence in (((), "it must have -o FILE, --figures DIR or both"),
                                (("-o", "-", "--format", "svg"), "--format needs --figures DIR"),
                                (("--figures", tmp_path / "f", "--explain", "1"), "--explain needs -o FILE"),
                                (("--figures", "/dev/null/x"), "figures can't be written"),
                                (("--figures", tmp_path / "f", "--rows", "99"), "row 99 does not exist")):
        done = report(database, *arguments)
        assert done.returncode == 2 and sentence in done.stderr and done.stderr.count("\n") == 1, done.stderr
    assert not (tmp_path / "f").exists()


def test_estimates_are_those_of_a_report(database):
    page = report(database, "-o", "-", "--quiet").stdout
    found = json.JSONDecoder().raw_decode(page, page.index('{"axes":'))[0]
    rows = {row[0]: row for row in found["rows"]}
    at = 1 + len(found["axes"]) + found["columns"].index("iteration_ps")
    for group in found["groups"]:
        mean, half = group["estimates"][found["columns"].index("iteration_ps")]
        values = [rows[number][at] for number in group["rows"]]
        assert mean == pytest.approx(statistics.fmean(values)) and half == pytest.approx(figures.half_width(values), rel=1e-4)
