#!/usr/bin/env python3
# lightloop rtl and runs of sizes that weren't built ahead, in a cache of their own.
# SPDX-License-Identifier: Apache-2.0
"""Usage: command.py LIGHTLOOP"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = pathlib.Path(sys.argv[1])
TINY = pathlib.Path(__file__).resolve().parents[2] / "testbed/experiments/tiny.toml"


class Command(unittest.TestCase):
    cache = tempfile.TemporaryDirectory()

    def run_program(self, *arguments: str, status: int = 0, **environment: str) -> str:
        everything = {**os.environ, "XDG_CACHE_HOME": self.cache.name, **environment}
        done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, env=everything, timeout=280)
        text = done.stdout + done.stderr
        self.assertEqual(done.returncode, status, text)
        return text

    def test_1_a_size_that_is_not_there_yet_is_built_once(self):
        run = ["run", str(TINY), "--set", "fabric.ports=6", "--set", "fabric.device=verilated", "--set",
               "policy=hlf"]
        self.assertIn("building the switch (core fast, 6 ports)", self.run_program(*run))
        self.assertNotIn("building", self.run_program(*run))
        listed = self.run_program("rtl", "list")
        self.assertRegex(listed, r"(?m)^fast-6 .* cache$")
        self.assertIn(f"cache:   {self.cache.name}/lightloop/rtl", listed)

    def test_2_build_names_the_object_and_clean_removes_it(self):
        built = self.run_program("rtl", "build", "6", "--core", "fast")
        self.assertRegex(built, r"^fast-6: .*/fast-6-[0-9a-f]{32}\.so\n$")
        self.assertIn("removed", self.run_program("rtl", "clean"))
        self.assertNotRegex(self.run_program("rtl", "list"), r"(?m) cache$")
        self.assertEqual(os.listdir(f"{self.cache.name}/lightloop/rtl"), [])

    def test_3_wrong_sizes_are_refused_with_exit_2(self):
        for ports in ("1", "257"):
            text = self.run_program("rtl", "build", ports, status=2)
            self.assertEqual(text.count("\n"), 1)
            self.assertIn("2 to 256", text)
            self.run_program("check", str(TINY), "--set", f"fabric.ports={ports}", "--set",
                             "fabric.device=verilated", status=2)
        self.assertIn("power of two", self.run_program("rtl", "build", "4", "--fifo-depth", "6", status=2))
        self.assertIn("core", self.run_program("rtl", "build", "4", "--core", "slow", status=2))

    def test_4_without_verilator_the_package_and_the_sizes_are_named(self):
        text = self.run_program("check", str(TINY), "--set", "fabric.ports=7", "--set", "fabric.device=verilated",
                                status=2, VERILATOR="/nowhere/verilator")
        self.assertIn("Debian's package verilator", text)
        self.assertRegex(text, r"compiled are [0-9, ]*16")
        self.run_program("run", str(TINY), "--set", "policy=hlf", VERILATOR="/nowhere/verilator")

    def test_5_a_cache_that_cannot_be_written_is_one_sentence(self):
        file = pathlib.Path(self.cache.name) / "file"
        file.write_text("")
        text = self.run_program("rtl", "build", "7", status=1, XDG_CACHE_HOME=str(file))
        self.assertEqual(text.count("\n"), 1)
        self.assertIn("XDG_CACHE_HOME", text)

    def test_6_rtl_that_does_not_compile_shows_the_tool_s_last_lines(self):
        broken = pathlib.Path(self.cache.name) / "verilator"
        broken.write_text('#!/bin/sh\ncase $1 in --version) echo "Verilator 5.006";; --getenv) echo /usr/share/verilator;;'
                          '\n*) echo "%Error: a.sv:1: syntax error" >&2; exit 1;; esac\n')
        broken.chmod(0o755)
        text = self.run_program("rtl", "build", "7", status=1, VERILATOR=str(broken))
        self.assertIn("%Error: a.sv:1: syntax error", text)
        self.assertEqual([name for name in os.listdir(f"{self.cache.name}/lightloop/rtl") if "building" in name], [])

    def test_7_what_a_failed_tool_left_running_leaves_nothing_behind(self):
        leaving = pathlib.Path(self.cache.name) / "leaving"
        leaving.write_text('#!/bin/sh\ncase $1 in --version) echo "Verilator 5.006";; --getenv) echo /usr/share/verilator;;'
                           '\n*) (n=0; while [ $n -lt 3000 ]; do n=$((n + 1)); : >late.$n; done) & exit 1;; esac\n')
        leaving.chmod(0o755)
        self.run_program("rtl", "build", "7", status=1, VERILATOR=str(leaving))
        self.assertEqual([name for name in os.listdir(f"{self.cache.name}/lightloop/rtl") if "building" in name], [])

    def test_8_a_disk_that_fills_up_during_a_build_leaves_nothing_and_the_next_build_works(self):
        """The disk is mounted in a namespace of its own, so that it ends with the test."""
        disk = pathlib.Path(self.cache.name) / "disk"
        disk.mkdir()
        script = ('mount -t tmpfs -o size=200k none "$DISK" || exit 99; "$PROGRAM" rtl build 7 --core fast >full.txt 2>&1; echo $? >code.txt\n'
                  'ls "$DISK/lightloop/rtl" >left.txt; mount -o remount,size=100m "$DISK" && "$PROGRAM" rtl build 7 --core fast')
        as_root = [] if os.geteuid() == 0 else ["-Ur"]
        done = subprocess.run(["unshare", "-m", *as_root, "sh", "-c", script], capture_output=True, text=True, timeout=280,
                              cwd=self.cache.name, env={**os.environ, "PROGRAM": str(PROGRAM.resolve()), "DISK": str(disk),
                                                        "XDG_CACHE_HOME": str(disk)})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

        def wrote(name: str) -> str:
            return (pathlib.Path(self.cache.name) / name).read_text()

        self.assertEqual(wrote("code.txt"), "1\n", wrote("full.txt"))
        self.assertRegex(wrote("full.txt"), r"only \d+ kB are left on the disk of .*XDG_CACHE_HOME")
        self.assertEqual(wrote("left.txt"), "")
        self.assertIn("fast-7: ", done.stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
