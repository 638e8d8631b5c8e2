# What every check of the tree needs: which files are ours.
# SPDX-License-Identifier: Apache-2.0
import os
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
NOT_OURS = {".git", "build", "__pycache__", ".cache", ".vscode", ".idea"}
RESULTS = {"results"}  # of tools/quickstart, in the root alone


def files(root: pathlib.Path) -> list[pathlib.PurePosixPath]:
    """All files below `root` that belong to the project, relative to it, sorted; what is built or fetched is left out."""
    found = []
    for folder, folders, names in os.walk(root):
        not_ours = NOT_OURS | RESULTS if pathlib.Path(folder) == root else NOT_OURS
        folders[:] = [name for name in folders if name not in not_ours and not name.startswith("cmake-build")]
        found += [pathlib.PurePosixPath(pathlib.Path(folder, name).relative_to(root).as_posix()) for name in names
                  if name not in NOT_OURS]
    return sorted(found)


def text(path: pathlib.Path) -> str:
    """The file's text; empty if it is none."""
    data = path.read_bytes()
    return "" if b"\0" in data[:4096] else data.decode("utf-8", "replace")
