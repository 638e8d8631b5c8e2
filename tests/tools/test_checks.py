#!/usr/bin/env python3
# Proves that the checks of the tree can fail: each finds the one fault of a small made-up tree.
# SPDX-License-Identifier: Apache-2.0
import pathlib
import tempfile
import unittest

import check_hardening
import check_rooms
import check_rtl
import check_tree

SPDX = "// SPDX-License-Identifier: Apache-2.0\n"
MODULE = """module ocs_timer #(
    /// Ports, 2 to 256.
    parameter int unsigned N = 16
) (
    input  logic         clk_i,  ///< clock
    /// Cycles that are left, and those that were.
    output logic [31:0]  left_o[N],
    output logic [31:0]  gone_o[N]
);
  if (N < 2 || N > 256) $error("ocs_timer: N must be from 2 to 256");
endmodule
"""
HARDENED = """  Type:                              DYN (Position-Independent Executable file)
  GNU_STACK      0x000000 0x0000000000000000 0x0000000000000000 0x000000 0x000000 RW  0x10
  GNU_RELRO      0x48a578 0x000000000048a578 0x000000000048a578 0x017a88 0x017a88 R   0x1
 0x000000006ffffffb (FLAGS_1)            Flags: NOW PIE
    15: 0000000000000000     0 FUNC    GLOBAL DEFAULT  UND __stack_chk_fail@GLIBC_2.4 (4)
    16: 0000000000000000     0 FUNC    GLOBAL DEFAULT  UND __memcpy_chk@GLIBC_2.3.4 (5)
"""
HOUSE = """# design

## The house
- `host/core/`: values. May use: std.
- `host/scheduler/`: plans. May
  use: `host/core`.
- `testbed/apps/`: mains. May use: everything.

## Next
"""


