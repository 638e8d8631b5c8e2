#!/usr/bin/env python3
# The gates that cells.py makes of a cell of words do what those do that Yosys makes of it.
# SPDX-License-Identifier: Apache-2.0
"""Usage: cells_test.py OUT. For each type of cell some cells of drawn widths and signs; that both circuits are the same is proved for all
values of their operands; of $shiftx for the bits that lie in its operand, since it says nothing of others. An x is nothing that
could be relied on; and of drawn graphs a query has a solution exactly if one of all values of the inputs is one, asked by itself and of a solver that stays. Exit 1 if something
differs, or if a type of cells.py has no cell."""
import itertools
import json
import pathlib
import random
import sys

import aig
import cells
import netlist
import solve
import yosys
from lemmas import constant

EACH, GRAPHS, QUESTIONS, SEED = 12, 200, 8, 1  # cells of a type; graphs; questions to a solver that stays, of each; the seed that Yosys draws widths with, and this script graphs
PMUX = """module \\gold
  wire width {wide} output 1 \\Y
  wire width {wide} input 2 \\A
  wire width {words} input 3 \\B
  wire width {many} input 4 \\S
  cell $pmux \\UUT
    parameter \\WIDTH {wide}
    parameter \\S_WIDTH {many}
    connect \\A \\A
    connect \\B \\B
    connect \\S \\S
    connect \\Y \\Y
  end
end
"""


def drawn(out: pathlib.Path) -> list[str]:
    """Names of files of one cell each, in `out`. Yosys draws cells of all types but $pmux."""
    for name in out.glob("cell_*"):
        name.unlink()
    types = [kind for kind in cells.CELLS if kind != "$pmux"]
    yosys.yosys([f"test_cell -s {SEED} -n {EACH} -w /out/cell_{kind} {kind}" for kind in types], out, 300)
    for wide, many in ((1, 1), (1, 4), (5, 3), (8, 2)):
        (out / f"cell_$pmux_{wide}_{many}.il").write_text(PMUX.format(wide=wide, many=many, words=wide * many))
    return sorted(path.name for path in out.glob("cell_*.il"))


def circuits(out: pathlib.Path, names: list[str]) -> list[tuple[str, dict, dict]]:
    """Of each file the type of its cell, the cell as words and as Yosys' gates."""
    script = []
    for k, name in enumerate(names):
        script += ["design -reset", f"read_rtlil /out/{name}", f"write_json /out/{k}_words.json", "techmap", "aigmap", f"write_json /out/{k}_gates.json"]
    yosys.yosys(script, out, 300)
    found = []
    for k in range(len(names)):
        words, gates = (next(iter(json.loads((out / f"{k}_{way}.json").read_text())["modules"].values())) for way in ("words", "gates"))
        kinds = {cell["type"] for cell in words["cells"].values()}
        found.append((" ".join(sorted(kinds)), words, gates))
    return found


def same(words: dict, gates: dict, out: pathlib.Path) -> bool:
    graph = aig.Graph()
    one = netlist.Instance(graph, netlist.parse(words, {}))
    other = netlist.Instance(graph, netlist.parse(gates, {}), inputs=one.inputs)
    wrong = [graph.both(said, graph.differ(x, y)) for name in one.net.outputs
             for x, y, said in zip(one.wire(name), other.wire(name), defined(one, words), strict=True)]
    return solve.impossible(graph, graph.any(wrong), out).proved is True


def defined(cell: netlist.Instance, words: dict) -> list[int]:
    """Of each bit of the result, whether the cell says what it is."""
    g, count = cell.graph, len(cell.wire("Y"))
    if all(one["type"] != "$shiftx" for one in words["cells"].values()):
        return [aig.TRUE] * count
    (one,) = words["cells"].values()
    by, width = cell.wire("B"), len(cell.wire("A"))
    size = max(width.bit_length(), len(by)) + 1
    negative = g.both(by[-1], int(one["parameters"]["B_SIGNED"], 2))
    within = [g.less(g.add(constant(k, size), by), constant(width, size)) for k in range(count)]
    return [g.both(negative ^ 1, inside) for inside in within]


