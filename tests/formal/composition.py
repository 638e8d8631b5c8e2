# C: under the bounds of L1 the edges k and 1 together do what the edge k + 1 does, whatever is written at the end.
# SPDX-License-Identifier: Apache-2.0
"""Three edges of the counter core: `first` (k, nothing written), `second` (1) after it, `whole` (k + 1) instead of both. In steps,
each of which takes for granted what was proved before it, by giving wires values in all later ones:
1. `first` is quiet: nothing is due, taken, started, entered or done; only timers, words and counters move.
2. At the end of `second` and of `whole` the modules tell each other the same (LEVELS): from there on one free value for both.
3. Words of `whole` are the sum of those of `first` and `second`; from there on those are free values.
4. Every register is the same after both ways.
States are any that the modules' own checks (prove.py) leave possible. Claims of one port assume what concerns that port; where
that isn't enough, what concerns all."""
import re

import aig
import lemmas
import netlist
import structs
from lemmas import constant, element
from theorems import GAP, core, detector_is_sane, engine_is_sane, idle, output_is_sane, sequencer_is_sane, settings, stop_is_sane, stop_is_sane_of

NUMBERS_OF_INPUTS = re.compile(r"(^|[._])(input|position)(_|$)")  # input_q, input_next_o, map_input, position_q
PENDING = ("sw_q", "seq_go_q", "seq_swap_q", "seq_stop_q", "start_q", "stop_q", "retry_q")
# Of an output, over the first edge.
SAME = ("state", "cause", "input", "draw", "valid", "g_positions.u_positions.known", "g_positions.u_positions.position",
        *(f"g_power.u_detector.{name}" for name in ("dim", "ringing", "rings")))
ENGINE_SAME = ("state", "len", "gap", "repeats", "tag", "gated")
LEVELS = [["last"], ["seq_due", "seq_late", "row_valid", "row_input", "launch", "wrap"],
          ["taken", "refused", "late", "range", "conflict", "source", "tag", "sw_done", "timed_done", "map_valid", "map_input"],
          ["started", "restarted", "valid_next_o", "input_next_o"], ["disturbed_next"], ["u_outputs.moves"], ["u_outputs.stop_d"],
          ["state_next", "entered"], ["dim_next"], ["done", "ending", "last_word"]]
SCALARS = {f"u_counters.{name}_q" for name in ("commits", "refused", "late", "dropped")} | {"u_outputs.stop_q"}
BY_PORT = {"started", "restarted", "valid_next_o", "input_next_o", "u_outputs.moves", "state_next", "entered", "done", "ending", "last_word", "disturbed_next", "dim_next"}


