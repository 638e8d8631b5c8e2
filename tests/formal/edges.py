# What an edge leaves: all of a reset, nothing of the shadow map unless it is committed, nothing of a step of 0 in the fast core.
# SPDX-License-Identifier: Apache-2.0
"""Each is said of every register of the core, in any state and with any inputs. Reset: the values of section 12, whatever was there and
whatever is asked for at that edge, and rows of the sequencer as they were. Shadow: two edges that differ in the shadow map alone."""
import aig
import fast
import netlist
from lemmas import D, constant
from theorems import core

SEED = 0x9E3779B9  # of section 2: output o draws from SEED * (o + 1) after reset
ROWS = ("u_sequencer.input_mem", "u_sequencer.launch_mem", "u_sequencer.offset_mem", "u_sequencer.tag_mem", "u_sequencer.valid_mem")
FAST_ROWS = ("pair", "row_", "data")  # and the answer of a read, which may wait at a SOFT_RESET
STAMPS = ("due", "odue", "idue", "odl", "edl", "omin", "imin", "ofirst", "ifirst")  # of the fast core: all ones for "never"
ELEMENTS = {"set_rate": constant(D, 16)}  # of the fast core: what each is
SCRATCH = ("used", "missing", "seen", "elsewhere", "shaken_n", "dim_n", "blind_n", "bit")  # of the fast core: written before they are read
# Written before they are read: the FIFO is empty after reset.
UNREAD = ("u_events.device_mem", "u_events.done_mem", "u_events.entered_mem", "u_events.source_mem", "u_events.stamp_mem", "u_events.state_mem",
          "u_events.tag_mem", "u_events.whole_mem", "fifo_", *SCRATCH)


def drawn(ports: int) -> list[int]:
    words = [constant(SEED * (o + 1) & 0xFFFF_FFFF or 1, 32) for o in range(ports)]
    return [bit for word in reversed(words) for bit in word]  # element 0 is highest


def after_reset(run, subject: str, ports: int, edge: netlist.Instance, other: netlist.Instance, rows: tuple, seeds: str, ones: tuple) -> None:
    """`edge` with reset; `other` without: that a register can get anything else is shown of it."""
    graph, others = edge.graph, {seeds: drawn(ports)} | {name: word * ports for name, word in ELEMENTS.items()}
    for name, bits in sorted(edge.next.items()):
        if name.startswith(UNREAD):
            continue
        wanted = edge.state[name] if name.startswith(rows) else others.get(name, [int(name in ones)] * len(bits))
        run.claim(subject, name, ports, graph, aig.TRUE, graph.equal(bits, wanted), twice=True)
    for name in (seeds, "time_q" if "time_q" in other.next else "now"):
        run.possible(subject, f"see_{name}_otherwise", ports, graph, graph.equal(other.next[name], edge.next[name]) ^ 1)


def reset(run, ports: int) -> None:
    net, graph = core(run, ports), aig.Graph()
    edge = netlist.Instance(graph, net, inputs={"rst_ni": [aig.FALSE], "cmd_i.seq_store": [aig.FALSE]})
    other = netlist.Instance(graph, net, state=edge.state, inputs=edge.inputs | {"rst_ni": [aig.TRUE]})
    after_reset(run, "reset", ports, edge, other, ROWS, "u_outputs.draw_q", ())


