// Gradients in place of the pattern, iteration by iteration.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/collectives/collective_learning.hpp"

#include <string>
#include <utility>

#include "host/core/require.hpp"
#include "testbed/collectives/sum_order.hpp"

namespace ocs {

void place_gradient(const CollectiveSpec& spec, NodeJob& job) {
  constexpr std::int64_t parameter = sizeof(float), most_parameters = std::int64_t{1} << 26;
  Served& layout = job.servers.front();
  require(spec.payload == PayloadMode::full, "the ranks' gradients are real; payload should be full");
  require(spec.list.kind == CollectiveKind::all_reduce && adds_alike(spec.list),
          "the ranks' gradients are real; their collective should be an all_reduce that adds alike at every rank");
  require(spec.gradient.n > 0 && spec.gradient.n % parameter == 0 && spec.gradient.n / parameter <= most_parameters,
          "a rank's gradient has " + std::to_string(spec.gradient.n) +
              " bytes; it is real, so they should be a multiple of 4, from 4 to 2^28");
  require(to_words(spec.gradient, spec.word_bytes) == layout.words,
          "a rank's gradient has " + std::to_string(spec.gradient.n) + " bytes, but the blocks have " +
              std::to_string(layout.words.n) + " words of " + std::to_string(spec.word_bytes) + " bytes");
  layout.pieces = {{0, 0, static_cast<std::uint32_t>(spec.gradient.n / parameter)}};
  job.learning = spec.learning;
}

void tell_scores(Evaluator& evaluator, const NodeJob& job, const std::vector<Picos>& ends, NodeExchange& talk,
                 Picos now) {
  std::vector<std::pair<Picos, std::uint64_t>> whole;
  whole.reserve(ends.size());
  for (const Picos end : ends) whole.emplace_back(end, (whole.size() + 1) * job.workers.size());
  evaluator.plan(whole);
  const Node first = job.servers.front().node;
  const auto last = static_cast<std::uint32_t>(evaluator.points().size() - 1);
  for (const Node rank : job.workers) {
    std::vector<PastEvent> told;
    for (std::uint32_t number = rank == first ? 0 : last; number <= last; ++number) {
      const auto summed = static_cast<std::int32_t>(evaluator.points()[number].updates / job.workers.size());
      told.push_back({PastEvent::What::scored, rank, rank, number, summed});
    }
    talk.post_history(rank, told, now);
  }
  talk.take_snapshots([&evaluator](Node node, const Message& message) { evaluator.take(node, message); });
}

}  // namespace ocs
