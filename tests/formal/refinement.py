# The fast core does what the counter core does: an edge of either leads related states (relation.py) to related ones.
# SPDX-License-Identifier: Apache-2.0
"""Of the whole devices, ocs_fast_top and ocs_top, at any RATE. Their bus, settings and inputs are the same."""
import pathlib
import shutil
from collections.abc import Callable

import aig
import bus
import netlist
import rates
import solve
from lemmas import constant, element
from relation import View, equations, memories, relate
from relation_conditions import conditions, maps_of_rows
from together import Together

MASKS = ("tun", "lck", "up", "held", "fail", "vld", "src", "gap", "send", "gated", "routed", "lit", "open", "stopped")
OF_EVENTS = ("commits", "refusals", "head", "tail", "records")  # they say whether a commit is taken or refused and a record is written
OF_SEGMENTS = ("seg_full", "seg_input", "seg_tag", "seg_first", "seg_count", "error_6")
OF_MASKS = ("fifo_device", "fifo_source", "fifo_tag", "fifo_entered", "fifo_done", "fifo_whole", "fifo_state0", "fifo_state1", "fifo_state2", "fifo_stamp", "open",
            "shared", "left", "index", "sent", "edl", "unrouted", "passed", "lost", "dark", "grow_count", *OF_SEGMENTS)
OF_READS = ("high", "answer")
SETTLED = ("passed", "lost")  # 64-bit sums of words since a mark: solvers take up to five minutes at three ports, as for stamps of engines
# Claims, by the cycles of the edge, that are slower as one question with others: sums of 64 bits, and what an engine waits for.
ALONE = {0: ("engine", "misrouted"), 1: (*SETTLED, "misrouted", "total")}
GROUPS = {0: {"high": "reads", "answer": "reads", "due": "due"}, 1: {}}  # and those that are one question with their like alone
TOGETHER = 24
TOPS = {"fast": ("ocs_fast_top", "ocs_fast.f"), "counter": ("ocs_top", "ocs.f")}


