// Checks of the burst engines: words stay within bursts and rates, bounds hold, DONE is told (section 8).
//
// SPDX-License-Identifier: Apache-2.0
`include "ocs_checks.svh"
module ocs_engines_checks
  import ocs_pkg::*;
#(
    parameter int unsigned N = 16
) (
    input logic         clk_i,
    input logic         rst_ni,
    input logic [31:0]  step_i,
    input logic [N-1:0] start_i,
    input logic [N-1:0] stop_i,
    input logic [N-1:0] launch_i,
    input burst_cfg_t   burst_cfg_i[N],
    input logic [N-1:0] valid_i,
    input logic [31:0]  burst_words_o[N],
    input logic [31:0]  words_o[N],
    input logic [N-1:0] done_o,
    input logic [N-1:0] ending_o,
    input logic [31:0]  bound_o[N],
    // inside
    input engine_e      state_q[N],
    input engine_e      state_d[N],
    input logic [31:0]  len_q[N],
    input logic [31:0]  left_q[N],
    input logic [31:0]  wait_q[N],
    input logic [31:0]  repeats_q[N],
    input logic [15:0]  acc_q[N],
    input logic [31:0]  index_q[N],
    input logic [31:0]  index_d[N],
    input logic [N-1:0] gated_q,
    input logic [N-1:0] open
);
  logic go;
  assign go = step_i != 0;
  logic [N-1:0] external, starts, finishes, offered;
  logic [N-1:0] fits, sane, inside_burst, counted, told, silent;
  always_comb begin
    for (int unsigned i = 0; i < N; i++) begin
      external[i] = burst_cfg_i[i].external;
      starts[i] = (start_i[i] | launch_i[i]) & ~burst_cfg_i[i].external;
      finishes[i] = open[i] & burst_words_o[i] == left_q[i];
      offered[i] = burst_words_o[i] != 0;
      fits[i] = step_i <= bound_o[i];
      sane[i] = acc_q[i] < FullRate & state_q[i] <= Send & (state_q[i] == Off | (left_q[i] != 0 & len_q[i] != 0)) &
                (state_q[i] != Gap | wait_q[i] != 0);
      inside_burst[i] = burst_words_o[i] <= step_i & (~offered[i] | (open[i] & burst_words_o[i] <= left_q[i]));
      counted[i] = starts[i] | index_d[i] == index_q[i] + burst_words_o[i];
      told[i] = done_o[i] == (state_d[i] == Off & (starts[i] ? burst_cfg_i[i].len == 0 : state_q[i] != Off));
      silent[i] = ~burst_cfg_i[i].external | (~starts[i] & state_d[i] == Off);
    end
  end

  logic [N-1:0] full, slow, still, above, repeats, gap, gap_next, running, send;
  always_comb begin
    for (int unsigned i = 0; i < N; i++) begin
      full[i] = burst_cfg_i[i].rate == FullRate;
      above[i] = burst_cfg_i[i].rate > FullRate;
      still[i] = burst_cfg_i[i].rate == 0;
      slow[i] = ~full[i] & ~above[i] & ~still[i];
      repeats[i] = repeats_q[i] != 0;
      gap[i] = state_q[i] == Gap;
      gap_next[i] = state_d[i] == Gap;
      running[i] = state_q[i] != Off;
      send[i] = state_q[i] == Send;
    end
  end
  logic [N-1:0] both, leaps;
  always_comb for (int unsigned i = 0; i < N; i++) begin
    both[i] = burst_cfg_i[i].external & valid_i[i] & offered[i] & words_o[i] == 32'd1;
    leaps[i] = slow[i] & burst_words_o[i] > 32'd1;
  end

  always_ff @(posedge clk_i) if (rst_ni) begin
    // ---- its users ----
    use_step_within_bounds: `OCS_USE (&fits);
    use_one_cycle_with_pins: `OCS_USE (~|external | step_i <= 1);
    // ---- itself ----
    own_state_sane: assert (&sane);
    own_words_within_the_burst: assert (~go | &inside_burst);
    own_index_counts_words: assert (~go | &counted);
    own_done_is_told: assert (~go | &told);
    own_ending_covers_done: assert (~go | ~|(done_o & ~ending_o));
    own_external_holds: assert (~go | &silent);
    own_bus_edge_is_silent: assert (go | (~|offered & ~|done_o & ~|ending_o));
    // ---- seen ----
    see_full_rate: cover (|(open & full & offered));
    see_rate_above_full: cover (|(open & above & offered));
    see_rate_below_full: cover (|(open & slow & offered));
    see_leap_below_full: cover (|leaps);
    see_rate_zero: cover (go & |(open & still));
    see_gate_closed: cover (go & |(send & gated_q & ~open));
    see_gap_ends: cover (go & |(gap & ~gap_next));
    see_repeat_with_gap: cover (go & |(finishes & repeats & gap_next));
    see_repeat_without_gap: cover (go & |(finishes & repeats & ~gap_next));
    see_burst_done: cover (go & |(finishes & ~repeats & done_o));
    see_restart: cover (go & |(starts & running & ~done_o));
    see_start_and_stop: cover (go & |(starts & stop_i));
    see_start_where_it_finishes: cover (go & |(starts & finishes));
    see_stop: cover (go & |(stop_i & running & done_o & ~finishes));
    see_stop_where_it_finishes: cover (go & |(stop_i & finishes));
    see_stop_when_off: cover (go & |(stop_i & ~running));
    see_length_zero: cover (go & |(starts & done_o));
    see_launch: cover (go & |launch_i);
    see_external_ends_a_burst: cover (go & |(external & done_o));
    see_external_ignores_start: cover (go & |(external & start_i));
    see_pin_word: cover (go & |(external & valid_i & ~offered));
    see_pin_and_engine_are_one_word: cover (go & |both);
    see_bus_edge_while_sending: cover (~go & |send);
  end
endmodule
bind ocs_engines ocs_engines_checks #(.N(N)) u_checks (.*);
