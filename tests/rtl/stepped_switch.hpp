// The whole switch with checks, moved edge by edge.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <verilated.h>

#include <cstdint>

#include "tests/rtl/stepping.hpp"
#include "tests/rtl/watch.hpp"

namespace ocs::test {

/// @tparam Top, Syms: classes that Verilator made of ocs_top with checks
template <class Top, class Syms>
class SteppedSwitch : public Stepping<SteppedSwitch<Top, Syms>> {
 public:
  SteppedSwitch() : top(&context_), watch_(context_, top) { this->reset(); }
  SteppedSwitch(const SteppedSwitch&) = delete;
  SteppedSwitch& operator=(const SteppedSwitch&) = delete;
  ~SteppedSwitch() { top.final(); }

  Top& pins() { return top; }
  void after_edge() { watch_.after_edge(top); }
  std::uint64_t wide(std::uint32_t address) {
    const std::uint64_t low = this->read(address);
    return low | std::uint64_t{this->read(address + 4)} << 32;
  }

 private:
  VerilatedContext context_;

 public:
  Top top;

 private:
  Watch<Top, Syms> watch_;
};

}  // namespace ocs::test
