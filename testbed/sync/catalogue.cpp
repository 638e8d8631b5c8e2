// The synchronisation schemes that there are: one line each.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/sync/catalogue.hpp"

#include "testbed/sync/bsp.hpp"

namespace ocs {
namespace {

constexpr SyncEntry entries[] = {
    {"bsp_phase", "bulk synchronous: push, barrier, pull; computing starts after the last pull",
     ComputeStart::after_last_pull, make_bsp},
};

}  // namespace

std::span<const SyncEntry> sync_schemes() { return entries; }

}  // namespace ocs
