# What the proofs know of the products and quotients that are cut out of the burst engines, and the proof of that on integers.
# SPDX-License-Identifier: Apache-2.0
"""Letters: acc, q = RATE, D = 40000 (full rate), k = cycles, Q = (acc + k·q) div D, L = words left, m: the smallest with q <= 2^m,
need = L·D - acc, H = ceil(need / 2^m). The RTL's bound is max(H, L); that it is, is proved of the bits (rate_bound)."""
import aig
import netlist
import solve

D = 40000
GIVEN = """(declare-const acc Int) (declare-const q Int) (declare-const k Int) (declare-const w Int) (declare-const left Int)
(declare-const kq Int) (declare-const p Int) (declare-const h Int)
(define-fun d () Int 40000)
(assert (and (<= 0 acc) (< acc d) (<= 0 q) (< q d) (<= 0 k)))
(assert (= kq (* k q)))
(assert (and (<= (* w d) (+ acc kq)) (< (+ acc kq) (* (+ w 1) d))))
"""
SMT = {
    "at most a word a cycle": GIVEN + "(assert (<= kq (* k (- d 1)))) (assert (not (<= w k)))",
    "no rate, no words": GIVEN + "(assert (= q 0)) (assert (not (= w 0)))",
    # Of real numbers, hence of integers; the other lemmas are told where they need it.
    "a product rises with its factors": "(declare-const x Real) (declare-const a Real) (declare-const b Real)"
                                        "(assert (and (<= 0 x) (<= a b))) (assert (not (<= (* x a) (* x b))))",
    # p stands for 2^m: (h - 1)·p < need, q <= p.
    "within the bound no more than what is left": GIVEN +
    "(assert (and (<= 1 left) (<= 1 k) (<= k h) (<= q p) (< (* (- h 1) p) (- (* left d) acc))))"
    "(assert (<= (* (- k 1) q) (* (- k 1) p))) (assert (<= (* (- k 1) p) (* (- h 1) p))) (assert (= kq (+ (* (- k 1) q) q)))"
    "(assert (not (<= w left)))",
    "before the bound less than what is left": GIVEN +
    "(assert (and (<= 1 left) (<= 0 k) (< k h) (<= q p) (< (* (- h 1) p) (- (* left d) acc))))"
    "(assert (<= (* k q) (* k p))) (assert (<= (* k p) (* (- h 1) p)))"
    "(assert (not (< w left)))",
    "before as many cycles as words are left less than them": GIVEN +
    "(assert (and (<= 1 left) (<= 1 k) (< k left) (<= kq (* k (- d 1))))) (assert (not (< w left)))",
    "quotients add up": """(declare-const acc Int) (declare-const q Int) (declare-const kq Int)
(declare-const w1 Int) (declare-const a1 Int) (declare-const w2 Int) (declare-const a2 Int) (declare-const w Int) (declare-const a Int)
(define-fun rest ((x Int)) Bool (and (<= 0 x) (< x 40000)))
(assert (and (rest acc) (rest a1) (rest a2) (rest a)))
(assert (= (+ acc kq) (+ (* 40000 w1) a1))) (assert (= (+ a1 q) (+ (* 40000 w2) a2))) (assert (= (+ acc kq q) (+ (* 40000 w) a)))
(assert (not (and (= w (+ w1 w2)) (= a a2))))""",
    "a quotient of less than two is none or one": """(declare-const a Int) (declare-const w Int)
(assert (and (<= 0 a) (< a 80000) (<= (* 40000 w) a) (< a (* 40000 (+ w 1)))))
(assert (not (= w (ite (>= a 40000) 1 0))))""",
    "some words are at least one": "(declare-const a Int) (assert (<= 1 a)) (assert (not (<= 625 (* 625 a))))",
}

