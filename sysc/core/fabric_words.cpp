// Words, counters, segments and burst engines: sections 7 and 8 of the contract.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "sysc/core/fabric.hpp"

namespace ocs::sysc {
namespace {

constexpr std::uint32_t full_rate = 40000;  // D

std::uint32_t rate_of(const Engine& engine) { return std::min<std::uint32_t>(engine.rate, full_rate); }

}  // namespace

/// Counts the words of all cycles below `until`. Nothing that decides about words has changed since the last time.
void Fabric::count_words_until(std::size_t i, Cycle until) {
  Engine& engine = engines_[i];
  if (engine.settled >= until) return;
  const Cycle cycles = until - engine.settled;
  engine.settled = until;
  if (engine.phase != Phase::send || !engine.open || rate_of(engine) == 0) return;
  const std::uint64_t sum = engine.acc + cycles * rate_of(engine);
  engine.acc = static_cast<std::uint32_t>(sum % full_rate);
  pass(engine, sum / full_rate, true);
}

void Fabric::pass(Engine& engine, std::uint64_t words, bool of_engine) {
  if (words == 0) return;
  engine.sent += words;
  if (engine.fan.empty()) engine.unrouted += words;
  for (const Port o : engine.fan) {
    Output& out = outputs_[o];
    if (out.state != State::up || out.disturbed || out.dim) {
      out.lost += words;
      continue;
    }
    out.passed += words;
    if (!of_engine) continue;
    if (out.run_count == 0) out.run_first = engine.index;
    out.run_count += words;
  }
  for (const Port o : engine.strays)
    if (light(o, static_cast<Port>(&engine - engines_.data()))) outputs_[o].misrouted += words;
  if (!of_engine) return;
  engine.index += static_cast<std::uint32_t>(words);
  engine.left -= static_cast<std::uint32_t>(words);
}

/// A word on the pin of an EXTERNAL input in the present cycle; one of the engine in the same cycle is that word.
void Fabric::offer_pin(std::size_t i) {
  Engine& engine = engines_[i];
  engine.pin = false;
  if (!engine.external) return;
  count_words_until(i, time_);
  const std::uint64_t before = engine.sent;
  count_words_until(i, time_ + 1);
  if (engine.sent == before) pass(engine, 1, false);
}

std::vector<Port> Fabric::passing(std::size_t i) const {
  std::vector<Port> out;
  for (const Port o : engines_[i].fan)
    if (outputs_[o].state == State::up && !outputs_[o].disturbed && !outputs_[o].dim) out.push_back(o);
  std::sort(out.begin(), out.end());
  return out;
}

void Fabric::end_segment(std::size_t o) {
  Output& out = outputs_[o];
  const auto count = static_cast<std::uint32_t>(out.run_count);
  out.run_count = 0;
  if (count == 0) return;
  out.segment = {out.selected.input, engines_[out.selected.input].now.tag, out.run_first, count};
  if (out.segment_full) error |= error_bit::seg_overrun;
  if (!whole_[out.selected.input]) out.segment_full = true;
}

/// Section 8: bursts that end with a word of this cycle, of which every output that selects their input passed all words.
void Fabric::find_whole_bursts() {
  whole_.assign(ports(), false);
  if (!brief) return;
  const auto passed = [this](Port o) {
    const Output& out = outputs_[o];
    return out.state == State::up && static_cast<std::uint32_t>(out.run_count) != 0 && out.run_first == 0;
  };
  for (std::size_t i = 0; i < ports(); ++i) {
    const Engine& engine = engines_[i];
    if (engine.phase != Phase::send) continue;
    count_words_until(i, time_ + 1);
    const bool restarts = (engine.start || launch_[i]) && !engine.external;
    whole_[i] = engine.left == 0 && engine.repeats_left == 0 && !restarts && !engine.fan.empty() &&
                std::all_of(engine.fan.begin(), engine.fan.end(), passed);
  }
}

void Fabric::end_segments_of(std::size_t i) {
  for (const Port o : engines_[i].fan) end_segment(o);
}

/// The gate, by the states that hold from the next cycle on; the words up to then are counted.
void Fabric::reopen(std::size_t i) {
  Engine& engine = engines_[i];
  const auto up = [this](Port o) { return outputs_[o].state == State::up; };
  engine.open = !engine.now.gated || (!engine.fan.empty() && std::all_of(engine.fan.begin(), engine.fan.end(), up));
  plan_engine(i);
}

/// When the engine acts next, if nothing changes; its words are counted up to `settled`.
void Fabric::plan_engine(std::size_t i) {
  const Engine& engine = engines_[i];
  Cycle at = no_cycle;
  if (engine.phase == Phase::gap) at = engine.gap_end;
  if (engine.phase == Phase::send && engine.left == 0) {
    at = time_;  // its last word is of the cycle that is being executed
  } else if (engine.phase == Phase::send && engine.open && rate_of(engine) > 0) {
    const std::uint64_t missing = std::uint64_t{engine.left} * full_rate - engine.acc;
    at = engine.settled + (missing + rate_of(engine) - 1) / rate_of(engine) - 1;
  }
  due_.set(engine_slot(i), at);
}

void Fabric::set_rate(std::size_t i, std::uint16_t rate) {
  count_words_until(i, time_);
  engines_[i].rate = rate;
  plan_engine(i);
}

/// A burst, or one more of its repeats, from the next cycle on.
void Fabric::begin_loop(Engine& engine) {
  engine.left = engine.now.len;
  engine.phase = engine.now.gap > 0 ? Phase::gap : Phase::send;
  engine.gap_end = time_ + engine.now.gap;
}

void Fabric::engines() {
  for (std::size_t i = 0; i < ports(); ++i) {
    const Engine& engine = engines_[i];
    if (engine.start || engine.stop || launch_[i] || engine.external || due_.of(engine_slot(i)) == time_)
      end_engine_cycle(i);
  }
}

void Fabric::end_engine_cycle(std::size_t i) {
  Engine& engine = engines_[i];
  count_words_until(i, time_ + 1);
  bool done = false;
  if (engine.phase == Phase::gap && engine.gap_end == time_) {
    engine.phase = Phase::send;
  } else if (engine.phase == Phase::send && engine.left == 0) {
    done = engine.repeats_left == 0;
    if (!done) {
      --engine.repeats_left;
      begin_loop(engine);
    }
  }
  if ((engine.stop || engine.external) && engine.phase != Phase::off) done = true;
  if (done) {
    end_segments_of(i);
    engine.phase = Phase::off;
  }
  if ((engine.start || launch_[i]) && !engine.external) {
    end_segments_of(i);
    engine.now = engine.set;
    engine.acc = engine.index = 0;
    engine.repeats_left = engine.now.repeat;
    done = engine.now.len == 0;
    engine.phase = Phase::off;
    if (!done) begin_loop(engine);
  }
  engine.start = engine.stop = launch_[i] = false;
  if (done) done_.push_back(static_cast<Port>(i));
  reopen(i);
}

}  // namespace ocs::sysc
