# The form of the switch in stages (rtl/skew) does in stage k what the simulated one does k edges before.
# SPDX-License-Identifier: Apache-2.0
"""Two parts. `aligned` reads the netlist of ocs_skew_top with its modules as boxes: each box gets all its inputs in its own stage, so that it works
on one cycle at a time. `at_once` takes the delays between stages out, which leaves a switch of one stage, and proves that an edge of it, of no cycle
or of one, does what such an edge of ocs_top does, with an access and without one: their states stand for each other before the edge, and so
they do after it."""
import json

import aig
import lemmas
import netlist
import solve
import theorems
import yosys
from lemmas import constant, element

TUNING, LOCKING, UP, HELD, FAILED = 1, 2, 3, 4, 5
LIGHT, MISROUTED = 2, 3  # causes of FAILED
CORE, REGISTERS = "u_core.", "u_registers."
# Modules of ocs_skew_top: the stage of each, as the head of that file says, and the module of ocs_top whose registers its own are copies of,
# if they have the same names and aren't in RELATED.
MODULES = {
    "u_front": (0, ""), "u_strobes_0": (0, ""), "u_settings_0": (0, f"{REGISTERS}u_settings"),
    "u_commands": (1, f"{CORE}u_commands"), "u_sequencer": (1, f"{CORE}u_sequencer"), "u_commit": (1, ""), "u_map": (1, ""),
    "u_settings_p": (1, f"{REGISTERS}u_settings"), "u_pick_shadow": (1, ""), "u_pick_launch": (1, ""),
    "u_select": (2, f"{CORE}u_outputs"), "u_settings_c": (2, f"{REGISTERS}u_settings"), "u_pick_faults": (2, ""),
    "g_pair.u_pair": (3, ""), "u_pick_pair": (3, ""),
    "u_strobes_t": (4, ""), "u_settings_t": (4, f"{REGISTERS}u_settings"), "u_pick_tuning": (4, ""),
    "u_settings_m": (5, f"{REGISTERS}u_settings"), "u_outputs": (5, f"{CORE}u_outputs"),
    "u_pick_locking": (5, ""), "u_pick_quantile": (5, ""),
    "u_view": (6, f"{CORE}u_outputs"), "g_power.u_power": (2, ""), "g_power.u_power_next": (2, ""), "g_neighbours.u_neighbours": (6, f"{CORE}g_neighbours.u_neighbours"), "u_settings_l": (6, f"{REGISTERS}u_settings"),
    "u_settings_e": (7, f"{REGISTERS}u_settings"), "u_engines": (7, f"{CORE}u_engines"), "u_pick_source": (7, ""),
    "u_strobes_x": (8, ""), "u_settings_o": (9, f"{REGISTERS}u_settings"), "u_commands_o": (9, f"{CORE}u_commands"),
    "u_segments": (9, f"{CORE}u_segments"), "u_counters": (9, f"{CORE}u_counters"), "u_events": (9, f"{CORE}u_events"),
    "u_status": (9, f"{CORE}u_status"), "u_pick_seen": (9, ""), "u_pick_wide": (9, ""), "u_pick_device": (9, ""),
    "u_pick_counter": (11, ""), "u_read_32": (13, ""), "u_read_64": (13, f"{REGISTERS}u_read")}
STAGES = {name: stage for name, (stage, _) in MODULES.items()}
# Registers that are related to those of ocs_top by AtOnce.related(), whatever their names.
RELATED = {"u_load.before_q", "u_read_32.data_q", "u_read_32.high_q", "u_read_64.data_q", "time_next_0", "time_next_q", "stamp",
           *(f"u_outputs.{name}_q" for name in ("state", "timer", "was_up", "flapping", "flap_set", "flap_then", "flap", "draw", "point", "stop", "set")),
           *(f"u_events.{name}_q" for name in ("head", "second_at", "any", "many", "full")), "u_events.record_mem",
           "u_segments.grows_q", "u_segments.most_q", "u_segments.zero_q", "u_settings_p.shadow_valid_o", "u_settings_p.shadow_input_o",
           *(f"u_sequencer.{name}" for name in ("entry_mem", "first", "row_q", "loop_next_q", "since_loop_q", "since_next_q", "last_q", "again_q", "after_q", "after_at_q", "due_q",
                                                "since_now_q")),
           *(f"u_engines.{name}_q" for name in ("last_word", "one_word", "two_words", "last_wait", "one_wait", "gap_next", "again", "offered", "renewed",
                                                "left", "wait", "repeats"))}
ANSWERED = 13  # the stage in which reads are answered
SOFT_RESET = 0x50  # its offset among the device registers
STEP_ERROR = 3  # bit of ERROR
DEPTH = 4  # of the event FIFO
ENTRIES = 4  # of a bank of the sequencer


