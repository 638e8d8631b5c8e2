// One line a policy.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/selection/catalogue.hpp"

#include "testbed/selection/policies.hpp"

namespace ocs {
namespace {

template <class T>
std::unique_ptr<ReceiverSelection> plain() {
  return std::make_unique<T>();
}

}  // namespace

std::span<const SelectionEntry> receiver_selections() {
  static const SelectionEntry entries[] = {
      {"selmcast", "SELMCAST for rounds: p receivers each, and whatever else costs no time", false, plain<SelmcastBsp>},
      {"selmcast_ssp", "SELMCAST whenever a worker is ready: what is on its way may be aborted", true,
       plain<SelmcastSsp>},
      {"random", "exactly p receivers each, drawn from the seed", false, plain<RandomReceivers>, true},
      {"mesh", "all others", false, plain<FullMesh>},
  };
  return entries;
}

const SelectionEntry& find_selection(std::string_view name) { return find(receiver_selections(), name, "selection"); }

}  // namespace ocs
