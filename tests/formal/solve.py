# Decides whether a literal of a graph can be true: CaDiCaL first, ABC's iprove where that takes too long.
# SPDX-License-Identifier: Apache-2.0
import pathlib
import shutil
import subprocess
import time
from dataclasses import dataclass

import aig


@dataclass
class Answer:
    proved: bool | None  # None: not decided in time
    method: str
    seconds: float


def available() -> list[str]:
    """Solvers that are missing."""
    return [name for name in ("cadical", "berkeley-abc", "z3") if not shutil.which(name)]


def cadical(graph: aig.Graph, root: int, folder: pathlib.Path, seconds: float) -> bool | None:
    graph.clauses(folder / "query.cnf", root)
    done = subprocess.run(["cadical", "-q", "-n", "-t", str(int(seconds)), str(folder / "query.cnf")], stdout=subprocess.PIPE,
                          text=True, timeout=seconds + 60, check=False)
    return {10: False, 20: True}.get(done.returncode)


def iprove(graph: aig.Graph, root: int, folder: pathlib.Path, seconds: float) -> bool | None:
    graph.write(folder / "query.aig", root)
    try:
        done = subprocess.run(["berkeley-abc", "-q", f"read_aiger {folder / 'query.aig'}; strash; iprove"], stdout=subprocess.PIPE,
                              text=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return None
    return True if "UNSATISFIABLE" in done.stdout else False if "SATISFIABLE" in done.stdout else None


def impossible(graph: aig.Graph, root: int, folder: pathlib.Path, seconds: float = 60, alike: bool = False) -> Answer:
    """Whether no inputs make the root true. `alike`: it compares two circuits that are much alike, which ABC is better at."""
    start = time.monotonic()
    if root in (aig.FALSE, aig.TRUE):
        return Answer(root == aig.FALSE, "constant", 0.0)
    order = [("CaDiCaL", cadical, 0.3), ("ABC iprove", iprove, 0.7)]
    for method, solver, share in reversed(order) if alike else order:
        found = solver(graph, root, folder, max(5.0, seconds * share))
        if found is not None:
            return Answer(found, method, time.monotonic() - start)
    return Answer(None, "not decided", time.monotonic() - start)


def z3(text: str, folder: pathlib.Path, seconds: float = 30) -> Answer:
    """Whether an SMT-LIB script is unsatisfiable."""
    start = time.monotonic()
    (folder / "lemma.smt2").write_text(text)
    done = subprocess.run(["z3", f"-T:{int(seconds)}", str(folder / "lemma.smt2")], stdout=subprocess.PIPE, text=True,
                          timeout=seconds + 30, check=False)
    word = done.stdout.split("\n")[0].strip()
    return Answer({"unsat": True, "sat": False}.get(word), "z3", time.monotonic() - start)
