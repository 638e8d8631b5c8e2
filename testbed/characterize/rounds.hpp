// Sets up circuits on a live switch and notes how long each takes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "host/core/switch.hpp"
#include "testbed/characterize/measure.hpp"

namespace ocs::characterize {

/// Rounds of permutations: output o gets input (o + shift) mod N. Each of the first three measures once.
class Rounds {
 public:
  Rounds(Switch& plane, const MeasureOptions& options);

  /// Every pair, from idle and from another circuit, `repeats` times, held against the counters of dark cycles.
  std::vector<CircuitSetUp> all();
  /// Each output from the input of its own number, while all others are idle.
  std::vector<CircuitSetUp> one_by_one();

  /// A circuit that was up before and was cut, by what its receiver remembers of it.
  struct Return {
    std::uint16_t out;
    Cycles gap;      ///< from the first cycle without it to that in which there was light again
    Cycles locking;  ///< from then on
    bool up;
  };
  /// Lights `outputs` from the inputs of their own numbers, cuts them for `wait` cycles more than a map takes, and
  /// lights them again.
  std::vector<Return> again(const std::vector<std::uint16_t>& outputs, Cycles wait);

  /// Moves one output while all others pass a word in each of the next `length` cycles, long after they were set up.
  /// @return words that each of them lost; none: a circuit never came up
  std::optional<std::vector<Words>> lost_beside(std::uint16_t moves, Words length);

 private:
  struct Output {
    Cycles light{-1}, up{-1};  ///< stamps of LOCKING and UP in this round
    bool over = false, failed = false;
  };

  std::size_t size() const { return static_cast<std::size_t>(ports_); }
  std::uint16_t count() const { return static_cast<std::uint16_t>(ports_); }
  void commit(const std::vector<Select>& change);
  void disconnect(Cycles wait);
  void wait_until(Cycles until);
  void send(std::uint16_t but, Words length);
  void connect(int shift, From from);
  void set_up(const std::vector<Select>& map);
  void on(const Event& event);
  void note(std::uint16_t o, std::uint16_t in, From from);
  void check_counter(std::size_t o, Cycles before) const;

  Switch& switch_;
  FabricClock& clock_;
  const MeasureOptions& options_;
  int ports_;
  bool reads_power_;
  std::vector<Output> outputs_;
  std::size_t waiting_ = 0;
  Cycles taken_{-1};  ///< stamp of the commit
  std::vector<Event> events_;
  std::vector<CircuitSetUp> found_;
};

}  // namespace ocs::characterize
