#!/usr/bin/env python3
# Measures what strangers cost: an operator's login to serve among 500 of them, and a run among a million messages.
# SPDX-License-Identifier: Apache-2.0
"""Usage: measure.py PROGRAM login|messages. Not a test: it prints times, which depend on the machine."""
import contextlib
import multiprocessing
import pathlib
import random
import re
import socket
import statistics
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "control_plane"))

import rig as rigs
from clients import guess
from served import Lines, Served
from strangers import GREETING, frame, free_port, listening, own_message

STRANGERS, OPERATORS = 500, 20
MESSAGES_A_SECOND, SEEDS_OF_A_RUN, PAIRS = 1_000_000 / 60, 1000, 3


def memory(pid: int, what: str) -> float:
    """In MB."""
    return int(re.search(rf"{what}:\s+(\d+) kB", pathlib.Path(f"/proc/{pid}/status").read_text())[1]) / 1000


def login(rig: rigs.Rig) -> None:
    users = [f"user{n}" for n in range(OPERATORS)]  # each new: a password that was right once is known
    digest = rig.password_hash("sesame")
    logins = rig.folder / "logins.toml"
    logins.write_text("".join(f'[users.{user}]\nrole = "operate"\npassword = "{digest}"\n' for user in ["ann", *users]))
    times = []
    with Served("model", "--logins", str(logins), "--listen", "0.0.0.0") as served:
        def log_in(user: str) -> float:
            began = time.monotonic()
            with Lines(served.connect("scpi")) as scpi:
                answer = scpi.ask(f"SYST:LOG '{user}','sesame';:SYST:ERR?")
                rigs.require(answer == '0,"No error"', f"no login: {answer}")
            return time.monotonic() - began

        alone = log_in("ann")
        pid = served.process.pid
        print(f"alone: {alone:.3f} s, memory {memory(pid, 'VmRSS'):.0f} MB", flush=True)
        most_tried = multiprocessing.Event()
        crowd = multiprocessing.Process(target=guess, args=(served.ports["scpi"], STRANGERS, most_tried), daemon=True)
        crowd.start()
        try:
            rigs.require(most_tried.wait(300), "the strangers had no answers")
            before = memory(pid, "VmRSS")
            times = [log_in(user) for user in users]
            print(f"among {STRANGERS} strangers: median {statistics.median(times):.3f} s, longest {max(times):.3f} s of "
                  f"{OPERATORS} first logins; memory {before:.0f} MB, then {memory(pid, 'VmRSS'):.0f} MB, at most "
                  f"{memory(pid, 'VmHWM'):.0f} MB")
        finally:
            crowd.kill()
            crowd.join()


class Senders:
    """Strangers that send messages of the run's own form, so many a second, to the ports that `find` gives."""

    def __init__(self, find):
        self.find, self.sent, self.connections, self.over = find, 0, 0, threading.Event()
        choose = random.Random(1)
        self.pieces = [b"".join(frame(body, part < 2) for part, body in enumerate(own_message(choose))) for _ in range(200)]
        self.thread = threading.Thread(target=self.run)

    def __enter__(self):
        self.began = time.monotonic()
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        self.thread.join()
        return False

    def run(self) -> None:
        one, choose, piece = None, random.Random(2), b"".join(self.pieces)
        while not self.over.is_set():
            if self.sent > (time.monotonic() - self.began) * MESSAGES_A_SECOND:
                time.sleep(0.002)
                continue
            try:
                if one is None:
                    one = socket.create_connection(("127.0.0.1", choose.choice(self.find())), timeout=1)
                    one.sendall(GREETING)
                    self.connections += 1
                one.sendall(piece)
                self.sent += len(self.pieces)
            except (OSError, IndexError):
                with contextlib.suppress(AttributeError):
                    one.close()
                one = None


def run_once(rig: rigs.Rig, keyed: bool, attacked: bool) -> tuple[float, list[str], str]:
    """Seconds, the hashes of the rows, and what the strangers did."""
    port, name = free_port(), rig.new("rows")
    seeds = ",".join(map(str, range(1, SEEDS_OF_A_RUN + 1)))
    command = ["run", "tiny.toml", "--quiet", "--set", f"seed=[{seeds}]", "--set", "policy=hlf", "--set", "job.payload=full",
               "--set", "nodes.transport=tcp", "--set", f"nodes.listen=tcp://127.0.0.1:{port}", "--db", str(name)]
    if not keyed:
        command += ["--set", "nodes.expect=1"]
    nodes = 5  # of tiny.toml; all rows have the same ones
    ports: list[int] = []

    def found():
        if len(ports) < nodes + 1:
            ports[:] = listening(rig.processes())
        return ports

    began = time.monotonic()
    run = rig.start(*command)
    node = None if keyed else rig.start("node", "--connect", f"tcp://127.0.0.1:{port}", "--id", "4", "--quiet")
    with Senders(found) if attacked else contextlib.nullcontext() as senders:
        run.wait().holds(0)
    seconds = time.monotonic() - began
    if node:
        node.wait().holds(0)
    hashes = [row["event_log_hash"] for row in rigs.rows_in(name)]
    rigs.require(len(hashes) == SEEDS_OF_A_RUN, f"{len(hashes)} rows, not {SEEDS_OF_A_RUN}")
    said = f"{senders.sent} messages on {senders.connections} connections" if attacked else ""
    return seconds, hashes, said


def messages(rig: rigs.Rig) -> None:
    for keyed in (True, False):
        times, right = {False: [], True: []}, None
        for _ in range(PAIRS):
            for attacked in (False, True):
                seconds, hashes, said = run_once(rig, keyed, attacked)
                right = right or hashes
                rigs.require(hashes == right, "strangers changed a row")
                times[attacked].append(seconds)
                print(f"{'with' if keyed else 'without'} a key: {seconds:.2f} s {said}", flush=True)
        ratio = statistics.median(times[True]) / statistics.median(times[False])
        print(f"{'with' if keyed else 'without'} a key: {ratio:.2f} times as long among strangers, and the same rows")


def main() -> None:
    if len(sys.argv) != 3 or sys.argv[2] not in ("login", "messages"):
        sys.exit(__doc__)
    load = pathlib.Path("/proc/loadavg").read_text().split()[0]
    print(f"load before: {load}")
    with rigs.Rig(str(pathlib.Path(sys.argv[1]).resolve()), "measure", None) as rig:
        {"login": login, "messages": messages}[sys.argv[2]](rig)


if __name__ == "__main__":
    main()
