#!/usr/bin/env python3
# Runs the commands of a page and compares what they print with what the page shows.
# SPDX-License-Identifier: Apache-2.0
"""Usage: check_page.py BINARIES PAGE [--write]

Commands are the lines of indented and fenced blocks that begin with "$ " or with one of our programs. They run in
order, in one folder that has the repository's folders and an empty `results`. The indented lines after "$ COMMAND" are its
whole output, errors included; of another command only the exit status counts. `$ cat FILE` makes the file of what follows.
--write puts what was printed into the page, and tables and lists that blocks.toml says to be exactly what a command prints.

blocks.toml says what is different for a page: commands that need more than this machine are left out, each with its reason."""
import argparse
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
INDENT = "    "
OURS = re.compile(r"(?:[A-Z_]+=(?:\"[^\"]*\"|\S+) +)*"
                  r"(?:lightloop|build/|tools/|ctest|cmake|python3|verilator|tests/|curl|openssl|export) ?")
LONGEST = 300  # s


class Wrong(Exception):
    """What the page says is not what happens."""


def blocks(lines: list[str]):
    """Yields (first line's number from 0, lines without indentation) of each indented or fenced block."""
    k = 0
    while k < len(lines):
        if lines[k].lstrip().startswith("```"):
            end = next((n for n in range(k + 1, len(lines)) if lines[n].lstrip().startswith("```")), len(lines))
            yield k + 1, lines[k + 1:end]
            k = end + 1
        elif lines[k].startswith(INDENT):
            end = k
            while end < len(lines) and (lines[end].startswith(INDENT) or not lines[end]):
                end += 1
            while not lines[end - 1]:
                end -= 1
            yield k, [line.strip() if not line.startswith(INDENT) else line.removeprefix(INDENT) for line in lines[k:end]]
            k = end
        else:
            k += 1


def commands(block: list[str]):
    """Yields (number in the block, command, shown): a command's output, None where the page shows none."""
    k = 0
    while k < len(block):
        line, at = block[k].strip(), k
        k += 1
        if line.startswith("$ "):
            while k < len(block) and not block[k].startswith("$ "):
                k += 1
            shown = block[at + 1:k]
            while shown and not shown[-1]:
                shown.pop()
            yield at, line.removeprefix("$ "), shown
        elif OURS.match(line) and not line.startswith("lightloop:"):
            while line.endswith("\\") and k < len(block):
                line = line[:-1] + block[k].strip()
                k += 1
            yield at, line, None


def plain(command: str) -> str:
    """Without the comment behind it and without what its brackets say may be left out."""
    command = re.sub(r"\s+#\s.*$", "", command)
    return re.sub(r"\s+\[--?[^]]*\](\.\.\.)?", "", command).strip()