def files() -> list[str]:
    return yosys.sources("skew/ocs_skew.f")


# ---- aligned -----------------------------------------------------------------------------------------------------------------
class Stages:
    """Which stage each bit is of, relative to others until a module says it: a forest in which a bit knows its distance to another one."""

    def __init__(self) -> None:
        self.above: dict = {}  # bit -> (another bit, stages after it)

    def root(self, bit) -> tuple:
        """The bit that others are measured by, and how many stages this one is after it."""
        after, path = 0, []
        while bit in self.above:
            path.append((bit, after))
            bit, more = self.above[bit]
            after += more
        for one, before in path:
            self.above[one] = (bit, after - before)
        return bit, after

    def tell(self, a, b, after: int = 0) -> bool:
        """`a` is so many stages after `b`. False if that contradicts what was told before."""
        (top_a, of_a), (top_b, of_b) = self.root(a), self.root(b)
        if top_a == top_b:
            return of_a == of_b + after
        self.above[top_a] = (top_b, of_b + after - of_a)
        return True


def modules(run, ports: int) -> dict:
    """The netlist with ocs_skew_top's own modules left as they are."""
    out = run.out / f"skewed_boxes_{ports}"
    read = yosys.read("ocs_skew_top", files(), {"N": ports}).replace("read_slang", "read_slang --keep-hierarchy")
    yosys.yosys([read, "hierarchy -top ocs_skew_top", "proc", "opt_clean", "write_json /out/boxes.json"], out, 300, run.mounts())
    return json.loads((out / "boxes.json").read_text())["modules"]


def edges_of(module: dict) -> int | None:
    """Edges by which what this ocs_skew_delay or ocs_skew_tap shows is later than what it gets; None if it does anything else."""
    word, shown = (module["ports"][name]["bits"] for name in ("d_i", "q_o"))
    registers = [cell for cell in module["cells"].values() if cell["type"] != "$scopeinfo"]
    if any(cell["type"] != "$dff" for cell in registers):
        return None
    before = {after: bit for cell in registers for bit, after in zip(cell["connections"]["D"], cell["connections"]["Q"], strict=True)}
    edges = 0
    while shown != word and edges <= len(before):
        shown, edges = [before.get(bit) for bit in shown], edges + 1
    return None if shown != word else edges or -1


def most_edges(module: dict) -> int:
    """Registers on the way from an input of this ocs_skew_pick to the lowest bit of what it shows, where there are most."""
    driver = {bit: (cell, k) for cell in module["cells"].values() for port, bits in cell["connections"].items()
              if cell["type"] != "$scopeinfo" and cell["port_directions"][port] == "output" for k, bit in enumerate(bits)}

    def before(cell: dict, k: int) -> set:
        """Bits that bit `k` of a cell depends on: those of its place, where the cell works bit by bit."""
        bitwise = cell["type"] in ("$and", "$or", "$mux", "$dff")
        given = [bits for port, bits in cell["connections"].items() if cell["port_directions"][port] == "input" and port != "CLK"]
        return {bit for bits in given for bit in (bits[k:k + 1] if bitwise and len(bits) > k else bits) if bit in driver}

    def most(bit, path: tuple) -> int:
        """A register that keeps what it has is met once."""
        cell, k = driver[bit]
        return cell["type"].startswith("$dff") + max((most(other, (*path, bit)) for other in before(cell, k) if other not in path), default=0)

    return most(module["ports"]["word_o"]["bits"][0], ())


# What a later stage may take at any time from then on: what a read has picked stays until the next access, and the answer waits for it (Latency of ocs_front).
WAITED = {("ocs_front", "data_i"), ("ocs_skew_pick", "word_o"), ("ocs_reg_read", "data_o")}


def ready(all_modules: dict, cells: dict) -> dict:
    """Of each bit that depends on what a read has picked, the stage in which it is there."""
    since: dict = {}
    for name, cell in cells.items():
        if cell["type"].split("$")[0] == "ocs_skew_pick":
            since |= dict.fromkeys(cell["connections"]["word_o"], STAGES.get(name, ANSWERED) + most_edges(all_modules[cell["type"]]))
    logic = [cell for cell in cells.values() if cell["type"].startswith("$") and cell["type"] != "$scopeinfo"]
    changed = True
    while changed:
        changed = False
        for cell in logic:
            given = [bit for port, bits in cell["connections"].items() if cell["port_directions"][port] == "input" for bit in bits]
            at = max((since[bit] for bit in given if bit in since), default=0)
            shown = [bit for port, bits in cell["connections"].items() if cell["port_directions"][port] == "output" for bit in bits if since.get(bit, 0) < at]
            since |= dict.fromkeys(shown, at)
            changed |= bool(shown)
    return since


