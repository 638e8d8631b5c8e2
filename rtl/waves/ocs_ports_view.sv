// What each port does, with names for its states: what a viewer of waveforms shows. It is bound to the core of a switch
// that can write waveforms, and to no other.
//
// SPDX-License-Identifier: Apache-2.0
module ocs_ports_view #(
    /// Ports, 2 to 256.
    parameter int unsigned N = 16,
    localparam int unsigned InW = $clog2(N)
) (
    // The core shows these arrays already.
    // verilator tracing_off
    input ocs_pkg::state_e state_i[N],  ///< states of outputs, codes of section 2 of the contract
    input logic [N-1:0]   valid_i,     ///< outputs that select an input
    input logic [InW-1:0] input_i[N],  ///< which; 0 if none
    input logic [N-1:0]   disturbed_i, ///< outputs that are disturbed
    input logic [N-1:0]   dim_i,       ///< outputs that are dim
    input ocs_pkg::engine_e engine_i[N]  ///< states of the burst engines of inputs, codes of section 8
    // verilator tracing_on
);
  if (N < 2 || N > 256) begin : g_ports_in_range
    $error("ocs_ports_view: N must be from 2 to 256");
  end

  typedef enum logic [2:0] {IDLE = 0, TUNING = 1, LOCKING = 2, UP = 3, HELD = 4, FAILED = 5} state_t;
  typedef enum logic [1:0] {OFF = 0, GAP = 1, SEND = 2} engine_t;

  for (genvar p = 0; p < N; p++) begin : port
    state_t state;                // of output p
    logic signed [15:0] selects;  // the input that output p selects; -1: none
    logic disturbed, dim;         // of output p: it passes no words, though it be UP
    engine_t engine;              // of the burst engine of input p
    assign state = state_t'(state_i[p]);
    assign selects = valid_i[p] ? 16'(input_i[p]) : -16'sd1;
    assign disturbed = disturbed_i[p];
    assign dim = dim_i[p];
    assign engine = engine_t'(engine_i[p]);
  end
endmodule
