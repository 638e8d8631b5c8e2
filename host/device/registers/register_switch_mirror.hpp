// What the driver knows of the switch: kept up to date from its events, checked against its counters.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "firmware/ocs_dev.h"
#include "host/core/switch.hpp"
#include "host/core/word_digest.hpp"
#include "host/device/registers/register_switch_bus.hpp"

namespace ocs {

/// What is known of an output. Counters are the low halves of the hardware's: differences are exact below 2^32.
struct OutputMirror {
  std::uint16_t shadow = OCS_DARK;  ///< selection after the last accepted commit, as in the shadow map
  std::uint16_t active = OCS_DARK;  ///< selection in force, as far as events have been read
  Cycles since{-1};                 ///< cycle in which `active` was taken
  std::uint8_t state = OCS_IDLE;
  bool settled = true;                          ///< no word has come by since passed and lost were read
  std::uint32_t passed = 0, lost = 0, ran = 0;  ///< ran: words of runs since passed was read
  std::uint32_t sent = 0;                       ///< words of whole bursts since then, while `settled`
  WordDigest told{};                            ///< of the same runs, and of the words that they leave out
  std::int64_t next = 0;                        ///< behind the last of these words
};

/// What is known of an input's burst engine.
struct EngineMirror {
  ocs_burst set{};  ///< in the registers
  Id id{};
  Cycles started{-1};
  Cycles word{1};          ///< that a word takes: RATE
  std::uint32_t sent = 0;  ///< low half of the counter at the end of the last burst
  int unread = 0;          ///< whole bursts since the counter was read
  bool running = false, stopped = false;
};

/// A table that the switch plays.
struct TableMirror {
  std::vector<std::vector<std::uint16_t>> maps;  ///< of its entries: what each output selects
  std::size_t next = 0;                          ///< entry that hasn't been seen taken
  bool loops = false;
  std::optional<Cycles> stopped;  ///< cycle in which it was stopped
};

/// All counters of a port, of one instant. Counters::shown is read if any stuck mirror `keeps` its light.
Counters read_switch_counters(DriverBus& bus, const ocs_dev& dev, std::uint16_t port, bool keeps);

/// Reads events and expands them. The caller that gives a command notes it in the public members.
class SwitchMirror {
 public:
  /// @param dev probed, as after reset. @param bus, dev stay where they are.
  SwitchMirror(DriverBus& bus, ocs_dev& dev, FabricClock& clock);

  std::vector<OutputMirror> outputs;
  std::vector<EngineMirror> engines;
  std::uint32_t disturbs_at = 0;  ///< DISTURB_AT, if starts disturb outputs at these distances
  bool dims = false;              ///< outputs that are UP may be dim: they pass no words, and no event reports it
  bool pending = false;           ///< a software commit was given and not seen taken
  std::optional<Cycles> armed;    ///< cycle of the timed commit that was given and not seen taken
  std::optional<TableMirror> table;
  /// Maps of commits that were given and not seen taken, where several may wait; else each output's `shadow` is taken.
  std::deque<std::vector<std::uint16_t>> given;

  /// The switch has the brief form, which the driver turns on.
  bool brief() const { return dev_.minor >= OCS_BRIEF_SINCE; }
  /// Holds the counters of a port against the words of whole bursts, if none runs that it passes or sends.
  void check_port(std::uint16_t port);
  bool is_virtual() const { return clock_.kind() == ClockKind::virtual_time; }

  /// Reads what the hardware has to say and appends it in the order of the Switch seam; within one cycle of a virtual
  /// device it says it once. @throws Error (run) as make_register_switch says.
  void drain(std::vector<Event>& append);

 private:
  void read_raw(Cycles now);
  using PortMask = std::array<std::uint32_t, max_ports / 32>;
  bool passes(std::uint16_t o) const;
  bool has_passed(std::uint16_t o) const;
  void ask_disturbed(const ocs_event& event, PortMask& asked) const;
  void read_segments();
  void read_segment(std::uint16_t output);
  /// A segment that was read and has no place among the events yet.
  struct SegmentRun {
    std::uint16_t output, input;
    WordRun words;
  };
  void happened(std::span<const ocs_event> events, bool last);
  bool ends(std::span<const ocs_event> events, const SegmentRun& run) const;
  std::uint32_t counter(ocs_port_counter which, std::uint16_t port);
  void finish(const ocs_event& event);
  void pass_whole(std::uint16_t output, const EngineMirror& engine, Cycles at);
  void owe_words(OutputMirror& output, const EngineMirror& engine, std::uint32_t sent);
  static bool sent_all(const OutputMirror& output, const EngineMirror& engine);
  static bool in_order(OutputMirror& output, std::uint32_t sent);
  void check_words(std::uint16_t output, const EngineMirror& engine, std::uint32_t sent);
  void apply(const ocs_event& event);
  void apply_commit(Cycles taken, std::uint16_t source);
  void check_errors();

  bool one_stamp() const { return raw_.front().stamp == raw_.back().stamp; }

  DriverBus& bus_;
  ocs_dev& dev_;
  FabricClock& clock_;
  Cycles drained_{-1};            ///< cycle of the last drain
  std::vector<ocs_event> raw_;    ///< events of the present drain
  std::vector<SegmentRun> runs_;  ///< of the present drain
  std::vector<Event> fresh_;      ///< what they expand to
};

}  // namespace ocs
