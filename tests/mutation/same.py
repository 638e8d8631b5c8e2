# Proves that a mutant of the RTL does what the switch does.
# SPDX-License-Identifier: Apache-2.0
"""Module for mutate.py. All mutants of a module are in one netlist, whose input `mutant_i` says which it is (places.py). Two copies, the
switch and the mutant, are given the same state and the same inputs; then all that they show and their next states must be the same. Asked
in turn, until one of them is proved:
- of the module alone, in any state and with any inputs;
- of the module alone, in any state in which its own checks (rtl/checks) hold, as far as written down here (SANE);
- with registers that may differ while nothing looks at them (DEAD): then they either agree again or still nothing looks at them;
- of the module alone, but for its bounds on a step, which may be smaller (not 0) where the module's own checks hold (BOUNDS): the contract
  allows a smaller horizon, and that none can be told from another is what the composition of steps says (docs/proofs.md);
- of the whole core, in any state and with any inputs. Where the mutant alone looks up PAIR, it may find there what it likes.
Products and quotients are cut out."""
import pathlib
import sys

import places

sys.path.insert(0, str(places.ROOT / "tests/formal"))
import aig  # noqa: E402
import lemmas  # noqa: E402
import netlist  # noqa: E402
import netlist_same  # noqa: E402
import solve  # noqa: E402
import theorems  # noqa: E402

PORTS, SIZES = 4, {"S": 4, "FifoDepth": 4, "Depth": 4}
PARAMETERS = {"ocs_sequencer": ("N", "S"), "ocs_events": ("N", "Depth"), "ocs_core": ("N", "S", "FifoDepth"), "ocs_status": ()}
# Registers and the one that says, while it is 0, that nothing looks at them.
DEAD = {"ocs_sequencer": ("running_q", ("index_q", "period_q", "loop_q")), "ocs_engines": ("state_q", ("gated_q",))}
BOUNDS = {"ocs_engines": "bound_o"}


def no_empty_record(events: netlist.Instance) -> list[int]:
    """own_no_empty_record: the record that is next holds an event."""
    g, s, holds = events.graph, events.state, [events.graph.any(events.state["count_q"]) ^ 1]
    for k in range(SIZES["Depth"]):
        left = g.any([x for name in ("device_mem", "entered_mem", "done_mem") for x in s[f"{name}[{k}]"]])
        holds.append(g.both(g.equal(s["head_q"], lemmas.constant(k, len(s["head_q"]))), left))
    return [g.any(holds)]


SANE = {"ocs_events": no_empty_record}


