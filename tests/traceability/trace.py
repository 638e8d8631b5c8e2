#!/usr/bin/env python3
# Which golden programs, proved properties and cover points hold each rule of the contract.
# SPDX-License-Identifier: Apache-2.0
"""Usage: trace.py [--write] [--rules] [--page FILE]. A rule is a paragraph, a list item or a table row of docs/switch-contract.md,
numbered within its section in the order of the page. evidence.txt names what holds it. Exit 1 if a rule has nothing, a name
doesn't exist, a golden program or a check is named nowhere, or the table of cover points for reports isn't what comes out.
--rules: print the rules; --write: write that table; --page: write which tests each rule has, as Markdown."""
import fnmatch
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
CONTRACT = ROOT / "docs/switch-contract.md"
EVIDENCE = pathlib.Path(__file__).resolve().parent / "evidence.txt"
TABLE = ROOT / "testbed/regress/contract_points.inc"
LAST_SECTION = 12  # 13 lists what is to be proved
ITEM = re.compile(r"\s*(?:-|\d+\.) ")  # begins a rule of its own
HEAD = """# From the rules of the switch to their tests

| rule | begins | programs | properties | cover points | other tests |
|---|---|---|---|---|---|
"""


def rules() -> dict[str, str]:
    """Number -> text. Lines that go on with a paragraph or an item belong to its rule."""
    found, section, count, fenced, goes_on = {}, 0, 0, False, False
    for line in CONTRACT.read_text().splitlines():
        if line.startswith("```"):
            fenced, goes_on = not fenced, False
            continue
        if line.startswith("## "):
            section, count, goes_on = int(line.split()[1]), 0, False
            continue
        if fenced or not line.strip() or not 1 <= section <= LAST_SECTION:
            goes_on = False
            continue
        begins = ITEM.match(line) or line.startswith("|")
        if goes_on and not begins:
            found[f"{section}.{count}"] += " " + line.strip()
            continue
        goes_on = not line.startswith("|")
        if line.startswith("|"):
            if set(line) <= set("|-: "):
                found.pop(f"{section}.{count}")  # the row above was the heading
                count -= 1
                continue
        count += 1
        found[f"{section}.{count}"] = line.strip("-| ").strip()
    return found


def known() -> set[str]:
    names = {path.stem for path in (ROOT / "tests/goldens/switch").glob("*.json")}
    for path in (ROOT / "rtl/checks").glob("*_checks.sv"):
        module = path.stem.removesuffix("_checks").removeprefix("ocs_")
        names |= {f"{module}.{label}" for label in re.findall(r"^\s*((?:own|use|see)_\w+):", path.read_text(), re.M)}
    bus = (ROOT / "rtl/checks/axil_checker.sv").read_text()
    return names | {f"axil.{label}" for label in re.findall(r"^\s*(see_\w+):", bus, re.M)}


def evidence() -> dict[str, list[str]]:
    """Rule -> names. A line "RULE..: NAMES" with several rules gives each of them the names."""
    out: dict[str, list[str]] = {}
    for line in EVIDENCE.read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        left, right = line.split(":", 1)
        for rule in left.split():
            out.setdefault(rule, []).extend(right.split())
    return out


def spelled_out(pattern: str, names: set[str]) -> list[str]:
    """Names or files that a pattern stands for; the pattern itself if there is none."""
    if "*" not in pattern:
        return [pattern]
    found = fnmatch.filter(sorted(names), pattern)
    if not found and any(ROOT.glob(pattern)):
        found = [pattern.removesuffix("*").rstrip("/")]
    return found or [pattern]


def cell(names: list[str]) -> str:
    return ", ".join(names) or "–"


def shortened(text: str) -> str:
    return re.sub(r"[|*`]", "", text)[:70].strip()


def table() -> str:
    """Initialisers of C++: each rule with cover points, how it begins, and their names."""
    lines, held, names = [], evidence(), known()
    for rule, text in rules().items():
        found = dict.fromkeys(name for pattern in held.get(rule, []) for name in spelled_out(pattern, names) if ".see_" in name)
        if found:
            begins = shortened(text).replace("\\", "\\\\").replace('"', '\\"')
            lines.append(f'{{"{rule}", "{begins}", "{" ".join(found)}"}},')
    return "// Written by tests/traceability/trace.py --write.\n" + "\n".join(lines) + "\n"


def page() -> tuple[str, list[str]]:
    """The text, and what is wrong."""
    wrong, lines, numbered, held, names = [], [], rules(), evidence(), known()
    used = set()
    for rule, text in numbered.items():
        have = list(dict.fromkeys(name for pattern in held.get(rule, []) for name in spelled_out(pattern, names)))
        used |= set(have)
        if not have:
            wrong.append(f"rule {rule} has no test: \"{text[:90]}\"")
        for name in have:
            if name not in names and not (ROOT / name).exists():
                wrong.append(f"rule {rule} names {name}, which is no golden program, no check and no file")
        checks = [name for name in have if "." in name and "/" not in name]
        lines.append(f"| {rule} | {shortened(text)}… | {cell([n for n in have if n in names and n not in checks])} | "
                     f"{cell([n for n in checks if '.see_' not in n])} | {cell([n for n in checks if '.see_' in n])} | "
                     f"{cell([n for n in have if '/' in n])} |")
    wrong += [f"evidence.txt speaks of rule {rule}, which the contract doesn't have" for rule in held if rule not in numbered]
    wrong += [f"{name} holds no rule" for name in sorted(names - used)]
    return HEAD + "\n".join(lines) + f"\n\n{len(numbered)} rules, {len(names)} programs and checks.\n", wrong


def main() -> int:
    if "--rules" in sys.argv:
        print("\n".join(f"{rule}\t{text}" for rule, text in rules().items()))
        return 0
    text, wrong = page()
    if "--page" in sys.argv[:-1]:
        pathlib.Path(sys.argv[sys.argv.index("--page") + 1]).write_text(text)
    if "--write" in sys.argv:
        TABLE.write_text(table())
    elif not TABLE.exists() or TABLE.read_text() != table():
        wrong.append(f"{TABLE.relative_to(ROOT)} is stale; run tests/traceability/trace.py --write")
    print("\n".join(wrong), end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
