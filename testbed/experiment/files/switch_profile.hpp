// A published or measured optical switch: what it needs to set up each pair of ports. Format: host/switches/README.md.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/core/ids.hpp"
#include "host/core/units.hpp"
#include "testbed/experiment/fit/fit.hpp"

namespace ocs {

/// Times as stated, in ps; a device rounds each up to its cycles.
struct SwitchProfile {
  std::string name, summary;
  std::vector<std::string> sources;        ///< of what is published
  std::string published, assumed;          ///< what each number rests on, in words
  int ports = 0;                           ///< 2 to 256; fewer may be used: the first ones
  std::optional<Picos> control_latency;    ///< from a decision to its effect at the switch
  std::vector<Picos> tuning;               ///< one: of every pair; else ports * ports, at in * ports + out
  std::vector<Picos> locking;              ///< one: of every output; else of each
  Picos program_time;                      ///< serial programming: of each further group of mirrors; 0: all at once
  int program_lanes = 1;                   ///< mirrors of a group
  std::string receivers_text;              ///< what receivers take to lock beyond that, as in fabric.receivers
  std::optional<ReceiverTimes> receivers;  ///< the same; none: nothing
  std::string neighbours_text;             ///< what mirrors that move do to others, as in fabric.neighbours
  NeighbourTimes neighbours;               ///< the same
  std::string light_text;                  ///< the light at outputs, as in fabric.light, and which levels lists say
  std::optional<LightLevels> light;        ///< the same, with levels of `ports` ports; none: light has no level
  std::optional<Picos> at_most;            ///< of tuning + locking, of any pair, as its maker or its users state it
  std::map<std::string, double> optics;    ///< what [optics] states of the power budget, by its keys; dB, dBm
  std::string hash;                        ///< of the text it was read from

  Picos tuning_of(Input in, Output out) const;
  Picos locking_of(Output out) const;
  /// The longest that a receiver of this output may take.
  Picos longest_locking_of(Output out) const { return locking_of(out) + (receivers ? receivers->longest() : Picos{0}); }
};

/// @param name what it is called; @param origin file name for messages.
/// @throws Error (input) that names file, key and what would be right.
SwitchProfile parse_switch_profile(std::string_view text, std::string_view name, std::string_view origin);

/// A preset of `folder`, or "file:PATH", relative to `base`. @throws Error (input), also for an unknown name.
SwitchProfile load_switch_profile(std::string_view name, const std::filesystem::path& folder,
                                  const std::filesystem::path& base);

/// Presets there are, sorted. @throws Error (input): the folder can't be read.
std::vector<std::string> switch_names(const std::filesystem::path& folder);

/// Makes the fabric have the switch's delays between its `ports`. Delays are in ps; fit_fabric() makes cycles of them.
/// @throws Error (input): the switch has fewer ports.
void use_switch(FabricSettings& fabric, const SwitchProfile& profile, const Origins& origins);

}  // namespace ocs
