# The theorems on the core: the horizon is below everything that runs, steps compose, a step of 0 changes nothing.
# SPDX-License-Identifier: Apache-2.0
"""L1: a step below the horizon ends before every timer, burst, due entry and timed commit. C: where a step k ends before all of
them, the edges k and 1 together do what the edge k + 1 does, whatever is written at the end. States are any that the modules'
own checks (prove.py) leave possible."""
import json

import aig
import lemmas
import netlist
import yosys
from lemmas import constant, element

GAP, SEND = 1, 2                       # of an engine
TUNING, LOCKING, UP, HELD, FAILED = 1, 2, 3, 4, 5
WRITES = ["commit_we_i", "cancel_we_i", "commit_at_we_i", "seq_go_we_i", "seq_swap_we_i", "seq_stop_we_i", "seq_store_we_i", "seed_we_i",
          "start_we_i", "stop_we_i", "retry_we_i", "seg_clear_i", "error_clear_i", "access_error_i", "event_read_i"]
OUTSIDE = ("ocs_axil", "ocs_access", "ocs_settings", "ocs_pair", "ocs_reg_read", "ocs_registers", "ocs_top", "generated/ocs_regs")


def core_files(checks: bool) -> list[str]:
    files = [name for name in yosys.sources() if not any(word in name for word in OUTSIDE)]
    if checks:
        names = (yosys.ROOT / "rtl/checks/ocs_checks.f").read_text().splitlines()
        files += [f"/src/rtl/checks/{name}" for name in names if name.endswith(".sv") and "registers" not in name]
    return files


def core(run, ports: int, checks: bool = False, only: list[str] | None = None) -> netlist.Netlist:
    return netlist.load("ocs_core", core_files(checks), {"N": ports, "S": 2, "FifoDepth": 2},
                        run.out / f"core_{ports}{'_checks' if checks else ''}{'_part' if only else ''}", mounts=run.mounts(),
                        only=only, seconds=900)


def sane(instance: netlist.Instance, ports: int) -> int:
    """What the modules' own checks say of the state; time stays below 2^63."""
    g, s = instance.graph, instance.state
    holds = [s["time_q"][63] ^ 1]

    def is_one_of(word: list[int], values: list[int]) -> int:
        return g.any([g.equal(word, constant(value, len(word))) for value in values])

    for o in range(ports):
        state, timer = element(s["u_outputs.state_q"], o, ports), element(s["u_outputs.timer_q"], o, ports)
        runs = g.any(timer)
        holds.append(g.either(is_one_of(state, [TUNING, LOCKING]) ^ 1, runs))
        holds.append(g.either(is_one_of(state, [TUNING, LOCKING, UP]), runs ^ 1))
        holds.append(g.less(constant(FAILED, 3), state) ^ 1)
    stop = s["u_outputs.stop_q"][0]
    states = [element(s["u_outputs.state_q"], o, ports) for o in range(ports)]
    holds.append(g.either(stop ^ 1, g.any([is_one_of(state, [TUNING, LOCKING]) for state in states])))
    for o, state in enumerate(states):
        cause = element(s["u_outputs.cause_q"], o, ports)
        holds += [g.both(stop, is_one_of(state, [UP])) ^ 1, g.both(stop ^ 1, is_one_of(state, [HELD])) ^ 1,
                  g.differ(g.any(state), s["u_outputs.valid_q"][o]) ^ 1, g.differ(g.any(cause), is_one_of(state, [FAILED])) ^ 1]
    for i in range(ports):
        state, acc = element(s["u_engines.state_q"], i, ports), element(s["u_engines.acc_q"], i, ports)
        left, length = element(s["u_engines.left_q"], i, ports), element(s["u_engines.len_q"], i, ports)
        wait = element(s["u_engines.wait_q"], i, ports)
        running = g.any(state)
        holds += [g.less(acc, constant(lemmas.D, 16)), g.less(constant(SEND, 2), state) ^ 1, g.either(running ^ 1, g.both(g.any(left), g.any(length))),
                  g.either(is_one_of(state, [GAP]) ^ 1, g.any(wait))]
    holds.append(g.either(s["u_sequencer.running_q"][0] ^ 1, g.less(s["u_sequencer.index_q"] + [0], s["u_sequencer.len_q"])))
    return g.all(holds)


def settings(graph: aig.Graph, net: netlist.Netlist) -> dict[str, list[int]]:
    """Free inputs but those that belong to one edge."""
    return {name: graph.inputs(len(bits)) for name, bits in net.inputs.items()
            if name not in ("step_i", "rst_ni", "clk_i") and not name.startswith("cut")}