class Proof:
    def __init__(self, run, ports: int) -> None:
        self.run, self.ports, self.net, self.graph = run, ports, core(run, ports), aig.Graph()
        g = self.graph
        self.free = settings(g, self.net)
        self.pair, self.k = g.inputs(len(self.net.inputs["pair_i"])), g.inputs(32)
        self.cuts = [{name: g.inputs(len(self.net.inputs[name])) for name in self.net.inputs if name.startswith("cut")} for _ in range(3)]
        self.state = {name: g.inputs(len(bits)) for name, bits in self.net.state.items()}
        self.after: dict[str, list[list[int]]] = {}  # registers after the first edge that are known, one value a port
        self.quiet: dict[int, int] = {}    # bits of the first edge that are known
        self.shared: dict[int, int] = {}   # bits that are the same in both ways
        self.added: dict[int, int] = {}    # bits of the one long edge that are sums over the two edges
        self.made = {gate[0] for gate in self.net.gates}
        self.checked = False
        self.edges()
        for edge in self.engines:  # the same netlist in all steps
            lemmas.check_operands(run, "composition", ports, edge)
        self.checked = True
        self.bounds = self.first.wire("bound")
        self.extra: list[int] = []
        self.base = self.assume()

    def edges(self) -> None:
        """The three edges, with all that is known by now."""
        one, longer = constant(1, 32), self.graph.add(self.k, constant(1, 32))

        def edge(state, step, cuts, bits, write) -> netlist.Instance:
            inputs = self.free | cuts | {"step_i": step, "rst_ni": [aig.TRUE]} | write
            return netlist.Instance(self.graph, self.net, state=state, inputs=inputs, force={"step_error": [aig.FALSE], "step": step}, bits=bits)

        if not hasattr(self, "writes"):
            self.writes = {name: self.graph.inputs(len(bits)) for name, bits in self.net.inputs.items()
                           if name not in self.free and name not in ("step_i", "rst_ni", "clk_i") and not name.startswith("cut")}
        self.first = edge(self.state, self.k, self.cuts[0], self.quiet, idle(self.net) | {"pair_i": self.pair})
        self.between = self.first.next | {name: [x for word in reversed(words) for x in word] for name, words in self.after.items()}
        self.second = edge(self.between, one, self.cuts[1], self.shared, self.writes)
        self.whole = edge(self.state, longer, self.cuts[2], self.shared | self.added, self.writes)
        self.engines = [lemmas.engines(edge, "u_engines.", self.ports, edge.wire("step")) for edge in (self.first, self.second, self.whole)]
        for engine in (engine for edge in self.engines for engine in edge):
            engine.checked = self.checked

    def bound(self, leaf: int) -> int:
        return self.graph.less(self.k, element(self.bounds, leaf, 3 * self.ports + 3))

    def assume(self) -> list[int]:
        """Of the requests, then of each port."""
        g, n, s = self.graph, self.ports, self.state
        common = [s["time_q"][63] ^ 1, g.any(self.k), g.any([x ^ 1 for x in self.k]), sequencer_is_sane(g, s)]
        return [g.all(common + [self.bound(2 * n + j) for j in range(3)])] + [
            g.all([self.bound(2 * p), self.bound(2 * p + 1), self.bound(2 * n + 3 + p), output_is_sane(g, s, p, n), detector_is_sane(g, s, p, n), stop_is_sane_of(g, s, p, n), engine_is_sane(g, s, p, n)])
            for p in range(n)]

    def quotients(self, port: int) -> int:
        """What is known of the words of a port over the three edges (lemmas.py)."""
        g, (a, b, c) = self.graph, [edge[port] for edge in self.engines]
        slow = g.both(a.open, a.below_full())
        together = g.both(g.equal(g.add(a.quotient[:32], b.quotient[:32]), c.quotient[:32]), g.equal(b.rest()[:16], c.rest()[:16]))
        return g.all([a.known(), b.known(), c.known(), g.equal(a.whole, c.whole), g.either(slow ^ 1, together)])

    def everything(self) -> int:
        return self.graph.all(self.base + self.extra + [stop_is_sane(self.graph, self.state, self.ports)])

    def claim(self, name: str, claimed: int, port: int | None = None, alone: bool = False, given: list[int] | None = None) -> None:
        """`alone`: of one port, or of the requests, no more is assumed than of these; else of all, or what is `given`."""
        g, run = self.graph, self.run
        mine = [self.base[0]] + ([] if port is None else [self.base[1 + port]]) + self.extra
        assumed = g.all(given) if given is not None else g.all(mine) if alone else self.everything()
        run.claim("composition", name, self.ports, g, assumed, claimed, seconds=240, twice=True)

    def part(self, name: str, bits: list, port: int) -> list:
        """A port's part. Masks of a bit a port are packed the other way round than arrays; numbers of inputs are an array, which has
        one bit a port at two ports, too."""
        is_mask = len(bits) == self.ports and not NUMBERS_OF_INPUTS.search(name)
        return [bits[port]] if is_mask else element(bits, port, self.ports)

    def register(self, values: dict[str, list[int]], name: str, port: int) -> list[int]:
        return self.part(name, values[name], port)

    def word(self, edge: netlist.Instance, name: str, port: int) -> list[int]:
        return self.part(name, edge.wire(name), port)

    def bits(self, name: str, port: int) -> list:
        return self.part(name, self.net.wires[name], port)

    def fix(self, name: str, port: int, value: list[int]) -> None:
        self.quiet |= {bit: x for bit, x in zip(self.bits(name, port), value) if bit in self.made}

    def becomes(self, name: str, port: int, value: list[int]) -> int:
        """That a register has a value after the first edge; it is given that value in all later edges."""
        now = self.after.setdefault(name, [[] for _ in range(self.ports)])
        is_mask = len(self.state[name]) == self.ports and not NUMBERS_OF_INPUTS.search(name)
        now[self.ports - 1 - port if is_mask else port] = value
        return self.graph.equal(self.register(self.first.next, name, port), value)


