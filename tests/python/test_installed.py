# SPDX-License-Identifier: Apache-2.0
"""The package as a wheel lays it out: what it needs is in it."""
import os
import pathlib
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]

SCRIPT = """
import pathlib
import lightloop as ll
here = pathlib.Path(ll.__file__).parent
assert ll.experiment_file("tiny").is_relative_to(here / "share"), ll.experiment_file("tiny")
settings = {"policy": "sunflow", "nodes.transport": "ipc", "fabric.device": "verilated", "fabric.ports": 16}
print(ll.run(ll.experiment_file("tiny"), settings)[0]["event_log_hash"])
loaded = {line.split()[-1] for line in open("/proc/self/maps") if "fast-16" in line}
assert loaded == {str(here / "lib/lightloop/rtl/fast-16.so")}, loaded
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    prefix = tmp_path_factory.mktemp("installed")
    subprocess.run(["cmake", "--install", os.environ["LIGHTLOOP_BUILD"], "--component", "python", "--prefix", prefix], check=True,
                   capture_output=True)
    shutil.copytree(ROOT / "python" / "lightloop", prefix / "lightloop", dirs_exist_ok=True)
    return {**os.environ, "PYTHONPATH": str(prefix)}


def test_an_installed_package_stands_alone(installed, tmp_path, tiny):
    run = subprocess.run([sys.executable, "-c", SCRIPT], env=installed, cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert len(run.stdout.strip()) == 16


def test_the_command_comes_with_it(installed, tmp_path):
    run = subprocess.run([sys.executable, "-m", "lightloop", "--version"], env=installed, cwd=tmp_path, capture_output=True, text=True)
    assert run.stdout.startswith("lightloop 0.")
    wrong = subprocess.run([sys.executable, "-m", "lightloop", "rnu"], env=installed, cwd=tmp_path, capture_output=True, text=True)
    assert wrong.returncode == 2 and 'did you mean "run"' in wrong.stderr
