// Burst engines, one an input: when words are offered (section 8).
//
// An edge on which a gap or a repeat ends is the last cycle of its interval, which the horizon guarantees.
//
// SPDX-License-Identifier: Apache-2.0
module ocs_engines
  import ocs_pkg::*;
#(
    /// Ports, 2 to 256.
    parameter int unsigned N = 16
) (
    input  logic         clk_i,   ///< clock, rising edge
    input  logic         rst_ni,  ///< synchronous reset, active low
    /// Cycles that this edge stands for; 0: the fabric stands still.
    input  logic [31:0]  step_i,
    /// START and STOP act at this edge; launches of the sequencer act like START.
    input  logic [N-1:0] start_i,
    input  logic [N-1:0] stop_i,
    input  logic [N-1:0] launch_i,
    /// Settings; all but rate and external are copied at START.
    input  burst_cfg_t   burst_cfg_i[N],
    /// Pin: a word is on this input (looked at while EXTERNAL is set).
    input  logic [N-1:0] valid_i,
    /// At least one output selects this input and all that do are UP.
    input  logic [N-1:0] light_i,

    /// Present state, name of the burst, index of its next word.
    output engine_e      state_o[N],
    output logic [15:0]  tag_o[N],
    output logic [31:0]  index_o[N],
    /// At this edge: words offered, by the engine alone and in all; the burst is DONE; the engine is started or goes OFF.
    output logic [31:0]  burst_words_o[N],
    output logic [31:0]  words_o[N],
    output logic [N-1:0] done_o,
    output logic [N-1:0] ending_o,
    /// Its last word is among them, and no other burst is started.
    output logic [N-1:0] last_o,
    /// Bounds on a step, one an input.
    output logic [31:0]  bound_o[N]
);
  if (N < 2 || N > 256) begin : g_ports_in_range
    $error("ocs_engines: N must be from 2 to 256");
  end

  engine_e state_q[N], state_d[N];
  logic [31:0] len_q[N], gap_q[N], index_q[N], left_q[N], repeats_q[N], wait_q[N];
  logic [31:0] len_d[N], gap_d[N], index_d[N], left_d[N], repeats_d[N], wait_d[N];
  logic [15:0] tag_q[N], tag_d[N], acc_q[N], acc_d[N];
  logic [N-1:0] gated_q, gated_d;

  function automatic logic [15:0] at_most_full(input logic [15:0] rate);
    return rate > FullRate ? FullRate : rate;
  endfunction

  logic [N-1:0] open;
  always_comb for (int unsigned i = 0; i < N; i++) open[i] = state_q[i] == Send & (~gated_q[i] | light_i[i]);

  logic [48:0] total;  // acc + step * q
  logic [31:0] words;
  logic running, start;
  always_comb begin
    done_o = '0;
    ending_o = '0;
    last_o = '0;
    gated_d = gated_q;
    total = '0;
    words = '0;
    running = 1'b0;
    start = 1'b0;
    for (int unsigned i = 0; i < N; i++) begin
      state_d[i] = state_q[i];
      len_d[i] = len_q[i];
      gap_d[i] = gap_q[i];
      index_d[i] = index_q[i];
      left_d[i] = left_q[i];
      repeats_d[i] = repeats_q[i];
      wait_d[i] = wait_q[i];
      tag_d[i] = tag_q[i];
      acc_d[i] = acc_q[i];
      burst_words_o[i] = '0;
      words_o[i] = '0;
    end
    if (step_i != 0) begin
      for (int unsigned i = 0; i < N; i++) begin
        running = state_q[i] != Off;
        words = '0;
        if (open[i]) begin
          if (at_most_full(burst_cfg_i[i].rate) == FullRate) begin
            words = step_i;
          end else begin
            total = 49'(acc_q[i]) + 49'(step_i) * 49'(burst_cfg_i[i].rate);
            words = 32'(total / 49'(FullRate));
            acc_d[i] = 16'(total - 49'(words) * 49'(FullRate));
          end
          index_d[i] = index_q[i] + words;
          left_d[i] = left_q[i] - words;
          if (words == left_q[i]) begin
            if (repeats_q[i] != 0) begin
              repeats_d[i] = repeats_q[i] - 1;
              left_d[i] = len_q[i];
              wait_d[i] = gap_q[i];
              state_d[i] = gap_q[i] != 0 ? Gap : Send;
            end else begin
              state_d[i] = Off;
              last_o[i] = 1'b1;
            end
          end
        end
        if (state_q[i] == Gap) begin
          wait_d[i] = wait_q[i] - step_i;
          if (wait_q[i] == step_i) state_d[i] = Send;
        end
        if (stop_i[i] | burst_cfg_i[i].external) state_d[i] = Off;
        done_o[i] = running & state_d[i] == Off;
        start = (start_i[i] | launch_i[i]) & ~burst_cfg_i[i].external;
        ending_o[i] = done_o[i] | start;
        if (start) begin
          done_o[i] = burst_cfg_i[i].len == 0;
          last_o[i] = 1'b0;
          len_d[i] = burst_cfg_i[i].len;
          gap_d[i] = burst_cfg_i[i].gap;
          repeats_d[i] = burst_cfg_i[i].repeats;
          tag_d[i] = burst_cfg_i[i].tag;
          gated_d[i] = burst_cfg_i[i].gated;
          index_d[i] = '0;
          acc_d[i] = '0;
          left_d[i] = burst_cfg_i[i].len;
          wait_d[i] = burst_cfg_i[i].gap;
          state_d[i] = burst_cfg_i[i].len == 0 ? Off : burst_cfg_i[i].gap != 0 ? Gap : Send;
        end
        burst_words_o[i] = words;
        words_o[i] = words | {31'd0, burst_cfg_i[i].external & valid_i[i]};
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      gated_q <= '0;
      state_q <= '{default: Off};
      len_q <= '{default: '0};
      gap_q <= '{default: '0};
      index_q <= '{default: '0};
      left_q <= '{default: '0};
      repeats_q <= '{default: '0};
      wait_q <= '{default: '0};
      tag_q <= '{default: '0};
      acc_q <= '{default: '0};
    end else if (step_i != 0) begin
      gated_q <= gated_d;
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

  // ---- bounds: exact at full rate, else a bound that closes in by halves, without a divider ---------------------------
  logic [47:0] need, halves;
  logic [15:0] rate;
  logic [4:0] power;
  always_comb begin
    need = '0;
    halves = '0;
    rate = '0;
    power = '0;
    for (int unsigned i = 0; i < N; i++) begin
      bound_o[i] = Unbounded;
      rate = at_most_full(burst_cfg_i[i].rate);
      if (burst_cfg_i[i].external) begin
        bound_o[i] = 32'd1;
      end else if (state_q[i] == Gap) begin
        bound_o[i] = wait_q[i];
      end else if (open[i] & rate == FullRate) begin
        bound_o[i] = left_q[i];
      end else if (open[i] & rate != 0) begin
        power = '0;
        for (int unsigned m = 0; m < 16; m++) if (rate > 16'(1 << m)) power = 5'(m + 1);
        need = 48'(left_q[i]) * 48'(FullRate) - 48'(acc_q[i]);
        halves = (need + (48'd1 << power) - 48'd1) >> power;
        if (halves >= 48'(Unbounded)) bound_o[i] = Unbounded;
        else bound_o[i] = halves[31:0] > left_q[i] ? halves[31:0] : left_q[i];
      end
    end
  end

  assign state_o = state_q;
  assign tag_o = tag_q;
  assign index_o = index_q;
endmodule
