# The register window: what is refused, what a write changes, what a read answers, and that answers wait.
# SPDX-License-Identifier: Apache-2.0
"""One edge, from any state in which no access of the generated block is left hanging (proved to stay so), with any inputs. Expected values are
built here from section 12 and the addresses of registers.md, not from the RTL: by the address of the request and its port each setting is
what it was or what the write makes of it, and the answer is the register's value. Written and read together: a read of a setting gives what
was written last. The window is ocs_registers with all that it is made of; what the core shows it is free."""
import re

import aig
import netlist
import structs
import yosys
from lemmas import D, constant, element
from together import Together

MAP = yosys.ROOT / "docs/registers.md"
ROW = re.compile(r"^\| (0x[0-9a-f]+)(?: \+ (\d)·k)? \| (\w+)(?:\[\d+\])? \|")
COMMANDS = ("SOFT_RESET", "COMMIT", "COMMIT_CANCEL", "SHADOW_LOAD", "SEED", "SEQ_STORE", "SEQ_GO", "SEQ_SWAP", "SEQ_STOP", "START", "STOP", "RETRY")
CONSTANTS = ("ID", "VERSION", "CAP_SIZE", "CAP_WORD", "CAP_OPTIONS", "CYCLE_PS")
OWN = ("CTRL", "IRQ_ENABLE", "SEQ_OFFSET", "SEQ_LEN", "SEQ_PERIOD", "PROG", "PROG_LANES", "RECEIVER", "COMMIT_TAG", "BRIEF", "DISTURB", "DISTURB_AT", "LEVEL",
       "LOS_ASSERT", "LOS_RELEASE", "RING_AFTER", "RING", "RINGS")
MASKS = ("START", "STOP", "RETRY", "SEG_FULL", "SEQ_LAUNCH", "CHANGED", "ENDED")
WIDE = ("TIME", "COMMIT_AT", "SEQ_BASE", "EVENT_TIME", "COMMITS", "REFUSED", "LATE", "DROPPED", "PASSED", "LOST", "DARK", "TUNINGS", "RESTARTS", "SENT", "UNROUTED", "MISROUTED")
READ_ONLY = ("TIME", "EVENT_TIME", "COMMITS", "REFUSED", "LATE", "DROPPED", "EVENT", "STATUS", "IRQ_STATUS", "ACTIVE", "STATE", "ENGINE", "SEG", "SEG_FIRST",
             "SEG_COUNT", "PASSED", "LOST", "DARK", "TUNINGS", "RESTARTS", "SENT", "UNROUTED", "MISROUTED", "POWER", *CONSTANTS)
# Settings of a port: register -> (wire, its bits in the word from bit) of each field.
SETTINGS = {"BASE": [("base", 0)], "SLOW": [("slow", 0)], "LOCK": [("lock", 0)], "JITTER_MASK": [("jitter_mask", 0)], "FLAP": [("flap", 0)],
            "FAULT": [("los", 0), ("dead", 1), ("stuck", 2), ("keeps", 3)], "LASER": [("laser", 0)], "LOSS": [("loss", 0)], "LEN": [("len", 0)], "GAP": [("gap", 0)], "REPEAT": [("repeat", 0)],
            "BURST": [("tag", 0), ("gated", 16)], "SOURCE": [("rate", 0), ("external", 31)]}
TABLES = {"LOCK_WARM": "lock_warm", "LOCK_COLD": "lock_cold"}  # of POINTS words each, whatever the ports
POINTS = 16


def addresses() -> dict[str, tuple[int, int]]:
    """Of each register its address, and how far its ports lie apart (0: it has none)."""
    found = {}
    for row in map(ROW.match, MAP.read_text().splitlines()):
        if row:
            found.setdefault(row[3], (int(row[1], 16), int(row[2] or 0)))
    return found


def top_files(name: str) -> list[str]:
    return [f"/src/rtl/{line}" for line in (yosys.ROOT / "rtl" / name).read_text().split() if line.endswith(".sv")]


