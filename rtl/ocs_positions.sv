// Positions of mirrors: the input at which each arrived last (section 6).
//
// SPDX-License-Identifier: Apache-2.0
module ocs_positions #(
    /// Ports, 2 to 256.
    parameter int unsigned N = 16,
    localparam int unsigned InW = $clog2(N)
) (
    input  logic           clk_i,   ///< clock, rising edge
    input  logic           rst_ni,  ///< synchronous reset, active low
    /// Outputs that arrive at this edge, and what they select after it.
    input  logic [N-1:0]   arrives_i,
    input  logic [InW-1:0] input_next_i[N],

    /// Outputs that have a position; which; whether it is what they select after this edge.
    output logic [N-1:0]   known_o,
    output logic [InW-1:0] position_o[N],
    output logic [N-1:0]   here_o
);
  if (N < 2 || N > 256) begin : g_ports_in_range
    $error("ocs_positions: N must be from 2 to 256");
  end

  logic [N-1:0] known_q;
  logic [InW-1:0] position_q[N], position_d[N];
  always_comb for (int unsigned o = 0; o < N; o++) position_d[o] = arrives_i[o] ? input_next_i[o] : position_q[o];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      known_q <= '0;
      position_q <= '{default: '0};
    end else begin
      known_q <= known_q | arrives_i;
      position_q <= position_d;
    end
  end
  always_comb for (int unsigned o = 0; o < N; o++) here_o[o] = known_q[o] & position_q[o] == input_next_i[o];
  assign known_o = known_q;
  assign position_o = position_q;
endmodule