def aligned(run, ports: int) -> None:
    all_modules, stages, seen = modules(run, ports), Stages(), set()
    cells = all_modules["ocs_skew_top"]["cells"]
    since = ready(all_modules, cells)
    # Delays and logic first, so that what contradicts them is a module that gets something of another cycle.
    for name, cell in sorted(cells.items(), key=lambda item: (item[0] in STAGES, item[0])):
        wires = {port: [bit for bit in bits if isinstance(bit, int)] for port, bits in cell["connections"].items() if port not in ("clk_i", "CLK")}
        kind = cell["type"].split("$")[0]
        if kind in ("ocs_skew_delay", "ocs_skew_tap"):
            later = edges_of(all_modules[cell["type"]])
            given, shown = cell["connections"]["d_i"], cell["connections"]["q_o"]
            holds = later is not None and all([stages.tell(q, d, later) for d, q in zip(given, shown, strict=True) if isinstance(d, int) and isinstance(q, int)])
            stage = f"{later}"
        elif cell["type"].startswith("$"):
            if cell["type"] == "$scopeinfo":
                continue
            holds, stage = all([stages.tell(bit, name) for bits in wires.values() for bit in bits]), ""
        else:
            seen.add(name)
            at = STAGES.get(name)
            stage = str(at)
            holds = at is not None and all([stages.tell(bit, "stage 0", at) for port, bits in wires.items() for bit in bits
                                            if (kind, port) not in WAITED])
            given = {bit for port, bits in wires.items() if cell["port_directions"][port] == "input" for bit in bits}
            holds = holds and all(since[bit] <= at for bit in given if bit in since)
        if not cell["type"].startswith("$") or not holds:
            run.note("skewed", f"aligned_{name}", ports, solve.Answer(holds, f"wires of the netlist, stage {stage}", 0.0))
    run.note("skewed", "aligned_all", ports, solve.Answer(seen == set(STAGES), f"wires of the netlist {sorted(seen ^ set(STAGES)) or ''}", 0.0))


# ---- all stages at once ------------------------------------------------------------------------------------------------------
COPIES = {f"{name}.": f"{of}." for name, (_, of) in MODULES.items() if of} | {"time_o": f"{CORE}time_q", "time_late": f"{CORE}time_q"}