def shadow(run, ports: int) -> None:
    """The shadow map is looked at where a software or timed commit is taken or refused, and where SEQ_STORE copies it; nowhere else."""
    net, graph = core(run, ports), aig.Graph()
    edge = netlist.Instance(graph, net, inputs={"cmd_i.seq_store": [aig.FALSE]})
    maps = {name: graph.inputs(len(net.inputs[name])) for name in ("shadow_valid_i", "shadow_input_i")}
    alike = {bit: edge.value[bit] for bit in net.unknown}  # an x, as of a selection that no state has, doesn't depend on the map
    other = netlist.Instance(graph, net, state=edge.state, inputs=edge.inputs | maps, bits=alike)
    unseen = graph.any(edge.wire("sw_done") + edge.wire("timed_done")) ^ 1
    run.possible("shadow", "assumptions", ports, graph, graph.both(unseen, edge.wire("taken")[0]))
    known: dict[int, int] = {}  # all that the arbiter says is the same, so what is made of it is asked with one of both
    for name in sorted(name for name in net.wires if name.startswith(("u_commit.", "u_map.")) and "_o" in name):
        run.claim("shadow", name, ports, graph, unseen, graph.equal(edge.wire(name), other.wire(name)), twice=True)
        known |= {x >> 1: y ^ (x & 1) for x, y in zip(other.wire(name), edge.wire(name), strict=True) if x > 1}
    for name in sorted(edge.next):
        same = graph.replaced(graph.equal(edge.next[name], other.next[name]), known)
        run.claim("shadow", name, ports, graph, unseen, same, twice=True)
    shown = graph.both(unseen ^ 1, graph.equal(edge.next["u_outputs.input_q"], other.next["u_outputs.input_q"]) ^ 1)
    run.possible("shadow", "see_committed", ports, graph, shown)


def fast_reset(run, ports: int) -> None:
    net, graph = fast.load(run, ports), aig.Graph()
    edge = netlist.Instance(graph, net, inputs={"rst_ni": [aig.FALSE], "access_i.request": [aig.FALSE]})
    other = netlist.Instance(graph, net, state=edge.state, inputs=edge.inputs | {"rst_ni": [aig.TRUE]})
    after_reset(run, "fast_reset", ports, edge, other, FAST_ROWS, "draw", (*STAMPS, "sdl", "sdue", "cdl", "rdl", "wdue"))
    free = {name: graph.inputs(len(bits)) for name, bits in net.inputs.items()}
    one = netlist.Instance(graph, net, state=edge.state, inputs=free)
    two = netlist.Instance(graph, net, state={name: graph.inputs(len(bits)) if name.startswith(SCRATCH) else bits for name, bits in edge.state.items()},
                           inputs=free, bits={bit: one.value[bit] for bit in net.unknown})
    claims = [(f"scratch_is_not_in_{name}", graph.equal(one.next[name], two.next[name])) for name in sorted(net.state) if not name.startswith(SCRATCH)]
    run.claim_all("fast_reset", ports, graph, aig.TRUE, claims, most=len(claims), seconds=240, twice=True)  # a scratch variable goes many ways


def fast_step_zero(run, ports: int) -> None:
    """An edge of step 0 without a request leaves all as it is, unless a setting was written before it (`stale`): then it looks again at
    what is due, and leaves all but that as it is."""
    net, graph = fast.load(run, ports), aig.Graph()
    state = fast.state_of(graph, net, stale=True)
    inputs = {"rst_ni": [aig.TRUE], "access_i.request": [aig.FALSE], "step_i": constant(0, 32), "nxt_Y": state["now"], "moves_Y": [aig.FALSE]}
    edge = netlist.Instance(graph, net, state=state, inputs=inputs)
    looks = graph.either(state["stale"][0], fast.level_seen(graph, state, {name: edge.inputs[f"modes_i.{name}"] for name in fast.LEVEL}) ^ 1)
    same = graph.equal(edge.wire("moves_A") if "moves_A" in net.wires else edge.wire("moves_B"), state["now"])
    run.claim("fast_step_0", "nxt_is_now", ports, graph, aig.TRUE,
              graph.both(same, graph.equal(graph.add(edge.wire("nxt_A"), edge.wire("nxt_B")), state["now"])), twice=True)
    for name in sorted(edge.next):
        kept = graph.equal(edge.next[name], edge.state[name])
        again = name in ("missing", "stale", "rated", "level_seen", "special", "dim", "sdue", "wdue", "misroutes", "misrouted", "shown_mark", *STAMPS) or name.startswith("bit")
        run.claim("fast_step_0", name, ports, graph, looks ^ 1 if again else aig.TRUE, kept, twice=True)
    run.possible("fast_step_0", "see_looked_again", ports, graph, graph.equal(edge.next["due"], state["due"]) ^ 1)


