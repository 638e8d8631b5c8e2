// A class that Verilator made of a switch, linked into a test, as pins of VerilatedDevice.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <verilated.h>

#include <cstring>

#include "tests/rtl/watch.hpp"

namespace ocs {

struct OwnContext {
  VerilatedContext context;
};

/// @tparam Verilated class of ocs_top or ocs_fast_top; its pins are members, so it is a base.
template <class Verilated>
class Linked : OwnContext, public Verilated {
 public:
  struct Made {};  ///< what VerilatedDevice hands on
  explicit Linked(Made = {}) : Verilated(&context) {}
  Linked(const Linked&) = delete;
  Linked& operator=(const Linked&) = delete;
  ~Linked() { this->final(); }

  using OwnContext::context;
  void clear_valid() { std::memset(&this->valid_i, 0, sizeof this->valid_i); }
  /// As SwitchPins::clocks_fell(), where the class's ___024root.h is included.
  void clocks_fell() {
    constexpr bool known = requires(Verilated & top) {
      top.rootp->__Vtrigrprev__TOP__clk_i;
      top.rootp->__Vtrigrprev__TOP__bus_clk_i;
    };
    if constexpr (known)
      this->rootp->__Vtrigrprev__TOP__clk_i = this->rootp->__Vtrigrprev__TOP__bus_clk_i = 0;
    else
      this->eval();
  }
};

/// A Watch of VerilatedDevice.
template <class Verilated, class Syms>
class WatchLinked : public Watch<Verilated, Syms> {
 public:
  explicit WatchLinked(Linked<Verilated>& top) : Watch<Verilated, Syms>(top.context, top) {}
};

}  // namespace ocs