def composition(run, ports: int) -> None:
    proof = Proof(run, ports)
    graph = proof.graph
    run.possible("composition", "assumptions", ports, graph, graph.all([proof.everything()] + [proof.quotients(p) for p in range(ports)]))
    first_is_quiet(proof)
    both_say_the_same(proof)
    words_add_up(proof)
    registers_agree(proof)


def first_is_quiet(proof: Proof) -> None:
    g, n, state = proof.graph, proof.ports, proof.state
    names, external = [f"u_commands.{name}" for name in PENDING], structs.setting("external", "i")
    proof.claim("first_nothing_pending", g.any([x for name in names for x in state[name]]) ^ 1, alone=True)
    for name in names:
        state[name] = [aig.FALSE] * len(state[name])
    for p in range(n):
        proof.claim(f"first_not_external_{p}", element(proof.free[external], p, n)[0] ^ 1, p, alone=True)
    proof.free[external] = [aig.FALSE] * n
    for name in ("seq_due", "u_commit.timed"):
        proof.claim(f"first_not_{name}", proof.first.wire(name)[0] ^ 1, alone=True)
        proof.quiet |= {bit: aig.FALSE for bit in proof.net.wires[name]}
    proof.edges()
    for name in ("taken", "refused", "late", "wrap", "launch", "row_valid", "map_valid", "started", "restarted"):
        proof.claim(f"first_no_{name}", g.any(proof.first.wire(name)) ^ 1, alone=True)
    proof.claim("first_same_stop", g.equal(proof.first.next["u_outputs.stop_q"], state["u_outputs.stop_q"]))
    proof.after["u_outputs.stop_q"] = [state["u_outputs.stop_q"]]
    for p in range(n):
        first = proof.first
        timer = proof.register(state, "u_outputs.timer_q", p)
        stays = [proof.becomes(f"u_outputs.{name}_q", p, proof.register(state, f"u_outputs.{name}_q", p)) for name in SAME]
        stays.append(proof.becomes("u_outputs.timer_q", p, [g.both(g.any(timer), x) for x in g.subtract(timer, proof.k)]))
        for name in ("count", "ring"):
            left = proof.register(state, f"u_outputs.g_power.u_detector.{name}_q", p)
            stays.append(proof.becomes(f"u_outputs.g_power.u_detector.{name}_q", p, [g.both(g.any(left), x) for x in g.subtract(left, proof.k[:30])]))
        held, dim = proof.register(state, "u_outputs.state_q", p), proof.register(state, "u_outputs.g_power.u_detector.dim_q", p)
        stays.append(g.equal(proof.word(first, "dim_next", p), dim))
        stays += [g.equal(proof.word(first, "state_next", p), held), proof.word(first, "entered", p)[0] ^ 1]
        quiet = g.both(g.all(stays), g.differ(first.wire("valid_next_o")[p], state["u_outputs.valid_q"][p]) ^ 1)
        proof.claim(f"first_output_{p}", quiet)
        proof.fix("entered", p, [aig.FALSE])
        proof.fix("state_next", p, held)
        proof.fix("dim_next", p, dim)
        proof.fix("valid_next_o", p, [state["u_outputs.valid_q"][p]])
    for p in range(n):
        first, name = proof.first, "g_neighbours.u_neighbours.left_q"
        left, disturbed = proof.register(state, name, p), proof.word(proof.first, "disturbed", p)
        stays = [proof.becomes(name, p, [g.both(g.any(left), x) for x in g.subtract(left, proof.k[:30])]),
                 g.equal(proof.word(first, "disturbed_next", p), disturbed)]
        proof.claim(f"first_disturbed_{p}", g.all(stays), p, alone=True)
        proof.fix("disturbed_next", p, disturbed)
    proof.edges()
    for p in range(n):  # it is disturbed in all cycles of both ways, or in none
        disturbed = proof.word(proof.first, "disturbed", p)
        proof.claim(f"disturbed_{p}", g.equal(proof.word(proof.second, "disturbed", p), disturbed), p, alone=True)
        proof.shared |= {bit: x for bit, x in zip(proof.bits("disturbed", p), disturbed) if bit in proof.made}
    for p in range(n):
        first = proof.first
        wait, left, index = (proof.register(state, f"u_engines.{name}_q", p) for name in ("wait", "left", "index"))
        gap = g.equal(proof.register(state, "u_engines.state_q", p), constant(GAP, 2))
        words = proof.word(first, "burst_words", p)
        stays = [proof.becomes(f"u_engines.{name}_q", p, proof.register(state, f"u_engines.{name}_q", p)) for name in ENGINE_SAME]
        stays += [proof.becomes("u_engines.wait_q", p, [g.either(g.both(gap, y), g.both(gap ^ 1, x)) for x, y in zip(wait, g.subtract(wait, proof.k))]),
                  proof.becomes("u_engines.left_q", p, g.subtract(left, words)), proof.becomes("u_engines.index_q", p, g.add(index, words)),
                  g.equal(proof.word(first, "words", p), words), first.wire("done")[p] ^ 1, first.wire("ending")[p] ^ 1, first.wire("last_word")[p] ^ 1]
        proof.claim(f"first_engine_{p}", g.either(proof.engines[0][p].known() ^ 1, g.all(stays)), p, alone=True)
        for name in ("done", "ending", "last_word"):
            proof.fix(name, p, [aig.FALSE])
    proof.edges()
    for j in range(3 * n + 3):
        above = g.any(element(proof.second.wire("bound"), j, 3 * n + 3))
        port = j // 2 if j < 2 * n else j - 2 * n - 3 if j >= 2 * n + 3 else None
        known = aig.TRUE if port is None else proof.engines[0][port].known()
        proof.claim(f"bound_stays_above_0_{j}", g.either(known ^ 1, above), port, alone=True)


