# SPDX-License-Identifier: Apache-2.0
"""Placers, selections, schemes and lists of collectives in Python: the seams and the checkers of those in C++."""
import gc
import os
import signal
import threading
import time
import warnings

import numpy
import pytest

import lightloop as ll

SERVERS = {"policy": "sunflow", "job.payload": "none"}
EAGER = {**SERVERS, "scheduler": "sunflow_inter", "job.iterations": 4, "job.compute": "5 us", "compute.factors": "0: 3, 2: 2"}
PEERS = {"policy": "sunflow", "job.payload": "none", "job.workers": 5, "job.iterations": 6, "peers.p": 2, "peers.layer": "L7"}
READY = {**PEERS, "policy": "multicast", "peers.layer": "L3", "compute.factors": "0: 3, 2: 2", "job.compute": "20 us"}
COLLECTIVE = {"policy": "sunflow", "fabric.ports": 8, "job.payload": "none", "job.workers": 6, "job.iterations": 2}


@ll.placer
def in_turn(job):
    return [job.candidates[k % job.servers] for k in range(len(job))]


@ll.selection
def everybody(problem):
    return [(i, j) for i in range(problem.peers) for j in range(problem.peers) if i != j]


@ll.scheme(whole_rounds=True)
class InRounds:
    """Bulk synchronous, as testbed/sync/bsp.cpp."""

    def __init__(self, workers, settings):
        self.workers = range(workers)

    def on(self, event, gate):
        members = [w for w in self.workers if gate.pushed(w)]
        if members and all(gate.pushed(w) or not gate.active(w) for w in self.workers):
            gate.apply(members, stale_bound=0)
        for w in self.workers:
            if gate.asking(w) and not gate.pushed(w):
                gate.grant(w)


@ll.scheme
def at_once(event, gate):
    if event.kind == "pushed":
        gate.apply([event.worker])
    if event.kind == "asked":
        gate.grant(event.worker)


@ll.scheme(reads=["s"])
class Stale:
    """Stale synchronous, as testbed/sync/ssp.cpp."""

    def __init__(self, workers, settings):
        self.s = settings["s"]

    def on(self, event, gate):
        if event.kind == "pushed":
            gate.apply([event.worker])
        for w in range(gate.workers):
            if gate.asking(w) and gate.clock(w) <= gate.least_clock() + self.s:
                gate.grant(w)


@ll.scheme(reads=["ahead"], compute="local_steps")
class StepByStep:
    """Local steps, synchronised after one more of everybody, as testbed/sync/predictive.cpp with sync.quota = 1."""

    def __init__(self, workers, settings):
        self.ahead = settings["ahead"]
        self.steps, self.sent, self.quota = [0] * workers, [0] * workers, [1] * workers

    def on(self, event, gate):
        everybody = range(gate.workers)
        if event.kind == "computed":
            assert event.iteration == self.steps[event.worker] and event.compute > 0
            self.steps[event.worker] += 1
        if event.kind == "pushed":
            self.sent[event.worker] = event.seen
        members = [w for w in everybody if gate.pushed(w)]
        if members and all(gate.pushed(w) or not gate.active(w) for w in everybody):
            gate.apply(members)
            self.quota = [steps - sent + 1 for steps, sent in zip(self.steps, self.sent)]
        for w in everybody:
            if gate.asking(w) and not gate.pushed(w):
                gate.grant(w, quota=self.quota[w], ahead=self.ahead)


@ll.collective
def round_and_round(ranks):
    adding = [[(r, (r + 1) % ranks, [(r - k) % ranks], "add") for r in range(ranks)] for k in range(ranks - 1)]
    taking = [[(r, (r + 1) % ranks, [(r + 1 - k) % ranks], "take") for r in range(ranks)] for k in range(ranks - 1)]
    return adding + taking


def run(tiny, base, **policy):
    return ll.run(tiny, base, **policy)[0]


def same(mine, ours):
    return mine["event_log_hash"] == ours["event_log_hash"] and mine["pst_mean_ps"] == ours["pst_mean_ps"]


