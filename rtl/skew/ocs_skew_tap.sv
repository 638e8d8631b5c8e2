// What an earlier stage sees of the next one: of the cycle before its own, since that has one edge less to come. No state.
//
// SPDX-License-Identifier: Apache-2.0
module ocs_skew_tap #(
    /// Bits, at least 1.
    parameter int unsigned Width = 1
) (
    input  logic             clk_i,  ///< clock, rising edge
    input  logic [Width-1:0] d_i,    ///< in its own stage
    output logic [Width-1:0] q_o     ///< as the earlier stage sees it
);
  if (Width < 1) begin : g_width_in_range
    $error("ocs_skew_tap: Width must be at least 1");
  end

`ifdef OCS_AT_ONCE
  // All stages are one (ocs_skew_delay), so the cycle before is an edge away.
  logic [Width-1:0] before_q;
  always_ff @(posedge clk_i) before_q <= d_i;
  assign q_o = before_q;
`else
  assign q_o = d_i;
  logic unused;
  assign unused = &{1'b0, clk_i};
`endif
endmodule
