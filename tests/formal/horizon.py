# L1: a step below the horizon ends before every timer, burst, due entry and timed commit. Module by module, so for many ports.
# SPDX-License-Identifier: Apache-2.0
"""Composed of: every leaf ends before what it bounds (each module alone, in any state in which outputs select inputs that there are and
time < 2^63); the tree's root is at or below every leaf (link by link, then along a path of links), and is one of them, since each node is one
of its two children; and the core joins just these leaves to
just this tree, all with the same settings and time (read off its netlist, its modules left as boxes)."""
import json

import aig
import lemmas
import netlist
import solve
import structs
import theorems
import yosys
from lemmas import constant, element

GAP = 1                                # of an engine
LOCKING, UP, HELD, FAILED = 2, 3, 4, 5
LIGHT = 2                              # cause of FAILED
PARTS = ["ocs_min_tree", "ocs_next", "ocs_receivers", "ocs_positions", "ocs_power", "ocs_detector", "ocs_outputs", "ocs_neighbours", "ocs_engines", "ocs_commands", "ocs_sequencer", "ocs_commit", "ocs_map", "ocs_segments", "ocs_counters",
         "ocs_events", "ocs_status"]


# With more ports than this Yosys has no memory for the stamps of receivers, one of 64 bits for each pair.
MOST_WITH_RECEIVERS = 16


def part(run, top: str, parameters: dict[str, int], wires: list[str], beside: netlist.Instance | None = None) -> netlist.Instance:
    """A module in any state, with any inputs; nothing is kept of it but these wires. With `beside`, in the state of that one."""
    files = [f"/src/rtl/{name}.sv" for name in ("ocs_pkg", *netlist.PARTS_OF.get(top, ()), top)]
    named = "".join(f"_{name}{value}" for name, value in parameters.items())
    net = netlist.load(top, files, parameters, run.out / f"{top}{named}_part", mounts=run.mounts(), only=wires, seconds=1200)
    if beside is None:
        return netlist.Instance(aig.Graph(), net)
    return netlist.Instance(beside.graph, net, state=beside.state, inputs=beside.inputs)


def horizon(run, ports: int) -> None:
    tree(run, ports)
    outputs(run, ports)
    engines(run, ports)
    neighbours(run, ports)
    requests(run, ports)
    joined(run, ports)


def claim(run, name: str, ports: int, graph: aig.Graph, assumed: int, claimed: int) -> None:
    run.claim("horizon", name, ports, graph, assumed, claimed, twice=True)


