// What a scheduler in Python is given: the problem, its flows as arrays.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <utility>

#include "host/core/policy.hpp"

namespace ocs::python {

/// Shares the problem: arrays are views of it and keep it alive.
class ProblemView {
 public:
  explicit ProblemView(std::shared_ptr<const Problem> problem) : problem_(std::move(problem)) {}
  const Problem& operator*() const { return *problem_; }
  const Problem* operator->() const { return problem_.get(); }
  const std::shared_ptr<const Problem>& shared() const { return problem_; }

 private:
  std::shared_ptr<const Problem> problem_;
};

void add_problem(nanobind::module_& module);

}  // namespace ocs::python
