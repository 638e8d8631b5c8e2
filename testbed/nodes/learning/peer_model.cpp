// The pattern as a model, and means.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/nodes/learning/peer_model.hpp"

#include <algorithm>

#include "testbed/nodes/node_job.hpp"

namespace ocs {
namespace {

class PatternPeer final : public PeerModel {
 public:
  PatternPeer(const NodeJob& job, const Pattern& pattern, Node self)
      : job_(job), pattern_(pattern), self_(self), right_(tile_elements), one_(tile_elements) {}

  void step(std::uint32_t round, std::span<float> model) override {
    make_payload({pattern_, round, Node{0}, 0}, weight_of(self_), model);
  }

  std::uint64_t averaged(std::uint32_t, std::span<const float> mean, std::span<const PeerRound> members) override {
    std::uint64_t differences = 0;
    for (std::size_t first = 0; first < mean.size(); first += tile_elements) {
      const auto part = mean.subspan(first, std::min(tile_elements, mean.size() - first));
      const auto right = std::span(right_).first(part.size()), one = std::span(one_).first(part.size());
      std::fill(right.begin(), right.end(), 0.0F);
      for (const PeerRound& member : members) {
        make_payload({pattern_, member.round, Node{0}, first}, weight_of(member.node), one);
        add_model(one, right);
      }
      divide_model(right, members.size());
      for (std::size_t k = 0; k < part.size(); ++k) differences += part[k] != right[k];
    }
    return differences;
  }

 private:
  float weight_of(Node node) const { return Pattern::weight(static_cast<std::size_t>(job_.worker_index(node))); }

  const NodeJob& job_;
  const Pattern& pattern_;
  Node self_;
  std::vector<float> right_, one_;  ///< a tile each
};

}  // namespace

std::unique_ptr<PeerModel> make_pattern_peer(const NodeJob& job, const Pattern& pattern, Node self) {
  return std::make_unique<PatternPeer>(job, pattern, self);
}

void add_model(std::span<const float> in, std::span<float> sum) {
  for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += in[k];
}

void divide_model(std::span<float> sum, std::size_t models) {
  const auto by = static_cast<float>(models);
  for (float& number : sum) number /= by;
}

}  // namespace ocs