# ---- the same row as the policy in C++ ------------------------------------------------------------------------------


@pytest.mark.parametrize("policy", ["sunflow", "random", "psscheduler"])
def test_a_placer_in_turn_is_round_robin(tiny, policy):
    base = {**SERVERS, "policy": policy}
    mine, ours = run(tiny, base, placer=in_turn), run(tiny, base, placer="round_robin")
    assert same(mine, ours) and mine["placer"] == "python:in_turn" and ours["placer"] == "round_robin"
    assert not same(mine, run(tiny, {**base, "policy": "random"}))


@pytest.mark.parametrize("name", ["default", "mxnet", "byteps", "random", "psscheduler", "exact"])
def test_a_placement_of_ours_through_python_gives_the_same_row(tiny, name):
    base = {**SERVERS, "policy": "psscheduler"}
    assert same(run(tiny, base, placer=ll.Placer(lambda job: job.place_by(name), "mine")), run(tiny, base, placer=name))


def test_a_selection_of_everybody_is_a_mesh(tiny):
    mine, ours = run(tiny, PEERS, selection=everybody), run(tiny, PEERS, selection="mesh")
    assert same(mine, ours) and mine["sync"] == "python:everybody"


@pytest.mark.parametrize("name", ["selmcast", "random", "mesh"])
def test_a_selection_of_ours_through_python_gives_the_same_row(tiny, name):
    through = ll.ReceiverSelection(lambda problem: problem.select_by(name), "mine")
    assert same(run(tiny, PEERS, selection=through), run(tiny, PEERS, selection=name))


def test_a_selection_while_others_send_gives_the_same_row(tiny):
    through = ll.ReceiverSelection(lambda problem: problem.select_by("selmcast_ssp"), "mine", while_sending=True)
    assert same(run(tiny, READY, selection=through), run(tiny, READY, selection="selmcast_ssp"))


@pytest.mark.parametrize("mine, name", [(InRounds, "bsp"), (at_once, "asp"), (Stale, "ssp")])
def test_a_scheme_in_python_gives_the_row_of_that_in_cpp(tiny, mine, name):
    rows = [run(tiny, EAGER, scheme=one) for one in (mine, name)]
    assert same(*rows) and rows[0]["sync"] == mine.name
    assert rows[0]["sync_settings"] == rows[1]["sync_settings"]


def test_a_scheme_with_phases_gives_the_row_of_bsp_phase(tiny):
    phases = ll.SyncScheme(InRounds.function, "phases", compute="last_pull", whole_rounds=True)
    assert same(run(tiny, SERVERS, scheme=phases), run(tiny, SERVERS, scheme="bsp_phase"))


@pytest.mark.parametrize("ahead", [1, 4])
def test_a_scheme_with_local_steps_gives_the_row_of_predictive(tiny, ahead):
    base = {**EAGER, "sync.quota": 1, "sync.ahead": ahead}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ll.SettingWarning)  # the function does not read sync.quota
        mine, ours = run(tiny, base, scheme=StepByStep), run(tiny, base, scheme="predictive")
    assert same(mine, ours) and not same(mine, run(tiny, EAGER, scheme="bsp"))


def test_local_steps_are_for_schemes_that_have_them(tiny):
    def quick(event, gate):
        if event.kind == "asked":
            gate.grant(event.worker, quota=2)

    with pytest.raises(ll.RunError, match='quota and ahead count local steps, which only a scheme with compute="local_steps" has'):
        run(tiny, EAGER, scheme=ll.SyncScheme(quick))

    def nothing(event, gate):
        if event.kind == "asked":
            gate.grant(event.worker, quota=0, ahead=1)

    with pytest.raises(ll.RunError, match="quota is 0, but must be from 1 to 65535"):
        run(tiny, EAGER, scheme=ll.SyncScheme(nothing, compute="local_steps"))
    with pytest.raises(ll.InputError, match='must be "own_pull", "last_pull" or "local_steps"'):
        ll.SyncScheme(nothing, compute="steps")


