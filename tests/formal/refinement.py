# The fast core does what the counter core does: an edge of either leads related states (relation.py) to related ones.
# SPDX-License-Identifier: Apache-2.0
"""Of the whole devices, ocs_fast_top and ocs_top, with one clock and all engines at full rate. Their bus, settings and inputs are the same."""
import aig
import bus
import netlist
from lemmas import constant, element
from relation import UP, Equation, View, equations
from relation_conditions import conditions

OF_SEGMENTS = ("seg_", "error_6")
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


class Pair:
    """Related states of both devices, and one edge of each."""

    def __init__(self, run, subject: str, ports: int, step: int) -> None:
        self.run, self.subject, self.ports, self.graph = run, subject, ports, aig.Graph()
        self.known: dict[int, int] = {}  # nodes that are the same in both cores, and what stands for them
        self.nets = {side: load(run, side, ports) for side in TOPS}
        self.before = View(self.graph, self.nets, ports, open_=True)
        self.related()
        self.assumed = dict(conditions(self.before)) | {"time": self.before.counter("time_q")[63] ^ 1}
        self.inputs = {name: self.graph.inputs(len(net.inputs[name])) for net in self.nets.values() for name in net.inputs if not name.startswith("cut")}
        self.inputs |= {"rst_ni": [aig.TRUE], "step_i": constant(step, 32)}
        self.edges = {side: self.edge(side) for side in TOPS}
        self.step(step)
        self.assumed["places_of_states"] = self.places_of_states()
        self.after = View(self.graph, self.nets, ports, open_=False)
        for side, edge in self.edges.items():
            self.after.values[side] = {pair[0]: edge.value[pair[1]] for pairs in edge.net.state.values() for pair in pairs}

    def related(self) -> None:
        """Makes one state from the other; what no equation speaks of is free."""
        g, values = self.graph, self.before.values
        for equation in equations(self.before):
            for bit, x in zip(equation.bits, equation.value, strict=True):
                if isinstance(bit, int):
                    if bit in values[equation.side]:
                        raise ValueError(f"{equation.name} comes after what is made of it")
                    other = aig.FALSE if equation.when == aig.TRUE else g.input()
                    values[equation.side][bit] = g.either(g.both(equation.when, x), g.both(equation.when ^ 1, other))

    def edge(self, side: str, force: dict | None = None) -> netlist.Instance:
        net = self.nets[side]
        state = {name: [self.before.literal(side, pair[0]) for pair in pairs] for name, pairs in net.state.items()}
        inputs = {name: bits for name, bits in self.inputs.items() if name in net.inputs}
        return netlist.Instance(self.graph, net, state=state, inputs=inputs, force=force)

    def step(self, step: int) -> None:
        """A step of 0 or 1 is never beyond the horizon of the counter core."""
        wrong = self.edges["counter"].wire("u_core.step_error")
        self.claim("horizon_allows_the_step", wrong[0] ^ 1)
        self.edges["counter"] = self.edge("counter", {"u_core.step_error": [aig.FALSE], "u_core.step": constant(step, 32)})

    def places_of_states(self) -> int:
        """Products with 3, where the counter core's FIFO finds an output's state, are cut out like all products."""
        g, edge, exact = self.graph, self.edges["counter"], []
        for name, (kind, a, _, _) in edge.net.cuts.items():
            if kind == "$mul" and a == list("11" + "0" * (len(a) - 2)):
                b, y = edge.wire(f"{name}_B"), edge.wire(f"{name}_Y")
                wide = (b + [aig.FALSE] * len(y))[:len(y)]
                exact.append(g.equal(y, g.add(wide, [aig.FALSE, *wide[:-1]])))
        return g.all(exact)

    def environment(self) -> list[int]:
        """Time stays below 2^63, and no RATE but the full one is written."""
        g, after = self.graph, self.after
        rates = [g.equal(after.setting("rate", i), constant(40000, 16)) for i in range(self.ports)]
        return rates + [after.counter("time_q")[63] ^ 1]

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
        if self.known and name.startswith(OF_SEGMENTS):
            claimed = self.graph.replaced(claimed, self.known)
        self.run.claim(self.subject, name, self.ports, self.graph, self.graph.all([*self.assumed.values(), *more]), claimed)

    def holds(self, equation: Equation) -> int:
        g = self.graph
        now = [self.after.literal(equation.side, bit) for bit in equation.bits]
        return g.either(equation.when ^ 1, g.equal(now, equation.value))


def outputs(pair: Pair) -> None:
    """What the devices show before the edge; a read's data while it is offered."""
    g, fast, counter = pair.graph, pair.edges["fast"], pair.edges["counter"]
    for name in pair.nets["counter"].outputs:
        if name == "horizon_o" or name.startswith("cut"):
            continue
        same = g.equal(fast.wire(name), counter.wire(name))
        pair.claim(f"shown_{name}", g.either(counter.wire("rvalid_o")[0] ^ 1, same) if name == "rdata_o" else same)


def registers(pair: Pair) -> None:
    environment = pair.environment()
    for equation in equations(pair.after):
        pair.claim(equation.name, pair.holds(equation), environment)
    for name, holds in conditions(pair.after):
        pair.claim(name, holds, environment)


def refine(run, subject: str, ports: int, step: int) -> None:
    pair = Pair(run, subject, ports, step)
    run.possible(subject, "assumptions", ports, pair.graph, pair.graph.all([*pair.assumed.values(), *pair.environment()]))
    if step:
        pair.counts_are_the_same()
    outputs(pair)
    registers(pair)


def step_0(run, ports: int) -> None:
    refine(run, "refine_step_0", ports, 0)


def step_1(run, ports: int) -> None:
    refine(run, "refine_step_1", ports, 1)
