#!/usr/bin/env python3
# Encrypted clients of `lightloop serve --tls-cert`, and strangers at its ports.
# SPDX-License-Identifier: Apache-2.0
"""Usage: tls.py PROGRAM [unittest arguments]"""
import os
import re
import resource
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.request
import warnings

from served import PROGRAM, Lines, Served

SWITCH = ("model", "--tuning", "1 ms")


def make_certificate(folder: str, name: str, *options: str) -> tuple[str, str]:
    """For 127.0.0.1, with its key."""
    certificate, key = f"{folder}/{name}.pem", f"{folder}/{name}.key"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-days", "2",
                    "-keyout", key, "-out", certificate, "-subj", "/CN=switch", "-addext",
                    "subjectAltName=IP:127.0.0.1", *(options or ("-nodes",))], check=True, capture_output=True)
    return certificate, key


class Tls(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.certificate, self.key = make_certificate(self.folder, "right")
        self.context = ssl.create_default_context(cafile=self.certificate)

    def serve(self, *arguments: str, **options) -> Served:
        return Served(*SWITCH, "--tls-cert", self.certificate, "--tls-key", self.key, *arguments, **options)

    def connect(self, served: Served, dialect: str) -> ssl.SSLSocket:
        return self.context.wrap_socket(served.connect(dialect), server_hostname="127.0.0.1",
                                        suppress_ragged_eofs=False)

    def fetch(self, served: Served, target: str) -> str:
        address = f"https://127.0.0.1:{served.ports['http']}{target}"
        with urllib.request.urlopen(address, timeout=20, context=self.context) as answer:
            return answer.read().decode()

    def test_carries_every_dialect(self):
        with self.serve() as served:
            with Lines(self.connect(served, "scpi")) as scpi, self.connect(served, "tl1") as tl1:
                self.assertEqual(scpi.ask("OXC:SWIT:CONN:ADD (@1),(@18);*OPC?"), "1")
                tl1.sendall(b"RTRV-PATCH:::2:;")
                answer = b""
                while not answer.endswith(b";"):
                    answer += tl1.recv(4096)
                self.assertIn(b'"1,18"', answer)
            self.assertIn("\nlightloop_circuits 1\n", self.fetch(served, "/metrics"))
        self.assertEqual(served.code, 0)

    def test_says_when_nothing_more_comes(self):
        with self.serve() as served, self.connect(served, "http") as http:
            http.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
            answer = b""
            while piece := http.recv(65536):  # an end that isn't announced would raise
                answer += piece
            self.assertTrue(answer.endswith(b"</html>\n"), answer[-40:])

    def test_carries_much_at_once(self):
        asked, line = 500, b"(" + b",".join([b"BLOCKED"] * 512) + b")\n"
        with self.serve("--ports", "256") as served, self.connect(served, "scpi") as eager:
            # Python's SSLSocket can't be read by one thread while another writes.
            sent = 0
            eager.setblocking(False)
            answers = b""
            queries = b"OCS:PORT:STAT?\n" * asked
            deadline = time.monotonic() + 100
            while len(answers) < asked * len(line) and time.monotonic() < deadline:
                try:
                    sent += eager.send(queries[sent:]) if sent < len(queries) else 0
                except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
                    pass
                try:
                    answers += eager.recv(1 << 20)
                except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
                    time.sleep(0.001)
            self.assertEqual(answers, line * asked)

    def test_costs_a_stranger_only_his_connection(self):
        hello = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(32)
        garbage = {"HTTP": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", "SCPI": b"OXC:SWIT:DISC:ALL\n",
                   "zeros": bytes(1000), "a wrong length": b"\x16\x03\x01\xff\xff" + bytes(70000),
                   "a wrong version": b"\x16\x09\x09\x00\x05hello", "an alert": b"\x15\x03\x01\x00\x02\x02\x28"}
        with self.serve() as served, Lines(self.connect(served, "scpi")) as good:
            self.assertEqual(good.ask("OXC:SWIT:CONN:ADD (@1),(@17);*OPC?"), "1")
            stalled = [(dialect, served.connect(dialect)) for dialect in ("scpi", "tl1", "http")]
            for _, one in stalled:
                one.sendall(hello)
            for dialect in ("scpi", "tl1", "http"):
                for what, text in garbage.items():
                    with served.connect(dialect) as stranger:
                        self.assertTrue(ends(stranger, text), (dialect, what))
                    self.assertEqual(good.ask("OXC:SWIT:CONN:STAT?"), "(@1),(@17)", (dialect, what))
            for dialect, one in stalled:
                self.assertTrue(ends(one, b""), dialect)  # after 10 s, without a login to wait for
                one.close()
        self.assertEqual(served.code, 0)

    def test_leaves_places_to_others_while_strangers_stall(self):
        log = f"{self.folder}/log"
        with self.serve("--connections", "4", "--log", log) as served:
            stalled = [served.connect("scpi") for _ in range(8)]
            with Lines(self.connect(served, "scpi")) as good:
                self.assertEqual(good.ask("*SRE?"), "0")
            for one in stalled:
                one.close()
        with open(log, encoding="ascii") as lines:
            self.assertIn("refused: its place was needed", lines.read())

    def test_is_not_spoken_in_old_versions(self):
        old = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        old.load_verify_locations(self.certificate)
        old.set_ciphers("ALL:@SECLEVEL=0")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            old.minimum_version = ssl.TLSVersion.TLSv1
            old.maximum_version = ssl.TLSVersion.TLSv1_1
        with self.serve() as served, served.connect("scpi") as plain:
            with self.assertRaisesRegex(ssl.SSLError, "PROTOCOL_VERSION"):
                old.wrap_socket(plain, server_hostname="127.0.0.1")


    def test_is_spoken_by_reconcile(self):
        want = f"{self.folder}/want.toml"
        with open(want, "w", encoding="ascii") as file:
            file.write('circuits = ["1A-2B", "3A-1B"]\n')
        foreign, _ = make_certificate(self.folder, "foreign")

        def reconcile(port: int, *options: str) -> tuple[int, str]:
            outcome = subprocess.run([PROGRAM, "reconcile", f"127.0.0.1:{port}", "--want", want, "--limit", "3 s", *options],
                                     capture_output=True, text=True, timeout=60, check=False)
            return outcome.returncode, outcome.stdout + outcome.stderr

        with self.serve() as served:
            port = served.ports["scpi"]
            code, text = reconcile(port, "--tls-ca", self.certificate)
            self.assertEqual(code, 0, text)
            self.assertIn("the map is as wanted, all 2 tuned", text)
            for options, reason in (((), "doesn't answer"), (("--tls",), "certificate verify failed"),
                                    (("--tls-ca", foreign), "certificate verify failed")):
                code, text = reconcile(port, *options)
                self.assertEqual(code, 1, (options, text))
                self.assertRegex(text, rf"\Alightloop: [^\n]*{reason}[^\n]*\n\Z")
            for wrong, reason in ((self.key, "must be a file of certificates"), (f"{self.folder}/none", "can't be read")):
                code, text = reconcile(port, "--tls-ca", wrong)
                self.assertEqual(code, 2, (wrong, text))
                self.assertIn(reason, text)
        with Served(*SWITCH) as served:
            code, text = reconcile(served.ports["scpi"], "--tls-ca", self.certificate)
            self.assertEqual((code, "no TLS connection" in text), (1, True), text)
        with socket.create_server(("127.0.0.1", 0)) as silent:
            code, text = reconcile(silent.getsockname()[1], "--tls-ca", self.certificate)
            self.assertEqual((code, "no answer within 3 s" in text), (1, True), text)
        # A certificate that is believed, but another host's.
        named, named_key = f"{self.folder}/named.pem", f"{self.folder}/named.key"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-days",
                        "2", "-nodes", "-keyout", named_key, "-out", named, "-subj", "/CN=x", "-addext",
                        "subjectAltName=DNS:elsewhere.example"], check=True, capture_output=True)
        with Served(*SWITCH, "--tls-cert", named, "--tls-key", named_key) as served:
            code, text = reconcile(served.ports["scpi"], "--tls-ca", named)
            self.assertEqual((code, "certificate verify failed" in text), (1, True), text)


