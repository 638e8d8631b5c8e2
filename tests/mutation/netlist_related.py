# Proves that a mutant of a netlist of the fast core does what the switch does, in states that the switch can reach.
# SPDX-License-Identifier: Apache-2.0
"""Module for netlist_mutants.py. tests/formal proves that the states of the fast core stay related to those of the counter core
(relation.py), whatever the inputs. Here an edge of the switch and one of the mutant, of any step, begin in one state of the fast core
that is related to some state of the counter core. Both must show the same, and every state of the counter core that is related to the
switch's next state must be related to the mutant's. So the mutant's states stay related, too, by induction over its edges: it does what
the switch does but for what the relation leaves open, above all stamps that are too early, which it bounds from above alone. Two more
things that the proofs take of a state of the fast core are claimed of the mutant's: the order of its stamps (fast.py), and that the words
of an engine are counted from the same cycle (rates.py). And two edges in reset must lead from any state to one that is related to what the
switch's is related to; the first executes no access, as in refine_reset. An edge of one of the two clocks needs no claim of its own: with
an idle bus its registers change as at an edge of both."""
import pathlib
from collections.abc import Iterator
from dataclasses import replace

import aig
import bus
import fast
import netlist
import netlist_mutants as mutants
import rates
import solve
import yosys
from netlist_same import Same
from relation import View, equations, memories, relate
from relation_conditions import conditions, maps_of_rows, mode

MANY = ("row_", "pair_", "fifo_", "record_", "lit_until_", "draw_", "set_lock_")  # there are many of them, and none says anything of others


def counter_core(out: pathlib.Path) -> netlist.Netlist:
    """For the names and widths of its registers."""
    sizes = {"N": mutants.PORTS, "S": mutants.ENTRIES, "FifoDepth": mutants.DEPTH}
    return netlist.load("ocs_top", bus.top_files("ocs.f"), sizes, out / "counter", seconds=1500)


def registers(same: Same) -> netlist.Netlist:
    """The netlist, in which a name of a register is that of what it holds. A mutant may change that where it is read."""
    value = same.switch.value
    held = {value[before]: before for pairs in same.net.state.values() for before, _ in pairs}
    return replace(same.net, wires={name: [held.get(value[bit], bit) if isinstance(bit, int) else bit for bit in bits]
                                    for name, bits in same.net.wires.items()})