def both_say_the_same(proof: Proof) -> None:
    g = proof.graph
    for level in LEVELS:
        for name in level:
            second, whole = proof.second.wire(name), proof.whole.wire(name)
            if name not in BY_PORT:
                proof.claim(name, g.equal(second, whole), alone=True)
                continue
            for p in range(proof.ports):
                same = g.equal(proof.word(proof.second, name, p), proof.word(proof.whole, name, p))
                if name in ("done", "ending", "last_word"):
                    same = g.either(proof.quotients(p) ^ 1, same)
                proof.claim(f"{name}_{p}", same, p, alone=True)
        proof.shared |= {bit: g.input() for name in level for bit in proof.net.wires[name] if bit in proof.made and bit not in proof.shared}
        proof.edges()


def words_add_up(proof: Proof) -> None:
    """They are those of the engines alone: an EXTERNAL input bounds every step to one cycle."""
    g, n = proof.graph, proof.ports
    for p in range(n):
        known = proof.quotients(p)
        total = g.add(proof.word(proof.first, "burst_words", p) + [0], proof.word(proof.second, "burst_words", p))
        proof.claim(f"words_{p}", g.either(known ^ 1, g.equal(total, proof.word(proof.whole, "burst_words", p) + [0])), p, alone=True)
        others = [g.equal(proof.word(edge, "words", p), proof.word(edge, "burst_words", p)) for edge in (proof.second, proof.whole)]
        proof.claim(f"no_other_words_{p}", g.all(others), p, alone=True)
        for name in sorted(proof.net.state):  # the engine's own registers, while its words are what it makes of them
            if name.startswith("u_engines."):
                same = g.equal(*(proof.register(edge.next, name, p) for edge in (proof.second, proof.whole)))
                proof.claim(f"{name}_{p}", g.either(known ^ 1, same), p, alone=True)
    for p in range(n):  # from here on the words are any that add up without a carry
        a, b = g.inputs(32), g.inputs(32)
        total = g.add(a + [0], b)
        for name in ("words", "burst_words"):
            bits = proof.bits(name, p)
            assert proof.made.issuperset(bits)
            proof.quiet |= dict(zip(bits, a))
            proof.shared |= dict(zip(bits, b))
            proof.added |= dict(zip(bits, total))
        proof.extra.append(total[32] ^ 1)
        proof.after["u_engines.index_q"][p] = g.add(proof.register(proof.state, "u_engines.index_q", p), a)
    proof.edges()


