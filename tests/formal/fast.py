# The fast core: no stamp is above what it stands for (L1); an edge below the horizon doesn't act; steps compose (C).
# SPDX-License-Identifier: Apache-2.0
"""The stamp after the edge (`nxt`), whether time moves (`moves`) and whether anything acts (`acts`: due <= nxt) are cut out of the
netlist; what they are is proved of their operands. Then an edge that doesn't act changes nothing but `now`, and everything that
an edge does depends on its length through `nxt` alone; so both ways of composition are the same circuit. Reads are left out: they
answer with the present cycle. refinement.py relates the fast core to the counter core."""
from collections.abc import Iterator

import aig
import netlist
from lemmas import D, constant, element

FILES = ["/src/rtl/ocs_pkg.sv", "/src/rtl/regs/generated/ocs_addr_pkg.sv", "/src/rtl/fast/ocs_fast_core.sv"]
READS = ("access_i.core_read", "access_i.port_read", "access_i.optics_read", "access_i.pair_read")
GROUP = 2  # ports, for N below 8


def instants(module: dict) -> dict[str, str]:
    """Cells: the sum `nxt`, `nxt != now`, `due <= nxt`."""
    cells, wires = module["cells"], {name: wire["bits"] for name, wire in module["netnames"].items()}
    before = [cell["connections"]["B"] for cell in cells.values() if cell["type"] == "$le" and len(cell["connections"]["B"]) == 64]
    nxt = max(before, key=before.count)
    dues = [cell["connections"]["Y"] for cell in cells.values() if cell["type"] == "$mux" and wires["due"] in (cell["connections"]["A"], cell["connections"]["B"])]

    def one(kind: str, fits) -> str:
        found = [name for name, cell in cells.items() if cell["type"] == kind and fits(cell["connections"])]
        if len(found) != 1:
            raise ValueError(f"ocs_fast_core: {len(found)} cells of type {kind} fit, not one")
        return found[0]

    return {"nxt": one("$add", lambda c: c["Y"] == nxt), "moves": one("$ne", lambda c: c["A"] == nxt and c["B"] == wires["now"]),
            "acts": one("$le", lambda c: c["B"] == nxt and c["A"] in dues)}


def load(run, ports: int) -> netlist.Netlist:
    return netlist.load("ocs_fast_core", FILES, {"N": ports, "S": 2, "FifoDepth": 2}, run.out / f"fast_{ports}", mounts=run.mounts(),
                        also=instants, seconds=1500)


def state_of(graph: aig.Graph, net: netlist.Netlist, stale: bool) -> dict[str, list[int]]:
    """Any state; time stays below 2^63."""
    state = {name: graph.inputs(len(bits)) for name, bits in net.state.items()}
    state["now"] = state["now"][:63] + [aig.FALSE]
    return state if stale else state | {"stale": [aig.FALSE]}


def composition(run, ports: int) -> None:
    """C, and the half of L1 that an edge below the horizon doesn't act. `due` was found with the present LEVEL, or power was and is of no
    concern: each is put into the states, so that nothing is looked at again and both ways of composition are the same circuit."""
    net = load(run, ports)
    composed(run, ports, net, "", True)
    composed(run, ports, net, "_without_power", False)