class AtOnce:
    """Both switches at an edge of no cycle or of one, with the same access, and after it. An edge that stands for more is one of none to the form
    in stages; there the simulated one makes one of none."""

    def __init__(self, run, ports: int) -> None:
        self.run, self.ports, self.graph = run, ports, aig.Graph()
        sizes = {"N": ports, "S": ENTRIES, "FifoDepth": DEPTH}
        self.nets = {"simulated": netlist.load("ocs_top", yosys.sources(), sizes, run.out / f"skewed_top_{ports}", mounts=run.mounts()),
                     "staged": netlist.load("ocs_skew_top", files(), sizes, run.out / f"skewed_{ports}", ["OCS_AT_ONCE"], mounts=run.mounts())}
        step = self.graph.inputs(32)
        self.too_far = self.graph.any(step[1:])
        net = self.nets["simulated"]
        one = dict(zip(net.wires["horizon_o"], constant(1, 32), strict=True))  # it is at least 1 (subject horizon), and no step is more
        self.simulated = netlist.Instance(self.graph, net, inputs={"step_i": [self.graph.both(step[0], self.too_far ^ 1)] + [aig.FALSE] * 31}, bits=one)
        self.before = {"simulated": bits_of(self.simulated.net, self.simulated.state)}
        self.copied = self.copies()
        net = self.nets["staged"]
        state = {name: [self.before["simulated"][self.copied[bit]] if bit in self.copied else self.graph.input() for bit, _ in pairs]
                 for name, pairs in net.state.items()}
        self.staged = netlist.Instance(self.graph, net, state, {name: self.simulated.inputs[name] for name in net.inputs if name in self.simulated.inputs} | {"step_i": step},
                                       bits=self.accesses())
        self.before["staged"] = bits_of(net, self.staged.state)
        self.after = {side: bits_of(edge.net, edge.next) for side, edge in (("simulated", self.simulated), ("staged", self.staged))}

    def copies(self) -> dict[int, int]:
        """Bits of registers of the form in stages: that of the simulated form which each is a copy of."""
        theirs = self.nets["simulated"].wires
        found = {}
        mine = {pair[0] for pairs in self.nets["staged"].state.values() for pair in pairs} - self.front()
        mine -= {bit for name, bits in self.nets["staged"].wires.items() if name.split("[")[0] in RELATED for bit in bits}
        for name, bits in self.nets["staged"].wires.items():
            for start, meant in COPIES.items():
                if name == start or (start.endswith(".") and name.startswith(start)):
                    found |= {bit: other for bit, other in zip(bits, theirs.get(meant + name[len(start):], [])) if bit in mine and other in self.before["simulated"]}
        for o in range(self.ports):  # PAIR: a memory of each output, and one of all
            for i in range(self.ports):
                found |= dict(zip(self.nets["staged"].wires[f"g_pair.u_pair.g_rows.g_row[{o}].mem[{i}]"],
                                  theirs[f"u_registers.g_pair.u_pair.g_one.mem[{o * self.ports + i}]"], strict=True))
        return found

    def front(self) -> set:
        """Bits of the front end, which is not compared: its accesses are the same, whatever it has done until then."""
        return {bit for name, bits in self.nets["staged"].wires.items() if name.startswith("u_front.") and name != "u_front.data_i" for bit in bits}

    def accesses(self) -> dict[int, int]:
        """What the front end gives, of the one in that of the other."""
        given = {}
        for name, bits in self.nets["staged"].wires.items():
            other = name.replace("u_front.", "u_registers.u_front.")
            if name.startswith("u_front.") and name.endswith("_o") and name.count(".") == 1:
                given |= {bit: x for bit, x in zip(bits, self.simulated.wire(other), strict=True) if isinstance(bit, int)}
        return given

    def word(self, when: str, side: str, name: str, index: int | None = None, count: int | None = None) -> list[int]:
        """A register before the edge or after it, or its element."""
        wires, values = self.nets[side].wires, getattr(self, when)[side]
        bits = wires[f"{name}[{index}]"] if f"{name}[{index}]" in wires else wires[name] if index is None else element(wires[name], index, count or self.ports)
        return [values[bit] if isinstance(bit, int) else int(bit == "1") for bit in bits]

    def related(self, when: str):
        """(name, condition): what copies don't say."""
        g, n = self.graph, self.ports

        def theirs(name: str, index: int | None = None, count: int | None = None) -> list[int]:
            return self.word(when, "simulated", f"u_core.u_outputs.{name}", index, count)

        def mine(name: str, index: int | None = None, count: int | None = None) -> list[int]:
            return self.word(when, "staged", f"u_outputs.{name}", index, count)

        yield from self.engines(when)
        yield from self.events(when)
        yield from self.sequencer(when)
        yield from self.shadow(when)
        moving = []
        for o in range(n):
            state, timer, chosen = theirs("state_q", o), theirs("timer_q", o), theirs("input_q", o)
            up, held = (g.equal(state, constant(code, 3)) for code in (UP, HELD))
            timed = g.either(g.equal(state, constant(TUNING, 3)), g.equal(state, constant(LOCKING, 3)))
            moving.append(timed)
            yield f"state_{o}", g.equal(mine("state_q", o), [g.either(g.both(held, y), g.both(held ^ 1, x)) for x, y in zip(state, constant(UP, 3))])
            less = g.subtract(timer + [aig.FALSE], constant(2, 33))
            yield f"timer_{o}", g.either(timed ^ 1, g.equal(mine("timer_q", o), less))
            was_up, flapping, then = mine("was_up_q")[o], mine("flapping_q")[o], mine("flap_then_q", o)
            runs = g.any(timer)
            counted = g.either(was_up ^ 1, g.both(g.differ(flapping, runs) ^ 1, g.either(runs ^ 1, g.equal(mine("flap_q", o), less[:31]))))
            entered = g.either(was_up, g.both(g.differ(mine("flap_set_q")[o], runs) ^ 1, g.either(runs ^ 1, g.equal(then, less[:31]))))
            yield f"flap_{o}", g.either(up ^ 1, g.all([counted, entered, timer[30] ^ 1, timer[31] ^ 1]))
            yield f"draw_{o}", g.equal(mine("draw_q", o), drawn(g, theirs("draw_q", o)))
            yield f"point_{o}", g.equal(mine("point_q", o), theirs("draw_q", o)[28:])
            yield f"selected_{o}", g.either(theirs("valid_q")[o], g.any(chosen) ^ 1)
            yield from self.light(when, o, state)
            yield f"in_range_{o}", theorems.is_a_port(g, chosen, n)
            count = self.word(when, "simulated", "u_core.u_segments.grow_count_q", o)
            yield f"grows_{o}", g.differ(self.word(when, "staged", "u_segments.grows_q")[o], g.any(count)) ^ 1
            yield f"most_{o}", g.differ(self.word(when, "staged", "u_segments.most_q")[o], g.all(count)) ^ 1
            # A segment that grows does so where words pass alone, and there with its engine's index: so its first word stays the first one.
            first = g.any([g.both(g.equal(chosen, constant(i, len(chosen))),
                                  g.equal(self.word(when, "simulated", "u_core.u_engines.index_q", i), count)) for i in range(n)])
            dim = theirs("g_power.u_detector.dim_q")[o]
            disturbed = g.any(self.word(when, "simulated", "u_core.g_neighbours.u_neighbours.left_q", o))
            yield f"grows_where_words_pass_{o}", g.either(g.any(count) ^ 1, g.all([up, disturbed ^ 1, dim ^ 1]))
            yield f"zero_{o}", g.either(g.any(count) ^ 1, g.differ(self.word(when, "staged", "u_segments.zero_q")[o], first) ^ 1)
        for name in ("time_next_0", "time_next_q", "stamp"):
            yield name, g.equal(self.word(when, "staged", name), g.add(self.word(when, "simulated", "u_core.time_q"), constant(1, 64)))
        stopped = g.both(g.either(mine("stop_q")[0], mine("set_q")[0]), g.any(moving))
        yield "stop", g.differ(stopped, theirs("stop_q")[0]) ^ 1
        short, long = (self.word(when, "staged", f"u_read_{bits}.data_q") for bits in (32, 64))
        yield "read", g.equal([g.either(x, y) for x, y in zip(short, long)], self.word(when, "simulated", "u_registers.u_read.data_q"))
        yield "no_latch", g.any(self.word(when, "staged", "u_read_32.high_q")) ^ 1

    def products(self) -> list[int]:
        """Products and quotients of the simulated form are cut out of it. Of the engines' this is known of an edge of no cycle or of one: steps *
        RATE, a quotient by 40000 of less than two (lemmas.py), and 40000 times that. All others are of a word and a constant."""
        g, edge = self.graph, self.simulated
        step = edge.wire("u_core.step")
        engines = lemmas.engines(edge, "u_core.u_engines.", self.ports, step)
        lemmas.check_operands(self.run, "skewed", self.ports, engines)
        holds = []
        for engine in engines:
            product = [g.both(step[0], bit) for bit in engine.rate] + [aig.FALSE] * (len(engine.product) - 16)
            holds += [g.equal(engine.product, product), engine.divides()]
            holds += [g.either(g.equal(engine.quotient, constant(value, len(engine.quotient))) ^ 1, g.equal(engine.back, constant(value * lemmas.D, len(engine.back))))
                      for value in (0, 1)]
        own = {bit for engine in engines for word in (engine.product, engine.quotient, engine.back, engine.whole) for bit in word if bit > aig.TRUE}
        for name, (kind, *operands, _) in sorted(edge.net.cuts.items()):
            product = edge.wire(f"{name}_Y")
            if own & set(product):
                continue
            fixed = [side for side, bits in zip("AB", operands) if not any(isinstance(bit, int) for bit in bits)]
            if kind != "$mul" or not fixed:
                raise yosys.ToolError(f"{name}: {kind} of two words")
            factor, word = operands["AB".index(fixed[0])], edge.wire(f"{name}_{'B' if fixed[0] == 'A' else 'A'}")
            total = [aig.FALSE] * len(product)
            for shift, bit in enumerate(factor):
                if bit == "1":
                    total = g.add(total, ([aig.FALSE] * shift + word + [aig.FALSE] * len(product))[:len(product)])
            holds.append(g.equal(product, total))
        return holds

    def engines(self, when: str):
        """Comparisons that are known before; what is left is counted an edge later, and a gap is at hand before it begins."""
        g, n = self.graph, self.ports
        for i in range(n):
            state, left, length, gap, wait, repeats = (self.word(when, "simulated", f"u_core.u_engines.{name}_q", i)
                                                       for name in ("state", "left", "len", "gap", "wait", "repeats"))

            def flag(name: str, i=i) -> int:
                return self.word(when, "staged", f"u_engines.{name}_q")[i]

            def mine(name: str, i=i) -> list[int]:
                return self.word(when, "staged", f"u_engines.{name}_q", i)

            one, waits, runs = constant(1, 32), g.equal(state, constant(theorems.GAP, 2)), g.any(state)
            for name, holds in (("one_word", g.equal(length, one)), ("two_words", g.equal(length, constant(2, 32))), ("one_wait", g.equal(gap, one)),
                                ("gap_next", g.any(gap)), ("again", g.any(repeats))):
                yield f"{name}_{i}", g.differ(flag(name), holds) ^ 1
            yield f"last_word_{i}", g.either(runs ^ 1, g.differ(flag("last_word"), g.equal(left, one)) ^ 1)
            yield f"last_wait_{i}", g.either(waits ^ 1, g.differ(flag("last_wait"), g.equal(wait, one)) ^ 1)
            yield f"wait_{i}", g.either(waits ^ 1, g.equal(mine("wait"), wait))
            yield f"repeats_{i}", g.equal(repeats, g.subtract(mine("repeats"), [flag("renewed")] + [aig.FALSE] * 31))
            counted = g.subtract(mine("left"), [flag("offered")] + [aig.FALSE] * 31)
            yield f"left_{i}", g.either(runs ^ 1, g.equal(left, [g.either(g.both(flag("renewed"), x), g.both(flag("renewed") ^ 1, y)) for x, y in zip(length, counted)]))
            yield f"one_at_most_{i}", g.both(flag("offered"), flag("renewed")) ^ 1

    def events(self, when: str):
        """The oldest record is in registers; of the others the memories have the same."""
        g, depth = self.graph, DEPTH
        head, count = (self.word(when, "simulated", f"u_core.u_events.{name}_q") for name in ("head", "count"))

        def mine(name: str) -> list[int]:
            return self.word(when, "staged", f"u_events.{name}_q")

        for name, holds in (("any", g.any(count)), ("many", g.less(constant(1, len(count)), count)), ("full", g.equal(count, constant(depth, len(count))))):
            yield f"records_{name}", g.differ(mine(name)[0], holds) ^ 1
        yield "second_record", g.equal(mine("second_at"), g.add(head, constant(1, len(head))))
        yield "records_fit", g.less(constant(depth, len(count)), count) ^ 1
        yield "tail", g.equal(g.add(head, count[:len(head)]), self.word(when, "simulated", "u_core.u_events.tail_q"))
        for k in range(depth):
            theirs = {name: self.word(when, "simulated", f"u_core.u_events.{name}_mem", k, depth) for name in ("whole", "done", "entered", "device", "state", "tag", "source", "stamp")}
            record = [bit for bits in theirs.values() for bit in bits]  # in the order of record_t, lowest first
            oldest = g.equal(head, constant(k, len(head)))
            yield f"oldest_record_{k}", g.either(g.both(oldest, mine("any")[0]) ^ 1, g.equal(mine("head"), record))
            used = g.both(g.less(g.subtract(constant(k, len(head)), head), count), oldest ^ 1)
            yield f"record_{k}", g.either(used ^ 1, g.equal(self.word(when, "staged", "u_events.record_mem", k, depth), record))

    def sequencer(self, when: str):
        """First entries are in registers, and so are the present entry and the one after it, unless it is the last one."""
        g, rows = self.graph, 2 * ENTRIES

        def theirs(name: str) -> list[int]:
            return self.word(when, "simulated", f"u_core.u_sequencer.{name}")

        def mine(name: str, index: int | None = None, count: int | None = None) -> list[int]:
            return self.word(when, "staged", f"u_sequencer.{name}", index, count)

        def entry(part) -> list[int]:  # in the order of entry_t, lowest first
            return [bit for name in ("input", "valid", "launch", "tag", "offset") for bit in part(name)]

        running, index, length, loop, idle = (theirs(f"{name}_q") for name in ("running", "index", "len", "loop", "idle"))
        stored = [entry(lambda name, k=k: self.word(when, "simulated", f"u_core.u_sequencer.{name}_mem", k, rows)) for k in range(rows)]
        for k in range(rows):
            yield f"entry_{k}", g.equal(mine("entry_mem", k, rows), stored[k])
        for bank in range(2):
            yield f"first_{bank}", g.equal(mine("first", bank, 2), stored[bank * ENTRIES])
        yield "loop_next", g.equal(mine("loop_next_q"), g.add(loop, theirs("period_q") + [aig.FALSE] * 32))
        now = self.word(when, "simulated", "u_core.time_q")
        due = mine("due_q")[0]
        present = chosen(g, index + [idle[0] ^ 1], stored)
        due_at = g.add(loop, present[-32:] + [aig.FALSE] * 32)
        yield "not_running", g.either(running[0], due ^ 1)
        yield "row", g.either(running[0] ^ 1, g.equal(mine("row_q"), present))
        yield "due", g.either(running[0] ^ 1, g.differ(due, g.less(now, due_at)))
        yield "since_now", g.equal(mine("since_now_q"), g.subtract(now, loop))
        for name, base in (("since_loop", loop), ("since_next", mine("loop_next_q"))):
            yield name, g.equal(mine(f"{name}_q"), g.subtract(g.add(now, constant(1, 64)), base))
        yield "again", g.differ(mine("again_q")[0], g.any(theirs("period_q"))) ^ 1
        following = g.add(index + [aig.FALSE], constant(1, len(index) + 1))
        last = g.equal(following, length)
        yield "last", g.differ(mine("last_q")[0], last) ^ 1
        yield "length_within_a_bank", g.less(constant(ENTRIES, len(length)), length) ^ 1
        yield "sane_sequencer", g.either(running[0] ^ 1, g.less(index + [aig.FALSE], length))
        second = constant(1, len(index))
        yield "after_at", g.equal(mine("after_at_q"), [g.either(g.both(last, x), g.both(last ^ 1, y)) for x, y in zip(second, g.add(index, constant(2, len(index))))])
        after = mine("after_q")
        at = following[:-1] + [idle[0] ^ 1]
        same = g.any([g.both(g.equal(at, constant(k, len(at))), g.equal(after, stored[k])) for k in range(rows)])
        yield "after", g.either(g.either(running[0] ^ 1, last), same)

    def light(self, when: str, o: int, state: list[int]):
        """What the detector and the positions of an output keep to, as relation_conditions.py says of the counter core."""
        g = self.graph

        def theirs(name: str, index: int | None = None) -> list[int]:
            return self.word(when, "simulated", f"u_core.u_outputs.{name}", index)

        cause, chosen, position = theirs("cause_q", o), theirs("input_q", o), theirs("g_positions.u_positions.position_q", o)
        lost, astray = (g.equal(cause, constant(code, 2)) for code in (LIGHT, MISROUTED))
        works = g.either(lost, theorems.is_one_of(g, state, [LOCKING, UP, HELD]))
        dim, ringing = (theirs(f"g_power.u_detector.{name}_q")[o] for name in ("dim", "ringing"))
        count, ring, rings = (g.any(theirs(f"g_power.u_detector.{name}_q", o)) for name in ("count", "ring", "rings"))
        counts = g.differ(g.differ(dim, lost), count) ^ 1
        yield f"detector_{o}", g.both(g.either(works ^ 1, counts), g.either(works, g.any([dim, count]) ^ 1))
        yield f"rings_{o}", g.all([g.differ(ring, rings) ^ 1, g.either(ringing ^ 1, ring), g.either(ring ^ 1, works)])
        yield f"position_in_range_{o}", theorems.is_a_port(g, position, self.ports)
        yield f"misrouted_{o}", g.either(astray ^ 1, g.both(theirs("g_positions.u_positions.known_q")[o], g.equal(position, chosen) ^ 1))

    def loads(self, when: str) -> int:
        """SHADOW_LOAD was executed at the edge before."""
        return self.word(when, "staged", "u_load.before_q")[-1]

    def shadow(self, when: str):
        """The shadow map, which SHADOW_LOAD writes an edge later; what it will write is known by then."""
        g, n, loads = self.graph, self.ports, self.loads(when)
        tap = self.word(when, "staged", "u_load.before_q")
        wide = (len(tap) - 1 - n) // n
        for o in range(n):
            valid = self.word(when, "simulated", "u_registers.u_settings.shadow_valid_o")[o]
            chosen = self.word(when, "simulated", "u_registers.u_settings.shadow_input_o", o)
            loaded = g.all([g.differ(valid, tap[n * wide + o]) ^ 1, g.equal(chosen, tap[o * wide:(o + 1) * wide] + [aig.FALSE] * (9 - wide)),
                            g.either(valid, g.any(chosen) ^ 1)])
            kept = g.both(g.differ(valid, self.word(when, "staged", "u_settings_p.shadow_valid_o")[o]) ^ 1,
                          g.equal(chosen, self.word(when, "staged", "u_settings_p.shadow_input_o", o)))
            yield f"shadow_{o}", g.either(g.both(loads, loaded), g.both(loads ^ 1, kept))

    def unknown(self) -> list[str]:
        """Registers that are neither copies nor in a relation."""
        wires = self.nets["staged"].wires
        told = {bit for name in wires if name.split("[")[0] in RELATED for bit in wires[name]} | self.front()
        return [name for name, pairs in self.nets["staged"].state.items() if any(bit not in told and bit not in self.copied for bit, _ in pairs)]


