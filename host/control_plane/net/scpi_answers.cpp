// Numbers and words within an answer, and whether they can be meant.
// SPDX-License-Identifier: Apache-2.0
#include "host/control_plane/net/scpi_answers.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "host/control_plane/quoted.hpp"
#include "host/core/error.hpp"

namespace ocs::serve {
namespace {

/// Numbers within `text`, in their order.
std::vector<int> numbers_in(std::string_view text) {
  std::vector<int> numbers;
  for (std::size_t k = 0; k < text.size();) {
    int number = 0;
    const auto [end, failed] = std::from_chars(text.data() + k, text.data() + text.size(), number);
    if (failed == std::errc{}) numbers.push_back(number);
    k = std::max(k + 1, static_cast<std::size_t>(end - text.data()));
  }
  return numbers;
}

}  // namespace

int ports_in(std::string_view answer) {
  const std::vector<int> sides = numbers_in(answer);
  if (sides.size() != 2 || sides[0] != sides[1] || sides[0] < 1 || sides[0] > most_ports_of_an_answer)
    throw Error(ErrorKind::run, "it must be a switch with as many inputs as outputs, at most " +
                                    std::to_string(most_ports_of_an_answer) + ", but its size is " + shown(answer));
  return sides[0];
}

std::vector<CrossConnect> circuits_in(std::string_view answer, int ports) {
  const std::size_t cut = answer.find("),");
  std::vector<int> from, to;
  if (cut != std::string_view::npos) {
    from = numbers_in(answer.substr(0, cut));
    to = numbers_in(answer.substr(cut));
  }
  const auto within = [&](const std::vector<int>& all, int least) {
    return std::all_of(all.begin(), all.end(), [&](int port) { return port >= least && port < least + ports; });
  };
  if (cut == std::string_view::npos || from.size() != to.size() || !within(from, 1) || !within(to, ports + 1))
    throw Error(ErrorKind::run, "it reports circuits in a form that is not understood: " + shown(answer));
  std::vector<CrossConnect> all;
  all.reserve(from.size());
  for (std::size_t k = 0; k < from.size(); ++k)
    all.push_back(
        {Input{static_cast<std::uint16_t>(from[k] - 1)}, Output{static_cast<std::uint16_t>(to[k] - ports - 1)}});
  std::sort(all.begin(), all.end());
  return all;
}

std::vector<std::string> states_in(std::string_view answer, std::size_t count) {
  std::vector<std::string> states;
  std::string word;
  const auto end_word = [&] {
    if (!word.empty()) states.push_back(std::exchange(word, {}));
  };
  for (const char letter : answer) {
    if (letter >= 'A' && letter <= 'Z')
      word += letter;
    else
      end_word();
  }
  end_word();
  if (states.size() != count)
    throw Error(ErrorKind::run, "it does not report the states of its ports: " + shown(answer));
  return states;
}

}  // namespace ocs::serve