def composed(run, ports: int, net: netlist.Netlist, suffix: str, power: bool) -> None:
    g = aig.Graph()
    state, k = state_of(g, net, stale=False), g.inputs(32)
    one, longer, zero = constant(1, 64), g.add(k, constant(1, 32)), [aig.FALSE] * 32
    free = {name: g.inputs(len(bits)) for name, bits in net.inputs.items() if name not in ("step_i", "rst_ni", "clk_i", *READS)}
    free |= {"rst_ni": [aig.TRUE], "moves_Y": [aig.TRUE]} | {name: [aig.FALSE] for name in READS}
    if not power:
        free["modes_i.light"] = [aig.FALSE]
    state["level_seen"] = [x for name in LEVEL for x in free[f"modes_i.{name}"]] if power else [*state["level_seen"][:-1], aig.FALSE]
    between, after, acts = g.add(state["now"], k + zero), g.inputs(64), g.inputs(1)
    first = netlist.Instance(g, net, state=state, inputs=free | {"step_i": k, "nxt_Y": between, "acts_Y": [aig.FALSE], "access_i.request": [aig.FALSE]})
    second = netlist.Instance(g, net, state=first.next, inputs=free | {"step_i": constant(1, 32), "nxt_Y": after, "acts_Y": acts})
    whole = netlist.Instance(g, net, state=state, inputs=free | {"step_i": longer, "nxt_Y": after, "acts_Y": acts})
    within = g.both(g.any(k), g.less(k, first.wire("horizon_o")))
    run.possible("fast_composition", f"assumptions{suffix}", ports, g, within)

    def claim(name: str, claimed: int) -> None:
        run.claim("fast_composition", name + suffix, ports, g, within, claimed, seconds=240, twice=True)

    # What was cut out is what it is said to be.
    claim("first_nxt", g.both(g.equal(first.wire("nxt_A"), state["now"]), g.equal(first.wire("nxt_B"), k + zero)))
    claim("first_doesnt_act", g.both(g.equal(first.wire("acts_A"), state["due"]), g.less(between, state["due"])))
    claim("first_moves", g.both(g.equal(first.wire("moves_B"), state["now"]), g.equal(between, state["now"]) ^ 1))
    same = g.equal(g.add(second.wire("nxt_A"), second.wire("nxt_B")), g.add(whole.wire("nxt_A"), whole.wire("nxt_B")))
    claim("both_end_together", same)
    claim("both_act_or_not", g.equal(second.wire("acts_A"), whole.wire("acts_A")))
    claim("both_move", g.both(g.equal(g.add(between, one), between), g.equal(g.add(between, one), state["now"])) ^ 1)
    for name in sorted(net.state):
        if name == "now":
            claim("first_now", g.equal(first.next["now"], between))
        else:
            claim(f"first_keeps_{name}", g.equal(first.next[name], first.state[name]))
        claim(name, g.equal(second.next[name], whole.next[name]))


def horizon(run, ports: int) -> None:
    """L1, by induction over any edge, with or without reset. The gating invariant: no port's stamp is below that of its group, chunk, or
    of all ports. `due` is not above what waits, or it is the next cycle's end; or a setting that is looked at in every cycle was
    written before this edge (`stale`), which makes the horizon 1. An engine at full rate ends where its words do."""
    net, g = load(run, ports), aig.Graph()
    state = state_of(g, net, stale=True)
    inputs = {"acts_Y": g.inputs(1), "moves_Y": g.inputs(1), "nxt_Y": g.inputs(63) + [aig.FALSE]}
    edge = netlist.Instance(g, net, state=state, inputs=inputs)
    inputs = edge.inputs
    forward = g.either(inputs["rst_ni"][0] ^ 1, g.less(inputs["nxt_Y"], state["now"]) ^ 1)
    modes = [{name: edge.inputs[f"modes_i.{name}"] if now else g.inputs(bits) for name, bits in LEVEL.items()} for now in (True, False)]
    before, later = invariants(g, state, ports, modes[0]), invariants(g, edge.next, ports, modes[1])
    run.possible("fast_horizon", "assumptions", ports, g, g.all([forward, *before.values(), inputs["acts_Y"][0]]))
    plainly = [holds for name, holds in before.items() if name.startswith("plain_") or name.endswith("_is_never")]
    gating = plainly + [holds for name, holds in before.items() if name[1:].startswith(("min_", "first_", "due_"))]
    everything, at_most = g.all([forward, *before.values()]), []
    for name, holds in later.items():
        if name.startswith("due_at_most_"):
            at_most.append((name, holds))
        else:  # the gating invariant needs nothing but itself
            known = g.all([forward, *gating]) if name[1:].startswith(("min_", "first_", "due_")) else everything
            run.claim("fast_horizon", name, ports, g, known, holds, seconds=240, twice=True)
    run.claim_all("fast_horizon", ports, g, everything, at_most, seconds=240, twice=True)  # what they all follow from takes longest