def registers_agree(proof: Proof) -> None:
    g, n = proof.graph, proof.ports
    for p in range(n):
        by_input(proof, f"ended_{p}", p, g.differ(proof.second.wire("u_segments.ended")[p], proof.whole.wire("u_segments.ended")[p]) ^ 1)
    proof.shared |= {bit: g.input() for bit in proof.net.wires["u_segments.ended"]}
    proof.edges()
    for p in range(n):  # first words: a burst is whole by those of all outputs that select its input
        name = "u_segments.first_d"
        by_input(proof, f"first_{p}", p, g.equal(proof.word(proof.second, name, p), proof.word(proof.whole, name, p)))
    proof.shared |= {bit: g.input() for p in range(n) for bit in proof.bits("u_segments.first_d", p) if bit in proof.made}
    proof.edges()
    for name in sorted(proof.net.state):
        second, whole = proof.second.next[name], proof.whole.next[name]
        if name.startswith("u_engines."):
            continue
        if not name.startswith(("u_outputs.", "u_counters.", "u_segments.")) or len(second) % n or name in SCALARS:
            proof.claim(name, g.equal(second, whole))
            continue
        for p in range(n):
            same = g.equal(proof.register(proof.second.next, name, p), proof.register(proof.whole.next, name, p))
            if name.startswith("u_outputs."):
                proof.claim(f"{name}_{p}", same, p, alone=True)
            else:
                by_input(proof, f"{name}_{p}", p, same)


def by_input(proof: Proof, name: str, port: int, same: int) -> None:
    """For each input that the port's output may have selected, or that its mirror may stand at: which words are counted is then plain. Nothing is assumed but that
    time moves and that these words add up."""
    shown = name.startswith("u_counters.misrouted_q")
    g, selected = proof.graph, proof.register(proof.state, "u_outputs.g_positions.u_positions.position_q" if shown else "u_outputs.input_q", port)
    moves = [g.any(proof.k), g.any([x ^ 1 for x in proof.k])]
    if name.startswith("u_counters.unrouted_q") or not {x >> 1 for x in selected} & set(g.cone([same])):  # of the input's own words
        proof.claim(name, same, given=[*moves, proof.extra[port]])
        return
    for i in range(1 << len(selected)):
        case = g.replaced(same, {x >> 1: i >> b & 1 for b, x in enumerate(selected)})
        proof.claim(f"{name}_of_{i}", case, given=[*moves, *proof.extra[i:i + 1]])
