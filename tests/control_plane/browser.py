#!/usr/bin/env python3
# The status page in headless Chromium: it shows the switch, and goes on showing it without being told to.
# SPDX-License-Identifier: Apache-2.0
"""Usage: browser.py PROGRAM SCREENSHOT.png. Exit 77 where there is no chromium (tools/setup --test)."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from served import Lines, Served

SCREENSHOT = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
if CHROMIUM is None:
    print("skipped: no chromium; tools/setup --test installs it")
    sys.exit(77)


def browse(url: str, *arguments: str) -> str:
    with tempfile.TemporaryDirectory() as profile:
        done = subprocess.run([CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1100,900",
                               "--disable-dev-shm-usage", f"--user-data-dir={profile}", "--virtual-time-budget=4000",
                               *arguments, url], capture_output=True, text=True, timeout=240, check=False)
    return done.stdout


class Page(unittest.TestCase):
    def test_shows_the_switch_and_updates_itself(self):
        with Served("model", "--tuning", "1 ms") as served, Lines(served.connect("scpi")) as scpi:
            url = f"http://127.0.0.1:{served.ports['http']}/"
            scpi.ask("OXC:SWIT:CONN:ADD (@1,2,3,7),(@21,18,17,32);:OXC:SWIT:PORT:DIS (@7,20);:DIAG:PORT:FAIL (@3);*OPC?")
            scpi.say("bogus")
            page = browse(url, "--dump-dom")
            self.assertEqual(len(re.findall(r"<path ", page)), 4)
            self.assertEqual(len(re.findall(r"<circle ", page)), 32)
            for state, count in (("tuned", 2), ("failed", 1), ("blocked", 1)):
                self.assertEqual(len(re.findall(rf'<path class="{state}"', page)), count, state)
            self.assertEqual(len(re.findall(r'<circle class="blocked off"', page)), 2)
            self.assertIn("1A-5B tuned", page)
            self.assertIn("model, 16 ports, cycle 5120 ps", page)
            self.assertGreaterEqual(int(re.search(r'data-updates="(\d+)"', page)[1]), 2)
            self.assertRegex(page, r"<td>scpi</td><td>1</td><td>5</td><td>1</td>")
            browse(url, f"--screenshot={SCREENSHOT}")
            image = SCREENSHOT.read_bytes()
            self.assertTrue(image.startswith(b"\x89PNG"))
            self.assertGreater(len(image), 20_000)  # an empty page has some 5 kB


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