LEVEL = {"threshold": 16, "hysteresis": 15, "light": 1}  # of modes: bits of LEVEL, lowest first


def level_seen(g: aig.Graph, s: dict[str, list[int]], modes: dict[str, list[int]]) -> int:
    """`due` was found with the present LEVEL, or power was and is of no concern."""
    off = g.either(s["level_seen"][-1], modes["light"][0]) ^ 1
    return g.either(off, g.equal(s["level_seen"], [x for name in LEVEL for x in modes[name]]))


def is_dim(g: aig.Graph, s: dict[str, list[int]], o: int) -> int:
    """Its light is missing, as far as its detector knows; while nothing is special that is a loss of light."""
    return g.either(g.both(s["special"][0], s["dim"][o]), g.both(s["special"][0] ^ 1, s["by_light"][o]))


def plain(g: aig.Graph, s: dict[str, list[int]], ports: int) -> Iterator[tuple[str, int]]:
    """What is as it is while nobody asks for neighbours, positions and power, unless `special` says something else."""
    special = s["special"][0]
    for o in range(ports):
        asked = [s[name][o] for name in ("shaken", "blind", "dim", "counting", "swinging", "ringing", "astray", "misroutes")]
        yield f"plain_{o}", g.either(special, g.any(asked) ^ 1)
        yield f"plain_{o}_by_the_settings", g.any([special, s["stale"][0], s["set_keeps"][o] ^ 1])
        for mask, stamp in (("shaken", "sdl"), ("counting", "cdl"), ("swinging", "rdl")):
            yield f"{stamp}_{o}_is_never", g.either(s[mask][o], g.all(element(s[stamp], o, ports)))
    for name in ("sdue", "wdue"):
        yield f"plain_{name}", g.either(special, g.all(s[name]))
    yield "plain_without_power", g.either(special, s["level_seen"][-1] ^ 1)


def works(g: aig.Graph, s: dict[str, list[int]], o: int) -> int:
    """The output's detector does."""
    return g.any([s[name][o] for name in ("lck", "held", "up", "by_light")])


def missing(g: aig.Graph, s: dict[str, list[int]], modes: dict[str, list[int]], o: int, ports: int, dark: int) -> int:
    """Its light is, with LEVEL.ON; `dark`: LOS or DEAD takes it away."""
    chosen = element(s["src"], o, ports)
    lasers = [element(s["set_laser"], i, ports) for i in range(ports)]
    named = [g.equal(chosen, constant(i, len(chosen))) for i in range(ports)]
    laser = [g.any([g.both(hit, word[b]) for hit, word in zip(named, lasers)]) for b in range(16)]
    power = g.subtract(laser + [laser[-1]] * 2, element(s["set_loss"], o, ports) + [0, 0])
    threshold = modes["threshold"]
    least = g.add(threshold + [threshold[-1]] * 2, [g.both(is_dim(g, s, o), x) for x in modes["hysteresis"]] + [0] * 3)
    low = g.less([*power[:-1], power[-1] ^ 1], [*least[:-1], least[-1] ^ 1])  # they have signs
    return g.any([low, dark, s["ringing"][o]])


