# Proves that a mutant of a netlist does what the switch does.
# SPDX-License-Identifier: Apache-2.0
"""Module for netlist_mutants.py. All mutants that are asked about are in one netlist, whose input `mutant_i` says which acts. The switch
and a mutant get the same inputs in the same state, in any in which the register block waits for nobody (refine_step_0 proves that it never
does); then all that they show must be the same, and the next states of all registers that this depends on. Products of two variables
and quotients are cut out: of the same operands they are the same."""
import heapq
import json
import os
import pathlib
import random
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "tests/formal"), str(ROOT / "tools")]
import aig  # noqa: E402
import netlist  # noqa: E402
import netlist_mutants as mutants  # noqa: E402
import solve  # noqa: E402
import yosys  # noqa: E402

SECONDS = 5    # of CaDiCaL, for each question
DRAWN = 4096   # values of each input that are tried before CaDiCaL is asked: a third has few ones, a third few zeros
ALL = (1 << DRAWN) - 1
UNSEEN = ("offer_o", "index_o", "tag_o", "up_o", "input_o", "word_valid_o", "word_o")  # a switch that counts words has none that cross


def seen_later(net: netlist.Netlist, shown: list) -> set:
    """Bits that are shown, and the next states of all registers that they depend on, now or later. What other registers hold nobody sees."""
    after = {before: then for pairs in net.state.values() for before, then in pairs}
    operands = {bit: [a >> 1, b >> 1] for bit, a, b in net.gates}
    operands |= {bit: a + b for _, a, b, y in net.cuts.values() for bit in y}
    seen = {bit for bit in shown if isinstance(bit, int)}
    met, rest = set(), list(seen)
    while rest:
        bit = rest.pop()
        if bit in met:
            continue
        met.add(bit)
        rest += operands.get(bit, [])
        if isinstance(after.get(bit), int):
            seen.add(after[bit])
            rest.append(after[bit])
    return seen


def as_sums(module: dict) -> None:
    """Makes sums of the products of a variable and a constant with several bits, both without a sign."""
    for name in [name for name, cell in module["cells"].items() if cell["type"] == "$mul"]:
        cell = module["cells"][name]
        wires, signs = cell["connections"], [int(cell["parameters"][f"{port}_SIGNED"], 2) for port in "AB"]
        factor, other = (wires[port] for port in ("AB" if all(bit in ("0", "1") for bit in wires["A"]) else "BA"))
        places = [k for k, bit in enumerate(factor) if bit == "1"]
        if any(signs) or len(places) < 2 or not all(bit in ("0", "1") for bit in factor):
            continue
        width = len(wires["Y"])
        first, *shifted = ((["0"] * k + other + ["0"] * width)[:width] for k in places)
        del module["cells"][name]
        for k, term in enumerate(shifted):
            first = mutants.add_cell(module, f"{name}_{k}", "$add", {"A": first, "B": term})
        module["cells"][f"{name}_{len(shifted) - 1}"]["connections"]["Y"] = wires["Y"]


def add_names(module: dict, named: dict[str, dict]) -> None:
    """Adds the names of wires that are gone, where each of their bits had another name that is left."""
    left = module["netnames"]
    at = {bit: (name, k) for name, wire in named.items() if name in left for k, bit in enumerate(wire["bits"]) if isinstance(bit, int)}
    for name, wire in named.items():
        if name not in left and not wire.get("hide_name") and all(isinstance(bit, str) or bit in at for bit in wire["bits"]):
            bits = [bit if isinstance(bit, str) else left[at[bit][0]]["bits"][at[bit][1]] for bit in wire["bits"]]
            left[name] = {"hide_name": 0, "bits": bits, "attributes": {}}


