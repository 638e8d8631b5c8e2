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
    return [name for name in ("cadical", "berkeley-abc", "z3", "prlimit") if not shutil.which(name)]


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


def iprove(graph: aig.Graph, root: int, folder: pathlib.Path, seconds: float) -> bool | None:
    graph.write(folder / "query.aig", root)
    done = limited(["berkeley-abc", "-q", f"read_aiger {folder / 'query.aig'}; strash; iprove"], seconds)
    return True if "UNSATISFIABLE" in done.stdout else False if "SATISFIABLE" in done.stdout else None


def impossible(graph: aig.Graph, root: int, folder: pathlib.Path, seconds: float = 60, twice: bool = False, expected: bool = True,
               abc: bool = True) -> Answer:
    """Whether no inputs make the root true. A query that differs from an earlier one in the names of its inputs alone has its
    answer. `twice`: what CaDiCaL has proved, each of its clauses checked, ABC has to confirm. `expected`: the answer that is looked for
    first. `abc`: ABC is asked where CaDiCaL takes too long."""
    if root in (aig.FALSE, aig.TRUE):
        return Answer(root == aig.FALSE, "constant", 0.0)
    text = graph.clauses(root)
    key = hashlib.sha256(text.encode()).digest() + bytes([twice])
    if key in KNOWN:
        return replace(KNOWN[key], method="as one before", seconds=0.0)
    (folder / "query.cnf").write_text(text)
    start = spent()
    found, method = cadical(folder, seconds, "--unsat" if expected else "--sat", *["--check", "--checkproof"] * twice), "CaDiCaL"
    if found is None and abc:
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
    done = limited(["z3", str(folder / "lemma.smt2")], seconds)
    word = done.stdout.split("\n")[0].strip()
    return Answer({"unsat": True, "sat": False}.get(word), "z3", spent() - start)
