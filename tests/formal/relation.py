# The states of the fast core and of the counter core that stand for each other (proved to stay so by refinement.py).
# SPDX-License-Identifier: Apache-2.0
"""The relation is a list of equations, each of one register of either device and what it is in terms of others, and a list of
conditions. Before an edge the equations make the one state from the other; after it equations and conditions are both claimed. A register
in no equation is any value. A wrong equation can therefore make a claim fail, but nothing true by itself."""
from collections.abc import Iterator
from dataclasses import dataclass, field

import aig
import netlist
import structs
from lemmas import D, constant, element

GAP, SEND = 1, 2                      # of an engine
TUNING, LOCKING, UP, HELD, FAILED = 1, 2, 3, 4, 5
STUCK, LIGHT, MISROUTED = 1, 2, 3     # causes of FAILED
NEVER = [aig.TRUE] * 64
BUS = tuple(f"u_front.{name}" for name in (
    "u_axil.ar_held_q", "u_axil.araddr_q", "u_axil.aw_held_q", "u_axil.awaddr_q", "u_axil.berror_q", "u_axil.bvalid_q",
    "u_axil.bnext_q", "u_axil.bnext_error_q", "u_axil.rnext_q", "u_axil.rnext_error_q", "u_axil.rkept_q",
    "u_axil.read_was_last_q", "u_axil.rerror_q", "u_axil.rvalid_q", "u_axil.w_held_q", "u_axil.wdata_q", "u_axil.wstrb_q",
    "u_regs.pending_rd_addr", "u_regs.external_pending", "u_regs.field_storage", "own_q", "own_rdata_q", "cycle_ps_q", "word_bytes_q",
    "in_reset_q"))
SETTINGS = ("base", "slow", "lock", "jitter_mask", "flap", "los", "dead", "stuck", "keeps", "laser", "loss", "len", "gap", "repeat", "tag", "gated", "rate", "external",
            "launch", "seq_base", "lock_warm", "lock_cold")
FLAGS = ("los", "dead", "stuck", "keeps", "gated", "external")  # of one bit: masks in the fast core
SAME = {  # register of the fast core: that of the counter core
    "now": "time_q", "sw": "u_commands.sw_q", "armed": "u_commands.armed_q", "go_pending": "u_commands.seq_go_q",
    "swap_pending": "u_commands.seq_swap_q", "stop_pending": "u_commands.seq_stop_q", "commit_at": "u_commands.at_q",
    "commit_at_low": "u_commands.low_q", "running": "u_sequencer.running_q", "waiting": "u_sequencer.waiting_q",
    "idle_bank": "u_sequencer.idle_q", "entry": "u_sequencer.index_q", "entries": "u_sequencer.len_q", "period": "u_sequencer.period_q",
    "loop_base": "u_sequencer.loop_q", "stopped": "u_outputs.stop_q", "commits": "u_counters.commits_q", "refusals": "u_counters.refused_q",
    "lates": "u_counters.late_q", "drops": "u_counters.dropped_q", "head": "u_events.head_q",
    "records": "u_events.count_q", "tail": "u_events.tail_q", "sw_tag": "u_commands.sw_tag_q", "timed_tag": "u_commands.timed_tag_q", "taken_stamp": "u_events.taken_q", "high": "u_registers.u_read.high_q"}
MASKS = {"start_pending": "u_commands.start_q", "halt_pending": "u_commands.stop_q", "retry_pending": "u_commands.retry_q",
         "ringing": "u_outputs.g_power.u_detector.ringing_q", "vld": "u_outputs.valid_q", "seg_full": "u_segments.full_q",
         "reported_outputs": "u_events.changed_q", "reported_inputs": "u_events.ended_q", "gated": "u_engines.gated_q",
         "shadow_vld": "u_registers.u_settings.shadow_valid_o"}
