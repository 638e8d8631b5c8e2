#!/usr/bin/env python3
# An unmodified PyVISA client (pyvisa-py) drives `lightloop serve`.
# SPDX-License-Identifier: Apache-2.0
"""Usage: visa.py PROGRAM. Exit 77 where pyvisa isn't installed (tools/setup --python)."""
import sys
import unittest

from served import Served

try:
    import pyvisa
except ImportError:
    print("skipped: no pyvisa in build/venv; tools/setup --python installs it")
    sys.exit(77)


class Visa(unittest.TestCase):
    def test_drives_the_switch(self):
        with Served("verilated", "--tuning", "2 s") as served:
            manager = pyvisa.ResourceManager("@py")
            switch = manager.open_resource(f"TCPIP::127.0.0.1::{served.ports['scpi']}::SOCKET")
            switch.timeout = 30_000
            switch.read_termination = "\n"  # PyVISA's default finds no end in an answer
            self.assertTrue(switch.query("*IDN?").startswith("lightloop,OCS-verilated-16x16-V,0,"))
            switch.write("OXC:SWITch:CONNect:ADD (@1,2),(@18,17)")  # ends with CR LF, PyVISA's default
            self.assertEqual(switch.query("OCS:PORT:STATe? (@17,18)"), "(TUNING,TUNING)")
            self.assertEqual(switch.query("*OPC?"), "1")
            self.assertEqual(switch.query("OCS:PORT:STATe? (@17,18)"), "(TUNED,TUNED)")
            self.assertEqual(switch.query("OXC:SWITch:CONNect:STATe?"), "(@1,2),(@18,17)")
            self.assertEqual(switch.query_ascii_values("OXC:SWITch:SIZE?"), [16, 16])
            switch.write("OXC:SWITch:CONNect:ADD (@3),(@17)")
            self.assertEqual(switch.query("SYSTem:ERRor?"),
                             "-221,\"Settings conflict;input 3 to output 17 is blocked by input 2 to output 17\"")
            self.assertEqual(switch.query("SYSTem:ERRor?"), "0,\"No error\"")
            switch.write_termination = "\n"
            self.assertEqual(switch.query("*ESR?"), "144")  # power on, execution error
            switch.close()
            manager.close()

    def test_takes_answers_with_carriage_returns(self):
        with Served("model", "--scpi-end", "crlf") as served:
            manager = pyvisa.ResourceManager("@py")
            switch = manager.open_resource(f"TCPIP0::localhost::{served.ports['scpi']}::SOCKET",
                                           read_termination="\r\n")
            self.assertEqual(switch.query(":OXC:SWITch:CONNect:STATe?"), "(@),(@)")
            switch.close()
            manager.close()


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
