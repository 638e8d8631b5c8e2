#!/usr/bin/env python3
# The pages of docs/ make one site: no link is dead, nothing is fetched, lists and tables are those of the plain pages, and the
# search finds something when the site is opened from disk. A small tree with one fault each shows that tools/docs refuses it.
# SPDX-License-Identifier: Apache-2.0
import html.parser
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import markdown_it

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools/site"))
import pages  # noqa: E402

COUNTED = ("li", "tr", "pre", "h2", "h3")


def site(root: pathlib.Path, output: pathlib.Path) -> subprocess.CompletedProcess:
    return subprocess.run([ROOT / "tools/docs", "--root", root, "-o", output], capture_output=True, text=True, timeout=300, check=False)


class Article(html.parser.HTMLParser):
    """Counts the elements of a page's text, without the navigation around it; lists what the page loads."""

    def __init__(self, text: str):
        super().__init__()
        self.counts, self.loads, self.inside = dict.fromkeys(COUNTED, 0), [], False
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.inside = self.inside or tag == "article"
        if self.inside and tag in COUNTED:
            self.counts[tag] += 1
        if tag in ("script", "img", "iframe", "link") and attributes.get("rel") != "canonical":
            self.loads.append(attributes.get("src") or attributes.get("href") or "")

    def handle_endtag(self, tag):
        self.inside = self.inside and tag != "article"


def counts(markdown: str) -> dict[str, int]:
    """The same of a page as GitHub renders it."""
    tokens = markdown_it.MarkdownIt("commonmark").enable("table").parse(markdown)
    found = dict.fromkeys(COUNTED, 0)
    for token in tokens:
        tag = "pre" if token.type in ("fence", "code_block") else token.tag
        if token.nesting >= 0 and tag in found:
            found[tag] += 1
    return found


class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.output = pathlib.Path(cls.scratch.name) / "site"
        cls.made = site(ROOT, cls.output)

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def test_is_made_without_a_warning(self):
        self.assertEqual((self.made.returncode, self.made.stderr), (0, ""))

    def test_loads_nothing_from_elsewhere(self):
        for page in self.output.rglob("*.html"):
            for link in Article(page.read_text()).loads:
                self.assertFalse(re.match(r"(https?:)?//", link), f"{page.name} loads {link}")
                self.assertTrue(not link or page.name == "404.html" or (page.parent / link.split("?")[0]).exists(), f"{page.name}: {link}")

    def test_has_the_lists_and_tables_of_the_plain_pages(self):
        for page in pages.markdown_files(ROOT):
            if page.startswith("docs/"):
                made = self.output / pages.place(page).replace(".md", ".html").replace("README.html", "index.html")
                with self.subTest(page):
                    self.assertEqual(Article(made.read_text()).counts, counts((ROOT / page).read_text()))

    def test_finds_a_word_when_opened_from_disk(self):
        shown = subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=8000", "--dump-dom",
                                f"{(self.output / 'index.html').as_uri()}?q=Sunflow"], capture_output=True, text=True, timeout=120, check=True)
        found = re.search(r'md-search-result__meta">\s*([^<]*?)\s*<', shown.stdout)
        self.assertRegex(found[1], r"[1-9]\d* matching documents")
        self.assertIn("schedulers.html?h=", re.findall(r'href="[^"]*/([^/"]*\?h=)', shown.stdout))


class Faults(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = pathlib.Path(scratch.name) / "tree"
        self.write("README.md", "# first\n\n## Tutorials\n- [One](one.md)\n")
        self.write("one.md", "# One\n\nA [link](README.md#tutorials) and a [source](one.toml):\n- an item\n")
        self.write("one.toml", "a = 1\n")

    def write(self, name: str, text: str) -> None:
        (self.root / "docs").mkdir(parents=True, exist_ok=True)
        (self.root / "docs" / name).write_text(text)

    def refused(self, why: str) -> None:
        made = site(self.root, self.root / "site")
        self.assertNotEqual(made.returncode, 0)
        self.assertIn(why, made.stderr)

    def test_a_sound_tree_is_accepted(self):
        made = site(self.root, self.root / "site")
        self.assertEqual((made.returncode, made.stderr), (0, ""))

    def test_a_dead_link(self):
        self.write("one.md", "# One\n\n[gone](gone.md)\n")
        self.refused("docs/one.md: links to gone.md, which does not exist")

    def test_a_dead_anchor(self):
        self.write("one.md", "# One\n\n[gone](README.md#gone)\n")
        self.refused("#gone")

    def test_a_page_without_a_line(self):
        self.write("two.md", "# Two\n")
        self.refused("docs/README.md: has no line for docs/two.md")


if __name__ == "__main__":
    unittest.main()
