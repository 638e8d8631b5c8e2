#!/usr/bin/env python3
# Carries out the examples of a page and compares what they print with what the page says.
# SPDX-License-Identifier: Apache-2.0
"""Usage: check_page.py PROGRAM PAGE [--write]

An example is an indented line that begins with "$ "; the indented lines after it are its output, errors included.
Examples of one page run in one empty folder, in order. `$ cat FILE` makes the file of what follows. SOURCE in a command is
the repository. With --write the page gets what was printed."""
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
INDENT = "    "


def carry_out(command: str, program: str, folder: str) -> list[str]:
    command = command.replace("SOURCE/", f"{ROOT}/")
    script = f'lightloop() {{ "{program}" "$@"; }}\n{command}\n'
    done = subprocess.run(["bash", "-c", script], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, timeout=60, check=False)
    return done.stdout.splitlines()


def main() -> int:
    program, page = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2])
    lines, new, k, wrong = page.read_text().splitlines(), [], 0, 0
    with tempfile.TemporaryDirectory() as folder:
        while k < len(lines):
            line = lines[k]
            new.append(line)
            k += 1
            if not line.startswith(INDENT + "$ "):
                continue
            said = []
            while k < len(lines) and not lines[k].startswith(INDENT + "$ ") and (
                    lines[k].startswith(INDENT) or (not lines[k] and k + 1 < len(lines) and lines[k + 1].startswith(INDENT) and
                                                    not lines[k + 1].startswith(INDENT + "$ "))):
                said.append(lines[k].removeprefix(INDENT))
                k += 1
            command = line.removeprefix(INDENT + "$ ")
            if command.startswith("cat "):
                (pathlib.Path(folder) / command.removeprefix("cat ")).write_text("\n".join(said) + "\n")
                new += [INDENT + text for text in said]
                continue
            printed = [text.rstrip() for text in carry_out(command, program, folder)]
            new += [(INDENT + text).rstrip() for text in printed]
            if printed != said:
                wrong += 1
                print(f"{page}: `{command}` prints\n" + "\n".join(printed) + "\nbut the page says\n" + "\n".join(said))
    if "--write" in sys.argv:
        page.write_text("\n".join(new) + "\n")
        return 0
    if not any(line.startswith(INDENT + "$ ") for line in lines):
        print(f"{page} has no example")
        return 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
