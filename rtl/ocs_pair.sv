// PAIR memory: cycles that an output needs more when its new input is i; one row an output, all rows read at once.
//
// SPDX-License-Identifier: Apache-2.0
module ocs_pair #(
    /// Ports, 2 to 256.
    parameter int unsigned N   = 16,
    localparam int unsigned InW = $clog2(N)
) (
    input  logic           clk_i,  ///< clock, rising edge
    /// Write at this edge, by strobes (one bit a bit).
    input  logic           write_i,
    input  logic [7:0]     output_i,
    input  logic [7:0]     column_i,
    input  logic [31:0]    data_i,
    input  logic [31:0]    biten_i,
    /// Entry that the bus reads.
    output logic [29:0]    read_o,
    /// The fabric looks up the entry of each output and its next input (0 unless `lookup_i`).
    input  logic           lookup_i,
    input  logic [InW-1:0] input_i[N],
    output logic [29:0]    pair_o[N]
);
  if (N < 2 || N > 256) begin : g_ports_in_range
    $error("ocs_pair: N must be from 2 to 256");
  end

  // Reads 0 after power-up; survives a soft reset.
  logic [29:0] mem[N*N];
  initial for (int unsigned e = 0; e < N * N; e++) mem[e] = '0;

  localparam int unsigned AtW = $clog2(N * N);
  logic [AtW-1:0] at;
  assign at = AtW'(32'(output_i) * N + 32'(column_i));

  always_ff @(posedge clk_i) begin
    if (write_i) mem[at] <= (mem[at] & ~biten_i[29:0]) | (data_i[29:0] & biten_i[29:0]);
  end
  assign read_o = mem[at];

  always_comb begin
    for (int unsigned o = 0; o < N; o++) pair_o[o] = '0;
    if (lookup_i) for (int unsigned o = 0; o < N; o++) pair_o[o] = mem[AtW'(o*N)+AtW'(input_i[o])];
  end

  logic unused;
  assign unused = &{1'b0, data_i[31:30], biten_i[31:30]};
endmodule
