# SPDX-License-Identifier: Apache-2.0
"""Experiments and runs: the same rows and the same sentences as on the command line."""
import os
import pickle
import re
import signal
import threading
import time

import pytest

import lightloop as ll

#: Columns of a row that measure the machine.
MEASURED = {"wall_time_s", "realtime_ratio", "peak_rss_bytes"}
POLICIES = {"policy": ["psscheduler", "sunflow", "hlf"]}


def text(value):
    return "" if value is None else format(value, ".17g") if isinstance(value, float) else str(value)


@pytest.mark.parametrize("jobs", [1, 2])
def test_rows_equal_those_of_the_command_line(tiny, command_line, jobs):
    settings = {**POLICIES, "fabric.tuning": ["1 us", "5 us"]}
    rows = ll.run(tiny, settings, jobs=jobs)
    theirs = command_line.rows(tiny, 'policy=["psscheduler","sunflow","hlf"]', 'fabric.tuning=["1 us","5 us"]')
    assert len(rows) == len(theirs) == 6
    for mine, other in zip(rows, theirs):
        assert list(mine) == list(other)
        different = {name for name in mine if name not in MEASURED and text(mine[name]) != other[name]
                     and (not isinstance(mine[name], float) or mine[name] != float(other[name]))}
        assert not different
        assert len(mine["event_log_hash"]) == 16


def test_processes_as_nodes_give_the_same_rows(tiny):
    threads, processes = (ll.run(tiny, {"policy": "sunflow", "nodes.transport": one})[0] for one in ("inproc", "ipc"))
    assert threads["event_log_hash"] == processes["event_log_hash"]


def test_an_experiment_can_be_a_file_a_dictionary_or_built_step_by_step(tiny, tmp_path):
    built = ll.Experiment()
    built["policy"] = "sunflow"
    built["fabric"] = {"ports": 8, "tuning": "3 us"}
    built["job.workers"], built["job.servers"] = 3, 2
    built["job.workload"] = "softmax"
    said = {"policy": "sunflow", "fabric": {"ports": 8, "tuning": "3 us"}, "job.workers": 3,
            "job": {"servers": 2, "workload": "softmax"}}
    file = tmp_path / "mine.toml"
    file.write_text('policy = "sunflow"\n[fabric]\nports = 8\ntuning = "3 us"\n[job]\nworkers = 3\nservers = 2\nworkload = "softmax"\n')
    hashes = {ll.run(one)[0]["event_log_hash"] for one in (built, said, file, str(file))}
    assert len(hashes) == 1
    assert len(built) == 1 and built.rows()[0]["fabric.tuning"] == "3 us"


def test_tables_and_choices_of_rows_come_through():
    jobs = [{"workload": "softmax", "workers": 2, "servers": 1, "arrival": "0 us"},
            {"workload": "softmax", "workers": 2, "servers": 1, "arrival": "5 us", "first_node": 3}]
    rows = ll.run({"policy": "sunflow_inter", "fabric.ports": 8, "job": jobs, "job.iterations": 1})
    assert rows[0]["jobs"] == 2 and '"softmax"' in rows[0].experiment["jobs"]
    zipped = ll.Experiment({"zip": [["job.workers", "job.servers"]], "policy": "sunflow", "job.workers": [2, 3], "job.servers": [1, 2],
                            "fabric.ports": 8, "job.workload": "softmax"})
    assert [(row["job.workers"], row["job.servers"]) for row in zipped.rows()] == [(2, 1), (3, 2)]


@pytest.mark.parametrize("key, value, said", [
    ("fabric.ports", 0, "fabric.ports=0"),
    ("fabric.ports", True, "fabric.ports=true"),
    ("fabric.tuning", "soon", 'fabric.tuning="soon"'),
    ("nothing", 1, "nothing=1"),
    ("policy", ["sunflow", "x"], 'policy=["sunflow", "x"]'),
    ("job.workload", 'a"b\\\n', None),
])
def test_wrong_settings_raise_the_sentences_of_the_command_line(tiny, command_line, key, value, said):
    with pytest.raises(ll.InputError) as error:
        ll.run(tiny, {key: value})
    assert isinstance(error.value, ValueError)
    if said:
        assert "lightloop: --set " + str(error.value) == command_line.complaint(tiny, said)


def test_a_file_that_is_not_there_raises_the_sentence_of_the_command_line(command_line):
    with pytest.raises(ll.InputError) as error:
        ll.run("nowhere.toml")
    assert "lightloop: " + str(error.value) == command_line.complaint("nowhere.toml")


