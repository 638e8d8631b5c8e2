// The map of the commit that is asked for, and what its check finds (section 3): what ocs_map does, every two inputs at once.
//
// SPDX-License-Identifier: Apache-2.0
module ocs_skew_map #(
    /// Ports, 2 to 256.
    parameter int unsigned N   = 16,
    localparam int unsigned InW = $clog2(N)
) (
    /// A commit is asked for, and it is the sequencer's entry; else it is the shadow map.
    input  logic           on_i,
    input  logic           seq_i,
    /// Maps: {valid, 9 bits of input} of each output.
    input  logic [N-1:0]   shadow_valid_i,
    input  logic [8:0]     shadow_input_i[N],
    input  logic [N-1:0]   row_valid_i,
    input  logic [8:0]     row_input_i[N],

    /// The map; looked at only when a commit is asked for.
    output logic [N-1:0]   map_valid_o,
    output logic [InW-1:0] map_input_o[N],
    /// The map names an input that does not exist; it names one input for two outputs (looked at only if all inputs exist).
    output logic           range_o,
    output logic           conflict_o
);
  if (N < 2 || N > 256) begin : g_ports_in_range
    $error("ocs_skew_map: N must be from 2 to 256");
  end

  logic [8:0] input_of[N];
  always_comb begin
    range_o = 1'b0;
    conflict_o = 1'b0;
    map_valid_o = seq_i ? row_valid_i : shadow_valid_i;
    for (int unsigned o = 0; o < N; o++) begin
      input_of[o] = seq_i ? row_input_i[o] : shadow_input_i[o];
      map_input_o[o] = input_of[o][InW-1:0];
      range_o |= map_valid_o[o] & 32'(input_of[o]) >= N;
      for (int unsigned p = 0; p < o; p++) conflict_o |= map_valid_o[o] & map_valid_o[p] & map_input_o[o] == map_input_o[p];
    end
  end

  logic unused;
  assign unused = &{1'b0, on_i};
endmodule
