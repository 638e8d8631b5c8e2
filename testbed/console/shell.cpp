// Lines to commands: words, scripts within scripts, help, completion.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/console/shell.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>

#include "testbed/console/register_values.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs::console {
namespace {

constexpr std::size_t max_line = 4096, max_script_bytes = std::size_t{1} << 24;
constexpr int max_depth = 16;
constexpr std::string_view blanks = " \t\r";

std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  line = line.substr(0, line.find('#'));
  while (true) {
    const std::size_t begin = line.find_first_not_of(blanks);
    if (begin == std::string_view::npos) return words;
    line.remove_prefix(begin);
    const std::size_t size = std::min(line.find_first_of(blanks), line.size());
    words.emplace_back(line.substr(0, size));
    line.remove_prefix(size);
  }
}

/// Number of ports as the switch says it.
int ports_of(RegisterBus& bus) {
  const RegisterInfo& id = register_called("ID");
  const std::uint64_t magic = read_entry(bus, id, 0);
  constexpr std::uint64_t ocs1 = 0x4f43'5331;
  if (magic != ocs1)
    throw Error(ErrorKind::run, "no switch answers: register ID reads " + std::to_string(magic) + ", not \"OCS1\"");
  const RegisterName ports = parse_register_name("CAP_SIZE.PORTS", 2);
  return static_cast<int>(read_value(bus, *ports.reg, ports.field, 0));
}

}  // namespace

Shell::Shell(ShellContext context)
    : context_(std::move(context)),
      bus_(context_.device.bus()),
      clock_(context_.device.clock()),
      ports_(ports_of(bus_)) {}

std::span<const Shell::Command> Shell::commands() {
  static constexpr Command all[] = {
      {"read", "read NAME...", "prints registers or fields: read TIME STATE[*] CTRL.ALL_STOP", &Shell::read},
      {"write", "write NAME VALUE", "decimal, 0x, 0b, or a time, rounded up to cycles: write BASE[*] 10 ms",
       &Shell::write},
      {"expect", "expect NAME VALUE", "fails if the register or field reads something else", &Shell::expect},
      {"advance", "advance N", "moves the clock by N cycles, or a time: advance 10 us", &Shell::advance},
      {"wait", "wait [N]", "up to the next enabled interrupt; fails without one within N cycles or a time (1 s)",
       &Shell::wait},
      {"events", "events [N]", "takes the events in the FIFO, or at most N, and prints them", &Shell::events},
      {"dump", "dump [GROUP|NAME]", "prints all that can be read; groups: config, core, port, optics", &Shell::dump},
      {"snapshot", "snapshot", "remembers all that can be read, as dump does", &Shell::snapshot},
      {"diff", "diff", "prints registers and fields that changed since the last dump or snapshot", &Shell::diff},
      {"run", "run FILE.json", "register programs, each on a fresh switch of its size; fails if one deviates",
       &Shell::run},
      {"source", "source FILE", "executes the commands of a file", &Shell::source},
      {"info", "info", "what this switch is", &Shell::info},
      {"help", "help [COMMAND|NAME|registers]", "commands, registers, or one of them", &Shell::help},
      {"quit", "quit", "ends the session", &Shell::quit},
  };
  return all;
}

const Shell::Command& Shell::find_command(std::string_view name) {
  std::vector<std::string> beginning, known;
  for (const Command& command : commands()) {
    if (command.name == name) return command;
    if (command.name.starts_with(name)) beginning.emplace_back(command.name);
    known.emplace_back(command.name);
  }
  if (beginning.size() == 1) return find_command(beginning.front());
  if (beginning.size() > 1) refuse("command " + in_quotes(name) + " could be " + joined(beginning));
  const std::string like = nearest(name, known);
  refuse("unknown command " + in_quotes(name) +
         (like.empty() ? "; `help` lists them" : "; did you mean " + in_quotes(like) + "?"));
}

bool Shell::execute(std::string_view line) {
  if (line.size() > max_line)
    refuse("a line has " + std::to_string(line.size()) + " characters, but must have at most 4096");
  const std::vector<std::string> words = words_of(line);
  if (words.empty()) return going_;
  const Command& command = find_command(words.front());
  (this->*command.act)(Words(words).subspan(1));
  return going_;
}

bool Shell::execute_all(std::istream& lines, const std::string& name) {
  std::string line;
  for (std::size_t number = 1; going_ && std::getline(lines, line); ++number) {
    try {
      if (context_.pause) context_.pause();
      execute(line);
    } catch (const Error& failure) {
      throw Error(failure.kind(), name + ":" + std::to_string(number) + ": " + failure.what());
    }
  }
  return going_;
}

void Shell::source(Words words) {
  if (words.size() != 1) refuse("source must have one file");
  execute_file(words[0]);
}

bool Shell::execute_file(const std::string& file) {
  if (depth_ == max_depth)
    refuse("scripts are nested more than 16 deep, as if they called each other: " + in_quotes(file));
  std::istringstream text(read_text_file(file, "script", max_script_bytes));
  struct Deeper {
    explicit Deeper(int& of) : depth(of) { ++depth; }
    ~Deeper() { --depth; }
    int& depth;
  } const deeper(depth_);
  return execute_all(text, file);
}

void Shell::quit(Words words) {
  if (!words.empty()) refuse("quit takes nothing more, not " + in_quotes(words[0]));
  going_ = false;
}

void Shell::help(Words words) {
  std::ostream& out = context_.out;
  if (words.empty()) {
    for (const Command& command : commands()) {
      std::string usage(command.usage);
      usage.resize(std::max<std::size_t>(usage.size() + 2, 32), ' ');
      out << usage << command.help << '\n';
    }
    return;
  }
  if (words[0] == "registers") {
    std::vector<std::string> names;
    for (const RegisterInfo& reg : register_map())
      names.push_back(std::string(reg.name) + (reg.entries == 1 ? "" : reg.name == "PAIR" ? "[o][i]" : "[]"));
    out << joined(names) << '\n';
    return;
  }
  for (const Command& command : commands())
    if (command.name == words[0]) {
      out << command.usage << "\n  " << command.help << '\n';
      return;
    }
  const RegisterInfo& reg = register_called(words[0].substr(0, words[0].find_first_of("[.")));
  char place[32];
  std::snprintf(place, sizeof place, "0x%05x", reg.address);
  out << reg.name << (reg.entries == 1 ? "" : "[]") << "  " << reg.access << ", " << reg.bits << " bits at " << place;
  if (reg.entries > 1) out << " + " << reg.stride << " each";
  out << (reg.meaning.empty() ? "" : ": ") << reg.meaning << '\n';
  for (const FieldInfo& field : fields_of(reg))
    out << "  " << field.name << " [" << field.low + field.width - 1 << ":" << field.low << "] " << field.access << "  "
        << field.meaning << '\n';
}

std::vector<std::string> Shell::completions(std::string_view line) const {
  const std::size_t begin = line.find_last_of(blanks) + 1;  // npos + 1 is 0
  const std::string_view last = line.substr(begin);
  const std::vector<std::string> before = words_of(line.substr(0, begin));
  std::vector<std::string> found;
  if (before.empty() || before.front() == "help") {
    for (const Command& command : commands())
      if (command.name.starts_with(last)) found.emplace_back(command.name);
    if (before.empty()) return found;
  }
  if (before.front() == "dump")
    for (const std::string_view group : {"config", "core", "port", "optics"})
      if (group.starts_with(last)) found.emplace_back(group);
  for (std::string& name : names_beginning(last)) found.push_back(std::move(name));
  return found;
}

}  // namespace ocs::console
