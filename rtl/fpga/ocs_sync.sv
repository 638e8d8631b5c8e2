// Synchroniser of a level that comes from another clock or from none: two flip-flops, the first of which may hang (README.md).
//
// SPDX-License-Identifier: Apache-2.0
module ocs_sync #(
    /// Independent levels, 1 to 256; no meaning may hang on several of them changing together.
    parameter int unsigned Width = 1,
    /// Value after power-up, 0 or 1.
    parameter int unsigned Reset = 0
) (
    input  logic             clk_i,  ///< clock, rising edge
    input  logic [Width-1:0] d_i,    ///< levels, of any timing
    output logic [Width-1:0] q_o     ///< the same, two to three cycles later
);
  if (Width < 1 || Width > 256) begin : g_width_in_range
    $error("ocs_sync: Width must be from 1 to 256");
  end
  if (Reset > 1) begin : g_reset_in_range
    $error("ocs_sync: Reset must be 0 or 1");
  end
  (* keep, syn_preserve = 1 *) logic [Width-1:0] may_hang_q = {Width{Reset == 1}};
  (* keep, syn_preserve = 1 *) logic [Width-1:0] settled_q = {Width{Reset == 1}};
  always_ff @(posedge clk_i) begin
    may_hang_q <= d_i;
    settled_q  <= may_hang_q;
  end
  assign q_o = settled_q;
endmodule
