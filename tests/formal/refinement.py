# The fast core does what the counter core does: an edge of either leads related states (relation.py) to related ones.
# SPDX-License-Identifier: Apache-2.0
"""Of the whole devices, ocs_fast_top and ocs_top, with one clock and all engines at full rate. Their bus, settings and inputs are the same."""
from collections.abc import Callable

import aig
import bus
import netlist
from lemmas import D, constant, element
from relation import UP, View, equations, memories
from relation_conditions import conditions, maps_of_rows

MASKS = ("tun", "lck", "up", "held", "fail", "vld", "src", "gap", "send", "gated", "routed", "lit", "open", "stopped")
OF_EVENTS = ("commits", "refusals", "head", "tail", "records")  # they say whether a commit is taken or refused and a record is written
OF_MASKS = ("fifo_device", "fifo_source", "fifo_entered", "fifo_done", "fifo_state0", "fifo_state1", "fifo_state2", "fifo_stamp", "open",
            "shared", "left", "index", "sent", "edl", "unrouted", "passed", "lost", "dark", "grow_count")
SETTLED = ("passed", "lost")  # 64-bit sums of words since a mark: solvers take up to three minutes
OF_SEGMENTS = ("seg_full", "seg_input", "seg_tag", "seg_first", "seg_count", "error_6")
TOPS = {"fast": ("ocs_fast_top", "ocs_fast.f"), "counter": ("ocs_top", "ocs.f")}


