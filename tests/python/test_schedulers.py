# SPDX-License-Identifier: Apache-2.0
"""Schedulers in Python: the same seam and the same checker as those in C++."""
import gc
import os
import subprocess
import sys
import time

import numpy
import pytest

import lightloop as ll

ONE = {"policy": "sunflow", "job.payload": "none"}


@ll.scheduler
def one_by_one(problem):
    """A valid plan: one circuit after another."""
    at, plan = problem.now, []
    for flow, length in zip(problem.flow, problem.length):
        plan.append((flow, at, at + problem.delta, at + problem.delta + length))
        at = plan[-1][-1]
    return plan


def run(tiny, function, **settings):
    return ll.run(tiny, {**ONE, **settings}, scheduler=function)


@pytest.mark.parametrize("name", ["hlf", "solstice", "sunflow"])
def test_a_plan_of_ours_through_python_gives_the_same_row(tiny, name):
    mine = run(tiny, ll.Scheduler(lambda problem: problem.plan_by(name), "mine"))[0]
    ours = run(tiny, name)[0]
    assert mine["event_log_hash"] == ours["event_log_hash"] and mine["pst_mean_ps"] == ours["pst_mean_ps"]
    assert mine["scheduler"] == "python:mine" and mine.experiment["scheduler"] == "python:mine"


def test_all_forms_of_a_plan_mean_the_same(tiny):
    forms = [
        one_by_one,
        lambda problem: (ll.Reservation(*one) for one in one_by_one(problem)),
        lambda problem: [dict(zip(("flow", "start", "up", "end", "in", "out"), (*one, int(i), int(o))))
                         for one, i, o in zip(one_by_one(problem), problem.input, problem.output)],
        lambda problem: numpy.array(one_by_one(problem), dtype=numpy.int64),
        lambda problem: [list(map(int, one)) for one in one_by_one(problem)],
    ]
    hashes = {run(tiny, ll.Scheduler(form, "form"))[0]["event_log_hash"] for form in forms}
    assert len(hashes) == 1


