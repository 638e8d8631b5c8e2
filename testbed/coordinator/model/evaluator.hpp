// Real learning: puts the model together as it was after so many updates, and scores it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "host/core/message.hpp"
#include "testbed/learning/classifier.hpp"
#include "testbed/nodes/node_job.hpp"

namespace ocs {

/// A point of a curve of learning. Among peers, whose models differ: the worst of those that are scored, that is, the
/// least accuracy and the largest loss.
struct CurvePoint {
  std::uint64_t updates = 0;  ///< pushes applied so far, gradients summed by ranks; among peers: means taken by all
  Picos at{};                 ///< virtual time from which the model was this
  Score score{};              ///< on the test pictures
  friend bool operator==(const CurvePoint&, const CurvePoint&) = default;
};

/// What a job of real learning came to.
struct LearningResult {
  std::vector<CurvePoint> curve;      ///< ascending; the first one is the model that everybody starts with
  std::vector<std::int64_t> samples;  ///< of each worker, with those that were dropped
  std::uint64_t crc_errors = 0;       ///< of what servers sent to be scored
};

class Evaluator {
 public:
  /// @param job outlives it
  explicit Evaluator(const NodeJob& job);

  /// From whole updates (time and number; ascending) to what is to be scored: at the start, at the first whole update
  /// at or behind each multiple of LearningJob::every, and at the last one.
  void plan(const std::vector<std::pair<Picos, std::uint64_t>>& whole_updates);
  /// In its order; a point's number is its place.
  const std::vector<CurvePoint>& points() const { return points_; }
  /// A part of point number SnapshotFields::number. Scores the model, or a peer's, when all parts are there.
  /// Of ranks the first one's is scored, and its last one is what all others' must be.
  /// @throws Error (run) for a part that isn't one of the server's, or a rank's model that isn't the others'
  void take(Node node, const Message& snapshot);
  /// Among peers: whose models are scored, ascending. Four, evenly spread over all; all if there are fewer.
  const std::vector<Node>& replicas() const { return replicas_; }
  /// All points, scored. @throws Error (internal) if parts, or models, are missing
  LearningResult result() const;

 private:
  struct Model {
    std::vector<float> values;
    std::size_t known = 0;
  };

  const Served* layout_of(Node node) const;
  void score(std::uint32_t point, const Model& model);
  void compare(Node node, std::vector<float> model);

  const NodeJob& job_;
  std::shared_ptr<const Dataset> data_;
  Classifier classifier_;
  std::vector<CurvePoint> points_;
  std::vector<Node> replicas_;
  std::size_t scored_ = 0;  ///< models
  std::uint64_t crc_errors_ = 0;
  std::map<std::pair<std::uint32_t, Node>, Model> begun_;  ///< of a point; of peers and ranks, whose, else of nobody
  std::vector<float> last_;                                ///< of a rank: its model in the end, the first that came
  Node last_of_{};                                         ///< whose it is
  std::size_t compared_ = 0;                               ///< ranks' models in the end
};

}  // namespace ocs
