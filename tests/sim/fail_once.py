#!/usr/bin/env python3
# Lets each allocation and each system call of the real program fail once, and checks how it ends.
# SPDX-License-Identifier: Apache-2.0
"""Usage: fail_once.py PROGRAM [--most N] [--only CALL]

Runs the main job in some small forms, once for each call of a list (CALLS_OF), with that call failing (fail_once.c). Of a call that
the program makes more often than N times (default: each) it takes N of them, evenly spread. A call of the list that isn't made at
all is an error: nothing would be tried. After each run: it ended by itself within 60 s, with exit code 0, 1 or 2; one
sentence says why it isn't 0; the rows that are stored are those of a run without a failure, each once; and --resume adds the rest.
Exit 1 if one of these doesn't hold. The same for `lightloop serve` with clients of its three dialects, which then has to end
when it is told to, or with a sentence. One thing is counted and let pass, in up to 3 % of the failures of malloc: nlohmann::json
allocates in a destructor, so memory that fails there, while an exception is on its way, ends the program; its rows are checked."""
import argparse
import os
import pathlib
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
MEASURED = {"row_id", "run_id", "wall_time_s", "realtime_ratio", "peak_rss_bytes"}
SMALL = ["--set", "fabric.device=model", "--set", "job.workload=resnet32_cifar", "--set", "job.iterations=1", "--set", "job.compute=1 ms",
         "--set", "policy=[sunflow, hlf]", "--quiet"]
NODES = ["--set", "job.payload=digest", "--set", "job.workers=2", "--set", "job.servers=1", "--set", "nodes.timeout=3 s"]
FORMS = {"in one thread": ["--set", "job.payload=none"],
         "to files": ["--set", "job.payload=none", "--json", "rows.json", "--csv", "rows.csv"],
         "side by side": ["--set", "job.payload=none", "-j", "2"],
         "in processes": [*NODES, "--set", "nodes.transport=tcp"],
         "over ipc": [*NODES, "--set", "nodes.transport=ipc"]}
# ZeroMQ ends the process where it gets no memory or no file: the machine's limits are counted before (machine_limits.hpp), and
# calls of its threads can't be told from those of lightloop. readv, writev, sendmsg and recvmsg are counted, and no form makes them.
DATABASE = {"pread", "pwrite", "fsync", "ftruncate"}
CALLS_OF = {"in one thread": {"malloc", "open", "read", "write", "mmap", "fcntl"} | DATABASE,
            "to files": {"malloc", "open", "write", "rename"},
            "side by side": {"malloc", "fork", "poll", "send", "recv"} | DATABASE,
            "in processes": {"fork"} | DATABASE,
            "over ipc": {"openat", "rename"},
            "serve": {"malloc", "socket", "bind", "listen", "accept", "send", "recv", "setsockopt", "eventfd",
                      "epoll_create", "epoll_ctl", "epoll_wait"}}


def run(program: str, folder: pathlib.Path, form: str, fault: dict[str, str], more: list[str]) -> tuple[int, str]:
    environment = dict(os.environ, **fault)
    if fault:
        environment["LD_PRELOAD"] = str(folder / "fail_once.so")
    try:
        done = subprocess.run([program, "run", str(ROOT / "testbed/experiments/main.toml"), *SMALL, *FORMS[form], "--db", "rows.db", *more],
                              cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              errors="replace", timeout=60, check=False)
    except subprocess.TimeoutExpired:
        return -1, "it takes more than 60 s"
    return done.returncode, done.stderr


def rows(folder: pathlib.Path) -> list[dict]:
    if not (folder / "rows.db").is_file():
        return []
    with sqlite3.connect(folder / "rows.db") as database:
        database.row_factory = sqlite3.Row
        if not database.execute("SELECT 1 FROM sqlite_master WHERE name = 'row'").fetchone():
            return []
        found = [{key: row[key] for key in row.keys() if key not in MEASURED} for row in database.execute("SELECT * FROM row ORDER BY row_id")]
    database.close()
    return found


MOST_ENDED = 0.03
ended_by_json = []


def complaint(code: int, errors: str) -> str:
    """Why this isn't how the program may end; empty: it is."""
    if code == -6 and errors.rstrip().endswith("what():  std::bad_alloc"):
        ended_by_json.append(errors)
        return ""
    last = [line for line in errors.splitlines() if not line.startswith("lightloop: warning")]
    said = ("rows are there already", "row is there already", "held earlier results; they are kept as")
    last = [line for line in last if not any(words in line for words in said)]
    if code not in (0, 1, 2):
        return f"exit code {code}: {errors[-300:]}"
    if code != 0 and (len(last) != 1 or not last[0].startswith("lightloop: ") or "internal error" in last[0]):
        return f"exit code {code}, but not one sentence: {errors[-300:]}"
    return ""


def clear(folder: pathlib.Path) -> None:
    """No rows, and files of earlier results that have to make way."""
    for old in folder.glob("rows.*"):
        old.unlink()
    for earlier in ("rows.json", "rows.csv"):
        (folder / earlier).write_text("earlier\n")


def judge(program: str, folder: pathlib.Path, form: str, fault: dict[str, str], right: list[dict]) -> str:
    clear(folder)
    code, errors = run(program, folder, form, fault, [])
    if why := complaint(code, errors):
        return why
    there = rows(folder)
    if any(row not in right for row in there) or len(there) > len(right) or (code == 0 and len(there) != len(right)):
        return f"exit code {code}, but {len(there)} rows are there, or a wrong one"
    code, errors = run(program, folder, form, {}, ["--resume"])
    if code != 0:
        return f"--resume has exit code {code}: {errors[-300:]}"
    after = rows(folder)
    if sorted(after, key=str) != sorted(right, key=str):
        return f"after --resume {len(after)} rows are there, or a wrong one"
    return ""


