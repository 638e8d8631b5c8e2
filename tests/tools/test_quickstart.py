#!/usr/bin/env python3
# tools/quickstart shows at a terminal in which step its build is, and fails when the build does.
# SPDX-License-Identifier: Apache-2.0
import os
import pathlib
import pty
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CMAKE = """#!/bin/sh
case "$*" in
  *--build*) echo "[1/2] Building a.cpp.o"; echo "[2/2] Linking lightloop"; exit ${FAILS:-0};;
esac
"""


class Quickstart(unittest.TestCase):
    """In a folder of its own, with a cmake that builds nothing."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "tools").mkdir()
        shutil.copy(ROOT / "tools/quickstart", self.folder / "tools")
        for name, text in (("tools/setup", "#!/bin/sh\n"), ("bin/cmake", CMAKE),
                           ("build/release/bin/lightloop", "#!/bin/sh\necho the table\n")):
            file = self.folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
            file.chmod(0o755)

    def run_it(self, errors: int, **more: str) -> subprocess.CompletedProcess:
        environment = os.environ | {"PATH": f"{self.folder}/bin:{os.environ['PATH']}"} | more
        return subprocess.run([self.folder / "tools/quickstart"], env=environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=errors, text=True, timeout=60, check=False)

    def test_counts_steps_at_a_terminal(self):
        ours, theirs = pty.openpty()
        done = self.run_it(theirs)
        os.close(theirs)
        shown = os.read(ours, 65536).decode()
        os.close(ours)
        self.assertEqual(done.returncode, 0)
        self.assertIn("quickstart: step [1/2]", shown)
        self.assertIn("quickstart: step [2/2]", shown)
        self.assertIn("[2/2] Linking lightloop\n", (self.folder / "build/quickstart.log").read_text())

    def test_counts_nothing_into_a_file(self):
        done = self.run_it(subprocess.PIPE)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("the table", done.stdout)

    def test_fails_as_its_build_does(self):
        done = self.run_it(subprocess.PIPE, FAILS="1")
        self.assertEqual(done.returncode, 1)
        self.assertIn("[1/2] Building a.cpp.o", done.stdout)
        self.assertIn("the build failed", done.stderr)
        self.assertNotIn("the table", done.stdout)


if __name__ == "__main__":
    unittest.main()