def invariants(g: aig.Graph, s: dict[str, list[int]], ports: int, modes: dict[str, list[int]]) -> dict[str, int]:
    def at_most(a: list[int], b: list[int]) -> int:
        return g.less(b, a) ^ 1

    def implies(a: int, b: int) -> int:
        return g.either(a ^ 1, b)

    count, holds = ports // GROUP, dict(plain(g, s, ports))
    for kind, stamp in (("o", "odl"), ("i", "edl")):
        least, first, all_of = f"{kind}min", f"{kind}first", f"{kind}due"
        for j in range(count):
            for p in range(j * GROUP, (j + 1) * GROUP):
                holds[f"{least}_{j}_at_most_{stamp}_{p}"] = at_most(element(s[least], j, count), element(s[stamp], p, ports))
            holds[f"{first}_at_most_{least}_{j}"] = at_most(s[first], element(s[least], j, count))
        holds[f"{all_of}_at_most_{first}"] = at_most(s[all_of], s[first])
    for p in range(ports):
        for least, stamp in (("sdue", "sdl"), ("wdue", "cdl"), ("wdue", "rdl")):
            holds[f"{least}_at_most_{stamp}_{p}"] = at_most(s[least], element(s[stamp], p, ports))
    stale, soon = g.either(s["stale"][0], level_seen(g, s, modes) ^ 1), at_most(s["due"], g.add(s["now"], constant(1, 64)))

    def after(cycle: list[int]) -> list[int]:
        never = g.all(cycle)
        return [g.either(never, x) for x in g.add(cycle, constant(1, 64))]

    for name, waits, stamp in (("odue", aig.TRUE, s["odue"]), ("idue", aig.TRUE, s["idue"]), ("sdue", aig.TRUE, s["sdue"]), ("wdue", aig.TRUE, s["wdue"]), ("commit_at", s["armed"][0], after(s["commit_at"])),
                               ("entry_due", s["running"][0], after(s["entry_due"]))):
        holds[f"due_at_most_{name}"] = g.any([stale, waits ^ 1, soon, at_most(s["due"], stamp)])
    pending = ("sw", "go_pending", "swap_pending", "stop_pending", "start_pending", "halt_pending", "retry_pending")
    sources = [g.either(s["set_dead"][i], s["set_los"][i]) for i in range(ports)]
    acts = []
    for o in range(ports):
        chosen = element(s["src"], o, ports)
        dark = g.either(s["set_dead"][o], g.any([g.both(x, g.equal(chosen, constant(i, len(chosen)))) for i, x in enumerate(sources)]))
        off = modes["light"][0] ^ 1
        acts += [g.all([off, dark, g.any([s[name][o] for name in ("lck", "held", "up")])]), g.all([off, dark ^ 1, s["by_light"][o]])]
        goes_on = g.any([g.differ(is_dim(g, s, o), s["by_light"][o]), s["counting"][o], s["swinging"][o]])
        acts += [g.both(off, goes_on), g.all([off ^ 1, works(g, s, o), g.differ(missing(g, s, modes, o, ports, dark), is_dim(g, s, o))])]
    for name, waits in (("pending", g.any([x for name in pending for x in s[name]])), ("external", g.any(s["set_external"])), ("light", g.any(acts))):
        holds[f"due_is_next_with_{name}"] = g.any([stale, waits ^ 1, soon])
    for k in range(ports * ports):
        holds[f"lit_until_{k}_is_below_2_63"] = element(s["lit_until"], k, ports * ports)[63] ^ 1
    for p in range(ports):
        rated, open_, waits = s["rated"][p], s["open"][p], s["gap"][p]
        full = g.less(element(s["set_rate"], p, ports), constant(D, 16)) ^ 1
        since = element(s["since"], p, ports)
        holds[f"rated_{p}_is_stale"] = implies(rated, stale)
        holds[f"rated_{p}_is_settled"] = implies(g.both(rated, open_), g.equal(since, s["now"]))
        holds[f"open_{p}_sends"] = g.both(implies(open_, s["send"][p]), g.both(s["send"][p], waits) ^ 1)
        ends = g.add(since, element(s["left"], p, ports) + [aig.FALSE] * 32)
        holds[f"open_{p}_ends_with_its_words"] = implies(g.all([open_, full, rated ^ 1]), g.equal(element(s["edl"], p, ports), ends))
    return holds
