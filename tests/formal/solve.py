# Decides whether a literal of a graph can be true: CaDiCaL first, ABC's iprove where that takes too long, both for headlines.
# SPDX-License-Identifier: Apache-2.0
import hashlib
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
    return [name for name in ("cadical", "berkeley-abc", "z3") if not shutil.which(name)]


def spent() -> float:
    """Processor time of all solvers so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def cadical(folder: pathlib.Path, seconds: float, *options: str) -> bool | None:
    """`seconds` of processor time."""
    done = subprocess.run(["cadical", "-q", "-n", *options, "-t", str(int(seconds)), str(folder / "query.cnf")], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    return {10: False, 20: True}.get(done.returncode)


def iprove(graph: aig.Graph, root: int, folder: pathlib.Path, seconds: float) -> bool | None:
    graph.write(folder / "query.aig", root)
    try:
        done = subprocess.run(["berkeley-abc", "-q", f"read_aiger {folder / 'query.aig'}; strash; iprove"], stdout=subprocess.PIPE,
                              text=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return None
    return True if "UNSATISFIABLE" in done.stdout else False if "SATISFIABLE" in done.stdout else None


def impossible(graph: aig.Graph, root: int, folder: pathlib.Path, seconds: float = 60, twice: bool = False) -> Answer:
    """Whether no inputs make the root true. A query that differs from an earlier one in the names of its inputs alone has its
    answer. `twice`: what CaDiCaL has proved, each of its clauses checked, ABC has to confirm."""
    if root in (aig.FALSE, aig.TRUE):
        return Answer(root == aig.FALSE, "constant", 0.0)
    text = graph.clauses(root)
    key = hashlib.sha256(text.encode()).digest() + bytes([twice])
    if key in KNOWN:
        return replace(KNOWN[key], method="as one before", seconds=0.0)
    (folder / "query.cnf").write_text(text)
    start = spent()
    found, method = cadical(folder, seconds, *(["--check", "--checkproof"] if twice else [])), "CaDiCaL"
    if found is None:
        found, method = iprove(graph, root, folder, 4 * seconds), "ABC iprove"
    elif found and twice:
        found, method = iprove(graph, root, folder, 4 * seconds), "CaDiCaL checked, ABC"
    answer = Answer(found, "not decided" if found is None else method, spent() - start)
    if found is not None:
        KNOWN[key] = answer
    return answer


def z3(text: str, folder: pathlib.Path, seconds: float = 30) -> Answer:
    """Whether an SMT-LIB script is unsatisfiable."""
    start = spent()
    (folder / "lemma.smt2").write_text(text)
    done = subprocess.run(["z3", f"-T:{int(seconds)}", str(folder / "lemma.smt2")], stdout=subprocess.PIPE, text=True, check=False)
    word = done.stdout.split("\n")[0].strip()
    return Answer({"unsat": True, "sat": False}.get(word), "z3", spent() - start)
