# What is known of the products and quotients that are cut out of both cores, at any RATE.
# SPDX-License-Identifier: Apache-2.0
"""Of each engine the states before an edge carry three words that no core has. With k = now - since, the cycles since the fast core
counted the engine's words: product = k·q, words = (acc + product) div D, rest = (acc + product) mod D. What is assumed of a cell that
was cut out are implications that hold of all integers: if its operands are these, its result is that. lemmas.py proves the lemmas used.
A cell is spoken of only in claims that depend on its result."""
from collections.abc import Iterator

import aig
import netlist
from lemmas import D, constant

SHIFT = 6  # Yosys multiplies by 625 and shifts
ONE_WORD = constant(D, 16)


class Ghosts:
    """The three words of each engine; of 32, 16 and 48 bits. Their bounds hold where the engine is open and below full rate."""

    def __init__(self, graph: aig.Graph, ports: int) -> None:
        self.words = [graph.inputs(32) for _ in range(ports)]
        self.rest = [graph.inputs(16) for _ in range(ports)]
        self.product = [graph.inputs(48) + [aig.FALSE] * 16 for _ in range(ports)]


def assumed(v) -> Iterator[tuple[str, int]]:
    """Of the words before the edge, what their definition says."""
    g, ghosts = v.graph, v.ghosts
    for i in range(v.ports):
        words, rest, product = ghosts.words[i], ghosts.rest[i], ghosts.product[i]
        settled = g.equal(v.fast("since", i), v.counter("time_q"))
        nothing = g.all([g.any(words) ^ 1, g.any(product) ^ 1, g.equal(rest, v.fast("acc", i))])
        yield f"no_cycles_no_words_{i}", v.implies(g.either(settled, g.any(v.setting("rate", i)) ^ 1), nothing)
        yield f"rest_{i}", g.less(rest, ONE_WORD)


class Later:
    """Words and rest a cycle later, if time moves, else the same: "quotients add up"."""

    def __init__(self, v, i: int, moves: bool) -> None:
        g, rate = v.graph, v.setting("rate", i)
        sum_ = g.add(v.ghosts.rest[i] + [aig.FALSE], rate + [aig.FALSE])
        word = g.less(sum_, ONE_WORD + [0]) ^ 1
        if moves:
            self.words = g.add(v.ghosts.words[i], [word] + [aig.FALSE] * 31)
            self.rest = g.subtract(sum_, [g.both(word, x) for x in ONE_WORD + [0]])[:16]
            self.product = g.add(v.ghosts.product[i], rate + [aig.FALSE] * 48)
        else:
            self.words, self.rest, self.product = v.ghosts.words[i], v.ghosts.rest[i], v.ghosts.product[i]


def bounds(v, i: int, moves: bool) -> Iterator[tuple[str, int]]:
    """Up to its stamp an engine offers no more words than are left, and before it fewer: "within the bound no more than what is left",
    "before the bound less than what is left", "before as many cycles as words are left less than them"."""
    if not moves:
        return
    g, later, left = v.graph, Later(v, i, moves), v.fast("left", i)
    nxt = g.add(v.counter("time_q"), constant(1, 64))
    timed = g.both(v.is_slow(i), v.bit("fast", "rated", i) ^ 1)
    yield f"no_more_words_than_left_{i}", v.implies(timed, v.at_most(later.words, left))
    yield f"fewer_before_the_stamp_{i}", v.implies(g.both(timed, g.less(nxt, v.fast("edl", i))), g.less(later.words, left))


def cells(edge: netlist.Instance) -> Iterator[tuple[str, str, list[int], list[int], list[int]]]:
    """Of each cell that was cut out its name, its type, its operands and its result."""
    for name, (kind, *_) in edge.net.cuts.items():
        a, b, y = (edge.wire(f"{name}_{port}") for port in "ABY")
        yield name, kind, a, b, y


def of_the_fast_core(v, edge: netlist.Instance, moves: bool) -> dict[str, int]:
    """Of each cell what holds of its result: "some words are at least one" and what the ghosts are."""
    g, facts = v.graph, {}
    engines = [(i, g.both(v.is_open(i), v.is_below(i)), later, cycles) for i in range(v.ports)
               for later, cycles in ((Later(v, i, at), cycles_at(v, i, at)) for at in ([False, True] if moves else [False]))]
    for name, kind, a, b, y in cells(edge):
        if places := multiple(g, kind, a, b, y):
            facts[name] = places
            continue
        if kind == "$mul" and constant_of(b) is None:
            holds = [v.implies(g.both(g.equal(a, cycles), g.all([runs, g.equal(b[:16], v.setting("rate", i))])), g.equal(y, later.product))
                     for i, runs, later, cycles in engines]
            holds.append(v.implies(g.any(a) ^ 1, g.any(y) ^ 1))
        elif kind == "$div":
            holds = [v.implies(g.both(runs, g.equal(a, fraction(v, i, later))), g.equal(y, later.words + [aig.FALSE] * 32))
                     for i, runs, later, _ in engines]
            holds.append(v.implies(g.less(a, ONE_WORD), g.any(y) ^ 1))
        else:
            whole = [aig.FALSE] * SHIFT + y
            holds = [v.implies(g.both(runs, g.equal(a[:32], later.words)),
                               g.equal(whole, g.subtract(fraction(v, i, later), later.rest)[:48])) for i, runs, later, _ in engines]
            holds.append(v.implies(g.any(a) ^ 1, g.any(y) ^ 1))
            holds.append(v.implies(g.equal(a, constant(1, len(a))), g.equal(y, constant(D >> SHIFT, len(y)))))
            holds.append(v.implies(g.any(a), g.less(y, constant(D >> SHIFT, 10)) ^ 1))
        facts[name] = g.all(holds)
    return facts


