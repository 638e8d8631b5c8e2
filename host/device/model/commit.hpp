// Requests for a commit by software and by time, and the check that every map must pass (section 3).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>

#include "host/device/model/types.hpp"

namespace ocs::model {

/// Why a map is refused.
enum class Refusal : std::uint8_t { range, conflict };

/// The check of a whole map: an input at or above `ports`, or else one input on two outputs without multicast.
std::optional<Refusal> check(const Map& map, std::size_t ports, bool multicast);

/// The two sources whose map is the shadow map.
class CommitRequests {
 public:
  struct Request {
    Source source;
    bool late;
    std::uint8_t tag;
  };

  bool pending() const { return pending_; }
  bool armed() const { return armed_; }
  Cycle at() const { return at_; }

  /// COMMIT is written; `tag` is COMMIT_TAG.
  void request(std::uint8_t tag) {
    pending_ = true;
    tag_ = tag;
  }
  void hold_low(std::uint32_t word) { low_ = word; }
  std::uint32_t low() const { return low_; }
  void arm(std::uint32_t high, std::uint8_t tag);
  void cancel() { pending_ = armed_ = false; }

  /// The next cycle, possibly past, in which a request would be taken if it is alone.
  Cycle next_action(Cycle now) const;

  /// Consumes the request that is taken in cycle `c` when the sequencer has none: timed before software.
  std::optional<Request> take(Cycle c);

 private:
  bool pending_ = false, armed_ = false;
  std::uint32_t low_ = 0;  ///< written, but without effect until the high word arms
  Cycle at_ = 0;
  std::uint8_t tag_ = 0, timed_tag_ = 0;  ///< of the pending request, of the armed one
};

}  // namespace ocs::model
