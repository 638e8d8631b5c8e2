// Segments: which words of a burst each output passed (section 8).
//
// SPDX-License-Identifier: Apache-2.0
module ocs_segments #(
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
    /// Outputs: whether they pass words, their selection, whether they pass words after this edge, whether a state is entered.
    input  logic [N-1:0]   passes_i,
    input  logic [N-1:0]   valid_i,
    input  logic [InW-1:0] input_i[N],
    input  logic [N-1:0]   passes_next_i,
    input  logic [N-1:0]   entered_i,
    /// Inputs: words that the engine offered at this edge, index of the first, name of the burst, start or end of it,
    /// its last word.
    input  logic [31:0]    words_i[N],
    input  logic [31:0]    index_i[N],
    input  logic [15:0]    tag_i[N],
    input  logic [N-1:0]   ending_i,
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
    $error("ocs_segments: N must be from 2 to 256");
  end

  // Words of the segment that grows, and the last one that ended. The indices of a segment's words follow each other, so
  // the first one is told from the present one and their number, both modulo 2^32.
  logic [31:0] grow_count_q[N], grow_count_d[N];
  logic [InW-1:0] input_q[N], input_d[N];
  logic [15:0] tag_q[N], tag_d[N];
  logic [31:0] first_q[N], count_q[N], first_d[N], count_d[N];
  logic [N-1:0] full_q, ended;
  logic [31:0] count_now;
  logic [N-1:0] selected, partly, filled;  // inputs: selected; by an output that did not pass all words. What is to be read

  always_comb begin
    ended = '0;
    count_now = '0;
    for (int unsigned o = 0; o < N; o++) begin
      grow_count_d[o] = grow_count_q[o];
      input_d[o] = input_q[o];
      tag_d[o] = tag_q[o];
      first_d[o] = first_q[o];
      count_d[o] = count_q[o];
    end
    if (go_i) begin
      for (int unsigned o = 0; o < N; o++) begin
        if (passes_i[o]) begin
          count_now = grow_count_q[o] + words_i[input_i[o]];
          ended[o] = count_now != 0 & (~passes_next_i[o] | entered_i[o] | ending_i[input_i[o]]);
          grow_count_d[o] = ended[o] ? '0 : count_now;
          if (ended[o]) begin
            input_d[o] = input_i[o];
            tag_d[o] = tag_i[input_i[o]];
            first_d[o] = index_i[input_i[o]] - grow_count_q[o];
            count_d[o] = count_now;
          end
        end
      end
    end
  end

  always_comb begin
    selected = '0;
    partly = '0;
    for (int unsigned o = 0; o < N; o++) begin
      if (brief_i & valid_i[o]) begin
        selected[input_i[o]] = 1'b1;
        if (~ended[o] | first_d[o] != '0) partly[input_i[o]] = 1'b1;
      end
    end
    whole_o = last_i & selected & ~partly;
    for (int unsigned o = 0; o < N; o++) filled[o] = ended[o] & ~whole_o[input_i[o]];
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      full_q <= '0;
      grow_count_q <= '{default: '0};
      input_q <= '{default: '0};
      tag_q <= '{default: '0};
      first_q <= '{default: '0};
      count_q <= '{default: '0};
    end else begin
      full_q <= (full_q & ~clear_i) | filled;
      if (go_i) begin
        grow_count_q <= grow_count_d;
        input_q <= input_d;
        tag_q <= tag_d;
        first_q <= first_d;
        count_q <= count_d;
      end
    end
  end

  assign overrun_o = |(full_q & ended);
  assign input_o = input_q;
  assign tag_o = tag_q;
  assign first_o = first_q;
  assign count_o = count_q;
  assign full_o = full_q;
endmodule