class Related(Same):
    """Of the mutants of `same`, in whose netlist they are."""

    def __init__(self, same: Same, out: pathlib.Path) -> None:
        self.same, self.nets = same, {"fast": registers(same), "counter": counter_core(out)}
        before = View(aig.Graph(), self.nets, mutants.PORTS, open_=True)
        before.ghosts = rates.Ghosts(before.graph, mutants.PORTS)
        pairs = mutants.PORTS ** 2
        past = [before.place("counter", "time_q"), *(before.place("counter", "u_outputs.g_receivers.u_receivers.lit_until", k, pairs) for k in range(pairs))]
        before.values["counter"] |= {bits[63]: aig.FALSE for bits in past}  # as is assumed, and claimed of stamps after the edge
        relate(before, equations(before))
        self.begin(same.net, before.graph, out, {name: [before.literal("fast", pair[0]) for pair in pairs] for name, pairs in same.net.state.items()})
        self.counter = {pair[0]: self.graph.input() for pairs in self.nets["counter"].state.values() for pair in pairs}
        self.ghosts = rates.Ghosts(self.graph, mutants.PORTS)
        self.after = self.later({})
        self.before = self.graph.all([holds for view in (before, self.after) for holds in self.assumed(view)] + [holds for _, holds in conditions(before)]
                                     + [holds for _, holds in self.stamps(before)])
        self.known = self.related(self.after)
        self.begin_in_reset()
        self.at_edge, self.in_reset = (solve.Standing(self.graph) for _ in range(2))
        self.refuse_what_says_nothing()

    def begin_in_reset(self) -> None:
        """Any state, with rows and PAIR that are related: a reset keeps them."""
        view = View(self.graph, self.nets, mutants.PORTS, open_=True)
        relate(view, memories(view))
        self.at_reset = {name: [view.literal("fast", pair[0]) for pair in pairs] for name, pairs in self.net.state.items()}
        self.pins = [{name: self.graph.inputs(len(bits)) for name, bits in self.net.inputs.items() if not name.startswith("cut")} | {"rst_ni": [aig.FALSE]}
                     for _ in range(2)]
        first, after = self.reset(0)
        self.no_access = self.graph.all([first.wire("u_front.u_axil.req_o")[0] ^ 1, *(holds for _, holds in maps_of_rows(view))])
        self.known_after_reset = self.related(after)

    def refuse_what_says_nothing(self) -> None:
        """Raises ToolError if what is taken for granted can't be met. What the solvers learn here serves each mutant."""
        for what, solver, given, known in (("an edge", self.at_edge, self.before, self.known),
                                           ("edges in reset", self.in_reset, self.no_access, self.known_after_reset)):
            if solver.impossible(given, *known.values()):
                raise yosys.ToolError(f"what is assumed of {what} can't be met")

    def reset(self, mutant: int) -> tuple[netlist.Instance, View]:
        """The first of two edges in reset, and what is after them. What a reset leaves depends on no product or quotient."""
        chosen = {"mutant_i": [mutant >> k & 1 for k in range(self.width)]}
        first = netlist.Instance(self.graph, self.net, self.at_reset, self.pins[0] | chosen)
        second = netlist.Instance(self.graph, self.net, first.next, self.pins[1] | chosen)
        return first, self.view({pair[0]: x for name, pairs in self.net.state.items() for pair, x in zip(pairs, second.next[name], strict=True)})

    def assumed(self, view: View) -> list[int]:
        """Time stays below 2^63; words are what they are."""
        return [view.counter("time_q")[63] ^ 1, *(holds for _, holds in rates.assumed(view))]

    def later(self, found: dict[int, int]) -> View:
        """After the edge of the switch, or of the mutant of which these bits are others."""
        value = self.switch.value
        own = {before: found.get(after, value[after]) if isinstance(after, int) else int(after == "1")
               for pairs in self.net.state.values() for before, after in pairs}
        return self.view(own)

    def view(self, own: dict[int, int]) -> View:
        """This state of the fast core beside any of the counter core."""
        return View(self.graph, self.nets, mutants.PORTS, open_=False, values={"fast": own, "counter": self.counter}, ghosts=self.ghosts)

    def related(self, after: View) -> dict[str, int]:
        g = self.graph
        equal = {f"{e.name} of the {e.side} core": g.either(e.when ^ 1, g.equal([after.literal(e.side, bit) for bit in e.bits], e.value))
                 for e in equations(after)}
        return equal | dict(conditions(after)) | {f"stamps: {name}": holds for name, holds in self.stamps(after)}

    def stamps(self, view: View) -> Iterator[tuple[str, int]]:
        known = view.values["fast"].keys()
        state = {name.removeprefix("u_core."): [view.literal("fast", bit) for bit in bits] for name, bits in self.nets["fast"].wires.items()
                 if known >= {bit for bit in bits if isinstance(bit, int)}}
        yield from fast.invariants(self.graph, state, mutants.PORTS, {name: mode(view, name) for name in fast.LEVEL}).items()

    def words(self, after: View) -> Iterator[tuple[str, int]]:
        """An open engine counts its words from the same cycle as the switch's, and is looked at no later: up to an earlier cycle it offers no
        more words than up to the switch's (lemmas.py)."""
        for i in range(mutants.PORTS):
            same = [self.graph.equal(after.fast(name, i), self.after.fast(name, i)) for name in ("since", "acc", "left")]
            no_later = after.at_most(after.fast("edl", i), self.after.fast("edl", i))
            yield f"words of engine {i}", after.implies(after.is_open(i), self.graph.all([*same, no_later]))

    def differs(self, found: dict[int, int]) -> int:
        """The literal of "something that is shown isn't the switch's"; data of a read are shown while they are offered."""
        def those(names) -> set:
            return {bit for name in names for bit in self.net.outputs[name] if isinstance(bit, int)}

        data = self.graph.both(self.switch.wire("rvalid_o")[0], self.differ(those(["rdata_o"]), found))
        return self.graph.either(self.differ(those(name for name in self.shown if name != "rdata_o"), found), data)

    def result(self, cut: str, found: dict[int, int]) -> list[int]:
        return self.graph.inputs(len(self.switch.wire(f"{cut}_Y")))

    def exception(self, solver: solve.Standing, given: list[int], claimed: dict[str, int], known: dict[str, int]) -> str:
        """The first claim on the mutant that does not follow; none: empty. Asked is what differs from the claim on the switch, of which it is
        known that it holds."""
        for name, holds in claimed.items():
            if holds in (aig.TRUE, known.get(name)):
                continue
            if not solver.impossible(*given, holds ^ 1, *(x for other, x in known.items() if other == name or not other.startswith(MANY))):
                return name
        return ""

    def refuted(self, mutant: int) -> str:
        """What does not follow of the mutant; empty: it is proved. Takes up to minutes."""
        at_reset = self.related(self.reset(mutant)[1])
        if name := self.exception(self.in_reset, [self.no_access], at_reset, self.known_after_reset):
            return f"after a reset: {name}"
        found, alike = self.edge(mutant)
        given, after = [self.before, alike], self.later(found)
        if not self.at_edge.impossible(*given, self.differs(found)):
            return "what is shown"
        return self.exception(self.at_edge, given, self.related(after) | dict(self.words(after)), self.known)
