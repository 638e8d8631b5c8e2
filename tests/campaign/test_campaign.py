#!/usr/bin/env python3
# The campaign notices what is wrong: programs that are lightloop but for one fault.
# SPDX-License-Identifier: Apache-2.0
"""Usage: test_campaign.py PROGRAM [unittest arguments]"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

PROGRAM = str(pathlib.Path(sys.argv[1]).resolve()) if len(sys.argv) > 1 else ""
CAMPAIGN = pathlib.Path(__file__).resolve().parents[2] / "tools/campaign"


def campaign(*arguments: str) -> subprocess.CompletedProcess:
    return subprocess.run([CAMPAIGN, *arguments], capture_output=True, text=True, timeout=250, check=False)


class Campaign(unittest.TestCase):
    def with_fault(self, script: str, kind: str) -> str:
        """What a campaign says of a program that runs this first, with $L for lightloop."""
        with tempfile.TemporaryDirectory() as folder:
            program = f"{folder}/faulty"
            with open(program, "w", encoding="ascii") as file:
                file.write(f"#!/bin/sh\nL='{PROGRAM}'\n{script}\nexec \"$L\" \"$@\"\n")
            os.chmod(program, 0o755)
            outcome = campaign("3", "60", kind, "--only", "1", "--program", program)
            self.assertEqual(outcome.returncode, 1, outcome)
            self.assertIn(f"repeat: tools/campaign 3 60 {kind} --only 1 --program {program}\n", outcome.stdout)
            return outcome.stdout

    def test_notices_a_wrong_exit_code(self):
        self.assertIn("exit code 3, not one of (0,)", self.with_fault('case "$*" in *--resume*) exit 3;; esac', "processes"))

    def test_notices_an_exit_without_a_sentence(self):
        self.assertIn("exit 2 without one sentence", self.with_fault('case "$*" in rerun*) exit 2;; esac', "databases"))

    def test_notices_rows_that_differ(self):
        script = ('case "$*" in *--resume*) "$L" "$@"; python3 -c "import sqlite3; c = sqlite3.connect(\'rows.db\'); '
                  'c.execute(\'UPDATE row SET messages = messages + 1 WHERE row_id = 7\'); c.commit()"; exit 0;; esac')
        self.assertIn("differs in ['messages']", self.with_fault(script, "processes"))

    def test_notices_processes_that_are_left(self):
        script = 'case "$*" in *tcp*) sleep 60 </dev/null >/dev/null 2>&1 & esac'
        self.assertIn("1 processes are left", self.with_fault(script, "sockets"))

    def test_counts_what_struck(self):
        outcome = campaign("7", "100", "files", "--faults", "10", "--program", PROGRAM)
        attacks = re.findall(r"(?m)^ +\d+ files .*$", outcome.stdout)
        missed = [line for line in attacks if line.endswith("; missed")]
        self.assertRegex(outcome.stdout, rf"seed 7: {len(attacks)} attacks in \d+ s, 10 of them struck, all held")
        self.assertEqual(len(attacks) - len(missed), 10)
        self.assertEqual([line for line in attacks if "give_few_files" in line and "exit 0" in line], missed)
        self.assertTrue(missed)

    def test_does_the_same_again(self):
        said = [campaign("5", "0", "files", "--only", "4", "--program", PROGRAM).stdout for _ in range(2)]
        first, second = (re.search(r"(?m)^ +4 files .*$", text)[0] for text in said)
        self.assertEqual(first, second)

    def test_refuses_what_it_can_not_do(self):
        for arguments, text in ((("1", "2", "doors"), "invalid choice"), (("1", "2", "--only", "3"), "--only needs a KIND"),
                                (("1", "2", "--program", "nowhere"), "must be the program lightloop")):
            outcome = campaign(*arguments)
            self.assertEqual(outcome.returncode, 2, outcome)
            self.assertIn(text, outcome.stderr)


if __name__ == "__main__":
    sys.argv.pop(1)
    unittest.main()
