// links: ocs_console ocs_device
// Any lines as a session of the shell on the model: each is executed or refused in one readable sentence.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>
#include <string_view>

#include "host/core/error.hpp"
#include "host/device/model/model.hpp"
#include "testbed/console/shell.hpp"

namespace {

using namespace ocs;

constexpr int most_pauses = 4;  // a session of many long ways would last too long
constexpr std::size_t most_lines = 40;

/// What reads files is left out: no input may depend on the machine.
bool reads_files(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t\r"), line.size()));
  return line.starts_with("so") || line.starts_with("ru");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto device = make_model({.ports = 5, .fifo_depth = 4});
  std::ostringstream out;
  int pauses = 0;
  console::Shell shell({.device = *device,
                        .out = out,
                        .fresh_device = [](int, int) -> std::unique_ptr<Device> { std::abort(); },
                        .pause =
                            [&] {
                              if (++pauses > most_pauses) throw Error(ErrorKind::run, "enough");
                            }});
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  for (std::size_t n = 0; n < most_lines && !rest.empty() && pauses <= most_pauses; ++n) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    shell.completions(line.substr(0, 64));
    if (reads_files(line)) continue;
    try {
      if (!shell.execute(line)) break;
    } catch (const Error& error) {
      const std::string_view sentence = error.what();
      if (error.kind() == ErrorKind::internal || sentence.empty()) std::abort();
      if (!std::all_of(sentence.begin(), sentence.end(), [](char c) { return c >= ' ' && c <= '~'; })) std::abort();
    }
  }
  return 0;
}