def test_a_list_of_steps_gives_the_row_of_the_ring(tiny):
    mine, ours = run(tiny, COLLECTIVE, collective=round_and_round), run(tiny, {**COLLECTIVE, "job.collective": "all_reduce"})
    assert same(mine, ours) and mine["collective"] == "all_reduce/python:round_and_round"


@pytest.mark.parametrize("of, algorithm", [("reduce_scatter", "bruck"), ("all_gather", "ring"), ("all_to_all", "linear"), ("broadcast", "binomial")])
def test_lists_of_ours_through_python_give_the_same_row(tiny, of, algorithm):
    through = ll.Collective(lambda ranks: ll.collective_steps(of, algorithm, ranks), "mine", of)
    assert same(run(tiny, COLLECTIVE, collective=through), run(tiny, {**COLLECTIVE, "job.collective": of, "job.algorithm": algorithm}))


def test_payload_of_a_list_in_python_is_summed_and_checked(tiny):
    row = run(tiny, {**COLLECTIVE, "job.payload": "full"}, collective=round_and_round)
    assert row["crc_errors"] == row["sum_errors"] == 0 and row["words_passed"] > 0


# ---- what they are given ----------------------------------------------------------------------------------------------


def test_a_placement_job_may_be_kept(tiny):
    kept = []

    def keeping(job):
        kept.append((job, job.size, job.rate, job.candidates))
        return in_turn(job)

    run(tiny, SERVERS, placer=keeping)
    gc.collect()
    for job, size, rate, candidates in kept:
        assert len(size) == len(job) > 0 and not size.flags.writeable and size.dtype == numpy.int64
        assert size is not job.size and numpy.shares_memory(size, job.size)
        assert rate.min() > 0 and len(candidates) >= job.servers and len(job.tensor) == len(job)
        assert job.delta_ps >= 0 and job.tick_ps > 0 and job.seed == 1 and len(job.workers) == 3
    sums = [size.sum() for _, size, _, _ in kept]
    arrays = [size for _, size, _, _ in kept]
    kept.clear()
    gc.collect()
    assert [array.sum() for array in arrays] == sums


def test_a_selection_problem_may_be_kept(tiny):
    kept = []

    def keeping(problem):
        kept.append((problem, problem.at_sender))
        return problem.select_by("selmcast_ssp")

    run(tiny, READY, selection=ll.ReceiverSelection(keeping, while_sending=True))
    gc.collect()
    senders = 0
    for problem, costs in kept:
        assert costs.shape == (5, 5) and not costs.flags.writeable and numpy.shares_memory(costs, problem.at_sender)
        assert (problem.least == 2).all() and problem.layer == "L3" and problem.unsent.shape == problem.at_receiver.shape
        sending = problem.sending
        assert sending.ready < 5 and sending.plan.dtype == bool and len(sending.slack) == 5
        assert not (sending.mostly_sent & ~sending.plan).any()
        senders += len(sending.senders)
    assert senders > 0


def test_a_gate_that_was_kept_is_closed(tiny):
    kept = []

    def keeping(event, gate):
        kept.append((event, gate))
        at_once(event, gate)

    run(tiny, EAGER, scheme=keeping)
    event, gate = kept[-1]
    assert event.kind == "finished" and event.at > 0 and not gate.active(event.worker) and gate.workers == 3
    with pytest.raises(ll.InputError, match="only while its event is handled"):
        gate.grant(0)
    with pytest.raises(ll.InputError, match="a worker is 3, but must be from 0 to 2"):
        gate.clock(3)


# ---- what breaks a rule ---------------------------------------------------------------------------------------------------


def placed(change):
    def place(job):
        shards = [[k, 0, int(size), int(job.candidates[k % job.servers])] for k, size in enumerate(job.size)]
        return change(job, shards) or shards
    return place