class Tree(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = pathlib.Path(scratch.name)
        self.write("README.md", "[design](docs/design.md)\n")
        self.write("docs/design.md", HOUSE)
        self.write("host/core/units.hpp", SPDX + "#include <vector>\n")
        self.write("host/scheduler/hlf.cpp", SPDX + '#include "host/core/units.hpp"\n#include <coin/ClpSimplex.hpp>\n')
        self.write("testbed/apps/main.cpp", SPDX + '#include "host/scheduler/hlf.hpp"\n')

    def write(self, path: str, text: str) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def page(self, path: str, text: str) -> None:
        """A page that README.md links to."""
        self.write(path, text)
        readme = self.root / "README.md"
        readme.write_text(readme.read_text() + f"[{path}]({path})\n")

    def assert_one(self, offences: list[str], *words: str) -> None:
        self.assertEqual(len(offences), 1, offences)
        for word in words:
            self.assertIn(word, offences[0])

    def test_a_clean_tree_has_no_offences(self):
        self.assertEqual(check_rooms.offences(self.root) + check_tree.offences(self.root), [])

    def test_an_include_from_a_room_that_may_not_be_used(self):
        self.write("host/core/plan.hpp", SPDX + '#include "host/scheduler/hlf.cpp"\n')
        self.assert_one(check_rooms.offences(self.root), "host/core/plan.hpp", "host/scheduler/hlf.cpp")

    def test_the_same_by_a_name_relative_to_the_file(self):
        self.write("host/core/plan.hpp", SPDX + '#include "../scheduler/hlf.cpp"\n')
        self.assert_one(check_rooms.offences(self.root), "host/core/plan.hpp")

    def test_a_library_in_the_core(self):
        self.write("host/core/plan.hpp", SPDX + "#include <zmq.hpp>\n")
        self.assert_one(check_rooms.offences(self.root), "standard library alone", "zmq.hpp")

    def test_a_source_outside_all_rooms(self):
        self.write("host/attic/old.cpp", SPDX)
        self.assert_one(check_rooms.offences(self.root), "host/attic/old.cpp")

    def test_a_list_without_the_rooms(self):
        self.write("docs/design.md", HOUSE.replace("- `testbed/apps/`", "- `testbed/app/`"))
        self.assertTrue(any("no item for testbed/apps" in line for line in check_rooms.offences(self.root)))

    def test_a_source_without_licence(self):
        self.write("rtl/ocs_core.sv", "module ocs_core; endmodule\n")
        self.assert_one(check_tree.offences(self.root), "rtl/ocs_core.sv", "SPDX")

    def test_a_licence_within_a_sentence(self):
        self.write("rtl/ocs_core.sv", "// All ports are alike. SPDX-License-Identifier: Apache-2.0\nmodule ocs_core; endmodule\n")
        self.assert_one(check_tree.offences(self.root), "rtl/ocs_core.sv", "SPDX")

    def test_a_source_in_a_folder_called_results(self):
        self.write("host/core/results/row.cpp", "int row;\n")
        self.assert_one(check_tree.offences(self.root), "host/core/results/row.cpp", "SPDX")

    def test_results_of_runs_in_the_root_are_not_checked(self):
        self.write("results/table.cpp", "int table;\n")
        self.assertEqual(check_rooms.offences(self.root) + check_tree.offences(self.root), [])

    def test_a_script_without_licence(self):
        self.write("tools/new", "#!/bin/sh\n")
        self.assert_one(check_tree.offences(self.root), "tools/new", "SPDX")

    def test_a_private_path(self):
        self.page("docs/notes.md", "see /ho" "me/me/notes\n")
        self.assert_one(check_tree.offences(self.root), "docs/notes.md")

    def test_a_long_line(self):
        for line, most in (("word " * 24, 100), ("- " + "item " * 24, 100), ("    " + "block " * 24, 120), ("| " + "cell " * 24 + "|", 120),
                           ("```\n" + "fenced " * 24 + "\n```", 120), ("## " + "heading " * 24, 120)):
            self.write("README.md", f"[design](docs/design.md)\n{line}\n")
            number = 3 if "\n" in line else 2
            self.assert_one(check_tree.offences(self.root), f"README.md:{number}", f"at most {most}; wrap prose")

    def test_lines_up_to_the_last_column(self):
        self.write("README.md", "[design](docs/design.md)\n" + "x " * 50 + "\n\n    " + "block " * 19 + "\n\n| " + "c " * 59 + "\n" +
                   "(https://example.org/" + "x" * 120 + ")\n")
        self.assertEqual(check_tree.offences(self.root), [])

    def test_a_long_line_that_a_program_prints(self):
        page, line = "docs/serve.md", check_tree.PRINTED["docs/serve.md"][0] + "why " * 30
        self.page(page, f"{line}\n")
        self.assertEqual(check_tree.offences(self.root), [])
        self.write(page, f"{line}\n{line}\n")
        self.assert_one(check_tree.offences(self.root), "docs/serve.md:2")
        self.write(page, "short\n")
        self.assert_one(check_tree.offences(self.root), "docs/serve.md", "which is not there")

    def test_a_link_to_nowhere(self):
        self.page("docs/notes.md", "[seams](seams.md), [design](design.md), [web](https://example.org/x)\n")
        self.assert_one(check_tree.offences(self.root), "seams.md")

    def test_a_command_in_the_readme_that_is_not_there(self):
        self.write("README.md", "[design](docs/design.md) Run `host/core/units.hpp`, then\n\n    host/core/run --fast   # faster\n")
        self.assert_one(check_tree.offences(self.root), "host/core/run")

    def test_a_full_folder_without_note(self):
        for name in "abcdef":
            self.write(f"host/scheduler/many/{name}.hpp", SPDX)
        self.assert_one(check_tree.offences(self.root), "host/scheduler/many", "no README.md")

    def test_a_note_that_is_too_long(self):
        for name in "abcdef":
            self.write(f"host/scheduler/many/{name}.hpp", SPDX)
        self.page("host/scheduler/many/README.md", "line\n" * 31)
        self.assert_one(check_tree.offences(self.root), "more than 30 lines")

    def test_a_type_that_is_defined_twice(self):
        for name in ("a", "b"):
            self.write(f"host/core/{name}.hpp", SPDX + "namespace ocs {\nstruct Twice {\n};\n}\n")
        self.write("host/core/c.hpp", SPDX + "namespace ocs::other {\nclass Twice final {\n};\n}\n")
        self.assert_one(check_tree.offences(self.root), "host/core/b.hpp", "ocs::Twice is defined in host/core/a.hpp, too")

    def test_a_page_that_promises(self):
        for promise in ("`mapped` (later)", "the others come *later*", "tools; later\nthe runner", "LATER: a proof", "Later or now",
                        "Not built yet: uart", "it isn't built\nyet"):
            self.write("docs/design.md", HOUSE + "\n" + promise + "\n")
            self.assert_one(check_tree.offences(self.root), "docs/design.md:11", "docs/roadmap.md")

    def test_the_line_of_a_promise_is_named(self):
        self.page("host/core/README.md", "one\ntwo\nthree, later\n")
        self.assert_one(check_tree.offences(self.root), 'host/core/README.md:3: says "later"')

    def test_a_time_that_is_compared_is_no_promise(self):
        self.page("docs/notes.md", "It shows one cycle later, three cycles\nlater, at t+1 or later, later than its\ncycle, collateral.\n")
        self.assertEqual(check_tree.offences(self.root), [])

    def test_the_list_of_plans_may_promise(self):
        self.page("docs/roadmap.md", "Later: a report. Not built yet.\n")
        self.assertEqual(check_tree.offences(self.root), [])

    def test_another_list_of_plans_may_not(self):
        self.page("host/core/roadmap.md", "Later: a report.\n")
        self.assert_one(check_tree.offences(self.root), "host/core/roadmap.md:1")

    def test_a_page_without_a_link_to_it(self):
        self.write("docs/notes.md", "[myself](notes.md), [home](../README.md)\n")
        self.assert_one(check_tree.offences(self.root), "docs/notes.md: no link leads to it")

    def test_pages_that_know_only_each_other(self):
        self.write("docs/one.md", "[two](two.md)\n")
        self.write("docs/two.md", "[one](one.md)\n")
        self.assertEqual(len(check_tree.offences(self.root)), 2)

    def test_a_room_whose_note_nobody_links(self):
        self.write("host/core/README.md", "# Values\n")
        self.assert_one(check_tree.offences(self.root), "host/core/README.md: no link leads to it")

    def test_a_page_that_is_reached_over_others_by_anchor_and_by_folder(self):
        self.write("docs/README.md", "[one](one.md#part)\n")  # an entrance itself
        self.write("docs/one.md", "[core](../host/core/)\n")
        self.write("host/core/README.md", "[two](../../docs/two.md)\n")
        self.write("docs/two.md", "# Two\n")
        self.write("tests/core/README.md", "# Tests need no link\n")
        self.assertEqual(check_tree.offences(self.root), [])

    def test_a_name_of_a_catalogue_is_compared_outside_its_folder(self):
        self.write("host/scheduler/catalogue.cpp", SPDX + 'list[] = {\n    {"hlf", "heaviest first", make},\n};\n')
        for line in ('if (name == "hlf") f();', 'if ("hlf" != name) f();', 'name.starts_with("hlf");',
                     'constexpr std::string_view one = "hlf";',
                     'constexpr std::string_view two[] = {"other",\n "hlf"};'):
            self.write("testbed/apps/main.cpp", SPDX + line + "\n")
            self.assertIn('compares with "hlf"; ask for a trait', "\n".join(check_tree.offences(self.root)), line)
        self.write("testbed/apps/main.cpp", SPDX + 'f("hlf");\n')
        self.write("host/scheduler/hlf.cpp", SPDX + 'constexpr std::string_view name = "hlf";\n')
        self.assertEqual(check_tree.offences(self.root), [])

    def test_a_module_that_tells_all(self):
        self.write("rtl/ocs_timer.sv", MODULE)
        self.assertEqual(check_rtl.offences(self.root), [])

    def test_a_port_without_a_word(self):
        self.write("rtl/ocs_timer.sv", MODULE.replace("  ///< clock", ""))
        self.assert_one(check_rtl.offences(self.root), "rtl/ocs_timer.sv", "port clk_i")

    def test_a_port_after_a_gap(self):
        self.write("rtl/ocs_timer.sv", MODULE.replace("    output logic [31:0]  gone_o", "\n    output logic [31:0]  gone_o"))
        self.assert_one(check_rtl.offences(self.root), "port gone_o")

    def test_many_loose_ports(self):
        def with_ports(names):
            return MODULE.replace("    /// Cycles", "".join(f"    input logic {name},  ///< wire\n" for name in names) + "    /// Cycles")
        bus = [f"{channel}{pin}_i" for channel, pins in (("aw", ("valid", "ready", "addr")), ("w", ("valid", "ready", "data", "strb"))) for pin in pins]
        self.write("rtl/ocs_timer.sv", with_ports([f"w{k}_i" for k in range(26)] + bus))
        self.assertEqual(check_rtl.offences(self.root), [])
        self.write("rtl/ocs_timer.sv", with_ports([f"w{k}_i" for k in range(28)]))
        self.assert_one(check_rtl.offences(self.root), "31 ports")

    def test_a_parameter_without_a_word(self):
        self.write("rtl/ocs_timer.sv", MODULE.replace("    /// Ports, 2 to 256.\n", ""))
        self.assert_one(check_rtl.offences(self.root), "parameter N isn't documented")

    def test_a_parameter_of_any_value(self):
        self.write("rtl/ocs_timer.sv", MODULE.replace("$error", "$info"))
        self.assert_one(check_rtl.offences(self.root), "range of N")

    def test_a_program_that_lacks_one_protection(self):
        self.assertEqual(check_hardening.missing(HARDENED), [])
        for line in HARDENED.splitlines():
            self.assertEqual(len(check_hardening.missing(HARDENED.replace(line, ""))), 1, line)


if __name__ == "__main__":
    unittest.main()