def idle(net: netlist.Netlist) -> dict[str, list[int]]:
    return {name: [aig.FALSE] * len(net.inputs[name]) for name in WRITES} | {"rst_ni": [aig.TRUE]}


def step_zero(run, ports: int) -> None:
    """An edge of step 0 on which nothing is written leaves the state as it is."""
    net, graph = core(run, ports), aig.Graph()
    edge = netlist.Instance(graph, net, inputs=idle(net) | {"step_i": constant(0, 32)})
    for name, bits in edge.next.items():
        run.claim("step_0", name, ports, graph, aig.TRUE, graph.equal(bits, edge.state[name]))


def composition(run, ports: int) -> None:
    """C, register by register, under the bounds of L1."""
    net, graph = core(run, ports), aig.Graph()
    free = settings(graph, net)
    pair = graph.inputs(len(net.inputs["pair_i"]))
    k = graph.inputs(32)
    longer = graph.add(k, constant(1, 32))

    def forced(step: list[int]) -> dict[str, list[int]]:
        """What the core makes of a step within its horizon."""
        return {"step_error": [aig.FALSE], "step": step}

    first = netlist.Instance(graph, net, inputs=free | idle(net) | {"step_i": k, "pair_i": pair}, force=forced(k))
    shared: dict[int, int] = {}  # bits that are proved to be the same in both ways, and now free
    added: dict[int, int] = {}   # bits of the one long edge that are proved to be sums over the two edges

    def last_edges() -> tuple[netlist.Instance, netlist.Instance]:
        one, way = constant(1, 32), {"rst_ni": [aig.TRUE]}
        return (netlist.Instance(graph, net, state=first.next, inputs=free | way | {"step_i": one} | cuts[0], force=forced(one), bits=shared),
                netlist.Instance(graph, net, state=first.state, inputs=free | way | {"step_i": longer} | cuts[1], force=forced(longer), bits=shared | added))

    cuts = [{f"{cut}_Y": graph.inputs(len(bits[3])) for cut, bits in net.cuts.items()} for _ in range(2)]
    second, whole = last_edges()
    bounds = first.wire("bound")
    assumed = [sane(first, ports), graph.any(k), graph.any([x ^ 1 for x in k])]
    assumed += [graph.less(k, bounds[32 * j:32 * j + 32]) for j in range(len(bounds) // 32)]
    edges = [lemmas.engines(edge, "u_engines.", ports, edge.wire("step")) for edge in (first, second, whole)]
    for a, b, c in zip(*edges):
        assumed += [a.known(), b.known(), c.known(), graph.equal(a.whole, c.whole)]
        slow = graph.both(a.open, a.below_full())
        # "quotients add up": of acc + k·q, then of its rest + q, against acc + (k + 1)·q.
        together = graph.both(graph.equal(graph.add(a.quotient[:32], b.quotient[:32]), c.quotient[:32]), graph.equal(b.rest()[:16], c.rest()[:16]))
        assumed.append(graph.either(slow ^ 1, together))
    everything = graph.all(assumed)
    run.possible("composition", "assumptions", ports, graph, everything)
    run.claim("composition", "horizon_stays_above_0", ports, graph, everything,
              graph.all([graph.any(second.wire("bound")[32 * j:32 * j + 32]) for j in range(len(bounds) // 32)]))
    made = {gate[0] for gate in net.gates}
    for level in LEVELS:
        for name in level:
            run.claim("composition", name, ports, graph, everything, graph.equal(second.wire(name), whole.wire(name)), seconds=240)
        shared |= {bit: graph.input() for name in level for bit in net.wires[name] if bit in made and bit not in shared}
        second, whole = last_edges()
    carries = []
    for name in ("burst_words", "words"):
        for i in range(ports):
            total = graph.add(element(first.wire(name), i, ports) + [0], element(second.wire(name), i, ports))
            run.claim("composition", f"{name}_{i}", ports, graph, everything, graph.equal(total, element(whole.wire(name), i, ports) + [0]), seconds=240)
            carries.append(total[32] ^ 1)
            added |= {bit: x for bit, x in zip(element(net.wires[name], i, ports), total) if bit in made}
    everything = graph.all([everything, *carries])
    second, whole = last_edges()
    for name in net.state:
        count = ports if len(net.state[name]) == 64 * ports else 1
        for k in range(count):
            run.claim("composition", name if count == 1 else f"{name}_{k}", ports, graph, everything,
                      graph.equal(element(second.next[name], k, count), element(whole.next[name], k, count)), seconds=240)


# What modules tell each other at the last edge, from the sequencer to the outputs and engines.
LEVELS = [["last", "seq_due", "seq_late", "row_valid", "row_input", "launch", "wrap"],
          ["taken", "refused", "late", "range", "conflict", "source", "sw_done", "timed_done", "map_valid", "map_input"],
          ["started", "restarted", "valid_next_o", "input_next_o"], ["state_next", "entered"], ["done", "ending"]]


def horizon(run, ports: int) -> None:
    """L1: the tree gives the least of its leaves, and a step below a leaf ends before what that leaf bounds."""
    net, graph = core(run, ports, only=["horizon_o", "bound", "u_engines.open"]), aig.Graph()
    edge = netlist.Instance(graph, net)
    leaves = edge.wire("bound")
    count = len(leaves) // 32
    k = graph.inputs(32)
    # The tree, link by link: its nodes are free here, what is proved of one link is assumed for the path from the root to a leaf.
    nodes = edge.wire("u_horizon.node")
    width = len(nodes) // 64
    node = [element(nodes, j, 2 * width) for j in range(2 * width)]
    run.claim("horizon", "links_of_the_tree", ports, graph, aig.TRUE, graph.all(
        [graph.less(node[child], node[child // 2]) ^ 1 for child in range(2, 2 * width)]), seconds=300)
    run.claim("horizon", "leaves_of_the_tree", ports, graph, aig.TRUE, graph.all(
        [graph.equal(node[width + j], element(leaves, j, count)) for j in range(count)] + [graph.equal(node[1], edge.wire("horizon_o"))]))
    depth = width.bit_length() - 1
    path = [graph.inputs(32) for _ in range(depth + 1)]
    run.claim("horizon", "below_the_root_is_below_every_leaf", ports, graph,
              graph.all([graph.less(b, a) ^ 1 for a, b in zip(path, path[1:])] + [graph.less(k, path[0])]), graph.less(k, path[-1]))
    assumed = sane(edge, ports) if "u_engines.len_q" in net.state else aig.TRUE
    wire = edge.wire
    last = graph.subtract(graph.add(wire("time_q"), k), constant(1, 64))
    early = graph.both(graph.any(k), wire("time_q")[63] ^ 1)

    def below(leaf: int) -> int:
        return graph.all([early, graph.less(k, element(leaves, leaf, count)), assumed])

    for o in range(ports):
        timer, state = element(wire("u_outputs.timer_q"), o, ports), element(wire("u_outputs.state_q"), o, ports)
        held = graph.either(graph.any(timer) ^ 1, graph.less(k, timer))
        run.claim("horizon", f"output_{o}", ports, graph, below(2 * o), graph.both(held, light_stays(edge, o, ports, state)))
    for i, engine in enumerate(lemmas.engines(edge, "u_engines.", ports, k)):
        gap = graph.equal(engine.state, constant(GAP, 2))
        full = graph.less(engine.rate, constant(lemmas.D, 16)) ^ 1
        run.claim("horizon", f"engine_{i}", ports, graph, graph.both(below(2 * i + 1), engine.external ^ 1), graph.both(
            graph.either(gap ^ 1, graph.less(k, engine.wait)), graph.either(graph.both(engine.open, full) ^ 1, graph.less(k, engine.left))))
        run.claim("horizon", f"external_{i}", ports, graph, below(2 * i + 1), engine.external ^ 1)
        run.claim("horizon", f"rate_{i}", ports, graph, aig.TRUE, engine.rate_bound())
    pending = [name for name in ("sw_q", "seq_go_q", "seq_swap_q", "seq_stop_q", "start_q", "stop_q", "retry_q")]
    run.claim("horizon", "pending", ports, graph, below(2 * ports), graph.any([x for name in pending for x in wire(f"u_commands.{name}")]) ^ 1)
    run.claim("horizon", "timed_commit", ports, graph, below(2 * ports + 1), graph.either(
        wire("u_commands.armed_q")[0] ^ 1, graph.less(last, wire("u_commands.at_q"))))
    run.claim("horizon", "sequencer", ports, graph, below(2 * ports + 2), graph.either(
        wire("u_sequencer.running_q")[0] ^ 1, graph.less(last, wire("u_sequencer.due_at"))))


def light_stays(edge: netlist.Instance, output: int, ports: int, state: list[int]) -> int:
    """Neither is light lost where it is needed nor is it back where a circuit failed for want of it."""
    graph, wire = edge.graph, edge.wire
    selected = element(wire("u_outputs.input_q"), output, ports)
    faults = [graph.either(los, dead) for los, dead in zip(wire("los_i"), wire("dead_i"))]
    dark = graph.either(wire("dead_i")[output], graph.any(
        [graph.both(fault, graph.equal(selected, constant(i, len(selected)))) for i, fault in enumerate(faults)]))
    needs = graph.any([graph.equal(state, constant(value, 3)) for value in (LOCKING, UP, HELD)])
    failed = graph.both(graph.equal(state, constant(FAILED, 3)), graph.equal(element(wire("u_outputs.cause_q"), output, ports), constant(2, 2)))
    return graph.both(graph.both(dark, needs) ^ 1, graph.both(dark ^ 1, failed) ^ 1)


def narrow(run, ports: int) -> None:
    """Engines without products and quotients (Warp = 0) do the same at steps of 1."""
    files = ["/src/rtl/ocs_pkg.sv", "/src/rtl/ocs_engines.sv"]
    nets = [netlist.load("ocs_engines", files, {"N": ports, "Warp": warp}, run.out / f"narrow_{warp}", mounts=run.mounts()) for warp in (1, 0)]
    graph = aig.Graph()
    inputs = settings(graph, nets[0]) | {"step_i": constant(1, 32), "rst_ni": [aig.TRUE]}
    wide = netlist.Instance(graph, nets[0], inputs=inputs)
    slim = netlist.Instance(graph, nets[1], state=wide.state, inputs=inputs)
    assumed = []
    for engine in lemmas.engines(wide, "", ports, constant(1, 32)):
        product = engine.rate + [aig.FALSE] * (len(engine.product) - 16)
        assumed += [engine.known(), graph.less(engine.acc, constant(lemmas.D, 16)),
                    graph.either(engine.below_full() ^ 1, graph.equal(engine.product, product))]
        for value in (0, 1):  # a quotient of 0 or 1 times 40000
            back = graph.equal(engine.back, constant(value * lemmas.D, len(engine.back)))
            assumed.append(graph.either(graph.equal(engine.quotient, constant(value, len(engine.quotient))) ^ 1, back))
    everything = graph.all(assumed)
    run.possible("narrow", "assumptions", ports, graph, everything)
    for name in wide.next:
        run.claim("narrow", name, ports, graph, everything, graph.equal(wide.next[name], slim.next[name]))
    for name in ("words_o", "burst_words_o", "done_o", "ending_o"):
        run.claim("narrow", name, ports, graph, everything, graph.equal(wide.wire(name), slim.wire(name)))


def assembled(run, ports: int) -> None:
    """In the core every module's users keep what the module expects of them, and the core's own checks hold."""
    net, graph = core(run, ports, checks=True), aig.Graph()
    first = netlist.Instance(graph, net)
    second = netlist.Instance(graph, net, state=first.next)

    def past(edge: netlist.Instance) -> int:
        newest, now = edge.state["u_events.u_checks.newest_q"], edge.state["time_q"]
        return graph.both(now[63] ^ 1, graph.less(now, newest) ^ 1)

    def known(edge: netlist.Instance) -> list[int]:
        return [engine.known() for engine in lemmas.engines(edge, "u_engines.", ports, edge.wire("step"))]

    checks = [check for check in net.checks if check[0] == "assert"]
    assumed = [first.check(c, e) for _, _, c, e in checks] + known(first) + known(second)
    assumed += [sane(first, ports), past(first), second.state["time_q"][63] ^ 1]
    everything = graph.all(assumed)
    run.possible("core", "assumptions", ports, graph, graph.both(everything, second.wire("rst_ni")[0]))
    run.claim("core", "newest_stamp_is_past", ports, graph, everything, past(second))
    own = [name for _, name, _, _ in checks]
    for _, name, condition, enable in sorted(checks):
        if name.startswith("use_") or own.count(name) == 1 and name in CORE_CHECKS:
            run.claim("core", name, ports, graph, everything, second.check(condition, enable), seconds=120)


CORE_CHECKS = {"own_one_request_an_edge", "own_request_is_taken_or_refused", "own_sequencer_goes_first", "own_taken_map_is_legal",
               "own_refused_has_one_cause", "own_late_is_of_a_request", "own_commit_waits_until_done", "own_cancel_takes_back",
               "own_commit_write_is_pending", "own_time_adds_the_step", "own_pending_acts_at_once", "own_bus_edge_keeps_the_fabric",
               "own_step_beyond_is_no_step", "own_errors_stick", "own_irq_is_an_enabled_source"}


def tasks(everything: bool) -> list[tuple]:
    """(name, function); prove.py runs them."""
    todo = []
    for name, task, sizes in (("horizon", horizon, [4]), ("narrow", narrow, [2]), ("step_0", step_zero, [4] if everything else [2]),
                              ("composition", composition, [2] if everything else []), ("core", assembled, [2])):
        todo += [(name, lambda run, task=task, ports=ports: task(run, ports)) for ports in sizes]
    return todo
