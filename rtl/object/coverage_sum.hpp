// Adds up what all instances of a Verilated class reached, and writes it to one file when the program ends.
//
// Include the class, its ___024root.h and its __Syms.h first; they have to be generated with --coverage.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>
#include <verilated.h>
#include <verilated_cov.h>

#include <cstddef>
#include <cstdlib>
#include <iterator>
#include <string>

/// An instance that never runs: its counters take those of all others. The file goes to LIGHTLOOP_COVERAGE_FOLDER.
template <class Top>
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
  /// Two programs, or a program and an object in it, must not write to one file: `name` sets them apart.
  void name(const std::string& name) { name_ = name; }
  ~CoverageSum() {
    Verilated::threadContextp(&context_);
    if (const char* folder = std::getenv("LIGHTLOOP_COVERAGE_FOLDER"))
      context_.coveragep()->write(
          (std::string(folder) + "/" + name_ + "-" + std::to_string(getpid()) + ".dat").c_str());
  }

 private:
  CoverageSum() = default;
  VerilatedContext context_;
  Top top_{&context_};
  std::string name_ = top_.modelName();
};