def chosen_calls(options: argparse.Namespace, form: str, counts: pathlib.Path) -> dict[str, int]:
    """The calls that are to fail, and how often each is made. Exits where one is never made."""
    made = {call: int(count) for call, count in (line.split() for line in counts.read_text().splitlines())}
    chosen = {call: made[call] for call in sorted(CALLS_OF[form]) if options.only in call}
    if never := [call for call, count in chosen.items() if count == 0]:
        sys.exit(f"fail_once.py: {form}: {', '.join(never)} is expected, but never called: CALLS_OF doesn't fit the program")
    return chosen


def numbers(count: int, most: int) -> list[int]:
    return list(range(1, count + 1)) if count <= most else [1 + k * (count - 1) // (most - 1) for k in range(most)]


def ask(port: int, text: bytes) -> bytes:
    """What a client gets; it may get nothing."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=2) as connection:
            connection.sendall(text)
            return connection.recv(4096)
    except OSError:
        return b""


def serve(options: argparse.Namespace, folder: pathlib.Path, fault: dict[str, str], tries: int = 3) -> tuple[int, str]:
    """The exit code of `lightloop serve` that three clients ask and that is then told to end, and what it complains of. A server that the
    signal ends before it complains is tried again: one that always ends so has no handler."""
    environment = dict(os.environ, LD_PRELOAD=str(folder / "fail_once.so"), **fault)
    process = subprocess.Popen([options.program, "serve", "model", "--ports", "4", "--scpi", "0", "--tl1", "0", "--http", "0"], cwd=folder,
                               env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        answers = {}
        for line in process.stdout:
            found = re.match(r"(SCPI|TL1|HTTP) +.*:(\d+)$", line)
            if found:
                answers[found[1]] = int(found[2])
            if line.startswith("HTTP"):
                break
        for dialect, text in (("SCPI", b"*IDN?\n"), ("TL1", b"RTRV-HDR:::1;"), ("HTTP", b"GET / HTTP/1.0\r\n\r\n"), ("SCPI", b"*RST\n*IDN?\n"),
                              ("SCPI", b"*IDN?\n")):
            if dialect in answers:
                answers[text] = ask(answers[dialect], text)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=20)
        if process.returncode in (0, 130) and not (answers.get(b"*IDN?\n") or answers.get(b"*RST\n*IDN?\n")):
            return -2, "no client after the failure gets an answer"  # it meets one of them
        if process.returncode == -signal.SIGINT and errors:
            return 1, errors  # the failure was ending it already, and it had given the signal back
        if process.returncode == -signal.SIGINT and tries > 1:
            return serve(options, folder, fault, tries - 1)  # the same, and the signal came before it complained
        return process.returncode, errors
    except subprocess.TimeoutExpired:
        return -1, "it does not end when it is told to"
    finally:
        process.kill()
        process.wait()


def check_serve(options: argparse.Namespace, folder: pathlib.Path) -> tuple[int, int]:
    counts, tried, wrong = folder / "counts", 0, 0
    code, errors = serve(options, folder, {"FAIL_AT": "0", "FAIL_COUNTS": str(counts)})
    if code not in (0, 130):
        sys.exit(f"fail_once.py: without a failure, serve has exit code {code}: {errors}")
    for call, count in chosen_calls(options, "serve", counts).items():
        chosen = numbers(count, options.most)
        for number in chosen:
            code, errors = serve(options, folder, {"FAIL_CALL": call, "FAIL_AT": str(number)})
            why = "" if code in (0, 130) else complaint(code, errors)
            if why:
                wrong += 1
                print(f"WRONG serve: FAIL_CALL={call} FAIL_AT={number}: {why}", flush=True)
        tried += len(chosen)
        print(f"serve: {call} failed {len(chosen)} times of {count}", flush=True)
    return tried, wrong


def check_form(options: argparse.Namespace, folder: pathlib.Path, form: str) -> tuple[int, int]:
    clear(folder)
    counts = folder / "counts"
    code, errors = run(options.program, folder, form, {"FAIL_AT": "0", "FAIL_COUNTS": str(counts)}, [])
    if code != 0:
        sys.exit(f"fail_once.py: without a failure it has exit code {code}: {errors}")
    right, tried, wrong = rows(folder), 0, 0
    for call, count in chosen_calls(options, form, counts).items():
        chosen = numbers(count, options.most)
        for number in chosen:
            why = judge(options.program, folder, form, {"FAIL_CALL": call, "FAIL_AT": str(number)}, right)
            if why:
                wrong += 1
                print(f"WRONG {form}: FAIL_CALL={call} FAIL_AT={number}: {why}", flush=True)
        tried += len(chosen)
        print(f"{form}: {call} failed {len(chosen)} times of {count}", flush=True)
    return tried, wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--most", type=int, default=1_000_000)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    options.program = str(pathlib.Path(options.program).resolve())
    if options.most < 2:
        parser.error("--most must be at least 2")
    folder = pathlib.Path(tempfile.mkdtemp())
    try:
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", str(folder / "fail_once.so"), str(HERE / "fail_once.c"), "-ldl"], check=True)
        results = [check_form(options, folder, form) for form in FORMS] + [check_serve(options, folder)]
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    tried, wrong = (sum(numbers) for numbers in zip(*results))
    too_many = len(ended_by_json) > max(2, MOST_ENDED * tried)
    print(f"{tried} failures, {wrong} ended wrong, {len(ended_by_json)} in a destructor of nlohmann::json" + (": too many" if too_many else ""))
    return 1 if wrong or too_many or not tried else 0


if __name__ == "__main__":
    sys.exit(main())