class Window:
    """The window at one edge."""

    soft, latch, answer = "access_o.soft_reset", "u_read.high_q", "u_read.data_q"

    def __init__(self, run, subject: str, top: str, files: list[str], ports: int) -> None:
        net = netlist.load(top, files, {"N": ports, "S": 2, "FifoDepth": 2}, run.out / f"{subject}_{ports}", mounts=run.mounts(), seconds=1500)
        self.run, self.subject, self.n, self.graph = run, subject, ports, aig.Graph()
        self.edge = netlist.Instance(self.graph, net)
        self.then = {pair[0]: self.edge.value[pair[1]] for pairs in net.state.values() for pair in pairs}
        g = self.graph
        self.request, self.write, self.refused, self.clears = (self.edge.wire(name)[0] for name in (
            "u_front.req", "u_front.write", "u_front.refused", self.soft))
        self.address, self.data, self.strobes = (self.edge.wire(f"u_front.{name}") for name in ("addr", "wdata", "biten"))
        self.alive = g.both(self.edge.wire("rst_ni")[0], self.edge.wire("u_front.stall_rd")[0] ^ 1)
        self.map = addresses()
        self.together = Together(run, subject, ports, g)

    def after(self, name: str) -> list[int]:
        """The wire once the edge has been; of a register."""
        return [self.then[bit] if isinstance(bit, int) else int(bit == "1") for bit in self.edge.net.wires[name]]

    def claim(self, name: str, claimed: int, given: int = aig.TRUE) -> None:
        self.together.claim(name, self.graph.both(self.alive, given), claimed)

    def is_at(self, address: int) -> int:
        """The request's word."""
        return self.graph.equal(self.address[2:], constant(address >> 2, 18))

    def words(self, name: str, port: int = 0) -> int:
        """The request names this register (either word of a wide one) of this port."""
        address, apart = self.map[name]
        first = self.is_at(address + apart * port)
        return self.graph.either(first, self.is_at(address + apart * port + 4)) if name in WIDE else first

    def merged(self, old: list[int]) -> list[int]:
        g = self.graph
        return [g.either(g.both(x, s ^ 1), g.both(d, s)) for x, d, s in zip(old, self.data, self.strobes)]


def choose(g: aig.Graph, condition: int, a: list[int], b: list[int]) -> list[int]:
    return [g.either(g.both(condition, x), g.both(condition ^ 1, y)) for x, y in zip(a, b, strict=True)]


def wide(bits: list[int], width: int) -> list[int]:
    return (bits + [aig.FALSE] * width)[:width]


def refusals(w: Window) -> None:
    """Exactly what section 12 refuses is refused."""
    g, n = w.graph, w.n
    partial = g.all(w.strobes) ^ 1
    masked = [g.both(d, s) for d, s in zip(w.data, w.strobes)]
    ok = []
    for name, (_, apart) in w.map.items():
        here = g.any([w.words(name, index) for index in range(POINTS if name in TABLES else n if apart and name not in MASKS else 1)])
        allowed = [here]
        if name in READ_ONLY:
            allowed.append(w.write ^ 1)
        if name in COMMANDS:
            allowed.append(g.both(w.write, partial) ^ 1)
        if name in MASKS:
            allowed.append(g.both(w.write, g.any(masked[n:])) ^ 1)
        if name == "SEQ_STORE":
            allowed.append(g.both(w.write, g.any(w.data[1:16])) ^ 1)  # S is 2
        ok.append(g.all(allowed))
    pairs = [w.is_at(0x40000 + 1024 * o + 4 * i) for o in range(n) for i in range(n)]
    w.claim("refused", g.differ(w.refused, g.any(ok + pairs) ^ 1) ^ 1, w.request)
    w.claim("nothing_is_refused_unasked", g.either(w.request, w.refused ^ 1))
    w.claim("nothing_hangs", w.after("u_front.stall_rd")[0] ^ 1)
    w.run.claim(w.subject, "nothing_hangs_after_reset", n, g, w.edge.wire("rst_ni")[0] ^ 1, w.after("u_front.stall_rd")[0] ^ 1)
    w.run.possible(w.subject, "see_refused", n, g, g.all([w.alive, w.request, w.refused]))
    w.run.possible(w.subject, "assumptions", n, g, g.all([w.alive, w.request, w.refused ^ 1]))