class Same:
    def __init__(self, out: pathlib.Path) -> None:
        self.out, self.rtl, self.nets, self.alike = out, out / "all_rtl", {}, []
        self.seen: dict[int, set] = {}  # of each netlist: bits that what is shown depends on, now or later
        places.with_input(self.rtl)

    def net(self, module: str) -> netlist.Netlist:
        if module not in self.nets:
            files = theorems.core_files(checks=False) if module == "ocs_core" else [
                f"/src/rtl/{name}.sv" for name in ("ocs_pkg", "regs/generated/ocs_addr_pkg", *netlist.PARTS_OF.get(module, ()), module)]
            parameters = {"N": PORTS} | SIZES
            self.nets[module] = netlist.load(module, files, {name: parameters[name] for name in PARAMETERS.get(module, ("N",))},
                                             self.out / module, mounts={"/src/rtl": self.rtl}, seconds=1500)
        return self.nets[module]

    def both(self, module: str, mutant: int, other: dict[str, list[int]], loose: tuple = ()) -> tuple[netlist.Instance, netlist.Instance]:
        """The switch and the mutant; in the mutant `other` inputs, and registers of its own for `loose` ones. A product or quotient is
        one value for both if what it is of is proved to be the same in both; else it has one of its own in the mutant, but the same
        where it is of the same (self.alike)."""
        net, free = self.net(module), set()
        width = len(net.inputs["mutant_i"])
        while True:
            self.alike = []
            graph = aig.Graph()
            switch = netlist.Instance(graph, net, inputs={"mutant_i": [aig.FALSE] * width})
            state = {name: graph.inputs(len(bits)) if name in loose else bits for name, bits in switch.state.items()}
            inputs = switch.inputs | {name: graph.inputs(len(net.inputs[name])) for name in [*other, *(f"{cut}_Y" for cut in free)]}
            edge = netlist.Instance(graph, net, state=state, inputs=inputs | {"mutant_i": lemmas.constant(mutant, width)},
                                    bits={bit: switch.value[bit] for bit in net.unknown})
            differ = {cut for cut in set(net.cuts) - free if not self.impossible(
                graph, [], [graph.equal(switch.wire(f"{cut}_{port}"), edge.wire(f"{cut}_{port}")) for port in "AB"])}
            if not differ:
                self.alike = [graph.either(graph.all([graph.equal(switch.wire(f"{cut}_{port}"), edge.wire(f"{cut}_{port}")) for port in "AB"]) ^ 1,
                                           graph.equal(switch.wire(f"{cut}_Y"), edge.wire(f"{cut}_Y"))) for cut in free]
                return switch, edge
            free |= differ

    def impossible(self, graph: aig.Graph, assumed: list[int], claimed: list[int]) -> bool:
        """Whether what is claimed can't fail."""
        return solve.impossible(graph, graph.both(graph.all(assumed + self.alike), graph.all(claimed) ^ 1), self.out, 60).proved is True

    def outputs(self, switch: netlist.Instance, mutant: netlist.Instance, but: tuple = ()) -> list[int]:
        graph = switch.graph
        return [graph.equal(switch.wire(name), mutant.wire(name)) for name in switch.net.outputs
                if name not in but and not name.startswith("cut")]

    def registers(self, switch: netlist.Instance, mutant: netlist.Instance, but: tuple = ()) -> list[int]:
        """Of all bits that what is shown depends on, now or later."""
        graph, net = switch.graph, switch.net
        if id(net) not in self.seen:  # self.nets keeps it
            self.seen[id(net)] = netlist_same.seen_later(
                net, [bit for name, bits in net.outputs.items() if not name.startswith("cut") for bit in bits])
        seen = self.seen[id(net)]
        pairs = [(switch.value[after], mutant.value[after]) for name, bits in net.state.items() if name not in but for _, after in bits if after in seen]
        return [graph.differ(one, other) ^ 1 for one, other in pairs]

    def alone(self, module: str, mutant: int, sane=lambda switch: []) -> bool:
        a, b = self.both(module, mutant, {})
        return self.impossible(a.graph, sane(a), self.outputs(a, b) + self.registers(a, b))

    def while_dead(self, module: str, mutant: int) -> bool:
        """By induction: what may differ starts the same and agrees, or nothing looks at it, after any edge."""
        alive, loose = DEAD[module]
        a, b = self.both(module, mutant, {}, loose)
        g, count = a.graph, PORTS if len(a.state[alive]) > 1 else 1

        def agree(x: dict[str, list[int]], y: dict[str, list[int]]) -> list[int]:
            holds = []
            for name in loose:
                for p in range(count):
                    used = g.any(lemmas.element(x[alive], p, count))
                    # One bit a port: port 0 is the lowest; else element 0 is the highest.
                    same = g.equal([x[name][p]], [y[name][p]]) if len(x[name]) == count > 1 else g.equal(
                        lemmas.element(x[name], p, count), lemmas.element(y[name], p, count))
                    holds.append(g.either(used ^ 1, same))
            return holds

        return self.impossible(g, agree(a.state, b.state), self.outputs(a, b) + self.registers(a, b, loose) + agree(a.next, b.next))

    def smaller_bounds(self, module: str, mutant: int) -> bool:
        a, b = self.both(module, mutant, {})
        g, bound, claims = a.graph, BOUNDS[module], []
        sane = []
        for p in range(PORTS):
            left, state, wait, acc = (lemmas.element(a.state[name], p, PORTS) for name in ("left_q", "state_q", "wait_q", "acc_q"))
            sane += [g.either(g.any(state) ^ 1, g.any(left)), g.either(g.equal(state, lemmas.constant(1, 2)) ^ 1, g.any(wait)),
                     g.less(acc, lemmas.constant(lemmas.D, 16))]
            x, y = lemmas.element(a.wire(bound), p, PORTS), lemmas.element(b.wire(bound), p, PORTS)
            claims += [g.less(x, y) ^ 1, g.any(y)]
            for _, factor, by, product in a.net.cuts.values():  # left * D, which Yosys has as left * 625
                if factor[:32] == lemmas.element(a.net.wires["left_q"], p, PORTS):
                    number = sum(int(bit) << k for k, bit in enumerate(by))
                    total = [aig.FALSE] * len(product)
                    for k in range(number.bit_length()):
                        if number >> k & 1:
                            total = g.add(total, ([aig.FALSE] * k + left)[:len(total)])
                    sane.append(g.equal([a.value[bit] if isinstance(bit, int) else int(bit == "1") for bit in product], total))
        same = self.outputs(a, b, (bound,)) + self.registers(a, b)
        return self.impossible(g, [], same) and all(self.impossible(g, sane, [claim]) for claim in claims)

    def in_core(self, mutant: int) -> bool:
        a, b = self.both("ocs_core", mutant, {"pair_i": []})
        g = a.graph
        found = g.either(g.both(a.wire("pair_lookup_o")[0], b.wire("pair_lookup_o")[0]) ^ 1, g.equal(a.inputs["pair_i"], b.inputs["pair_i"]))
        return self.impossible(g, [found], self.outputs(a, b, ("pair_lookup_o",)) + self.registers(a, b))

    def proved(self, module: str, mutant: int) -> str:
        """How it was proved to be the same, or allowed; empty if it wasn't."""
        if module != "ocs_core":
            if self.alone(module, mutant):
                return "same: in its module, any state and inputs"
            if module in SANE and self.alone(module, mutant, SANE[module]):
                return "same: in its module, any inputs, any state in which its checks hold"
            if module in DEAD and self.while_dead(module, mutant):
                return f"same: in its module, by induction; registers may differ while {DEAD[module][0]} is 0"
            if module in BOUNDS and self.smaller_bounds(module, mutant):
                return "allowed: in its module all is the same but bounds, which are smaller and not 0"
        return "same: in the core, any state and inputs" if self.in_core(mutant) else ""