@pytest.mark.parametrize("answer, sentence", [
    (lambda job: [0] * len(job), "has 1 servers, but job.servers is 2"),
    (lambda job: [7] * len(job), "has 1 servers|which is not among"),
    (lambda job: ll.Placement([7] * len(job), [0, 7]), "server on node 7, which is not among the 2 nodes"),
    (lambda job: ll.Placement([0] * len(job), [0, 0]), "must be named once and ascend"),
    (lambda job: ll.Placement([1] * len(job), [0]), "has 1 servers"),
    (lambda job: in_turn(job)[:-1], "has 0 of the .* bytes of block"),
    (lambda job: in_turn(job) + [0], "is of none: the job has"),
    (placed(lambda job, shards: shards.append([0, 0, 4, 0])), "begins at byte 0, but the parts before it end at"),
    (placed(lambda job, shards: shards[0].__setitem__(2, shards[0][2] + 4)), "but the block has"),
    (placed(lambda job, shards: shards[0].__setitem__(2, shards[0][2] - 4)), "bytes of block 0"),
    (placed(lambda job, shards: shards[0].__setitem__(2, 0)), "has 0 bytes"),
])
def test_an_invalid_placement_breaks_its_rule(tiny, answer, sentence):
    with pytest.raises(ll.BrokenRule, match=f'breaks the rule "placement".*({sentence})') as error:
        run(tiny, SERVERS, placer=ll.Placer(answer, "wrong"))
    assert error.value.rule == "placement"


@pytest.mark.parametrize("answer, sentence", [
    (lambda problem: [], "peer 0 has 0 receivers, but must have 2 or more"),
    (lambda problem: everybody(problem) + [(1, 1)], "peer 1 sends to itself"),
    (lambda problem: [(i, j) for i, j in everybody(problem) if (i, j) not in problem.must and (i - j) % 5 != 1], "doesn't send to peer|but it must"),
])
def test_an_invalid_selection_breaks_its_rule(tiny, answer, sentence):
    with pytest.raises(ll.BrokenRule, match=f'breaks the rule "receivers".*({sentence})') as error:
        run(tiny, {**PEERS, "peers.k": 1}, selection=ll.ReceiverSelection(answer, "wrong"))
    assert error.value.rule == "receivers"


@pytest.mark.parametrize("answer, sentence", [
    (everybody, "isn't ready, and this pair isn't in its plan"),
    (lambda problem: ll.Selection(problem.select_by("selmcast_ssp").pairs, [(4 if problem.sending.ready != 4 else 3, 0)]), "has a deadline, but doesn't send"),
])
def test_an_invalid_selection_while_others_send_breaks_its_rule(tiny, answer, sentence):
    with pytest.raises(ll.BrokenRule, match=sentence):
        run(tiny, READY, selection=ll.ReceiverSelection(answer, "wrong", while_sending=True))


def grants_twice(event, gate):
    if event.kind == "asked":
        gate.grant(event.worker)
        gate.grant(event.worker)


def grants_and_hides_it(event, gate):
    try:
        grants_twice(event, gate)
    except ll.BrokenRule:
        pass


def applies_nothing(event, gate):
    gate.apply([event.worker])


def applies_stale(event, gate):
    if event.kind == "pushed":
        gate.apply([event.worker], stale_bound=0)
    if event.kind == "asked":
        gate.grant(event.worker)


@pytest.mark.parametrize("function, rule, sentence", [
    (grants_twice, "grant", "worker 0 is granted what it can't begin"),
    (grants_and_hides_it, "grant", "worker 0 is granted what it can't begin"),
    (applies_nothing, "push", "worker 0 has no push that could be applied or dropped"),
    (applies_stale, "push", "with staleness [0-9]+; at most 0 is promised"),
])
def test_an_invalid_decision_breaks_its_rule(tiny, function, rule, sentence):
    with pytest.raises(ll.BrokenRule, match=f'python:{function.__name__}, event [0-9]+, breaks the rule "{rule}".*{sentence}') as error:
        run(tiny, EAGER, scheme=function)
    assert error.value.rule == rule


def test_a_scheme_that_lets_nobody_go_on_ends_the_run(tiny):
    with pytest.raises(ll.RunError, match="waits at the gate|can't go on|nobody"):
        run(tiny, EAGER, scheme=ll.SyncScheme(lambda event, gate: None, "nobody"))


