# Strangers at the ports of a run and of its nodes.
# SPDX-License-Identifier: Apache-2.0
import time

from rig import ROWS, Rig, require, rows_in
from strangers import PROBES, Crowd, free_port, listening, messages


def attack(rig: Rig) -> str:
    choose = rig.random
    port = free_port()
    elsewhere = choose.choice(("nobody", "with a key", "without a key"))
    more = ["--set", f"nodes.listen=tcp://127.0.0.1:{port}"]
    nodes = []
    if elsewhere != "nobody":
        more += ["--set", "nodes.expect=1"]
        connect = ["node", "--connect", f"tcp://127.0.0.1:{port}", "--id", "4", "--quiet"]
        if elsewhere == "with a key":
            rig.run("node", "--new-key", "key").holds(0)
            more += ["--set", "nodes.keys=key"]
            connect += ["--key", "key"]
        nodes.append(connect)
    parts, held, kind = choose.choice((1, 3, 4, 2000)), choose.choice((0, 3, 40)), choose.choice(("probes", "messages", "both"))

    def text(random_):
        if kind == "probes" or (kind == "both" and random_.random() < 0.5):
            return random_.choice(PROBES) + random_.randbytes(random_.randrange(200))
        return messages(random_, parts)

    run = rig.start_rows("tcp", *more)
    looked, ports = [0.0], [[]]

    def found():
        if time.monotonic() - looked[0] > 0.2:
            looked[0], ports[0] = time.monotonic(), listening(rig.processes())
        return ports[0]

    with Crowd(choose, found, text, held) as crowd:
        others = [rig.start(*command) for command in nodes]
        run.wait().holds(0)
    for other in others:
        code = other.wait().code
        require(code == 0, f"a node from elsewhere ended with exit code {code}")
    rig.nothing_is_left()
    rows = rows_in(rig.folder / "rows.db")
    require(len(rows) == ROWS, f"{len(rows)} rows, not {ROWS}")
    rig.reference.agrees(rows)
    rig.struck = crowd.connections > 0
    return f"{kind}, {held} held, {crowd.connections} connections, {crowd.bytes} bytes; from elsewhere: {elsewhere}"
