#!/usr/bin/env python3
# A report in a browser: every chart is drawn, on a phone and on a desk, and no script fails.
# SPDX-License-Identifier: Apache-2.0
"""Usage: browser.py LIGHTLOOP. Exit 77 where there is no chromium (tools/setup --test)."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
SECTIONS = ["table", "time", "winners", "lines", "distribution", "ports"]


def dom(page, width, folder):
    """The page after its scripts, with what they complain of in its title."""
    run = subprocess.run(
        [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/profile-{width}",
         f"--window-size={width},2000", "--virtual-time-budget=2000", "--dump-dom", page.as_uri()],
        capture_output=True, text=True, timeout=120, check=True)
    return run.stdout


def main():
    if CHROMIUM is None:
        print("skipped: no chromium; tools/setup --test installs it")
        return 77
    lightloop = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)

        def run(*arguments):
            subprocess.run([lightloop, *arguments], cwd=folder, check=True, capture_output=True, timeout=120)

        run("run", str(ROOT / "testbed/experiments/tiny.toml"), "--db", "r.db", "--quiet", "--set",
            'fabric.tuning=["1 us", "100 us"]', "--set", 'job.compute=["1 us", "1 ms"]', "--set", "seed=[1, 2]")
        run("report", "r.db", "-o", "r.html", "--explain", "1", "--quiet")
        html = (folder / "r.html").read_text()
        watched = html.replace("<main ", "<script>addEventListener('error', e => document.title = 'failed: ' + e.message)"
                               "</script><main ")
        assert watched != html
        (folder / "watched.html").write_text(watched)
        for width in (390, 1200):
            text = dom(folder / "watched.html", width, folder)
            title = re.search("<title>(.*?)</title>", text).group(1)
            assert title == "lightloop: report", title
            for section in SECTIONS:
                start = text.find(f'<section id="{section}"')
                assert start >= 0, f"there is no section {section} at {width}"
                part = text[start:text.find("</section>", start)]
                assert "CSV</button>" in part, section
                assert section == "table" or part.count("<path") + part.count("<rect") > 4, f"{section} at {width} is empty"
            shown = text[text.find("<main"):text.find("</main>")]
            assert "NaN" not in shown and "undefined" not in shown, "a number is missing"
            assert text.count('class="drawn"') == 1 and "the chain, from its beginning:" in text
    print("every chart is drawn")
    return 0


if __name__ == "__main__":
    sys.exit(main())