SHARPER = {  # of each lemma what is a little more than true: that it has exceptions shows that the lemma speaks of something
    "at most a word a cycle": ("(<= w k)", "(< w k)"),
    "no rate, no words": ("(= q 0)", "(<= q 1)"),
    "a product rises with its factors": ("(<= 0 x)", "(<= (- 1) x)"),
    "within the bound no more than what is left": ("(<= w left)", "(< w left)"),
    "before the bound less than what is left": ("(not (< w left))", "(not (< (+ w 1) left))"),
    "before as many cycles as words are left less than them": ("(< k left)", "(<= k left)"),
    "quotients add up": ("(rest a2)", ""),
    "a quotient of less than two is none or one": ("(< a 80000)", "(<= a 80000)"),
    "some words are at least one": ("(<= 1 a)", "(<= 0 a)"),
}


def prove(folder, seconds: float = 30):
    """(name, whether it is a lemma and not a sharper one, answer) of each lemma on integers."""
    for name, text in SMT.items():
        yield name, True, solve.z3(text + "\n(check-sat)\n", folder, seconds)
        yield f"see_{name}", False, solve.z3(text.replace(*SHARPER[name]) + "\n(check-sat)\n", folder, seconds)


def element(bits: list[int], index: int, count: int) -> list[int]:
    """Element of an unpacked array of `count`; slang puts element 0 highest."""
    width = len(bits) // count
    start = (count - 1 - index) * width
    return bits[start:start + width]


def constant(value: int, width: int) -> list[int]:
    return [value >> k & 1 for k in range(width)]


