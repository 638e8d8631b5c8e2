# A module of the RTL as a function: from state and inputs to next state, outputs and the checks bound to it.
# SPDX-License-Identifier: Apache-2.0
"""Yosys flattens the module to cells of words, cells.py makes gates of them. Flip-flops become inputs (state before the edge) and outputs
(after it). The products and quotients of the burst engines are cut out: their results are free inputs, their operands outputs."""
import fcntl
import hashlib
import json
import pathlib
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, field

import aig
import cells

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import structs  # noqa: E402  (uses it)
import yosys  # noqa: E402  (tools/yosys.py)

WORDS = ["hierarchy -top {top}", "proc", "flatten", "opt", "memory_map", "opt", "dffunmap",
         "opt -full -nodffe -nosdff", "opt_clean", "write_json /out/words.json"]
PART = ["hierarchy -top {top}", "proc", "flatten", "memory_map", "opt_clean", "write_json /out/words.json"]  # most of it goes next

PARTS_OF = {"ocs_outputs": ("ocs_next", "ocs_receivers", "ocs_positions", "ocs_power", "ocs_detector")}  # modules that a module is made of


@dataclass
class Netlist:
    """Bits are numbers of Yosys, or "0", "1"; an x is a number of its own where a cell or a register gets it, else "x", which is 0."""
    inputs: dict[str, list] = field(default_factory=dict)
    outputs: dict[str, list] = field(default_factory=dict)
    state: dict[str, list] = field(default_factory=dict)   # name -> (bit before, bit after) for each bit
    wires: dict[str, list] = field(default_factory=dict)   # named wires
    checks: list[tuple] = field(default_factory=list)      # (kind, name, condition, enable)
    gates: list[tuple] = field(default_factory=list)       # (bit, two literals of bits) in topological order: their conjunction
    clocks: dict[str, set] = field(default_factory=dict)   # of each register the bits that clock it
    unknown: list[int] = field(default_factory=list)       # bits that were x: free inputs of each instance
    cuts: dict[str, tuple] = field(default_factory=dict)   # name -> (type, bits of a, bits of b, bits of y)


def cut_hard_cells(module: dict, also: dict[str, str]) -> dict[str, str]:
    """Takes out products and quotients, and cells of `also`, name -> cell; name of the cut -> its type."""
    cuts = {}
    named = {cell: name for name, cell in also.items()}
    for name in sorted(module["cells"], key=lambda name: [part.zfill(9) for part in re.split(r"(\d+)", name)]):
        cell = module["cells"][name]
        wires = cell["connections"]
        if cell["type"] not in ("$div", "$mod", "$mul") and name not in named:
            continue
        cut = named.get(name) or f"cut{len(cuts):04}"
        cuts[cut] = cell["type"]
        for port in "ABY":
            module["ports"][f"{cut}_{port}"] = {"direction": "input" if port == "Y" else "output", "bits": wires[port]}
            module["netnames"][f"{cut}_{port}"] = {"hide_name": 0, "bits": wires[port], "attributes": {}}
        del module["cells"][name]
    return cuts


def keep_only(module: dict, wires: list[str]) -> None:
    names = {bit: name for name, wire in sorted(module["netnames"].items(), key=lambda item: rank(item[0]), reverse=True)
             if not wire.get("hide_name") for bit in wire["bits"]}
    for name in [name for name, port in module["ports"].items() if port["direction"] == "output"]:
        del module["ports"][name]
    registers = set()
    for name in [name for name, cell in module["cells"].items() if cell["type"] == "$dff"]:
        registers |= {names[bit] for bit in module["cells"].pop(name)["connections"]["Q"] if isinstance(bit, int)}
    for name in registers:
        module["ports"][f"{name}"] = {"direction": "input", "bits": module["netnames"][name]["bits"]}
    for name in wires:
        module["ports"][f"keep.{name}"] = {"direction": "output", "bits": module["netnames"][name]["bits"]}
    for name in set(module["cells"]) - cells_behind(module, {bit for name in wires for bit in module["netnames"][name]["bits"]}):
        del module["cells"][name]


def cells_behind(module: dict, wanted: set) -> set[str]:
    """Cells that these bits depend on."""
    drivers = {}
    for name, cell in module["cells"].items():
        for port, bits in cell["connections"].items():
            if cell["port_directions"][port] == "output":
                drivers.update(dict.fromkeys(bits, name))
    seen, rest = set(), list(wanted)
    while rest:
        name = drivers.get(rest.pop())
        if name is not None and name not in seen:
            seen.add(name)
            cell = module["cells"][name]
            rest += [bit for port, bits in cell["connections"].items() if cell["port_directions"][port] == "input" for bit in bits]
    return seen


