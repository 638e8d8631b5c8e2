# Bytes that strangers send, and where a process listens.
# SPDX-License-Identifier: Apache-2.0
"""Imported by the kinds that attack sockets."""
import contextlib
import pathlib
import random
import socket
import struct
import threading

PROBES = (b"\x01\x00\x02\x00x", b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", b"SSH-2.0-OpenSSH_9.2\r\n",
          b"\x16\x03\x01\x00\x2f\x01\x00\x00\x2b\x03\x03" + bytes(36), b"\x03\x00\x00\x13\x0e\xe0" + bytes(13),
          b"\xff" + bytes(8) + b"\x01\x7f\x01\x05\x00\x00", bytes(4096))
READY = b"\x05READY\x0bSocket-Type\x00\x00\x00\x06DEALER"
# What a peer of ZMTP 3 says first: that it encrypts nothing, and what kind of socket it is.
GREETING = b"\xff" + bytes(7) + b"\x01\x7f\x03\x00NULL" + bytes(48) + b"\x04" + bytes([len(READY)]) + READY


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def listening(pids: list[int]) -> list[int]:
    """TCP ports on which these processes listen."""
    inodes = set()
    for pid in pids:
        with contextlib.suppress(OSError):
            for entry in pathlib.Path(f"/proc/{pid}/fd").iterdir():
                with contextlib.suppress(OSError):
                    target = str(entry.readlink())
                    if target.startswith("socket:["):
                        inodes.add(target[8:-1])
    ports = []
    for line in pathlib.Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()[1:]:
        fields = line.split()
        if fields[3] == "0A" and fields[9] in inodes:
            ports.append(int(fields[1].split(":")[1], 16))
    return ports


def frame(body: bytes, more: bool) -> bytes:
    if len(body) < 256:
        return bytes([int(more), len(body)]) + body
    return bytes([2 + int(more)]) + len(body).to_bytes(8, "big") + body


def crc32c(data: bytes) -> int:
    value = 0xffffffff
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = value >> 1 ^ (0x82f63b78 if value & 1 else 0)
    return value ^ 0xffffffff


def own_message(random_: random.Random) -> list[bytes]:
    """Of the run's own form (host/core/message.hpp, host/transport/wire.hpp): magic, version, kind, job, sender and
    receiver, sequence, acknowledged, two times, payload; its checksum is right."""
    header = struct.pack("<IHHIHHQQqqQII", 0x4c4c4f50, random_.choice((6, 7, 7, 7, 7, 8)), random_.randrange(30),
                         random_.randrange(4), random_.choice((0, 1, 2, 3, 4, 5, 200, 0xffff)),
                         random_.choice((0, 1, 2, 3, 4, 0xffff, 0xffff, 0xffff)), random_.choice((1, 1, 1, 2, 1 << 40)),
                         random_.randrange(9), random_.choice((0, 0, 1, -1, 1 << 60)), random_.choice((0, 0, -1)), 0, 0,
                         random_.randrange(4))
    fields = random_.randbytes(random_.choice((0, 0, 1, 8, 30)))
    return [header, fields + crc32c(header + fields).to_bytes(4, "little"), b""]


def messages(random_: random.Random, parts: int) -> bytes:
    """Of ZMTP, with up to so many parts each."""
    text = bytearray(GREETING)
    while len(text) < random_.choice((300, 3_000, 30_000)):
        bodies = own_message(random_)
        if random_.random() < 0.3:
            bodies = [random_.randbytes(random_.randrange(300)) for _ in range(random_.randrange(1, parts + 1))]
        for part, body in enumerate(bodies):
            text += frame(body, part + 1 < len(bodies))
    if random_.random() < 0.3:
        text += b"\x02" + (1 << random_.randrange(20, 63)).to_bytes(8, "big") + b"the begin of a large message"
    return bytes(text)


class Crowd:
    """Strangers at some ports, in a thread, until it is left. Their bytes depend on the seed alone."""

    def __init__(self, random_: random.Random, ports, text, held: int):
        self.random, self.ports, self.text, self.held = random.Random(random_.random()), ports, text, held
        self.connections, self.bytes, self.over = 0, 0, threading.Event()
        self.thread, self.failed = threading.Thread(target=self.run), None

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        self.thread.join()
        if self.failed:
            raise self.failed
        return False

    def run(self) -> None:
        try:
            self.attack()
        except Exception as failure:  # else a campaign of no attacks would hold
            self.failed = failure

    def attack(self) -> None:
        held = []
        while not self.over.is_set():
            ports = self.ports()
            if not ports:
                self.over.wait(0.01)
                continue
            text = self.text(self.random)
            with contextlib.suppress(OSError):
                one = socket.create_connection(("127.0.0.1", self.random.choice(ports)), timeout=0.2)
                held.append(one)
                self.connections += 1
                one.settimeout(0.05)
                cut = self.random.randrange(len(text) + 1) if self.random.random() < 0.3 else len(text)
                for at in range(0, cut, piece := self.random.choice([7, 1000, 65536])):
                    self.bytes += one.send(text[at:min(at + piece, cut)])
                    if self.over.is_set():
                        break
            while len(held) > self.held:
                held.pop(self.random.randrange(len(held))).close()
        for one in held:
            one.close()
