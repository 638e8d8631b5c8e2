// What manual pages and completions need to know of the command line; read from the same objects as --help.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace ocs {

/// What can follow an option, or stand for an argument.
struct ValueWords {
  std::vector<std::string> choices;  ///< the only values, if there are any
  std::string list;                  ///< `lightloop list` names them under this name; else empty
};

struct OptionWords {
  std::vector<std::string> names;  ///< with their dashes; of an argument, its name alone
  std::string head;                ///< the names and the value, as --help shows them
  std::string meaning;
  bool argument = false;     ///< has no dashes
  bool takes_value = false;  ///< a word follows it
  ValueWords value;
};

struct CommandWords {
  std::string words;  ///< "" for the program, "run", "rtl build"
  std::string usage, description, footer;
  std::vector<OptionWords> options;      ///< arguments among them
  std::vector<std::string> subcommands;  ///< the last word of each
};

/// The program and all its commands, a command before those below it.
std::vector<CommandWords> words_of_commands(const CLI::App& program);

/// @param name one of the command's subcommands
const CommandWords& command_below(const std::vector<CommandWords>& all, const CommandWords& command,
                                  const std::string& name);

/// One behind the other, with a space between them.
std::string in_order(const std::vector<std::string>& words);

/// The first sentence, or what is before the first semicolon; without the full stop.
std::string first_sentence(const std::string& text);

}  // namespace ocs
