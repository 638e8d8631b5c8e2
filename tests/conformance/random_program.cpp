// RapidCheck draws the numbers of random register programs.
// SPDX-License-Identifier: Apache-2.0
#include "tests/conformance/random_program.hpp"

#include <ostream>

namespace ocs::conformance {
namespace {

namespace gen = rc::gen;

/// To be used inside gen::exec alone.
std::uint64_t below(std::uint64_t n) { return *gen::inRange<std::uint64_t>(0, n); }

/// Draws are of RapidCheck's nominal size always: at smaller ones a range gives its beginning only.
template <class Make>
auto drawn(Make make) {
  return gen::resize(rc::kNominalSize, gen::exec(make));
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const Step& step) {
  for (const Op& op : step.ops) out << (relative_in_time(op) ? "now-5+" : "") << to_json(op).dump() << " ";
  return out;
}

std::ostream& operator<<(std::ostream& out, const Setting& setting) {
  return out << setting.ports << " ports, FIFO of " << setting.fifo_depth << ", scale " << setting.scale
             << (setting.every_cycle ? ", every cycle" : "") << ", stride seed " << setting.stride_seed;
}

rc::Gen<Setting> arbitrary_setting() {
  return drawn([] { return random_setting(below); });
}

rc::Gen<std::vector<Step>> arbitrary_steps(const Setting& setting) {
  const auto step = drawn([setting] { return random_step(setting, below); });
  return gen::scale(2.0, gen::container<std::vector<Step>>(step));
}

}  // namespace ocs::conformance