def bits_of(net: netlist.Netlist, values: dict[str, list[int]]) -> dict[int, int]:
    return {pair[0]: x for name, pairs in net.state.items() for pair, x in zip(pairs, values[name], strict=True)}


def chosen(g: aig.Graph, at: list[int], words: list[list[int]]) -> list[int]:
    """The word of this number."""
    named = [g.equal(at, constant(k, len(at))) for k in range(len(words))]
    return [g.any([g.both(here, bit) for here, bit in zip(named, bits)]) for bits in zip(*words)]


def drawn(g: aig.Graph, word: list[int]) -> list[int]:
    """The next number of a generator (section 2)."""
    for shift in (13, -17, 5):
        moved = [word[b - shift] if 0 <= b - shift < 32 else aig.FALSE for b in range(32)]
        word = [g.differ(a, b) for a, b in zip(word, moved)]
    return word


def at_once(run, ports: int) -> None:
    pair = AtOnce(run, ports)
    g, net = pair.graph, pair.nets["staged"]
    left = pair.unknown()
    run.note("skewed", "each_register_is_related", ports, solve.Answer(not left, f"wires of the netlist {left}" if left else "wires of the netlist", 0.0))
    s = {name: pair.word("before", "simulated", f"u_core.{name}") for name in ("u_outputs.state_q", "u_outputs.timer_q", "u_outputs.cause_q", "u_outputs.valid_q", "u_outputs.stop_q", "u_engines.state_q", "u_engines.acc_q", "u_engines.left_q", "u_engines.len_q", "u_engines.wait_q")}
    sane = [theorems.stop_is_sane(g, s, ports), *(theorems.output_is_sane(g, s, o, ports) for o in range(ports)),
            *(theorems.engine_is_sane(g, s, i, ports) for i in range(ports))]
    alone = g.both(pair.loads("before"), pair.simulated.wire("u_registers.u_front.access_o.request")[0]) ^ 1  # one access at a time (ocs_axil)
    early = g.all([pair.word(when, "simulated", "u_core.time_q")[63] ^ 1 for when in ("before", "after")])  # time stays below 2^63
    assumed = g.all([*sane, alone, early, *pair.products(), *(holds for _, holds in pair.related("before"))])
    run.possible("skewed", "assumptions", ports, g, assumed)
    claims = [(f"shown_{name}", g.equal(pair.staged.wire(name), pair.simulated.wire(name))) for name in ("irq_o", "time_o")]
    for name, pairs in sorted(net.state.items()):
        both = [(pair.after["staged"][bit], pair.after["simulated"][pair.copied[bit]]) for bit, _ in pairs if bit in pair.copied]
        if name == "u_status.error_q":
            mine, theirs = both[STEP_ERROR]
            both[STEP_ERROR] = mine, g.either(theirs, g.both(pair.too_far, pair.simulated.wire("u_core.rst_ni")[0]))
        if both:
            claims.append((f"next_{name}", g.equal(*(list(bits) for bits in zip(*both)))))
    run.claim_all("skewed", ports, g, assumed, claims + list(pair.related("after")), most=48)