@pytest.mark.parametrize("experiment, settings", [
    (None, {}), (3, {}), ("", {}), ({1: 2}, {}), ({"policy": None}, {}), ({"policy": [["x"]]}, {}), ({"policy": b"x"}, {}),
    ({"job": [3]}, {}), ({}, [1]),
])
def test_wrong_types_are_refused(experiment, settings):
    with pytest.raises(ll.InputError, match="must"):
        ll.run(experiment, settings)


@pytest.mark.parametrize("jobs", [-1, 1.5, "2", True, 5000])
def test_jobs_must_be_a_number(tiny, jobs):
    with pytest.raises(ll.InputError, match="jobs is"):
        ll.run(tiny, jobs=jobs)


def test_settings_without_effect_are_warned_of(tiny):
    with pytest.warns(ll.SettingWarning, match="planning_timeout"):
        ll.run(tiny, {"policy": "sunflow", "planning_timeout": "5 s"})


def test_a_row_that_fails_keeps_those_before_it(tiny):
    calls = []

    def second_fails(problem):
        calls.append(1)
        if problem.delta > 300:
            raise LookupError("not this one")
        return problem.plan_by("sunflow")

    settings = {"policy": "sunflow", "fabric.tuning": ["1 us", "5 us", "500 ns"], "scheduler": second_fails}
    with pytest.raises(ll.RunError, match=r"^row 2 \(sunflow\): python:second_fails raised LookupError: not this one$") as error:
        ll.run(tiny, settings)
    assert isinstance(error.value.__cause__, LookupError)
    assert [row["fabric.tuning"] for row in error.value.rows] == ["1 us"]
    rows = ll.run(tiny, settings, keep_going=True)
    assert len(rows) == 3 and "not this one" in rows[1]["error"] and rows[1]["pst_mean_ps"] is None
    assert rows[0]["error"] is None and rows[2]["pst_mean_ps"] < rows[0]["pst_mean_ps"]


def test_ctrl_c_ends_a_run_and_keeps_finished_rows(tiny):
    def interrupting(problem):
        if problem.delta > 300:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(30)
        return problem.plan_by("sunflow")

    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt) as stopped:
        ll.run(tiny, {"policy": "sunflow", "fabric.tuning": ["1 us", "5 us"]}, scheduler=interrupting)
    assert time.monotonic() - began < 10
    assert isinstance(stopped.value, ll.Interrupted) and len(stopped.value.rows) == 1
    assert str(stopped.value) == "interrupted: 1 of 2 rows are finished and kept"


def test_ctrl_c_ends_a_long_row_of_the_engine(tiny):
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    began = time.monotonic()
    with pytest.raises(ll.Interrupted):
        ll.run(tiny, {"policy": "sunflow", "job.iterations": 100_000})
    timer.join()
    assert time.monotonic() - began < 10


def test_the_engine_runs_without_the_lock_of_the_interpreter(tiny):
    counted, going = [0], [True]

    def count():
        while going[0]:
            counted[0] += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    began = time.monotonic()
    ll.run(tiny, {"policy": "sunflow", "job.iterations": 1000})
    during, waits = counted[0], (time.monotonic() - began) / 0.05  # run() looks around every 50 ms
    going[0] = False
    thread.join()
    assert during > 4 * waits > 4


def test_two_runs_at_once_in_threads(tiny):
    expected = ll.run(tiny, POLICIES)["event_log_hash"]
    found = [None, None]

    def run(place):
        found[place] = ll.run(tiny, POLICIES, jobs=2)["event_log_hash"]

    threads = [threading.Thread(target=run, args=(place,)) for place in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected, expected]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_fork_after_a_run(tiny):
    expected = ll.run(tiny, POLICIES, jobs=2)["event_log_hash"]
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(writing, pickle.dumps(ll.run(tiny, POLICIES)["event_log_hash"]))
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        assert pickle.loads(pipe.read()) == expected
    assert os.waitpid(child, 0)[1] == 0


def test_one_device_can_not_serve_two_jobs(tiny):
    with pytest.raises(ll.InputError, match="needs jobs=1"):
        ll.run(tiny, {**POLICIES, "fabric.device": "mapped:/nowhere", "fabric.rate": "100 Gbit/s"}, jobs=2)


def test_progress_is_shown_by_tqdm(tiny, capsys):
    ll.run(tiny, POLICIES, progress=True)
    assert "3.0/3" in capsys.readouterr().err
    ll.run(tiny, {"policy": "sunflow", "job.iterations": 500}, progress=True)
    assert re.search(r"row 1\b.* 0\.[1-9]/1 ", capsys.readouterr().err)
    ll.run(tiny, POLICIES, progress=False)
    assert capsys.readouterr().err == ""