ARRAYS = {"src": "u_outputs.input_q", "draw": "u_outputs.draw_q", "tunings": "u_counters.tunings_q", "restarts": "u_counters.restarts_q",
          "seg_input": "u_segments.input_q", "seg_tag": "u_segments.tag_q", "seg_first": "u_segments.first_q", "seg_count": "u_segments.count_q",
          "len": "u_engines.len_q", "gap_len": "u_engines.gap_q", "repeats": "u_engines.repeats_q", "tag": "u_engines.tag_q",
          "rings": "u_outputs.g_power.u_detector.rings_q",
          "shadow_in": "u_registers.u_settings.shadow_input_o"}
OF_PORTS = ("tun", "lck", "up", "held", "fail", "by_light", "vld", "locks", "seg_full", "shaken", "blind", "dim", "counting", "swinging", "ringing", "astray", "misroutes",
            "reported_outputs", "reported_inputs", "gap", "send", "gated", "open", "routed", "lit", "rated",
            "start_pending", "halt_pending", "retry_pending", "shadow_vld")  # masks of the fast core


@dataclass
class Equation:
    """`bits` of the netlist of a side ("fast" or "counter") are `value`, where `when` holds."""
    name: str
    side: str
    bits: list
    value: list[int]
    when: int = aig.TRUE


