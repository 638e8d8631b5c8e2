# Starts `lightloop serve` for a test, on ports that the system chooses.
# SPDX-License-Identifier: Apache-2.0
"""Imported by the other scripts here."""
import re
import socket
import subprocess
import sys

PROGRAM = sys.argv[1] if len(sys.argv) > 1 else ""


class Served:
    """A switch that is served while this lives; `ports` by dialect."""

    def __init__(self, *arguments: str, **options):
        command = [PROGRAM, "serve", *arguments]
        for option in ("--scpi", "--tl1", "--http"):
            if option not in arguments:
                command += [option, "0"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, **options)
        self.ports = {}
        for line in self.process.stdout:
            found = re.match(r"(SCPI|TL1|HTTP) +.*:(\d+)$", line)
            if found:
                self.ports[found[1].lower()] = int(found[2])
            if line.startswith("HTTP"):
                break
        assert "http" in self.ports, "serve didn't start"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.code = self.process.wait(30)
        self.process.stdout.close()
        return False

    def connect(self, dialect: str) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.ports[dialect]), timeout=20)


class Lines:
    """A client that sends lines and reads lines."""

    def __init__(self, connection: socket.socket):
        self.connection, self.file = connection, connection.makefile("rb")

    def say(self, text: str | bytes) -> None:
        self.connection.sendall((text.encode() if isinstance(text, str) else text) + b"\n")

    def ask(self, text: str | bytes) -> str:
        self.say(text)
        return self.file.readline().decode().rstrip("\r\n")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()
        self.connection.close()
        return False
