// PAIR memory: cycles that an output needs more when its new input is i; one row an output, all rows read at once.
//
// SPDX-License-Identifier: Apache-2.0
module ocs_pair #(
    /// Ports, 2 to 256.
    parameter int unsigned N   = 16,
    /// 1: a memory a row, so that an FPGA has small ones; 0: one of all rows, which a simulator looks up fast.
    parameter int unsigned Rows = 0,
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
    /// The fabric looks up the entry of each output and this input (0 unless `lookup_i`).
    input  logic           lookup_i,
    input  logic [InW-1:0] input_i[N],
    output logic [29:0]    pair_o[N]
);
  if (N < 2 || N > 256) begin : g_ports_in_range
    $error("ocs_pair: N must be from 2 to 256");
  end

  if (Rows > 1) begin : g_rows_in_range
    $error("ocs_pair: Rows must be 0 or 1");
  end

  // Entries read 0 after power-up; they survive a soft reset. They are loaded by `always`, since always_ff may not share
  // its variables with an initial block.
  logic [29:0] entry;  // after a write
  assign entry = (read_o & ~biten_i[29:0]) | (data_i[29:0] & biten_i[29:0]);

  if (Rows == 0) begin : g_one
    logic [29:0] mem[N*N];
    initial for (int unsigned e = 0; e < N * N; e++) mem[e] = '0;

    localparam int unsigned AtW = $clog2(N * N);
    logic [AtW-1:0] at;
    assign at = AtW'(32'(output_i) * N + 32'(column_i));
    assign read_o = mem[at];
    always @(posedge clk_i) if (write_i) mem[at] <= entry;

    always_comb begin
      for (int unsigned o = 0; o < N; o++) pair_o[o] = '0;
      if (lookup_i) for (int unsigned o = 0; o < N; o++) pair_o[o] = mem[AtW'(o*N)+AtW'(input_i[o])];
    end
  end else begin : g_rows
    logic [29:0] row_read[N];
    assign read_o = row_read[output_i[InW-1:0]];
    for (genvar o = 0; o < N; o++) begin : g_row
      logic [29:0] mem[N];
      initial for (int unsigned i = 0; i < N; i++) mem[i] = '0;

      assign row_read[o] = mem[column_i[InW-1:0]];
      always @(posedge clk_i) if (write_i & output_i == 8'(o)) mem[column_i[InW-1:0]] <= entry;
      assign pair_o[o] = lookup_i ? mem[input_i[o]] : '0;
    end
  end

  logic unused;
  assign unused = &{1'b0, output_i, column_i, data_i[31:30], biten_i[31:30]};
endmodule
