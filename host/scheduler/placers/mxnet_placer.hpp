// The default allocation: the first nodes are the servers, MXNet's rule says who holds what.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/core/policy.hpp"

namespace ocs {

/// The first Job::servers candidates become servers; server j of the block rule (mxnet_blocks.hpp) is the j-th of them
/// in ascending order. Job::blocks are those of mxnet_blocks(), whole. A server may be left without a block.
class MxnetPlacer : public Placer {
 public:
  /// @throws Error (input) as check_job() and mxnet_servers().
  Placement place(const Job& job) const override;
};

}  // namespace ocs