def settings(w: Window) -> None:
    """Each setting of each port: what it was, unless a write names it or SOFT_RESET clears it."""
    g, n = w.graph, w.n
    accepted = g.all([w.request, w.write, w.refused ^ 1])
    for name, fields in SETTINGS.items():
        for port in range(n):
            mine = g.both(accepted, w.words(name, port))
            for wire, first in fields:
                before, after = w.edge.wire(structs.setting(wire)), w.after(structs.setting(wire))
                before, after = element(before, port, n), element(after, port, n)
                written = w.merged([aig.FALSE] * first + before)[first:]
                cleared = constant(D if wire == "rate" else 0, len(before))
                expected = choose(g, w.clears, cleared, choose(g, mine, written, before))
                w.claim(f"{wire}_{port}", g.equal(after, expected))
    for name, wire in TABLES.items():
        for k in range(POINTS):
            before, after = (element(bits, k, POINTS) for bits in (w.edge.wire(structs.setting(wire)), w.after(structs.setting(wire))))
            expected = choose(g, g.both(accepted, w.words(name, k)), w.merged(before), before)
            w.claim(f"{wire}_{k}", g.equal(after, [g.both(w.clears ^ 1, x) for x in expected]))
    base = w.edge.wire(structs.setting("seq_base"))
    for half in range(2):
        mine = g.both(accepted, w.is_at(w.map["SEQ_BASE"][0] + 4 * half))
        old = base[32 * half:32 * half + 32]
        expected = choose(g, w.clears, [aig.FALSE] * 32, choose(g, mine, w.merged(old), old))
        w.claim(f"seq_base_{half}", g.equal(w.after(structs.setting("seq_base"))[32 * half:32 * half + 32], expected))
    launch = w.edge.wire(structs.setting("launch"))
    expected = choose(g, g.both(accepted, w.words("SEQ_LAUNCH")), w.merged(launch), launch)
    w.claim("launch", g.equal(w.after(structs.setting("launch")), [g.both(w.clears ^ 1, x) for x in expected]))
    w.claim("soft_reset", g.differ(w.clears, g.all([accepted, w.words("SOFT_RESET"), w.data[0]])) ^ 1)


def shadow(w: Window, on: int) -> None:
    """Each entry of the shadow map: what it was, or what a write of it says, or one of a block that begins one or two outputs before;
    apart from SHADOW_LOAD. An entry without a circuit has input 0."""
    g, n = w.graph, w.n
    loads = g.both(w.edge.wire("access_o.core_write")[0], w.words("SHADOW_LOAD"))
    given = [g.both(d, s) for d, s in zip(w.data, w.strobes)]
    accepted = g.all([w.request, w.write, w.refused ^ 1])
    for p in range(n):
        word = element(w.edge.wire("shadow_input_o"), p, n) + [aig.FALSE] * 22 + [w.edge.wire("shadow_valid_o")[p]]
        merged = w.merged(word)
        entry = choose(g, g.both(accepted, w.words("SHADOW", p)), merged[:9] + merged[31:], word[:9] + word[31:])
        for k, first in ((1, 9), (2, 19)):
            if p >= k:
                entry = choose(g, g.all([on, given[29], w.words("SHADOW", p - k)]), given[first:first + 10], entry)
        expected = [g.all([x, entry[9], w.clears ^ 1]) for x in entry]
        after = element(w.after("shadow_input_o"), p, n) + [w.after("shadow_valid_o")[p]]
        empty = g.either(w.edge.wire("shadow_valid_o")[p], g.any(element(w.edge.wire("shadow_input_o"), p, n)) ^ 1)
        w.claim(f"shadow_{p}", g.equal(after, expected), g.both(loads ^ 1, empty))


def brief(w: Window) -> None:
    """Commands that are part of a setting's write: with BRIEF.ON, where its strobes name the bit; and the port that it names."""
    g, n = w.graph, w.n
    on = g.all([w.request, w.write, w.refused ^ 1, w.edge.wire("modes_o.brief")[0]])
    for command, register, bit in (("commit", "SHADOW", 30), ("start", "BURST", 31)):
        asked = g.all([on, g.any([w.words(register, p) for p in range(n)]), w.data[bit], w.strobes[bit]])
        w.claim(f"brief_{command}", g.differ(w.edge.wire(f"access_o.{command}")[0], asked) ^ 1)
    shadow(w, on)
    ports = w.edge.wire("ports_o")
    for p in range(n):
        w.claim(f"brief_start_of_{p}", g.equal(ports, constant(1 << p, n)), g.both(w.edge.wire("access_o.start")[0], w.words("BURST", p)))


