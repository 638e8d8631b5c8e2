#!/usr/bin/env python3
# Holds the files to the house's rules: licence lines, true references in the documents, pages that are linked and promise
# nothing, folder notes, no private paths, one type of a name.
# SPDX-License-Identifier: Apache-2.0
"""Usage: check_tree.py [ROOT]. Prints one line an offence; exit 1 if there is any."""
import pathlib
import posixpath
import re
import sys

import tree

SOURCES = {".c", ".h", ".cpp", ".hpp", ".sv", ".svh", ".rdl", ".py", ".sh"}
GENERATED = "rtl/regs/generated/"
LICENCE = re.compile(r"\W*SPDX-License-Identifier: Apache-2\.0\W*")  # nothing but the signs of a comment beside it
# Paths that exist on one machine only. Written in two pieces, so that this file holds none.
PRIVATE = ["/wo" "rk/", "/ho" "me/", "/ro" "ot/", "../sha" "red", "../gol" "dens", "/tmp/" "build", "/tmp/" "helpers"]
DOCUMENTS = ("README.md", "CONTRIBUTING.md")
ENTRANCES = ("README.md", "docs/README.md")  # from one of them every page outside tests/ is reached by links
PLANS = "docs/roadmap.md"  # the one page that may promise
# "Three cycles later", "at t+1 or later" and "later than its cycle" compare two times. Any other "later" is a promise, or
# can be said so that it isn't taken for one.
PROMISE = re.compile(r"\b(?:cycles?|or)\s+later\b|\blater\s+than\b"
                     r"|(?P<promise>\blater\b|(?:\bnot|n't)\s+(?:built\s+yet|yet\s+built)\b)", re.IGNORECASE)
CATALOGUES = ("host/device/catalogue.cpp", "host/scheduler/catalogue.cpp", "testbed/sync/catalogue.cpp",
              "testbed/collectives/catalogue.cpp", "testbed/selection/catalogue.cpp")
# Words that are names in a catalogue and mean something else where they are compared.
OTHER_WORDS = {
    ("", "default"),  # where a setting was said
    ("host/rtl/build.cpp", "soc"), ("host/rtl/parameters.cpp", "soc"),  # a core of the RTL
    ("testbed/results/rows/row.cpp", "psscheduler"),  # what the column pst_over_psscheduler compares with
}
FILES_WITHOUT_NOTE = 5
NOTE_LINES = 30
PROSE_COLUMNS, LINE_COLUMNS = 100, 120  # of a page's prose; of its tables, blocks and headings
# What programs print in full, in one line; tests/docs compares it with what they print.
PRINTED = {
    "docs/chakra.md": ["    lightloop: warning: --set job.algorithm=bruck: "],
    "docs/characterize.md": ["    lightloop: 32 of 32 set-ups are out of the bounds ", "    lightloop: 1 of 2 set-ups are out of the bounds "],
    "docs/serve.md": ["    OXC:SWIT:CONN:SUB (@2),(@18)    -221,"],
    "docs/tutorials/validate-a-switch.md": ["    lightloop: 32 of 32 set-ups are out of the bounds ",
                                            "    lightloop: 1 of 2 set-ups are out of the bounds "],
}
LONG_NOTES = {"testbed/workloads"}  # says where the data come from


def licence(root: pathlib.Path, files: list[pathlib.PurePosixPath]) -> list[str]:
    """Every source and every script names its licence in its first ten lines."""
    bad = []
    for path in files:
        if str(path).startswith(GENERATED):
            continue
        text = tree.text(root / path)
        if path.suffix in SOURCES or text.startswith("#!"):
            if not any(LICENCE.fullmatch(line) for line in text.splitlines()[:10]):
                bad.append(f"{path}: no line \"SPDX-License-Identifier: Apache-2.0\", alone, among the first ten")
    return bad


def private(root: pathlib.Path, files: list[pathlib.PurePosixPath]) -> list[str]:
    """No file names a place outside the repository."""
    return [f"{path}: contains \"{word}\"" for path in files for word in PRIVATE if word in tree.text(root / path)]


def links(text: str) -> list[str]:
    """Where a page's links lead within the tree, relative to it, without anchors."""
    found = re.findall(r"\]\(([^)#\s]+)[^)]*\)", text)
    return [link for link in found if not re.match(r"[a-z]+:", link)]


def references(root: pathlib.Path, files: list[pathlib.PurePosixPath]) -> list[str]:
    """Links of all documents lead somewhere, and so do the paths in README.md and CONTRIBUTING.md."""
    bad = []
    tops = {path.parts[0] for path in files if len(path.parts) > 1}
    for path in files:
        if path.suffix != ".md":
            continue
        text = tree.text(root / path)
        for link in links(text):
            if not (root / path.parent / link).exists():
                bad.append(f"{path}: links to {link}, which does not exist")
        if str(path) not in DOCUMENTS:
            continue
        for word in re.findall(r"[\w./*-]+", " ".join(re.findall(r"`([^`]+)`", text) + re.findall(r"^    (.*)$", text, re.M))):
            word = word.rstrip(".").removeprefix("./")
            # NAME in capitals stands for any name.
            if "/" in word and word.split("/")[0] in tops and not re.search(r"[A-Z]{3}|\*", word.split("/", 1)[1]):
                if not (root / word).exists():
                    bad.append(f"{path}: names {word}, which does not exist")
    return bad


def promises(root: pathlib.Path, files: list[pathlib.PurePosixPath]) -> list[str]:
    """Pages say what exists. What comes later is said in one of them alone."""
    bad = []
    for path in files:
        if path.suffix != ".md" or str(path) == PLANS:
            continue
        text = tree.text(root / path)
        for found in PROMISE.finditer(text):
            if found["promise"]:
                line = text.count("\n", 0, found.start()) + 1
                said = " ".join(found["promise"].split())
                bad.append(f"{path}:{line}: says \"{said}\"; pages say what exists, plans are in {PLANS}")
    return bad


