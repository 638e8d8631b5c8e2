# What the states of relation.py also keep: conditions on one of the two cores' registers.
# SPDX-License-Identifier: Apache-2.0
"""Those of the counter core are what its modules' checks say; those of the fast core are the stamps of fast.py."""
from collections.abc import Iterator

from lemmas import D, constant
import structs
from relation import FAILED, GAP, HELD, LOCKING, TUNING, UP, View
from theorems import is_a_port

SOON = ("sw", "go_pending", "swap_pending", "stop_pending", "start_pending", "halt_pending", "retry_pending")


def conditions(v: View) -> Iterator[tuple[str, int]]:
    for o in range(v.ports):
        yield from output(v, o)
    for i in range(v.ports):
        yield from engine(v, i)
    yield from requests(v)
    yield from maps(v)
    yield from records(v)
    yield from stamps(v)
    yield from due(v)


def output(v: View, o: int) -> Iterator[tuple[str, int]]:
    g, chosen, cause = v.graph, v.counter("u_outputs.input_q", o), v.counter("u_outputs.cause_q", o)
    runs, stop = g.any(v.counter("u_outputs.timer_q", o)), v.counter("u_outputs.stop_q")[0]
    yield f"state_{o}_is_one", v.at_most(v.state(o), constant(FAILED, 3))
    yield f"cause_{o}_while_failed", g.differ(g.any(cause), v.is_state(o, FAILED)) ^ 1
    yield from light(v, o)
    yield f"input_{o}_in_range", is_a_port(g, chosen, v.ports)
    yield f"input_{o}_of_a_circuit", v.implies(g.any(chosen), v.bit("counter", "u_outputs.valid_q", o))
    yield f"timer_{o}_runs", v.implies(v.is_state(o, TUNING, LOCKING), runs)
    yield f"timer_{o}_of_a_state", v.implies(runs, v.is_state(o, TUNING, LOCKING, UP))
    yield f"stop_{o}", g.both(v.implies(v.is_state(o, UP), stop ^ 1), v.implies(v.is_state(o, HELD), stop))


def light(v: View, o: int) -> Iterator[tuple[str, int]]:
    """Detectors count where what is dim isn't a loss of light, or the contrary, and stand still without a circuit; mirrors ring for as many
    stretches as are left; words are shown of a position by the settings of now, unless one was written."""
    g, known = v.graph, v.bit("counter", "u_outputs.g_positions.u_positions.known_q", o)
    dim, ringing = (v.bit("counter", f"u_outputs.g_power.u_detector.{name}_q", o) for name in ("dim", "ringing"))
    count, ring, rings = (g.any(v.counter(f"u_outputs.g_power.u_detector.{name}_q", o)) for name in ("count", "ring", "rings"))
    yield f"detector_{o}_counts", v.choose(v.works(o), [g.differ(g.differ(dim, v.is_lost(o)), count) ^ 1], [g.any([dim, count]) ^ 1])[0]
    yield f"rings_{o}", g.all([g.differ(ring, rings) ^ 1, v.implies(ringing, ring), v.implies(ring, v.works(o))])
    yield f"position_{o}_in_range", is_a_port(g, v.position(o), v.ports)
    elsewhere = g.equal(v.position(o), v.counter("u_outputs.input_q", o)) ^ 1
    yield f"misrouted_{o}_from_elsewhere", v.implies(v.bit("fast", "astray", o), g.both(known, elsewhere))
    misroutes = v.bit("fast", "misroutes", o)
    yield f"misroutes_{o}", v.implies(misroutes, v.bit("fast", "astray", o))
    yield f"misroutes_{o}_by_the_settings", g.either(v.fast("stale")[0], g.differ(misroutes, v.shows_its_position(o)) ^ 1)
    special, asked = v.fast("special")[0], [v.left_of_disturbance(o), [g.differ(dim, v.is_lost(o)), count, ring, ringing, v.bit("fast", "astray", o), misroutes]]
    yield f"plain_{o}", g.either(special, g.any([x for bits in asked for x in bits]) ^ 1)
    yield f"plain_{o}_by_the_settings", g.any([special, v.fast("stale")[0], v.flag("keeps", o) ^ 1])


