# The theorems on the core: the horizon is below everything that runs, steps compose, a step of 0 changes nothing.
# SPDX-License-Identifier: Apache-2.0
"""L1: a step below the horizon ends before every timer, burst, due entry and timed commit. C: where a step k ends before all of
them, the edges k and 1 together do what the edge k + 1 does, whatever is written at the end. States are any that the modules'
own checks (prove.py) leave possible."""
import functools

import aig
import beside
import lemmas
import netlist
import structs
import yosys
from lemmas import constant, element

GAP, SEND = 1, 2                       # of an engine
TUNING, LOCKING, UP, HELD, FAILED = 1, 2, 3, 4, 5
LIGHT = 2                              # cause of FAILED
WRITES = [*(structs.at("cmd", field, "i") for field, _, _ in structs.structs()["cmd"]), "access_error_i"]
OUTSIDE = ("ocs_axil", "ocs_access", "ocs_settings", "ocs_pair", "ocs_reg_read", "ocs_front", "ocs_registers", "ocs_top", "generated/ocs_regs")


def core_files(checks: bool) -> list[str]:
    files = [name for name in yosys.sources() if not any(word in name for word in OUTSIDE)]
    if checks:
        names = (yosys.ROOT / "rtl/checks/ocs_checks.f").read_text().splitlines()
        files += [f"/src/rtl/checks/{name}" for name in names if name.endswith(".sv") and "registers" not in name]
    return files


def core(run, ports: int, checks: bool = False, only: list[str] | None = None) -> netlist.Netlist:
    return netlist.load("ocs_core", core_files(checks), {"N": ports, "S": 2, "FifoDepth": 2},
                        run.out / f"core_{ports}{'_checks' if checks else ''}{'_part' if only else ''}", mounts=run.mounts(),
                        only=only, also=None if checks or only else all_stop, seconds=900)


def all_stop(module: dict) -> dict[str, str]:
    """Names what the all-stop filter looks at, u_outputs.moves, a bit for each output that is TUNING or LOCKING before it, and what
    it finds, u_outputs.stop_d. Cuts nothing out."""
    driver = {bit: cell for cell in module["cells"].values() for port, bits in cell["connections"].items()
              if cell["port_directions"][port] == "output" for bit in bits}
    names = {name: wire["bits"] for name, wire in module["netnames"].items()}

    def operands(bit, kind: str) -> list:
        cell = driver[bit]
        if cell["type"] != kind:
            raise yosys.ToolError(f"ocs_core: all-stop has a {cell['type']}, not a {kind}")
        return [cell["connections"][port][cell["connections"]["Y"].index(bit)] for port in "AB"]

    stop, reset = names["u_outputs.stop_q"][0], names["rst_ni"][0]
    kept = next(bit for bit in operands(driver[stop]["connections"]["D"][0], "$and") if bit != reset)
    after = next(bit for bit in operands(kept, "$mux") if bit != stop)
    ports, rest, moves = len(names["valid"]), operands(after, "$and")[1], []
    for _ in range(ports - 1):
        rest, last = operands(rest, "$or")
        moves.insert(0, last)
    for name, bits in (("moves", [rest, *moves]), ("stop_d", [after])):
        module["netnames"][f"u_outputs.{name}"] = {"hide_name": 0, "bits": bits, "attributes": {}}
    return {}


def is_one_of(g: aig.Graph, word: list[int], values: list[int]) -> int:
    return g.any([g.equal(word, constant(value, len(word))) for value in values])


def is_a_port(g: aig.Graph, word: list[int], ports: int) -> int:
    """A selection names an input that there is (own_selection_in_range)."""
    return g.less(word, constant(ports, len(word) + 1))


def output_is_sane(g: aig.Graph, s: dict[str, list[int]], o: int, ports: int) -> int:
    """What the outputs' own checks say of one output's state."""
    state, timer = element(s["u_outputs.state_q"], o, ports), element(s["u_outputs.timer_q"], o, ports)
    cause, runs = element(s["u_outputs.cause_q"], o, ports), g.any(timer)
    return g.all([g.either(is_one_of(g, state, [TUNING, LOCKING]) ^ 1, runs), g.either(is_one_of(g, state, [TUNING, LOCKING, UP]), runs ^ 1),
                  g.less(constant(FAILED, 3), state) ^ 1, g.differ(g.any(state), s["u_outputs.valid_q"][o]) ^ 1,
                  g.differ(g.any(cause), is_one_of(g, state, [FAILED])) ^ 1])


