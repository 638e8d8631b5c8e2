#!/usr/bin/env python3
# lightloop run --live: what a client sees, what is refused, and that no client reaches the run.
# SPDX-License-Identifier: Apache-2.0
"""Usage: program.py PROGRAM"""
import json
import os
import pathlib
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

from watched import INSTRUMENTED, LONG, PROGRAM, SLOW, TINY, Watched


def rows_of(*arguments: str) -> list[dict]:
    done = subprocess.run([PROGRAM, "run", TINY, "--quiet", "--json", "-", *arguments], capture_output=True, text=True, timeout=120, check=True)
    rows = json.loads(done.stdout)["rows"]
    return [without_machine(row) for row in rows]


def without_machine(row: dict) -> dict:
    """A row but for what measures the machine."""
    return {name: value for name, value in row.items() if name not in ("wall_time_s", "realtime_ratio", "peak_rss_bytes")}


def children_of(process: int) -> list[int]:
    """Process numbers of the children that are still there."""
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == process and fields[0] != "Z":
            found.append(int(path.parent.name))
    return found


class Page(unittest.TestCase):
    def refused(self, *arguments: str) -> str:
        done = subprocess.run([PROGRAM, "run", TINY, *arguments], capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertEqual(done.stdout, "")
        return done.stderr

    def test_no_row_is_another_one_with_a_page(self):
        plain = rows_of()
        self.assertEqual(rows_of("--live", "127.0.0.1:0"), plain)
        self.assertEqual(rows_of("--live", "127.0.0.1:0", "-j", "2"), plain)
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(rows_of("--trace", folder + "/one"), plain)
            self.assertEqual(rows_of("--live", "127.0.0.1:0", "--trace", folder + "/two"), plain)
            for row in range(1, 5):  # both look on
                one, two = (pathlib.Path(folder, name, f"row-{row}.json").read_bytes() for name in ("one", "two"))
                self.assertEqual(one, two)

    def test_a_client_sees_the_rows_that_run_and_those_that_have_ended(self):
        for jobs in ("1", "2"):
            with self.subTest(jobs=jobs), Watched(*SLOW, "-j", jobs) as run:
                seen, running, together, states = [], set(), 0, set()
                for name, data in run.events():
                    if name == "sweep":
                        self.assertEqual((data["experiment"], data["rows"], data["jobs"]), ("tiny", 4, int(jobs)))
                    elif name == "rows":
                        seen += [row["row"] for row in data]
                        self.assertTrue(all("settings" not in row and row["result"] for row in data))
                    elif name == "state":
                        together = max(together, len(data["running"]))
                        for row in data["running"]:
                            running.add(row["row"])
                            if row.get("planes"):
                                states.update(row["planes"][0]["states"])
                                self.assertEqual(len(row["planes"][0]["inputs"]), len(row["planes"][0]["states"]))
                    elif name == "end":
                        self.assertEqual(data, {"how": "finished", "failed": 0})
                self.assertEqual(name, "end")
                self.assertEqual(seen, [1, 2, 3, 4])
                self.assertEqual(running, {1, 2, 3, 4})
                self.assertEqual(together, int(jobs))
                self.assertIn("u", states)  # an output was up
                self.assertEqual(run.end(), (0, ""))

    def test_says_how_a_run_ended(self):
        with Watched(*SLOW) as run:
            events = run.events()
            self.assertEqual(next(events)[0], "sweep")
            run.process.send_signal(signal.SIGINT)
            self.assertEqual([data for name, data in events if name == "end"], [{"how": "stopped", "why": "interrupted"}])
            self.assertEqual(run.end()[0], 130)
        with Watched(*SLOW, "-j", "2") as run:
            events = run.events()
            self.assertEqual(next(events)[0], "sweep")
            run.process.kill()
            self.assertEqual([data for name, data in events if name == "end"], [{"how": "lost"}])

    def test_its_address_is_free_when_the_run_has_ended(self):
        with Watched() as run:
            self.assertEqual(run.end(), (0, ""))
        for _ in range(5):
            with Watched(at=run.at) as again:
                self.assertEqual(again.end(), (0, ""))

    def test_refuses_wrong_addresses_in_a_sentence(self):
        self.assertIn("must be an IP address and a port", self.refused("--live", "8080"))
        self.assertIn("without --live-logins FILE only this host is listened to", self.refused("--live", "0.0.0.0:0"))
        self.assertIn("can't listen on 192.0.2.1", self.refused("--live", "192.0.2.1:0", "--live-logins", self.logins()))
        self.assertIn("--live-logins needs --live", self.refused("--live-logins", "x"))
        self.assertIn("--live-name needs --live", self.refused("--live-name", "x"))
        self.assertIn("--dry-run runs none", self.refused("--live", "127.0.0.1:0", "--dry-run"))
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
            self.assertEqual(self.refused("--live", f"127.0.0.1:{port}"),
                             f"lightloop: --live: can't listen on 127.0.0.1 port {port} for http: Address already in use\n")

    def logins(self) -> str:
        password = subprocess.run([PROGRAM, "serve", "--hash-password"], input="sesame\n", capture_output=True, text=True, check=True).stdout
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        file = pathlib.Path(folder.name, "users.toml")
        file.write_text(f'[users.ann]\nrole = "read"\npassword = "{password.strip()}"\n')
        return str(file)

    def test_wants_a_login_where_there_are_some(self):
        with Watched(*LONG, "--live-logins", self.logins(), at="0.0.0.0:0") as run:
            url = f"http://127.0.0.1:{run.port}/"
            with self.assertRaises(urllib.error.HTTPError) as refusal:
                urllib.request.urlopen(url, timeout=60)
            self.assertEqual(refusal.exception.code, 401)
            refusal.exception.close()
            known = urllib.request.HTTPPasswordMgrWithDefaultRealm()
            known.add_password(None, url, "ann", "sesame")
            with urllib.request.build_opener(urllib.request.HTTPBasicAuthHandler(known)).open(url, timeout=120) as page:
                self.assertIn(b"<title>lightloop run</title>", page.read())
            self.assertIn("passwords cross the network unencrypted", run.said[0])

    def test_neither_a_flood_nor_silence_reaches_the_run(self):
        plain = rows_of(*SLOW)
        with tempfile.TemporaryDirectory() as folder:
            with Watched(*SLOW, "--json", folder + "/rows.json") as run:
                stop = threading.Event()
                silent = [run.connect() for _ in range(60)]
                for connection in silent[:20]:  # these take nothing of what they ask for
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
                    connection.sendall(b"GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" + b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 500)
                for connection in silent[20:40]:
                    connection.sendall(b"GET / HTTP/1.1\r\nHost: ")
                most = 0

                def flood():
                    while not stop.is_set():
                        try:
                            with run.connect() as one:
                                one.sendall(os.urandom(3000))
                                one.recv(100)
                        except OSError:
                            time.sleep(.001)
                threads = [threading.Thread(target=flood) for _ in range(2)]
                for thread in threads:
                    thread.start()
                server = children_of(run.process.pid)
                self.assertEqual(len(server), 1)
                while run.process.poll() is None:
                    try:
                        status = pathlib.Path(f"/proc/{server[0]}/status").read_text()
                    except OSError:
                        break
                    most = max([most, *(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))])
                    time.sleep(.02)
                ended = run.end()
                stop.set()
                for thread in threads:
                    thread.join()
                for connection in silent:
                    connection.close()
                self.assertEqual(ended, (0, ""))
                self.assertGreater(most, 0)
                self.assertLess(most, 200_000 if INSTRUMENTED else 100_000)  # kB
            rows = json.loads(pathlib.Path(folder, "rows.json").read_text())["rows"]
        self.assertEqual([without_machine(row) for row in rows], plain)

    def test_a_page_that_dies_takes_no_row_with_it(self):
        with Watched(*SLOW) as run:
            os.kill(children_of(run.process.pid)[0], signal.SIGKILL)
            code, said = run.end()
            self.assertEqual(code, 0)
            self.assertEqual(said, "lightloop: warning: the process of the page of --live has ended; the run goes on\n")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
