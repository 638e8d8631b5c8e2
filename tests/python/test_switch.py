# SPDX-License-Identifier: Apache-2.0
"""A switch and a network by hand."""
import time

import pytest

import lightloop as ll


@pytest.fixture(params=["model", "verilated", "verilated_counter"])
def switch(request):
    return ll.Switch(request.param, ports=4, tuning="10 us", locking="1 us")


def kinds(events, kind):
    return [event for event in events if event.kind == kind]


def test_a_circuit_takes_tuning_and_locking(switch):
    delta = switch.cycles("10 us") + switch.cycles("1 us")
    switch.connect({0: 3, 1: 2})
    switch.advance("12 us")
    events = switch.events()
    assert [(event.port, event.at) for event in kinds(events, "up")] == [(2, delta + 1), (3, delta + 1)]
    assert switch.events() == [] and switch.now == switch.cycles("12 us") and switch.now_ps == switch.now * switch.cycle_ps
    assert switch["ACTIVE[3].INPUT"] == 0 and switch["ACTIVE[2].INPUT"] == 1


def test_words_pass_where_there_is_light(switch):
    switch.connect({0: 3})
    switch.send(0, words=100, gated=False)
    switch.advance("1 us")
    stopped = switch.send(0, words=10_000)
    switch.advance("1 us")
    switch.stop(stopped)
    switch.advance("20 us")
    second = switch.send(0, words=1000)
    switch.advance("10 us")
    events = switch.events()
    assert [(event.burst, event.first, event.words) for event in kinds(events, "run")] == [(second, 0, 1000)]
    counters = switch.counters(3)
    assert counters["passed"] == 1000 and counters["lost"] == 100


def test_what_a_switch_refuses_is_an_error(switch):
    with pytest.raises(ll.InputError, match="output 3 is to be joined to inputs 0 and 1"):
        switch.connect({0: 3, 1: [3]})
    with pytest.raises(ll.InputError, match="the map is refused"):
        switch.connect({0: [2, 3]})
    for wrong in ({9: 0}, {0: 9}, {-1: 0}):
        with pytest.raises(ll.InputError, match="must be from 0 to 3"):
            switch.connect(wrong)
    switch.send(0, 1000)
    with pytest.raises(ll.InputError, match="the burst is refused"):
        switch.send(0, 1000)
    with pytest.raises(ll.InputError, match="did you mean|unknown"):
        switch["TIEM"]
    with pytest.raises(ll.InputError, match="must be 0 or more"):
        switch.advance(-1)


def test_faults_and_darkness(switch):
    switch.connect({0: 3, 1: 2})
    switch.advance("12 us")
    switch.events()
    switch.fail(3)
    switch.disconnect(2)
    switch.advance("1 us")
    assert {(event.kind, event.port) for event in switch.events()} >= {("failed", 3), ("idle", 2)}
    switch.repair(3)
    switch.advance("20 us")
    assert 3 in [event.port for event in kinds(switch.events(), "up")]


def test_a_timed_commit_waits_for_its_cycle():
    switch = ll.Switch("model", ports=4)
    switch.connect({0: 1}, at=500)
    switch.advance(1000)
    assert [event.at for event in kinds(switch.events(), "up")] == [501]


def test_one_input_may_feed_several_outputs():
    switch = ll.Switch("model", ports=4, multicast=True)
    switch.connect({0: [1, 2]})
    switch.advance(10)
    switch.send(0, 5)
    switch.advance(10)
    assert {event.port for event in kinds(switch.events(), "run")} == {1, 2}


def test_registers_have_names():
    switch = ll.Switch("model", ports=4)
    assert "TIME" in switch.registers()
    switch["BASE[*]"] = 77
    assert switch["BASE[*]"] == [77] * 4 and switch["BASE[2]"] == 77
    with pytest.raises(ll.InputError):
        switch["TIME"] = 3


@pytest.mark.parametrize("settings, sentence", [
    ({"device": "marble"}, "fabric.device"), ({"ports": 1}, "fabric.ports"), ({"tuning": "soon"}, "fabric.tuning"),
    ({"ports": None}, "fabric.ports"), ({"settings": {"job.workers": 2}}, 'must be a key "fabric'),
])
def test_a_switch_that_can_not_be_is_refused(settings, sentence):
    with pytest.raises(ll.InputError, match=sentence):
        ll.Switch(**settings)


NETWORK = {"policy": "sunflow_inter", "fabric.ports": 8, "fabric.tuning": "10 us", "job.workers": 1, "job.servers": 1}


def test_transfers_over_a_network_by_hand():
    network = ll.Network(NETWORK)
    first, second = network.offer(0, 3, size=1_000_000), network.offer(1, 3, size=5000, at="20 us")
    assert network.next() is not None
    deliveries = network.advance("1 ms")
    assert [(one.transfer, one.node, one.final) for one in deliveries] == [(first, 3, True), (second, 3, True)]
    assert deliveries[0].words == 1_000_000 // 64 and deliveries[1].words == -(-5000 // 64)
    assert deliveries[0].at > 80_000_000 + 10_000_000 and network.now == 1_000_000_000
    assert network.next() is None and network.step() is None and network.now == 1_000_000_000


