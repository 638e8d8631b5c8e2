# Decides whether a literal of a graph can be true: CaDiCaL first, ABC where that takes too long, both for headlines.
# SPDX-License-Identifier: Apache-2.0
import hashlib
import importlib.util
import pathlib
import resource
import shutil
import subprocess
from dataclasses import dataclass, replace

import aig


@dataclass
class Answer:
    proved: bool | None  # None: not decided in time
    method: str
    seconds: float       # of one processor, of the solver


KNOWN: dict[bytes, Answer] = {}  # queries that this run has answered


def available() -> list[str]:
    """Solvers that are missing."""
    here = [] if importlib.util.find_spec("pysat") else ["python-sat (of build/venv)"]
    return [name for name in ("cadical", "berkeley-abc", "z3", "prlimit") if not shutil.which(name)] + here


def spent() -> float:
    """Processor time of all solvers so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def limited(command: list[str], seconds: float) -> subprocess.CompletedProcess:
    """The solver is ended after so many seconds of processor time: what it can do doesn't depend on what else runs. The limit is set by
    another program, since Python would have to copy itself to set it, with all its graphs."""
    return subprocess.run(["prlimit", f"--cpu={int(seconds) + 1}", *command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False)


def cadical(folder: pathlib.Path, seconds: float, *options: str) -> bool | None:
    done = limited(["cadical", "-q", "-n", *options, str(folder / "query.cnf")], seconds)
    return {10: False, 20: True}.get(done.returncode)


class Standing:
    """CaDiCaL with the clauses of one graph. A question adds those of its own nodes, and what was learnt for one serves the next. It keeps no
    time: a caller that wants a limit asks in a process of its own. Questions of a solution, such as covers, are faster so; where there is
    none, some claims are faster and others slower."""

    def __init__(self, graph: aig.Graph, expected: bool = True) -> None:
        """`expected`: the answer that is looked for first."""
        from pysat.solvers import Solver
        self.graph, self.present, self.solver = graph, set(), Solver(name="cadical195")
        if expected:
            self.solver.configure({"stabilize": 0, "walk": 0})  # as its option --unsat

    def add(self, root: int) -> None:
        graph, rest = self.graph, [root >> 1]
        while rest:
            node = rest.pop()
            if node in self.present or node == 0:
                continue
            self.present.add(node)
            if graph.left[node] < 0:
                continue
            operands = graph.choice(node) or (graph.left[node], graph.right[node])
            rest += [x >> 1 for x in operands]
            self.solver.append_formula(gate(node, *map(variable, operands)))

    def impossible(self, *literals: int) -> bool:
        """Whether no inputs make all of them true."""
        if aig.FALSE in literals:
            return True
        asked = [x for x in literals if x != aig.TRUE]
        for literal in asked:
            self.add(literal)
        return not self.solver.solve(assumptions=[variable(x) for x in asked])


def variable(literal: int) -> int:
    """A literal of a graph as one of DIMACS."""
    return -(literal >> 1) if literal & 1 else literal >> 1


def gate(out: int, a: int, b: int, other: int | None = None) -> list[list[int]]:
    """Clauses as those of Graph.clauses: `out` is "a and b"; of three operands it is the inverse of "b where a holds, else `other`"."""
    if other is None:
        return [[-out, a], [-out, b], [out, -a, -b]]
    return [[-a, -b, -out], [-a, b, out], [a, -other, -out], [a, other, out]]


def abc(graph: aig.Graph, root: int, folder: pathlib.Path, seconds: float) -> bool | None:
    """Its search for a solution; where that takes longer, `iprove`, which looks for nodes that are the same."""
    graph.write(folder / "query.aig", root)
    for command, limit in (("dsat", min(seconds, 30)), ("iprove", seconds)):
        done = limited(["berkeley-abc", "-q", f"read_aiger {folder / 'query.aig'}; strash; {command}"], limit)
        if "SATISFIABLE" in done.stdout:
            return "UNSATISFIABLE" in done.stdout
    return None


def impossible(graph: aig.Graph, root: int, folder: pathlib.Path, seconds: float = 60, twice: bool = False, expected: bool = True,
               second: bool = True) -> Answer:
    """Whether no inputs make the root true. A query that differs from an earlier one in the names of its inputs alone has its
    answer. `twice`: what CaDiCaL has proved, each of its clauses checked, ABC has to confirm. `expected`: the answer that is looked for
    first. `second`: ABC is asked where CaDiCaL takes too long."""
    if root in (aig.FALSE, aig.TRUE):
        return Answer(root == aig.FALSE, "constant", 0.0)
    text = graph.clauses(root)
    key = hashlib.sha256(text.encode()).digest() + bytes([twice])
    if key in KNOWN:
        return replace(KNOWN[key], method="as one before", seconds=0.0)
    (folder / "query.cnf").write_text(text)
    start = spent()
    found, method = cadical(folder, seconds, *["--unsat"] * expected, *["--check", "--checkproof"] * twice), "CaDiCaL"
    if found is None and second:
        found, method = abc(graph, root, folder, 4 * seconds), "ABC"
    elif found and twice:
        found, method = abc(graph, root, folder, 4 * seconds), "CaDiCaL checked, ABC"
    answer = Answer(found, "not decided" if found is None else method, spent() - start)
    if found is not None:
        KNOWN[key] = answer
    return answer


def z3(text: str, folder: pathlib.Path, seconds: float = 30) -> Answer:
    """Whether an SMT-LIB script is unsatisfiable."""
    start = spent()
    (folder / "lemma.smt2").write_text(text)
    done = limited(["z3", str(folder / "lemma.smt2")], seconds)
    word = done.stdout.split("\n")[0].strip()
    return Answer({"unsat": True, "sat": False}.get(word), "z3", spent() - start)