def unknown(out: pathlib.Path) -> bool:
    """What depends on an x is neither 0 nor 1."""
    cell = {"type": "$and", "parameters": {"A_SIGNED": 0, "B_SIGNED": 0}, "connections": {"A": ["x"], "B": ["1"], "Y": [3]}}
    graph, net = aig.Graph(), netlist.parse({"netnames": {}, "ports": {"Y": {"direction": "output", "bits": [3]}}, "cells": {"and": cell}}, {})
    edge = netlist.Instance(graph, net)
    return not any(solve.impossible(graph, edge.value[3] ^ value, out).proved for value in (0, 1))


def value_of(graph: aig.Graph, root: int, given: dict[int, bool]) -> bool:
    values = {0: False} | given
    for node in graph.cone([root]):
        if node not in values:
            a, b = graph.left[node], graph.right[node]
            values[node] = values[a >> 1] ^ bool(a & 1) and values[b >> 1] ^ bool(b & 1)
    return values[root >> 1] ^ bool(root & 1)


def queries(out: pathlib.Path, draw: random.Random) -> int:
    """Of how many drawn graphs a query is answered as trying all values answers it not."""
    wrong = 0
    for k in range(GRAPHS):
        graph = aig.Graph(differences=k % 2 == 0)
        literals = inputs = graph.inputs(4)
        for _ in range(draw.randrange(4, 30)):
            literals = [*literals, graph.both(draw.choice(literals) ^ draw.randrange(2), draw.choice(literals) ^ draw.randrange(2))]
        root = literals[-1] ^ draw.randrange(2)
        given = [dict(zip([x >> 1 for x in inputs], values)) for values in itertools.product((False, True), repeat=4)]
        wrong += solve.impossible(graph, root, out).proved is any(value_of(graph, root, values) for values in given)
    return wrong


def standing(draw: random.Random) -> int:
    """Of how many questions to a solver that stays, each about literals of a graph that grows, the answer is wrong."""
    wrong = 0
    for k in range(GRAPHS):
        graph = aig.Graph(differences=k % 2 == 0)
        solver, inputs = solve.Standing(graph), graph.inputs(4)
        literals = list(inputs)
        given = [dict(zip([x >> 1 for x in inputs], values)) for values in itertools.product((False, True), repeat=4)]
        for _ in range(QUESTIONS):
            for _ in range(draw.randrange(2, 12)):
                literals.append(graph.both(draw.choice(literals) ^ draw.randrange(2), draw.choice(literals) ^ draw.randrange(2)))
            asked = [draw.choice(literals) ^ draw.randrange(2) for _ in range(draw.randrange(1, 4))]
            wrong += solver.impossible(*asked) is any(all(value_of(graph, x, values) for x in asked) for values in given)
    return wrong


def main() -> int:
    out = pathlib.Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    names, bad, seen = drawn(out), 0, {}
    for name, (kind, words, gates) in zip(names, circuits(out, names), strict=True):
        seen[kind] = seen.get(kind, 0) + 1
        if not same(words, gates, out):
            bad += 1
            print(f"{kind}: {name} differs from what Yosys makes of it")
    missing = sorted(set(cells.CELLS) - seen.keys())
    if missing:
        print(f"no cell was tried of: {', '.join(missing)}")
    wrong, relied_on = queries(out, random.Random(SEED)), not unknown(out)
    if relied_on:
        print("an x is taken for a value")
    wrong += standing(random.Random(SEED))
    print(f"seed {SEED}: {sum(seen.values())} cells of {len(seen)} types, {bad} differ; {GRAPHS} queries and {GRAPHS * QUESTIONS} questions to "
          f"solvers that stay, {wrong} answered wrong")
    return 1 if bad or missing or wrong or relied_on else 0


if __name__ == "__main__":
    sys.exit(main())
