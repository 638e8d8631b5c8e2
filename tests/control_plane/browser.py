#!/usr/bin/env python3
# The status page in headless Chromium: it shows the switch, and goes on showing it without being told to.
# SPDX-License-Identifier: Apache-2.0
"""Usage: browser.py PROGRAM SCREENSHOT.png. Exit 77 where there is no chromium (tools/setup --test)."""
import http.server
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest
import urllib.request

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


class Measured:
    """The served page with a script that notes which elements of it are too small for their text, and its height."""

    SCRIPT = """<script>setInterval(() => {
      const small = [...document.querySelectorAll(".numbers div, .numbers b, td, header, section")].filter(e => e.scrollWidth > e.clientWidth + 1);
      document.body.dataset.overflowing = small.map(e => e.textContent).join("|");
      document.body.dataset.below = Math.max(0, document.documentElement.scrollHeight - window.innerHeight);
    }, 100);</script>"""

    def __init__(self, origin: str):
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                with urllib.request.urlopen(origin + self.path, timeout=20) as answer:
                    body = answer.read() + (Measured.SCRIPT.encode() if self.path == "/" else b"")
                    self.send_response(200)
                    self.send_header("Content-Type", answer.headers["Content-Type"])
                    self.send_header("Content-Length", str(len(body)))
                    self.end_headers()
                    self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


class Page(unittest.TestCase):
    def test_shows_64_ports_on_one_screen_whatever_the_time(self):
        with Served("model", "--ports", "64", "--speed", "1000000", "--switch", "palomar") as served, \
                Lines(served.connect("scpi")) as scpi, Measured(f"http://127.0.0.1:{served.ports['http']}") as measured:
            scpi.ask("OXC:SWIT:CONN:ADD (@1:64),(@65:128);:OXC:SWIT:PORT:DIS (@7);:DIAG:PORT:FAIL (@3);*OPC?")
            page = browse(measured.url, "--dump-dom")
        self.assertIn("preset palomar, speed 1000000,", page)
        self.assertEqual(re.search(r'data-overflowing="([^"]*)"', page)[1], "")
        self.assertEqual(re.search(r'data-below="(\d+)"', page)[1], "0")
        self.assertRegex(page, r'<div class="wide"><b>(\d+ d )?\d+:\d\d:\d\d( h)?</b><span>virtual time</span>')
        # Counters of 64 ports, 5 each, and their headings; a line through a port that is switched off.
        self.assertEqual(len(re.findall(r'<text class="count"', page)), 64 * 5)
        for heading in ("unrouted", "tunings", "dark", "passed", "lost"):
            self.assertIn(f">{heading}</text>", page)
        self.assertEqual(len(re.findall(r'<circle class="blocked off"', page)), 1)
        self.assertEqual(len(re.findall(r"<line ", page)), 2)  # and the legend's
        self.assertEqual(len(re.findall(r'<circle class="failed"', page)), 2)  # input and output

    def test_shows_the_switch_and_updates_itself(self):
        with Served("model", "--tuning", "1 ms") as served, Lines(served.connect("scpi")) as scpi:
            url = f"http://127.0.0.1:{served.ports['http']}/"
            scpi.ask("OXC:SWIT:CONN:ADD (@1,2,3,7),(@21,18,17,32);:OXC:SWIT:PORT:DIS (@7,20);:DIAG:PORT:FAIL (@3);*OPC?")
            scpi.say("bogus")
            page = browse(url, "--dump-dom")
            self.assertEqual(len(re.findall(r"<path ", page)), 4)
            self.assertEqual(len(re.findall(r"<circle ", page)), 33)  # and the legend's
            for state, count in (("tuned", 2), ("failed", 1), ("blocked", 1)):
                self.assertEqual(len(re.findall(rf'<path class="{state}"', page)), count, state)
            self.assertEqual(len(re.findall(r'<circle class="blocked off"', page)), 2)
            self.assertIn("1A-5B tuned", page)
            self.assertIn("model, 16 ports, cycle 5120 ps, no preset, speed 1,", page)
            self.assertGreaterEqual(int(re.search(r'data-updates="(\d+)"', page)[1]), 2)
            self.assertRegex(page, r"<td>scpi</td><td>1</td><td>5</td><td>1</td>")
            browse(url, f"--screenshot={SCREENSHOT}")
            image = SCREENSHOT.read_bytes()
            self.assertTrue(image.startswith(b"\x89PNG"))
            self.assertGreater(len(image), 20_000)  # an empty page has some 5 kB


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