class Page:
    """A page, its rules, and the folder in which its commands run."""

    def __init__(self, name: str, binaries: pathlib.Path, folder: str) -> None:
        rules = tomllib.loads((pathlib.Path(__file__).parent / "blocks.toml").read_text())
        own = rules.get(name, {})
        self.before = own.get("before", [])
        self.rules = own.get("rule", [])
        self.shown = [rule for rule in own.get("shown", []) if not rule.get("exact")]
        self.exact = [rule for rule in own.get("shown", []) if rule.get("exact")]
        self.experiments = [rule for rule in own.get("other", []) if "check" in rule]
        self.replace = rules["replace"] | own.get("replace", {})
        self.used = [False] * len(self.rules)
        self.folder = pathlib.Path(folder)
        for entry in ROOT.iterdir():
            if entry.name not in ("build", "results", ".git"):
                (self.folder / entry.name).symlink_to(entry)
        (self.folder / "results").mkdir()
        (self.folder / "build/release").mkdir(parents=True)
        (self.folder / "build/release/bin").symlink_to(binaries)
        self.environment = os.environ | {"PATH": f"{binaries}:{os.environ['PATH']}", "NO_COLOR": "1"}
        self.environment.pop("COLUMNS", None)

    def rule_of(self, command: str) -> dict:
        for k, rule in enumerate(self.rules):
            if re.search(rule["line"], command):
                self.used[k] = True
                return rule
        return {}

    def run(self, command: str, seconds: int = LONGEST) -> tuple[int, list[str]]:
        done = subprocess.run(["bash", "-c", command], cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=seconds, check=False)
        return done.returncode, [line.rstrip() for line in done.stdout.splitlines()]

    def serve(self, command: str) -> None:
        """A program that runs until it is interrupted: it has to print a line, and to end well then."""
        with subprocess.Popen(["bash", "-c", "exec " + command], cwd=self.folder, env=self.environment, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as server:
            first = server.stdout.readline()
            if first.startswith("lightloop: building the switch"):
                first = server.stdout.readline()
            server.send_signal(signal.SIGINT)
            rest, _ = server.communicate(timeout=60)
            if not first or server.returncode != 0:
                raise Wrong(f"`{command}` ended with {server.returncode}:\n{first}{rest}")

    def text_of(self, command: str, rule: dict) -> str:
        command = plain(command).replace("SOURCE/", f"{ROOT}/")
        for name, value in (self.replace | rule.get("replace", {})).items():
            command = re.sub(rf"(?<![\w./-]){re.escape(name)}(?![\w])", lambda _, value=value: value, command)
        return command + (" " + rule["append"] if "append" in rule else "")

    def printed(self, command: str, shown: list[str] | None) -> list[str] | None:
        """Runs a command of the page. Returns what it printed where the page shows that."""
        rule = self.rule_of(command)
        if "leave" in rule:
            print(f"left out: {command} ({rule['leave']})")
            return shown
        text = self.text_of(command, rule)
        if rule.get("serve"):
            self.serve(text)
            return None
        if shown is not None and text.startswith("cat "):
            (self.folder / text.removeprefix("cat ")).write_text("\n".join(shown) + "\n")
            return shown
        status, printed = self.run(text)
        if shown is None and status != rule.get("exit", 0):
            raise Wrong(f"`{text}` ended with {status}, not {rule.get('exit', 0)}:\n" + "\n".join(printed[-20:]))
        return None if shown is None else printed


def cells(line: str) -> list[str]:
    return re.split(r"\s{2,}|\s*\|\s*", line.strip().strip("|").strip())


def paragraphs(lines: list[str]) -> list[list[list[str]]]:
    """Cells of lines of paragraphs, which blank lines part."""
    out: list[list[list[str]]] = [[]]
    for line in lines:
        if not line.strip():
            out.append([])
        elif not re.match(r"\|[-| :]+$", line):
            out[-1].append(cells(line))
    return [paragraph for paragraph in out if paragraph]


def is_in(expected: list[list[str]], seen: list[list[str]], ignored: list[str]) -> bool:
    """Whether lines are among those of a paragraph, or the columns of a table, in any order, among those of another."""
    if any(seen[k:k + len(expected)] == expected for k in range(len(seen))):
        return True
    header, there = expected[0], seen[0]
    wanted = [name for name in header if name and name not in ignored]
    if len(header) < 2 or not all(name in there for name in wanted):
        return False
    rows = [[row[there.index(name)] for name in wanted] for row in seen[1:] if len(row) == len(there)]
    own = [[row[header.index(name)] for name in wanted] for row in expected[1:] if len(row) == len(header)]
    return len(own) == len(expected) - 1 and all(row in rows for row in own)


def has_row(row: list[str], seen: list[list[list[str]]]) -> bool:
    """Whether a row of a table in Markdown, but for empty cells, is in a printed line, cells in order."""
    wanted = [cell.replace(",", "") for cell in row if cell]
    for line in (line for one in seen for line in one):
        rest = iter(cell.replace(",", "") for cell in line)
        if all(cell in rest for cell in wanted):
            return True
    return False


def text_at(lines: list[str], first: str) -> tuple[int, list[str]]:
    """The block of a page, or the table or list in Markdown, that begins with a line."""
    begin = next((k for k, line in enumerate(lines) if re.search(first, line)), None)
    if begin is None:
        raise Wrong(f"no line of the page matches {first!r}")
    if lines[begin].startswith("|"):
        end = next((k for k in range(begin, len(lines)) if not lines[k].startswith("|")), len(lines))
        return begin, lines[begin:end]
    if lines[begin].startswith("- "):
        end = next((k for k in range(begin, len(lines)) if not lines[k].startswith(("- ", "  "))), len(lines))
        return begin, lines[begin:end]
    for start, block in blocks(lines):
        if start <= begin < start + len(block):
            return begin, block[begin - start:]
    raise Wrong(f"line {begin + 1} is neither in a block nor in a table or list")


def output_of(page: Page, command: str) -> list[str]:
    status, printed = page.run(command)
    if status != 0:
        raise Wrong(f"`{command}` ended with {status}:\n" + "\n".join(printed[-20:]))
    return printed


def write_exact(page: Page, lines: list[str], rule: dict) -> str | None:
    """Puts what a command prints in the place of a table or list. Returns what was wrong with that."""
    begin, text = text_at(lines, rule["first"])
    printed = output_of(page, rule["command"])
    if printed == text:
        return None
    lines[begin:begin + len(text)] = printed
    wrong = [f"- {line}" for line in text if line not in printed] + [f"+ {line}" for line in printed if line not in text]
    return (f"line {begin + 1}: the text is not what `{rule['command']}` prints (--write puts it there):\n" +
            "\n".join(wrong or ["the order of the lines differs"]))


def check_shown(page: Page, lines: list[str], rule: dict) -> None:
    """What the page shows is in what a command prints, but for columns that measure this machine."""
    begin, text = text_at(lines, rule["first"])
    printed = output_of(page, rule["command"])
    seen = paragraphs(printed)
    if text[0].startswith("|"):
        missing = [" | ".join(row) for row in paragraphs(text)[0][1:] if not has_row(row, seen)]
        if missing:
            raise Wrong(f"`{rule['command']}` does not print {'; '.join(missing)}, but\n" + "\n".join(printed))
        return
    for expected in paragraphs(text):
        if not any(is_in(expected, one, rule.get("ignore", [])) for one in seen):
            raise Wrong(f"the page shows, from line {begin + 1},\n" + "\n".join("  ".join(line) for line in expected) +
                        f"\nbut `{rule['command']}` prints\n" + "\n".join(printed))


def check_experiment(page: Page, lines: list[str], rule: dict) -> None:
    """A block that is a part of an experiment is accepted."""
    _, block = text_at(lines, INDENT + rule["first"].removeprefix("^"))
    (page.folder / "block.toml").write_text("\n".join([rule["check"], *block]) + "\n")
    status, printed = page.run("lightloop check block.toml")
    if status != 0:
        raise Wrong(f"the block that begins with {block[0]!r} is refused:\n" + "\n".join(printed))


def check(page: Page, lines: list[str]) -> tuple[list[str], list[str]]:
    """Returns what is wrong, and the page as it should be."""
    wrong, new, ran = [], list(lines), 0
    for command in page.before:
        status, printed = page.run(command)
        if status != 0:
            raise Wrong(f"`{command}` (blocks.toml) ended with {status}:\n" + "\n".join(printed[-20:]))
    moved = 0
    for begin, block in blocks(lines):
        for at, command, shown in commands(block):
            ran += 1
            try:
                printed = page.printed(command, shown)
            except (Wrong, subprocess.TimeoutExpired) as error:
                wrong.append(f"line {begin + at + 1}: {error}")
                continue
            if shown is not None and printed != shown:
                wrong.append(f"line {begin + at + 1}: `{command}` prints\n" + "\n".join(printed) + "\nbut the page shows\n" +
                             "\n".join(shown))
                from_line = moved + begin + at + 1
                new[from_line:from_line + len(shown)] = [(INDENT + text).rstrip() for text in printed]
                moved += len(printed) - len(shown)
    for compare, rule in [(check_shown, rule) for rule in page.shown] + [(check_experiment, rule) for rule in page.experiments]:
        ran += 1
        try:
            compare(page, lines, rule)
        except (Wrong, subprocess.TimeoutExpired) as error:
            wrong.append(str(error))
    for rule in page.exact:
        ran += 1
        try:
            differs = write_exact(page, new, rule)
        except (Wrong, subprocess.TimeoutExpired) as error:
            differs = str(error)
        wrong += [differs] if differs else []
    wrong += [f"blocks.toml: no command matches {rule['line']!r}" for rule, used in zip(page.rules, page.used) if not used]
    if ran == 0:
        wrong.append("there is no command in it")
    return wrong, new


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binaries", type=pathlib.Path)
    parser.add_argument("page", help="relative to the repository")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    path = ROOT / arguments.page
    with tempfile.TemporaryDirectory() as folder:
        page = Page(arguments.page, arguments.binaries.resolve(), folder)
        wrong, new = check(page, path.read_text().splitlines())
    for what in wrong:
        print(f"{arguments.page}: {what}")
    if arguments.write:
        path.write_text("\n".join(new) + "\n")
        return 0
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
