// What each command does at the switch.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>

#include "host/conformance/compare.hpp"
#include "host/conformance/program.hpp"
#include "host/conformance/runner.hpp"
#include "testbed/console/event_text.hpp"
#include "testbed/console/register_values.hpp"
#include "testbed/console/shell.hpp"
#include "testbed/experiment/quantity.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs::console {
namespace {

constexpr std::size_t max_program_bytes = std::size_t{1} << 26;
constexpr std::int64_t most_cycles = std::int64_t{1} << 53;
constexpr Picos default_patience{1'000'000'000'000};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Words joined by blanks again: "10 ms".
std::string line_of(std::span<const std::string> words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + word;
  return line;
}

/// Decimal, 0x or 0b; false if it is none that fits 64 bits.
bool parse_number(std::string_view text, std::uint64_t& value) {
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) base = 16;
  if (text.starts_with("0b") || text.starts_with("0B")) base = 2;
  if (base != 10) text.remove_prefix(2);
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  return failure == std::errc() && end == text.data() + text.size() && !text.empty();
}

}  // namespace

/// A number, or a time in cycles of this switch, rounded up.
Shell::ParsedValue Shell::parse_value(Words words) const {
  const std::string text = line_of(words);
  std::uint64_t number = 0;
  if (parse_number(text, number)) return {.number = number};
  const bool unit = !text.empty() && is_digit(text.front()) &&
                    text.find_first_not_of("0123456789.") != std::string::npos && !text.starts_with("0x") &&
                    !text.starts_with("0b");
  if (!unit) refuse("value " + in_quotes(text) + " must be a number (decimal, 0x, 0b) or a time such as 10 ms");
  try {
    const Picos time{parse_quantity(text, Dimension::time)};
    return {.number = static_cast<std::uint64_t>(to_cycles(time, clock_.cycle()).n), .is_time = true};
  } catch (const Error& failure) {
    refuse("value is " + in_quotes(text) + ", but " + failure.what());
  }
}

Cycles Shell::parse_span(Words words) const {
  const std::uint64_t count = parse_value(words).number;
  const std::int64_t now = clock_.now().n;
  if (count > static_cast<std::uint64_t>(most_cycles - std::min(now, most_cycles)))
    refuse("a way of " + std::to_string(count) + " cycles must end below cycle 2^53");
  return Cycles{static_cast<std::int64_t>(count)};
}

void Shell::read(Words words) {
  if (words.empty()) refuse("read must have at least one register, such as read TIME");
  for (const std::string& word : words) {
    const RegisterName name = parse_register_name(word, ports_);
    for (const std::uint32_t entry : name.entries) {
      const std::uint64_t value = read_value(bus_, *name.reg, name.field, entry);
      context_.out << name_of(*name.reg, entry);
      if (name.field != nullptr) context_.out << "." << name.field->name;
      context_.out << "  " << text_of(*name.reg, name.field, value) << '\n';
    }
  }
}

void Shell::write(Words words) {
  if (words.size() < 2) refuse("write must have a register and a value, such as write BASE[0] 10 ms");
  const RegisterName name = parse_register_name(words[0], ports_);
  const auto [value, is_time] = parse_value(words.subspan(1));
  const auto fields = fields_of(*name.reg);
  // Bits that a register does not have ignore writes: of a time they would leave another time.
  if (is_time && name.field == nullptr && fields.size() == 1 && value > fields.front().most())
    refuse(std::string(name.reg->name) + " is written " + line_of(words.subspan(1)) + ", " + std::to_string(value) +
           " cycles, but must be at most " + std::to_string(fields.front().most()) + " cycles");
  for (const std::uint32_t entry : name.entries) {
    write_value(bus_, *name.reg, name.field, entry, value);
    if (!keeps_writes(*name.reg, name.field)) continue;
    const std::uint64_t kept = read_value(bus_, *name.reg, name.field, entry);
    if (kept != value)
      context_.out << "note: " << name_of(*name.reg, entry)
                   << (name.field == nullptr ? "" : "." + std::string(name.field->name)) << " reads "
                   << text_of(*name.reg, name.field, kept) << " after the write of " << value
                   << ": the switch ignores what it has no place for, and some fields as long as another is 0\n";
  }
}

void Shell::expect(Words words) {
  if (words.size() < 2) refuse("expect must have a register and a value, such as expect STATE[0].STATE 3");
  const RegisterName name = parse_register_name(words[0], ports_);
  const std::uint64_t value = parse_value(words.subspan(1)).number;
  for (const std::uint32_t entry : name.entries) {
    const std::uint64_t got = read_value(bus_, *name.reg, name.field, entry);
    if (got != value)
      throw Error(ErrorKind::run, name_of(*name.reg, entry) +
                                      (name.field == nullptr ? "" : "." + std::string(name.field->name)) + " is " +
                                      text_of(*name.reg, name.field, got) + ", but must be " + std::to_string(value));
  }
}

/// Advances in pieces, so that the user can interrupt a long way.
void Shell::go_to(Cycles target, bool until_interrupt) {
  constexpr std::int64_t piece = 1 << 20;
  while (clock_.now() < target) {
    const Cycles before = clock_.now();
    const Cycles stop = std::min(target, before + Cycles{piece});
    if (clock_.run_until(stop) < stop && until_interrupt) return;
    if (clock_.now() == before)
      throw Error(ErrorKind::run, "the clock stands still in cycle " + std::to_string(before.n));
    if (context_.pause) context_.pause();
  }
}