@pytest.mark.parametrize("steps, sentence", [
    (lambda ranks: [], "leaves rank 0 with the sum of 1 of 6 ranks in block 0"),
    (lambda ranks: [[(0, 1, [0], "add"), (0, 2, [0], "add")]], "step 0 of a collective, rank 0 to rank 2, uses a port twice"),
    (lambda ranks: [[(0, 1, [0], "add")], [(0, 1, [0], "add")]], "adds a number twice to block 0"),
    (lambda ranks: [[(2, 2, [0], "add")]], "isn't between two of 6 ranks"),
    (lambda ranks: [[(2, 3, [], "add")]], "has no blocks"),
])
def test_an_invalid_list_breaks_its_rule(tiny, steps, sentence):
    with pytest.raises(ll.BrokenRule, match=f'breaks the rule "steps".*{sentence}') as error:
        run(tiny, COLLECTIVE, collective=ll.Collective(steps, "wrong"))
    assert error.value.rule == "steps"


def test_a_broadcast_adds_nothing(tiny):
    with pytest.raises(ll.BrokenRule, match="nothing is added in an all_gather"):
        run(tiny, COLLECTIVE, collective=ll.Collective(lambda ranks: [[(0, 1, [0], "add")]], "wrong", "broadcast"))


# ---- nonsense -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind, key, base, answer, sentence", [
    (ll.Placer, "placer", SERVERS, None, "is a NoneType, but must be the node of each block"),
    (ll.Placer, "placer", SERVERS, "nodes", "is a str, but must be the node of each block"),
    (ll.Placer, "placer", SERVERS, [0.5], r"\[0\] is a float, but must be a whole number"),
    (ll.Placer, "placer", SERVERS, [-1], r"\[0\] is -1, but must be from 0 to 255"),
    (ll.Placer, "placer", SERVERS, [2**70], "doesn't fit 64 bits"),
    (ll.Placer, "placer", SERVERS, [(1, 2)], r"\[0\] has 2 items, but must be a shard"),
    (ll.Placer, "placer", SERVERS, [(0, -4, 4, 0)], r"\[0\]\[1\] is -4, but must be from 0"),
    (ll.Placer, "placer", SERVERS, [{}], r"\[0\] is a dict"),
    (ll.Placer, "placer", SERVERS, ll.Placement([0], 3), r"servers is a int, but must be a list of nodes"),
    (ll.ReceiverSelection, "job.peers", PEERS, None, "is a NoneType, but must be pairs"),
    (ll.ReceiverSelection, "job.peers", PEERS, [3], r"\[0\] is a int, but must be a pair"),
    (ll.ReceiverSelection, "job.peers", PEERS, [(0, 5)], "names peer 5, but peers are 0 to 4"),
    (ll.ReceiverSelection, "job.peers", PEERS, [(0, 1, 2)], r"\[0\] has more than 2 items"),
    (ll.ReceiverSelection, "job.peers", PEERS, numpy.zeros((3, 3), dtype=bool), "is an array of 3 by 3, but must be of 5 by 5"),
    (ll.ReceiverSelection, "job.peers", PEERS, ll.Selection([], [(9, 1)]), "must be a peer below 5"),
    (ll.SyncScheme, "job.sync", EAGER, 3, "returned a int, but must return nothing"),
    (ll.Collective, "job.algorithm", COLLECTIVE, None, "is a NoneType, but must be a list of steps"),
    (ll.Collective, "job.algorithm", COLLECTIVE, [3], r"\[0\] is a int, but must be a list of transfers"),
    (ll.Collective, "job.algorithm", COLLECTIVE, [[3]], r"\[0\]\[0\] is a int, but must be a transfer"),
    (ll.Collective, "job.algorithm", COLLECTIVE, [[(0, 1, [0])]], "has 3 items"),
    (ll.Collective, "job.algorithm", COLLECTIVE, [[(0, 6, [0], "add")]], r"\[1\] is 6, but must be from 0 to 5"),
    (ll.Collective, "job.algorithm", COLLECTIVE, [[(0, 1, [0], "sum")]], 'is sum, but must be "add" or "take"'),
    (ll.Collective, "job.algorithm", COLLECTIVE, [[(0, 1, 0, "add")]], r"\[2\] is a int, but must be a list of blocks"),
])
def test_nonsense_is_refused_with_its_place(tiny, kind, key, base, answer, sentence):
    settings = {**base, key: kind(lambda *arguments: answer, "nonsense")}
    if kind is ll.Collective:
        settings["job.collective"] = "all_reduce"
    with pytest.raises(ll.Error, match=sentence) as error:
        ll.run(tiny, settings)
    assert isinstance(error.value, (ll.InputError, ll.RunError)) and not isinstance(error.value, ll.BrokenRule)


