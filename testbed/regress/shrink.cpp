// Leaves out steps and operations, and shortens advances, while the failure stays the same.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/regress/shrink.hpp"

#include <algorithm>
#include <chrono>

namespace ocs::regress {
namespace {

using conformance::Op;
using conformance::Step;

constexpr std::chrono::seconds time_to_shrink{20};

/// Leaves out what the failure doesn't need: halves, quarters, ... of a list, as long as it still fails.
template <class T>
bool leave_out(std::vector<T>& list, const std::function<bool()>& still_fails) {
  bool smaller = false;
  for (std::size_t size = (list.size() + 1) / 2; size >= 1; size /= 2)
    for (std::size_t from = 0; from < list.size();) {
      const std::vector<T> before = list;
      const auto first = list.begin() + static_cast<std::ptrdiff_t>(from);
      list.erase(first, first + static_cast<std::ptrdiff_t>(std::min(size, list.size() - from)));
      if (still_fails()) {
        smaller = true;
      } else {
        list = before;
        from += size;
      }
    }
  return smaller;
}

/// Halves the times of advances that can be shorter.
void shorten(std::vector<Step>& steps, const std::function<bool()>& still_fails) {
  for (Step& step : steps)
    for (Op& op : step.ops)
      while (op.kind == Op::Kind::advance && op.value > 1) {
        const std::uint64_t before = op.value;
        op.value /= 2;
        if (still_fails()) continue;
        op.value = before;
        break;
      }
}

}  // namespace

void shrink(std::vector<Step>& steps, const std::function<bool(const std::vector<Step>&)>& same_failure) {
  const auto until = std::chrono::steady_clock::now() + time_to_shrink;
  const std::function<bool()> still_fails = [&] {
    return std::chrono::steady_clock::now() < until && same_failure(steps);
  };
  bool smaller = true;
  while (smaller) {
    smaller = leave_out(steps, still_fails);
    for (Step& step : steps) smaller = leave_out(step.ops, still_fails) || smaller;
    shorten(steps, still_fails);
  }
}

}  // namespace ocs::regress
