// Help texts in two columns.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/apps/help/help_format.hpp"

#include <sstream>

#include "testbed/apps/help/two_columns.hpp"

namespace ocs {

std::string HelpFormat::make_description(const CLI::App* app) const {
  return two_columns("", app->get_description(), 0);
}

std::string HelpFormat::make_option(const CLI::Option* option, bool is_positional) const {
  const std::string name = make_option_name(option, is_positional) + make_option_opts(option);
  return two_columns("  " + name, make_option_desc(option), get_column_width());
}

std::string HelpFormat::make_subcommand(const CLI::App* command) const {
  return two_columns("  " + command->get_display_name(true), command->get_description(), get_column_width());
}

std::string HelpFormat::make_footer(const CLI::App* app) const {
  std::istringstream paragraphs(app->get_footer());
  std::string text;
  for (std::string paragraph; std::getline(paragraphs, paragraph);) text += two_columns("", paragraph, 0);
  return text;
}

}  // namespace ocs