def counts(module: dict) -> dict[str, str]:
    """Names the words of the segment that grows at each output after the edge, count_OUTPUT_K: in the fast core wherever it ends one, index
    less `grown`; in the counter core what has grown and the words of the edge. Cuts nothing out."""
    for kind, port, name in (("$sub", "B", "u_core.grown"), ("$add", "A", "u_core.u_segments.grow_count_q")):
        bits, found = module["netnames"].get(name, {"bits": []})["bits"], {}
        for cell in module["cells"].values():
            for o in range(len(bits) // 32):
                if cell["type"] == kind and cell["connections"][port] == element(bits, o, len(bits) // 32):
                    found.setdefault(o, []).append(cell["connections"]["Y"])
        for o, words in found.items():
            for k, word in enumerate(words):
                module["netnames"][f"count_{o}_{k}"] = {"hide_name": 0, "bits": word, "attributes": {}}
    return {}


def load(run, side: str, ports: int) -> netlist.Netlist:
    top, files = TOPS[side]
    return netlist.load(top, bus.top_files(files), {"N": ports, "S": 2, "FifoDepth": 2}, run.out / f"{top}_{ports}",
                        mounts=run.mounts(), also=counts, seconds=1500)


def kind(name: str) -> str:
    """Of a claim, without its port."""
    return name.rstrip("0123456789").rstrip("_")


class Pair:
    """Related states of both devices, and edges of each."""

    def __init__(self, run, subject: str, ports: int, relation: Callable = equations, kept: Callable = conditions) -> None:
        self.run, self.subject, self.ports, self.graph = run, subject, ports, aig.Graph()
        self.known: dict[int, int] = {}  # nodes that are the same in both cores, and what stands for them
        self.nets = {side: load(run, side, ports) for side in TOPS}
        self.before = View(self.graph, self.nets, ports, open_=True)
        self.related(relation)
        self.assumed = dict(kept(self.before))
        self.edges: dict[str, netlist.Instance] = {}
        self.acts = False  # time moves

    def related(self, relation: Callable) -> None:
        """Makes one state from the other; what no equation speaks of is free."""
        g, values = self.graph, self.before.values
        for equation in relation(self.before):
            for bit, x in zip(equation.bits, equation.value, strict=True):
                if isinstance(bit, int):
                    if bit in values[equation.side]:
                        raise ValueError(f"{equation.name} comes after what is made of it")
                    other = aig.FALSE if equation.when == aig.TRUE else g.input()
                    values[equation.side][bit] = g.either(g.both(equation.when, x), g.both(equation.when ^ 1, other))

    def inputs(self, **given: list[int]) -> dict[str, list[int]]:
        """The same of both devices; free, but for what is given."""
        return {name: self.graph.inputs(len(bits)) for net in self.nets.values() for name, bits in net.inputs.items() if not name.startswith("cut")} | given

    def edge(self, side: str, at: View, inputs: dict[str, list[int]], force: dict | None = None) -> netlist.Instance:
        net = self.nets[side]
        state = {name: [at.literal(side, pair[0]) for pair in pairs] for name, pairs in net.state.items()}
        return netlist.Instance(self.graph, net, state=state, inputs={name: bits for name, bits in inputs.items() if name in net.inputs}, force=force)

    def later(self) -> View:
        """The states after the edges."""
        view = View(self.graph, self.nets, self.ports, open_=False)
        for side, edge in self.edges.items():
            view.values[side] = {pair[0]: edge.value[pair[1]] for pairs in edge.net.state.values() for pair in pairs}
        return view

    def step(self, step: int) -> View:
        """One edge of each. A step of 0 or 1 is never beyond the horizon of the counter core."""
        self.acts, inputs = step > 0, self.inputs(rst_ni=[aig.TRUE], step_i=constant(step, 32))
        self.assumed["time"] = self.before.counter("time_q")[63] ^ 1
        self.edges = {side: self.edge(side, self.before, inputs) for side in TOPS}
        self.claim("horizon_allows_the_step", self.edges["counter"].wire("u_core.step_error")[0] ^ 1)
        force = {"u_core.step_error": [aig.FALSE], "u_core.step": constant(step, 32)}
        self.edges["counter"] = self.edge("counter", self.before, inputs, force)
        self.assumed["places_of_states"] = self.places_of_states()
        return self.later()

    def places_of_states(self) -> int:
        """Products with 3, where the counter core's FIFO finds an output's state, are cut out like all products."""
        g, edge, exact = self.graph, self.edges["counter"], []
        for name, (kind, a, _, _) in edge.net.cuts.items():
            if kind == "$mul" and a == list("11" + "0" * (len(a) - 2)):
                b, y = edge.wire(f"{name}_B"), edge.wire(f"{name}_Y")
                wide = (b + [aig.FALSE] * len(y))[:len(y)]
                exact.append(g.equal(y, g.add(wide, [aig.FALSE, *wide[:-1]])))
        return g.all(exact)

    def counts_are_the_same(self) -> None:
        """Of an output that is UP; from here on they are any word in both cores. The fast core looks twice: at outputs of which a commit
        changes the selection, before it does, and at the others afterwards."""
        g, known = self.graph, {}
        for o in range(self.ports):
            up, any_word = self.before.is_state(o, UP), g.inputs(32)
            stays = g.equal(element(self.edges["counter"].wire("u_core.input_next_o"), o, self.ports), self.before.counter("u_outputs.input_q", o))
            found = {side: [edge.wire(name) for name in sorted(edge.net.wires) if name.startswith(f"count_{o}_")] for side, edge in self.edges.items()}
            for k, word in enumerate(found["fast"]):
                here = g.both(up, stays) if k else up
                self.claim(f"counted_{o}_{k}", g.either(here ^ 1, g.equal(word, found["counter"][0])))
                known |= {x >> 1: y ^ (x & 1) for x, y in zip(word, self.before.choose(here, any_word, word)) if x > 1}
            word = found["counter"][0]
            known |= {x >> 1: y ^ (x & 1) for x, y in zip(word, self.before.choose(up, any_word, word)) if x > 1}
        self.known = known

    def claim(self, name: str, claimed: int, more: list[int] = ()) -> None:
        if self.known and {name, kind(name)} & set(OF_SEGMENTS):
            claimed = self.graph.replaced(claimed, self.known)
        seconds = 300 if self.acts and kind(name) in SETTLED else 60
        self.run.claim(self.subject, name, self.ports, self.graph, self.graph.all([*self.assumed.values(), *more]), claimed, seconds)

    def registers(self, after: View, more: list[int] = ()) -> None:
        """The relation and its conditions. What is claimed of the masks, and of the words that engines sent, is taken for granted where it
        helps: it is among the claims."""
        g, masks, counted = self.graph, [], []
        for equation in equations(after):
            now = [after.literal(equation.side, bit) for bit in equation.bits]
            holds = g.either(equation.when ^ 1, g.equal(now, equation.value))
            known = [*more, *masks] if kind(equation.name) in OF_MASKS else list(more)
            if kind(equation.name) in SETTLED:
                known += counted
            self.claim(equation.name, holds, known)
            if kind(equation.name) == "sent":
                counted.append(holds)
            if kind(equation.name) in MASKS + OF_EVENTS:
                masks.append(holds)
        for name, holds in conditions(after):
            self.claim(name, holds, more)


def outputs(pair: Pair) -> None:
    """What the devices show before the edge; a read's data while it is offered."""
    g, fast, counter = pair.graph, pair.edges["fast"], pair.edges["counter"]
    for name in pair.nets["counter"].outputs:
        if name == "horizon_o" or name.startswith("cut"):
            continue
        same = g.equal(fast.wire(name), counter.wire(name))
        pair.claim(f"shown_{name}", g.either(counter.wire("rvalid_o")[0] ^ 1, same) if name == "rdata_o" else same)


def refine(run, subject: str, ports: int, step: int) -> None:
    pair = Pair(run, subject, ports)
    g, after = pair.graph, pair.step(step)
    # Time stays below 2^63, and no RATE but the full one is written.
    environment = [g.equal(after.setting("rate", i), constant(D, 16)) for i in range(ports)] + [after.counter("time_q")[63] ^ 1]
    run.possible(subject, "assumptions", ports, g, g.all([*pair.assumed.values(), *environment]))
    if step:
        pair.counts_are_the_same()
    outputs(pair)
    pair.registers(after, environment)


def step_0(run, ports: int) -> None:
    refine(run, "refine_step_0", ports, 0)


def step_1(run, ports: int) -> None:
    refine(run, "refine_step_1", ports, 1)


def reset(run, ports: int) -> None:
    """Two edges in reset, from any states with the same rows and the same PAIR, which a reset keeps and which are 0 at power-up; no access
    acts at the first of them."""
    pair = Pair(run, "refine_reset", ports, memories, maps_of_rows)
    g, view = pair.graph, pair.before
    for k in range(2):
        inputs = pair.inputs(rst_ni=[aig.FALSE])
        pair.edges = {side: pair.edge(side, view, inputs) for side in TOPS}
        if k == 0:
            pair.assumed |= {side: pair.edges[side].wire(name)[0] ^ 1 for side, name in (("fast", "u_axil.req_o"), ("counter", "u_registers.u_axil.req_o"))}
        view = pair.later()
    run.possible("refine_reset", "assumptions", ports, g, g.all([*pair.assumed.values()]))
    pair.registers(view)
