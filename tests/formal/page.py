# The page of what is proved: docs/proofs.md.
# SPDX-License-Identifier: Apache-2.0
import re

import yosys

PAGE = yosys.ROOT / "docs/proofs.md"
HEAD = """# What is proved of the switch

Written by `tests/formal/prove.py --write` from what its runs found (of the subjects one by one, not all in one run); how it is done: [tests/formal](../tests/formal/README.md). N: ports.
One line stands for all ports of a property (`*`). Depth: edges that a proof looks at. "Induction": holds after any edge from any state in
which all checks hold, and after reset; so in every state that can be reached. "Any state" needs no more than what the table's first
column says of it in its module's own lines. "Bounded": so many edges from reset, no more. Solvers: "CaDiCaL checked, ABC" was found by
CaDiCaL with every clause of its proof checked and confirmed by ABC's iprove; "constant": the graph's own sharing settles it; "as one
before": the same query as an earlier one but for the names of its inputs. Times are processor seconds of the solvers, making the
netlists not included. Widths are the real ones (64, 32, 30 and 16 bits); two entries a sequencer bank, a FIFO of two records in the
cores, of four in its own module. `see_` checks are shown possible under the same assumptions.

**L1** is composed: each module's bounds are proved of the module alone, in any state; the tree of minima link by link, each node free
where it is compared; that the core joins just these leaves to just this tree, with one time and the same settings, is read off its
netlist with the modules left as boxes. **C** is proved on the whole core in steps: that the edge k is quiet, what the modules tell each
other at the end, the words, then each register; each step takes the earlier ones for granted. Of the state both assume only what the
modules' own checks say; that those hold of the modules within the core is the subject `core`, at 2 ports.

**Two solvers** are asked for L1, C and step(0): CaDiCaL, which checks every clause that it learns (`--check --checkproof`), and ABC's
`iprove`; a line that names both says that both proved it. Lines of L1 that name one are of runs before the second was asked or, at 16
ports, with CaDiCaL out of time. Neither Debian 12 nor PyPI packages an independent checker of DRAT.

**Not proved**, and covered by lockstep simulation (tests/conformance): that the fast core equals the counter core; that its next
stamp of all is never above what waits (of the ports' stamps the groups', the chunks' and that of all ports are proved; of the edge below
the horizon, that it changes nothing but the time); what reads of the fast core answer, which is of the present cycle; the register
window; composition and the fast core at more ports than the table names.

| module | property | N | method | depth | s | |
|---|---|---|---|---|---|---|
"""
WAYS = {"integers": ("on integers", "–"), "step_0": ("any state", 1), "composition": ("any state", 3), "horizon": ("any state", 0),
        "fast_composition": ("any state", 3), "fast_horizon": ("induction", 1)}


def pattern(name: str) -> str:
    """The property without its port."""
    return re.sub(r"(?<=_)\d+(?=_|$)", "*", re.sub(r"\[\d+\]", "[*]", name)) if not name.startswith("step_0") else name


def write(records: list) -> None:
    groups: dict[tuple, list] = {}
    for record in records:
        cover = record.name.startswith("see_") or record.name == "assumptions"
        groups.setdefault((record.subject, "covers" if cover else pattern(record.name), record.ports), []).append(record)
    lines = []
    for (subject, name, ports), group in sorted(groups.items(), key=lambda item: (list(dict.fromkeys(r.subject for r in records)).index(item[0][0]), item[0][2])):
        way, depth = WAYS.get(subject, ("induction", 1))
        verdict = "proved" if all(record.proved for record in group) else "**not proved**"
        tools = ", ".join(sorted({record.method for record in group} - {"as one before"}))
        if "sby" in tools:
            way, depth, verdict = "from reset", re.search(r"within (\d+)", name).group(1), verdict.replace("proved", "bounded")
        if name == "covers":
            name, verdict = f"{len(group)} covers, assumptions included", verdict.replace("proved", "possible")
        same = sum(record.method == "as one before" for record in group)
        tools += f", {same} as one before" if same else ""
        name += f" ({len(group)})" if len(group) > 1 and "*" in name else ""
        lines.append(f"| {subject} | {name} | {ports or 'any'} | {way}, {tools} | {depth} | {sum(r.seconds for r in group):.2f} | {verdict} |")
    done, total = sum(bool(record.proved) for record in records), sum(record.seconds for record in records)
    PAGE.write_text(HEAD + "\n".join(lines) + f"\n\n{done} of {len(records)} proved in {total:.0f} s of solvers.\n")