def lower_checks(module: dict) -> None:
    """A check that samples at the clock's edge says of the values before that edge what a check without a clock says."""
    for cell in module["cells"].values():
        if cell["type"] == "$check":
            cell["type"] = "$" + cell["parameters"]["FLAVOR"].strip()
            cell["parameters"] = {}
            cell["connections"] = {port: cell["connections"][port] for port in ("A", "EN")}
            cell["port_directions"] = {"A": "input", "EN": "input"}


def load(top: str, files: list[str], parameters: dict[str, int], out: pathlib.Path, defines: list[str] = (),
         includes: list[str] = ("/src/rtl", "/src/rtl/checks"), seconds: float = 300,
         mounts: dict[str, pathlib.Path] | None = None, only: list[str] | None = None,
         also: Callable[[dict], dict[str, str]] | None = None) -> Netlist:
    """`also` says which further cells are cut out, and under which names. With `only`, registers become free inputs and nothing is
    kept but these wires and what they depend on. A netlist of the same sources in `out` is taken again."""
    out.mkdir(parents=True, exist_ok=True)
    with open(out / "lock", "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # another process may be making the same one
        return made(top, files, parameters, out, list(defines), list(includes), seconds, mounts, only, also)


def made(top: str, files: list[str], parameters: dict[str, int], out: pathlib.Path, defines: list[str], includes: list[str], seconds: float,
         mounts: dict[str, pathlib.Path] | None, only: list[str] | None, also: Callable[[dict], dict[str, str]] | None) -> Netlist:
    read = [yosys.read(top, files, parameters, defines, includes)] + [line.format(top=top) for line in (PART if only else WORDS)]
    key = fingerprint(read, files, includes, mounts)
    if not (out / "key").exists() or (out / "key").read_text() != key:
        yosys.yosys(read, out, seconds, mounts)
        (out / "key").write_text(key)
    module = json.loads((out / "words.json").read_text())["modules"][top]
    lower_checks(module)
    if only:
        keep_only(module, only)
    cuts = cut_hard_cells(module, also(module) if also else {})
    return parse(module, cuts)


def fingerprint(script: list[str], files: list[str], includes: list[str], mounts: dict[str, pathlib.Path] | None) -> str:
    """Of all that a netlist is made from: a netlist is taken again only if nothing of it has changed."""
    def here(name: str) -> pathlib.Path:
        for at, folder in (mounts or {}).items():
            if (name + "/").startswith(at + "/"):
                return folder / name[len(at) + 1:]
        return yosys.ROOT / name.removeprefix("/src/")

    digest = hashlib.sha256(pathlib.Path(__file__).read_bytes())
    digest.update((yosys.ROOT / "tools/requirements.txt").read_bytes())
    sources = [here(name) for name in files] + [path for folder in includes for path in sorted(here(folder).rglob("*.svh"))]
    for text in [line.encode() for line in script] + [path.read_bytes() for path in sources]:
        digest.update(hashlib.sha256(text).digest())
    return digest.hexdigest()


def rank(name: str) -> tuple:
    """Of several names of a register the one that its own module gives it comes first."""
    return ("u_checks" in name, not name.split("[")[0].endswith(("_q", "_mem")), len(name))


def parse(module: dict, cuts: dict[str, str]) -> Netlist:
    net = Netlist()
    names = {}
    for name, wire in module["netnames"].items():
        if not wire.get("hide_name"):
            net.wires[name] = wire["bits"]
            net.wires.update(structs.fields(name, wire["bits"]))
            for k, bit in enumerate(wire["bits"]):
                if isinstance(bit, int) and (bit not in names or rank(name) < rank(names[bit][0])):
                    names[bit] = (name, k)
    for name, port in module["ports"].items():
        if port["direction"] == "input":  # by field, so that each can be given
            net.inputs.update(dict(structs.fields(name, port["bits"])) or {name: port["bits"]})
        else:
            net.outputs[name] = port["bits"]
    gates, registers = cells.Gates(1 + highest(module)), {}
    for name, cell in module["cells"].items():
        kind, wires = cell["type"], cell["connections"]
        if kind in ("$assert", "$assume", "$cover"):
            net.checks.append((kind[1:], name.split(".")[-1], wires["A"][0], wires["EN"][0]))
        elif kind in cells.CELLS:
            cells.add_cell(gates, cell)
        elif kind == "$dff" and int(cell["parameters"]["CLK_POLARITY"], 2) == 1:
            for bit, after in zip(wires["Q"], wires["D"], strict=True):
                word, k = names.get(bit, (f"bit{bit}", 0))
                registers.setdefault(word, {})[k] = (bit, gates.anything() >> 1 if after == "x" else after)
                net.clocks.setdefault(word, set()).update(wires["CLK"])
        elif kind != "$scopeinfo":
            raise yosys.ToolError(f"cell {name} of type {kind} is left in the netlist")
    for word in sorted(registers):
        net.state[word] = [registers[word][k] for k in sorted(registers[word])]
    for cut, kind in cuts.items():
        ports = module["ports"]
        net.cuts[cut] = (kind, *(ports[f"{cut}_{port}"]["bits"] for port in "ABY"))
    net.gates, net.unknown = ordered(gates.made), gates.unknown + undriven(net, gates)
    return net


def undriven(net: Netlist, gates: cells.Gates) -> list[int]:
    """Bits that something looks at and nothing drives, as of a wire whose cells Yosys has taken out: they are x."""
    driven = {bit for bits in net.inputs.values() for bit in bits} | {before for pairs in net.state.values() for before, _ in pairs}
    driven |= gates.made.keys() | set(gates.unknown) | {0}
    seen = {bit for bits in (*net.wires.values(), *net.outputs.values()) for bit in bits if isinstance(bit, int)}
    seen |= {operand >> 1 for pair in gates.made.values() for operand in pair}
    seen |= {after for pairs in net.state.values() for _, after in pairs if isinstance(after, int)}
    return sorted(seen - driven)


def highest(module: dict) -> int:
    """The largest number of a bit."""
    wires = [wire["bits"] for wire in (*module["netnames"].values(), *module["ports"].values())]
    wires += [bits for cell in module["cells"].values() for bits in cell["connections"].values()]
    return max(bit for bits in wires for bit in bits if isinstance(bit, int))


def ordered(made: dict[int, tuple[int, int]]) -> list[tuple]:
    """Gates so that operands come first."""
    out, done = [], set()
    for first in made:
        stack = [first]
        while stack:
            bit = stack[-1]
            if bit in done:
                stack.pop()
                continue
            a, b = made[bit]
            rest = [x for x in (a >> 1, b >> 1) if x in made and x not in done]
            if rest:
                stack += rest
                continue
            done.add(bit)
            out.append((bit, a, b))
            stack.pop()
    return out


class Instance:
    """One edge of the module within a graph. What isn't given is a free input; wires of `force`
    and numbers of `bits` have the values given."""

    def __init__(self, graph: aig.Graph, net: Netlist, state: dict[str, list[int]] | None = None,
                 inputs: dict[str, list[int]] | None = None, force: dict[str, list[int]] | None = None,
                 bits: dict[int, int] | None = None) -> None:
        self.graph, self.net = graph, net
        value = {0: aig.FALSE, "0": aig.FALSE, "1": aig.TRUE, "x": aig.FALSE}
        value.update((bit, graph.input()) for bit in net.unknown)
        self.inputs, self.state = {}, {}
        for name, numbers in net.inputs.items():
            given = (inputs or {}).get(name)
            self.inputs[name] = given if given is not None else graph.inputs(len(numbers))
            value.update((bit, x) for bit, x in zip(numbers, self.inputs[name]) if isinstance(bit, int))
        for name, pairs in net.state.items():
            given = (state or {}).get(name)
            self.state[name] = given if given is not None else graph.inputs(len(pairs))
            value.update((pair[0], x) for pair, x in zip(pairs, self.state[name]))
        forced = {bit: x for name, given in (force or {}).items() for bit, x in zip(net.wires[name], given)} | (bits or {})
        value.update(forced)
        both = graph.both
        self.driven = {}  # what forced wires would be otherwise
        for bit, a, b in net.gates:
            to = self.driven if bit in forced else value
            to[bit] = both(value[a >> 1] ^ a & 1, value[b >> 1] ^ b & 1)
        self.value = value
        self.next = {name: [value[pair[1]] for pair in pairs] for name, pairs in net.state.items()}

    def wire(self, name: str) -> list[int]:
        return [self.value[bit] if isinstance(bit, int) else int(bit == "1") for bit in self.net.wires[name]]

    def check(self, condition, enable) -> int:
        """The literal of "enabled implies holds"."""
        return self.graph.either(self.value[enable] ^ 1, self.value[condition])

    def covers(self) -> list[tuple[str, int]]:
        """Cover points by name, with the literal of "it happens"."""
        return [(name, self.graph.both(self.value[condition], self.value[enable])) for kind, name, condition, enable in sorted(self.net.checks)
                if kind == "cover"]