def tree(run, ports: int) -> None:
    leaves = 3 * ports + 3
    whole = part(run, "ocs_min_tree", {"Leaves": leaves}, ["min_o", "node"])
    graph, bits = whole.graph, [element(whole.net.wires["node"], j, 2 * leaves) for j in range(2 * leaves)]
    # Each node is free where it is compared: what makes it so small is proved of its own link.
    free = {bit: graph.input() for word in bits[2:leaves] for bit in word if isinstance(bit, int)}
    edge = netlist.Instance(graph, whole.net, inputs=whole.inputs, bits=free)
    node = edge.wire("node")
    for child in range(2, 2 * leaves):
        parent = [edge.driven.get(bit, x) for bit, x in zip(bits[child // 2], element(node, child // 2, 2 * leaves))]
        claim(run, f"link_{child}", ports, graph, aig.TRUE, graph.less(element(node, child, 2 * leaves), parent) ^ 1)
        if child % 2 == 0:
            both = [element(node, child + j, 2 * leaves) for j in (0, 1)]
            claim(run, f"choice_{child // 2}", ports, graph, aig.TRUE, graph.any([graph.equal(parent, one) for one in both]))
    claim(run, "root_and_leaves", ports, graph, aig.TRUE, graph.all(
        [graph.equal(element(node, leaves + j, 2 * leaves), element(edge.wire("leaf_i"), j, leaves)) for j in range(leaves)]
        + [graph.equal(element(node, 1, 2 * leaves), edge.wire("min_o"))]))
    path, k = [graph.inputs(32) for _ in range((2 * leaves - 1).bit_length())], graph.inputs(32)
    down = graph.all([graph.less(b, a) ^ 1 for a, b in zip(path, path[1:])] + [graph.less(k, path[0])])
    run.possible("horizon", "see_path", ports, graph, down)
    claim(run, "below_the_root_is_below_every_leaf", ports, graph, down, graph.less(k, path[-1]))


def outputs(run, ports: int) -> None:
    """Receivers reach no bound: with few ports both are compared, so that with many they can be left out."""
    edge = part(run, "ocs_outputs", {"N": ports, "Receivers": 0}, ["bound_o"])
    graph, k = edge.graph, edge.graph.inputs(32)
    selections = [element(edge.wire("input_q"), o, ports) for o in range(ports)]
    selected = graph.all([theorems.is_a_port(graph, one, ports) for one in selections])
    if ports <= MOST_WITH_RECEIVERS:
        whole = part(run, "ocs_outputs", {"N": ports}, ["bound_o"], edge)
        claim(run, "bounds_with_receivers", ports, graph, selected, graph.equal(edge.wire("bound_o"), whole.wire("bound_o")))
    for o in range(ports):
        timer, state = element(edge.wire("timer_q"), o, ports), element(edge.wire("state_q"), o, ports)
        below = graph.all([selected, graph.any(k), graph.less(k, element(edge.wire("bound_o"), o, ports))])
        run.possible("horizon", f"see_output_{o}", ports, graph, graph.both(below, graph.any(timer)))
        claim(run, f"output_{o}_timer", ports, graph, below, graph.either(graph.any(timer) ^ 1, graph.less(k, timer)))
        claim(run, f"output_{o}_light", ports, graph, below, light_stays(edge, o, ports, state))
        count, ring = (element(edge.wire(f"g_power.u_detector.{name}_q"), o, ports) for name in ("count", "ring"))
        run.possible("horizon", f"see_detector_{o}", ports, graph, graph.both(below, graph.both(graph.any(count), graph.any(ring))))
        for name, left in (("count", count), ("ring", ring)):
            claim(run, f"output_{o}_{name}", ports, graph, below, graph.either(graph.any(left) ^ 1, graph.less(k, left + [aig.FALSE] * 2)))
        on, works, missing, dim = (edge.wire(name) for name in (structs.at("modes", "light", "i"), "g_power.u_detector.works", "g_power.u_detector.missing", "g_power.u_detector.dim_q"))
        claim(run, f"output_{o}_dim_stays", ports, graph, below, graph.either(works[o] ^ 1, graph.differ(missing[o], dim[o]) ^ 1))
        runs = graph.either(graph.any(count), graph.any(ring))
        claim(run, f"output_{o}_detector_is_on", ports, graph, below, graph.either(on[0], runs ^ 1))


def light_stays(edge: netlist.Instance, output: int, ports: int, state: list[int]) -> int:
    """With LEVEL.ON = 0 neither is light lost where it is needed nor is it back where a circuit failed for want of it."""
    graph, wire = edge.graph, edge.wire
    selected = element(wire("input_q"), output, ports)
    los, dead = ([element(wire(structs.setting(name, "i")), i, ports)[0] for i in range(ports)] for name in ("los", "dead"))
    faults = [graph.either(one, other) for one, other in zip(los, dead)]
    dark = graph.either(dead[output], graph.any(
        [graph.both(fault, graph.equal(selected, constant(i, len(selected)))) for i, fault in enumerate(faults)]))
    needs = graph.any([graph.equal(state, constant(value, 3)) for value in (LOCKING, UP, HELD)])
    failed = graph.both(graph.equal(state, constant(FAILED, 3)), graph.equal(element(wire("cause_q"), output, ports), constant(LIGHT, 2)))
    on = wire(structs.at("modes", "light", "i"))[0]
    return graph.either(on, graph.both(graph.both(dark, needs) ^ 1, graph.both(dark ^ 1, failed) ^ 1))


def engines(run, ports: int) -> None:
    edge = part(run, "ocs_engines", {"N": ports}, ["bound_o", "open"])
    graph, k = edge.graph, edge.graph.inputs(32)
    everyone = lemmas.engines(edge, "", ports, k)
    for i, engine in enumerate(everyone):
        whole = engine.operands == {"whole": True}
        run.note("horizon", f"operands_{i}", ports, solve.Answer(whole, "wires of the netlist", 0.0))
    for i, engine in enumerate(everyone):
        below = graph.both(graph.any(k), graph.less(k, engine.bound))
        gap = graph.equal(engine.state, constant(GAP, 2))
        full = graph.less(engine.rate, constant(lemmas.D, 16)) ^ 1
        sends = graph.both(engine.open, full)
        run.possible("horizon", f"see_engine_{i}", ports, graph, graph.both(below, sends))
        claim(run, f"engine_{i}", ports, graph, graph.both(below, engine.external ^ 1), graph.both(
            graph.either(gap ^ 1, graph.less(k, engine.wait)), graph.either(sends ^ 1, graph.less(k, engine.left))))
        claim(run, f"external_{i}", ports, graph, below, engine.external ^ 1)
        claim(run, f"rate_{i}", ports, graph, aig.TRUE, engine.rate_bound())


def neighbours(run, ports: int) -> None:
    edge = part(run, "ocs_neighbours", {"N": ports}, ["bound_o"])
    graph, k = edge.graph, edge.graph.inputs(32)
    for o in range(ports):
        left = element(edge.wire("left_q"), o, ports)
        below = graph.both(graph.any(k), graph.less(k, element(edge.wire("bound_o"), o, ports)))
        run.possible("horizon", f"see_disturbed_{o}", ports, graph, graph.both(below, graph.any(left)))
        claim(run, f"disturbed_{o}", ports, graph, below, graph.either(graph.any(left) ^ 1, graph.less(k, left + [aig.FALSE] * 2)))


def requests(run, ports: int) -> None:
    """Pending commands, the timed commit, the sequencer's next entry."""
    edge = part(run, "ocs_commands", {"N": ports}, ["pending_bound_o", "timed_bound_o"])
    graph, k = edge.graph, edge.graph.inputs(32)

    def ends_before(due: list[int], now: list[int]) -> int:
        return graph.less(graph.subtract(graph.add(now, k), constant(1, 64)), due)

    def below(edge, bound: str) -> int:
        return graph.both(graph.any(k), graph.less(k, edge.wire(bound)))

    names = ("sw_q", "seq_go_q", "seq_swap_q", "seq_stop_q", "start_q", "stop_q", "retry_q")
    claim(run, "pending", ports, graph, below(edge, "pending_bound_o"), graph.any([x for name in names for x in edge.wire(name)]) ^ 1)
    early = graph.both(below(edge, "timed_bound_o"), edge.wire("time_i")[63] ^ 1)
    run.possible("horizon", "see_timed", ports, graph, graph.both(early, edge.wire("armed_q")[0]))
    claim(run, "timed_commit", ports, graph, early, graph.either(edge.wire("armed_q")[0] ^ 1, ends_before(edge.wire("at_q"), edge.wire("time_i"))))
    edge = part(run, "ocs_sequencer", {"N": ports, "S": 2}, ["bound_o", "due_at"])
    graph, k = edge.graph, edge.graph.inputs(32)
    early = graph.both(below(edge, "bound_o"), edge.wire("time_i")[63] ^ 1)
    run.possible("horizon", "see_sequencer", ports, graph, graph.both(early, edge.wire("running_q")[0]))
    claim(run, "sequencer", ports, graph, early, graph.either(edge.wire("running_q")[0] ^ 1, ends_before(edge.wire("due_at"), edge.wire("time_i"))))


def joined(run, ports: int) -> None:
    """The core's own netlist: which wires its modules share."""
    start, out = solve.spent(), run.folder() / "boxes"
    files = ["/src/rtl/ocs_pkg.sv", "/src/rtl/regs/generated/ocs_addr_pkg.sv", *(f"/src/rtl/{name}.sv" for name in PARTS), "/src/rtl/ocs_core.sv"]
    read = yosys.read("ocs_core", files, {"N": ports, "S": 2, "FifoDepth": 2}) + "".join(f" --blackboxed-module {name}" for name in PARTS)
    yosys.yosys([read, "hierarchy -top ocs_core", "proc", "opt_clean", "write_json /out/boxes.json"], out, 300, run.mounts())
    module = json.loads((out / "boxes.json").read_text())["modules"]["ocs_core"]
    box = {name.removeprefix("g_neighbours."): cell["connections"] for name, cell in module["cells"].items() if name.startswith(("u_", "g_neighbours."))}
    port = {name: port["bits"] for name, port in module["ports"].items()}
    now = module["netnames"]["time_q"]["bits"]
    leaf = [element(box["u_horizon"]["leaf_i"], j, 3 * ports + 3) for j in range(3 * ports + 3)]
    holds = {
        "leaves_of_outputs": all(leaf[2 * p] == element(box["u_outputs"]["bound_o"], p, ports) for p in range(ports)),
        "leaves_of_engines": all(leaf[2 * p + 1] == element(box["u_engines"]["bound_o"], p, ports) for p in range(ports)),
        "leaves_of_requests": leaf[2 * ports:2 * ports + 3] == [box["u_commands"]["pending_bound_o"], box["u_commands"]["timed_bound_o"], box["u_sequencer"]["bound_o"]],
        "leaves_of_neighbours": all(leaf[2 * ports + 3 + p] == element(box["u_neighbours"]["bound_o"], p, ports) for p in range(ports)),
        "horizon_is_the_root": port["horizon_o"] == box["u_horizon"]["min_o"],
        "one_time": now == box["u_commands"]["time_i"] == box["u_sequencer"]["time_i"] == dict(structs.fields("device_view_o", port["device_view_o"]))["device_view_o.cycle"],
        "one_step": box["u_outputs"]["step_i"] == box["u_engines"]["step_i"] == box["u_counters"]["step_i"] == box["u_neighbours"]["step_i"],
        "same_settings": box["u_outputs"]["port_cfg_i"] == port["port_cfg_i"] and box["u_engines"]["burst_cfg_i"] == port["burst_cfg_i"],
    }
    for name, good in holds.items():
        run.note("horizon", name, ports, solve.Answer(good, "wires of the netlist", solve.spent() - start))
