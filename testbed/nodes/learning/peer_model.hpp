// What a peer trains, and how models are averaged: the one thing about peers that depends on what a model means.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "host/core/ids.hpp"
#include "host/transport/fields.hpp"
#include "testbed/nodes/memory/payload_math.hpp"

namespace ocs {

struct NodeJob;

/// A peer's model is fp32 numbers in whole words. First begin(), then for each round step() and averaged().
class PeerModel {
 public:
  virtual ~PeerModel() = default;
  /// The model before the first round; all 0 unless this changes it.
  virtual void begin(std::span<float>) {}
  /// Trains: `model` is the mean of the round before, and becomes what is sent in `round`.
  virtual void step(std::uint32_t round, std::span<float> model) = 0;
  /// Looks at the mean of `members`' models: this peer's own and others', ascending by node, added in that order.
  /// @returns how many numbers aren't what they should be
  virtual std::uint64_t averaged(std::uint32_t round, std::span<const float> mean,
                                 std::span<const PeerRound> members) = 0;
};

/// The model of peer number w is the pattern of the round times Pattern::weight(w), whatever the mean was. Sums of
/// these are exact in fp32 and a mean is rounded once, so that every number is compared.
std::unique_ptr<PeerModel> make_pattern_peer(const NodeJob& job, const Pattern& pattern, Node self);

/// Who makes the model of a peer; none: make_learning_peer() in real learning, else make_pattern_peer().
using MakePeerModel = std::function<std::unique_ptr<PeerModel>(Node self)>;

/// sum += in: one addition a number, in the order of the calls. Sizes are equal.
void add_model(std::span<const float> in, std::span<float> sum);
/// Each number by `models`, rounded once.
void divide_model(std::span<float> sum, std::size_t models);

}  // namespace ocs