@dataclass
class View:
    """Both states at an instant, bit by bit of the netlists. A bit that has no value yet gets a free one if `open_` says so."""
    graph: aig.Graph
    nets: dict[str, netlist.Netlist]
    ports: int
    open_: bool
    values: dict[str, dict[int, int]] = field(default_factory=lambda: {"fast": {}, "counter": {}})
    ghosts: object = None  # of rates.py: words and rest of each engine

    @property
    def rows(self) -> int:
        """Of both banks of the sequencer."""
        return len(self.place("fast", "row_offset")) // 32

    @property
    def slots(self) -> int:
        """Of the event FIFO."""
        return len(self.place("fast", "fifo_stamp")) // 64

    def literal(self, side: str, bit) -> int:
        if not isinstance(bit, int):
            return int(bit == "1")
        if bit not in self.values[side] and self.open_:
            self.values[side][bit] = self.graph.input()
        return self.values[side][bit]

    def place(self, side: str, name: str, index: int | None = None, count: int | None = None) -> list:
        """Bits of a register, or of an element of an array of `count`; an array of the counter core may be a wire an element."""
        wires = self.nets[side].wires
        path = name if name.startswith(("u_registers.", "u_front.")) else f"u_core.{name}"
        if index is None:
            return wires[path]
        return wires[f"{path}[{index}]"] if f"{path}[{index}]" in wires else element(wires[path], index, count or self.ports)

    def word(self, side: str, name: str, index: int | None = None, count: int | None = None) -> list[int]:
        return [self.literal(side, bit) for bit in self.place(side, name, index, count)]

    def fast(self, name: str, index: int | None = None, count: int | None = None) -> list[int]:
        return self.word("fast", name, index, count)

    def counter(self, name: str, index: int | None = None, count: int | None = None) -> list[int]:
        return self.word("counter", name, index, count)

    def bit(self, side: str, name: str, index: int) -> int:
        """Of a mask."""
        return self.literal(side, self.place(side, name)[index])

    def setting(self, name: str, index: int) -> list[int]:
        return self.counter(f"u_registers.u_settings.{structs.setting(name)}", index)

    def flag(self, name: str, index: int) -> int:
        """A setting of one bit."""
        return self.setting(name, index)[0]

    def choose(self, condition: int, a: list[int], b: list[int]) -> list[int]:
        g = self.graph
        return [g.either(g.both(condition, x), g.both(condition ^ 1, y)) for x, y in zip(a, b, strict=True)]

    def at(self, words: list[list[int]], index: list[int]) -> list[int]:
        """The word that an index names."""
        g = self.graph
        named = [g.equal(index, constant(k, len(index))) for k in range(len(words))]
        return [g.any([g.both(hit, word[b]) for hit, word in zip(named, words)]) for b in range(len(words[0]))]

    def implies(self, a: int, b: int) -> int:
        return self.graph.either(a ^ 1, b)

    def at_most(self, a: list[int], b: list[int]) -> int:
        return self.graph.less(b, a) ^ 1

    def equation(self, name: str, side: str, register: str, value: list[int], index: int | None = None, count: int | None = None,
                 when: int = aig.TRUE) -> Equation:
        bits = self.place(side, register, index, count)
        return Equation(name, side, bits[:len(value)], value, when)

    def mask(self, register: str, index: int, value: int) -> Equation:
        """A bit of a mask of the fast core."""
        return Equation(f"{register}_{index}", "fast", [self.place("fast", register)[index]], [value])

    def state(self, o: int) -> list[int]:
        return self.counter("u_outputs.state_q", o)

    def is_state(self, o: int, *codes: int) -> int:
        return self.graph.any([self.graph.equal(self.state(o), constant(code, 3)) for code in codes])

    def selects(self, o: int, i: int) -> int:
        chosen = self.counter("u_outputs.input_q", o)
        return self.graph.both(self.bit("counter", "u_outputs.valid_q", o), self.graph.equal(chosen, constant(i, len(chosen))))

    def engine(self, i: int, code: int) -> int:
        return self.graph.equal(self.counter("u_engines.state_q", i), constant(code, 2))

    def is_lit(self, i: int) -> int:
        """Some output selects the input, and all that do are UP."""
        g, n = self.graph, self.ports
        blocked = g.any([g.both(self.selects(o, i), self.is_state(o, UP) ^ 1) for o in range(n)])
        return g.both(self.is_routed(i), blocked ^ 1)

    def is_routed(self, i: int) -> int:
        return self.graph.any([self.selects(o, i) for o in range(self.ports)])

    def is_open(self, i: int) -> int:
        g, gated = self.graph, self.bit("counter", "u_engines.gated_q", i)
        return g.both(self.engine(i, SEND), g.either(gated ^ 1, self.is_lit(i)))

    def left_of_disturbance(self, o: int) -> list[int]:
        return self.counter("g_neighbours.u_neighbours.left_q", o)

    def passes(self, o: int) -> int:
        """It is UP and neither disturbed nor dim."""
        g = self.graph
        return g.all([self.is_state(o, UP), g.any(self.left_of_disturbance(o)) ^ 1, self.bit("counter", "u_outputs.g_power.u_detector.dim_q", o) ^ 1])

    def is_lost(self, o: int) -> int:
        """It is FAILED with cause light."""
        return self.graph.equal(self.counter("u_outputs.cause_q", o), constant(LIGHT, 2))

    def works(self, o: int) -> int:
        """Its detector does."""
        return self.graph.either(self.is_state(o, LOCKING, UP, HELD), self.is_lost(o))

    def position(self, o: int) -> list[int]:
        return self.counter("u_outputs.g_positions.u_positions.position_q", o)

    def shows_its_position(self, o: int) -> int:
        """It is misrouted, and light comes from there by the present settings."""
        g, n = self.graph, self.ports
        sources = [[g.either(self.flag("los", i), self.flag("dead", i))] for i in range(n)]
        dark = g.either(self.flag("dead", o), self.at(sources, self.position(o))[0])
        return g.both(g.equal(self.counter("u_outputs.cause_q", o), constant(MISROUTED, 2)), dark ^ 1)

    def is_dark(self, o: int) -> int:
        """No light reaches the output or can leave it."""
        g, n = self.graph, self.ports
        sources = [[g.either(self.flag("los", i), self.flag("dead", i))] for i in range(n)]
        return g.either(self.flag("dead", o), self.at(sources, self.counter("u_outputs.input_q", o))[0])

    def is_below(self, i: int) -> int:
        """RATE is below full rate."""
        return self.graph.less(self.setting("rate", i), constant(D, 16))

    def is_slow(self, i: int) -> int:
        """An open engine offers a word in some cycles."""
        return self.graph.all([self.is_open(i), self.is_below(i), self.graph.any(self.setting("rate", i))])

    def unsettled(self, i: int) -> list[int]:
        """Words of an open engine since the fast core counted them: at full rate the cycles."""
        away = self.graph.subtract(self.counter("time_q"), self.fast("since", i))
        return [self.graph.both(self.is_open(i), x) for x in self.choose(self.is_below(i), self.ghosts.words[i], away[:32])]

    def remainder(self, i: int) -> list[int]:
        """What the engine has of the next word."""
        return self.choose(self.graph.both(self.is_open(i), self.is_below(i)), self.ghosts.rest[i], self.fast("acc", i))

    def used(self, slot: int) -> int:
        """The FIFO's slot holds a record."""
        g, head, count = self.graph, self.counter("u_events.head_q"), self.counter("u_events.count_q")
        from_head = g.subtract(constant(slot, len(head)), head)
        return g.less(from_head, count)


