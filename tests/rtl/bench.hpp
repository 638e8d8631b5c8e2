// One Verilated module on a bench: a clock, a reset, checks that throw.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <verilated.h>

#include <cstdint>

#include "tests/rtl/watch.hpp"

namespace ocs::test {

/// @tparam Top class that Verilator made of a module with `clk_i` and, if it has one, `rst_ni`.
/// Inputs are set on `top` between edges.
template <class Top, class Syms>
class Bench {
 public:
  Bench() : top(&context_), watch_(context_, top) {
    top.clk_i = 0;
    reset(0);
    top.eval();
    edge();
    edge();
    reset(1);
    top.eval();
  }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;
  ~Bench() { top.final(); }

  /// Rising and falling edge. @throws Error (run) if a check fails.
  void edge() {
    top.clk_i = 1;
    top.eval();
    watch_.after_edge(top);
    top.clk_i = 0;
    top.eval();
  }

 private:
  void reset(CData level) {
    if constexpr (requires { top.rst_ni; }) top.rst_ni = level;
  }
  VerilatedContext context_;

 public:
  Top top;

 private:
  Watch<Top, Syms> watch_;
};

/// A module without clock: set inputs, evaluate(), look.
template <class Top, class Syms>
class Wires {
 public:
  Wires() : top(&context_), watch_(context_, top) { top.eval(); }
  Wires(const Wires&) = delete;
  Wires& operator=(const Wires&) = delete;
  ~Wires() { top.final(); }

  void evaluate() {
    top.eval();
    watch_.after_edge(top);
  }

 private:
  VerilatedContext context_;

 public:
  Top top;

 private:
  Watch<Top, Syms> watch_;
};

}  // namespace ocs::test
