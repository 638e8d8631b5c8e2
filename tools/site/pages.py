# The repository's Markdown as pages of one site: where each page goes, and where its links then lead.
# SPDX-License-Identifier: Apache-2.0
"""MkDocs reads one folder. `stage()` fills it: docs/README.md becomes the first page, the other pages of docs/ lie beside it,
and every other file that a page links to goes below tree/, as a page. The lists of docs/README.md are the navigation."""
import os
import pathlib
import posixpath
import re
import shutil

FIRST = "docs/README.md"
LEFT_OUT = {"build", "results", "__pycache__"}
PICTURES = {".svg", ".png"}
LANGUAGES = {".cpp": "cpp", ".hpp": "cpp", ".h": "c", ".c": "c", ".py": "python", ".toml": "toml", ".json": "json", ".sv": "systemverilog",
             ".cff": "yaml", ".yml": "yaml"}
LINK = re.compile(r"(\]\()([^)#\s]*)(#[^)\s]*)?(\s[^)]*)?(\))")
ITEM = re.compile(r"(?:[-*]|\d+\.) ")
ENTRY = re.compile(r"\[([^]]+)\]\(([^)#\s]+)\)")


class Wrong(Exception):
    """A page cannot be a page of the site."""


def markdown_files(root: pathlib.Path) -> list[str]:
    found = []
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name not in LEFT_OUT and not name.startswith(".")]
        found += [(pathlib.Path(folder) / name).relative_to(root).as_posix() for name in names if name.endswith(".md")]
    return sorted(found)


def place(path: str) -> str:
    """Where a file of the repository is on the site."""
    if path == FIRST:
        return "index.md"
    if path.startswith("docs/") and pathlib.PurePosixPath(path).suffix in PICTURES | {".md"}:
        return path.removeprefix("docs/")
    return f"tree/{path}" if path.endswith(".md") or pathlib.PurePosixPath(path).suffix in PICTURES else f"tree/{path}.md"


def target(root: pathlib.Path, page: str, link: str) -> str:
    """The file of the repository to which a page's link leads."""
    path = posixpath.normpath(posixpath.join(posixpath.dirname(page), link))
    if (root / path).is_dir():
        path = f"{path}/README.md"
    if path.startswith("..") or not (root / path).is_file():
        raise Wrong(f"{page}: links to {link}, which does not exist")
    return path


def with_links(root: pathlib.Path, page: str, line: str, linked: set[str]) -> str:
    """A line whose links lead to pages of the site; adds the files that they lead to."""
    def moved(found: re.Match) -> str:
        begin, link, anchor, title, end = (part or "" for part in found.groups())
        if not link or re.match(r"[a-z]+:", link):
            return found[0]
        path = target(root, page, link)
        linked.add(path)
        return begin + posixpath.relpath(place(path), posixpath.dirname(place(page)) or ".") + anchor + title + end
    # Text between backquotes is no link.
    return "".join(part if k % 2 else LINK.sub(moved, part) for k, part in enumerate(re.split(r"(`[^`]*`)", line)))


def converted(root: pathlib.Path, page: str, linked: set[str]) -> str:
    """A page with its links moved, and with blank lines that GitHub does not need and MkDocs does: behind a heading, before
    a list and a table."""
    out: list[str] = []
    fenced, marker = False, 0
    for line in (root / page).read_text().splitlines():
        if not fenced and out and out[-1].startswith("#"):
            out.append("")
        if line.lstrip().startswith("```"):
            fenced = not fenced
        if line[:1].strip():
            found = ITEM.match(line)
            marker = len(found[0]) if found else 0
        if fenced or line.startswith("    "):
            # Code in an item is indented by four behind its text on GitHub, by eight in MkDocs.
            code = marker and not fenced and line.startswith(" " * (marker + 4))
            out.append(" " * (4 - marker) + line if code else line)
            continue
        before = out[-1] if out else ""
        item = ITEM.match(line) and not ITEM.match(before) and not before.startswith("  ")
        table = line.startswith("|") and not before.startswith("|")
        if before.strip() and (item or table):
            out.append("")
        out.append(with_links(root, page, line, linked))
    return "\n".join(out) + "\n"


def notebook(text: str) -> str:
    """A notebook in jupytext's percent form as Markdown."""
    out = []
    for cell in re.split(r"^# %%", text, flags=re.MULTILINE)[1:]:
        kind, _, body = cell.partition("\n")
        body = body.strip("\n")
        if "[markdown]" in kind:
            out.append("\n".join(re.sub(r"^# ?", "", line) for line in body.splitlines()))
        elif body:
            out.append(f"```python\n{body}\n```")
    return "\n\n".join(out) + "\n"


def source_page(root: pathlib.Path, path: str) -> str:
    """A page that shows a file which is not Markdown."""
    text = (root / path).read_text()
    if path.endswith(".py") and "\n# %% [markdown]\n" in text:
        return notebook(text)
    language = LANGUAGES.get(pathlib.PurePosixPath(path).suffix, "text")
    return f"---\nsearch:\n  exclude: true\n---\n# {path}\n\n````{language}\n{text}````\n"


def navigation(root: pathlib.Path) -> list:
    """The sections, groups and items of docs/README.md from section "Tutorials" on."""
    nav: list = [{"lightloop": "index.md"}]
    section = group = None
    text = (root / FIRST).read_text()
    for line in text[text.find("## Tutorials"):].splitlines():
        if line.startswith("## "):
            section = group = []
            nav.append({line.removeprefix("## "): section})
        elif line.startswith("### "):
            group = []
            section.append({line.removeprefix("### "): group})
        elif line.startswith(("- ", "  ")) and group is not None:
            group += [{title: place(target(root, FIRST, link))} for title, link in ENTRY.findall(line)
                      if not re.match(r"[a-z]+:", link)]
    return without_empty(nav)


def without_empty(nav: list) -> list:
    """The navigation without sections that list no page."""
    out = []
    for entry in nav:
        (title, inner), = entry.items()
        inner = without_empty(inner) if isinstance(inner, list) else inner
        if inner:
            out.append({title: inner})
    return out


def in_navigation(nav: list) -> set[str]:
    found: set[str] = set()
    for entry in nav:
        for inner in entry.values():
            found |= in_navigation(inner) if isinstance(inner, list) else {inner}
    return found


def stage(root: pathlib.Path, folder: pathlib.Path) -> list:
    """Fills `folder` with the pages and pictures of the site. Returns the navigation."""
    shutil.rmtree(folder, ignore_errors=True)
    nav = navigation(root)
    ahead = [path for path in markdown_files(root) if path.startswith("docs/")]
    missing = sorted(path for path in ahead if place(path) not in in_navigation(nav))
    if missing:
        raise Wrong(f"{FIRST}: has no line for {', '.join(missing)}")
    done: set[str] = set()
    while ahead:
        path = ahead.pop()
        if path in done:
            continue
        done.add(path)
        linked: set[str] = set()
        to = folder / place(path)
        to.parent.mkdir(parents=True, exist_ok=True)
        if pathlib.PurePosixPath(path).suffix in PICTURES:
            shutil.copyfile(root / path, to)
        else:
            to.write_text(converted(root, path, linked) if path.endswith(".md") else source_page(root, path))
        ahead += sorted(linked)
    return nav
