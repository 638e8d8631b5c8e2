# Bugs that the simulator has to find: name, file, text that stands there once, what takes its place.
# SPDX-License-Identifier: Apache-2.0
"""`bug("NAME")` holds in a run in which that bug is chosen."""

BUGS = [
    # A receipt counts twice: a transfer that is whole is whole again with its next delivery.
    ("receipt_twice", "testbed/nodes/receipts.cpp",
     "  return complete;\n",
     '  return complete || (bug("receipt_twice") && transfer.whole);\n'),
    # --resume takes a stored row as it is: neither its checksum nor the tables are looked at.
    ("resume_unchecked", "testbed/results/stored_rows.cpp",
     "  unchecked_.merge(check_all_rows(file_));",
     '  if (!bug("resume_unchecked")) unchecked_.merge(check_all_rows(file_));'),
    # --resume runs the rows that are there once more.
    ("resume_forgets", "testbed/apps/command_run.cpp",
     "      there.push_back(row != nullptr);",
     '      there.push_back(row != nullptr && !bug("resume_forgets"));'),
    # Messages that are due at one time are acted on in the order in which they arrived.
    ("order_of_arrival", "testbed/engine/node_exchange.cpp",
     "    return std::tie(a.phase, a.about, a.from, a.sequence) < std::tie(b.phase, b.about, b.from, b.sequence);",
     '    if (bug("order_of_arrival")) return false;\n'
     "    return std::tie(a.phase, a.about, a.from, a.sequence) < std::tie(b.phase, b.about, b.from, b.sequence);"),
    # The watchdog of nodes never bites.
    ("no_watchdog", "testbed/engine/node_exchange.cpp",
     "    watch(now);\n",
     '    if (!bug("no_watchdog")) watch(now);\n'),
    # A node that promised to act is not woken where it is the last one.
    ("lost_wake_up", "testbed/engine/node_exchange.cpp",
     "    if (seat.promise == now && seat.posted.empty())",
     '    if (!(bug("lost_wake_up") && &seat == &seats_.back()) && seat.promise == now && seat.posted.empty())'),
    # An exchange ends when all but one have answered.
    ("one_not_awaited", "testbed/engine/node_exchange.cpp",
     "  while (std::any_of(seats_.begin(), seats_.end(), [](const Seat& s) { return s.owes; })) {",
     "  while (std::count_if(seats_.begin(), seats_.end(), [](const Seat& s) { return s.owes; }) >\n"
     '         (bug("one_not_awaited") && !finishing_ ? 1 : 0)) {'),
    # A row is written without a transaction around it.
    ("no_transaction", "testbed/results/database.cpp",
     '  file_.execute("BEGIN IMMEDIATE");\n  try {\n    insert(fields);\n    file_.execute("COMMIT");',
     '  if (!bug("no_transaction")) file_.execute("BEGIN IMMEDIATE");\n  try {\n    insert(fields);\n'
     '    if (!bug("no_transaction")) file_.execute("COMMIT");'),
    # Nothing is synced to the disk.
    ("no_sync", "testbed/results/schema.cpp",
     '"PRAGMA synchronous = FULL"',
     'bug("no_sync") ? "PRAGMA synchronous = OFF" : "PRAGMA synchronous = FULL"'),
    # A row that could not be written is passed over in silence.
    ("write_failure_swallowed", "testbed/apps/outputs.cpp",
     "      if (!failure) failure = error;",
     '      if (!failure && !bug("write_failure_swallowed")) failure = error;'),
    # A message that was damaged on the way is believed.
    ("no_control_checksum", "host/transport/wire.cpp",
     "  if (sent != control_crc(header, fields))",
     '  if (sent != control_crc(header, fields) && !bug("no_control_checksum"))'),
    # A node process that has ended is not noticed.
    ("ended_process_unnoticed", "testbed/coordinator/process_crew.cpp",
     "      if (seat.process && seat.process->ended())",
     '      if (seat.process && seat.process->ended() && !bug("ended_process_unnoticed"))'),
]
