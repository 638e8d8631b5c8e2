// The devices under test and the ways in which each moves its clock.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "host/conformance/program.hpp"
#include "host/core/device.hpp"

namespace ocs::conformance {

/// The modes in which a device takes part.
enum class Ways : std::uint8_t {
  all,
  warped,    ///< the other modes are those of the device behind it
  unwarped,  ///< it has no edges but those of one cycle or none
};

struct Body {
  std::string_view name;
  std::unique_ptr<Device> (*make)(const DeviceConfig&);
  bool (*available)(int ports, int fifo_depth);  ///< some sizes of a device may not have been built ahead
  bool word_by_word;                             ///< while words are offered, no edge stands for more than one cycle
  Ways ways;
  bool every_size;  ///< a program of a size that wasn't built is a failure; else it is left out, which is printed
};
/// All of them, or those that LIGHTLOOP_DEVICES names (model,checked): these where they were built.
std::span<const Body> bodies();

struct Mode {
  std::string_view name;
  bool time_warp;
  std::uint64_t stride_seed;
};
/// Warped comes first: it says how many cycles a program takes.
std::span<const Mode> modes();
std::span<const Mode> modes_of(const Body& body);

/// Cycles up to which programs run without time-warp too.
inline constexpr std::uint64_t unwarped_limit = 200'000;

/// A fresh device. @throws Error (input) if it leaves that size out.
std::unique_ptr<Device> make_device(const Body& body, const Mode& mode, int ports, int fifo_depth);

/// Whether a program for this size is to be run on the device: false only if it may be left out.
bool takes_part(const Body& body, int ports, int fifo_depth);

/// Runs the program, warped, on every device that goes in all modes, and on those that go word by word if
/// `words`. @returns what each breaches or does otherwise than the first one, a device a paragraph; empty: nothing
std::string unlike_when_warped(int ports, int fifo_depth, std::span<const Op> program, bool words);

/// Runs a program that failed once more on the device with checks, to have its waveform (tests/rtl/checked.hpp).
/// @return a sentence that says where it is, or why there is none.
std::string trace_failure(const std::string& name, int ports, int fifo_depth, std::span<const Op> program);

/// Its name as a part of a test's.
std::string test_name(const Body& body);

/// "model, warped"
std::string label(const Body& body, const Mode& mode);

}  // namespace ocs::conformance
