# SPDX-License-Identifier: Apache-2.0
"""What the tests of the package share."""
import csv
import io
import os
import signal
import subprocess

import pytest

import lightloop as ll

TINY = str(ll.experiment_file("tiny"))


class CommandLine:
    """The program lightloop of the same build."""

    def __init__(self) -> None:
        self.program = os.environ["LIGHTLOOP"]

    def rows(self, experiment: str, *settings: str) -> list[dict[str, str]]:
        arguments = [word for one in settings for word in ("--set", one)]
        done = subprocess.run([self.program, "run", experiment, "--quiet", "--csv", "-", *arguments], check=True, text=True,
                              capture_output=True)
        return list(csv.DictReader(io.StringIO(done.stdout)))

    def complaint(self, experiment: str, *settings: str) -> str:
        arguments = [word for one in settings for word in ("--set", one)]
        done = subprocess.run([self.program, "run", experiment, "--quiet", *arguments], text=True, capture_output=True)
        assert done.returncode != 0
        return done.stderr.strip().splitlines()[-1]


@pytest.fixture(autouse=True)
def ctrl_c():
    """Ctrl-C is heard also where a shell has started the tests in the background, which ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def command_line() -> CommandLine:
    return CommandLine()


@pytest.fixture
def tiny() -> str:
    return TINY
