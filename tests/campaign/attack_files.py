# Inputs that are damaged or can't be read, outputs that can't be written, and few resources.
# SPDX-License-Identifier: Apache-2.0
import resource
import signal
import time

from rig import ROWS, Rig, require, rows_in, rows_of

INPUTS = ("tiny.toml", "tiny.csv", "plan.json", "switch.toml")


def damaged(rig: Rig, data: bytes) -> bytes:
    choose, changed = rig.random, bytearray(data)
    for _ in range(choose.randrange(1, 4)):
        at = choose.randrange(len(changed) + 1)
        act = choose.randrange(5)
        if act == 0:
            del changed[at:]
        elif act == 1 and changed:
            changed[at % len(changed)] ^= 1 << choose.randrange(8)
        elif act == 2:
            changed[at:at] = choose.randbytes(choose.randrange(40))
        elif act == 3:
            changed[at:at] = changed[at:at + choose.randrange(200)]
        else:
            changed[at:at + choose.randrange(20)] = choose.choice((b"[" * 200, b"9" * 30, b"-1", b"nan", b"\0", b"a." * 5000))
    return bytes(changed)


def damage_an_input(rig: Rig) -> str:
    choose = rig.random
    rig.run("plan", "tiny.toml", "--set", "policy=sunflow", "--json", "plan.json").holds(0)
    (rig.folder / "switch.toml").write_bytes(rig.example("host/switches/palomar.toml"))
    name = choose.choice(INPUTS)
    file = rig.folder / name
    before = file.read_bytes()
    after = damaged(rig, before)
    rig.struck = after != before
    file.write_bytes(after)
    arguments = {"plan.json": ("run", "tiny.toml", "--set", "policy=file:plan.json"),
                 "switch.toml": ("check", "tiny.toml", "--set", "fabric.switch=file:switch.toml")}.get(name, ("run", "tiny.toml"))
    run = rig.start(*arguments, "--quiet")
    until = time.monotonic() + 5
    while run.running() and time.monotonic() < until:
        time.sleep(0.01)
    codes = (0, 1, 2)
    if run.running():  # another job than before, perhaps of hours: it ends when it is asked to
        run.process.send_signal(signal.SIGTERM)
        codes = (0, 1, 2, 128 + signal.SIGTERM, -signal.SIGTERM)
    ended = run.wait(60)
    ended.holds(*codes)
    return f"{name}: exit {ended.code}"


def forbid_an_input(rig: Rig) -> str:
    loop = rig.folder / "loop"
    loop.symlink_to("loop")
    name = rig.random.choice(("nowhere", ".", "loop", "tiny.toml/x", "/proc/self/mem", "x" * 5000, "/dev/null", "/dev/zero"))
    where = rig.random.choice((("run", name), ("run", "tiny.toml", "--set", f"job.workload=file:{name}"),
                               ("rerun", name, "1"), ("serve", "model", "--logins", name)))
    rig.run(*where).holds(1, 2)
    return " ".join(where)[:100]


def fill_the_disk(rig: Rig) -> str:
    """The database, or a file beside it, can't grow beyond some size."""
    most = rig.random.randrange(2_000, 400_000)
    outputs = rig.random.choice(((), ("--json", "rows.json"), ("--csv", "rows.csv"), ("--events",)))
    run = rig.start_rows("inproc", *outputs, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)))
    ended = run.wait()
    ended.holds(0, 1, 2)
    rig.struck = ended.code != 0
    rig.nothing_is_left()
    rig.rows_hold("inproc")
    return f"files of {most} bytes at most {' '.join(outputs)}: exit {ended.code}"


def write_to_a_full_device(rig: Rig) -> str:
    option = rig.random.choice(("--json", "--csv", "--db", "out"))
    if option == "out":
        with open("/dev/full", "wb") as full:
            ended = rig.run(*rows_of("inproc"), out=full)
        ended.holds(1)
    else:
        ended = rig.run(*rows_of("inproc"), option, "/dev/full", "--quiet")
        ended.holds(1, 2)
    return f"{option} /dev/full: exit {ended.code}"


def give_few_files(rig: Rig) -> str:
    most, transport = rig.random.randrange(6, 60), rig.random.choice(("inproc", "ipc", "tcp"))
    ended = rig.start_rows(transport, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))).wait()
    ended.holds(0, 1, 2, 127)  # 127: not even its libraries can be opened
    rig.nothing_is_left()
    rig.struck = ended.code != 0
    rows = rows_in(rig.folder / "rows.db")
    require(ended.code != 0 or len(rows) == ROWS, "it ended with 0 without all rows")
    rig.rows_hold(transport)
    return f"{most} open files, {transport}: exit {ended.code}"


def attack(rig: Rig) -> str:
    act = rig.random.choices((damage_an_input, forbid_an_input, fill_the_disk, write_to_a_full_device, give_few_files),
                             weights=(5, 2, 3, 1, 3))[0]
    return f"{act.__name__}: {act(rig)}"
