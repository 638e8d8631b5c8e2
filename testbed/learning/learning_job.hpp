// What a job of real learning learns from, and how: what every node of it knows.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "testbed/learning/classifier.hpp"
#include "testbed/learning/dataset.hpp"
#include "testbed/learning/shards.hpp"

namespace ocs {

/// One push of worker w changes the model by -(rate / divisor) (samples / batch) g, g the mean
/// gradient over its samples (or the sum of those of its local steps); the divisor is the number of
/// workers, or of the members of a round.
struct LearningJob {
  std::string folder;  ///< of the data set, on each host
  ModelKind model = ModelKind::softmax;
  ShardKind shards = ShardKind::iid;
  std::uint32_t rate_num = 1, rate_den = 2;  ///< each at least 1
  std::uint32_t batch = 32;                  ///< samples of a push at the start, at least 1
  std::uint64_t every = 0;                   ///< updates between two evaluations; 0: five rounds of all workers
  std::shared_ptr<const Dataset> loaded{};   ///< in this process; not sent: who has none reads the folder

  /// Updates between two evaluations.
  std::uint64_t spacing(std::size_t workers) const {
    constexpr std::uint64_t usual_rounds = 5;
    return every > 0 ? every : usual_rounds * workers;
  }
  friend bool operator==(const LearningJob&, const LearningJob&) = default;
  double rate() const { return static_cast<double>(rate_num) / static_cast<double>(rate_den); }
};

/// What is loaded, or else what the folder holds. @throws Error (input) as load_dataset()
inline std::shared_ptr<const Dataset> dataset_of(const LearningJob& job) {
  return job.loaded ? job.loaded : std::make_shared<const Dataset>(load_dataset(job.folder));
}

}  // namespace ocs