def relate(v: View, given: Iterator[Equation]) -> None:
    """Makes one state from the other by these equations; what none of them speaks of is free."""
    g = v.graph
    for equation in given:
        for bit, x in zip(equation.bits, equation.value, strict=True):
            if isinstance(bit, int):
                if bit in v.values[equation.side]:
                    raise ValueError(f"{equation.name} comes after what is made of it")
                other = aig.FALSE if equation.when == aig.TRUE else g.input()
                v.values[equation.side][bit] = g.either(g.both(equation.when, x), g.both(equation.when ^ 1, other))


def equations(v: View) -> Iterator[Equation]:
    """In an order in which each is of registers before it."""
    yield from shared(v)
    yield from memories(v)
    for name in OF_PORTS:
        yield from beyond(v, name)
    wide = (v.ports - 1).bit_length()
    for b in range(wide):
        yield from beyond(v, "sel", b, wide)
    for o in range(v.ports):
        yield from output_states(v, o)
    yield from receivers(v)
    for part in (same, masks_of_inputs):
        yield from part(v)
    for o in range(v.ports):
        yield from timer(v, o)
    for i in range(v.ports):
        yield from engine(v, i)
    for o in range(v.ports):
        yield from counters(v, o)
    yield from events(v)


def beyond(v: View, name: str, index: int | None = None, count: int | None = None, when: int = aig.TRUE) -> Iterator[Equation]:
    """Bits of a mask of the fast core that stand for no port. Yosys has taken some of them out."""
    bits = v.place("fast", name, index, count)[v.ports:]
    if bits:
        left = {pair[0] for pairs in v.nets["fast"].state.values() for pair in pairs}
        bits = [bit for bit in bits if bit in left]
    if bits:
        yield Equation(f"{name}_beyond_{index or 0}", "fast", bits, [aig.FALSE] * len(bits), when)


def shared(v: View) -> Iterator[Equation]:
    """Both have the same front end, and the same settings."""
    for name in BUS:
        yield v.equation(name, "fast", name, v.counter(f"u_registers.{name}"))
    for name in SETTINGS:
        value = v.counter(f"u_registers.u_settings.{structs.setting(name)}")
        yield v.equation(f"set_{name}", "fast", f"set_{name}", value[::-1] if name in FLAGS else value)
    g = v.graph
    valid, error, behind, error_behind, own = (v.counter(f"u_registers.u_front.{name}")[0] for name in (
        "u_axil.rvalid_q", "u_axil.rerror_q", "u_axil.rnext_q", "u_axil.rnext_error_q", "own_q"))
    refused = g.either(g.both(behind, error_behind), g.both(behind ^ 1, error))  # the read that was executed last
    waits = g.all([valid, refused ^ 1, own ^ 1])
    yield v.equation("answer", "fast", "data", v.counter("u_registers.u_read.data_q"), when=waits)


