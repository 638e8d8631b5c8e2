#!/usr/bin/env python3
# FuseSoC's core and Bender's manifest name the files of rtl/ocs.f, rtl/ocs_fast.f and rtl/skew/ocs_skew.f in their order, and FuseSoC lints
# all three switches.
# SPDX-License-Identifier: Apache-2.0
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
RTL = ROOT / "rtl"


def listed(name: str) -> list[str]:
    """Sources of the list, as paths from rtl/."""
    folder = pathlib.PurePosixPath(name).parent
    return [str(folder / line) for line in (RTL / name).read_text().splitlines() if re.match(r"[^/+]", line)]


class Lists(unittest.TestCase):
    def test_of_fusesoc_are_the_file_lists(self):
        filesets = yaml.safe_load((RTL / "lightloop_ocs.core").read_text().removeprefix("CAPI=2:"))["filesets"]
        for fileset, name in (("ocs", "ocs.f"), ("ocs_fast", "ocs_fast.f"), ("ocs_skew", "skew/ocs_skew.f")):
            sources = [file for file in filesets[fileset]["files"] if isinstance(file, str)]
            self.assertEqual(sources, listed(name))

    def test_of_fusesoc_name_each_included_file(self):
        files = yaml.safe_load((RTL / "lightloop_ocs.core").read_text().removeprefix("CAPI=2:"))["filesets"]["ocs_fast"]["files"]
        included = {name for file in files if isinstance(file, dict) for name in file}
        wanted = {name for file in listed("ocs_fast.f") for name in re.findall(r'^\s*`include "(.*)"', (RTL / file).read_text(), re.M)}
        self.assertEqual(included, wanted)

    def test_of_bender_are_the_file_lists(self):
        sources = yaml.safe_load((RTL / "Bender.yml").read_text())["sources"]
        self.assertEqual([(group["target"], group["files"]) for group in sources],
                         [("not(fast)", listed("ocs.f")), ("fast", listed("ocs_fast.f")), ("skew", listed("skew/ocs_skew.f"))])

    def test_have_the_version_of_the_project(self):
        version = re.search(r"project\(lightloop VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())[1]
        self.assertIn(f"name: lightloop:ip:ocs:{version}\n", (RTL / "lightloop_ocs.core").read_text())

    def test_are_linted_by_fusesoc(self):
        for target in ("lint", "lint_fast", "lint_skew"):
            with self.subTest(target), tempfile.TemporaryDirectory() as folder:
                done = subprocess.run([pathlib.Path(sys.executable).parent / "fusesoc", "--cores-root", RTL, "run", "--target", target,
                                       "lightloop:ip:ocs", "--N", "4"], cwd=folder, capture_output=True, text=True, timeout=120, check=False)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
