// Outputs as others see them: of those that are READY, which are UP and which HELD; and inputs with light (sections 4 and 5).
//
// SPDX-License-Identifier: Apache-2.0
module ocs_skew_view
  import ocs_pkg::*;
#(
    /// Ports, 2 to 256.
    parameter int unsigned N = 16,
    localparam int unsigned InW = $clog2(N)
) (
    input  logic           clk_i,   ///< clock, rising edge
    input  logic           rst_ni,  ///< synchronous reset, active low
    /// The fabric moves at this edge.
    input  logic           go_i,
    /// ALL_STOP in force.
    input  logic           all_stop_i,
    /// Outputs as ocs_skew_outputs has them: state, that after this edge, whether it was entered, start(o) called.
    input  state_e         state_i[N],
    input  state_e         state_next_i[N],
    input  logic [N-1:0]   entered_i,
    input  logic [N-1:0]   started_i,
    /// What they select.
    input  logic [N-1:0]   valid_i,
    input  logic [InW-1:0] input_i[N],

    /// The same with HELD, and whether outputs that are READY are held.
    output state_e         state_o[N],
    output state_e         state_next_o[N],
    output logic [N-1:0]   entered_o,
    output logic           stop_o,
    /// Inputs that an output selects, and those of which all such outputs are UP.
    output logic [N-1:0]   routed_o,
    output logic [N-1:0]   light_o
);
  if (N < 2 || N > 256) begin : g_ports_in_range
    $error("ocs_skew_view: N must be from 2 to 256");
  end

  logic stop_q, stop_d;
  logic [N-1:0] moving, blocked;
  always_comb begin
    for (int unsigned o = 0; o < N; o++) moving[o] = state_next_i[o] == Tuning | state_next_i[o] == Locking;
    stop_d = go_i ? (stop_q | (all_stop_i & (|started_i))) & (|moving) : stop_q;
    for (int unsigned o = 0; o < N; o++) begin
      state_o[o] = stop_q & state_i[o] == Up ? Held : state_i[o];
      state_next_o[o] = stop_d & state_next_i[o] == Up ? Held : state_next_i[o];
      entered_o[o] = entered_i[o] | (state_i[o] == Up & state_next_i[o] == Up & stop_q != stop_d);
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) stop_q <= 1'b0;
    else stop_q <= stop_d;
  end
  assign stop_o = stop_q;

  always_comb begin
    routed_o = '0;
    blocked = '0;
    for (int unsigned o = 0; o < N; o++) begin
      if (valid_i[o]) begin
        routed_o[input_i[o]] = 1'b1;
        if (state_i[o] != Up | stop_q) blocked[input_i[o]] = 1'b1;
      end
    end
  end
  assign light_o = routed_o & ~blocked;
endmodule
