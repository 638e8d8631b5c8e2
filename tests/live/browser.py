#!/usr/bin/env python3
# The page of a run in headless Chromium, on a phone and on a desk: it shows the run, its end, and the next run.
# SPDX-License-Identifier: Apache-2.0
"""Usage: browser.py PROGRAM [FOLDER], which gets a picture of each page. Exit 77 where there is no chromium (tools/setup
--test)."""
import http.client
import http.server
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.error
import urllib.request

from watched import LONG, Watched

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
PICTURES = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None
if CHROMIUM is None:
    print("skipped: no chromium; tools/setup --test installs it")
    sys.exit(77)

# Notes what is wider than its place, and what a script complains of.
LOOK = """<script>
addEventListener("error", event => document.body.dataset.failed = event.message);
setInterval(() => {
  const wide = [...document.querySelectorAll("body, header, section, .row, .numbers div, .numbers b, td, h1, h3")].filter(e => e.scrollWidth > e.clientWidth + 1);
  document.body.dataset.wide = wide.map(e => e.tagName + ":" + e.textContent.slice(0, 40)).join("|");
}, 50);
</script>"""

# A window can't be as narrow as a phone; a frame can. What is in it is copied, so that it is a part of the page. The image comes
# when so many streams of events have begun and the run is where it is to be seen, and a while later: so long Chromium waits before
# it shows the page.
FRAME = """<!doctype html><title>frame</title><body style="margin:0"><iframe id="frame" src="/" style="border:0;width:{width}px;height:1500px"></iframe>
<div id="copy" hidden></div><img src="/late/{streams}" hidden><script>setInterval(() => {{
  const inner = document.getElementById("frame").contentDocument.body;
  if (!inner) return;
  document.getElementById("copy").innerHTML = inner.innerHTML.replace(/<script[^]*?<\\/script>/g, "");
  Object.assign(document.body.dataset, inner.dataset);
}}, 100);</script>"""


