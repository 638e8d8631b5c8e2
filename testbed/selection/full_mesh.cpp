// Everybody to everybody.
// SPDX-License-Identifier: Apache-2.0
#include "host/core/error.hpp"
#include "testbed/selection/loads.hpp"
#include "testbed/selection/policies.hpp"

namespace ocs {

Selection FullMesh::select(const SelectionProblem& problem) const {
  check(problem);
  if (problem.sending) throw Error(ErrorKind::input, "receivers: mesh is for peers that are all ready");
  Selection selection{.basic = all_pairs(problem.peers), .selected = all_pairs(problem.peers)};
  add_loads(problem, selection);
  return selection;
}

}  // namespace ocs
