// Walks over the commands of CLI11.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/apps/help/command_words.hpp"

#include <algorithm>

#include "host/core/list_text.hpp"
#include "testbed/apps/help/help_format.hpp"

namespace ocs {
namespace {

/// The parts of "TEXT:{lf,crlf}" between its braces; none without braces.
std::vector<std::string> choices_of(const std::string& type) {
  const std::size_t open = type.find('{'), close = type.find('}');
  if (open == std::string::npos || close == std::string::npos) return {};
  const std::vector<std::string_view> choices = comma_list(std::string_view(type).substr(open + 1, close - open - 1));
  return {choices.begin(), choices.end()};
}

/// "devices" of "implementation of the switch: `lightloop list devices`"; empty if the text names no list.
std::string list_in(const std::string& meaning) {
  const std::string before = "`lightloop list ";
  const std::size_t at = meaning.find(before);
  if (at == std::string::npos) return {};
  const std::size_t begin = at + before.size();
  return meaning.substr(begin, meaning.find_first_of("` ", begin) - begin);
}

OptionWords option_words(const HelpFormat& format, const CLI::Option& option) {
  OptionWords words;
  words.argument = option.get_positional();
  if (words.argument) words.names.push_back(option.get_name(true));
  for (const std::string& name : option.get_snames()) words.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) words.names.push_back("--" + name);
  words.head = format.make_option_name(&option, words.argument) + format.make_option_opts(&option);
  words.meaning = option.get_description();
  words.takes_value = option.get_items_expected_max() > 0;
  words.value = {.choices = choices_of(option.get_type_name()), .list = list_in(words.meaning)};
  return words;
}

std::string words_below(const std::string& words, const std::string& name) {
  return words.empty() ? name : words + " " + name;
}

void add_command(const CLI::App& command, const std::string& words, std::vector<CommandWords>& found) {
  const HelpFormat format;
  CommandWords one{.words = words,
                   .usage = format.make_usage(&command, words.empty() ? "lightloop" : "lightloop " + words),
                   .description = command.get_description(),
                   .footer = command.get_footer(),
                   .options = {},
                   .subcommands = {}};
  for (const CLI::Option* option : command.get_options()) one.options.push_back(option_words(format, *option));
  const auto below = command.get_subcommands([](const CLI::App*) { return true; });
  for (const CLI::App* sub : below) one.subcommands.push_back(sub->get_name());
  found.push_back(std::move(one));
  for (const CLI::App* sub : below) add_command(*sub, words_below(words, sub->get_name()), found);
}

}  // namespace

std::vector<CommandWords> words_of_commands(const CLI::App& program) {
  std::vector<CommandWords> found;
  add_command(program, "", found);
  return found;
}

const CommandWords& command_below(const std::vector<CommandWords>& all, const CommandWords& command,
                                  const std::string& name) {
  return *std::ranges::find(all, words_below(command.words, name), &CommandWords::words);
}

std::string in_order(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + word;
  return line;
}

std::string first_sentence(const std::string& text) {
  std::string line = text;
  std::ranges::replace(line, '\n', ' ');
  std::string first = line.substr(0, std::min(line.find(". "), line.find(';')));
  if (first.ends_with('.')) first.pop_back();
  return first;
}

}  // namespace ocs
