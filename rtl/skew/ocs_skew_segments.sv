// Segments, from what is known of each output's input: what ocs_segments does (section 8).
//
// SPDX-License-Identifier: Apache-2.0
module ocs_skew_segments #(
    /// Ports, 2 to 256.
    parameter int unsigned N   = 16,
    localparam int unsigned InW = $clog2(N)
) (
    input  logic           clk_i,   ///< clock, rising edge
    input  logic           rst_ni,  ///< synchronous reset, active low
    /// The fabric moves at this edge.
    input  logic           go_i,
    /// Whole bursts fill no segment.
    input  logic           brief_i,
    /// Outputs: words pass, what they select, if anything; of that input a word of its engine, its index, whether that is 0, name of
    /// the burst.
    input  logic [N-1:0]   passes_i,
    input  logic [N-1:0]   valid_i,
    input  logic [InW-1:0] input_i[N],
    input  logic [N-1:0]   word_i,
    input  logic [31:0]    index_i[N],
    input  logic [N-1:0]   zero_i,
    input  logic [15:0]    tag_i[N],
    /// The output stops passing words or enters UP anew, or the burst ends or starts.
    input  logic [N-1:0]   closes_i,
    /// Inputs: the last word of a burst is offered.
    input  logic [N-1:0]   last_i,
    /// Full bits that are cleared at this edge.
    input  logic [N-1:0]   clear_i,

    /// Last segment of each output.
    output logic [InW-1:0] input_o[N],
    output logic [15:0]    tag_o[N],
    output logic [31:0]    first_o[N],
    output logic [31:0]    count_o[N],
    output logic [N-1:0]   full_o,
    /// A full one is overwritten at this edge.
    output logic           overrun_o,
    /// Inputs whose burst ends at this edge and was passed whole by every output that selects them, at least one.
    output logic [N-1:0]   whole_o
);
  if (N < 2 || N > 256) begin : g_ports_in_range
    $error("ocs_skew_segments: N must be from 2 to 256");
  end

  logic [31:0] grow_count_q[N], grow_count_d[N], count_now[N];  // words of the segment that grows
  // Modulo 2^32, as words are counted: it has any; it has 2^32 - 1; it has any with this edge's word.
  logic [N-1:0] grows_q, grows_d, most_q, most_d, any_now;
  logic [N-1:0] zero_q, zero_d;  // its first word has index 0
  logic [InW-1:0] input_q[N], input_d[N];
  logic [15:0] tag_q[N], tag_d[N];
  logic [31:0] first_q[N], count_q[N], first_d[N], count_d[N];
  logic [N-1:0] full_q, ended;
  logic [N-1:0] selected, partly, filled;  // inputs: selected; by an output that did not pass all words. What is to be read

  always_comb begin
    for (int unsigned o = 0; o < N; o++) begin
      any_now[o] = word_i[o] ? ~most_q[o] : grows_q[o];
      ended[o] = go_i & passes_i[o] & any_now[o] & closes_i[o];
      count_now[o] = grow_count_q[o] + 32'(word_i[o]);
      grow_count_d[o] = ended[o] ? '0 : go_i & passes_i[o] ? count_now[o] : grow_count_q[o];
      grows_d[o] = ~ended[o] & (go_i & passes_i[o] ? any_now[o] : grows_q[o]);
      most_d[o] = ~ended[o] & (go_i & passes_i[o] & word_i[o] ? grow_count_q[o] == 32'hffff_fffe : most_q[o]);
      zero_d[o] = grows_q[o] ? zero_q[o] : zero_i[o];
      input_d[o] = ended[o] ? input_i[o] : input_q[o];
      tag_d[o] = ended[o] ? tag_i[o] : tag_q[o];
      first_d[o] = ended[o] ? index_i[o] - grow_count_q[o] : first_q[o];
      count_d[o] = ended[o] ? count_now[o] : count_q[o];
    end
  end

  always_comb begin
    selected = '0;
    partly = '0;
    for (int unsigned i = 0; i < N; i++)
      for (int unsigned o = 0; o < N; o++)
        if (valid_i[o] & input_i[o] == InW'(i)) begin
          selected[i] = 1'b1;
          if (~ended[o] | ~zero_d[o]) partly[i] = 1'b1;
        end
    whole_o = brief_i ? last_i & selected & ~partly : '0;
    for (int unsigned o = 0; o < N; o++) filled[o] = ended[o] & ~whole_o[input_i[o]];
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      full_q <= '0;
      {grows_q, most_q, zero_q} <= '0;
      grow_count_q <= '{default: '0};
      input_q <= '{default: '0};
      tag_q <= '{default: '0};
      first_q <= '{default: '0};
      count_q <= '{default: '0};
    end else begin
      full_q <= (full_q & ~clear_i) | filled;
      grows_q <= grows_d;
      most_q <= most_d;
      zero_q <= zero_d;
      grow_count_q <= grow_count_d;
      input_q <= input_d;
      tag_q <= tag_d;
      first_q <= first_d;
      count_q <= count_d;
    end
  end

  assign overrun_o = |(full_q & ended);
  assign input_o = input_q;
  assign tag_o = tag_q;
  assign first_o = first_q;
  assign count_o = count_q;
  assign full_o = full_q;
endmodule
