// Turns the masks of ocs_fast_core into the codes of ocs_ports_view.
//
// SPDX-License-Identifier: Apache-2.0
module ocs_fast_ports_view #(
    /// Ports, 2 to 256.
    parameter int unsigned N = 16,
    /// Bits of a mask, at least N.
    parameter int unsigned W = 16,
    localparam int unsigned InW = $clog2(N)
) (
    // The core shows these masks already.
    // verilator tracing_off
    input logic [W-1:0]   tuning_i,    ///< outputs in TUNING
    input logic [W-1:0]   locking_i,   ///< outputs in LOCKING
    input logic [W-1:0]   up_i,        ///< outputs that are UP
    input logic [W-1:0]   held_i,      ///< outputs that are HELD
    input logic [W-1:0]   failed_i,    ///< outputs that are FAILED
    input logic [W-1:0]   valid_i,     ///< outputs that select an input
    input logic [InW-1:0] input_i[N],  ///< which; 0 if none
    input logic [W-1:0]   shaken_i,    ///< outputs that are disturbed
    input logic [W-1:0]   dim_i,       ///< outputs that are dim
    input logic [W-1:0]   gap_i,       ///< burst engines in GAP
    input logic [W-1:0]   send_i       ///< burst engines in SEND
);
  if (N < 2 || N > 256) begin : g_ports_in_range
    $error("ocs_fast_ports_view: N must be from 2 to 256");
  end
  if (W < N) begin : g_mask_in_range
    $error("ocs_fast_ports_view: W must be at least N");
  end

  ocs_pkg::state_e state[N];
  ocs_pkg::engine_e engine[N];
  // verilator tracing_on
  for (genvar p = 0; p < N; p++) begin : g_codes
    assign state[p] = ocs_pkg::state_e'({held_i[p] | failed_i[p], locking_i[p] | up_i[p], tuning_i[p] | up_i[p] | failed_i[p]});
    assign engine[p] = ocs_pkg::engine_e'({send_i[p], gap_i[p]});
  end
  ocs_ports_view #(.N(N)) u_ports (
      .state_i(state), .valid_i(valid_i[N-1:0]), .input_i, .disturbed_i(shaken_i[N-1:0]), .dim_i(dim_i[N-1:0]), .engine_i(engine)
  );
endmodule