def test_a_problem_says_what_there_is_to_plan_and_may_be_kept(tiny):
    kept = []

    def keeping(problem):
        kept.append((problem, problem.length, problem.input, problem.demand))
        return one_by_one(problem)

    run(tiny, keeping)
    gc.collect()
    for problem, length, inputs, demand in kept:
        assert len(problem) == len(length) == len(problem.flow) > 0
        assert length is not problem.length and numpy.shares_memory(length, problem.length)
        assert not length.flags.writeable and length.dtype == numpy.int64 and inputs.dtype == numpy.uint16
        assert demand.shape == (problem.ports, problem.ports) and demand.sum() == length.sum()
        masks = problem.output_mask
        assert all(masks[k, out // 64] == 1 << out % 64 for k, out in enumerate(problem.output))
        assert (length % problem.word == 0).all() and problem.pair_delta is None and problem.horizon is None
    arrays = [array for _, array, _, _ in kept]
    sums = [array.sum() for array in arrays]
    kept.clear()
    gc.collect()
    assert [array.sum() for array in arrays] == sums


def first_changed(change):
    def plan(problem):
        plan = [list(map(int, one)) + [0, 0] for one in one_by_one(problem)]
        change(problem, plan)
        return plan
    return ll.Scheduler(plan, "changed")


@pytest.mark.parametrize("rule, change", [
    ("unknown_flow", lambda problem, plan: plan[0].__setitem__(0, 10**6)),
    ("missing", lambda problem, plan: plan.pop()),
    ("twice", lambda problem, plan: plan.append([plan[0][0], plan[-1][3], plan[-1][3] + problem.delta, plan[-1][3] + problem.delta + plan[0][3] - plan[0][2], 0, 0])),
    ("settle", lambda problem, plan: [plan[0].__setitem__(k, plan[0][k] - 1) for k in (2, 3)]),
    ("times", lambda problem, plan: plan[0].__setitem__(3, plan[0][2])),
    ("early", lambda problem, plan: problem.now > 0 and plan[0].__setitem__(1, problem.now - 1)),
    ("part", lambda problem, plan: plan[0].__setitem__(4, 10**9)),
    ("port_range", lambda problem, plan: plan[0].__setitem__(5, 9)),
])
def test_an_invalid_plan_raises_the_rule_that_it_breaks(tiny, rule, change):
    with pytest.raises(ll.BrokenRule, match=f'breaks the rule "{rule}"') as error:
        run(tiny, first_changed(change))
    assert error.value.rule == rule


@pytest.mark.parametrize("answer, sentence", [
    (None, "is a NoneType, but must be a list of reservations"),
    ("plan", "is a str, but must be"),
    (7, "is a int, but must be"),
    ([7], r"\[0\] is a int, but must be"),
    ([(1, 2)], r"\[0\] has 2 items"),
    ([(0, 1.5, 2, 3)], r"\[0\].start is a float, but must be a whole number"),
    ([(0, -1, 2, 3)], r"\[0\].start is -1, but must be a whole number from 0"),
    ([(2**70, 1, 2, 3)], r"\[0\].flow doesn't fit 64 bits"),
    ([{"flow": 0}], r"\[0\]\[0\] has no"),
    ([{3: 0}], r"\[0\] has a key that is a int"),
    (numpy.zeros((2, 2), dtype=numpy.int64), "is an array with 2 columns"),
    (numpy.zeros((2, 4)), "is a ndarray, but must be"),
])
def test_nonsense_is_refused_with_its_place(tiny, answer, sentence):
    with pytest.raises(ll.RunError, match=sentence):
        run(tiny, ll.Scheduler(lambda problem: answer, "nonsense"))


def test_an_exception_is_the_cause(tiny):
    def failing(problem):
        raise ZeroDivisionError("no way")

    with pytest.raises(ll.RunError, match=r"^row 1 \(sunflow\): python:failing raised ZeroDivisionError: no way$") as error:
        run(tiny, failing)
    assert isinstance(error.value.__cause__, ZeroDivisionError)
    assert error.value.__cause__.__traceback__.tb_frame.f_code.co_name == "failing"


def test_a_generator_that_fails_is_no_plan(tiny):
    def failing(problem):
        yield one_by_one(problem)[0]
        raise ValueError("halfway")

    with pytest.raises(ll.RunError, match="raised ValueError: halfway"):
        run(tiny, failing)


def forever(problem):
    while True:
        try:
            time.sleep(0.001)
        except Exception:
            pass


def asleep(problem):
    time.sleep(4)


@pytest.mark.parametrize("function, end", [(forever, "its planning_timeout$"), (asleep, "its planning_timeout, and can't be ended: its thread goes on$")])
def test_a_scheduler_that_never_returns_ends_its_run(tiny, function, end):
    began = time.monotonic()
    with pytest.raises(ll.RunError, match=f"python:{function.__name__} hasn't answered within 200 ms, {end}"):
        run(tiny, function, planning_timeout="200 ms")
    assert time.monotonic() - began < 4
    assert len(run(tiny, one_by_one)) == 1


LEFT_BEHIND = """
import sys
import time
import lightloop as ll

class EndsSlowly:
    def __del__(self, sleep=time.sleep):
        sleep(1)  # the interpreter is about to end, and the thread that was left behind wakes up

sys.slow = EndsSlowly()
try:
    ll.run(ll.experiment_file("tiny"), {"policy": "sunflow", "planning_timeout": "50 ms"}, scheduler=ll.Scheduler(lambda problem: time.sleep(1.5), "asleep"))
except ll.RunError as error:
    print("thread goes on" in str(error))
"""


def test_a_thread_that_was_left_behind_does_not_disturb_the_end_of_the_process():
    done = subprocess.run([sys.executable, "-c", LEFT_BEHIND], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "True\n", "")


def test_a_scheduler_plans_around_circuits_in_use(tiny):
    seen = []

    def online(problem):
        seen.extend(problem.up)
        return problem.plan_by("sunflow_inter")

    settings = {"job.sync": "asp"}
    mine, ours = (ll.run(tiny, {**ONE, **settings}, scheduler=one)[0] for one in (online, "sunflow_inter"))
    assert mine["event_log_hash"] == ours["event_log_hash"]
    assert seen and set(seen[0]) == {"plane", "in", "outs", "free_at"}


def test_schedulers_are_an_axis_beside_ours(tiny):
    rows = ll.run(tiny, {**ONE, "scheduler": [one_by_one, "sunflow"]})
    assert rows["scheduler"] == ["python:one_by_one", "sunflow"]
    with pytest.raises(ll.InputError, match="each must have its own name"):
        ll.run(tiny, {**ONE, "scheduler": [ll.Scheduler(len, "same"), ll.Scheduler(repr, "same")]})
    with pytest.raises(ll.InputError, match="must be a function"):
        ll.Scheduler(3)


def test_the_text_of_a_scheduler_is_in_the_record(tiny):
    record = run(tiny, one_by_one)[0].record
    assert len(record["scheduler_hash"]) == 16 and record["scheduler_hash"] != run(tiny, forever_not)[0].record["scheduler_hash"]


def forever_not(problem):
    return one_by_one(problem)


def test_the_command_line_knows_no_function(tiny, command_line):
    assert "is a function of a Python program" in command_line.complaint(tiny, 'scheduler="python:mine"')


@pytest.mark.skipif("LIGHTLOOP_SANITIZED" in os.environ, reason="sanitizers cost more than what is measured")
def test_a_plan_costs_little_more(tiny):
    """Processor time that a plan takes through Python and back, in addition to the plan itself: 35 us on an idle machine.

    A busy machine makes times longer, up to three times: the shortest of several is compared, and more are taken while it isn't short.
    """
    settings = {"job.iterations": 100, "job.workers": 8, "job.servers": 4, "fabric.ports": 16}
    plans = 200

    def processor_time(function):
        began = time.process_time()
        run(tiny, function, **settings)
        return time.process_time() - began

    through, straight = [], []
    for _ in range(12):
        through.append(processor_time(ll.Scheduler(lambda problem: problem.plan_by("hlf"), "through")))
        straight.append(processor_time("hlf"))
        cost = (min(through) - min(straight)) / plans
        if len(through) > 3 and cost < 150e-6:
            return
    raise AssertionError(f"a plan costs {cost * 1e6:.0f} us more")
