# Bugs that the simulator has to find: name, file, text that stands there once, what takes its place.
# SPDX-License-Identifier: Apache-2.0
"""`bug("NAME")` holds in a run in which that bug is chosen."""

BUGS = [
    # --resume takes a stored row as it is: neither its checksum nor the tables are looked at.
    ("resume_unchecked", "testbed/results/database/stored_rows.cpp",
     "  unchecked_.merge(check_all_rows(file_));",
     '  if (!bug("resume_unchecked")) unchecked_.merge(check_all_rows(file_));'),
    # --resume runs the rows that are there once more.
    ("resume_forgets", "testbed/apps/run/command_run.cpp",
     "      there.push_back(row != nullptr);",
     '      there.push_back(row != nullptr && !bug("resume_forgets"));'),
    # The watchdog of nodes never bites.
    ("no_watchdog", "testbed/engine/node_exchange.cpp",
     "    watch(now);\n",
     '    if (!bug("no_watchdog")) watch(now);\n'),
    # A job that asked to be woken at an instant is not.
    ("lost_wake_up", "testbed/engine/engine.cpp",
     "    if (seat->job->wake()) return true;",
     '    if (!bug("lost_wake_up") && seat->job->wake()) return true;'),
    # An exchange ends when all but one have answered.
    ("one_not_awaited", "testbed/engine/node_exchange.cpp",
     "  while (std::any_of(seats_.begin(), seats_.end(), [](const Seat& s) { return s.owes; })) {",
     "  while (std::count_if(seats_.begin(), seats_.end(), [](const Seat& s) { return s.owes; }) >\n"
     '         (bug("one_not_awaited") && !finishing_ ? 1 : 0)) {'),
    # A row is written without a transaction around it.
    ("no_transaction", "testbed/results/database/database.cpp",
     '  file_.execute("BEGIN IMMEDIATE");\n  try {\n    insert(fields);\n    file_.execute("COMMIT");',
     '  if (!bug("no_transaction")) file_.execute("BEGIN IMMEDIATE");\n  try {\n    insert(fields);\n'
     '    if (!bug("no_transaction")) file_.execute("COMMIT");'),
    # Nothing is synced to the disk.
    ("no_sync", "testbed/results/database/schema.cpp",
     '"PRAGMA synchronous = FULL"',
     'bug("no_sync") ? "PRAGMA synchronous = OFF" : "PRAGMA synchronous = FULL"'),
    # A row that could not be written is passed over in silence.
    ("write_failure_swallowed", "testbed/apps/run/outputs.cpp",
     "      if (!failure) failure = error;",
     '      if (!failure && !bug("write_failure_swallowed")) failure = error;'),
    # A message that was damaged on the way is believed.
    ("no_control_checksum", "host/transport/wire.cpp",
     "  if (sent != control_crc(header, fields))",
     '  if (sent != control_crc(header, fields) && !bug("no_control_checksum"))'),
    # A message that is lost, repeated or out of turn is taken as it comes.
    ("sequence_unchecked", "host/transport/peer_protocol.cpp",
     "  const bool next = header.sequence == sender.seen + 1;",
     '  const bool next = header.sequence == sender.seen + 1 || bug("sequence_unchecked");'),
    # serve: a password that was right once lets its user in with any other.
    ("password_forgotten", "host/control_plane/net/password_authenticator.cpp",
     "  const std::string both = user + '\\0' + password;",
     '  const std::string both = bug("password_forgotten") ? user : user + \'\\0\' + password;'),
    # serve: a wrong password keeps the place of the one that is being judged.
    ("login_slot_kept", "host/control_plane/net/password_authenticator.cpp",
     "    judging.reset();\n",
     '    if (role != Role::nobody || !bug("login_slot_kept")) judging.reset();\n'),
    # serve: a command that waits since the answers are not fetched is dropped.
    ("dropped_when_full", "host/control_plane/scpi/session.cpp",
     "    if (more_) return;\n",
     '    std::string_view dropped;\n    if (more_ && bug("dropped_when_full")) buffer_.next(dropped);\n    if (more_) return;\n'),
    # serve: of several autonomous messages at once, all are repeated.
    ("news_twice", "host/control_plane/tl1/session.cpp",
     "  });\n  seen_ = service.last_event();\n",
     '  });\n  if (answer.size() < 300 || !bug("news_twice")) seen_ = service.last_event();\n'),
    # serve: a client that has gone without a word keeps its connection.
    ("vanished_kept", "host/control_plane/net/connection.cpp",
     "  return now - last_ > limits_.idle && (writing_ || !session_->waiting());",
     '  return now - last_ > limits_.idle && (writing_ || !session_->waiting()) && !bug("vanished_kept");'),
]