def memories(v: View) -> Iterator[Equation]:
    """What a reset keeps."""
    yield from rows(v)
    for k in range(v.ports * v.ports):
        yield v.equation(f"pair_{k}", "fast", "pair", v.counter("u_registers.g_pair.u_pair.g_one.mem", k), k, v.ports * v.ports)


def same(v: View) -> Iterator[Equation]:
    for fast, counter in SAME.items():
        yield v.equation(fast, "fast", fast, v.counter(counter))
    for k, x in enumerate(v.counter("u_status.error_q")):
        yield Equation(f"error_{k}", "fast", [v.place("fast", "error")[k]], [x])
    for fast, counter in MASKS.items():
        for p in range(v.ports):
            yield v.mask(fast, p, v.bit("counter", counter, p))
    for fast, counter in ARRAYS.items():
        for p in range(v.ports):
            yield v.equation(f"{fast}_{p}", "fast", fast, v.counter(counter, p), p)


def output_states(v: View, o: int) -> Iterator[Equation]:
    g, cause = v.graph, v.counter("u_outputs.cause_q", o)
    for name, code in (("tun", TUNING), ("lck", LOCKING), ("up", UP), ("held", HELD), ("fail", FAILED)):
        yield v.mask(name, o, v.is_state(o, code))
    yield v.mask("by_light", o, g.equal(cause, constant(LIGHT, 2)))
    yield v.mask("astray", o, g.equal(cause, constant(MISROUTED, 2)))
    disturbed = g.any(v.left_of_disturbance(o))
    yield v.mask("shaken", o, disturbed)
    dim = v.bit("counter", "u_outputs.g_power.u_detector.dim_q", o)
    yield v.mask("dim", o, g.both(v.fast("special")[0], dim))
    yield v.mask("blind", o, g.either(disturbed, g.both(dim, v.is_lost(o) ^ 1)))
    yield v.equation(f"position_{o}", "fast", "position", [*v.position(o), v.bit("counter", "u_outputs.g_positions.u_positions.known_q", o)], o)
    yield v.mask("counting", o, g.any(v.counter("u_outputs.g_power.u_detector.count_q", o)))
    yield v.mask("swinging", o, g.any(v.counter("u_outputs.g_power.u_detector.ring_q", o)))
    yield Equation(f"valid_{o}", "counter", [v.place("counter", "u_outputs.valid_q")[o]], [g.any(v.state(o))])
    yield v.mask("locks", o, g.any(v.setting("lock", o)))
    for b, x in enumerate(v.counter("u_outputs.input_q", o)):
        yield Equation(f"sel_{b}_{o}", "fast", [v.place("fast", "sel", b, len(v.counter("u_outputs.input_q", o)))[o]], [x])


def receivers(v: View) -> Iterator[Equation]:
    pairs = v.ports * v.ports
    for k in range(pairs):
        yield v.equation(f"lit_until_{k}", "fast", "lit_until", v.counter("u_outputs.g_receivers.u_receivers.lit_until", k, pairs), k, pairs)


def masks_of_inputs(v: View) -> Iterator[Equation]:
    g, n = v.graph, v.ports
    for i in range(n):
        yield v.mask("gap", i, v.engine(i, GAP))
        yield v.mask("send", i, v.engine(i, SEND))
        yield v.mask("routed", i, v.is_routed(i))
        yield v.mask("lit", i, v.is_lit(i))
        yield v.mask("open", i, v.is_open(i))
    twice = [g.both(v.selects(o, i), v.selects(p, i)) for i in range(n) for o in range(n) for p in range(o)]
    yield v.equation("shared", "fast", "shared", [g.any(twice)])