def reads(w: Window, values: dict[str, list[list[int]]]) -> None:
    """What the bus gets after a read: the register's value; of a wide one the word, or the latch."""
    g = w.graph
    latch = w.edge.wire(w.latch)
    answered = g.all([w.request, w.write ^ 1, w.refused ^ 1])
    data = w.after(w.answer)
    own = w.after("u_front.own_q")[0]
    for name, ports in sorted(values.items()):
        address, apart = w.map[name]
        for port, value in enumerate(ports):
            low = g.both(answered, w.is_at(address + apart * port))
            same = [g.equal(data, wide(value, 32)), own ^ 1]
            if name in WIDE:
                same.append(g.equal(w.after(w.latch), value[32:]))
                high = g.both(answered, w.is_at(address + apart * port + 4))
                w.claim(f"read_{name}_{port}_high", g.all([g.equal(data, latch), own ^ 1]), high)
            w.claim(f"read_{name}_{port}", g.all(same), low)
    w.run.possible(w.subject, "see_answered", w.n, g, g.all([w.alive, answered, g.any(data)]))


def values(w: Window) -> dict[str, list[list[int]]]:
    """What the settings' registers read."""
    found = {}
    for name, fields in SETTINGS.items():
        found[name] = []
        for port in range(w.n):
            word = [aig.FALSE] * 32
            for wire, first in fields:
                bits = element(w.edge.wire(structs.setting(wire)), port, w.n)
                word[first:first + len(bits)] = bits
            found[name].append(word)
    for name, wire in TABLES.items():
        found[name] = [element(w.edge.wire(structs.setting(wire)), k, POINTS) for k in range(POINTS)]
    return found | {"SEQ_BASE": [w.edge.wire(structs.setting("seq_base"))], "SEQ_LAUNCH": [w.edge.wire(structs.setting("launch"))]}


def waits(w: Window) -> None:
    """AXI4-Lite: what was accepted is executed once and answered; an answer stays as it is until it is taken."""
    g, bus = w.graph, "u_front.u_axil."

    def now(name: str) -> list[int]:
        return w.edge.wire(bus + name)

    def then(name: str) -> list[int]:
        return w.after(bus + name)

    write, read = now("do_write")[0], now("do_read")[0]
    for name, done in (("b", write), ("r", read)):
        valid, behind, error, error_behind = (f"{name}{part}_q" for part in ("valid", "next", "error", "next_error"))
        taken = g.both(now(valid)[0], w.edge.wire(f"axil_req_i.{name}ready")[0])
        waiting = g.both(now(valid)[0], taken ^ 1)
        w.claim(f"answer_{name}_stays", g.both(then(valid)[0], g.equal(then(error), now(error))), waiting)
        w.claim(f"answer_{name}_waits_behind", g.both(then(behind)[0], g.equal(then(error_behind), now(error_behind))), g.both(waiting, now(behind)[0]))
        w.claim(f"answer_{name}_comes_forward", g.both(then(valid)[0], g.equal(then(error), now(error_behind))), g.both(taken, now(behind)[0]))
        w.claim(f"nothing_is_behind_no_{name}", g.either(then(behind)[0] ^ 1, then(valid)[0]))
        # An answer more, or one less: as a number, of which there are two at most.
        before, after = ([g.differ(state(valid)[0], state(behind)[0]), g.both(state(valid)[0], state(behind)[0])] for state in (now, then))
        w.claim(f"no_{name}_is_lost", g.equal(g.add(before, [done, aig.FALSE]), g.add(after, [taken, aig.FALSE])), g.either(now(behind)[0] ^ 1, now(valid)[0]))
        last = choose(g, then(behind)[0], then(error_behind), then(error))
        w.claim(f"{'write' if done == write else 'read'}_is_answered", g.both(then(valid)[0], g.equal(last, [w.refused])), done)

    def shown(word) -> list[int]:
        """Data on the R channel."""
        known = choose(g, word("u_front.own_q")[0], word("u_front.own_rdata_q"), word(w.answer))
        data = choose(g, word(f"{bus}rnext_q")[0], word(f"{bus}rkept_q"), known)
        return [g.both(word(f"{bus}rerror_q")[0] ^ 1, x) for x in data]

    waiting = g.both(now("rvalid_q")[0], w.edge.wire("axil_req_i.rready")[0] ^ 1)
    w.claim("answer_r_keeps_its_data", g.equal(shown(w.edge.wire), shown(w.after)), waiting)
    for name, held, kept, done in (("aw", "aw_held_q", ["awaddr"], write), ("w", "w_held_q", ["wdata", "wstrb"], write), ("ar", "ar_held_q", ["araddr"], read)):
        waiting = g.both(now(held)[0], done ^ 1)
        w.claim(f"{name}_waits", g.all([then(held)[0]] + [g.equal(then(f"{k}_q"), now(f"{k}_q")) for k in kept]), waiting)
        offered = [g.equal(then(f"{k}_q"), w.edge.wire(f"axil_req_i.{k}")[-len(then(f"{k}_q")):]) for k in kept]
        w.claim(f"{name}_gives_way_to_the_next", g.all([g.differ(then(held)[0], w.edge.wire(f"axil_req_i.{name}valid")[0]) ^ 1, *offered]), waiting ^ 1)
    w.claim("one_at_a_time", g.both(write, read) ^ 1)
    # Neither waits for more than one of the other.
    can_write = g.all([now("aw_held_q")[0], now("w_held_q")[0], now("bnext_q")[0] ^ 1])
    can_read = g.both(now("ar_held_q")[0], now("rnext_q")[0] ^ 1)
    w.claim("write_is_next", g.either(write, then("read_was_last_q")[0]), can_write)
    w.claim("read_is_next", g.either(read, then("read_was_last_q")[0] ^ 1), can_read)
    last = now("read_was_last_q")[0]
    w.claim("write_goes_after_a_read", write, g.both(can_write, last))
    w.claim("read_goes_after_a_write", read, g.both(can_read, last ^ 1))
    w.claim("something_is_done", g.either(write, read), g.either(can_write, can_read))