class Framed:
    """The page of a run in a frame: its own page and its own events, with a script that looks at the page."""

    def __init__(self, at: str):
        self.streams, self.begun, self.there = 0, threading.Condition(), threading.Event()
        self.row = threading.Event()  # a page has been sent the state of a row that runs
        self.there.set()
        framed = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                if self.path.startswith("/frame"):
                    width, streams = self.path.split("/")[2:]
                    return self.answer(FRAME.format(width=width, streams=streams).encode())
                if self.path.startswith("/late"):
                    framed.wait(int(self.path.rpartition("/")[2]))
                    framed.there.wait(60)
                    time.sleep(1.5)
                    return self.answer(b"")
                try:
                    with urllib.request.urlopen(f"http://{at}{self.path}", timeout=60) as answer:
                        if self.path == "/":
                            return self.answer(answer.read().replace(b"<body>", b"<body>" + LOOK.encode()))
                        self.send_response(200)
                        self.send_header("Content-Type", answer.headers["Content-Type"])
                        self.end_headers()
                        with framed.begun:
                            framed.streams += 1
                            framed.begun.notify_all()
                        for line in answer:
                            self.wfile.write(line)
                            self.wfile.flush()
                            if b'"running":[{' in line:
                                framed.row.set()
                except (urllib.error.URLError, http.client.HTTPException, OSError):
                    self.close_connection = True  # nobody is at the address, or the browser has gone

            def answer(self, body: bytes):
                self.send_response(200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def url(self, width: int, more: int = 1) -> str:
        """Of a page that is shown when so many more streams have begun."""
        return f"http://127.0.0.1:{self.server.server_port}/frame/{width}/{self.streams + more}"

    def wait(self, streams: int) -> None:
        with self.begun:
            self.begun.wait_for(lambda: self.streams >= streams, 60)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()
        return False


def browse(url: str, *arguments: str) -> str:
    with tempfile.TemporaryDirectory() as profile:
        return subprocess.run([CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", f"--user-data-dir={profile}",
                               "--hide-scrollbars", *arguments, url], capture_output=True, text=True, timeout=120, check=False).stdout


class Browser(unittest.TestCase):
    def look(self, shown: str) -> None:
        """The page as Chromium has it fits its width, and no script has failed."""
        body = re.search(r"<body [^>]*>", shown)
        self.assertIsNotNone(body, shown[:500])
        self.assertNotIn("data-failed", body[0])
        self.assertIn('data-wide=""', body[0])
        self.assertNotIn("NaN", shown)
        self.assertNotIn("undefined", shown)

    def test_shows_a_run_at_every_width(self):
        with Watched(*LONG, "-j", "2") as run, Framed(run.at) as framed:
            for width in (390, 1280):
                picture = [f"--screenshot={PICTURES}/run-{width}.png"] if PICTURES else []
                for arguments in (["--dump-dom"], picture):
                    shown = browse(framed.url(width), f"--window-size={max(width, 600)},1500", *arguments)
                    if arguments == ["--dump-dom"]:
                        self.look(shown)
                        for part in (">tiny</h1>", ">running</span>", "row 1: ", "events per second", "simulated", 'class="outputs"', " up</span>"):
                            self.assertIn(part, shown)
            self.assertIsNone(run.process.poll(), "the run has ended too soon for this test")

    def end_of(self, name: str, width: int, end, *arguments: str, code: int) -> str:
        """The page of a run that goes on when it is opened, and that `end` ends then: it gets the process, and what is set once the page shows
        a row."""
        shown = []
        picture = [f"--screenshot={PICTURES}/{name}-{width}.png"] if PICTURES else []
        with Watched(*arguments) as run, Framed(run.at) as framed:
            run.process.send_signal(signal.SIGSTOP)  # the page is served by another process
            framed.there.clear()
            url = framed.url(width)
            watching = threading.Thread(target=lambda: shown.append(browse(url, f"--window-size={max(width, 600)},1500", "--dump-dom", *picture)))
            watching.start()
            framed.wait(1)
            run.process.send_signal(signal.SIGCONT)
            end(run.process, framed.row)
            self.assertEqual(run.end()[0], code)
            framed.there.set()
            watching.join()
        self.look(shown[0])
        return shown[0]

    def test_shows_how_a_run_ended(self):
        some_fail = ["--set", 'fabric.outages=["", "1: 1 us"]', "--keep-going"]

        def by_itself(process, row):
            pass

        def within_a_row(signal_number):
            return lambda process, row: (row.wait(60), process.send_signal(signal_number))

        ends = [("finished", [], by_itself, 0, '"finished">the run has ended</span>'),
                ("failed", some_fail, by_itself, 1, '"stopped">the run has ended, 3 rows failed</span>'),
                ("stopped", LONG, within_a_row(signal.SIGINT), 130, '"stopped">the run has ended: interrupted</span>'),
                ("lost", LONG, within_a_row(signal.SIGKILL), -signal.SIGKILL, '"lost">the run\'s process is gone</span>')]
        for width in (390, 1280):
            for name, arguments, end, code, words in ends:
                with self.subTest(name, width=width):
                    shown = self.end_of(name, width, end, *arguments, code=code)
                    self.assertIn(words, shown)
                    self.assertNotIn(">running</span>", shown)
                    self.assertNotIn("rows run now", shown)
                    self.assertEqual("of row 1, which had not ended" in shown, name in ("stopped", "lost"))
                    self.assertEqual("<td>psscheduler_<wbr>dedicated" in shown, name in ("finished", "failed"))
                    self.assertEqual('class="soft">none</div>' in shown, name in ("stopped", "lost"))
                    self.assertIn("a new run at this address is shown when it begins", shown)

    def test_shows_the_end_of_a_run_and_then_the_next_run(self):
        shown = []
        with Watched(*LONG) as run, Framed(run.at) as framed:
            watching = threading.Thread(target=lambda: shown.append(browse(framed.url(390, 2), "--window-size=600,1500", "--dump-dom")))
            watching.start()
            framed.wait(1)
            time.sleep(1)
            run.process.send_signal(signal.SIGINT)
            self.assertEqual(run.end()[0], 130)
            with Watched("--set", 'name="next"', *LONG, at=run.at):
                watching.join()
        self.look(shown[0])
        self.assertIn(">next</h1>", shown[0])
        self.assertIn(">running</span>", shown[0])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
