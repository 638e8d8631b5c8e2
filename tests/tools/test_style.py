#!/usr/bin/env python3
# Proves that check_style.py and check_packages.py can fail: each finds the one fault of something made up.
# SPDX-License-Identifier: Apache-2.0
import importlib.metadata
import pathlib
import tempfile
import unittest
import unittest.mock

import check_packages
import check_style


class Style(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = pathlib.Path(scratch.name)

    def finds(self, name: str, text: str, what: str) -> None:
        (self.root / name).write_text(text)
        found = check_style.offences(self.root)
        self.assertEqual(len(found), 1, found)
        self.assertIn(what, found[0])

    def test_a_sound_tree(self):
        (self.root / "page.md").write_text("A worker that reaches the gate has finished.\n")
        (self.root / "script").write_text('#!/bin/bash\necho "$1"\n')
        (self.root / "program.py").write_text("print(1)\n")
        self.assertEqual(check_style.offences(self.root), [])

    def test_a_misspelt_word(self):
        self.finds("page.hpp", "// What the " + "schedu" + "elr plans.\n// It " + "occur" + "ed.\n", "occurred")

    def test_a_shell_script(self):
        self.finds("script", "#!/bin/bash\necho $1\n", "SC2086")

    def test_a_script_in_python(self):
        self.finds("script", "#!/usr/bin/env python3\nimport os\n", "F401")

    def test_a_turn_of_phrase(self):
        self.finds("page.md", "Who" + "ever comes is served.\n", "a noun")
        self.finds("page.md", "It is carried\nout.\n".replace("\n", " "), "execute")


class Packages(unittest.TestCase):
    def finds(self, line: str, what: str, python: str = check_packages.DEBIAN_12) -> None:
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as pins, unittest.mock.patch.object(
            check_packages, "DEBIAN_12", python
        ):
            pins.write("# a comment\n" + line + "\n")
            pins.flush()
            found = check_packages.offences(pathlib.Path(pins.name))
        self.assertEqual(len(found), 1, found)
        self.assertIn(what, found[0])

    def test_a_package_that_is_missing(self):
        self.finds("no-such-package-of-anyone==1.0", "not installed")

    def test_another_version(self):
        self.finds("codespell==0.0.1", "is pinned")

    def test_another_python(self):
        self.finds("codespell==" + importlib.metadata.version("codespell"), "needs Python", "2.7.1")


if __name__ == "__main__":
    unittest.main()