class BadInput(unittest.TestCase):
    def refused(self, *arguments: str) -> str:
        outcome = subprocess.run([PROGRAM, "serve", *SWITCH, *arguments], capture_output=True, text=True, timeout=60,
                                 check=False, stdin=subprocess.DEVNULL)
        self.assertEqual(outcome.returncode, 2, outcome)
        self.assertRegex(outcome.stderr, re.compile(r"\Alightloop: [^\n]*\n\Z"))
        return outcome.stderr

    def test_of_certificates_and_keys_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            certificate, key = make_certificate(folder, "one")
            _, foreign = make_certificate(folder, "two")
            _, locked = make_certificate(folder, "three", "-passout", "pass:sesame")
            nonsense = f"{folder}/nonsense"
            with open(nonsense, "wb") as file:
                file.write(b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n\0\xff")
            for cert, private, text in (
                    (certificate, None, "--tls-cert also needs --tls-key FILE"),
                    (None, key, "--tls-key also needs --tls-cert FILE"),
                    (f"{folder}/none", key, "can't be read: No such file or directory"),
                    (certificate, f"{folder}/none", "can't be read: No such file or directory"),
                    (folder, key, "is a folder"),
                    (nonsense, key, "must be a certificate in PEM form"),
                    (key, key, "must be a certificate in PEM form"),
                    (certificate, nonsense, "must be a private key in PEM form"),
                    (certificate, certificate, "must be a private key in PEM form"),
                    (certificate, locked, "must be a private key in PEM form, without a password"),
                    (certificate, foreign, "must be the key of the certificate in")):
                arguments = (("--tls-cert", cert) if cert else ()) + (("--tls-key", private) if private else ())
                self.assertIn(text, self.refused(*arguments), (cert, private))

    def test_passwords_without_tls_are_warned_of_across_a_network(self):
        warning = "passwords cross the network unencrypted"
        with tempfile.TemporaryDirectory() as folder:
            logins, errors = f"{folder}/logins.toml", f"{folder}/errors"
            with open(logins, "w", encoding="ascii") as file:
                file.write('[users.ann]\nrole = "read"\npassword = "$argon2id$"\n')
            certificate, key = make_certificate(folder, "one")
            tls = ("--tls-cert", certificate, "--tls-key", key)
            for address, options, expected in (("0.0.0.0", (), 1), ("0.0.0.0", tls, 0), ("127.0.0.2", (), 0)):
                with open(errors, "w", encoding="ascii") as file:
                    with Served(*SWITCH, "--logins", logins, "--listen", address, *options, stderr=file):
                        pass
                with open(errors, encoding="ascii") as file:
                    self.assertEqual(file.read().count(warning), expected, (address, options))


class Memory(unittest.TestCase):
    def test_of_many_handshakes_that_fail_is_given_back(self):
        with tempfile.TemporaryDirectory() as folder:
            certificate, key = make_certificate(folder, "one")
            # The address sanitizer keeps what was freed; of that, little here.
            environment = os.environ | {"ASAN_OPTIONS": "quarantine_size_mb=1:thread_local_quarantine_size_kb=64"}
            with Served(*SWITCH, "--tls-cert", certificate, "--tls-key", key, env=environment) as served:
                sizes = []
                for _ in range(3):
                    for _ in range(300):
                        with served.connect("http") as stranger:
                            ends(stranger, bytes(100))
                    with open(f"/proc/{served.process.pid}/statm", encoding="ascii") as file:
                        sizes.append(int(file.read().split()[1]) * resource.getpagesize())
                self.assertLess(sizes[2] - sizes[1], 2_000_000, sizes)


def ends(stranger: socket.socket, text: bytes) -> bool:
    """Whether the connection ends after a text. An alert may come before its end."""
    def send():
        try:
            stranger.sendall(text)
        except OSError:
            pass
    sender = threading.Thread(target=send)
    sender.start()
    try:
        while stranger.recv(4096):
            pass
    except ConnectionResetError:
        pass
    except TimeoutError:
        return False
    finally:
        sender.join()
    return True


if __name__ == "__main__":
    sys.argv.pop(1)
    unittest.main()