def engine(v: View, i: int) -> Iterator[tuple[str, int]]:
    g, state = v.graph, v.counter("u_engines.state_q", i)
    left, length, wait = (g.any(v.counter(f"u_engines.{name}_q", i)) for name in ("left", "len", "wait"))
    away = g.subtract(v.counter("time_q"), v.fast("since", i))
    stale, rated = v.fast("stale")[0], v.bit("fast", "rated", i)
    full = g.both(v.is_open(i), v.is_below(i) ^ 1)
    yield f"engine_{i}_is_one", g.all(state) ^ 1
    yield f"engine_{i}_has_words", v.implies(g.any(state), g.both(left, length))
    yield f"engine_{i}_waits", v.implies(v.engine(i, GAP), wait)
    yield f"engine_{i}_since", v.implies(full, g.any(away[32:]) ^ 1)
    yield f"engine_{i}_ends_later", v.implies(g.both(v.is_slow(i), rated ^ 1), g.less(v.counter("time_q"), v.fast("edl", i)))
    yield f"engine_{i}_external", v.implies(g.both(v.is_open(i), v.flag("external", i)), g.any(away) ^ 1)
    yield f"engine_{i}_acc", g.less(v.fast("acc", i), constant(D, 16))
    yield f"engine_{i}_rest", g.less(v.counter("u_engines.acc_q", i), constant(D, 16))
    yield f"engine_{i}_has_more_words", v.at_most(v.unsettled(i), v.fast("left", i))
    yield f"rated_{i}_is_stale", v.implies(rated, stale)
    yield f"rated_{i}_is_settled", v.implies(g.both(rated, v.is_open(i)), g.any(away) ^ 1)