def bus(run, ports: int) -> None:
    files = [name for name in top_files("ocs.f") if any(part in name for part in ("_pkg", "ocs_regs.sv", "axil", "access", "settings", "pair", "reg_read", "front", "strobes", "registers"))]
    w = Window(run, "bus", "ocs_registers", files, ports)
    with w.together:
        window(w)


def window(w: Window) -> None:
    """All that is claimed of it."""
    ports = w.n
    refusals(w)
    settings(w)
    brief(w)
    waits(w)

    def each(name: str, field: str, side: str = "i") -> list[list[int]]:
        return [element(w.edge.wire(structs.at(name, field, side)), p, ports) for p in range(ports)]

    found = {field.upper(): each("port_counters", field) for field, _, _ in structs.structs()["port_counters"]}
    found |= {field.upper(): [w.edge.wire(structs.at("device_view", field, "i"))] for field, _, _ in structs.structs()["device_view"]}
    found |= {"TIME": found.pop("CYCLE"), "EVENT": found.pop("EVENT_WORD")}
    view = {field: each("port_view", field) for field, _, _ in structs.structs()["port_view"]}
    found |= {name.upper(): view[name] for name in ("engine", "seg_first", "seg_count")}
    found |= {name.upper(): [[bit for bits in view[name] for bit in bits]] for name in ("seg_full", "changed", "ended")}
    none, shadow = [aig.FALSE], w.edge.wire("shadow_input_o")
    found["ACTIVE"] = [wide(chosen, 31) + valid for chosen, valid in zip(view["selected"], view["valid"])]
    found["SHADOW"] = [wide(element(shadow, p, ports), 31) + [w.edge.wire("shadow_valid_o")[p]] for p in range(ports)]
    found["STATE"] = [state + none * 5 + cause + none * 6 + disturbed + dim
                      for state, cause, disturbed, dim in zip(view["state"], view["cause"], view["disturbed"], view["dim"])]
    g, no_light = w.graph, constant(1 << 31, 32)
    found["POWER"] = [choose(g, lit[0], power + [power[-1]] * 14, no_light) for lit, power in zip(view["lit"], view["power"])]
    found["SEG"] = [wide(chosen, 16) + tag for chosen, tag in zip(view["seg_input"], view["seg_tag"])]
    reads(w, values(w) | found)