def cycles_at(v, i: int, later: bool) -> list[int]:
    now = v.counter("time_q")
    return v.graph.subtract(v.graph.add(now, constant(1, 64)) if later else now, v.fast("since", i))


def fraction(v, i: int, later: Later) -> list[int]:
    return v.graph.add(later.product, v.fast("acc", i))


def multiple(g: aig.Graph, kind: str, a: list[int], b: list[int], y: list[int]) -> int:
    """Of a product with a constant of 4 bits, where something of a port is found: all of it. 0: of another cell."""
    factor, other = (constant_of(a), b) if constant_of(a) is not None else (constant_of(b), a)
    if kind != "$mul" or factor is None or factor > 15:
        return aig.FALSE
    other, total = (other + [aig.FALSE] * len(y))[:len(y)], [aig.FALSE] * len(y)
    for k in range(4):
        if factor >> k & 1:
            total = g.add(total, ([aig.FALSE] * k + other)[:len(y)])
    return g.equal(y, total)


def constant_of(bits: list[int]) -> int | None:
    return sum(x << k for k, x in enumerate(bits)) if set(bits) <= {aig.FALSE, aig.TRUE} else None


def of_the_counter_core(v, edge: netlist.Instance) -> dict[str, int]:
    """A product with 0 or 1; "a quotient of less than two is none or one"."""
    g, facts = v.graph, {}
    for name, kind, a, b, y in cells(edge):
        if kind == "$div":
            facts[name] = v.implies(g.less(a, constant(2 * D, 17)), g.equal(y, [g.less(a, ONE_WORD) ^ 1] + [aig.FALSE] * (len(y) - 1)))
            continue
        wide = (b + [aig.FALSE] * len(y))[:len(y)]
        facts[name] = multiple(g, kind, a, b, y) or g.all([v.implies(g.equal(a, constant(k, len(a))), g.equal(y, product))
                                                           for k, product in enumerate(([aig.FALSE] * len(y), wide))])
    return facts


def stamped(v, after, edge: netlist.Instance, i: int) -> int:
    """After the edge the engine's stamp is `since` and a bound of what is left, or both are as they were. The bound is the words that are
    left, or an H with (H - 1)·2^m < left·D - acc for the smallest m with q <= 2^m."""
    g, rate, left, acc = v.graph, after.setting("rate", i), after.fast("left", i), after.fast("acc", i)
    away = g.subtract(after.fast("edl", i), after.fast("since", i))
    less_one = g.subtract(away, constant(1, 64))
    found = []
    for _, kind, a, b, y in cells(edge):
        if kind != "$mul" or constant_of(b) != D >> SHIFT:
            continue
        need = g.subtract([aig.FALSE] * SHIFT + y + [aig.FALSE] * 32, acc)[:64]
        tight = []
        for m in range(17):
            fits = g.less(constant(1 << m, 17), rate) ^ 1
            smallest = g.less(constant((1 << m) >> 1, 17), rate) if m else aig.TRUE
            small = g.both(g.any(less_one[64 - m:]) ^ 1, g.less(([aig.FALSE] * m + less_one)[:64], need))
            tight.append(v.implies(g.both(fits, smallest), small))
        found.append(g.all([g.equal(a[:32], left), *tight]))
    same = [g.equal(after.fast(name, i), v.fast(name, i)) for name in ("since", "acc", "left", "edl")]
    same.append(g.equal(rate, v.setting("rate", i)))
    kept = g.all([v.is_slow(i), v.bit("fast", "rated", i) ^ 1, *same])
    asked = g.both(after.is_slow(i), after.bit("fast", "rated", i) ^ 1)
    return v.implies(asked, g.any([kept, g.equal(away, left + [aig.FALSE] * 32), *found]))


def goes_on(v, after, i: int) -> int:
    """An engine whose words are not settled by the edge is as it was."""
    g = v.graph
    settled = g.equal(after.fast("since", i), after.counter("time_q"))
    same = [g.equal(after.fast(name, i), v.fast(name, i)) for name in ("since", "acc")] + [g.equal(after.setting("rate", i), v.setting("rate", i))]
    return v.implies(g.all([after.is_open(i), after.is_below(i), settled ^ 1]), g.both(v.is_open(i), g.all(same)))


class After:
    """Words and rest after the edge, of an engine that `goes_on` or is settled."""

    def __init__(self, v, after, moves: bool) -> None:
        g, self.words, self.rest = v.graph, [], []
        for i in range(v.ports):
            later, settled = Later(v, i, moves), g.equal(after.fast("since", i), after.counter("time_q"))
            self.words.append([g.both(settled ^ 1, x) for x in later.words])
            self.rest.append(v.choose(settled, after.fast("acc", i), later.rest))