POLICIES = [(ll.Placer, "placer", SERVERS), (ll.ReceiverSelection, "selection", PEERS), (ll.SyncScheme, "scheme", EAGER)]


@pytest.mark.parametrize("kind, name, base", POLICIES)
def test_an_exception_is_the_cause(tiny, kind, name, base):
    def failing(*arguments):
        raise ZeroDivisionError("no way")

    with pytest.raises(ll.RunError, match=r"python:failing raised ZeroDivisionError: no way$") as error:
        run(tiny, base, **{name: kind(failing)})
    assert isinstance(error.value.__cause__, ZeroDivisionError)


def forever(*arguments):
    while True:
        try:
            time.sleep(0.001)
        except Exception:
            pass


def asleep(*arguments):
    time.sleep(4)


class SlowToMake:
    """A scheme that is never made."""

    def __init__(self, workers, settings):
        forever()

    def on(self, event, gate):
        pass


NEVER = [(forever, "its planning_timeout$"), (asleep, "its planning_timeout, and can't be ended: its thread goes on$")]


@pytest.mark.parametrize("function, end", NEVER)
@pytest.mark.parametrize("kind, name, base", POLICIES)
def test_a_policy_that_never_returns_ends_its_run(tiny, kind, name, base, function, end):
    began = time.monotonic()
    with pytest.raises(ll.RunError, match=f"python:{function.__name__} hasn't answered within 200 ms, {end}"):
        run(tiny, {**base, "planning_timeout": "200 ms"}, **{name: kind(function)})
    assert time.monotonic() - began < 4


def test_a_class_that_is_never_made_is_refused_before_anything_runs(tiny):
    began = time.monotonic()
    with pytest.raises(ll.InputError, match="python:SlowToMake hasn't answered within 200 ms, its planning_timeout"):
        run(tiny, {**EAGER, "planning_timeout": "200 ms"}, scheme=ll.SyncScheme(SlowToMake))
    assert time.monotonic() - began < 4


@pytest.mark.parametrize("function, end", NEVER)
def test_a_list_that_never_comes_is_refused_before_anything_runs(tiny, function, end):
    settings = {**COLLECTIVE, "job.collective": "all_reduce", "planning_timeout": "200 ms"}
    for use in (lambda: run(tiny, settings, collective=function),
                lambda: len(ll.Experiment(tiny, {**settings, "job.algorithm": ll.Collective(function)}))):
        began = time.monotonic()
        with pytest.raises(ll.InputError, match=f"python:{function.__name__} hasn't answered within 200 ms, {end}"):
            use()
        assert time.monotonic() - began < 4
    assert run(tiny, COLLECTIVE, collective=round_and_round)["iteration_mean_ps"] > 0


@pytest.mark.parametrize("function", [forever, asleep])
def test_ctrl_c_ends_a_list_that_never_comes(tiny, function):
    began = time.monotonic()
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        run(tiny, COLLECTIVE, collective=function)
    timer.join()
    assert time.monotonic() - began < 3.5
    assert run(tiny, COLLECTIVE, collective=round_and_round)["iteration_mean_ps"] > 0


