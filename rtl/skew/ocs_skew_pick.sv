// What a read names in a stage: one of several words, kept until the next access, so that a later stage can answer.
//
// SPDX-License-Identifier: Apache-2.0
module ocs_skew_pick #(
    /// Words, at least 1.
    parameter int unsigned Count = 1,
    /// Bits of a word, at least 1.
    parameter int unsigned Width = 1,
    localparam int unsigned AtW = Count == 1 ? 1 : $clog2(Count)
) (
    input  logic                        clk_i,   ///< clock, rising edge
    /// There is a read in this stage, and the word that it names.
    input  logic                        take_i,
    input  logic [AtW-1:0]              at_i,
    input  logic [Count-1:0][Width-1:0] words_i,
    output logic [Width-1:0]            word_o   ///< the word of the last read, one edge later
);
  if (Count < 1) begin : g_count_in_range
    $error("ocs_skew_pick: Count must be at least 1");
  end
  if (Width < 1) begin : g_width_in_range
    $error("ocs_skew_pick: Width must be at least 1");
  end

  logic [Width-1:0] word;
  if (Count == 1) begin : g_one
    assign word = words_i[0];
    logic unused;
    assign unused = &{1'b0, at_i};
  end else begin : g_several
    assign word = words_i[at_i];
  end
`ifdef OCS_AT_ONCE
  assign word_o = word;  // all stages are one (ocs_skew_delay)
  logic unused_clock;
  assign unused_clock = &{1'b0, clk_i, take_i};
`else
  always_ff @(posedge clk_i) if (take_i) word_o <= word;
`endif
endmodule
