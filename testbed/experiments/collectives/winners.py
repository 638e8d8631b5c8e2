#!/usr/bin/env python3
# Prints which list and policy wins where, from the rows of when_all_to_all.toml or when_all_reduce.toml.
# SPDX-License-Identifier: Apache-2.0
"""winners.py RESULTS.db COLLECTIVE

One Markdown table for each number of ranks and each alpha: sizes by delta. A cell has the fastest list, its policy (opt:
optimal; without a word: always), and how many times as long the static ring takes, or "ring" where nothing is faster. The last line says in how many cells the measured cycles are those of the
closed forms of docs/collectives.md, section 9, where those apply: N divides the words."""
import collections
import sqlite3
import sys

SHORT = {"ring": "ring", "linear": "linear", "bruck": "bruck", "halving_doubling": "halving",
         "recursive_doubling": "doubling"}
POLICY = {"always": "", "optimal": " opt", "never": " never"}

Cell = tuple[int, int, int, int]  # ranks, lead in ps, tuning in ps, bytes


def read(database: str, collective: str) -> tuple[dict[Cell, dict[str, int]], int, int]:
    """Cycles of each list and policy in each cell; the cycle in ps; bytes of a word."""
    connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    rows = connection.execute(
        "SELECT workers, lead_ps, tuning_ps, workload_bytes, collective, sim_time_ps, cycle_ps, word_bytes "
        "FROM row WHERE collective LIKE ?", (collective + "/%",)).fetchall()
    if not rows:
        sys.exit(f'winners.py: "{database}" has no rows of {collective}')
    cells: dict[Cell, dict[str, int]] = collections.defaultdict(dict)
    for workers, lead, tuning, size, name, time, cycle, _ in rows:
        cells[workers, lead, tuning, size][name.split("/", 1)[1]] = time // cycle
    return cells, rows[0][6], rows[0][7]


def quantity(value: int, units: list[tuple[int, str]]) -> str:
    factor, unit = next((pair for pair in units if value >= pair[0]), units[-1])
    return f"{value / factor:g} {unit}"


def time_text(ps: int) -> str:
    return quantity(ps, [(10**9, "ms"), (10**6, "us"), (1000, "ns")])


def size_text(size: int) -> str:
    return quantity(size, [(10**9, "GB"), (10**6, "MB"), (1000, "KB")])


def closed_form(name: str, ranks: int, words: int, delta: int, alpha: int) -> int | None:
    """Cycles from a dark switch, where N divides the words; None: no form for this list and policy."""
    q, b = ranks.bit_length() - 1, words // ranks
    forms = {"all_to_all": {"ring/never": delta + ranks * (ranks - 1) // 2 * b,
                            "linear/always": (ranks - 1) * (delta + b),
                            "linear/never": delta - alpha + ranks * (ranks - 1) // 2 * (alpha + b),
                            "bruck/always": q * (delta + ranks * b // 2),
                            "bruck/never": delta - alpha + (ranks - 1) * (alpha + ranks * b // 2)},
             "all_reduce": {"ring/never": delta + 2 * (ranks - 1) * b,
                            "halving_doubling/always": (2 * q - 1) * delta + 2 * (ranks - 1) * b,
                            "recursive_doubling/always": q * (delta + words)}}
    return forms[sys.argv[2]].get(name)


def table(cells: dict[Cell, dict[str, int]], ranks: int, lead: int) -> list[str]:
    here = {key[2:]: value for key, value in cells.items() if key[:2] == (ranks, lead)}
    sizes = sorted({size for _, size in here})
    lines = [f"| tuning | {' | '.join(size_text(size) for size in sizes)} |", "|" + "---|" * (len(sizes) + 1)]
    for tuning in sorted({tuning for tuning, _ in here}):
        row = []
        for size in sizes:
            times = here[tuning, size]
            best = min(times, key=lambda name: (times[name], name != "ring/never", name))
            algorithm, policy = best.split("/")
            ratio = times["ring/never"] / times[best]
            row.append("ring" if best == "ring/never" else f"{SHORT[algorithm]}{POLICY[policy]} {ratio:.2f}")
        lines.append(f"| {time_text(tuning)} | {' | '.join(row)} |")
    return lines


def main() -> int:
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    cells, cycle, word = read(sys.argv[1], sys.argv[2])
    for ranks, lead in sorted({key[:2] for key in cells}):
        print(f"\n{ranks} ranks, {'a burst begins after 1 cycle' if lead == 0 else 'a burst begins after ' + time_text(lead)}:\n")
        print("\n".join(table(cells, ranks, lead)))
    equal = known = 0
    for (ranks, lead, tuning, size), times in cells.items():
        words, alpha = -(-size // word), 1 + -(-lead // cycle)
        for name, cycles in times.items():
            form = closed_form(name, ranks, words, alpha + -(-tuning // cycle), alpha)
            if form is not None and words % ranks == 0:
                known, equal = known + 1, equal + (cycles == form)
    print(f"\n{equal} of {known} rows take the cycles of their closed form.")
    return 0 if equal == known else 1


if __name__ == "__main__":
    sys.exit(main())
