# Starts `lightloop run --live` for a test, at a port that the system chooses.
# SPDX-License-Identifier: Apache-2.0
"""Imported by the other scripts here."""
import json
import os
import pathlib
import re
import socket
import subprocess
import sys
import urllib.request

PROGRAM = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else ""
ROOT = pathlib.Path(__file__).resolve().parents[2]
TINY = str(ROOT / "testbed/experiments/tiny.toml")
TEXT = pathlib.Path(PROGRAM).read_bytes() if PROGRAM else b""
INSTRUMENTED = b"__asan_init" in TEXT or b"__tsan_init" in TEXT
# Rows of about a second each on one core; instrumented programs take ten times as long.
SLOW = ["--set", "job.payload=none", "--set", f"job.iterations={600 if INSTRUMENTED else 6000}"]
LONG = ["--set", "job.payload=none", "--set", "job.iterations=1000000"]  # rows that a test doesn't wait for


class Watched:
    """A run with a page. `at`: ADDRESS:PORT."""

    def __init__(self, *arguments: str, at: str = "127.0.0.1:0", **options):
        # An instrumented program otherwise keeps 256 MB of what it has freed, and its memory says nothing.
        environment = os.environ | {"ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":quarantine_size_mb=8"}
        self.process = subprocess.Popen([PROGRAM, "run", TINY, "--quiet", "--live", at, *arguments],
                                        stderr=subprocess.PIPE, text=True, env=environment, **options)
        self.said = []
        for line in self.process.stderr:
            self.said.append(line)
            found = re.search(r"shown at http://([^/]+)/", line)
            if found:
                self.at = found[1]
                break
        assert hasattr(self, "at"), "there is no page: " + "".join(self.said)
        self.port = int(self.at.rpartition(":")[2])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.process.stderr.close()
        return False

    def end(self) -> tuple[int, str]:
        """Exit code, and what the run said on standard error after its address."""
        rest = self.process.stderr.read()
        return self.process.wait(120), rest

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=60)

    def events(self):
        """Pairs of a name and its data, until the stream ends."""
        with urllib.request.urlopen(f"http://{self.at}/events", timeout=60) as answer:
            name = ""
            for line in answer:
                text = line.decode().rstrip("\n")
                if text.startswith("event: "):
                    name = text[7:]
                elif text.startswith("data: "):
                    yield name, json.loads(text[6:])
