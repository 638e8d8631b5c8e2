// Coflows over several planes: each plane plans its own share.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "host/controller/plane_split.hpp"
#include "testbed/jobs/carry.hpp"

namespace ocs {

/// A coflow is split when it is released; it ends when its last share does. All planes are at the same cycle whenever
/// this returns.
class PlanesCarrier final : public CoflowCarrier {
 public:
  /// @param sessions one a plane. @param settled called when all planes are at one cycle; may be left out.
  PlanesCarrier(std::vector<std::unique_ptr<CoflowSession>> sessions, PlaneSplit split,
                std::function<void()> settled = {});

  void release(Coflow coflow) override;
  Cycles next() const override;
  Cycles advance(Cycles limit, std::vector<CoflowEnd>& ended) override;

  const std::vector<std::unique_ptr<CoflowSession>>& sessions() const { return sessions_; }

 private:
  struct Open {
    std::vector<std::vector<CoflowPart>> shares;  ///< of each plane
    std::size_t left = 0;                         ///< planes that still carry
    Cycles last{0};
  };
  void hand_out();

  std::vector<std::unique_ptr<CoflowSession>> sessions_;
  PlaneSplit split_;
  std::function<void()> settled_;
  std::deque<Coflow> pending_;  ///< by release
  std::map<Id, Open> open_;
  Cycles now_{0};
};

}  // namespace ocs
