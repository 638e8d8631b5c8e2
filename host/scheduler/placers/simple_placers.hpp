// Placers that look at neither rates nor the switch: what systems do by default, and chance.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/core/policy.hpp"

namespace ocs {

/// The first Job::servers candidates are servers, in ascending order; each block in turn goes to the one that holds the
/// fewest bytes, ties: the lowest.
class DefaultPlacer : public Placer {
 public:
  /// @throws Error (input) as check_job().
  Placement place(const Job& job) const override;
};

/// The same servers; block k goes to number k mod servers. With whole tensors that is their row.
class RoundRobinPlacer : public Placer {
 public:
  /// @throws Error (input) as check_job().
  Placement place(const Job& job) const override;
};

/// The same servers; part p of tensor t has the key 65536 t + p and goes to number djb2(key in decimal) mod servers.
/// Source: BytePS (Jiang et al., OSDI 2020), whose default hash is djb2. A server may be left without a block.
class BytepsPlacer : public Placer {
 public:
  /// @throws Error (input) as check_job().
  Placement place(const Job& job) const override;
};

/// Servers drawn from the candidates, and a server drawn for each block, all from Job::seed (splitmix64). A server may
/// be left without a block.
class RandomPlacer : public Placer {
 public:
  /// @throws Error (input) as check_job().
  Placement place(const Job& job) const override;
};

}  // namespace ocs
