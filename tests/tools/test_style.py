#!/usr/bin/env python3
# Proves that check_style.py can fail: it finds the one fault of a small made-up tree.
# SPDX-License-Identifier: Apache-2.0
import pathlib
import tempfile
import unittest

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


if __name__ == "__main__":
    unittest.main()
