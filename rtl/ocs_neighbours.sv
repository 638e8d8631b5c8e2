// Neighbours: which outputs a mirror that moves beside them disturbs, and for how long (section 2).
//
// SPDX-License-Identifier: Apache-2.0
module ocs_neighbours
  import ocs_pkg::*;
#(
    /// Ports, 2 to 256.
    parameter int unsigned N = 16
) (
    input  logic         clk_i,   ///< clock, rising edge
    input  logic         rst_ni,  ///< synchronous reset, active low
    /// Cycles that this edge stands for; 0: the fabric stands still.
    input  logic [31:0]  step_i,
    /// DISTURB, cycles, and DISTURB_AT, distances less 1.
    input  logic [29:0]  cycles_i,
    input  logic [31:0]  distances_i,
    /// Outputs that start at this edge.
    input  logic [N-1:0] started_i,

    /// Outputs that are disturbed: now, and after this edge.
    output logic [N-1:0] disturbed_o,
    output logic [N-1:0] disturbed_next_o,
    /// Bounds on a step, one an output.
    output logic [31:0]  bound_o[N]
);
  if (N < 2 || N > 256) begin : g_ports_in_range
    $error("ocs_neighbours: N must be from 2 to 256");
  end

  localparam int unsigned Distances = N - 1 < 32 ? N - 1 : 32;

  logic [29:0] left_q[N], left_d[N];  // cycles of a disturbance, the present one included; 0: none
  logic [N-1:0] struck;
  always_comb begin
    struck = '0;
    if (started_i != '0 & cycles_i != '0) begin  // seldom, and what follows takes a simulator long
      for (int unsigned k = 0; k < Distances; k++)
        if (distances_i[k]) struck |= (started_i << (k + 1)) | (started_i >> (k + 1));
    end
  end
  always_comb begin
    for (int unsigned o = 0; o < N; o++) begin
      disturbed_o[o] = left_q[o] != '0;
      bound_o[o] = disturbed_o[o] ? 32'(left_q[o]) : Unbounded;
    end
  end
  always_comb begin
    for (int unsigned o = 0; o < N; o++) begin
      left_d[o] = struck[o] ? cycles_i : disturbed_o[o] ? left_q[o] - 30'(step_i) : '0;
      disturbed_next_o[o] = left_d[o] != '0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) left_q <= '{default: '0};
    else if (step_i != '0) left_q <= left_d;
  end

  logic unused;
  assign unused = &{1'b0, step_i, distances_i};
endmodule
