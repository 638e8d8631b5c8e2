// The fabric: everything that moves with time. One clock edge stands for `step_i` cycles (section 1).
//
// This is the counter-style core: every timer counts down, every counter counts up, on every edge. It favours being read.
//
// SPDX-License-Identifier: Apache-2.0
module ocs_core
  import ocs_pkg::*;
#(
    /// Ports, 2 to 256.
    parameter int unsigned N = 16,
    /// Entries of a sequencer bank, a power of two.
    parameter int unsigned S = 16,
    /// Records of the event FIFO, a power of two.
    parameter int unsigned FifoDepth = 64,
    localparam int unsigned InW = $clog2(N),
    localparam int unsigned EntryW = $clog2(S)
) (
    input  logic              clk_i,
    input  logic              rst_ni,
    /// Cycles that this edge stands for, at most `horizon_o`; 0: a bus edge; 1 on an FPGA.
    input  logic [31:0]       step_i,
    /// How far the next edge may jump, at least 1.
    output logic [31:0]       horizon_o,
    output logic              irq_o,
    /// Pins of EXTERNAL inputs: a word is there.
    input  logic [N-1:0]      valid_i,

    // ---- writes that complete at this edge ----
    input  logic              commit_we_i,
    input  logic              cancel_we_i,
    input  logic [1:0]        commit_at_we_i,
    input  logic              seq_go_we_i,
    input  logic              seq_swap_we_i,
    input  logic              seq_stop_we_i,
    input  logic              seq_store_we_i,
    input  logic              seed_we_i,
    input  logic [N-1:0]      start_we_i,
    input  logic [N-1:0]      stop_we_i,
    input  logic [N-1:0]      retry_we_i,
    input  logic [N-1:0]      seg_clear_i,
    input  logic [Errors-1:0] error_clear_i,
    input  logic              access_error_i,
    input  logic              event_read_i,
    input  logic [31:0]       data_i,
    input  logic [31:0]       biten_i,

    // ---- settings ----
    input  logic              all_stop_i,
    input  logic              multicast_i,
    input  logic [2:0]        irq_enable_i,
    input  logic [N-1:0]      shadow_valid_i,
    input  logic [8:0]        shadow_input_i[N],
    input  logic [29:0]       base_i[N],
    input  logic [29:0]       slow_i[N],
    input  logic [29:0]       lock_i[N],
    input  logic [29:0]       jitter_mask_i[N],
    input  logic [29:0]       flap_i[N],
    input  logic [29:0]       pair_i[N],
    output logic              pair_lookup_o,
    input  logic [N-1:0]      los_i,
    input  logic [N-1:0]      dead_i,
    input  logic [N-1:0]      stuck_i,
    input  logic [31:0]       len_i[N],
    input  logic [31:0]       gap_i[N],
    input  logic [31:0]       repeat_i[N],
    input  logic [15:0]       tag_i[N],
    input  logic [N-1:0]      gated_i,
    input  logic [15:0]       rate_i[N],
    input  logic [N-1:0]      external_i,
    input  logic [N-1:0]      launch_i,
    input  logic [31:0]       seq_offset_i,
    input  logic [63:0]       seq_base_i,
    input  logic [15:0]       seq_len_i,
    input  logic [31:0]       seq_period_i,

    // ---- state ----
    output logic [63:0]       time_o,
    output logic [63:0]       commit_at_o,
    output logic [31:0]       event_o,
    output logic [63:0]       event_time_o,
    output logic [3:0]        status_o,
    output logic [Errors-1:0] error_o,
    output logic [2:0]        irq_status_o,
    output logic [N-1:0]      valid_o,
    output logic [InW-1:0]    input_o[N],
    output logic [N-1:0]      valid_next_o,
    output logic [InW-1:0]    input_next_o[N],
    output logic [2:0]        state_o[N],
    output logic [1:0]        cause_o[N],
    output logic [1:0]        engine_o[N],
    output logic [InW-1:0]    seg_input_o[N],
    output logic [15:0]       seg_tag_o[N],
    output logic [31:0]       seg_first_o[N],
    output logic [31:0]       seg_count_o[N],
    output logic [N-1:0]      seg_full_o,
    // ---- counters ----
    output logic [63:0]       passed_o[N],
    output logic [63:0]       lost_o[N],
    output logic [63:0]       dark_o[N],
    output logic [63:0]       tunings_o[N],
    output logic [63:0]       restarts_o[N],
    output logic [63:0]       sent_o[N],
    output logic [63:0]       unrouted_o[N],
    output logic [63:0]       commits_o,
    output logic [63:0]       refused_o,
    output logic [63:0]       late_o,
    output logic [63:0]       dropped_o
);
  if (N < 2 || N > 256) begin : g_ports_in_range
    $error("ocs_core: N must be from 2 to 256");
  end

  // ---- time ---------------------------------------------------------------------------------------------------------------
  logic [63:0] time_q, last;  // present cycle; last cycle of the interval that this edge stands for
  logic [31:0] step;
  logic go, step_error;
  assign step_error = step_i > horizon_o;
  assign step = step_error ? '0 : step_i;
  assign go = step != 0;
  assign last = time_q + 64'(step) - 64'd1;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) time_q <= '0;
    else time_q <= time_q + 64'(step);
  end

  // ---- commands and commits -----------------------------------------------------------------------------------------------
  logic sw, armed, sw_done, timed_done, seq_go, seq_swap, seq_stop, seq_due, seq_late, seq_running, wrap;
  logic taken, refused, late, range, conflict;
  logic [1:0] source;
  logic [N-1:0] start, stop, retry, launch, row_valid, map_valid;
  logic [8:0] row_input[N];
  logic [InW-1:0] map_input[N];
  logic [31:0] pending_bound, timed_bound, seq_bound;

  ocs_commands #(.N(N)) u_commands (
      .clk_i, .rst_ni,
      .go_i(go), .time_i(time_q),
      .commit_we_i, .cancel_we_i, .commit_at_we_i,
      .go_we_i(seq_go_we_i), .swap_we_i(seq_swap_we_i), .stop_we_i(seq_stop_we_i),
      .start_we_i, .halt_we_i(stop_we_i), .retry_we_i,
      .data_i, .biten_i,
      .sw_done_i(sw_done), .timed_done_i(timed_done),
      .sw_o(sw), .armed_o(armed), .commit_at_o,
      .seq_go_o(seq_go), .seq_swap_o(seq_swap), .seq_stop_o(seq_stop),
      .start_o(start), .stop_o(stop), .retry_o(retry),
      .pending_bound_o(pending_bound), .timed_bound_o(timed_bound)
  );

  ocs_sequencer #(.N(N), .S(S)) u_sequencer (
      .clk_i, .rst_ni,
      .go_i(go), .last_i(last), .time_i(time_q),
      .seq_go_i(seq_go), .seq_swap_i(seq_swap), .seq_stop_i(seq_stop),
      .base_i(seq_base_i), .len_i(seq_len_i), .period_i(seq_period_i),
      .store_i(seq_store_we_i), .entry_i(data_i[EntryW-1:0]), .offset_i(seq_offset_i), .launch_i,
      .map_valid_i(shadow_valid_i), .map_input_i(shadow_input_i),
      .running_o(seq_running), .due_o(seq_due), .late_o(seq_late),
      .row_valid_o(row_valid), .row_input_o(row_input),
      .launch_o(launch), .wrap_o(wrap), .bound_o(seq_bound)
  );

  ocs_commit #(.N(N)) u_commit (
      .go_i(go), .last_i(last),
      .sw_i(sw), .armed_i(armed), .commit_at_i(commit_at_o), .seq_i(seq_due), .seq_late_i(seq_late),
      .shadow_valid_i, .shadow_input_i, .row_valid_i(row_valid), .row_input_i(row_input), .multicast_i,
      .taken_o(taken), .refused_o(refused), .source_o(source), .late_o(late), .range_o(range), .conflict_o(conflict),
      .sw_done_o(sw_done), .timed_done_o(timed_done), .map_valid_o(map_valid), .map_input_o(map_input)
  );

  // ---- outputs ------------------------------------------------------------------------------------------------------------
  logic [2:0] state_next[N];
  logic [N-1:0] entered, started, restarted;
  logic [31:0] output_bound[N];
  logic all_stopped;
  assign pair_lookup_o = go & (taken | (|retry));

  ocs_outputs #(.N(N)) u_outputs (
      .clk_i, .rst_ni,
      .step_i(step), .commit_i(taken), .map_valid_i(map_valid), .map_input_i(map_input), .retry_i(retry),
      .all_stop_i, .base_i, .slow_i, .lock_i, .jitter_mask_i, .flap_i, .pair_i,
      .seed_we_i, .seed_i(data_i), .los_i, .dead_i, .stuck_i,
      .state_o, .cause_o, .valid_o, .input_o, .stop_o(all_stopped), .valid_next_o, .input_next_o,
      .state_next_o(state_next), .entered_o(entered), .started_o(started), .restarted_o(restarted),
      .bound_o(output_bound)
  );

  // ---- inputs: which are selected, and by outputs that are all UP ---------------------------------------------------------
  logic [N-1:0] routed, blocked;
  always_comb begin
    routed  = '0;
    blocked = '0;
    for (int unsigned o = 0; o < N; o++) begin
      if (valid_o[o]) begin
        routed[input_o[o]] = 1'b1;
        if (state_o[o] != Up) blocked[input_o[o]] = 1'b1;
      end
    end
  end

  logic [15:0] burst_tag[N];
  logic [31:0] burst_index[N], burst_words[N], words[N], engine_bound[N];
  logic [N-1:0] done, ending;
  ocs_engines #(.N(N)) u_engines (
      .clk_i, .rst_ni,
      .step_i(step), .start_i(start), .stop_i(stop), .launch_i(launch),
      .len_i, .gap_i, .repeat_i, .tag_i, .gated_i, .rate_i, .external_i, .valid_i, .light_i(routed & ~blocked),
      .state_o(engine_o), .tag_o(burst_tag), .index_o(burst_index),
      .burst_words_o(burst_words), .words_o(words), .done_o(done), .ending_o(ending), .bound_o(engine_bound)
  );

  logic overrun;
  ocs_segments #(.N(N)) u_segments (
      .clk_i, .rst_ni,
      .go_i(go), .state_i(state_o), .input_i(input_o), .state_next_i(state_next), .entered_i(entered),
      .words_i(burst_words), .index_i(burst_index), .tag_i(burst_tag), .ending_i(ending), .clear_i(seg_clear_i),
      .input_o(seg_input_o), .tag_o(seg_tag_o), .first_o(seg_first_o), .count_o(seg_count_o), .full_o(seg_full_o),
      .overrun_o(overrun)
  );

  // ---- what is observed ---------------------------------------------------------------------------------------------------
  logic dropped, fifo_empty;
  ocs_counters #(.N(N)) u_counters (
      .clk_i, .rst_ni,
      .step_i(step), .state_i(state_o), .valid_i(valid_o), .input_i(input_o),
      .started_i(started), .restarted_i(restarted), .words_i(words), .routed_i(routed),
      .taken_i(taken), .refused_i(refused), .late_i(late), .dropped_i(dropped),
      .passed_o, .lost_o, .dark_o, .tunings_o, .restarts_o, .sent_o, .unrouted_o,
      .commits_o, .refused_o, .late_o, .dropped_o
  );

  ocs_events #(.N(N), .Depth(FifoDepth)) u_events (
      .clk_i, .rst_ni,
      .go_i(go), .stamp_i(time_q + 64'(step)),
      .device_i({wrap, refused, taken}), .source_i(source), .entered_i(entered), .state_i(state_next), .done_i(done),
      .pop_i(event_read_i), .event_o, .event_time_o, .empty_o(fifo_empty), .dropped_o(dropped)
  );

  logic [Errors-1:0] error_set;
  always_comb begin
    error_set = '0;
    error_set[ErrRange] = range;
    error_set[ErrConflict] = conflict;
    error_set[ErrLate] = late;
    error_set[ErrStep] = step_error;
    error_set[ErrAccess] = access_error_i;
    error_set[ErrOverflow] = dropped;
    error_set[ErrSegment] = overrun;
  end
  ocs_status u_status (
      .clk_i, .rst_ni,
      .set_i(error_set), .clear_i(error_clear_i), .fifo_empty_i(fifo_empty), .enable_i(irq_enable_i),
      .error_o, .sources_o(irq_status_o), .irq_o
  );
  assign time_o = time_q;
  assign status_o = {all_stopped, seq_running, armed, sw};

  // ---- horizon --------------------------------------------------------------------------------------------------------------
  logic [31:0] bound[2*N+3];
  always_comb begin
    for (int unsigned p = 0; p < N; p++) begin
      bound[2*p] = output_bound[p];
      bound[2*p+1] = engine_bound[p];
    end
    bound[2*N] = pending_bound;
    bound[2*N+1] = timed_bound;
    bound[2*N+2] = seq_bound;
  end
  ocs_min_tree #(.Leaves(2 * N + 3)) u_horizon (.leaf_i(bound), .min_o(horizon_o));
endmodule
