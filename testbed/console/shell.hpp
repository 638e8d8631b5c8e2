// The commands of `lightloop regs`: a device's register window, by name.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <istream>
#include <memory>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "host/core/device.hpp"
#include "testbed/console/dump.hpp"

namespace ocs::console {

/// What a shell works on. All of it must outlive the shell.
struct ShellContext {
  Device& device;
  std::ostream& out;
  /// A device as after power-up, for `run`: programs state their ports and records. @throws Error (input): not built.
  std::function<std::unique_ptr<Device>(int ports, int fifo_depth)> fresh_device;
  std::function<void()> pause;  ///< called now and then on long ways; may throw; may be empty
};

/// One session. Commands are lines: a word, then what it needs, separated by blanks; # begins a comment.
/// The device isn't reset; nothing is read before the first command asks for it, but the number of ports.
class Shell {
 public:
  /// @throws Error (run): no switch answers.
  explicit Shell(ShellContext context);

  /// Carries out one line. @returns false after `quit`. @throws Error (input): the line is wrong; Error (run): the
  /// switch refused an access, or what was waited for or expected didn't come.
  bool execute(std::string_view line);

  /// Lines up to the end or `quit`. @param name of the script, for messages. @returns false after `quit`.
  /// @throws Error with the name and number of the first line that failed.
  bool execute_all(std::istream& lines, const std::string& name);

  /// The same of a file. @throws also Error (input): it can't be read, or calls itself.
  bool execute_file(const std::string& file);

  /// What could stand in place of the last word of this beginning of a line.
  std::vector<std::string> completions(std::string_view line) const;

  /// "16 ports, word 64 B, cycle 5120 ps, register map 1.1"
  std::string identity();

 private:
  using Words = std::span<const std::string>;
  struct Command {
    std::string_view name, usage, help;
    void (Shell::*act)(Words);
  };
  static std::span<const Command> commands();
  static const Command& find_command(std::string_view name);

  void read(Words words);
  void write(Words words);
  void expect(Words words);
  void advance(Words words);
  void wait(Words words);
  void events(Words words);
  void dump(Words words);
  void snapshot(Words words);
  void diff(Words words);
  void run(Words words);
  void source(Words words);
  void info(Words words);
  void help(Words words);
  void quit(Words words);

  struct ParsedValue {
    std::uint64_t number = 0;
    bool is_time = false;  ///< it was written as a time; `number` is cycles of this switch
  };
  Cycles parse_span(Words words) const;
  ParsedValue parse_value(Words words) const;
  void go_to(Cycles target, bool until_interrupt);

  ShellContext context_;
  RegisterBus& bus_;
  FabricClock& clock_;
  int ports_;
  std::optional<Dump> snapshot_;
  int depth_ = 0;  ///< of scripts within scripts
  bool going_ = true;
};

}  // namespace ocs::console