class Engine:
    """Signals of one burst engine at one edge, with what is cut out of it. What is known of that is said after
    check_operands() alone: it holds if the operands are what they should be."""
    checked = False

    def __init__(self, instance: netlist.Instance, prefix: str, index: int, count: int, step: list[int]) -> None:
        net, graph = instance.net, instance.graph
        wire = instance.wire

        def own(name: str) -> list[int]:
            return element(wire(prefix + name), index, count)

        self.graph, self.step = graph, step
        self.acc, self.left, self.rate, self.bound = own("acc_q"), own("left_q"), own("burst_cfg_i.rate"), own("bound_o")
        self.wait = own("wait_q")
        self.state = own("state_q")
        self.open, self.external = wire(prefix + "open")[index], own("burst_cfg_i.external")[0]
        # What is cut out is told by its operands: step * RATE, their sum's quotient, quotient * D, left * D.
        rate_bits, left_bits = element(net.wires[prefix + "burst_cfg_i.rate"], index, count), element(net.wires[prefix + "left_q"], index, count)
        self.product = self.quotient = self.total = self.back = self.whole = None
        cuts = list(net.cuts.values())
        step_bits = net.wires.get(prefix + "step_i", [])
        self.operands = {}  # of each cut that is used, whether they are what is said of them

        def literals(bits: list) -> list[int]:
            return [instance.value[bit] if isinstance(bit, int) else int(bit == "1") for bit in bits]

        def number(bits: list) -> int | None:
            """None: it is no constant."""
            return sum(int(bit) << k for k, bit in enumerate(bits)) if set(bits) <= {"0", "1"} else None

        def shift_of(b: list) -> int:
            """Yosys multiplies by 625 and shifts by 6."""
            return max((D // (number(b) or D)).bit_length() - 1, 0)

        def times_full_rate(a: list, b: list, width: int) -> bool:
            return set(a[width:]) <= {"0"} and (number(b) or 0) << shift_of(b) == D

        def scaled(b: list, y: list) -> list[int]:
            return [aig.FALSE] * shift_of(b) + literals(y)

        for kind, a, b, y in cuts:
            if kind == "$mul" and rate_bits in (a[:16], b[:16]):
                rate, other = (a, b) if a[:16] == rate_bits else (b, a)
                self.product = literals(y)
                self.operands["product"] = set(rate[16:]) <= {"0"} and other[:32] == step_bits and set(other[32:]) <= {"0"}
            if kind == "$mul" and left_bits == a[:32]:
                self.whole = scaled(b, y)
                self.operands["whole"] = times_full_rate(a, b, 32)
        wanted = {x >> 1 for x in self.product or []}
        for kind, a, b, y in cuts:
            if kind == "$div" and wanted & set(graph.cone(literals(a[:8]))):
                self.total, self.quotient = literals(a), literals(y)
                back = next(c for c in cuts if c[0] == "$mul" and c[1][:32] == y[:32])
                self.back = scaled(back[2], back[3])
                self.operands |= {"quotient": number(b) == D, "back": times_full_rate(back[1], back[2], 32)}

    def below_full(self) -> int:
        return self.graph.less(self.rate, constant(D, 16))

    def rest(self) -> list[int]:
        return self.graph.subtract(self.total, self.back)

    def sums(self) -> int:
        """What is divided is the remainder of before and the product."""
        g, width = self.graph, len(self.total)

        def wide(bits: list[int]) -> list[int]:
            return (bits + [aig.FALSE] * width)[:width]

        return g.equal(self.total, g.add(wide(self.acc), wide(self.product)))

    def given(self) -> int:
        """What the lemmas on integers take for granted."""
        assert self.checked, "check_operands() comes first"
        return self.graph.both(self.graph.less(self.acc, constant(D, 16)), self.below_full())

    def divides(self) -> int:
        """The quotient is at most the step, and its remainder is one; as a condition on this edge."""
        g = self.graph
        return g.either(self.given() ^ 1, g.both(g.less(self.step, self.quotient) ^ 1, g.less(self.rest(), constant(D, 16))))

    def known(self) -> int:
        """What is proved of the quotient on integers, as a condition on this edge."""
        g = self.graph
        some = g.any(self.rate)
        none = g.either(some, g.any(self.quotient) ^ 1)
        asked = g.all([self.open, some, g.any(self.left), self.external ^ 1])
        within = g.less(self.bound, self.step) ^ 1
        before = g.less(self.step, self.bound)
        bounded = g.all([g.either(within ^ 1, g.less(self.left, self.quotient) ^ 1),
                         g.either(before ^ 1, g.less(self.quotient, self.left))])
        return g.both(self.divides(), g.either(self.given() ^ 1, g.both(none, g.either(asked ^ 1, bounded))))

    def rate_bound(self) -> int:
        """The bound below full rate is L, or H with (H - 1)·2^m < need, or none; to be proved of the bits."""
        g, width = self.graph, 64
        need = g.subtract(self.whole + [aig.FALSE] * (width - len(self.whole)), self.acc)
        asked = g.all([self.open, g.any(self.rate), self.below_full(), g.any(self.left), self.external ^ 1,
                       g.less(self.acc, constant(D, 16)), g.less(self.whole, constant(D, 16)) ^ 1])
        holds = [g.less(self.bound, self.left) ^ 1]
        less_one = g.subtract(self.bound, constant(1, 32))
        for m in range(17):
            fits = g.less(constant(1 << m, 17), self.rate) ^ 1
            tight = g.less(constant((1 << m) >> 1, 17), self.rate) if m else aig.TRUE
            small = g.less(([aig.FALSE] * m + less_one + [aig.FALSE] * width)[:width], need)
            holds.append(g.either(g.both(fits, tight) ^ 1, g.either(g.equal(self.bound, self.left), small)))
        return g.either(asked ^ 1, g.all(holds))


def check_operands(run, subject: str, ports: int, engines: list[Engine]) -> None:
    """What the lemmas speak of is what was cut out: STEP * RATE, the quotient of it and acc by 40000, 40000 times words."""
    for index, engine in enumerate(engines):
        right = all(engine.operands.values()) and len(engine.operands) == 4
        run.note(subject, f"operands_{index}", ports, solve.Answer(right, "wires of the netlist", 0.0))
        run.claim(subject, f"operands_sum_{index}", ports, engine.graph, aig.TRUE, engine.sums())
        engine.checked = True


def engines(instance: netlist.Instance, prefix: str, count: int, step: list[int]) -> list[Engine]:
    return [Engine(instance, prefix, i, count, step) for i in range(count)]