def counts(module: dict) -> dict[str, str]:
    """Names the words of the segment that grows at each output after the edge, count_OUTPUT_K: in the fast core wherever it ends one, index
    less `grown`; in the counter core what has grown and the words of the edge. And total_OUTPUT_K, what the input has sent wherever the fast
    core settles an output: that less `mark` are words. Cuts nothing out."""
    for kind, given, name, width, port, prefix in (("$sub", "B", "u_core.grown", 32, "Y", "count"), ("$sub", "B", "u_core.mark", 64, "A", "total"),
                                                   ("$add", "A", "u_core.u_segments.grow_count_q", 32, "Y", "count")):
        bits, found = module["netnames"].get(name, {"bits": []})["bits"], {}
        for cell in module["cells"].values():
            for o in range(len(bits) // width):
                if cell["type"] == kind and cell["connections"][given] == element(bits, o, len(bits) // width):
                    found.setdefault(o, []).append(cell["connections"][port])
        for o, words in found.items():
            for k, word in enumerate(words):
                module["netnames"][f"{prefix}_{o}_{k}"] = {"hide_name": 0, "bits": word, "attributes": {}}
    return {}


def load(run, side: str, ports: int, form: str = "") -> netlist.Netlist:
    """`form` of the fast core: "chunks" of 2 ports in place of 32, or a data path of "words" of 64 bits."""
    top, files = TOPS[side]
    parameters, mounts = {"N": ports, "S": 2, "FifoDepth": 2}, run.mounts()
    where = [top, str(ports)]
    if side == "fast" and form:
        where.append(form)
        parameters |= {"Lanes": 1} if form == "words" else {}
        mounts = {"/src/rtl": with_small_chunks(run)} if form == "chunks" else mounts
    return netlist.load(top, bus.top_files(files), parameters, run.out / "_".join(where), mounts=mounts, also=counts, seconds=1500)


def with_small_chunks(run) -> pathlib.Path:
    """A copy of rtl/ in which one constant differs."""
    copy = run.folder() / "rtl"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(run.rtl, copy)
    core, old = copy / "fast/ocs_fast_core.sv", "Chunk = N > 32 ? 32 :"
    text = core.read_text()
    if text.count(old) != 1:
        raise ValueError(f"ocs_fast_core.sv has {text.count(old)} times, not once: {old}")
    core.write_text(text.replace(old, "Chunk = N > 2 ? 2 :"))
    return copy


def kind(name: str) -> str:
    """Of a claim, without its port."""
    return name.rstrip("0123456789").rstrip("_")


def registers_of(net: netlist.Netlist, clock: str) -> set[str]:
    """Registers with this clock."""
    return {name for name, clocks in net.clocks.items() if clocks == set(net.inputs[clock])}


def assumed_before(view: View) -> list[tuple[str, int]]:
    return [*conditions(view), *rates.assumed(view)]


class Pair:
    """Related states of both devices, and edges of each."""

    def __init__(self, run, subject: str, ports: int, form: str = "", cycles: int = 0, relation: Callable = equations,
                 kept: Callable = assumed_before) -> None:
        """`cycles`: the step of an edge, 0 or 1. For 1 solvers do better with the conjunctions of the carries of all that it adds."""
        self.run, self.subject, self.ports, self.graph = run, subject, ports, aig.Graph(differences=cycles == 0)
        self.cycles = cycles
        self.known: dict[int, int] = {}  # nodes that are the same in both cores, and what stands for them
        self.nets = {side: load(run, side, ports, form) for side in TOPS}
        self.before = View(self.graph, self.nets, ports, open_=True, ghosts=rates.Ghosts(self.graph, ports))
        relate(self.before, relation(self.before))
        self.assumed = dict(kept(self.before))
        self.facts: dict[int, int] = {}  # what is known of a cell that was cut out, by the nodes of its result
        self.every: list[int] = []  # these facts
        self.behind = [0]  # of each node a bit for each of them that it depends on, as far as anyone asked
        self.edges: dict[str, netlist.Instance] = {}
        self.sums: dict[int, list[int]] = {}  # of each output, what is known of the words that its input has sent
        self.together = Together(run, subject, ports, self.graph, TOGETHER, 900)

    def __enter__(self) -> "Pair":
        return self

    def __exit__(self, *error) -> None:
        self.together.__exit__(*error)

    def inputs(self, **given: list[int]) -> dict[str, list[int]]:
        """The same of both devices; free, but for what is given."""
        return {name: self.graph.inputs(len(bits)) for net in self.nets.values() for name, bits in net.inputs.items() if not name.startswith("cut")} | given

    def edge(self, side: str, at: View, inputs: dict[str, list[int]], force: dict | None = None) -> netlist.Instance:
        net = self.nets[side]
        state = {name: [at.literal(side, pair[0]) for pair in pairs] for name, pairs in net.state.items()}
        return netlist.Instance(self.graph, net, state=state, inputs={name: bits for name, bits in inputs.items() if name in net.inputs}, force=force)

    def later(self, still: str = "") -> View:
        """The states after the edges; of the fast core after one of which the clock `still` has none."""
        view = View(self.graph, self.nets, self.ports, open_=False)
        for side, edge in self.edges.items():
            kept = registers_of(edge.net, still) if still and side == "fast" else set()
            view.values[side] = {pair[0]: self.before.literal(side, pair[0]) if name in kept else edge.value[pair[1]]
                                 for name, pairs in edge.net.state.items() for pair in pairs}
        view.ghosts = rates.After(self.before, view, self.cycles > 0)
        return view

    def step(self) -> View:
        """One edge of each. A step of 0 or 1 is never beyond the horizon of the counter core."""
        step = constant(self.cycles, 32)
        inputs = self.inputs(rst_ni=[aig.TRUE], step_i=step)
        self.assumed["time"] = self.before.counter("time_q")[63] ^ 1
        self.edges = {side: self.edge(side, self.before, inputs) for side in TOPS}
        self.claim("horizon_allows_the_step", self.edges["counter"].wire("u_core.step_error")[0] ^ 1)
        force = {"u_core.step_error": [aig.FALSE], "u_core.step": step}
        self.edges["counter"] = self.edge("counter", self.before, inputs, force)
        for i in range(self.ports):
            self.assumed |= dict(rates.bounds(self.before, i, self.cycles > 0))
        self.know(self.edges["fast"], rates.of_the_fast_core(self.before, self.edges["fast"], self.cycles > 0))
        self.know(self.edges["counter"], rates.of_the_counter_core(self.before, self.edges["counter"]))
        return self.later()

    def know(self, edge: netlist.Instance, facts: dict[str, int]) -> None:
        self.facts |= {x >> 1: holds for name, holds in facts.items() for x in edge.wire(f"{name}_Y") if x > 1}
        self.every, self.behind = sorted(set(self.facts.values())), [0]

    def known_of(self, literal: int) -> list[int]:
        """What is known of the cells whose results the literal depends on, and of those that this depends on."""
        found, rest = set(), [literal]
        while rest:
            behind = self.facts_behind(rest.pop())
            more = {holds for k, holds in enumerate(self.every) if behind >> k & 1} - found
            found |= more
            rest += more
        return sorted(found)

    def facts_behind(self, literal: int) -> int:
        """A bit for each fact: whether the literal depends on a cell that it speaks of."""
        left, right, behind = self.graph.left, self.graph.right, self.behind
        for node in range(len(behind), len(left)):
            mine = 1 << self.every.index(self.facts[node]) if node in self.facts else 0
            behind.append(mine if left[node] < 0 else mine | behind[left[node] >> 1] | behind[right[node] >> 1])
        return behind[literal >> 1]

    def counts_are_the_same(self) -> None:
        """Of an output that passes words; from here on they are any word in both cores. The fast core looks twice: at outputs of which a commit
        changes the selection, before it does, and at the others afterwards."""
        g, known = self.graph, {}
        for o in range(self.ports):
            passes, any_word = self.before.passes(o), g.inputs(32)
            stays = g.equal(element(self.edges["counter"].wire("u_core.input_next_o"), o, self.ports), self.before.counter("u_outputs.input_q", o))
            found = {side: [edge.wire(name) for name in sorted(edge.net.wires) if name.startswith(f"count_{o}_")] for side, edge in self.edges.items()}
            for k, word in enumerate(found["fast"]):
                here = g.both(passes, stays) if k else passes
                self.claim(f"counted_{o}_{k}", g.either(here ^ 1, g.equal(word, found["counter"][0])))
                known |= {x >> 1: y ^ (x & 1) for x, y in zip(word, self.before.choose(here, any_word, word)) if x > 1}
            word = found["counter"][0]
            known |= {x >> 1: y ^ (x & 1) for x, y in zip(word, self.before.choose(passes, any_word, word)) if x > 1}
        self.known = known

    def claim(self, name: str, claimed: int, more: list[int] = ()) -> None:
        alone = name.startswith(ALONE[self.cycles])
        if not self.run.chosen(name, 1 if alone else TOGETHER):
            return
        if self.known and {name, kind(name)} & set(OF_SEGMENTS):
            claimed = self.graph.replaced(claimed, self.known)
        known = [*self.assumed.values(), *more]
        known += self.known_of(self.graph.both(self.graph.all(known), claimed))
        assumed = self.graph.all(known)
        if alone:
            self.run.decide(self.subject, name, self.ports, self.graph, assumed, claimed, 900 if self.cycles else 60)
        else:
            groups = GROUPS[self.cycles]
            self.together.add(name, assumed, claimed, next((groups[word] for word in groups if name.startswith(word)), ""))

    def registers(self, after: View, more: list[int] = ()) -> None:
        """The relation and its conditions. What is claimed of the masks, and of the words that engines sent, is taken for granted where it
        helps: it is among the claims."""
        g, masks, counted = self.graph, [], []
        for equation in equations(after):
            now = [after.literal(equation.side, bit) for bit in equation.bits]
            holds = g.either(equation.when ^ 1, g.equal(now, equation.value))
            known = [*more, *masks] if {equation.name, kind(equation.name).removesuffix("_beyond")} & set(OF_MASKS) else list(more)
            if kind(equation.name) in SETTLED:
                known += counted
                known += self.settled(after, equation.name, known) if self.cycles else []
            if kind(equation.name) == "misrouted" and self.cycles:
                o = int(equation.name.rsplit("_", 1)[1])
                position = self.before.position(o)
                known += [*counted, *self.shown(o)]
                for p in range(self.ports):
                    self.claim(f"{equation.name}_at_{p}", holds, [*known, g.equal(position, constant(p, len(position)))])
            elif equation.name in OF_READS:
                self.by_port(equation.name, holds, known)
            else:
                self.claim(equation.name, holds, known)
            if kind(equation.name) == "sent":
                counted.append(holds)
            if kind(equation.name).removesuffix("_beyond") in MASKS + OF_EVENTS:
                masks.append(holds)
        for name, holds in conditions(after):
            self.claim(name, holds, more)

    def by_port(self, name: str, holds: int, known: list[int]) -> None:
        """The claim where the access is to each port, and where it is to none: any of 64 bits of any counter of any port cost a solver more."""
        g, port = self.graph, self.edges["fast"].wire("access.port")
        cases = {str(p): g.equal(port, constant(p, len(port))) for p in range(self.ports)}
        cases["none"] = g.any(list(cases.values())) ^ 1
        for case, here in cases.items():
            self.claim(f"{name}_of_{case}", holds, [*known, here])

    def settled(self, after: View, name: str, known: list[int]) -> list[int]:
        """With w the words of this edge, a what an output has settled, s what its input has sent and m the mark: in the fast core s + w is what
        the output settles by, and it is what the input has sent afterwards. And a + ((s + w) - m) = (a + (s - m)) + w, which holds of any
        numbers, but costs a solver minutes if it isn't told."""
        g, view, n, o = self.graph, self.before, self.ports, int(name.rsplit("_", 1)[1])
        chosen, fast = view.counter("u_outputs.input_q", o), self.edges["fast"]
        sent = view.at([view.counter("u_counters.sent_q", i) for i in range(n)], chosen)
        words = view.at([element(self.edges["counter"].wire("u_core.words"), i, n) for i in range(n)], chosen) + [aig.FALSE] * 32
        then, mark = g.add(sent, words), view.fast("mark", o)
        if o not in self.sums:
            still = g.both(fast.wire("access.soft_reset")[0] ^ 1, g.equal(chosen, after.counter("u_outputs.input_q", o)))
            sent_then = view.at([after.counter("u_counters.sent_q", i) for i in range(n)], chosen)
            facts = {f"sent_then_{o}": view.implies(still, g.equal(sent_then, then))}
            facts |= {total: g.equal(fast.wire(total), then) for total in sorted(fast.net.wires) if total.startswith(f"total_{o}_")}
            for fact, holds in facts.items():
                self.claim(fact, holds, known)
            self.sums[o] = list(facts.values())
        return [*self.sums[o], *self.adds_up(view.fast(kind(name), o), sent, words, mark)]

    def adds_up(self, settled: list[int], sent: list[int], words: list[int], mark: list[int]) -> list[int]:
        """What holds of any numbers, but costs a solver minutes if it isn't told."""
        g = self.graph
        away, away_then = g.subtract(sent, mark), g.subtract(g.add(sent, words), mark)
        return [g.equal(away_then, g.add(away, words)), g.equal(g.add(settled, away_then), g.add(g.add(settled, away), words))]

    def shown(self, o: int) -> list[int]:
        """The same of the words that a misrouted output shows, which come from where its mirror stands."""
        view, position = self.before, self.before.position(o)
        sent = view.at([view.counter("u_counters.sent_q", i) for i in range(self.ports)], position)
        words = view.at([element(self.edges["counter"].wire("u_core.words"), i, self.ports) for i in range(self.ports)], position) + [aig.FALSE] * 32
        return self.adds_up(view.fast("misrouted", o), sent, words, view.fast("shown_mark", o))

    def engines(self, after: View, more: list[int]) -> None:
        """Of an edge without reset: what rates.py takes for granted of the state before the next one."""
        for i in range(self.ports):
            self.claim(f"engine_{i}_goes_on", rates.goes_on(self.before, after, i), more)
            self.claim(f"engine_{i}_stamp", rates.stamped(self.before, after, self.edges["fast"], i), more)


def outputs(pair: Pair) -> None:
    """What the devices show before the edge; a read's data while it is offered."""
    g, fast, counter = pair.graph, pair.edges["fast"], pair.edges["counter"]
    for name in pair.nets["counter"].outputs:
        if name == "horizon_o" or name.startswith("cut"):
            continue
        same = g.equal(fast.wire(name), counter.wire(name))
        pair.claim(f"shown_{name}", g.either(counter.wire("rvalid_o")[0] ^ 1, same) if name == "rdata_o" else same)


def refine(run, subject: str, ports: int, cycles: int, form: str = "") -> None:
    with Pair(run, subject, ports, form, cycles) as pair:
        g, after = pair.graph, pair.step()
        environment = [after.counter("time_q")[63] ^ 1]  # time stays below 2^63
        run.possible(subject, "assumptions", ports, g, g.all([*pair.assumed.values(), *pair.facts.values(), *environment]))
        if cycles:
            pair.counts_are_the_same()
        outputs(pair)
        pair.registers(after, environment)
        pair.engines(after, environment)


def clocks(run, ports: int) -> None:
    """An edge of one of the two clocks of ocs_fast_top, while no access is due to be executed. Of the bus alone: the states stay related if the
    counter core, which has one clock, has an edge of step 0. Of the fabric alone: no register of the bus would change at an edge of both with an
    idle bus, and none of the fabric looks at the bus's inputs."""
    with Pair(run, "refine_clocks", ports) as pair:
        g, net = pair.graph, pair.nets["fast"]
        both = registers_of(net, "clk_i"), registers_of(net, "bus_clk_i")
        complete = both[0] | both[1] == set(net.state) and all(both)
        run.note("refine_clocks", "each_register_has_one_clock", ports, solve.Answer(complete, "wires of the netlist", 0.0))
        pair.step()
        after = pair.later(still="clk_i")
        pair.assumed["no_access"] = pair.edges["fast"].wire("u_front.u_axil.req_o")[0] ^ 1
        environment = [after.counter("time_q")[63] ^ 1]
        run.possible("refine_clocks", "assumptions", ports, g, g.all([*pair.assumed.values(), *environment]))
        pair.registers(after, environment)
        pair.engines(after, environment)

        idle = {name: [aig.FALSE] for name in ("awvalid_i", "wvalid_i", "arvalid_i", "bready_i", "rready_i")}
        same = {name: pair.before.fast(register) for name, register in (
            ("word_bytes_i", "u_front.word_bytes_q"), ("cycle_ps_i", "u_front.cycle_ps_q"), ("wdata_i", "u_front.u_axil.wdata_q"), ("wstrb_i", "u_front.u_axil.wstrb_q"))}
        same |= {f"{name}_i": [aig.FALSE] * 2 + pair.before.fast(f"u_front.u_axil.{name}_q") for name in ("awaddr", "araddr")}
        edge = pair.edge("fast", pair.before, pair.inputs(rst_ni=[aig.TRUE], **idle, **same))
        none = [edge.wire("u_front.u_axil.req_o")[0] ^ 1, pair.before.fast("u_front.in_reset_q")[0] ^ 1]
        for name in sorted(both[1]):
            pair.claim(f"idle_bus_keeps_{name}", g.equal(edge.next[name], edge.state[name]), none)
        looked_at = set(g.cone([x for name in both[0] for x in pair.edges["fast"].next[name]]))
        bus_inputs = {x >> 1 for name in (*idle, "awaddr_i", "wdata_i", "wstrb_i", "araddr_i") for x in pair.edges["fast"].inputs[name]}
        run.note("refine_clocks", "fabric_looks_at_no_input_of_the_bus", ports, solve.Answer(not looked_at & bus_inputs, "wires of the netlist", 0.0))


def step_0(run, ports: int) -> None:
    refine(run, "refine_step_0", ports, 0)


STEP_1_SHARES = 2  # as many tasks, since it takes longer than all else


def step_1(run, ports: int, share: int, subject: str = "refine_step_1", form: str = "") -> None:
    """Of a single property the first share has all claims."""
    if run.only and share:
        return
    if not run.only:
        run.share = (share, STEP_1_SHARES)
    refine(run, subject, ports, 1, form)


def chunks_1(run, ports: int, share: int) -> None:
    step_1(run, ports, share, "refine_chunks_1", "chunks")


def chunks_0(run, ports: int) -> None:
    refine(run, "refine_chunks_0", ports, 0, "chunks")


def words(run, ports: int) -> None:
    """The data path at an edge of step 1: a word leaves an output if the counter core counts it as passed, and it is that of the input which the
    output selects; what is shown of the words that engines offer is what the counter core counts."""
    with Pair(run, "refine_words", ports, "words", cycles=1) as pair:
        g, before, after = pair.graph, pair.before, pair.step()
        run.possible("refine_words", "assumptions", ports, g, g.all([*pair.assumed.values(), *pair.facts.values()]))
        fast, counter = pair.edges["fast"], pair.edges["counter"]
        offered, on_input = (element_of(counter, name, ports) for name in ("u_core.burst_words", "u_core.words"))
        given = element_of(fast, "word_i", ports)
        for o in range(ports):
            chosen, leaves = before.counter("u_outputs.input_q", o), after.fast("word_valid_o")[o]
            passed = g.all([before.passes(o), g.any(before.at(on_input, chosen)), fast.wire("access.soft_reset")[0] ^ 1])
            pair.claim(f"word_leaves_{o}", g.differ(leaves, passed) ^ 1)
            pair.claim(f"word_is_the_input's_{o}", before.implies(leaves, g.equal(after.fast("word_o", o), before.at(given, chosen))))
        for i in range(ports):
            offer = fast.wire("offer_o")[i]
            pair.claim(f"offer_{i}", g.differ(offer, g.any(offered[i])) ^ 1)
            for name, told, counted in (("index", "index_o", "u_engines.index_q"), ("tag", "tag_o", "u_engines.tag_q")):
                pair.claim(f"offered_{name}_{i}", before.implies(offer, g.equal(element_of(fast, told, ports)[i], before.counter(counted, i))))


def element_of(edge: netlist.Instance, name: str, ports: int) -> list[list[int]]:
    return [element(edge.wire(name), p, ports) for p in range(ports)]


def reset(run, ports: int) -> None:
    """Two edges in reset, from any states with the same rows and the same PAIR, which a reset keeps and which are 0 at power-up; no access
    acts at the first of them."""
    with Pair(run, "refine_reset", ports, relation=memories, kept=maps_of_rows) as pair:
        g, view = pair.graph, pair.before
        for k in range(2):
            inputs = pair.inputs(rst_ni=[aig.FALSE])
            pair.edges = {side: pair.edge(side, view, inputs) for side in TOPS}
            if k == 0:
                pair.assumed |= {side: pair.edges[side].wire(name)[0] ^ 1 for side, name in (("fast", "u_front.u_axil.req_o"), ("counter", "u_registers.u_front.u_axil.req_o"))}
            view = pair.later()
        run.possible("refine_reset", "assumptions", ports, g, g.all([*pair.assumed.values()]))
        pair.registers(view)
