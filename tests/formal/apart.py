# Work in a process of its own, which is ended when it takes too long.
# SPDX-License-Identifier: Apache-2.0
import multiprocessing
import pathlib
import resource
import signal
import sys
from collections.abc import Callable, Iterator
from typing import Any

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import yosys  # noqa: E402

FORK = multiprocessing.get_context("fork")


class Apart:
    """A process that begins with all that this one has and sends what `work()` yields. It is ended after so many seconds of processor time,
    which doesn't depend on what else runs."""

    def __init__(self, seconds: int, work: Callable[[], Iterator[Any]]) -> None:
        self.seconds, self.work = seconds, work
        self.answers, theirs = FORK.Pipe(duplex=False)
        self.process = FORK.Process(target=self.run, args=(theirs,))
        self.process.start()
        theirs.close()

    def run(self, to) -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (self.seconds, self.seconds))
        for answer in self.work():
            to.send(answer)

    def each(self) -> Iterator[Any]:
        """What it yields; if its time ends, so do they. Raises ToolError if it ends otherwise."""
        try:
            while True:
                yield self.answers.recv()
        except EOFError:
            pass
        self.process.join()
        if self.process.exitcode not in (0, -signal.SIGKILL, -signal.SIGXCPU):
            raise yosys.ToolError(f"a process of the proofs ended with {self.process.exitcode}")