def requests(v: View) -> Iterator[tuple[str, int]]:
    """All-stop waits for an output; the register windows; the sequencer's registers."""
    g, running, index = v.graph, v.counter("u_sequencer.running_q")[0], v.counter("u_sequencer.index_q")
    length, held = v.counter("u_sequencer.len_q"), [v.fast(f"u_front.u_axil.{name}_held_q")[0] for name in ("aw", "w", "ar")]
    moves = g.any([v.is_state(o, TUNING, LOCKING) for o in range(v.ports)])
    yield "stop_waits", v.implies(v.counter("u_outputs.stop_q")[0], moves)
    for name in ("b", "r"):
        behind, first = (v.fast(f"u_front.u_axil.{name}{part}_q")[0] for part in ("next", "valid"))
        yield f"nothing_is_behind_no_{name}", v.implies(behind, first)
    yield "nothing_hangs", v.fast("u_front.u_regs.external_pending")[0] ^ 1
    yield "nothing_at_the_bus_in_reset", v.implies(v.fast("u_front.in_reset_q")[0], g.any(held + v.fast("u_front.u_regs.field_storage")) ^ 1)
    yield "entry_below_length", v.implies(running, g.less(index, length))
    yield "length_within_a_bank", v.at_most(length, constant(v.rows // 2, len(length)))
    yield "swap_waits_while_running", v.implies(v.counter("u_sequencer.waiting_q")[0], running)


def maps_of_rows(v: View) -> Iterator[tuple[str, int]]:
    """Maps name no input where they give no circuit."""
    g, n = v.graph, v.ports
    for row in range(v.rows):
        valid, inputs = v.counter("u_sequencer.valid_mem", row), v.counter("u_sequencer.input_mem", row)
        yield f"row_{row}_is_plain", g.all([v.implies(g.any(inputs[9 * o:9 * o + 9]), valid[o]) for o in range(n)])


def maps(v: View) -> Iterator[tuple[str, int]]:
    yield from maps_of_rows(v)
    g = v.graph
    for o in range(v.ports):
        yield f"shadow_{o}_is_plain", v.implies(g.any(v.counter("u_registers.u_settings.shadow_input_o", o)), v.bit("counter", "u_registers.u_settings.shadow_valid_o", o))


def records(v: View) -> Iterator[tuple[str, int]]:
    g, head, tail, count = v.graph, *(v.counter(f"u_events.{name}_q") for name in ("head", "tail", "count"))
    yield "records_within_depth", v.at_most(count, constant(v.slots, len(count)))
    yield "records_are_the_distance", g.equal(tail, g.add(head, count))
    for slot in range(v.slots):
        left = [x for name in ("device", "entered", "done") for x in v.counter(f"u_events.{name}_mem", slot)]
        yield f"record_{slot}_is_not_empty", v.implies(v.used(slot), g.any(left))


def stamps(v: View) -> Iterator[tuple[str, int]]:
    """Of groups, chunks and all ports, as in fast.py."""
    size = 2
    groups, chunks = (v.ports + size - 1) // size, len(v.place("fast", "ofirst")) // 64
    for kind, stamp in (("o", "odl"), ("i", "edl")):
        for j in range(groups):
            least, first = v.fast(f"{kind}min", j, groups), v.fast(f"{kind}first", j * chunks // groups, chunks)
            for p in range(j * size, min((j + 1) * size, v.ports)):
                yield f"{kind}min_{j}_at_most_{stamp}_{p}", v.at_most(least, v.fast(stamp, p))
            yield f"{kind}first_at_most_{kind}min_{j}", v.at_most(first, least)
        for c in range(chunks):
            yield f"{kind}due_at_most_{kind}first_{c}", v.at_most(v.fast(f"{kind}due"), v.fast(f"{kind}first", c, chunks))


    for o in range(v.ports):
        for least, stamp in (("sdue", "sdl"), ("wdue", "cdl"), ("wdue", "rdl")):
            yield f"{least}_at_most_{stamp}_{o}", v.at_most(v.fast(least), v.fast(stamp, o))
    special = v.fast("special")[0]
    for name in ("sdue", "wdue"):
        yield f"plain_{name}", v.graph.either(special, v.graph.all(v.fast(name)))
    yield "plain_without_power", v.graph.either(special, v.fast("level_seen")[-1] ^ 1)


def mode(v: View, name: str) -> list[int]:
    """A setting of the whole switch."""
    return v.counter(f"u_registers.{structs.at('modes', name)}")


def level(v: View) -> list[int]:
    return [*mode(v, "threshold"), *mode(v, "hysteresis"), *mode(v, "light")]


def is_dim(v: View, o: int) -> int:
    return v.bit("counter", "u_outputs.g_power.u_detector.dim_q", o)


def missing(v: View, o: int) -> int:
    """Light is missing at the output, with LEVEL.ON."""
    g = v.graph
    laser = v.at([v.setting("laser", i) for i in range(v.ports)], v.counter("u_outputs.input_q", o))
    power = g.subtract(laser + [laser[-1]] * 2, v.setting("loss", o) + [0, 0])
    threshold = mode(v, "threshold")
    least = g.add(threshold + [threshold[-1]] * 2, [g.both(is_dim(v, o), x) for x in mode(v, "hysteresis")] + [0] * 3)
    low = g.less([*power[:-1], power[-1] ^ 1], [*least[:-1], least[-1] ^ 1])  # they have signs
    return g.any([low, v.is_dark(o), v.bit("fast", "ringing", o)])


def due(v: View) -> Iterator[tuple[str, int]]:
    """`due` is not above what waits, or it is the next cycle's end, or a setting that acts in every cycle was written."""
    g, on = v.graph, mode(v, "light")[0]
    asked = g.either(v.fast("level_seen")[-1], on)
    stale = g.either(v.fast("stale")[0], g.both(asked, g.equal(v.fast("level_seen"), level(v)) ^ 1))
    soon = v.at_most(v.fast("due"), g.add(v.fast("now"), constant(1, 64)))

    def after(cycle: list[int]) -> list[int]:
        never = g.all(cycle)
        return [g.either(never, x) for x in g.add(cycle, constant(1, 64))]

    for name, waits, stamp in (("odue", 1, v.fast("odue")), ("idue", 1, v.fast("idue")), ("sdue", 1, v.fast("sdue")), ("wdue", 1, v.fast("wdue")), ("commit_at", v.fast("armed")[0], after(v.fast("commit_at"))),
                               ("entry_due", v.fast("running")[0], after(v.fast("entry_due")))):
        yield f"due_at_most_{name}", g.any([stale, waits ^ 1, soon, v.at_most(v.fast("due"), stamp)])
    light = []
    for o in range(v.ports):
        filtered = g.either(g.both(v.is_dark(o), v.is_state(o, LOCKING, HELD, UP)), g.both(v.is_dark(o) ^ 1, v.is_lost(o)))
        dim = is_dim(v, o)
        goes_on = g.any([g.differ(dim, v.is_lost(o)), v.bit("fast", "counting", o), v.bit("fast", "swinging", o)])
        light += [g.both(on ^ 1, g.either(filtered, goes_on)), g.all([on, v.works(o), g.differ(missing(v, o), dim)])]
    external = [v.flag("external", i) for i in range(v.ports)]
    for name, waits in (("pending", [x for name in SOON for x in v.fast(name)]), ("external", external), ("light", light)):
        yield f"due_is_next_with_{name}", g.any([stale, g.any(waits) ^ 1, soon])
