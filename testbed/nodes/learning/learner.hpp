// A worker's side of real learning: it goes through its steps with what it pulls, and pushes what it has learned.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "host/transport/fields.hpp"
#include "testbed/learning/classifier.hpp"
#include "testbed/learning/shards.hpp"
#include "testbed/nodes/node_job.hpp"

namespace ocs {

/// Elements [at, at + n) of a server's layout, fp32: calls with_part(offset within them, first parameter, count) for
/// each run of parameters there; what is between is padding.
template <class F>
void for_each_piece(const Served& server, std::int64_t at, std::int64_t n, F&& with_part) {
  for (const Piece& piece : server.pieces) {
    const std::int64_t from = std::max(at, piece.at), to = std::min(at + n, piece.at + piece.count);
    if (from < to)
      with_part(static_cast<std::size_t>(from - at), static_cast<std::size_t>(piece.first + from - piece.at),
                static_cast<std::size_t>(to - from));
  }
}

/// Elements of a server's layout from `at` on, from the model: padding is 0.
void to_layout(const Served& server, std::int64_t at, std::span<const float> model, std::span<float> out);
/// The way back. @param in fp32 at any address. @returns how many parameters there were
std::size_t from_layout(const Served& server, std::int64_t at, std::span<const std::byte> in, std::span<float> model);

/// @throws Error (run) if the job's parameters aren't those of its model on these pictures
Classifier classifier_of(const NodeJob& job, const Dataset& data);
/// What the worker learns from, in its order.
Batches shard_of_worker(const NodeJob& job, Node self, const Dataset& data);

/// Its program, in its order in virtual time, says when it merged which pull, took a step on how many samples, and sent
/// which push. Nothing of it depends on when payload comes.
class Learner {
 public:
  Learner(const NodeJob& job, Node self);
  /// More of the program. Other events are left out.
  void learn(const std::vector<PastEvent>& history);
  /// The next thing of the program. @returns false: there is none now, until a pull is whole or a push has been made
  bool work();
  /// The push can be made now.
  bool has(std::uint32_t push) const { return outgoing_left_ > 0 && outgoing_ == push; }
  /// Elements of that push, from `at` on, for a server. Each one once.
  void make(const Served& server, std::int64_t at, std::span<float> out);
  void take(std::uint32_t pull, const Served& server, std::int64_t at, std::span<const std::byte> in);

 private:
  struct Pull {
    std::vector<float> model;
    std::size_t known = 0;  ///< parameters of it
  };

  const NodeJob& job_;
  Node self_;
  std::shared_ptr<const Dataset> data_;
  Classifier classifier_;
  Batches batches_;
  std::vector<PastEvent> program_;
  std::size_t at_ = 0;  ///< in it
  std::vector<float> model_, gradient_;
  std::vector<float> learned_;  ///< gradients of its steps since the last push
  std::vector<float> push_;
  std::uint32_t outgoing_ = 0;     ///< number of the push
  std::size_t outgoing_left_ = 0;  ///< parameters of it that haven't been made into payload
  std::map<std::uint32_t, Pull> pulls_;
};

}  // namespace ocs