def timer(v: View, o: int) -> Iterator[Equation]:
    left = v.counter("u_outputs.timer_q", o)
    stamp = v.graph.add(v.counter("time_q"), left + [aig.FALSE] * 32)
    yield v.equation(f"odl_{o}", "fast", "odl", v.choose(v.graph.any(left), stamp, NEVER), o)
    for name, left in (("sdl", v.left_of_disturbance(o)), ("cdl", v.counter("u_outputs.g_power.u_detector.count_q", o)),
                       ("rdl", v.counter("u_outputs.g_power.u_detector.ring_q", o))):
        stamp = v.graph.add(v.counter("time_q"), left + [aig.FALSE] * (64 - len(left)))
        yield v.equation(f"{name}_{o}", "fast", name, v.choose(v.graph.any(left), stamp, NEVER), o)


def engine(v: View, i: int) -> Iterator[Equation]:
    g, now, zeros = v.graph, v.counter("time_q"), [aig.FALSE] * 32
    away = v.unsettled(i)
    left = v.counter("u_engines.left_q", i)
    yield v.equation(f"left_{i}", "fast", "left", g.add(left, away), i)
    yield v.equation(f"index_{i}", "fast", "index", g.subtract(v.counter("u_engines.index_q", i), away), i)
    yield v.equation(f"sent_{i}", "fast", "sent", g.subtract(v.counter("u_counters.sent_q", i), away + zeros), i)
    waits = v.choose(v.engine(i, GAP), v.counter("u_engines.wait_q", i), left)
    yield v.equation(f"acc_{i}", "counter", "u_engines.acc_q", v.remainder(i), i)
    runs = g.either(v.engine(i, GAP), g.both(v.is_open(i), g.any(v.setting("rate", i))))
    free = g.both(v.is_open(i), g.either(v.is_slow(i), v.bit("fast", "rated", i)))  # below full rate a bound; after a write of RATE the old one
    yield v.equation(f"edl_{i}", "fast", "edl", v.choose(runs, g.add(now, waits + zeros), NEVER), i, when=free ^ 1)
    sent, settled = v.counter("u_counters.sent_q", i), v.fast("unrouted", i)
    more = [g.both(v.is_routed(i) ^ 1, x) for x in g.subtract(sent, v.fast("unrouted_mark", i))]
    yield v.equation(f"unrouted_{i}", "counter", "u_counters.unrouted_q", g.add(settled, more), i)


def counters(v: View, o: int) -> Iterator[Equation]:
    """What the fast core has settled, and what has come since."""
    g, n, passes, valid = v.graph, v.ports, v.passes(o), v.bit("counter", "u_outputs.valid_q", o)
    lost, dark = g.both(valid, passes ^ 1), g.both(valid, v.is_state(o, UP) ^ 1)
    chosen = v.counter("u_outputs.input_q", o)
    sent = v.at([v.counter("u_counters.sent_q", i) for i in range(n)], chosen)
    words = g.subtract(sent, v.fast("mark", o))
    cycles = g.subtract(v.counter("time_q"), v.fast("dark_from", o))
    for name, grows, more in (("passed", passes, words), ("lost", lost, words), ("dark", dark, cycles)):
        yield v.equation(f"{name}_{o}", "counter", f"u_counters.{name}_q", g.add(v.fast(name, o), [g.both(grows, x) for x in more]), o)
    shown = v.at([v.counter("u_counters.sent_q", i) for i in range(n)], v.position(o))
    more = [g.both(v.bit("fast", "misroutes", o), x) for x in g.subtract(shown, v.fast("shown_mark", o))]
    yield v.equation(f"misrouted_{o}", "counter", "u_counters.misrouted_q", g.add(v.fast("misrouted", o), more), o)
    index = v.at([v.counter("u_engines.index_q", i) for i in range(n)], chosen)
    grown = [g.both(passes, x) for x in g.subtract(index, v.fast("grown", o))]
    yield v.equation(f"grow_count_{o}", "counter", "u_segments.grow_count_q", grown, o)