def detector_is_sane(g: aig.Graph, s: dict[str, list[int]], o: int, ports: int) -> int:
    """It counts where what is dim isn't a loss of light, or the contrary; without a circuit it stands still; a ring has a stretch."""
    name = "u_outputs.g_power.u_detector"
    state, cause = (element(s[f"u_outputs.{part}_q"], o, ports) for part in ("state", "cause"))
    count, ring, rings = (g.any(element(s[f"{name}.{part}_q"], o, ports)) for part in ("count", "ring", "rings"))
    dim, ringing, lost = s[f"{name}.dim_q"][o], s[f"{name}.ringing_q"][o], g.equal(cause, constant(LIGHT, 2))
    works = g.either(lost, is_one_of(g, state, [LOCKING, UP, HELD]))
    counts = g.differ(g.differ(dim, lost), count) ^ 1
    return g.all([g.either(works ^ 1, counts), g.either(works, g.any([dim, count, ring]) ^ 1), g.differ(ring, rings) ^ 1, g.either(ringing ^ 1, ring)])


def stop_is_sane_of(g: aig.Graph, s: dict[str, list[int]], o: int, ports: int) -> int:
    """No output is UP under all-stop, nor HELD without it."""
    stop, state = s["u_outputs.stop_q"][0], element(s["u_outputs.state_q"], o, ports)
    return g.both(g.both(stop, is_one_of(g, state, [UP])) ^ 1, g.both(stop ^ 1, is_one_of(g, state, [HELD])) ^ 1)


def stop_is_sane(g: aig.Graph, s: dict[str, list[int]], ports: int) -> int:
    """All-stop waits for an output that moves."""
    stop, states = s["u_outputs.stop_q"][0], [element(s["u_outputs.state_q"], o, ports) for o in range(ports)]
    holds = [g.either(stop ^ 1, g.any([is_one_of(g, state, [TUNING, LOCKING]) for state in states]))]
    return g.all(holds + [stop_is_sane_of(g, s, o, ports) for o in range(ports)])


def engine_is_sane(g: aig.Graph, s: dict[str, list[int]], i: int, ports: int) -> int:
    state, acc, left, length, wait = (element(s[f"u_engines.{name}_q"], i, ports) for name in ("state", "acc", "left", "len", "wait"))
    return g.all([g.less(acc, constant(lemmas.D, 16)), g.less(constant(SEND, 2), state) ^ 1,
                  g.either(g.any(state) ^ 1, g.both(g.any(left), g.any(length))), g.either(is_one_of(g, state, [GAP]) ^ 1, g.any(wait))])


def sequencer_is_sane(g: aig.Graph, s: dict[str, list[int]]) -> int:
    return g.either(s["u_sequencer.running_q"][0] ^ 1, g.less(s["u_sequencer.index_q"] + [0], s["u_sequencer.len_q"]))


def sane(instance: netlist.Instance, ports: int) -> int:
    """What the modules' own checks say of the state; time stays below 2^63."""
    g, s = instance.graph, instance.state
    return g.all([s["time_q"][63] ^ 1, stop_is_sane(g, s, ports), sequencer_is_sane(g, s)]
                 + [check(g, s, p, ports) for check in (output_is_sane, detector_is_sane) for p in range(ports)] + [engine_is_sane(g, s, p, ports) for p in range(ports)])


def sane_state(g: aig.Graph, top: str, state: dict[str, list[int]], ports: int):
    """(name, condition) of what sane() takes of a module's state: the module's own checks imply it."""
    s = {f"{top.replace('ocs_', 'u_')}.{name}": bits for name, bits in state.items()}
    if top == "ocs_outputs":
        yield "stop_is_sane", stop_is_sane(g, s, ports)
    if top == "ocs_sequencer":
        yield "sequencer_is_sane", sequencer_is_sane(g, s)
    for name, port_is_sane in (("ocs_outputs", output_is_sane), ("ocs_outputs", detector_is_sane), ("ocs_engines", engine_is_sane)):
        if top == name:
            yield from ((f"{port_is_sane.__name__}_{p}", port_is_sane(g, s, p, ports)) for p in range(ports))


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
        run.claim("step_0", name, ports, graph, aig.TRUE, graph.equal(bits, edge.state[name]), twice=True)


