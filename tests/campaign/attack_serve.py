# Strangers at the doors of lightloop serve, beside an operator.
# SPDX-License-Identifier: Apache-2.0
import contextlib
import pathlib
import re
import signal
import socket
import time

from rig import MOST_BYTES, Rig, require
from strangers import PROBES, Crowd

DOORS = ("SCPI", "TL1", "HTTP")
LINES = ("*IDN?", "SYST:LOG 'ann','wrong'", "OXC:SWIT:DISC:ALL", "OXC:SWIT:CONN:ADD (@1),(@18)", "OCS:PORT:STAT?", "*WAI",
         "ACT-USER::ann:1::wrong;", "ENT-PATCH::1,18:2:;", "DLT-PATCH::ALL:3:;", "RTRV-PATCH:::4:;",
         "GET /metrics HTTP/1.1\r\nHost: localhost\r\nAuthorization: Basic YW5uOndyb25n\r\n\r\n", "\0" * 70000, "(@" + "1," * 9000)


def mutated(random_, text: bytes) -> bytes:
    bytes_ = bytearray(text)
    for _ in range(random_.randrange(4)):
        at = random_.randrange(len(bytes_) + 1)
        bytes_[at:at + random_.randrange(3)] = random_.randbytes(random_.randrange(3))
    return bytes(bytes_)


def ask(client: socket.socket, line: str) -> str:
    client.sendall(line.encode() + b"\n")
    answer = b""
    while not answer.endswith(b"\n"):
        piece = client.recv(65536)
        require(piece != b"", f"the operator lost the connection after {line}")
        answer += piece
    return answer.decode().strip()


def ports_of(served) -> dict[str, int]:
    for _ in range(2000):
        found = dict(re.findall(r"(?m)^(SCPI|TL1|HTTP) +\S+:(\d+)$", served.out.read_text()))
        if len(found) == len(DOORS):
            return {door: int(port) for door, port in found.items()}
        require(served.running(), f"serve ended: {served.text()}")
        time.sleep(0.01)
    require(False, "serve doesn't say where it listens")


def attack(rig: Rig) -> str:
    choose = rig.random
    digest = rig.password_hash("sesame")
    (rig.folder / "logins.toml").write_text(f'[users.ann]\nrole = "operate"\npassword = "{digest}"\n', encoding="ascii")
    places = choose.choice((8, 64, 256))
    served = rig.start("serve", "model", "--tuning", "1 ms", "--logins", "logins.toml", "--log", "log", "--connections",
                       str(places), "--scpi", "0", "--tl1", "0", "--http", "0")
    ports = ports_of(served)
    doors = choose.sample(DOORS, choose.randrange(1, 4))
    held, ending = choose.choice((0, 5, 60, 300)), choose.choice((signal.SIGTERM, signal.SIGINT, signal.SIGHUP))

    def text(random_):
        if random_.random() < 0.3:
            return random_.choice(PROBES) + random_.randbytes(random_.randrange(2000))
        return b"".join(mutated(random_, random_.choice(LINES).encode()) + b"\n" for _ in range(random_.randrange(1, 30)))

    with socket.create_connection(("127.0.0.1", ports["SCPI"]), timeout=60) as operator:
        require(ask(operator, "SYST:LOG 'ann','sesame';:OXC:SWIT:CONN:ADD (@1),(@17);*OPC?") == "1", "no login")
        with Crowd(choose, lambda: [ports[door] for door in doors], text, held) as crowd:
            until = time.monotonic() + 1.5
            while time.monotonic() < until:
                map_ = ask(operator, "OXC:SWIT:CONN:STAT?")
                require(map_ == "(@1),(@17)", f"a stranger changed the switch: {map_}")
                time.sleep(0.02)
            require(served.running(), f"serve ended: {served.text()}")
            peak = int(re.search(r"VmHWM:\s+(\d+) kB", pathlib.Path(f"/proc/{served.pid}/status").read_text())[1]) * 1024
            require(peak < MOST_BYTES, f"{peak} bytes of memory")
            served.process.send_signal(ending)
            served.wait(30).holds(0)
    with contextlib.suppress(ConnectionError):
        require(operator.fileno() < 0 or operator.recv(1) == b"", "the operator's connection is left open")
    rig.nothing_is_left()
    rig.struck = crowd.connections > 0
    return f"{'+'.join(doors)}, {held} held, {places} places, {crowd.connections} connections, {crowd.bytes} bytes; {ending.name}"
