// What outputs select, before an edge and after it, and whether light of that input can reach them (sections 3 and 6).
//
// SPDX-License-Identifier: Apache-2.0
module ocs_skew_select #(
    /// Ports, 2 to 256.
    parameter int unsigned N = 16,
    localparam int unsigned InW = $clog2(N)
) (
    input  logic           clk_i,   ///< clock, rising edge
    input  logic           rst_ni,  ///< synchronous reset, active low
    /// A commit is taken at this edge, and its map.
    input  logic           taken_i,
    input  logic [N-1:0]   map_valid_i,
    input  logic [InW-1:0] map_input_i[N],
    /// Faults: loss of light of an input, dead port.
    input  logic [N-1:0]   los_i,
    input  logic [N-1:0]   dead_i,

    /// Selection before this edge and after it; whether the edge changes it.
    output logic [N-1:0]   valid_o,
    output logic [InW-1:0] input_o[N],
    output logic [N-1:0]   valid_next_o,
    output logic [InW-1:0] input_next_o[N],
    output logic [N-1:0]   changed_o,
    /// No light reaches the output, or can leave it: with the selection before this edge, and after it.
    output logic [N-1:0]   dark_o,
    output logic [N-1:0]   dark_next_o
);
  if (N < 2 || N > 256) begin : g_ports_in_range
    $error("ocs_skew_select: N must be from 2 to 256");
  end

  logic [N-1:0] valid_q;
  logic [InW-1:0] input_q[N];
  always_comb begin
    changed_o = '0;
    valid_next_o = taken_i ? map_valid_i : valid_q;
    for (int unsigned o = 0; o < N; o++) begin
      input_next_o[o] = ~taken_i ? input_q[o] : map_valid_i[o] ? map_input_i[o] : '0;
      changed_o[o] = taken_i & ((map_valid_i[o] != valid_q[o]) | (map_valid_i[o] & (map_input_i[o] != input_q[o])));
      dark_o[o] = dead_i[o] | los_i[input_q[o]] | dead_i[input_q[o]];
      dark_next_o[o] = dead_i[o] | los_i[input_next_o[o]] | dead_i[input_next_o[o]];
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= '0;
      input_q <= '{default: '0};
    end else begin
      valid_q <= valid_next_o;
      input_q <= input_next_o;
    end
  end
  assign valid_o = valid_q;
  assign input_o = input_q;
endmodule
