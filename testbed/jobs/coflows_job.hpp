// All that arrives over time, as one job of the engine: coflows of a trace, or jobs that synchronise again and again.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <span>
#include <vector>

#include "testbed/engine/running_job.hpp"
#include "testbed/jobs/carry.hpp"

namespace ocs {

/// Its coflows are numbered from 1 on as they become known, not as they are released: so ties between coflows go to who
/// was known first. Each transfer has its work for its owner.
class CoflowsJob final : public RunningJob {
 public:
  /// @param works by arrival; they and `result` outlive the job. @param word_bytes, cycle of the network
  CoflowsJob(std::span<const Work> works, Picos cycle, std::int64_t word_bytes, JobActions& actions, Carriage& result);

  void begin() override;
  void on(Delivery delivery) override;
  void on(const Stamped& said) override;
  Picos next() const override;
  /// Once all is in that ends at an instant, what it sets off is released, in the order of the coflows.
  bool wake() override;
  bool is_over() const override { return over_ == works_.size(); }
  void finish() override {}
  NodeExchange* nodes() override { return nullptr; }
  double fraction() const override;
  std::string waits_for() const override { return "the switch"; }
  std::string states() const override;

 private:
  struct Due {
    Id coflow;
    std::uint32_t work, round;
  };
  struct Open {
    CoflowTime time;
    std::size_t left = 0;  ///< transfers
  };
  struct Part {
    Id coflow;
    Words missing;
  };
  void begin_round(std::uint32_t work, std::uint32_t round, Cycles at);
  void release(Cycles at, const Due& due);

  std::span<const Work> works_;
  Picos cycle_;
  std::int64_t word_bytes_;
  JobActions& actions_;
  Carriage& result_;
  std::multimap<Cycles, Due> pending_;  ///< by release
  std::map<Id, Open> open_;             ///< coflows
  std::map<Id, Part> parts_;            ///< transfers under way
  std::vector<Id> ended_;               ///< coflows, at the present instant
  std::uint32_t last_coflow_ = 0;
  std::size_t over_ = 0;
};

}  // namespace ocs
