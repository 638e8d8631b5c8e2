# And-inverter graphs: built with sharing, instantiated, written for ABC and as clauses for a SAT solver.
# SPDX-License-Identifier: Apache-2.0
"""A literal is an integer: twice the node's number, odd if inverted. Literal 0 is false, 1 is true."""
import pathlib

FALSE, TRUE = 0, 1


class Logic:
    """What can be built of conjunctions; both() makes one."""

    def both(self, a: int, b: int) -> int:
        raise NotImplementedError

    def either(self, a: int, b: int) -> int:
        return self.both(a ^ 1, b ^ 1) ^ 1

    def differ(self, a: int, b: int) -> int:
        return self.both(self.both(a, b) ^ 1, self.both(a ^ 1, b ^ 1) ^ 1)

    def all(self, literals: list[int]) -> int:
        """Conjunction, as a balanced tree."""
        rest = list(literals) or [TRUE]
        while len(rest) > 1:
            rest = [self.both(*rest[k:k + 2]) if k + 1 < len(rest) else rest[k] for k in range(0, len(rest), 2)]
        return rest[0]

    def any(self, literals: list[int]) -> int:
        return self.all([x ^ 1 for x in literals]) ^ 1

    def equal(self, a: list[int], b: list[int]) -> int:
        assert len(a) == len(b)
        return self.all([self.differ(x, y) ^ 1 for x, y in zip(a, b)])

    def add(self, a: list[int], b: list[int], carry: int = FALSE) -> list[int]:
        """Sum modulo two to the width of a, which b is extended to."""
        out = []
        for k, x in enumerate(a):
            y = b[k] if k < len(b) else FALSE
            half = self.differ(x, y)
            out.append(self.differ(half, carry))
            carry = self.either(self.both(x, y), self.both(half, carry))
        return out

    def subtract(self, a: list[int], b: list[int]) -> list[int]:
        return self.add(a, [x ^ 1 for x in b] + [TRUE] * (len(a) - len(b)), TRUE)

    def less(self, a: list[int], b: list[int]) -> int:
        """a < b, unsigned."""
        borrow = FALSE
        for k in range(max(len(a), len(b))):
            x, y = (a[k] if k < len(a) else FALSE), (b[k] if k < len(b) else FALSE)
            borrow = self.either(self.both(x ^ 1, y), self.both(self.differ(x, y) ^ 1, borrow))
        return borrow


class Graph(Logic):
    """Nodes are numbered in topological order; node 0 is the constant."""

    def __init__(self, differences: bool = True) -> None:
        """`differences`: in a query a difference is one variable, not three."""
        self.left, self.right = [0], [0]  # of an input: -1
        self.known: dict[tuple[int, int], int] = {}
        self.shape = [0]  # a node's structure, the names of inputs left out
        self.differences = differences

    def input(self) -> int:
        self.left.append(-1)
        self.right.append(-1)
        self.shape.append(1)
        return 2 * (len(self.left) - 1)

    def inputs(self, width: int) -> list[int]:
        return [self.input() for _ in range(width)]

    def both(self, a: int, b: int) -> int:
        if a > b:
            a, b = b, a
        if a == FALSE or a == b ^ 1:
            return FALSE
        if a == TRUE or a == b:
            return b
        key = (a, b)
        found = self.known.get(key)
        if found is None:
            x, y = 2 * self.shape[a >> 1] + (a & 1), 2 * self.shape[b >> 1] + (b & 1)
            if x > y:
                a, b, x, y = b, a, y, x
            self.left.append(a)
            self.right.append(b)
            self.shape.append(hash((x, y)))
            found = self.known[key] = 2 * (len(self.left) - 1)
        return found

    def cone(self, roots: list[int]) -> list[int]:
        """Numbers of the nodes that the roots depend on, ascending."""
        seen, rest = set(), [x >> 1 for x in roots]
        while rest:
            node = rest.pop()
            if node in seen or node == 0:
                continue
            seen.add(node)
            if self.left[node] >= 0:
                rest += [self.left[node] >> 1, self.right[node] >> 1]
        return sorted(seen)

    def replaced(self, root: int, values: dict[int, int]) -> int:
        """The root with literals in place of some nodes."""
        now = {0: 0}
        for node in self.cone([root]):
            if node in values or self.left[node] < 0:
                now[node] = values.get(node, 2 * node)
            else:
                a, b = self.left[node], self.right[node]
                now[node] = self.both(now[a >> 1] ^ (a & 1), now[b >> 1] ^ (b & 1))
        return now[root >> 1] ^ (root & 1)

    def write(self, path: pathlib.Path, root: int) -> None:
        """One output, in binary AIGER; only what it depends on."""
        cone = self.cone([root])
        inputs = [n for n in cone if self.left[n] < 0]
        gates = [n for n in cone if self.left[n] >= 0]
        number = {0: 0} | {n: k + 1 for k, n in enumerate(inputs + gates)}

        def literal(x: int) -> int:
            return 2 * number[x >> 1] + (x & 1)

        body = bytearray()
        for node in gates:
            low, high = sorted((literal(self.left[node]), literal(self.right[node])))
            for delta in (2 * number[node] - high, high - low):
                while delta >= 128:
                    body.append(delta & 127 | 128)
                    delta >>= 7
                body.append(delta)
        head = f"aig {len(inputs) + len(gates)} {len(inputs)} 0 1 {len(gates)}\n{literal(root)}\n"
        path.write_bytes(head.encode() + bytes(body))

    def choice(self, node: int) -> tuple[int, int, int] | None:
        """(s, x, y) of a conjunction that is the inverse of "x where s holds, else y"."""
        a, b = self.left[node], self.right[node]
        if not a & b & 1:
            return None
        a, b = a >> 1, b >> 1
        if self.left[a] < 0 or self.left[b] < 0:
            return None
        for s, x in ((self.left[a], self.right[a]), (self.right[a], self.left[a])):
            for t, y in ((self.left[b], self.right[b]), (self.right[b], self.left[b])):
                if s == t ^ 1 and (self.differences or x != y ^ 1):
                    return s, x, y
        return None

    def clauses(self, root: int) -> str:
        """DIMACS: satisfiable exactly if the root can be true. Queries that are alike but for the names of their inputs mostly give
        the same text: nodes are numbered as they are met from the root, operands are ordered by their structure. A choice of two is
        one variable, not three."""
        left, right, number, of, rest = self.left, self.right, {}, {}, [root >> 1]
        while rest:
            node = rest.pop()
            if node and node not in number:
                number[node] = len(number) + 1
                if left[node] >= 0:
                    of[node] = operands = self.choice(node) or (left[node], right[node])
                    rest += [x >> 1 for x in reversed(operands)]
        written = []
        for node, operands in of.items():
            out, words = number[node], [-number[x >> 1] if x & 1 else number[x >> 1] for x in operands]
            if len(words) == 2:
                a, b = words
                written.append(f"-{out} {a} 0\n-{out} {b} 0\n{out} {-a} {-b} 0\n")
            else:
                s, x, y = words
                written.append(f"{-s} {-x} -{out} 0\n{-s} {x} {out} 0\n{s} {-y} -{out} 0\n{s} {y} {out} 0\n")
        claim = "0" if root == FALSE else "1 -1 0" if root == TRUE else f"{-number[root >> 1] if root & 1 else number[root >> 1]} 0"
        count = sum(len(operands) + 1 for operands in of.values())
        return f"p cnf {max(1, len(number))} {count + 1}\n{''.join(written)}{claim}\n"
