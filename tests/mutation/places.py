# Where the RTL can be broken, and a copy of it in which a number chosen at run time says where it is.
# SPDX-License-Identifier: Apache-2.0
"""Usage: places.py --out FOLDER

Module for mutate.py and judge.cpp's build. A place is one operator of OPERATORS at one column of one line; mutant k (from 1) is place
k - 1 of all(). The program writes the mutated modules to FOLDER and prints the names of
their files. Each expression with a place becomes `ocs_mutant::chosen == k ? (changed) : ... : (as it was)`, so that one Verilated
switch is all mutants, and mutant 0 the switch itself."""
import argparse
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Those that have checks of their own, then the ones between them. The order gives mutants their numbers.
PROVED = ["ocs_outputs", "ocs_engines", "ocs_sequencer", "ocs_events", "ocs_counters", "ocs_segments"]
MODULES = [*PROVED, "ocs_next", "ocs_receivers", "ocs_positions", "ocs_power", "ocs_detector", "ocs_neighbours", "ocs_commands", "ocs_commit", "ocs_map", "ocs_core", "ocs_status"]
# Name, what is searched for, what it becomes.
OPERATORS = [
    ("equal to unequal", r" == ", " != "), ("unequal to equal", r" != ", " == "),
    ("less to at most", r" < ", " <= "), ("more to at least", r" > ", " >= "), ("at least to more", r" >= ", " > "),
    ("and to or", r" & ", " | "), ("or to and", r" \| ", " & "), ("plus to minus", r" \+ ", " - "), ("minus to plus", r" - ", " + "),
    ("negation dropped", r"~(?=[\w(])", ""), ("true to false", r"1'b1", "1'b0"), ("false to true", r"1'b0", "1'b1"),
    ("zero to ones", r"'0;", "'1;"), ("or-assign to assign", r" \|= ", " = "), ("condition inverted", r"if \((?!N |S |Depth |Receivers)", "if (!"),
]
OUTSIDE = re.compile(r"^\s*(//|for |input |output |parameter |localparam |module |import |function |\$error)|assign (state|cause|tag|index)_o|#\(|begin : g_|assign unused")
ASSIGNS = (" |= ", " &= ", " <= ", " = ")


def places(module: str) -> list[tuple]:
    """(module, line, column, operator) of every mutant, in the order of the file; only from the module's first always block on."""
    found, body = [], False
    for number, line in enumerate((ROOT / f"rtl/{module}.sv").read_text().splitlines()):
        body |= "always_comb" in line or "always_ff" in line or line.startswith("  assign")
        if not body or OUTSIDE.search(line):
            continue
        code = re.sub(r"for \([^)]*\)", lambda head: "_" * len(head[0]), line.split("//")[0])  # how often is not a matter of the switch
        for index, (_, pattern, _) in enumerate(OPERATORS):
            for match in re.finditer(pattern, code):
                if " <= " in match[0] or code[:match.start()].strip() == "":
                    continue
                found.append((module, number, match.start(), index))
    return found


def everything() -> list[tuple]:
    return [place for module in MODULES for place in places(module)]


def changed(text: str, at: int, index: int) -> tuple[str, int, str]:
    """The text with the mutant in it; how many characters it replaces at `at`, and by what."""
    _, pattern, new = OPERATORS[index]
    match = re.compile(pattern).match(text, at)
    return text[:at] + new + text[match.end():], match.end() - at, new


def region(text: str, at: int) -> tuple[str, int, int]:
    """What kind of expression a place is in, and where that is: the condition of an `if`, a connected port, or an assignment's right
    side (kind: its operator)."""
    if text.startswith("if (", at):
        return "if", at + 4, closing(text, at + 4)
    for operator in ASSIGNS:
        if text.startswith(operator, at):
            return operator, at + len(operator), text.index(";", at)
    depth = 0
    for k in range(at - 1, -1, -1):
        letter = text[k]
        if letter in ")]}":
            depth += 1
        elif letter in "([{":
            depth -= 1
            if letter == "(" and depth < 0:
                if text[:k].endswith(" if ") or text[:k].endswith("\nif "):
                    return "if", k + 1, closing(text, k + 1)
                if re.search(r"\.\w+$", text[:k]):
                    return "port", k + 1, closing(text, k + 1)
        elif letter == ";":
            break
        elif depth <= 0:
            for operator in ASSIGNS:
                if text.startswith(operator, k):
                    return operator, k + len(operator), text.index(";", at)
    raise ValueError(f"no expression around: {text[at - 60:at + 40]!r}")