# ---- the front end -----------------------------------------------------------------------------------------------------------
def front(run, ports: int) -> None:
    """With a latency: one access at a time, and what is found of it at the edge before is so when it goes out."""
    net = netlist.load("ocs_front", yosys.sources(), {"N": ports, "Latency": ANSWERED, "Options": 0}, run.out / f"skewed_front_{ports}", mounts=run.mounts())
    g = aig.Graph()
    first = netlist.Instance(g, net)
    second = netlist.Instance(g, net, state=first.next)

    def holds(edge: netlist.Instance) -> dict[str, int]:
        age = edge.wire("u_axil.g_later.age_q")
        alone = [g.both(a, b) ^ 1 for k, a in enumerate(age) for b in age[:k]]
        data, strobes, at = edge.wire("access_o.data"), edge.wire("access_o.biten"), edge.wire("addr")
        soft = g.all([edge.wire("write")[0], data[0], *strobes, g.equal(at, constant(2 << 9 | SOFT_RESET, 20))])
        found, regions = g.equal(edge.wire("g_before.found_q"), edge.wire("found_now")), g.equal(edge.wire("u_regs.decoded_reg_strb")[:4], edge.wire("region"))
        return {"one_access": g.all(alone), "none_is_left": edge.wire("u_regs.external_pending")[0] ^ 1, "is_found": g.either(age[1] ^ 1, found),
                "goes_where_its_address_is": g.either(age[1] ^ 1, regions),
                "soft_reset_is_known": g.either(age[1] ^ 1, g.differ(edge.wire("g_before.soft_q")[0], soft) ^ 1)}

    before, after = holds(first), holds(second)
    assumed = g.all([*before.values()])
    run.possible("skewed", "front_assumptions", ports, g, g.both(assumed, first.wire("access_o.request")[0]))
    for name, claimed in after.items():
        run.claim("skewed", f"front_{name}", ports, g, assumed, claimed)
    asked = g.all([first.wire("access_o.core_write")[0], g.equal(first.wire("access_o.core_addr"), constant(SOFT_RESET, 9)), first.wire("access_o.data")[0]])
    run.claim("skewed", "front_soft_reset", ports, g, assumed, g.differ(asked, first.wire("access_o.soft_reset")[0]) ^ 1)
    run.claim("skewed", "front_alone", ports, g, assumed, g.both(first.wire("access_o.request")[0], second.wire("access_o.request")[0]) ^ 1)


def skewed(run, ports: int) -> None:
    front(run, ports)
    aligned(run, ports)
    at_once(run, ports)