def test_a_network_of_packets_has_no_circuits():
    network = ll.Network({**NETWORK, "network": "packet"})
    network.offer(0, 3, size=64 * 1000)
    assert network.step().at == 1000 * 5120


def test_what_a_network_refuses_is_an_error():
    network = ll.Network(NETWORK)
    network.advance("5 us")
    for arguments, sentence in (((0, 9, 64), "from 0 to 7"), ((0, 1, 0), "size is 0"), ((0, [], 64), "at least one"), ((0, 1, 64, "1 us"), "time is at")):
        with pytest.raises(ll.InputError, match=sentence):
            network.offer(*arguments)
    with pytest.raises(ll.InputError, match="time is at|is at"):
        network.advance("1 us")
    with pytest.raises(ll.InputError, match="has 2 rows"):
        ll.Network({**NETWORK, "seed": [1, 2]})


def asleep(problem):
    time.sleep(4)


def forever(problem):
    while True:
        time.sleep(0.001)


@pytest.mark.parametrize("function, end", [(forever, "its planning_timeout$"), (asleep, "its planning_timeout, and can't be ended: its thread goes on$")])
def test_a_scheduler_that_never_returns_ends_a_network(function, end):
    network = ll.Network({**NETWORK, "planning_timeout": "200 ms", "scheduler": ll.Scheduler(function)})
    network.offer(0, 3, size=64)
    began = time.monotonic()
    with pytest.raises(ll.RunError, match=f"python:{function.__name__} hasn't answered within 200 ms, {end}"):
        network.step()
    assert time.monotonic() - began < 4
    for go_on in (network.step, network.next, lambda: network.offer(0, 1, size=64)):
        with pytest.raises(ll.InputError, match="scheduler has failed"):
            go_on()


def test_a_scheduler_in_python_plans_a_network_as_that_in_cpp_does():
    arrivals = []
    for scheduler in ("sunflow_inter", ll.Scheduler(lambda problem: problem.plan_by("sunflow_inter"), "mine")):
        network = ll.Network(NETWORK, {"scheduler": scheduler})
        for sender in (0, 1, 2):
            network.offer(sender, 3, size=100_000)
        arrivals.append([(one.at, one.transfer) for one in network.advance("1 ms")])
    assert arrivals[0] == arrivals[1] and len(arrivals[0]) >= 3


@pytest.fixture
def recorded():
    return ll.Switch("verilated", ports=5, tuning="1 us", locking="100 ns")  # a size that is compiled with waveforms


def states(vcd, port):
    """(ps, state) of an output, in the order of a VCD file."""
    lines = vcd.read_text().split("\n")
    scope = lines.index(f"$scope module port[{port}] $end")
    code = next(line.split()[3] for line in lines[scope:] if " state " in line)
    found, now = [], 0
    for line in lines[lines.index("$enddefinitions $end"):]:
        if line.startswith("#"):
            now = int(line[1:])
        if line.startswith("b") and line.split()[1] == code:
            found.append((now, int(line.split()[0][1:], 2)))
    return found


def test_a_waveform_has_the_states_of_the_events(recorded, tmp_path):
    recorded.waves(tmp_path / "x.vcd")
    recorded.connect({0: 3})
    recorded.advance("2 us")
    recorded.waves(None)
    kinds_of = {"tuning": 1, "locking": 2, "up": 3}
    expected = [(event.at * recorded.cycle_ps, kinds_of[event.kind]) for event in recorded.events() if event.kind in kinds_of]
    assert len(expected) == 3 and states(tmp_path / "x.vcd", 3) == [(0, 0), *expected]
    recorded.waves(tmp_path / "later.fst", stop="3 us")  # at any time, once the switch can be recorded
    recorded.advance("2 us")
    recorded.close()
    assert sorted(file.name for file in tmp_path.iterdir()) == [
        "later.fst", "later.gtkw", "later.sucl", "x.gtkw", "x.sucl", "x.vcd"]


def test_a_switch_that_is_deleted_ends_its_waveform(tmp_path):
    own = ll.Switch("verilated", ports=5)
    own.waves(tmp_path / "x.fst")
    own.advance("1 us")
    del own
    assert (tmp_path / "x.fst").exists()


def test_what_has_no_waveform_is_refused(recorded, tmp_path):
    with pytest.raises(ll.InputError, match='device "model" runs none in this program'):
        ll.Switch("model", ports=4).waves(tmp_path / "x.fst")
    with pytest.raises(ll.InputError, match="must end in .fst or .vcd"):
        recorded.waves(tmp_path / "x.png")
    with pytest.raises(ll.InputError, match="can't be written: No such file"):
        recorded.waves(tmp_path / "nowhere" / "x.fst")
    recorded.advance("1 us")
    with pytest.raises(ll.InputError, match="must be called before anything else"):
        recorded.waves(tmp_path / "x.fst")
    early = ll.Switch("verilated", ports=5)
    early.waves(tmp_path / "x.fst", start="1 s")
    early.advance("1 us")
    with pytest.raises(ll.RunError, match="would begin at 1000000000000 ps, but the run ends at"):
        early.waves(None)
