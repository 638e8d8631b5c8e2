// Adds up what all instances of a Verilated module reached, and writes it to one file when the program ends.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <verilated.h>
#ifdef LIGHTLOOP_COVERAGE
#include <unistd.h>
#include <verilated_cov.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <string>
#endif

namespace ocs {

#ifdef LIGHTLOOP_COVERAGE
/// An instance that never runs: its counters take those of all others. The file goes to LIGHTLOOP_COVERAGE_FOLDER.
template <class Top, class Syms>
class CoverageSum {
 public:
  static CoverageSum& instance() {
    static CoverageSum sum;
    return sum;
  }
  void add(Top& top) {
    auto& sum = top_.rootp->vlSymsp->__Vcoverage;
    const auto& part = top.rootp->vlSymsp->__Vcoverage;
    for (std::size_t k = 0; k < std::size(sum); ++k) sum[k] += part[k];
  }
  ~CoverageSum() {
    Verilated::threadContextp(&context_);
    if (const char* folder = std::getenv("LIGHTLOOP_COVERAGE_FOLDER"))
      context_.coveragep()->write(
          (std::string(folder) + "/" + top_.modelName() + "-" + std::to_string(getpid()) + ".dat").c_str());
  }

 private:
  CoverageSum() = default;
  VerilatedContext context_;
  Top top_{&context_};
};
#endif

/// Keeps what `top`, which is about to go, has reached. Nothing without LIGHTLOOP_COVERAGE (CMake).
template <class Top, class Syms>
void keep_coverage([[maybe_unused]] Top& top) {
#ifdef LIGHTLOOP_COVERAGE
  CoverageSum<Top, Syms>::instance().add(top);
#endif
}

}  // namespace ocs
