// links: ocs_control_plane_net
// Reads any text as what a switch answers a client: every circuit is one of the switch's, and a refusal is one
// sentence.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "host/control_plane/net/scpi_answers.hpp"
#include "host/core/error.hpp"

namespace {

template <class Read>
void understood_or_refused(const Read& read) {
  try {
    read();
  } catch (const ocs::Error& error) {
    const std::string_view sentence = error.what();
    if (error.exit_code() != 1) std::abort();
    if (!std::all_of(sentence.begin(), sentence.end(), [](char c) { return c >= ' ' && c <= '~'; })) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view answer(reinterpret_cast<const char*>(data), size);
  for (const int ports : {1, 16, ocs::serve::most_ports_of_an_answer})
    understood_or_refused([&] {
      for (const ocs::serve::CrossConnect& circuit : ocs::serve::circuits_in(answer, ports))
        if (index(circuit.in) >= ports || index(circuit.out) >= ports) std::abort();
    });
  understood_or_refused([&] {
    const int ports = ocs::serve::ports_in(answer);
    if (ports < 1 || ports > ocs::serve::most_ports_of_an_answer) std::abort();
  });
  understood_or_refused([&] {
    if (ocs::serve::states_in(answer, 2).size() != 2) std::abort();
  });
  return 0;
}
