// Burst engines for edges of one cycle: what ocs_engines does, with sums and comparisons known before (section 8).
//
// Whether a word is offered is known late in a cycle. So words left and repeats left are counted an edge later, by what
// the last edge has found, and a gap is at hand before it begins.
//
// SPDX-License-Identifier: Apache-2.0
module ocs_skew_engines
  import ocs_pkg::*;
#(
    /// Ports, 2 to 256.
    parameter int unsigned N = 16
) (
    input  logic         clk_i,   ///< clock, rising edge
    input  logic         rst_ni,  ///< synchronous reset, active low
    /// The fabric moves at this edge, by one cycle.
    input  logic         go_i,
    /// START and STOP act at this edge; launches of the sequencer act like START.
    input  logic [N-1:0] start_i,
    input  logic [N-1:0] stop_i,
    input  logic [N-1:0] launch_i,
    /// Settings; all but rate and external are copied at START. RATE - 40000: negative below full rate.
    input  burst_cfg_t   burst_cfg_i[N],
    input  logic [16:0]  over_i[N],
    /// Pin: a word is on this input (looked at while EXTERNAL is set).
    input  logic [N-1:0] valid_i,
    /// At least one output selects this input and all that do are UP.
    input  logic [N-1:0] light_i,

    /// Present state, name of the burst, index of its next word.
    output engine_e      state_o[N],
    output logic [15:0]  tag_o[N],
    output logic [31:0]  index_o[N],
    /// At this edge: a word is offered, by the engine alone, and at all; the burst is DONE; the engine is started or goes OFF.
    output logic [N-1:0] burst_word_o,
    output logic [N-1:0] word_o,
    output logic [N-1:0] done_o,
    output logic [N-1:0] ending_o,
    /// The word is the burst's last one, and no other burst is started; the index of the next word is 0.
    output logic [N-1:0] last_o,
    output logic [N-1:0] first_o
);
  if (N < 2 || N > 256) begin : g_ports_in_range
    $error("ocs_skew_engines: N must be from 2 to 256");
  end

  engine_e state_q[N], state_d[N];
  logic [31:0] len_q[N], gap_q[N], index_q[N], left_q[N], repeats_q[N], wait_q[N];
  logic [31:0] len_d[N], gap_d[N], index_d[N], left_d[N], repeats_d[N], wait_d[N];
  logic [15:0] tag_q[N], tag_d[N], acc_q[N], acc_d[N];
  logic [N-1:0] gated_q, gated_d;
  logic [N-1:0] last_word_q, last_wait_q, again_q, gap_next_q;   // one word is left; one cycle of GAP; a repeat; a gap before it
  logic [N-1:0] last_word_d, last_wait_d, again_d, gap_next_d;
  logic [N-1:0] one_word_q, two_words_q, one_wait_q, one_word_d, two_words_d, one_wait_d;  // a burst has one word or two; a gap has one cycle
  logic [N-1:0] offered_q, renewed_q, offered_d, renewed_d;  // at the last edge a word was offered that left others; the burst began again

  logic [N-1:0] two_left, one_repeat;  // two words are left of the burst; one repeat
  always_comb begin
    for (int unsigned i = 0; i < N; i++) begin
      two_left[i] = renewed_q[i] ? two_words_q[i] : left_q[i] == (offered_q[i] ? 32'd3 : 32'd2);
      one_repeat[i] = repeats_q[i] == (renewed_q[i] ? 32'd2 : 32'd1);
    end
  end

  logic [N-1:0] open, full, word, ends, start;
  logic [17:0] sum[N];  // of what there is of a word, less a whole one; with its sign
  always_comb begin
    for (int unsigned i = 0; i < N; i++) begin
      open[i] = go_i & state_q[i] == Send & (~gated_q[i] | light_i[i]);
      full[i] = ~over_i[i][16];
      sum[i] = {2'b00, acc_q[i]} + {over_i[i][16], over_i[i]};
      word[i] = open[i] & (full[i] | ~sum[i][17]);
      ends[i] = word[i] & last_word_q[i];
      start[i] = go_i & (start_i[i] | launch_i[i]) & ~burst_cfg_i[i].external;
    end
  end

  always_comb begin
    for (int unsigned i = 0; i < N; i++) begin
      state_d[i] = state_q[i];
      len_d[i] = len_q[i];
      gap_d[i] = gap_q[i];
      index_d[i] = word[i] ? index_q[i] + 32'd1 : index_q[i];
      offered_d[i] = word[i] & ~ends[i];
      renewed_d[i] = ends[i] & again_q[i];
      left_d[i] = renewed_q[i] ? len_q[i] : offered_q[i] ? left_q[i] - 32'd1 : left_q[i];
      repeats_d[i] = renewed_q[i] ? repeats_q[i] - 32'd1 : repeats_q[i];
      wait_d[i] = state_q[i] != Gap ? gap_q[i] : go_i ? wait_q[i] - 32'd1 : wait_q[i];
      tag_d[i] = tag_q[i];
      gated_d[i] = gated_q[i];
      acc_d[i] = ~open[i] | full[i] ? acc_q[i] : sum[i][17] ? acc_q[i] + burst_cfg_i[i].rate : sum[i][15:0];
      last_word_d[i] = renewed_d[i] ? one_word_q[i] : word[i] ? two_left[i] : last_word_q[i];
      last_wait_d[i] = state_q[i] != Gap ? one_wait_q[i] : go_i ? wait_q[i] == 32'd2 : last_wait_q[i];
      again_d[i] = renewed_d[i] ? ~one_repeat[i] : again_q[i];
      gap_next_d[i] = gap_next_q[i];
      one_word_d[i] = one_word_q[i];
      two_words_d[i] = two_words_q[i];
      one_wait_d[i] = one_wait_q[i];
      if (ends[i]) state_d[i] = ~again_q[i] ? Off : gap_next_q[i] ? Gap : Send;
      if (go_i & state_q[i] == Gap & last_wait_q[i]) state_d[i] = Send;
      if (go_i & (stop_i[i] | burst_cfg_i[i].external)) state_d[i] = Off;
      done_o[i] = state_q[i] != Off & state_d[i] == Off;
      ending_o[i] = done_o[i] | start[i];
      if (start[i]) begin
        done_o[i] = burst_cfg_i[i].len == '0;
        len_d[i] = burst_cfg_i[i].len;
        gap_d[i] = burst_cfg_i[i].gap;
        repeats_d[i] = burst_cfg_i[i].repeats;
        tag_d[i] = burst_cfg_i[i].tag;
        gated_d[i] = burst_cfg_i[i].gated;
        index_d[i] = '0;
        acc_d[i] = '0;
        left_d[i] = burst_cfg_i[i].len;
        wait_d[i] = burst_cfg_i[i].gap;
        {offered_d[i], renewed_d[i]} = '0;
        last_word_d[i] = burst_cfg_i[i].len == 32'd1;
        one_word_d[i] = burst_cfg_i[i].len == 32'd1;
        two_words_d[i] = burst_cfg_i[i].len == 32'd2;
        last_wait_d[i] = burst_cfg_i[i].gap == 32'd1;
        one_wait_d[i] = burst_cfg_i[i].gap == 32'd1;
        gap_next_d[i] = burst_cfg_i[i].gap != '0;
        again_d[i] = burst_cfg_i[i].repeats != '0;
        state_d[i] = burst_cfg_i[i].len == '0 ? Off : burst_cfg_i[i].gap != '0 ? Gap : Send;
      end
      last_o[i] = ends[i] & ~again_q[i] & ~start[i];
      first_o[i] = index_q[i] == '0;
      burst_word_o[i] = word[i];
      word_o[i] = word[i] | (go_i & burst_cfg_i[i].external & valid_i[i]);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      gated_q <= '0;
      {last_word_q, last_wait_q, again_q, gap_next_q, one_word_q, two_words_q, one_wait_q} <= '0;
      {offered_q, renewed_q} <= '0;
      state_q <= '{default: Off};
      len_q <= '{default: '0};
      gap_q <= '{default: '0};
      index_q <= '{default: '0};
      left_q <= '{default: '0};
      repeats_q <= '{default: '0};
      wait_q <= '{default: '0};
      tag_q <= '{default: '0};
      acc_q <= '{default: '0};
    end else begin
      gated_q <= gated_d;
      last_word_q <= last_word_d;
      last_wait_q <= last_wait_d;
      again_q <= again_d;
      gap_next_q <= gap_next_d;
      one_word_q <= one_word_d;
      two_words_q <= two_words_d;
      offered_q <= offered_d;
      renewed_q <= renewed_d;
      one_wait_q <= one_wait_d;
      state_q <= state_d;
      len_q <= len_d;
      gap_q <= gap_d;
      index_q <= index_d;
      left_q <= left_d;
      repeats_q <= repeats_d;
      wait_q <= wait_d;
      tag_q <= tag_d;
      acc_q <= acc_d;
    end
  end

  assign state_o = state_q;
  assign tag_o = tag_q;
  assign index_o = index_q;
endmodule
