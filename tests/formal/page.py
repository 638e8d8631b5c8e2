# The page of what is proved: docs/proofs.md.
# SPDX-License-Identifier: Apache-2.0
import yosys

PAGE = yosys.ROOT / "docs/proofs.md"
HEAD = """# What is proved of the switch

Written by `tests/formal/prove.py --write` from what its runs found; how it is done: [tests/formal](../tests/formal/README.md). "Induction": holds after any edge
from any state in which all checks hold, and after reset; so in every state that can be reached. Times are those of one run, in seconds.
`see_` checks are shown possible under the same assumptions. N: ports. Widths are the real ones (64, 32, 30 and 16 bits); two entries
a sequencer bank, a FIFO of two records in the core, of four in its own module.

| subject | property | N | method | s |
|---|---|---|---|---|
"""
WAYS = {"integers": "z3, on integers", "step_0": "one edge, any state", "composition": "three edges, any state", "horizon": "any state"}


def write(records: list) -> None:
    """Covers are summed up, one line a module and size."""
    lines, covers = [], {}
    for record in records:
        ports = record.ports or "any"
        verdict = "" if record.proved else " **not proved**"
        if record.name.startswith("see_") or record.name == "assumptions":
            covers.setdefault((record.subject, ports), []).append(record)
            continue
        way = WAYS.get(record.subject, "induction")
        method = way if record.subject == "integers" else f"{way}, {record.method}"
        lines.append(f"| {record.subject} | {record.name} | {ports} | {method}{verdict} | {record.seconds:.2f} |")
    for (subject, ports), group in covers.items():
        seconds = sum(record.seconds for record in group)
        bad = "" if all(record.proved for record in group) else " **not all**"
        lines.append(f"| {subject} | {len(group)} covers, assumptions included | {ports} | possible{bad} | {seconds:.2f} |")
    done = sum(bool(record.proved) for record in records)
    total = sum(record.seconds for record in records)
    tail = f"\n{done} of {len(records)} proved in {total:.0f} s of solvers.\n"
    PAGE.write_text(HEAD + "\n".join(lines) + "\n" + tail)
