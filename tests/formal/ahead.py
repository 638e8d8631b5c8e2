# The form of the switch that an FPGA has (Warp = 0) does what the simulated one does, edge for edge of 0 or 1 cycles.
# SPDX-License-Identifier: Apache-2.0
"""Of each module that differs, both forms are given the same state and inputs; then what they show and their next states are the same.
Commit: every two inputs compared at once. Outputs: the edge worked out with and without the commit, which chooses between them; so PAIR
is looked up for both. Sequencer: whether the next entry is due is decided an edge before, which is an invariant. Engines: theorems.narrow."""
import aig
import netlist
import theorems
from lemmas import constant, element

OUTPUTS = ["state_o", "cause_o", "valid_o", "input_o", "stop_o", "valid_next_o", "input_next_o", "state_next_o", "entered_o", "started_o",
           "restarted_o", "bound_o"]


def forms(run, top: str, ports: int, parameters: dict[str, int], more: list[str] = ()) -> list[netlist.Netlist]:
    """The module with Warp = 1 and with Warp = 0."""
    files = ["/src/rtl/ocs_pkg.sv", *(f"/src/rtl/{name}.sv" for name in (*more, top))]
    return [netlist.load(top, files, {"N": ports, "Warp": warp} | parameters, run.out / f"ahead_{top}_{ports}_{warp}", mounts=run.mounts())
            for warp in (1, 0)]


def ahead(run, ports: int) -> None:
    commit(run, ports)
    outputs(run, ports)
    sequencer(run, ports)


def same(run, ports: int, graph: aig.Graph, assumed: int, name: str, a: list[int], b: list[int]) -> None:
    run.claim("ahead", name, ports, graph, assumed, graph.equal(a, b), twice=ports > 2)  # the default tests ask one solver


def commit(run, ports: int) -> None:
    nets, graph = forms(run, "ocs_commit", ports, {}), aig.Graph()
    simulated = netlist.Instance(graph, nets[0])
    built = netlist.Instance(graph, nets[1], inputs=simulated.inputs)
    for name in ("taken_o", "refused_o", "late_o", "range_o", "conflict_o", "sw_done_o", "timed_done_o", "source_o"):
        same(run, ports, graph, aig.TRUE, f"commit_{name}", simulated.wire(name), built.wire(name))
    taken = simulated.wire("taken_o")[0]
    run.possible("ahead", "see_commit_taken", ports, graph, taken)
    for name in ("map_valid_o", "map_input_o"):
        same(run, ports, graph, taken, f"commit_{name}", simulated.wire(name), built.wire(name))


def outputs(run, ports: int) -> None:
    """With the commit and without it apart: a constant of both graphs, not an input, so that most of the two forms is the same node."""
    nets = forms(run, "ocs_outputs", ports, {}, netlist.PARTS_OF["ocs_outputs"])
    for way, taken in enumerate((aig.FALSE, aig.TRUE)):
        graph = aig.Graph()
        width = len(nets[0].inputs["pair_i"])
        without, with_map = graph.inputs(width), graph.inputs(width)
        # The lower way is the first half of the array, and slang puts element 0 highest.
        simulated = netlist.Instance(graph, nets[0], inputs={"pair_i": with_map if way else without, "commit_i": [taken]})
        built = netlist.Instance(graph, nets[1], state=simulated.state, inputs=simulated.inputs | {"pair_i": with_map + without})
        pairs = [(name, simulated.next[name], built.next[name]) for name in simulated.next]
        pairs += [(name, simulated.wire(name), built.wire(name)) for name in OUTPUTS]
        pairs += [(f"pair_input_{o}", element(simulated.wire("pair_input_o"), o, ports),
                   element(built.wire("pair_input_o"), way * ports + o, 2 * ports)) for o in range(ports)]
        there = in_range(simulated, ports, bool(way))
        for name, one, other in pairs:
            same(run, ports, graph, there, f"outputs_{name}_{'taken' if way else 'kept'}", one, other)


def in_range(edge: netlist.Instance, ports: int, taken: bool) -> int:
    """Outputs select inputs that there are (own_selection_in_range), and so does a map that is taken (use_map_in_range)."""
    g = edge.graph

    def there(name: str, o: int) -> int:
        return theorems.is_a_port(g, element(edge.wire(name), o, ports), ports)

    holds = [there("input_q", o) for o in range(ports)]
    mapped = [g.either(edge.wire("map_valid_i")[o] ^ 1, there("map_input_i", o)) for o in range(ports)]
    return g.all(holds + mapped * taken)


def sequencer(run, ports: int) -> None:
    nets, graph = forms(run, "ocs_sequencer", ports, {"S": 4}), aig.Graph()
    go, now = graph.input(), graph.inputs(64)
    following = graph.add(now, [go])
    times = {"go_i": [go], "time_i": now, "time_next_i": following, "last_i": graph.subtract(following, [aig.TRUE] + [aig.FALSE] * 63)}
    simulated = netlist.Instance(graph, nets[0], inputs=times)
    built = netlist.Instance(graph, nets[1], state=simulated.state, inputs=simulated.inputs)
    known = graph.all(decided(graph, simulated, built.state, now).values())
    run.possible("ahead", "see_sequencer_due", ports, graph, graph.all([known, go, built.wire("due_o")[0], simulated.wire("wrap_o")[0]]))
    for name in simulated.next:
        same(run, ports, graph, known, f"sequencer_{name}", simulated.next[name], built.next[name])
    for name in ("running_o", "launch_o", "wrap_o", "bound_o"):
        same(run, ports, graph, known, f"sequencer_{name}", simulated.wire(name), built.wire(name))
    for name, when in (("due_o", known), ("late_o", known), ("row_valid_o", graph.both(known, simulated.wire("due_o")[0])),
                       ("row_input_o", graph.both(known, simulated.wire("due_o")[0]))):
        same(run, ports, graph, graph.both(when, go), f"sequencer_{name}", simulated.wire(name), built.wire(name))
    after = netlist.Instance(graph, nets[0], state=simulated.next, inputs=times)  # what is due then; its inputs don't matter
    for name, holds in decided(graph, after, built.next, following).items():
        run.claim("ahead", f"sequencer_{name}", ports, graph, known, holds, twice=ports > 2)


def decided(graph: aig.Graph, edge: netlist.Instance, state: dict[str, list[int]], now: list[int]) -> dict[str, int]:
    """What the registers of Warp = 0 say in a cycle: the present entry while the sequencer runs; whether it is due, and late."""
    due_at, running = edge.wire("due_at"), edge.wire("running_q")[0]
    early, late = graph.less(now, due_at), graph.less(due_at, now)
    known = {"due_is_known": graph.differ(state["g_before.due_q"][0], graph.both(running, early ^ 1)) ^ 1,
             "late_is_known": graph.differ(state["g_before.late_q"][0], graph.both(running, late)) ^ 1,
             "entry_is_known": graph.either(running ^ 1, graph.equal(state["g_before.due_at_q"], due_at))}
    at = edge.wire("at")
    for name in ("launch", "valid", "input"):
        rows = [graph.either(graph.equal(at, constant(k, len(at))) ^ 1, graph.equal(state[f"g_before.{name}_q"], edge.state[f"{name}_mem[{k}]"]))
                for k in range(1 << len(at))]
        known[f"{name}_is_known"] = graph.either(running ^ 1, graph.all(rows))
    return known
