// Asks the terminal.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/apps/run/terminal_style.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <string_view>

namespace ocs {
namespace {

constexpr int usual_width = 100, most = 1000;

int width_of_environment() {
  const char* columns = std::getenv("COLUMNS");
  const std::string_view text = columns == nullptr ? "" : columns;
  int width = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), width);
  return failure == std::errc{} && end == text.data() + text.size() && width > 0 && width <= most ? width : usual_width;
}

}  // namespace

TextStyle terminal_style() {
  winsize size{};
  if (isatty(STDOUT_FILENO) == 0) return {.width = width_of_environment(), .colour = false};
  const bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  const char* no_colour = std::getenv("NO_COLOR");
  return {.width = known ? size.ws_col : width_of_environment(), .colour = no_colour == nullptr || *no_colour == '\0'};
}

}  // namespace ocs
