// What a read names in a stage: one of several words, kept until the next access, so that a later stage can answer.
//
// Of four words at a time one is chosen at the first edge, and at the second one of these, so that neither is a long way.
//
// SPDX-License-Identifier: Apache-2.0
module ocs_skew_pick #(
    /// Words, at least 1.
    parameter int unsigned Count = 1,
    /// Bits of a word, at least 1.
    parameter int unsigned Width = 1
) (
    input  logic                        clk_i,    ///< clock, rising edge
    /// There is a read in this stage, and the word that it names: one bit is set, or none, which gives 0.
    input  logic                        take_i,
    input  logic [Count-1:0]            named_i,
    input  logic [Count-1:0][Width-1:0] words_i,
    output logic [Width-1:0]            word_o    ///< the word of the last read, two edges later
);
  if (Count < 1) begin : g_count_in_range
    $error("ocs_skew_pick: Count must be at least 1");
  end
  if (Width < 1) begin : g_width_in_range
    $error("ocs_skew_pick: Width must be at least 1");
  end

  localparam int unsigned Parts = (Count + 3) / 4;
  logic [Parts-1:0][Width-1:0] part, part_q;
  logic [Width-1:0] word;
  always_comb begin
    for (int unsigned k = 0; k < Parts; k++) part[k] = '0;
    for (int unsigned k = 0; k < Count; k++) part[k/4] |= words_i[k] & {Width{named_i[k]}};
    word = '0;
    for (int unsigned k = 0; k < Parts; k++) word |= part_q[k];
  end
`ifdef OCS_AT_ONCE
  assign part_q = part;  // all stages are one (ocs_skew_delay)
  assign word_o = word;
  logic unused_clock;
  assign unused_clock = &{1'b0, clk_i, take_i};
`else
  always_ff @(posedge clk_i) begin
    if (take_i) part_q <= part;
    word_o <= word;
  end
`endif
endmodule
