// lightloop manual: the help of a command as a page for man.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>

#include "host/core/error.hpp"
#include "testbed/apps/commands.hpp"
#include "testbed/apps/help/command_words.hpp"
#include "testbed/apps/run/unknown_name.hpp"

namespace ocs {
namespace {

/// Text for roff: hyphens stay hyphens when they are copied, and no line is taken for a request.
std::string roff(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n')) out += "\\&";
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
  }
  return out;
}

/// "lightloop-rtl-build"
std::string page_name(const std::string& words) {
  std::string name = words.empty() ? "lightloop" : "lightloop-" + words;
  std::ranges::replace(name, ' ', '-');
  return name;
}

void write_options(std::ostream& out, const CommandWords& command, bool arguments, const char* title) {
  bool titled = false;
  for (const OptionWords& option : command.options) {
    if (option.argument != arguments) continue;
    if (!titled) out << ".SH " << title << '\n';
    titled = true;
    out << ".TP\n.B " << roff(option.head) << '\n' << roff(option.meaning) << '\n';
  }
}

void write_manual(std::ostream& out, const CommandWords& command, const std::vector<CommandWords>& all,
                  const std::string& version) {
  const std::string name = page_name(command.words);
  out << ".TH \"" << roff(name) << "\" 1 \"\" \"lightloop " << roff(version) << "\" \"lightloop\"\n.nh\n.SH NAME\n"
      << roff(name) << " \\- " << roff(first_sentence(command.description)) << "\n.SH SYNOPSIS\n";
  std::istringstream usage(command.usage);
  for (std::string line; std::getline(usage, line);)
    if (line.starts_with("Usage: ")) out << ".B " << roff(line.substr(7)) << '\n';
  out << ".SH DESCRIPTION\n" << roff(command.description) << '\n';
  write_options(out, command, true, "ARGUMENTS");
  write_options(out, command, false, "OPTIONS");
  if (!command.subcommands.empty()) out << ".SH COMMANDS\n";
  for (const std::string& sub : command.subcommands) {
    const CommandWords& below = command_below(all, command, sub);
    out << ".TP\n.BR " << roff(page_name(below.words)) << " (1)\n" << roff(below.description) << '\n';
  }
  if (!command.footer.empty()) out << ".SH NOTES\n";
  std::istringstream paragraphs(command.footer);
  for (std::string line; std::getline(paragraphs, line);) out << ".PP\n" << roff(line) << '\n';
  if (!command.words.empty()) out << ".SH SEE ALSO\n.BR lightloop (1)\n";
}

struct ManualArguments {
  std::vector<std::string> words;
  std::string folder;
};

/// One file for each command, as an installation has them.
void write_all(const std::vector<CommandWords>& all, const std::filesystem::path& folder, const std::string& version) {
  for (const CommandWords& command : all) {
    const std::filesystem::path path = folder / (page_name(command.words) + ".1");
    std::ofstream file(path);
    write_manual(file, command, all, version);
    file.close();
    if (!file) throw Error(ErrorKind::input, "manual page \"" + path.string() + "\" can't be written");
  }
}

void manual(const CLI::App& app, const ManualArguments& arguments, const std::string& version) {
  const std::vector<CommandWords> all = words_of_commands(app);
  if (!arguments.folder.empty()) return write_all(all, arguments.folder, version);
  const std::string words = in_order(arguments.words);
  const auto found = std::ranges::find(all, words, &CommandWords::words);
  if (found == all.end()) {
    std::vector<std::string> names;
    names.reserve(all.size());
    for (const CommandWords& one : all) names.push_back(one.words);
    names.erase(names.begin());  // the program itself
    throw Error(ErrorKind::input, unknown_name("command", words, names));
  }
  write_manual(std::cout, *found, all, version);
}

}  // namespace

void add_manual(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("manual",
                                         "Prints the manual page of a command, or of the program, for man: "
                                         "lightloop manual run | man -l -");
  const auto arguments = std::make_shared<ManualArguments>();
  CLI::Option* words =
      command->add_option("COMMAND", arguments->words, "the words of a command; none: the program")->type_name("");
  command->add_option("--all", arguments->folder, "writes the pages of all commands into this folder")
      ->type_name("FOLDER")
      ->excludes(words);
  command->callback([arguments, &app, &action] {
    action = [arguments, &app](const Environment& environment) { manual(app, *arguments, environment.version); };
  });
}

}  // namespace ocs
