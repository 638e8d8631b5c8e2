// What a later stage sees of an earlier one: the same bits, so many edges later.
//
// SPDX-License-Identifier: Apache-2.0
module ocs_skew_delay #(
    /// Bits, at least 1.
    parameter int unsigned Width = 1,
    /// Edges, 1 to 15.
    parameter int unsigned Edges = 1,
    /// Each bit from power-up until then; x: anything, which only a stage in reset may look at.
    parameter logic Start = 1'b0
) (
    input  logic             clk_i,  ///< clock, rising edge
    input  logic [Width-1:0] d_i,    ///< in its own stage
    output logic [Width-1:0] q_o     ///< so many edges later
);
  if (Width < 1) begin : g_width_in_range
    $error("ocs_skew_delay: Width must be at least 1");
  end
  if (Edges < 1 || Edges > 15) begin : g_edges_in_range
    $error("ocs_skew_delay: Edges must be from 1 to 15");
  end
  if (Start === 1'bz) begin : g_start_in_range
    $error("ocs_skew_delay: Start must be 0, 1 or x");
  end

`ifdef OCS_AT_ONCE
  // All stages are one: what the proof of tests/formal/skewed.py compares with the simulated form.
  assign q_o = d_i;
  logic unused;
  assign unused = &{1'b0, clk_i};
`else
  logic [Edges-1:0][Width-1:0] passed;
  initial passed = {Edges * Width{Start}};
  // Not always_ff, which may not share its variables with an initial block.
  if (Edges == 1) begin : g_one
    always @(posedge clk_i) passed <= d_i;
  end else begin : g_several
    always @(posedge clk_i) passed <= {passed[Edges-2:0], d_i};
  end
  assign q_o = passed[Edges-1];
`endif
endmodule
