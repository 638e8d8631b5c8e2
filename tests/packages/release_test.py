#!/usr/bin/env python3
# tools/release makes what it says of a clone, and refuses a release that is not described or not of one version.
# SPDX-License-Identifier: Apache-2.0
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
VERSION = re.search(r"project\(lightloop VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())[1]


class Release(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = pathlib.Path(scratch.name)
        for name in ("CMakeLists.txt", "CITATION.cff", "rtl/lightloop_ocs.core", "python/pyproject.toml", "tools/release"):
            (self.root / name).parent.mkdir(exist_ok=True)
            shutil.copy(ROOT / name, self.root / name)
        (self.root / "CHANGELOG.md").write_text(f"# Changelog\n\n## {VERSION} (2026-01-02)\nThe first.\n\n## 0.0.1 (2025-01-01)\nOlder.\n")
        (self.root / ".gitignore").write_text("/build/\n")
        self.git("init", "--quiet")
        self.commit()

    def git(self, *arguments: str) -> str:
        return subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@localhost", *arguments], cwd=self.root, check=True,
                              capture_output=True, text=True).stdout

    def commit(self) -> None:
        self.git("add", "--all")
        self.git("commit", "--quiet", "-m", "state")

    def release(self, *arguments: str) -> subprocess.CompletedProcess:
        return subprocess.run([self.root / "tools/release", *arguments], capture_output=True, text=True, timeout=60, check=False)

    def refused(self, why: str, *arguments: str) -> None:
        made = self.release(*arguments)
        self.assertNotEqual(made.returncode, 0)
        self.assertIn(why, made.stderr)

    def test_has_notes_an_archive_and_checksums(self):
        made = self.release(VERSION, "--only", "source")
        self.assertEqual(made.returncode, 0, made.stderr)
        out = self.root / f"build/release-{VERSION}"
        self.assertEqual((out / "notes.md").read_text().strip(), "The first.")
        checked = subprocess.run(["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=out, capture_output=True, text=True, check=True)
        self.assertIn(f"lightloop-{VERSION}.tar.gz: OK", checked.stdout)
        listed = subprocess.run(["tar", "tzf", out / f"lightloop-{VERSION}.tar.gz"], capture_output=True, text=True, check=True).stdout
        self.assertIn(f"lightloop-{VERSION}/CITATION.cff\n", listed)

    def test_needs_a_section_of_the_changelog(self):
        (self.root / "CHANGELOG.md").write_text("# Changelog\n\n## Unreleased\nSomething.\n")
        self.commit()
        self.refused("CHANGELOG.md has no section", VERSION)

    def test_needs_one_version(self):
        (self.root / "CITATION.cff").write_text("version: 9.9.9\n")
        self.commit()
        self.refused(f"CITATION.cff does not have version {VERSION}", VERSION)

    def test_needs_all_to_be_committed_and_a_new_tag(self):
        (self.root / "more").write_text("")
        self.refused("not committed", VERSION)
        self.commit()
        self.git("tag", f"v{VERSION}")
        self.refused("is there already", VERSION)

    def test_refuses_what_it_does_not_know(self):
        self.refused('the version is "soon"', "soon")
        self.refused('unknown part "snap"', VERSION, "--only", "snap")


if __name__ == "__main__":
    unittest.main()
