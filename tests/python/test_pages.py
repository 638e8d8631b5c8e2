# SPDX-License-Identifier: Apache-2.0
"""The page, the tutorials and the examples run as they stand."""
import pathlib
import re
import runpy
import sys

import jupytext
import nbclient
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TUTORIALS = sorted((ROOT / "docs" / "tutorials").glob("*.py"))
EXAMPLES = ROOT / "python" / "examples"


def blocks(page: str) -> list[str]:
    """Indented blocks of Python, one after another."""
    found = re.findall(r"\n\n((?: {4}.*\n|\n(?= {4}))+)", page)
    texts = ["\n".join(line[4:] for line in block.splitlines()) for block in found]
    return [text for text in texts if not text.startswith(("pip ", "tools/"))]


def test_the_blocks_of_the_page_run(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    texts = blocks((ROOT / "docs" / "python.md").read_text())
    assert len(texts) >= 11
    for text in texts:
        exec(compile(text, "docs/python.md", "exec"), names)
    assert names["rows"].axes() == ["fabric.tuning", "policy"]
    assert names["delivery"] is None


@pytest.mark.parametrize("file", TUTORIALS, ids=[file.stem for file in TUTORIALS])
def test_a_tutorial_runs(file, tmp_path):
    notebook = jupytext.read(file)
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    outputs = [cell.outputs for cell in notebook.cells if cell.cell_type == "code"]
    assert any(outputs)
    assert not any("Warning" in str(output) for cell in outputs for output in cell)


@pytest.mark.parametrize("name, less", [("schedulers", "resnet32_cifar"), ("collectives", "resnet32_cifar"), ("learning", "5")])
def test_an_example_draws_its_figure(name, less, tmp_path, monkeypatch, capsys):
    figure = tmp_path / "figure.svg"
    monkeypatch.setattr(sys, "argv", [name, str(figure), less])
    runpy.run_path(str(EXAMPLES / f"{name}.py"), run_name="__main__")
    assert "<svg" in figure.read_text()
    assert len(capsys.readouterr().out.splitlines()) >= 4


def test_a_simulator_of_ones_own_passes_a_block_around(capsys):
    finished = runpy.run_path(str(EXAMPLES / "own_simulator.py"))["main"]()
    assert [node for _, node in finished] == [1, 2, 3, 0, 1, 2, 3, 0]
    times = [at for at, _ in finished]
    words, cycle, tuning, compute = 15625, 5120, 10_000_000, 50_000_000
    hops = [after - before - compute - words * cycle for before, after in zip(times, times[1:])]
    assert all(tuning <= hop < tuning + 20 * cycle for hop in hops[:3])
    assert all(0 <= hop < 20 * cycle for hop in hops[3:])  # the circuit is there already
