#!/usr/bin/env python3
# Ordinary clients of `lightloop serve`: sockets, urllib, reconcile; good ones, bad ones, and many at once.
# SPDX-License-Identifier: Apache-2.0
"""Usage: clients.py PROGRAM [unittest arguments]"""
import itertools
import json
import multiprocessing
import os
import re
import resource
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.error
import urllib.request

from served import PROGRAM, Lines, Served

MOST_WAITING = 64  # logins, in the program's queue
SWITCH = ("model", "--tuning", "1 ms")


def lightloop(*arguments: str, **options) -> subprocess.CompletedProcess:
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=60, check=False, **options)


def fetch(served: Served, target: str, **headers) -> str:
    request = urllib.request.Request(f"http://127.0.0.1:{served.ports['http']}{target}", headers=headers)
    with urllib.request.urlopen(request, timeout=20) as answer:
        return answer.read().decode()


def tell(client: socket.socket, command: str) -> str:
    """A TL1 command; what comes back up to its semicolon."""
    client.sendall(command.encode())
    answer = b""
    while not answer.endswith(b";"):
        piece = client.recv(65536)
        if not piece:
            break
        answer += piece
    return answer.decode()


def processor_time(served: Served) -> float:
    """Seconds that the program has used so far."""
    with open(f"/proc/{served.process.pid}/stat", encoding="ascii") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def guess(port: int, strangers: int, most_tried) -> None:
    """Wrong passwords without end, each stranger from an address of its own; an event once all but those who may wait
    in the program's queue had an answer."""
    ready, number, answered = selectors.DefaultSelector(), itertools.count(), set()

    def come(stranger: int) -> None:
        one = socket.socket()
        one.bind((f"127.0.{1 + stranger // 250}.{1 + stranger % 250}", 0))
        one.setblocking(False)
        one.connect_ex(("127.0.0.1", port))
        ready.register(one, selectors.EVENT_WRITE, stranger)

    for stranger in range(strangers):
        come(stranger)
    while True:
        for key, events in ready.select():
            one = key.fileobj
            try:
                if events & selectors.EVENT_READ:
                    if not one.recv(4096):
                        raise ConnectionResetError
                    answered.add(key.data)
                    if len(answered) >= strangers - MOST_WAITING:
                        most_tried.set()
                one.send(f"SYST:LOG 'ann','wrong {next(number)}';:SYST:ERR?\n".encode())
                ready.modify(one, selectors.EVENT_READ, key.data)
            except OSError:
                ready.unregister(one)
                one.close()
                come(key.data)


