// lightloop completion: what bash, zsh and fish offer behind the tab key.
// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <memory>
#include <string_view>

#include "host/core/error.hpp"
#include "host/core/shell_word.hpp"
#include "testbed/apps/commands.hpp"
#include "testbed/apps/help/command_words.hpp"
#include "testbed/apps/run/unknown_name.hpp"

namespace ocs {
namespace {

using AllCommands = std::vector<CommandWords>;

/// A command that prints the names that can follow an option.
std::string names_from(const ValueWords& value) {
  return "lightloop list " + value.list + " 2>/dev/null | sed -n 's/^\\([^ ]\\{1,\\}\\).*/\\1/p'";
}

/// The patterns of a shell's case: "run --db"|"run --json"
std::string patterns(const CommandWords& command, const OptionWords& option) {
  std::string out;
  for (const std::string& name : option.names) out += (out.empty() ? "\"" : "|\"") + command.words + " " + name + "\"";
  return out;
}

/// Sets $command to the words of the command that the words before the cursor name: bash and zsh.
void print_command_search(const AllCommands& all, const char* words) {
  std::cout << "  local command= word\n  for word in " << words << "; do\n    case \"$command $word\" in\n";
  for (const CommandWords& command : all) {
    if (command.words.empty()) continue;
    const std::size_t last = command.words.rfind(' ');
    const std::string before = last == std::string::npos ? "" : command.words.substr(0, last);
    const std::string word = last == std::string::npos ? command.words : command.words.substr(last + 1);
    std::cout << "      \"" << before << ' ' << word << "\") command=\"" << command.words << "\" ;;\n";
  }
  std::cout << "    esac\n  done\n";
}

/// A case for each option that takes a value. @param offers what the shell does to offer values
void print_value_cases(const AllCommands& all, std::string (*offers)(const ValueWords&)) {
  for (const CommandWords& command : all)
    for (const OptionWords& option : command.options)
      if (!option.argument && option.takes_value)
        std::cout << "    " << patterns(command, option) << ") " << offers(option.value) << " ;;\n";
}

std::string bash_offers(const ValueWords& value) {
  if (!value.choices.empty()) return "offered=" + shell_word(in_order(value.choices));
  if (!value.list.empty()) return "offered=$(" + names_from(value) + ")";
  return "mapfile -t COMPREPLY < <(compgen -f -- \"$current\"); return";
}

std::string zsh_offers(const ValueWords& value) {
  if (!value.choices.empty()) return "compadd -- " + in_order(value.choices) + "; return";
  if (!value.list.empty()) return "compadd -- ${(f)\"$(" + names_from(value) + ")\"}; return";
  return "_files; return";
}

void print_bash(const AllCommands& all) {
  std::cout << "# Completion of lightloop for bash; written by `lightloop completion bash`.\n_lightloop() {\n"
               "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} offered=\n";
  print_command_search(all, "\"${COMP_WORDS[@]:1:COMP_CWORD-1}\"");
  std::cout << "  COMPREPLY=()\n  case \"$command $previous\" in\n";
  print_value_cases(all, bash_offers);
  std::cout << "    *)\n      case \"$command\" in\n";
  for (const CommandWords& command : all) {
    std::string lists;
    std::vector<std::string> words = command.subcommands;
    for (const OptionWords& option : command.options) {
      if (!option.argument) words.insert(words.end(), option.names.begin(), option.names.end());
      if (option.argument && !option.value.list.empty()) lists += "\" $(" + names_from(option.value) + ")\"";
    }
    std::cout << "        \"" << command.words << "\") offered=" << shell_word(in_order(words)) << lists << " ;;\n";
  }
  std::cout << "      esac\n      mapfile -t COMPREPLY < <(compgen -f -- \"$current\") ;;\n  esac\n"
               "  local -a named\n  mapfile -t named < <(compgen -W \"$offered\" -- \"$current\")\n"
               "  COMPREPLY=(\"${named[@]}\" \"${COMPREPLY[@]}\")\n}\n"
               "complete -o filenames -F _lightloop lightloop\n";
}

/// A word with its meaning, as _describe takes it.
std::string zsh_entry(const std::string& word, const std::string& meaning) {
  return " " + shell_word(word + ":" + first_sentence(meaning));
}

void print_zsh(const AllCommands& all) {
  std::cout << "#compdef lightloop\n# Completion of lightloop for zsh; written by `lightloop completion zsh`.\n"
               "_lightloop() {\n  local -a offered\n";
  print_command_search(all, "\"${(@)words[2,CURRENT-1]}\"");
  std::cout << "  case \"$command ${words[CURRENT-1]}\" in\n";
  print_value_cases(all, zsh_offers);
  std::cout << "  esac\n  case \"$command\" in\n";
  for (const CommandWords& command : all) {
    std::cout << "    \"" << command.words << "\") offered=(";
    for (const std::string& sub : command.subcommands)
      std::cout << zsh_entry(sub, command_below(all, command, sub).description);
    for (const OptionWords& option : command.options)
      for (const std::string& name : option.names)
        if (!option.argument) std::cout << zsh_entry(name, option.meaning);
    std::cout << ")";
    for (const OptionWords& option : command.options)
      if (option.argument && !option.value.list.empty())
        std::cout << "; compadd -- ${(f)\"$(" << names_from(option.value) << ")\"}";
    std::cout << " ;;\n";
  }
  std::cout << "  esac\n  _describe lightloop offered\n  _files\n}\n"
               "[[ $funcstack[1] != _lightloop ]] || _lightloop \"$@\"\n";
}

/// What fish offers behind an option or as an argument.
std::string fish_values(const ValueWords& value) {
  if (!value.choices.empty()) return " -x -a " + shell_word(in_order(value.choices));
  if (!value.list.empty()) return " -r -a " + shell_word("(" + names_from(value) + ")");
  return " -r";
}

void print_fish_option(const std::string& head, const OptionWords& option) {
  if (option.argument) {
    if (!option.value.list.empty()) std::cout << head << fish_values(option.value) << '\n';
    return;
  }
  std::cout << head;
  for (const std::string& name : option.names)
    std::cout << (name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1));
  std::cout << " -d " << shell_word(first_sentence(option.meaning))
            << (option.takes_value ? fish_values(option.value) : "") << '\n';
}

void print_fish(const AllCommands& all) {
  std::cout << "# Completion of lightloop for fish; written by `lightloop completion fish`.\n"
               "function __lightloop_at\n  set -l command ''\n  for word in (commandline -opc)[2..-1]\n"
               "    switch \"$command $word\"\n";
  for (const CommandWords& command : all) {
    if (command.words.empty()) continue;
    const bool below = command.words.find(' ') != std::string::npos;
    std::cout << "      case " << shell_word(below ? command.words : " " + command.words) << "\n        set command "
              << shell_word(command.words) << '\n';
  }
  std::cout << "    end\n  end\n  test \"$command\" = \"$argv[1]\"\nend\n";
  for (const CommandWords& command : all) {
    const std::string head = "complete -c lightloop -n " + shell_word("__lightloop_at \"" + command.words + "\"");
    for (const std::string& sub : command.subcommands)
      std::cout << head << " -f -a " << sub << " -d "
                << shell_word(first_sentence(command_below(all, command, sub).description)) << '\n';
    for (const OptionWords& option : command.options) print_fish_option(head, option);
  }
}

void complete_for(const CLI::App& app, const std::string& shell) {
  const AllCommands all = words_of_commands(app);
  if (shell == "bash")
    print_bash(all);
  else if (shell == "zsh")
    print_zsh(all);
  else if (shell == "fish")
    print_fish(all);
  else
    throw Error(ErrorKind::input, unknown_name("shell", shell, std::vector<std::string>{"bash", "zsh", "fish"}));
}

}  // namespace

void add_completion(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "completion", "Prints the completions of a shell: source <(lightloop completion bash). A package installs them.");
  const auto shell = std::make_shared<std::string>();
  command->add_option("SHELL", *shell, "bash, zsh or fish")->type_name("TEXT:{bash,zsh,fish}")->required();
  command->callback(
      [shell, &app, &action] { action = [shell, &app](const Environment&) { complete_for(app, *shell); }; });
}

}  // namespace ocs
