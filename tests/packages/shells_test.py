#!/usr/bin/env python3
# Manual pages are sound, and bash, zsh and fish offer the commands, options and names that --help and `lightloop list` have.
# SPDX-License-Identifier: Apache-2.0
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve()
BASH = """source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _lightloop; printf '%s\\n' "${COMPREPLY[@]}" """
ZSH = """compadd() { [[ $1 != -- ]] || shift; print -l -- "$@"; }
_describe() { print -l -- "${(@P)2}" | sed 's/:.*//'; }
_files() { }
source "$1"; shift; words=("$@"); CURRENT=$#; _lightloop"""
FISH = "source $argv[1]; complete -C $argv[2] | string split -f 1 \\t; true"


def run(*command) -> str:
    environment = os.environ | {"PATH": f"{PROGRAM.parent}:{os.environ['PATH']}"}
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=True).stdout


class Shells(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def offers(self, *words: str) -> dict[str, set[str]]:
        """What each shell offers for the last of these words, which has been begun."""
        files = {}
        for shell in ("bash", "zsh", "fish"):
            files[shell] = self.folder / shell
            files[shell].write_text(run(PROGRAM, "completion", shell))
        offered = {"bash": run("bash", "-c", BASH, files["bash"], *words), "zsh": run("zsh", "-fc", ZSH, "zsh", files["zsh"], *words),
                   "fish": run("fish", "--no-config", "-c", FISH, files["fish"], " ".join(words))}
        return {shell: set(text.split()) for shell, text in offered.items()}

    def all_offer(self, wanted: set[str], *words: str) -> None:
        for shell, offered in self.offers(*words).items():
            self.assertLessEqual(wanted, offered, shell)

    def test_offer_commands(self):
        commands = set(re.findall(r"^  (\S+) +\S", run(PROGRAM, "--help").split("Subcommands:")[1], re.M))
        self.assertGreater(len(commands), 12)
        self.all_offer(commands, "lightloop", "")
        self.all_offer({"build", "clean", "list"}, "lightloop", "rtl", "")

    def test_offer_options(self):
        options = set(re.findall(r"^  (?:-\w,)?(--[\w-]+)", run(PROGRAM, "run", "--help"), re.M))
        self.assertGreater(len(options), 10)
        self.all_offer(options, "lightloop", "run", "--")

    def test_offer_values(self):
        self.all_offer({"lf", "crlf"}, "lightloop", "serve", "--scpi-end", "")
        self.all_offer({"palomar", "mordia"}, "lightloop", "serve", "--switch", "")
        self.all_offer({"model", "verilated"}, "lightloop", "characterize", "")

    def test_a_command_does_not_offer_the_options_of_another(self):
        for shell, offered in self.offers("lightloop", "rerun", "--").items():
            self.assertNotIn("--scpi", offered, shell)


class Manuals(unittest.TestCase):
    def test_have_all_that_help_has_and_no_fault(self):
        with tempfile.TemporaryDirectory() as folder:
            run(PROGRAM, "manual", "--all", folder)
            pages = sorted(pathlib.Path(folder).iterdir())
            self.assertGreater(len(pages), 12)
            for page in pages:
                done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", page], capture_output=True, text=True, timeout=60, check=True)
                self.assertEqual(done.stderr, "", page.name)
                words = page.stem.split("-", 1)[1:]
                command = re.sub("^(rtl|chakra)-", r"\1 ", words[0]).split() if words else []
                shown = re.sub(r".\x08|\x1b\[[0-9;]*m", "", done.stdout)  # bold text
                for option in re.findall(r"--[a-z][\w-]+", run(PROGRAM, *command, "--help")):
                    self.assertIn(option, shown, page.name)


if __name__ == "__main__":
    unittest.main()