def closing(text: str, at: int) -> int:
    depth = 0
    for k in range(at, len(text)):
        depth += (text[k] in "([{") - (text[k] in ")]}")
        if depth < 0:
            return k
    raise ValueError("no closing bracket")


def schemata(module: str, first: int) -> str:
    """The module with all of its mutants, the first of which has the number `first`."""
    text = (ROOT / f"rtl/{module}.sv").read_text()
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    regions: dict[tuple, list] = {}
    for number, (_, line, column, index) in enumerate(places(module), first):
        at = starts[line] + column
        kind, start, end = region(text, at)
        regions.setdefault((start, end), []).append((kind, number, at, index))
    after = len(text) + 1
    for (start, end), mutants in sorted(regions.items(), reverse=True):
        assert end <= after, f"{module}: places in overlapping expressions"
        after = start
        original = text[start:end]
        assert "//" not in original, f"{module}: a comment within {original!r}"
        kind = mutants[0][0]
        chain, assigned = f"({original})", ""
        for kind, number, at, index in reversed(mutants):
            if at + 1 <= start and kind == " |= ":   # the assignment itself
                assigned = number
                continue
            if kind == "if" and at < start:
                new = f"!{original}"
            else:
                text_of, _, _ = changed(text, at, index)
                new = text_of[start:end + len(text_of) - len(text)]
                if OPERATORS[index][1].endswith(";"):   # its pattern ends with that of the statement
                    new = text_of[start:text_of.index(";", at)]
            chain = f"(ocs_mutant::chosen == {number} ? ({new}) : {chain})"
        if assigned:
            operator = text.rindex(" |= ", 0, start)
            name = text[:operator].split()[-1] if "[" not in text[:operator].split("\n")[-1] else text[:operator].split("\n")[-1].split()[-1]
            text = text[:operator] + f" = ocs_mutant::chosen == {assigned} ? {chain} : {name} | {chain}" + text[end:]
            after = operator
        else:
            text = text[:start] + chain + text[end:]
    return text


PACKAGE = """// Which mutant this is; 0: none. judge.cpp says so before the switch is made.
package ocs_mutant;
  import "DPI-C" function int ocs_mutant_chosen();
  int chosen = ocs_mutant_chosen();
endpackage
"""


def put(path: pathlib.Path, text: str) -> None:
    """Written only if it isn't that already, so that nothing is built anew."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def with_input(out: pathlib.Path) -> None:
    """A copy of rtl/ in which an input of each module, `mutant_i`, says which mutant it is: one netlist is all of them (same.py)."""
    for path in (ROOT / "rtl").rglob("*"):
        if path.suffix in (".sv", ".svh", ".f"):
            put(out / path.relative_to(ROOT / "rtl"), path.read_text())
    first = 1
    for module in MODULES:
        text = schemata(module, first).replace("ocs_mutant::chosen", "mutant_i")
        text = re.sub(r"!~(\w+)", r"!(~\1)", text)  # slang wants brackets
        head = text.index("\n(\n") if "\n(\n" in text else text.index("\n) (\n")
        at = text.index("(\n", head) + 2
        text = text[:at] + "    input logic [9:0] mutant_i,\n" + text[at:]
        text = re.sub(rf"((?:{'|'.join(MODULES)}) (?:#\(.*\) )?u_\w+ \()", r"\1.mutant_i, ", text)
        put(out / f"{module}.sv", text)
        first += len(places(module))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    options = parser.parse_args()
    first = 1
    put(options.out / "ocs_mutant.sv", PACKAGE)
    for module in MODULES:
        put(options.out / f"{module}.sv", schemata(module, first))
        first += len(places(module))
        print(f"{module}.sv")
    return 0


if __name__ == "__main__":
    sys.exit(main())