class Same:
    def __init__(self, top: str, changes: dict[int, dict], switch: pathlib.Path, out: pathlib.Path) -> None:
        self.begin(self.load(top, changes, switch, out), aig.Graph(), out)
        never = [bit for name, bits in self.net.wires.items() if name.split(".")[-1] == "stall_rd" for bit in bits]  # nothing_hangs
        self.possible = self.graph.any([self.switch.value[bit] for bit in never if isinstance(bit, int)]) ^ 1

    def begin(self, net: netlist.Netlist, graph: aig.Graph, out: pathlib.Path, state: dict[str, list[int]] | None = None) -> None:
        """An edge of the switch from this state, or from any."""
        self.net, self.graph, self.out = net, graph, out
        self.random, self.chance, self.fixed = random.Random(1), [0], {}
        self.width = len(self.net.inputs["mutant_i"])
        self.switch = netlist.Instance(self.graph, self.net, state, {"mutant_i": [aig.FALSE] * self.width})
        self.readers: dict[int, list[int]] = {}
        for k, (_, *operands) in enumerate(self.net.gates):
            for operand in operands:
                self.readers.setdefault(operand >> 1, []).append(k)
        self.shown = [name for name in self.net.outputs if name not in UNSEEN and not name.startswith("cut")]
        self.seen = seen_later(self.net, [bit for name in self.shown for bit in self.net.outputs[name]])

    @staticmethod
    def load(top: str, changes: dict[int, dict], switch: pathlib.Path, out: pathlib.Path) -> netlist.Netlist:
        yosys.yosys(["read_rtlil /switch/switch.il", *mutants.commands(changes), *netlist.WORDS[3:]], out, 3600, {"/switch": switch.resolve()})
        module, named = (json.loads(path.read_text())["modules"][top] for path in (out / "words.json", switch / "names.json"))
        add_names(module, named["netnames"])
        as_sums(module)
        return netlist.parse(module, netlist.cut_hard_cells(module, {}))

    def changed(self, mutant: int, free: dict[str, list[int]]) -> dict[int, int]:
        """Literals of those bits of the mutant that aren't the switch's; `free`: results of products and quotients of its own."""
        given = {"mutant_i": [mutant >> k & 1 for k in range(self.width)]} | {f"{cut}_Y": bits for cut, bits in free.items()}
        found, rest = {}, []

        def note(bit: int, literal: int) -> None:
            if literal != self.switch.value[bit]:
                found[bit] = literal
                for k in self.readers.get(bit, []):
                    heapq.heappush(rest, k)

        for name, literals in given.items():
            for bit, literal in zip(self.net.inputs[name], literals):
                note(bit, literal)
        last = -1
        while rest:
            k = heapq.heappop(rest)
            if k == last:
                continue
            last = k
            bit, *operands = self.net.gates[k]
            note(bit, self.graph.both(*(found.get(operand >> 1, self.switch.value[operand >> 1]) ^ operand & 1 for operand in operands)))
        return found

    def differ(self, bits: set, found: dict[int, int]) -> int:
        """The literal of "one of these bits isn't the switch's"."""
        return self.graph.any([self.graph.differ(self.switch.value[bit], found[bit]) for bit in sorted(bits & found.keys())])

    def operands(self, cut: str) -> set:
        """Bits that the result depends on. The quotient of x and 2^k m is that of x div 2^k and m."""
        kind, a, b, _ = self.net.cuts[cut]
        if kind == "$div":
            a = a[b.index("1") if set(b) == {"0", "1"} else 0:]
        return {bit for bit in [*a, *b] if isinstance(bit, int)}

    def drawn(self) -> int:
        third = DRAWN // 3
        few = self.random.getrandbits(third) & self.random.getrandbits(third) & self.random.getrandbits(third)
        many = ((1 << third) - 1) ^ (self.random.getrandbits(third) & self.random.getrandbits(third) & self.random.getrandbits(third))
        return few | many << third | self.random.getrandbits(DRAWN - 2 * third) << 2 * third

    def by_chance(self, literal: int) -> int:
        """The literal's values for the drawn values of all inputs, one bit each."""
        g = self.graph
        for node in range(len(self.chance), len(g.left)):
            a, b = g.left[node], g.right[node]
            self.chance.append(self.fixed[node] if node in self.fixed else self.drawn() if a < 0 else
                               (self.chance[a >> 1] ^ -(a & 1) & ALL) & (self.chance[b >> 1] ^ -(b & 1) & ALL))
        return self.chance[literal >> 1] ^ -(literal & 1) & ALL

    def result(self, cut: str, found: dict[int, int]) -> list[int]:
        """Free inputs for a product or quotient of the mutant; those drawn differ from the switch's at most where its operands do."""
        other, bits = self.by_chance(self.differ(self.operands(cut), found)), []
        for literal in self.switch.wire(f"{cut}_Y"):
            value = self.by_chance(literal) ^ self.random.getrandbits(DRAWN) & other
            bits.append(self.graph.input())
            self.fixed[bits[-1] >> 1] = value
        return bits

    def impossible(self, root: int) -> bool:
        if root == aig.FALSE or self.by_chance(root) != 0:
            return root == aig.FALSE
        folder = self.out / f"query_{os.getpid()}"
        folder.mkdir(exist_ok=True)
        (folder / "query.cnf").write_text(self.graph.clauses(root))
        return solve.cadical(folder, SECONDS) is True

    def edge(self, mutant: int) -> tuple[dict[int, int], int]:
        """The mutant's edge: literals of those bits that aren't the switch's, and what is known of its products and quotients."""
        g, free = self.graph, {}
        while True:
            found = self.changed(mutant, free)
            loose = [cut for cut in self.net.cuts if cut not in free and self.differ(self.operands(cut), found) != aig.FALSE]
            if not loose:
                alike = [g.either(self.differ(self.operands(cut), found), g.equal(self.switch.wire(f"{cut}_Y"), bits)) for cut, bits in free.items()]
                return found, g.all(alike)
            free |= {cut: self.result(cut, found) for cut in loose}

    def proved(self, mutant: int) -> bool:
        found, alike = self.edge(mutant)
        return self.impossible(self.graph.all([self.possible, alike, self.differ(self.seen, found)]))