def rows(v: View) -> Iterator[Equation]:
    """The sequencer's rows, with what their checks find."""
    n, wide, count = v.ports, (v.ports - 1).bit_length(), v.rows
    for row in range(count):
        for fast, counter in (("row_offset", "offset_mem"), ("row_tag", "tag_mem"), ("row_launch", "launch_mem"), ("row_vld", "valid_mem")):
            yield v.equation(f"{fast}_{row}", "fast", fast, v.counter(f"u_sequencer.{counter}", row), row, count)
        for name in ("row_launch", "row_vld", "row_used"):
            yield from beyond(v, name, row, count)
        for b in range(wide):
            yield from beyond(v, "row_sel", row * wide + b, count * wide)
        valid, inputs = v.counter("u_sequencer.valid_mem", row), v.counter("u_sequencer.input_mem", row)
        found = map_check(v, valid, [inputs[9 * o:9 * o + 9] for o in range(n)])
        for name in ("range", "twice"):
            yield v.equation(f"row_{name}_{row}", "fast", f"row_{name}", found[name], row, count)
        yield v.equation(f"row_used_{row}", "fast", "row_used", found["used"], row, count)
        for o in range(n):
            yield v.equation(f"row_in_{row}_{o}", "fast", "row_in", inputs[9 * o:9 * o + wide], row * n + o, count * n)
        for b in range(wide):
            bits = v.place("fast", "row_sel", row * wide + b, count * wide)[:n]
            yield Equation(f"row_sel_{row}_{b}", "fast", bits, [inputs[9 * o + b] for o in range(n)])


def map_check(v: View, valid: list[int], inputs: list[list[int]]) -> dict[str, list[int]]:
    """Of a map: whether an input is out of range, whether one is used twice, which are used."""
    g, n = v.graph, v.ports
    uses = [[g.both(valid[o], g.equal(inputs[o], constant(i, 9))) for i in range(n)] for o in range(n)]
    beyond = g.any([g.both(valid[o], g.less(inputs[o], constant(n, 9)) ^ 1) for o in range(n)])
    twice = g.any([g.both(uses[o][i], uses[p][i]) for i in range(n) for o in range(n) for p in range(o)])
    return {"range": [beyond], "twice": [twice], "used": [g.any([uses[o][i] for o in range(n)]) for i in range(n)]}


def events(v: View) -> Iterator[Equation]:
    """Slots in use; and the cycle of the next entry while the sequencer runs."""
    g, n = v.graph, v.ports
    at = v.counter("u_sequencer.index_q") + [v.counter("u_sequencer.idle_q")[0] ^ 1]
    offset = v.at([v.counter("u_sequencer.offset_mem", row) for row in range(v.rows)], at)
    due = g.add(v.counter("u_sequencer.loop_q"), offset + [aig.FALSE] * 32)
    yield v.equation("entry_due", "fast", "entry_due", due, when=v.counter("u_sequencer.running_q")[0])
    for slot in range(v.slots):
        used = v.used(slot)
        for name, counter in (("stamp", "stamp_mem"), ("device", "device_mem"), ("source", "source_mem"), ("tag", "tag_mem"), ("entered", "entered_mem"), ("done", "done_mem"),
                              ("whole", "whole_mem")):
            yield v.equation(f"fifo_{name}_{slot}", "fast", f"fifo_{name}", v.counter(f"u_events.{counter}", slot), slot, v.slots, when=used)
        for name in ("fifo_entered", "fifo_done", "fifo_whole", "fifo_state0", "fifo_state1", "fifo_state2"):
            yield from beyond(v, name, slot, v.slots, used)
        states = v.counter("u_events.state_mem", slot)
        for b in range(3):
            bits = [states[3 * o + b] for o in range(n)]
            yield v.equation(f"fifo_state{b}_{slot}", "fast", f"fifo_state{b}", bits, slot, v.slots, when=used)