class Dialects(unittest.TestCase):
    """One switch, seen through all of them."""

    def test_all_show_the_same_switch(self):
        with Served(*SWITCH) as served:
            with Lines(served.connect("scpi")) as scpi, served.connect("tl1") as tl1:
                self.assertEqual(scpi.ask("OXC:SWIT:CONN:ADD (@1),(@18);*OPC?"), "1")
                self.assertIn("COMPLD", tell(tl1, "ACT-USER::u:1::p;"))
                self.assertIn('"1,18"', tell(tl1, "RTRV-PATCH:::2:;"))
                self.assertIn("COMPLD", tell(tl1, "ENT-PATCH::2,17:3:;"))
                self.assertIn("1 is blocked", tell(tl1, "ENT-PATCH::2,18:4:;").replace("2,18 is", "1 is"))
                self.assertEqual(scpi.ask("*OPC?;:OCS:CONN:STAT?"), '1;"1A-2B,TUNED","2A-1B,TUNED"')
                status = json.loads(fetch(served, "/status.json"))
                self.assertEqual([circuit["id"] for circuit in status["circuits"]], ["1A-2B", "2A-1B"])
                metrics = fetch(served, "/metrics")
                self.assertIn("\nlightloop_circuits 2\n", metrics)
                self.assertIn('\nlightloop_clients{dialect="scpi"} 1\n', metrics)
                self.assertIn("<title>lightloop switch</title>", fetch(served, "/"))
                with self.assertRaises(urllib.error.HTTPError) as refusal:
                    fetch(served, "/other")
                self.assertEqual(refusal.exception.code, 404)
                refusal.exception.close()
        self.assertEqual(served.code, 0)

    def test_autonomous_messages_come_by_themselves(self):
        with Served("model", "--tuning", "100 ms") as served, served.connect("tl1") as tl1:
            tell(tl1, "ACT-USER::u:1::p;")
            tell(tl1, "ENT-PATCH::1,17:2:;")
            begin = time.monotonic()
            message = tell(tl1, "")
            self.assertIn("A  1 REPT EVT EQPT", message)
            self.assertIn("Port 17 tuned", message)
            self.assertGreater(time.monotonic() - begin, 0.05)

    def test_time_goes_as_fast_as_it_is_told_to(self):
        for speed, least, most in (("1", 0.5, 20), ("1000", 500, 20000)):
            with Served(*SWITCH, "--speed", speed) as served, Lines(served.connect("scpi")) as scpi:
                before = time.monotonic()
                first, cycle = map(int, scpi.ask("OCS:TIME?").split(","))
                time.sleep(0.5)
                last = int(scpi.ask("OCS:TIME?").split(",")[0])
                factor = (last - first) * cycle * 1e-12 / (time.monotonic() - before)
                self.assertTrue(least < factor < most, f"speed {speed}: {factor}")

    def test_every_device_is_served(self):
        for device in ("model", "verilated"):
            with Served(device, "--ports", "4", "--tuning", "20 us") as served, Lines(served.connect("scpi")) as scpi:
                self.assertEqual(scpi.ask("OXC:SWIT:CONN:ADD (@1),(@6);*OPC?;:OCS:CONN:STAT?"), '1;"1A-2B,TUNED"', device)


def logins_of(test: unittest.TestCase, *operators: str) -> str:
    """A file of users that lives as long as the test; the password of each is sesame."""
    file = tempfile.NamedTemporaryFile("w", suffix=".toml", delete=False)
    test.addCleanup(os.unlink, file.name)
    with file:
        digest = lightloop("serve", "--hash-password", input="sesame\n").stdout.strip()
        for user, role in (("ann", "operate"), ("bob", "read"), *((user, "operate") for user in operators)):
            file.write(f"[users.{user}]\nrole = \"{role}\"\npassword = \"{digest}\"\n")
    return file.name


