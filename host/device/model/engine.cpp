// The burst engine of one input (section 8).
// SPDX-License-Identifier: Apache-2.0
#include "host/device/model/engine.hpp"

namespace ocs::model {

Cycle Engine::next_action(Cycle now, bool lit) const {
  if (phase_ == Phase::off) return no_cycle;
  if (settings.external) return now;
  if (phase_ == Phase::gap) return gap_ends_;
  if (!open(lit) || rate() == 0) return no_cycle;
  const std::uint64_t needed = std::uint64_t{left_} * full_rate - acc_;  // at least 1: acc < D
  return later(now, (needed + rate() - 1) / rate() - 1);
}

Engine::Offer Engine::send(Cycle k) {
  // k cycles never offer more than the words that are left, so k * rate stays below 2^32 * D.
  const std::uint64_t sum = acc_ + k * rate();
  const Offer offered{sum / full_rate, index_, burst_.tag};
  acc_ = static_cast<std::uint32_t>(sum % full_rate);
  index_ += static_cast<std::uint32_t>(offered.count);
  left_ -= static_cast<std::uint32_t>(offered.count);
  return offered;
}

void Engine::begin_words(Cycle c) {
  left_ = burst_.length;
  phase_ = burst_.gap > 0 ? Phase::gap : Phase::send;
  gap_ends_ = c + burst_.gap;
}

void Engine::launch(Cycle c) {
  burst_ = settings;
  index_ = 0;
  acc_ = 0;
  repeats_ = burst_.repeat;
  if (burst_.length == 0)
    phase_ = Phase::off;
  else
    begin_words(c);
}

/// @return true when the burst is over.
bool Engine::finish(Cycle c) {
  if (phase_ == Phase::gap && gap_ends_ == c) {
    phase_ = Phase::send;
    return false;
  }
  if (phase_ != Phase::send || left_ > 0) return false;
  if (repeats_ > 0) {
    --repeats_;
    begin_words(c);
    return false;
  }
  phase_ = Phase::off;
  return true;
}

Engine::Outcome Engine::work(Cycle c, bool stop, bool start) {
  Outcome outcome;
  outcome.done = outcome.finished = finish(c);
  if ((stop || settings.external) && phase_ != Phase::off) {
    phase_ = Phase::off;
    outcome.done = true;
  }
  if (start && !settings.external) {
    launch(c);
    outcome.started = true;
    outcome.finished = false;
    outcome.done = phase_ == Phase::off;  // LEN = 0; a burst that is restarted has no DONE of its own
  }
  return outcome;
}

}  // namespace ocs::model