def assembled(run, ports: int) -> None:
    """In the core every module's users keep what the module expects of them, and the core's own checks hold."""
    net, graph = core(run, ports, checks=True), aig.Graph()
    first = netlist.Instance(graph, net)
    second = netlist.Instance(graph, net, state=first.next)

    def past(edge: netlist.Instance) -> int:
        newest, now = edge.state["u_events.u_checks.newest_q"], edge.state["time_q"]
        return graph.both(now[63] ^ 1, graph.less(now, newest) ^ 1)

    def known(edge: netlist.Instance) -> list[int]:
        engines = lemmas.engines(edge, "u_engines.", ports, edge.wire("step"))
        lemmas.check_operands(run, "core", ports, engines)
        return [engine.known() for engine in engines]

    checks = [check for check in net.checks if check[0] == "assert"]
    assumed = [first.check(c, e) for _, _, c, e in checks] + known(first) + known(second)
    assumed += [sane(first, ports), past(first), second.state["time_q"][63] ^ 1]
    everything = graph.all(assumed)
    run.possible("core", "assumptions", ports, graph, graph.both(everything, second.wire("rst_ni")[0]))
    own = [name for _, name, _, _ in checks]
    claims = [("newest_stamp_is_past", past(second)), ("state_stays_sane", graph.either(second.state["time_q"][63], sane(second, ports)))]
    claims += [(name, second.check(condition, enable)) for _, name, condition, enable in sorted(checks)
               if name.startswith("use_") or own.count(name) == 1 and name in CORE_CHECKS]
    run.claim_all("core", ports, graph, everything, claims, seconds=120)
    seen = {label.split(".")[1] for label in beside.labels("see") if label.startswith("core.")}
    run.possible_all("core", ports, graph, everything, [(name, happens) for name, happens in second.covers() if name in seen])


CORE_CHECKS = {"own_one_request_an_edge", "own_request_is_taken_or_refused", "own_sequencer_goes_first", "own_taken_map_is_legal",
               "own_refused_has_one_cause", "own_refused_changes_nothing", "own_late_is_of_a_request", "own_commit_waits_until_done", "own_cancel_takes_back",
               "own_commit_write_is_pending", "own_time_adds_the_step", "own_pending_acts_at_once", "own_bus_edge_keeps_the_fabric",
               "own_step_beyond_is_no_step", "own_horizon_is_the_smallest_bound", "own_errors_stick", "own_irq_is_an_enabled_source"}


def large() -> list[tuple]:
    """What --large proves and nothing else does."""
    import composition
    import fast
    import refinement
    step_1 = [(name, ports, lambda run, k=k, ports=ports, task=task: task(run, ports, k))
              for name, ports, task in (("refine_step_1", 3, refinement.step_1), ("refine_step_1", 4, refinement.step_1),
                                        ("refine_chunks_1", 3, refinement.chunks_1))
              for k in range(refinement.STEP_1_SHARES)]
    return [*step_1, ("composition", 8, lambda run: composition.composition(run, 8)), ("fast_horizon", 4, lambda run: fast.horizon(run, 4)),
            ("fast_composition", 4, lambda run: fast.composition(run, 4))]


def tasks(everything: bool, only: int | None) -> list[tuple]:
    """(name, ports, function); prove.py runs them. `only`: with so many ports instead of the usual numbers."""
    import bus  # these use this module
    import composition
    import edges
    import fast
    import horizon
    import refinement
    import skewed
    todo = []
    for name, task, usual, more in (("horizon", horizon.horizon, [4], [3, 5, 16, 64]), ("skewed", skewed.skewed, [2], [3, 4]),
                                    ("step_0", step_zero, [2], [3, 4, 5]),
                                    ("reset", edges.reset, [2], [3, 4, 5]), ("shadow", edges.shadow, [2], [3, 4, 5]),
                                    ("composition", composition.composition, [], [4]), ("core", assembled, [2], [3, 5]),
                                    ("fast_horizon", fast.horizon, [], [2]), ("fast_composition", fast.composition, [], [2]),
                                    ("fast_step_0", edges.fast_step_zero, [], [2]), ("fast_reset", edges.fast_reset, [], [2]),
                                    ("bus", bus.bus, [2], [3, 5]), ("refine_step_0", refinement.step_0, [2], [3, 4, 5]),
                                    ("refine_reset", refinement.reset, [2], [3, 4, 5]),
                                    ("refine_clocks", refinement.clocks, [], [2, 3]),
                                    *(("refine_step_1", functools.partial(refinement.step_1, share=k), [], [2]) for k in range(refinement.STEP_1_SHARES)),
                                    ("refine_chunks_0", refinement.chunks_0, [], [3]), ("refine_words", refinement.words, [], [2])):
        sizes = usual + more if everything else usual
        todo += [(name, ports, lambda run, task=task, ports=ports: task(run, ports)) for ports in (sizes[:1] and [only] if only else sizes)]
    return todo