class BadInput(unittest.TestCase):
    """Each with its standard error, and without effect on others."""

    def test_of_one_client_leaves_others_alone(self):
        with Served(*SWITCH) as served, Lines(served.connect("scpi")) as good:
            self.assertEqual(good.ask("OXC:SWIT:CONN:ADD (@1),(@17);*OPC?"), "1")
            errors = [(b"garbage", "-113"), (b"\xff\xfe\x00\x01", "-101"), (b"A" * 1_000_000, "-363"),
                      (b"*IDN?\0", "-101"), (b"OXC:SWIT:CONN:ADD (@77),(@18)", "-222"),
                      (b"OXC:SWIT:CONN:ADD (@2),(@17)", "-221"), (b"OXC:SWIT:CONN:SUB (@2),(@18)", "-221")]
            for line, number in errors:
                with Lines(served.connect("scpi")) as bad:
                    bad.say(line)
                    self.assertEqual(bad.ask("SYST:ERR?").split(",")[0], number, line[:40])
                self.assertEqual(good.ask("SYST:ERR?;:OXC:SWIT:CONN:STAT?"), '0,"No error";(@1),(@17)')
            for command, code in (("GARBAGE;", "ICNV"), ("\0;", "IISP"), ("x" * 1_000_000, "IISP"),
                                  ("ENT-PATCH::77,18:1:;", "IDNV"), ("ENT-PATCH::2,17:1:;", "SNVS"),
                                  ("DLT-PATCH::2:1:;", "IDNV")):
                with served.connect("tl1") as bad:
                    self.assertIn(f"DENY\r\n   {code}\r\n", tell(bad, command))
                self.assertEqual(good.ask("OXC:SWIT:CONN:STAT?"), "(@1),(@17)")
            with served.connect("http") as bad:
                bad.sendall(b"\0" * 100_000)
                self.assertTrue(bad.recv(100).startswith(b"HTTP/1.1 400"))

    def test_of_a_web_page_operates_nothing(self):
        def post(body: str) -> bytes:
            return (f"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/plain\r\n"
                    f"Content-Length: {len(body)}\r\n\r\n{body}").encode()
        bodies = {"scpi": "\nOXC:SWIT:DISC:ALL\n", "tl1": ";DLT-PATCH::ALL:1:;"}
        with Served(*SWITCH) as served, Lines(served.connect("scpi")) as good:
            self.assertEqual(good.ask("OXC:SWIT:CONN:ADD (@1),(@17);*OPC?"), "1")
            for dialect, body in bodies.items():
                for start in (post(body), b"\x16\x03\x01\x02\0" + body.encode()):
                    for piece in (len(start), 1):
                        with served.connect(dialect) as page:
                            try:
                                for at in range(0, len(start), piece):
                                    page.sendall(start[at:at + piece])
                                self.assertEqual(page.recv(100), b"", dialect)
                            except (BrokenPipeError, ConnectionResetError):
                                pass
                        self.assertEqual(good.ask("OXC:SWIT:CONN:STAT?"), "(@1),(@17)", (dialect, piece))

    def test_half_a_command_and_silence_ends_after_a_while(self):
        with Served(*SWITCH, "--idle", "1500 ms") as served:
            halves = [served.connect(dialect) for dialect in ("scpi", "tl1", "http")]
            for half, text in zip(halves, (b"OXC:SWIT:CONN:ADD (@1),(@1", b"ENT-PATCH::1,17", b"GET / HT")):
                half.sendall(text)
            with Lines(served.connect("scpi")) as good:
                for _ in range(20):
                    self.assertEqual(good.ask("OXC:SWIT:CONN:STAT?"), "(@),(@)")
                    time.sleep(0.1)
                for half in halves:
                    self.assertEqual(half.recv(10), b"")
                    half.close()

    def test_who_never_reads_holds_nobody_up(self):
        with Served(*SWITCH) as served, served.connect("scpi") as deaf, Lines(served.connect("scpi")) as good:
            deaf.setblocking(False)
            sent = 0
            try:
                while sent < 50_000_000:
                    sent += deaf.send(b"OXC:SWIT:PORT:STAT?\n" * 1000)
                    self.assertEqual(good.ask("*SRE?"), "0")
            except BlockingIOError:
                pass
            self.assertLess(sent, 50_000_000, "what a client sends without reading is limited")
            self.assertEqual(good.ask("*SRE?"), "0")

    def test_who_asks_much_at_once_and_reads_gets_all_of_it(self):
        query, line = b"OCS:PORT:STAT?\n", b"(" + b",".join([b"BLOCKED"] * 512) + b")\n"
        asked = 1000
        with Served("model", "--ports", "256") as served, served.connect("scpi") as eager:
            sender = threading.Thread(target=eager.sendall, args=(query * asked,))
            sender.start()
            with eager.makefile("rb") as answers:
                for k in range(asked):
                    self.assertEqual(answers.readline(), line, k)
            sender.join()
            tl1 = served.connect("tl1")
            with tl1, tl1.makefile("rb") as answers:
                tl1.sendall(b"RTRV-PATCH:::1:;" * 10000)
                tl1.shutdown(socket.SHUT_WR)
                self.assertEqual(answers.read().count(b"M  1 COMPLD"), 10000)
            http = served.connect("http")
            with http, http.makefile("rb") as answers:
                http.sendall(b"GET /status.json HTTP/1.1\r\nHost: localhost\r\n\r\n" * 2000)
                http.shutdown(socket.SHUT_WR)
                self.assertEqual(answers.read().count(b"HTTP/1.1 200 OK"), 2000)

    def test_one_client_too_many_is_turned_away(self):
        with Served(*SWITCH, "--connections", "2") as served:
            with Lines(served.connect("scpi")) as one, Lines(served.connect("scpi")) as two:
                self.assertEqual((one.ask("*SRE?"), two.ask("*SRE?")), ("0", "0"))
                with served.connect("scpi") as three:
                    self.assertEqual(three.recv(10), b"")
                self.assertEqual(one.ask("*SRE?"), "0")
            self.assertIn('lightloop_connections_refused_total{dialect="scpi"} 1\n', fetch(served, "/metrics"))

    def test_of_the_command_line_is_refused(self):
        def refused(*arguments: str, code=2):
            outcome = lightloop("serve", *arguments)
            self.assertEqual(outcome.returncode, code, outcome)
            return outcome.stderr
        self.assertIn("only this host is listened to", refused("model", "--listen", "0.0.0.0"))
        self.assertIn("isn't an IP address", refused("model", "--listen", "here", "--logins", logins_of(self)))
        self.assertIn("--scpi is \"70000\"", refused("model", "--scpi", "70000"))
        self.assertIn("serve must have a DEVICE", refused())
        self.assertIn("can't be read", refused("model", "--logins", "nowhere.toml"))
        self.assertIn("log \"/proc/none/serve.log\" can't be written", refused("model", "--log", "/proc/none/serve.log"))
        self.assertIn("--idle is \"soon\"", refused("model", "--idle", "soon"))
        with Served(*SWITCH) as served:
            self.assertIn("Address already in use", refused("model", "--scpi", str(served.ports["scpi"])))

    def test_of_five_hundred_strangers_keeps_no_operator_waiting(self):
        operators = ("cat", "dan", "eve")  # each new: a password that was right once is known
        served = Served(*SWITCH, "--logins", logins_of(self, *operators), "--listen", "0.0.0.0")
        with served:
            before = processor_time(served)
            self.log_in(served, "bob")
            of_a_password = processor_time(served) - before
            most_tried = multiprocessing.Event()
            strangers = multiprocessing.Process(target=guess, args=(served.ports["scpi"], 500, most_tried))
            strangers.start()
            try:
                self.assertTrue(most_tried.wait(200))
                judged = self.metric(served, "lightloop_passwords_judged_total")
                for operator in operators:
                    self.log_in(served, operator)
                # The one that is being judged when an operator comes; and the first try of each stranger, if it comes
                # after an operator's. In the order of their arrival MOST_WAITING would be judged before each operator.
                self.assertLessEqual(self.metric(served, "lightloop_login_delays_total"), len(operators) + MOST_WAITING)
                self.assertGreaterEqual(self.metric(served, "lightloop_passwords_judged_total"), judged + len(operators))
                self.assertGreater(self.metric(served, 'lightloop_errors_total{dialect="scpi"}'), 500, "strangers tried")
                # MOST_WAITING passwords wait. Those aren't judged before the end.
                ended = resource.getrusage(resource.RUSAGE_CHILDREN)
                used = processor_time(served)
                served.process.terminate()
                served.process.wait(100)
                after = resource.getrusage(resource.RUSAGE_CHILDREN)
                used = after.ru_utime + after.ru_stime - ended.ru_utime - ended.ru_stime - used
                self.assertLess(used, 20 * max(of_a_password, 0.02))
            finally:
                strangers.kill()
                strangers.join()
        self.assertEqual(served.code, 0)

    def log_in(self, served: Served, user: str) -> None:
        with Lines(served.connect("scpi")) as scpi:
            scpi.connection.settimeout(100)
            self.assertEqual(scpi.ask(f"SYST:LOG '{user}','sesame';:OXC:SWIT:SIZE?"), "16,16")

    def metric(self, served: Served, name: str) -> int:
        metrics = fetch(served, "/metrics", Authorization="Basic Ym9iOnNlc2FtZQ==")
        return int(re.search(rf"(?m)^{re.escape(name)} (\d+)$", metrics)[1])

    def test_of_passwords_opens_nothing(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        log = f"{folder.name}/serve.log"
        with Served(*SWITCH, "--logins", logins_of(self), "--listen", "0.0.0.0", "--log", log) as served:
            with Lines(served.connect("scpi")) as scpi:
                self.assertIn("-203", scpi.ask("OXC:SWIT:SIZE?;:SYST:ERR?"))
                self.assertIn("-203", scpi.ask("SYST:LOG 'ann','wrong';:SYST:ERR?"))
                self.assertEqual(scpi.ask("SYST:LOG 'ann','sesame';:OXC:SWIT:SIZE?"), "16,16")
            with Lines(served.connect("scpi")) as scpi:
                for _ in range(3):
                    scpi.say("SYST:LOG 'ann','wrong'")
                self.assertEqual(scpi.file.readline(), b"")
            with served.connect("tl1") as tl1:
                self.assertIn("PICC", tell(tl1, "ACT-USER::bob:1::wrong;"))
                self.assertIn("COMPLD", tell(tl1, "ACT-USER::bob:1::sesame;"))
                self.assertIn("Permission denied", tell(tl1, "ENT-PATCH::1,17:1:;"))
            with self.assertRaises(urllib.error.HTTPError) as refusal:
                fetch(served, "/metrics")
            self.assertEqual(refusal.exception.code, 401)
            refusal.exception.close()
            for _ in range(3):
                self.assertIn("lightloop_ports 16", fetch(served, "/metrics", Authorization="Basic Ym9iOnNlc2FtZQ=="))
            with open(log, encoding="ascii") as lines:
                noted = re.sub(r"(?m)^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z ", "", lines.read())
            self.assertIn('scpi 127.0.0.1 refused: wrong user or password; user="ann"\n', noted)
            self.assertIn('scpi 127.0.0.1 login user="ann" role=operate\n', noted)
            self.assertIn('tl1 127.0.0.1 login user="bob" role=read\n', noted)
            self.assertNotIn("sesame", noted)


class Machine(unittest.TestCase):
    def test_without_descriptors_is_not_kept_busy(self):
        few = 24
        with open(PROGRAM, "rb") as program:
            if b"__ubsan_handle" in program.read():
                self.skipTest("the sanitizer itself needs a descriptor to look at an object")
        with Served(*SWITCH, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (few, few))) as served:
            idle = self.share(served)
            there = [served.connect("scpi") for _ in range(few + 10)]
            time.sleep(0.5)
            self.assertLess(self.share(served), idle + 0.1)
            for one in there:
                one.close()
            with Lines(served.connect("scpi")) as scpi:
                self.assertEqual(scpi.ask("*SRE?"), "0")

    def share(self, served: Served) -> float:
        """Of a core."""
        began, used = time.monotonic(), processor_time(served)
        time.sleep(2)
        return (processor_time(served) - used) / (time.monotonic() - began)

    def test_may_hang_up(self):
        with Served(*SWITCH) as served:
            served.process.send_signal(signal.SIGHUP)
            served.process.wait(10)
        self.assertEqual(served.code, 0)


    def test_may_hang_up_while_it_serves_registers(self):
        with tempfile.TemporaryDirectory() as folder:
            served = subprocess.Popen([PROGRAM, "serve", "model", "--registers", f"{folder}/registers"],
                                      stdout=subprocess.PIPE, text=True)
            with served:
                served.stdout.readline()
                served.send_signal(signal.SIGHUP)
                self.assertRegex(served.communicate(timeout=20)[0], r"\A0 accesses, ")
            self.assertEqual(served.returncode, 0)
            self.assertEqual(os.listdir(folder), [])


