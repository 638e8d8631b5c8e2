#!/usr/bin/env python3
# Prints the TL1 session of docs/serve.md in which a port dies and is repaired.
# SPDX-License-Identifier: Apache-2.0
"""Usage: serve_alarm.py LIGHTLOOP

What is sent, and below it each message that comes as one line, without its header. Dates and times are as the page has them."""
import re
import sys
import pathlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "control_plane"))
from served import Lines, Served  # noqa: E402

STEPS = [("ACT-USER::ann:1::secret;", 1), ("ENT-PATCH::1,17:2:;", 2), ("DIAG:PORT:FAIL (@1)", 1),
         ("RTRV-ALM-EQPT::ALL:3:;", 1), ("DIAG:PORT:REP (@1)", 2)]


def message_of(client: Lines) -> str:
    """The next message without its header, as one line."""
    text = b""
    while not text.endswith(b"\n;"):
        byte = client.file.read(1)
        assert byte, "the switch closed the connection"
        text += byte
    lines = [line.strip() for line in text.decode().removesuffix(";").splitlines()]
    first = next(k for k, line in enumerate(lines) if re.match(r"(M|A|\*\*) ", line))
    return re.sub(r"\d\d-\d\d,\d\d-\d\d-\d\d", "MM-DD,hh-mm-ss", " / ".join(line for line in lines[first:] if line))


if __name__ == "__main__":
    with Served("model", "--ports", "16", "--tuning", "10 ms") as server:
        with Lines(server.connect("tl1")) as tl1, Lines(server.connect("scpi")) as scpi:
            for sent, messages in STEPS:
                if sent.endswith(";"):
                    tl1.connection.sendall(sent.encode())
                    print(sent)
                else:
                    scpi.say(sent)
                    print(f"(SCPI: {sent})")
                for _ in range(messages):
                    print("  " + message_of(tl1))
