// What tests see of a Verilated module beyond its outputs: failed checks, what was reached.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <verilated.h>

#include <limits>

#include "host/core/error.hpp"
#include "tests/rtl/coverage.hpp"

namespace ocs {

/// Looks at a module after each edge. @tparam Syms its inner class, which holds the counters of what was reached.
template <class Top, class Syms>
class Watch {
 public:
  Watch(VerilatedContext& context, Top& top) : context_(context), top_(top) {
    context.errorLimit(std::numeric_limits<int>::max());  // a check that fails doesn't end the program
  }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
  ~Watch() {
    keep_coverage<Top, Syms>(top_);
    Verilated::threadContextp(&context_);  // the module, which goes next, takes its scopes out of the current context
  }

  bool failed() const { return context_.errorCount() != 0; }

  /// @throws Error (run) once a check has failed.
  void after_edge(Top&) {
    if (failed()) throw Error(ErrorKind::run, "a check of the RTL failed (its name is printed above)");
  }

 private:
  VerilatedContext& context_;
  Top& top_;
};

}  // namespace ocs
