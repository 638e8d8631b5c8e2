// What characterizing finds: how long each circuit took to be set up.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "host/core/units.hpp"
#include "testbed/experiment/experiment.hpp"

namespace ocs::characterize {

/// What the output did before.
enum class From : std::uint8_t { idle, circuit, unknown };

/// One circuit, once.
struct CircuitSetUp {
  std::uint16_t out = 0;
  std::optional<std::uint16_t> in;  ///< none: the log doesn't say
  From from = From::unknown;
  Picos at;               ///< when the output went dark, or when it was told
  Picos tuning, locking;  ///< dark; light but not usable. When it never came up: how long it has been waited for
  bool up = true;
  std::optional<int> power = {};  ///< hundredths of a dBm when it was up; none: no light, or the switch reads no power

  Picos together() const { return tuning + locking; }
};

/// Circuits that are set up at once take longer than one alone, because their mirrors are programmed in turn.
struct Programming {
  Picos time;     ///< of each further group; 0: the differences are not those of groups
  int lanes = 1;  ///< mirrors of a group
  Picos longest;  ///< of any output

  /// What output `out` waits for when all outputs change.
  Picos wait_of(std::uint16_t out) const { return time * (out / lanes); }
};

/// @param waits what each output takes longer when all change at once than when it changes alone
/// @return none: nothing
std::optional<Programming> programming_of(const std::vector<Picos>& waits);

/// Receivers that lock by what they last received.
struct MeasuredReceivers {
  ReceiverTimes times;         ///< beyond `locking`; each list has 16 times, or as few of them as say the same
  std::vector<Picos> locking;  ///< of each output the least that was seen
};

/// Mirrors that disturb others when they move.
struct MeasuredNeighbours {
  NeighbourTimes times;  ///< the longest disturbance of any output at any of these distances; distances 0: none
  bool alike = true;     ///< each mirror disturbs all outputs at these distances for so long
};

/// @param distances of outputs, and how many words in a row, of one a cycle, each lost
MeasuredNeighbours neighbours_of(const std::vector<std::pair<int, Picos>>& distances);

/// The sixteen quantiles of a sample: the points of rank 1/32, 3/32 ... 31/32; as few as say the same.
/// @param sample not empty, in any order
std::vector<Picos> quantiles_of(std::vector<Picos> sample);

struct Findings {
  std::string subject;  ///< "verilated", or a file
  int ports = 0;
  Picos cycle;  ///< resolution: a part of n cycles took more than n - 1 and at most n; 0: exact
  std::vector<CircuitSetUp> set_ups;
  std::optional<Programming> programming = {};        ///< none: no difference was found, or none was looked for
  std::optional<MeasuredReceivers> receivers = {};    ///< none: each output always locks alike, or none was looked for
  std::optional<MeasuredNeighbours> neighbours = {};  ///< none: none was looked for
};

/// "output 3 from input 5, from idle"
std::string name_of(const CircuitSetUp& set_up);
std::string name_of(From from);

}  // namespace ocs::characterize
