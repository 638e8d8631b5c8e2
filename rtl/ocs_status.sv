// Sticky errors and the interrupt line (sections 10 and 12).
//
// SPDX-License-Identifier: Apache-2.0
module ocs_status
  import ocs_pkg::*;
(
    input  logic              clk_i,   ///< clock, rising edge
    input  logic              rst_ni,  ///< synchronous reset, active low
    /// Bits that are set and cleared at this edge; a bit that is both stays set.
    input  logic [Errors-1:0] set_i,
    input  logic [Errors-1:0] clear_i,
    input  logic              fifo_empty_i,
    /// Enables: event, overflow, any other error.
    input  logic [2:0]        enable_i,
    output logic [Errors-1:0] error_o,
    /// Sources, enabled or not.
    output logic [2:0]        sources_o,
    output logic              irq_o
);
  logic [Errors-1:0] error_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) error_q <= '0;
    else error_q <= (error_q & ~clear_i) | set_i;
  end
  assign error_o = error_q;
  assign sources_o = {|(error_q & ~(Errors'(1) << ErrOverflow)), error_q[ErrOverflow], ~fifo_empty_i};
  assign irq_o = |(sources_o & enable_i);
endmodule
