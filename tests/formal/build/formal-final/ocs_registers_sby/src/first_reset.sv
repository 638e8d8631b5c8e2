// A run from the start begins with a reset.
// SPDX-License-Identifier: Apache-2.0
module first_reset (
    input logic clk_i,
    input logic rst_ni
);
  logic begun = 1'b0;
  always_ff @(posedge clk_i) begin
    begun <= 1'b1;
    use_reset_first: assume (begun | ~rst_ni);
  end
endmodule
bind `OCS_TOP first_reset u_first (.*);
