// Watches a Verilated module and writes its waveform where that is asked for.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <verilated.h>
#include <verilated_fst_c.h>

#include <cstdint>
#include <memory>
#include <string>

#include "tests/rtl/watch.hpp"

namespace ocs {

/// A Watch with a waveform: one time step an edge, up to the one at which a check fails.
template <class Top, class Syms>
class Traced {
 public:
  /// @param waveform file to write; empty: none.
  Traced(VerilatedContext& context, Top& top, const std::string& waveform) : watch_(context, top) {
    if (waveform.empty()) return;
    if constexpr (requires(VerilatedFstC * trace) { top.trace(trace, all_levels); }) {
      context.traceEverOn(true);
      trace_ = std::make_unique<VerilatedFstC>();
      top.trace(trace_.get(), all_levels);
      trace_->open(waveform.c_str());
    } else {
      throw Error(ErrorKind::input, "no waveform: this switch counts what is reached instead (LIGHTLOOP_COVERAGE)");
    }
  }

  /// @throws Error (run) once a check has failed.
  void after_edge(Top& top) {
    if (trace_) {
      trace_->dump(step_++);
      if (watch_.failed()) trace_->flush();
    }
    watch_.after_edge(top);
  }

 private:
  static constexpr int all_levels = 99;
  Watch<Top, Syms> watch_;
  std::unique_ptr<VerilatedFstC> trace_;
  std::uint64_t step_ = 0;
};

}  // namespace ocs