def unreachable(root: pathlib.Path, files: list[pathlib.PurePosixPath]) -> list[str]:
    """Links lead from README.md or docs/README.md to every page outside tests/. A link to a folder is one to its README.md."""
    pages = {str(path) for path in files if path.suffix == ".md"}
    reached, ahead = set(), [page for page in ENTRANCES if page in pages]
    while ahead:
        page = ahead.pop()
        if page in reached:
            continue
        reached.add(page)
        for link in links(tree.text(root / page)):
            target = posixpath.normpath(posixpath.join(posixpath.dirname(page), link))
            ahead += [name for name in (target, posixpath.normpath(f"{target}/README.md")) if name in pages]
    return [f"{page}: no link leads to it from {' or '.join(ENTRANCES)}"
            for page in sorted(pages - reached) if not page.startswith("tests/")]


def notes(root: pathlib.Path, files: list[pathlib.PurePosixPath]) -> list[str]:
    """A folder with more than five files has a README.md of at most thirty lines."""
    bad, folders = [], {}
    for path in files:
        folders.setdefault(path.parent, []).append(path.name)
    for folder, names in sorted(folders.items()):
        text = f"{folder}/"
        exempt = str(folder) in (".", "docs") or text.startswith(GENERATED) or "/corpus/" in text
        if len(names) > FILES_WITHOUT_NOTE and not exempt:
            if "README.md" not in names:
                bad.append(f"{folder}: {len(names)} files and no README.md")
            elif str(folder) not in LONG_NOTES and len(tree.text(root / folder / "README.md").splitlines()) > NOTE_LINES:
                bad.append(f"{folder}/README.md: more than {NOTE_LINES} lines")
    return bad


def long_lines(root: pathlib.Path, files: list[pathlib.PurePosixPath]) -> list[str]:
    """Lines of pages end before the column that a reader sees without scrolling, but for what a program prints in one line,
    and what has no blank to break at, as a long link."""
    bad = []
    for path in files:
        if path.suffix != ".md":
            continue
        fenced, printed = False, list(PRINTED.get(str(path), []))
        for number, line in enumerate(tree.text(root / path).splitlines(), 1):
            fenced ^= line.lstrip().startswith("```")
            prose = not fenced and not line.startswith(("    ", "|", "#", "!["))
            most = PROSE_COLUMNS if prose else LINE_COLUMNS
            if len(line) <= most or " " not in line[:most].strip():
                continue
            known = next((beginning for beginning in printed if line.startswith(beginning)), None)
            if known is None:
                bad.append(f"{path}:{number}: {len(line)} columns, but at most {most}; wrap prose, shorten cells, break commands")
            else:
                printed.remove(known)
        bad += [f"{path}: tests/tools/check_tree.py names a long line {line!r}, which is not there" for line in printed]
    return bad


def named(root: pathlib.Path, files: list[pathlib.PurePosixPath]) -> list[str]:
    """No code asks whether something has a name of a catalogue; it asks for a trait of the entry. In its own folder the
    catalogue's names are free."""
    bad = []
    for catalogue in map(pathlib.PurePosixPath, CATALOGUES):
        if catalogue not in files:
            continue
        names = "|".join(re.findall(r'^\s*\{"([\w-]+)",', tree.text(root / catalogue), re.MULTILINE))
        quoted = f'"(?P<name{{}}>{names}):?"'
        compared = re.compile(rf'[=!]=\s*{quoted.format(1)}|{quoted.format(2)}\s*[=!]='
                              rf'|(?:starts_with|ends_with|compare)\({quoted.format(3)}'
                              rf'|constexpr std::(?:array<std::)?string_view[^;()]*?{quoted.format(4)}')
        for path in files:
            if path.suffix not in (".cpp", ".hpp") or path.parts[0] not in ("host", "testbed"):
                continue
            if path.is_relative_to(catalogue.parent):
                continue
            text = tree.text(root / path)
            for found in compared.finditer(text):
                name = next(word for word in found.groups() if word)
                if ("", name) not in OTHER_WORDS and (str(path), name) not in OTHER_WORDS:
                    line = text.count("\n", 0, found.end()) + 1
                    bad.append(f"{path}:{line}: compares with \"{name}\"; ask for a trait of the entry in {catalogue}")
    return bad


def types_once(root: pathlib.Path, files: list[pathlib.PurePosixPath]) -> list[str]:
    """No two headers define types of one name in one namespace: where no file includes both, no compiler notices, and the
    linker keeps one type's functions for both."""
    bad, seen = [], {}
    for path in files:
        if path.suffix not in (".hpp", ".h") or path.parts[0] not in ("firmware", "host", "sysc", "testbed"):
            continue
        text = tree.text(root / path)
        space = re.search(r"^namespace ([\w:]+) \{", text, re.M)
        for found in re.finditer(r"^(?:struct|class|enum class) (\w+)(?: final)? *(?:[:{]|$)", text, re.M):
            name = (space[1] if space else "", found[1])
            if name in seen:
                bad.append(f"{path}: {'::'.join(filter(None, name))} is defined in {seen[name]}, too")
            seen.setdefault(name, path)
    return bad


def offences(root: pathlib.Path) -> list[str]:
    files = tree.files(root)
    checks = (licence, private, references, promises, unreachable, notes, long_lines, named, types_once)
    return [line for check in checks for line in check(root, files)]


if __name__ == "__main__":
    found = offences(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else tree.ROOT)
    print("\n".join(found))
    sys.exit(1 if found else 0)
