// Receivers: which pairs of output and input are still warm, i.e. were UP or HELD not long ago (section 2).
//
// SPDX-License-Identifier: Apache-2.0
module ocs_receivers #(
    /// Ports, 2 to 256.
    parameter int unsigned N = 16,
    localparam int unsigned InW = $clog2(N)
) (
    input  logic              clk_i,   ///< clock, rising edge
    input  logic              rst_ni,  ///< synchronous reset, active low
    /// RECEIVER.ON and RECEIVER.WARM_TIME, in force at this edge.
    input  logic              on_i,
    input  logic [29:0]       warm_time_i,
    /// First cycle after this edge.
    input  logic [63:0]       stamp_i,
    /// Outputs that are UP, and those that leave UP or HELD at this edge; none unless `on_i`.
    input  logic [N-1:0]      up_i,
    input  logic [N-1:0]      leaves_i,
    /// What they select, and what they select next.
    input  logic [InW-1:0]    input_i[N],
    input  logic [InW-1:0]    input_next_i[N],
    /// The pair of the next selection is warm; 0 unless `on_i`.
    output logic [N-1:0] warm_o
);
  if (N < 2 || N > 256) begin : g_ports_in_range
    $error("ocs_receivers: N must be from 2 to 256");
  end

  localparam int unsigned AtW = $clog2(N * N);

  // First cycle in which a pair wasn't UP or HELD any longer, one row an output; 0: it never was.
  logic [63:0] lit_until[N*N];

  // With `=`, since a simulator takes no `<=` to elements of an array in a long loop; nothing reads it at the same edge.
  always_ff @(posedge clk_i) begin
    // verilator lint_off BLKSEQ
    if (!rst_ni) lit_until = '{default: '0};
    else if (leaves_i != '0)
      for (int unsigned o = 0; o < N; o++) if (leaves_i[o]) lit_until[AtW'(o*N)+AtW'(input_i[o])] = stamp_i;
    // verilator lint_on BLKSEQ
  end

  logic [63:0] until_then;
  always_comb begin
    warm_o = '0;
    until_then = '0;
    if (on_i) begin
      for (int unsigned o = 0; o < N; o++) begin
        until_then = lit_until[AtW'(o*N)+AtW'(input_next_i[o])];
        // A flap locks the pair again that is UP in this very cycle.
        if (up_i[o] & input_next_i[o] == input_i[o]) warm_o[o] = warm_time_i != '0;
        else warm_o[o] = until_then != '0 & stamp_i - until_then < 64'(warm_time_i);
      end
    end
  end
endmodule
