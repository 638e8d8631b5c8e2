# SPDX-License-Identifier: Apache-2.0
"""What rows are, and what they become."""
import copy
import math
import pickle
import sys

import pytest

import lightloop as ll


@pytest.fixture(scope="module")
def rows():
    return ll.run(ll.experiment_file("tiny"), {"policy": ["psscheduler", "sunflow"], "fabric.tuning": ["1 us", "10 us"]}, events=True)


def test_times_are_whole_picoseconds_and_seconds_on_demand(rows):
    assert isinstance(rows[0]["pst_mean_ps"], int)
    assert rows[0].seconds("pst_mean") == rows[0].seconds("pst_mean_ps") == rows[0]["pst_mean_ps"] / 1e12
    assert rows.seconds("pst_mean").shape == (4,)
    assert math.isnan(rows.seconds("cct_mean")[0]) and rows[0].seconds("cct_mean") is None
    with pytest.raises(ll.InputError, match='"policy" is no time'):
        rows[0].seconds("policy")


def test_every_column_is_described(rows):
    assert list(rows[0]) == list(ll.columns())


def test_a_name_that_is_not_there_is_an_error(rows):
    with pytest.raises(KeyError, match="pst_mean_ps"):
        rows[0]["pst_men_ps"]
    with pytest.raises(IndexError):
        rows[9]


def test_rows_can_be_pickled_and_copied(rows):
    for again in (pickle.loads(pickle.dumps(rows)), copy.deepcopy(rows)):
        assert again == rows
        assert [row.events for row in again] == [row.events for row in rows]
        assert again[1].experiment == rows[1].experiment


def test_frames_have_the_keys_that_differ_and_all_columns(rows):
    frame = rows.to_pandas()
    assert list(frame["fabric.tuning"]) == ["1 us", "1 us", "10 us", "10 us"]
    assert list(frame["pst_mean_ps"]) == rows["pst_mean_ps"]
    assert str(frame["pst_mean_ps"].dtype) == "Int64"
    assert list(rows.to_pandas(seconds=True)["pst_mean_s"]) == list(rows.seconds("pst_mean"))
    assert rows.to_polars()["pst_mean_ps"].to_list() == rows["pst_mean_ps"]
    table = rows.to_arrow()
    assert table.column("pst_mean_ps").to_pylist() == rows["pst_mean_ps"] and table.num_rows == 4
    assert ll.Rows().to_pandas().empty


@pytest.mark.parametrize("method, package", [("to_pandas", "pandas"), ("to_polars", "polars"), ("to_arrow", "pyarrow")])
def test_a_package_that_is_missing_is_named(rows, monkeypatch, method, package):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ImportError, match=f"needs {package}, which is not installed"):
        getattr(rows, method)()


def test_event_logs_are_frames(rows):
    frame = rows[0].events_to_pandas()
    assert len(frame) == rows[0]["events"]
    assert (frame["at_ps"] == frame["at"] * rows[0]["cycle_ps"]).all()
    assert {"tuning", "up"} <= set(frame["kind"])
    without = ll.run(ll.experiment_file("tiny"), {"policy": "sunflow"})[0]
    with pytest.raises(ll.InputError, match="events=True"):
        without.events_to_pandas()


def test_charts_have_a_line_for_each_value(rows):
    figure = rows.plot(x="fabric.tuning", y="pst_mean", by="policy")
    axes = figure.axes[0]
    lines = {line.get_label(): list(zip(*line[0].get_data())) for line in axes.containers}
    assert set(lines) == {"psscheduler", "sunflow"}
    chosen = [row for row in rows if row["policy"] == "sunflow"]
    right = [(ll.seconds(row["fabric.tuning"]), row.seconds("pst_mean")) for row in chosen]
    assert [pytest.approx(point) for point in right] == lines["sunflow"]
    assert axes.get_xlabel() == "fabric.tuning (s)"


def test_quantities_are_those_of_experiments():
    assert ll.picoseconds("10 us") == 10_000_000 and ll.seconds("10 ms") == 0.01 and ll.seconds(5) == 5e-12
    assert ll.bits_per_second("100 Gbit/s") == 10**11 and ll.bytes_("4 MiB") == 4 << 20
    with pytest.raises(ll.InputError):
        ll.picoseconds("10 parsecs")


def test_catalogues_name_what_the_command_line_lists():
    assert "sunflow" in ll.catalogue("schedulers") and "model" in ll.catalogue("devices")
    assert ll.keys()["fabric.ports"][0].isdigit()
    with pytest.raises(ll.InputError, match="known: devices"):
        ll.catalogue("cheeses")
    presets = sorted(path.stem for path in ll.experiment_file("tiny").parent.glob("*.toml"))
    assert len(presets) > 1
    with pytest.raises(ll.InputError, match=f"known: {', '.join(presets)}$"):
        ll.experiment_file("cheese")