def test_a_list_that_fails_is_refused_before_anything_runs(tiny):
    def failing(ranks):
        raise ValueError("no list")

    with pytest.raises(ll.InputError, match="python:failing raised ValueError: no list") as error:
        run(tiny, COLLECTIVE, collective=failing)
    assert isinstance(error.value.__cause__, ValueError)


def test_a_class_that_can_not_be_made_is_refused(tiny):
    @ll.scheme
    class Impossible:
        def __init__(self, workers, settings):
            raise ValueError(f"not for {workers} workers")

    with pytest.raises(ll.Error, match="python:Impossible raised ValueError: not for 3 workers"):
        run(tiny, EAGER, scheme=Impossible)


# ---- settings ---------------------------------------------------------------------------------------------------------------


def test_policies_are_axes_beside_ours(tiny):
    rows = ll.run(tiny, {**SERVERS, "placer": [in_turn, "byteps", ""]})
    assert rows["placer"] == ["python:in_turn", "byteps", "mxnet"]
    rows = ll.run(tiny, {**EAGER, "job.sync": [at_once, Stale, "bsp"]}, jobs=2)
    assert rows["sync"] == ["python:at_once", "python:Stale", "bsp"]


def test_settings_that_a_scheme_does_not_read_have_no_effect(tiny):
    with warnings.catch_warnings():
        warnings.simplefilter("error", ll.SettingWarning)
        rows = ll.run(tiny, {**EAGER, "sync.s": [0, 3]}, scheme=Stale)
    assert rows["sync_settings"] == ["s=0", "s=3"] and len(set(rows["event_log_hash"])) == 2
    with pytest.warns(ll.SettingWarning, match="sync.s has no effect"):
        ll.run(tiny, {**EAGER, "sync.s": 2}, scheme=at_once)


def test_a_policy_is_only_for_its_key(tiny):
    for wrong in ({"placer": everybody}, {"scheduler": in_turn}, {"job.sync": in_turn}, {"job.workload": in_turn}):
        with pytest.raises(ll.InputError, match="but must be a|functions are values of"):
            ll.run(tiny, {**SERVERS, **wrong})
    with pytest.raises(ll.InputError, match="two placers are called"):
        ll.run(tiny, {**SERVERS, "placer": [ll.Placer(len, "same"), ll.Placer(repr, "same")]})
    with pytest.raises(ll.InputError, match="python:round_and_round.* is a list of all_reduce, not of broadcast"):
        ll.run(tiny, {**COLLECTIVE, "job.collective": "broadcast", "job.algorithm": round_and_round})
    with pytest.raises(ll.InputError, match="reads sync.speed, but there is no such key"):
        ll.run(tiny, EAGER, scheme=ll.SyncScheme(at_once.function, "fast", reads=["speed"]))
    with pytest.raises(ll.InputError, match="unknown collective"):
        ll.run(tiny, COLLECTIVE, collective=ll.Collective(len, "wrong", "all_reduces"))


def test_jobs_of_tables_have_schemes_of_their_own(tiny):
    tables = [{"workers": 2, "servers": 1}, {"workers": 2, "servers": 1, "arrival": "5 us", "sync": at_once}]
    ours = [tables[0], {**tables[1], "sync": "asp"}]
    base = {"policy": "sunflow", "scheduler": "sunflow_inter", "job.payload": "none", "fabric.ports": 8}
    mine, other = (ll.run(tiny, {**base, "job": one})[0] for one in (tables, ours))
    assert same(mine, other)
    assert list(mine.record["function_hashes"]) == ["python:at_once"]


def test_the_text_of_a_policy_is_in_the_record(tiny):
    record = run(tiny, SERVERS, placer=in_turn).record
    assert len(record["function_hashes"]["python:in_turn"]) == 16
    assert "function_hashes" not in run(tiny, SERVERS, placer="default").record


def test_the_command_line_knows_no_function(tiny, command_line):
    for key in ("placer", "job.sync", "job.peers", "job.algorithm"):
        assert "is a function of a Python program" in command_line.complaint(tiny, f'{key}="python:mine"')
