// The map of the commit that is asked for, and what its check finds (section 3): one input after another, as a simulator prefers.
//
// SPDX-License-Identifier: Apache-2.0
module ocs_map #(
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
    $error("ocs_map: N must be from 2 to 256");
  end

  logic [N-1:0] used;
  logic [8:0] input_of;
  always_comb begin
    used = '0;
    range_o = 1'b0;
    conflict_o = 1'b0;
    input_of = '0;
    map_valid_o = '0;
    for (int unsigned o = 0; o < N; o++) map_input_o[o] = '0;
    if (on_i) begin
      map_valid_o = seq_i ? row_valid_i : shadow_valid_i;
      for (int unsigned o = 0; o < N; o++) begin
        input_of = seq_i ? row_input_i[o] : shadow_input_i[o];
        map_input_o[o] = input_of[InW-1:0];
        if (map_valid_o[o]) begin
          if (32'(input_of) >= N) range_o = 1'b1;
          else begin
            conflict_o |= used[input_of[InW-1:0]];
            used[input_of[InW-1:0]] = 1'b1;
          end
        end
      end
    end
  end
endmodule
