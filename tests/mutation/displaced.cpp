// High words of 64-bit registers, less or more what they begin with.
// SPDX-License-Identifier: Apache-2.0
#include "tests/mutation/displaced.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "host/conformance/registers.hpp"
#include "ocs_regs.h"

namespace ocs::conformance {
namespace {

constexpr std::uint32_t word_bytes = 4, wide_bytes = 8;
constexpr std::uint8_t all_bytes = 0xF;
/// No program names it.
constexpr auto event_time =
    static_cast<std::uint32_t>(offsetof(ocs_regs_t, core) + offsetof(ocs_regs__core_t, EVENT_TIME));

/// Counters that count no cycles: their low words begin at the origin, too, since no program makes so many things happen.
constexpr std::array<std::string_view, 6> counts_things{"TUNINGS", "RESTARTS", "COMMITS", "REFUSED", "LATE", "DROPPED"};

class Displaced final : public Device, RegisterBus, FabricClock {
 public:
  Displaced(std::unique_ptr<Device> inner, std::uint32_t origin)
      : inner_(std::move(inner)), origin_(origin), begin_{static_cast<std::int64_t>(std::uint64_t{origin} << 32)} {
    for (const Register& reg : registers()) {
      if (reg.shape != Shape::wide) continue;
      for (std::uint32_t k = 0; k < reg.entries(max_index + 1); ++k) {
        low_.insert(reg.address + wide_bytes * k);
        if (std::ranges::find(counts_things, reg.name) != counts_things.end())
          counts_.insert(reg.address + wide_bytes * k);
      }
    }
    low_.insert(event_time);
    forget();
  }
  RegisterBus& bus() override { return *this; }
  FabricClock& clock() override { return *this; }

  ClockKind kind() const override { return inner_->clock().kind(); }
  Picos cycle() const override { return inner_->clock().cycle(); }
  Cycles now() override { return inner_->clock().now() - begin_; }
  Cycles run_until(Cycles limit) override { return inner_->clock().run_until(limit + begin_) - begin_; }
  bool interrupt() override { return inner_->clock().interrupt(); }
  std::uint64_t edges() const override { return inner_->clock().edges(); }

  /// The high word is that of the low word which was read last; none after a reset.
  std::uint32_t read(std::uint32_t address) override {
    const std::uint32_t value = inner_->bus().read(address);
    if (low_.contains(address)) {
      latched_ = true;
      const std::uint32_t low = counts_.contains(address) ? origin_ : 0;
      borrow_ = value < low ? 1 : 0;
      return value - low;
    }
    return latched_ && is_high(address) ? value - origin_ - borrow_ : value;
  }
  void write(std::uint32_t address, std::uint32_t value) override { write_bytes(address, value, all_bytes); }
  void write_bytes(std::uint32_t address, std::uint32_t value, std::uint8_t strobes) override {
    const auto written = written_.find(address);
    if (written != written_.end() && strobes != 0) {
      std::uint32_t mask = 0;
      for (unsigned byte = 0; byte < word_bytes; ++byte)
        if ((strobes >> byte & 1U) != 0) mask |= 0xFFU << 8 * byte;
      written->second = (written->second & ~mask) | (value & mask);
      inner_->bus().write(address, written->second + origin_);
      return;
    }
    inner_->bus().write_bytes(address, value, strobes);
    if (address == soft_reset_ && (strobes & value & 1U) != 0) forget();
  }

 private:
  bool is_high(std::uint32_t address) const { return address >= word_bytes && low_.contains(address - word_bytes); }
  void forget() {
    latched_ = false;
    borrow_ = 0;
    for (const std::string_view name : {"COMMIT_AT", "SEQ_BASE"})
      written_[find_register(name)->address + word_bytes] = 0;
  }

  std::uint32_t soft_reset_ = find_register("SOFT_RESET")->address;
  std::unique_ptr<Device> inner_;
  std::uint32_t origin_;
  Cycles begin_;
  std::set<std::uint32_t> low_;                     ///< addresses of low words
  std::set<std::uint32_t> counts_;                  ///< those of low words that begin at the origin, too
  std::map<std::uint32_t, std::uint32_t> written_;  ///< high words that programs write, as they wrote them
  bool latched_ = false;
  std::uint32_t borrow_ = 0;  ///< that the low word read last takes from its high word
};

}  // namespace

std::unique_ptr<Device> displaced(std::unique_ptr<Device> inner, std::uint32_t origin) {
  return std::make_unique<Displaced>(std::move(inner), origin);
}

bool may_be_displaced(std::span<const Op> program) {
  constexpr std::uint64_t most = std::uint64_t{1} << 60;
  return std::ranges::all_of(program, [](const Op& op) {
    const bool is_cycle = op.kind == Op::Kind::write ? op.reg->shape == Shape::wide
                                                     : op.kind == Op::Kind::advance || op.kind == Op::Kind::advance_irq;
    return !is_cycle || op.value < most;
  });
}

}  // namespace ocs::conformance