class Many(unittest.TestCase):
    def test_clients_at_once_are_all_answered(self):
        with Served(*SWITCH) as served:
            wrong = []

            def work(k: int):
                with Lines(served.connect("scpi")) as client:
                    for _ in range(20):
                        if client.ask(f"*ESE {k % 256};*ESE?") != str(k % 256):
                            wrong.append(k)

            threads = [threading.Thread(target=work, args=(k,)) for k in range(200)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual(wrong, [])


class Reconcile(unittest.TestCase):
    def test_brings_a_switch_to_a_map_without_disturbing_what_stays(self):
        with Served(*SWITCH) as served, Lines(served.connect("scpi")) as scpi, tempfile.TemporaryDirectory() as folder:
            want, where = f"{folder}/map.toml", f"127.0.0.1:{served.ports['scpi']}"
            with open(want, "w", encoding="ascii") as file:
                file.write('circuits = ["1A-1B", "2A-3B", "4A-2B"]\n')
            scpi.ask("OXC:SWIT:CONN:ADD (@1,2,5),(@17,18,21);*OPC?")
            dry = lightloop("reconcile", where, "--want", want, "--dry-run")
            self.assertEqual(dry.stdout, "- 2A-2B\n- 5A-5B\n+ 2A-3B\n+ 4A-2B\n2 to remove, 2 to add, 1 undisturbed\n")
            self.assertEqual(dry.returncode, 0, dry.stderr)
            self.assertEqual(scpi.ask("OXC:SWIT:CONN:STAT?"), "(@1,2,5),(@17,18,21)")
            done = lightloop("reconcile", where, "--want", want)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertTrue(done.stdout.endswith("the map is as wanted, all 3 tuned\n"), done.stdout)
            self.assertEqual(scpi.ask("OXC:SWIT:CONN:STAT?"), "(@1,2,4),(@17,19,18)")
            # Tunings of outputs 1 (stayed), 2 (other input), 3 (new).
            self.assertEqual([scpi.ask(f"OCS:COUN? {port}").split(",")[0] for port in (1, 2, 3)], ["1", "2", "1"])
            again = lightloop("reconcile", where, "--want", want)
            self.assertIn("0 to remove, 0 to add, 3 undisturbed", again.stdout)
            self.assertEqual(scpi.ask("OCS:COUN? 1").split(",")[0], "1")
            scpi.say("DIAG:PORT:FAIL (@4)")
            dark = lightloop("reconcile", where, "--want", want)
            self.assertEqual(dark.returncode, 1)
            self.assertEqual(dark.stderr, "lightloop: the map is as wanted, but 4A-2B is FAILED\n")

    def test_says_what_is_wrong(self):
        with Served("model", "--ports", "4") as served, tempfile.TemporaryDirectory() as folder:
            want, where = f"{folder}/map.toml", f"127.0.0.1:{served.ports['scpi']}"
            with open(want, "w", encoding="ascii") as file:
                file.write('circuits = ["1A-7B"]\n')
            for arguments, code, text in (((where, "--want", want), 2, "1A-7B is beyond the switch's 4 ports"),
                                          ((where, "--want", "no.toml"), 2, "can't be read"),
                                          (("127.0.0.1:1", "--want", want), 1, "no switch answers"),
                                          (("[::1", "--want", want), 2, "isn't HOST, HOST:PORT"),
                                          ((f"127.0.0.1:{served.ports['tl1']}", "--want", want, "--limit", "1 s"), 1,
                                           "is it the port of SCPI")):
                outcome = lightloop("reconcile", *arguments)
                self.assertEqual(outcome.returncode, code, outcome)
                self.assertIn(text, outcome.stderr)
                self.assertRegex(outcome.stderr, re.compile(r"\Alightloop: [^\n]*\n\Z"))

    def test_reconcile_says_that_a_login_is_required_or_refused(self):
        with tempfile.TemporaryDirectory() as folder, Served("model", "--ports", "4", "--logins", logins_of(self)) as served:
            want, where = f"{folder}/map.toml", f"127.0.0.1:{served.ports['scpi']}"
            with open(want, "w", encoding="ascii") as file:
                file.write('circuits = ["1A-2B"]\n')
            with open(f"{folder}/password", "w", encoding="ascii") as file:
                file.write("wrong\n")
            outcome = lightloop("reconcile", where, "--want", want)
            self.assertEqual((outcome.returncode, outcome.stderr),
                             (1, f"lightloop: {where} requires a login: --user and --password-file\n"))
            outcome = lightloop("reconcile", where, "--want", want, "--user", "ann", "--password-file", f"{folder}/password")
            self.assertEqual((outcome.returncode, outcome.stderr),
                             (1, f'lightloop: {where} refuses: "-203,Command protected;wrong user or password"\n'))


if __name__ == "__main__":
    sys.argv.pop(1)
    unittest.main()
