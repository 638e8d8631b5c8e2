#!/usr/bin/env python3
# Prints what a served switch answers to the refused commands that docs/serve.md shows.
# SPDX-License-Identifier: Apache-2.0
"""Usage: serve_refusals.py LIGHTLOOP scpi|tl1, in a folder with docs/serve.md.

Every command of the page's block is sent to a switch of 16 ports; the answer is printed beside it as the page shows it."""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "control_plane"))
from served import Lines, Served  # noqa: E402

LONGEST = 65536
PAGE = pathlib.Path("docs/serve.md").read_text().splitlines()


def commands_before(answer: str) -> list[str]:
    """The first halves of the indented lines whose second half matches `answer`."""
    lines = [re.fullmatch(rf" {{4}}(\S.*?)\s{{2,}}{answer}", line) for line in PAGE]
    return [line[1] for line in lines if line]


def scpi(served: Served) -> None:
    with Lines(served.connect("scpi")) as client:
        client.say("OXC:SWIT:CONN:ADD (@2),(@17)")
        for command in commands_before(r'-\d+,".*"'):
            client.say("x" * (LONGEST + 1) if "--longest" in command else command)
            print(f"{command}  {client.ask('SYST:ERR?')}")


def answer_of(client: Lines) -> str:
    """The lines of a TL1 response without its header, as one line."""
    text = b""
    while not text.endswith(b";"):
        text += client.file.read(1)
    lines = [line.strip() for line in text.decode().rstrip(";").splitlines()]
    return " / ".join(line for line in lines[next(k for k, line in enumerate(lines) if line.startswith("M ")):] if line)


def tl1(served: Served) -> None:
    with Lines(served.connect("tl1")) as client:
        client.connection.sendall(b"ENT-PATCH::1,17:1:;")
        answer_of(client)
        for command in commands_before("->  .*"):
            client.connection.sendall(command.encode())
            print(f"{command}  ->  {answer_of(client)}")


if __name__ == "__main__":
    with Served("model", "--ports", "16") as server:
        {"scpi": scpi, "tl1": tl1}[sys.argv[2]](server)
