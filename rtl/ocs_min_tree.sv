// The smallest of many bounds, as a balanced tree: what the horizon is made of.
//
// SPDX-License-Identifier: Apache-2.0
module ocs_min_tree #(
    /// Number of bounds, at least 1.
    parameter int unsigned Leaves = 4
) (
    /// Bounds in cycles.
    input  logic [31:0] leaf_i[Leaves],
    /// Smallest of them.
    output logic [31:0] min_o
);
  if (Leaves < 1) begin : g_leaves_in_range
    $error("ocs_min_tree: Leaves must be at least 1");
  end

  // A heap: node k has the children 2k and 2k + 1; node 1 is the root, the leaves come last. Any number of them makes a
  // tree whose depth is log2 of it, rounded up.
  logic [31:0] node[2*Leaves];
  always_comb begin
    node[0] = ocs_pkg::Unbounded;
    for (int unsigned k = 0; k < Leaves; k++) node[Leaves+k] = leaf_i[k];
    for (int unsigned k = Leaves - 1; k > 0; k--) node[k] = node[2*k] < node[2*k+1] ? node[2*k] : node[2*k+1];
  end
  assign min_o = node[1];
endmodule