/// An interrupt would end the way, so all are disabled meanwhile: that costs no fabric time.
void Shell::advance(Words words) {
  if (words.empty()) refuse("advance must have a number of cycles or a time, such as advance 10 us");
  const Cycles target = clock_.now() + parse_span(words);
  const RegisterInfo& enable = register_called("IRQ_ENABLE");
  const std::uint64_t enabled = read_entry(bus_, enable, 0);
  if (enabled != 0) write_value(bus_, enable, nullptr, 0, 0);
  try {
    go_to(target, false);
  } catch (...) {
    if (enabled != 0) write_value(bus_, enable, nullptr, 0, enabled);
    throw;
  }
  if (enabled != 0) write_value(bus_, enable, nullptr, 0, enabled);
}

void Shell::wait(Words words) {
  const Cycles span = words.empty() ? to_cycles(default_patience, clock_.cycle()) : parse_span(words);
  const RegisterInfo &enable = register_called("IRQ_ENABLE"), &status = register_called("IRQ_STATUS");
  const std::uint64_t enabled = read_entry(bus_, enable, 0);
  if (enabled == 0) throw Error(ErrorKind::run, "no interrupt is enabled; write IRQ_ENABLE 7 enables all");
  const Cycles limit = clock_.now() + span;
  const auto raised = [&] { return read_entry(bus_, status, 0) & enabled; };
  if (raised() == 0) go_to(limit, true);
  const std::uint64_t sources = raised();
  if (sources == 0) throw Error(ErrorKind::run, "no interrupt came within " + cycles_text(span, clock_.cycle()));
  context_.out << "cycle " << clock_.now().n << "  interrupt: " << set_bits(status, sources) << '\n';
}

void Shell::events(Words words) {
  if (words.size() > 1) refuse("events takes one number, not " + in_quotes(words[1]));
  const std::uint64_t most = words.empty() ? ~std::uint64_t{0} : parse_value(words).number;
  for (std::uint64_t n = 0; n < most; ++n) {
    const auto event = take_event_text(bus_);
    if (!event && n == 0) context_.out << "no events\n";
    if (!event) return;
    context_.out << *event << '\n';
    if (context_.pause) context_.pause();
  }
}

void Shell::dump(Words words) {
  if (words.size() > 1) refuse("dump takes one group or register, not " + in_quotes(words[1]));
  Dump now(bus_, ports_);
  context_.out << now.text(words.empty() ? "" : words[0]);
  snapshot_ = std::move(now);
}

void Shell::snapshot(Words words) {
  if (!words.empty()) refuse("snapshot takes nothing more, not " + in_quotes(words[0]));
  snapshot_.emplace(bus_, ports_);
}

void Shell::diff(Words words) {
  if (!words.empty()) refuse("diff takes nothing more, not " + in_quotes(words[0]));
  if (!snapshot_) refuse("diff has nothing to compare with: dump or snapshot comes first");
  const std::string changes = Dump(bus_, ports_).changes_since(*snapshot_);
  context_.out << (changes.empty() ? "no change\n" : changes);
}

void Shell::run(Words words) {
  if (words.size() != 1) refuse("run must have one file of register programs");
  std::size_t wrong = 0;
  const auto cases = conformance::parse_cases(read_text_file(words[0], "program", max_program_bytes), words[0]);
  for (const conformance::Case& program : cases) {
    const auto device = context_.fresh_device(program.ports, program.fifo_depth);
    const auto got = conformance::run_program(*device, program.ports, program.fifo_depth, program.program);
    const std::string deviations = conformance::deviations(program, got);
    context_.out << program.name << (deviations.empty() ? ": as expected\n" : ": deviates\n" + deviations);
    if (!deviations.empty()) ++wrong;
    if (context_.pause) context_.pause();
  }
  if (wrong != 0)
    throw Error(ErrorKind::run, std::to_string(wrong) + " of " + std::to_string(cases.size()) + " programs in " +
                                    in_quotes(words[0]) + " deviate");
}

std::string Shell::identity() {
  const auto value = [&](std::string_view name) {
    const RegisterName found = parse_register_name(name, ports_);
    return std::to_string(read_value(bus_, *found.reg, found.field, 0));
  };
  return value("CAP_SIZE.PORTS") + " ports, word " + value("CAP_WORD.WORD_BYTES") + " B, cycle " +
         value("CYCLE_PS.PICOSECONDS") + " ps, " + value("CAP_SIZE.SEQ_ENTRIES") + " sequencer entries, FIFO of " +
         value("CAP_WORD.FIFO_DEPTH") + " records, register map " + value("VERSION.MAJOR") + "." +
         value("VERSION.MINOR");
}

void Shell::info(Words words) {
  if (!words.empty()) refuse("info takes nothing more, not " + in_quotes(words[0]));
  const RegisterInfo& options = register_called("CAP_OPTIONS");
  context_.out << identity() << "\noptions: " << set_bits(options, read_entry(bus_, options, 0))
               << "\nnow: " << cycles_text(clock_.now(), clock_.cycle()) << '\n';
}

}  // namespace ocs::console
