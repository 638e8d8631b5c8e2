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
    /// Entries of a sequencer bank, a power of two, 2 to 32768.
    parameter int unsigned S = 16,
    /// Records of the event FIFO, a power of two, 2 to 4096.
    parameter int unsigned FifoDepth = 64,
    /// 1: there are receivers that lock by what they last received; 0: L is LOCK.
    parameter int unsigned Receivers = 1,
    localparam int unsigned InW = $clog2(N),
    localparam int unsigned EntryW = $clog2(S)
) (
    input  logic              clk_i,   ///< clock, rising edge
    input  logic              rst_ni,  ///< synchronous reset, active low
    /// Cycles that this edge stands for, at most `horizon_o`; 0: a bus edge; 1 on an FPGA.
    input  logic [31:0]       step_i,
    /// How far the next edge may jump, at least 1.
    output logic [31:0]       horizon_o,
    output logic              irq_o,   ///< an enabled interrupt source is active
    /// Pins of EXTERNAL inputs: a word is there.
    input  logic [N-1:0]      valid_i,

    // ---- writes that complete at this edge ----
    input  logic              commit_we_i,     ///< COMMIT
    input  logic              cancel_we_i,     ///< COMMIT_CANCEL
    input  logic [1:0]        commit_at_we_i,  ///< COMMIT_AT: low word, high word (arms)
    input  logic              seq_go_we_i,     ///< SEQ_GO
    input  logic              seq_swap_we_i,   ///< SEQ_SWAP
    input  logic              seq_stop_we_i,   ///< SEQ_STOP
    input  logic              seq_store_we_i,  ///< SEQ_STORE, entry in data, below S
    input  logic              seed_we_i,       ///< SEED, value in data
    input  logic [N-1:0]      start_we_i,      ///< START, mask of inputs
    input  logic [N-1:0]      stop_we_i,       ///< STOP, mask of inputs
    input  logic [N-1:0]      retry_we_i,      ///< RETRY, mask of outputs
    input  logic [N-1:0]      seg_clear_i,     ///< SEG_FULL, mask of outputs to clear
    input  logic [N-1:0]      changed_clear_i, ///< CHANGED, mask of outputs to clear
    input  logic [N-1:0]      ended_clear_i,   ///< ENDED, mask of inputs to clear
    input  logic [Errors-1:0] error_clear_i,   ///< ERROR, bits to clear
    input  logic              access_error_i,  ///< an access is refused (section 12)
    input  logic              event_read_i,    ///< EVENT is read: takes the next event
    input  logic [31:0]       data_i,          ///< data of the write
    input  logic [31:0]       biten_i,         ///< its strobes, one bit a bit

    // ---- settings ----
    input  logic              all_stop_i,         ///< CTRL.ALL_STOP
    input  logic              multicast_i,        ///< CTRL.MULTICAST
    input  logic [2:0]        irq_enable_i,       ///< IRQ_ENABLE: event, overflow, any other error
    input  logic [N-1:0]      shadow_valid_i,     ///< SHADOW[o].VALID
    input  logic [8:0]        shadow_input_i[N],  ///< SHADOW[o].INPUT, any of 9 bits
    input  logic [29:0]       base_i[N],          ///< BASE[o], cycles of T
    input  logic [29:0]       slow_i[N],          ///< SLOW[o], cycles added to T
    input  logic [29:0]       lock_i[N],          ///< LOCK[o], cycles of L
    input  logic [29:0]       jitter_mask_i[N],   ///< JITTER_MASK[o], bits of the draw that count
    input  logic [29:0]       flap_i[N],          ///< FLAP[o], cycles of UP; 0: none
    input  logic [29:0]       pair_i[N],          ///< PAIR[o] of input_next_o, cycles of T
    input  logic [29:0]       prog_i,             ///< PROG, cycles of T for each group that is programmed before
    input  logic [8:0]        prog_lanes_i,       ///< PROG_LANES, outputs of a group; 0 acts as 1
    input  logic              receivers_i,        ///< RECEIVER.ON: L has a term of the tables below
    input  logic [29:0]       warm_time_i,        ///< RECEIVER.WARM_TIME, cycles that a pair stays warm
    input  logic [29:0]       lock_warm_i[Quantiles],  ///< LOCK_WARM, cycles of L of a warm pair
    input  logic [29:0]       lock_cold_i[Quantiles],  ///< LOCK_COLD, cycles of L of any other
    output logic              pair_lookup_o,      ///< pair_i is looked at in this cycle
    input  logic [N-1:0]      los_i,              ///< LOS[i], loss of light
    input  logic [N-1:0]      dead_i,             ///< DEAD[p], dead port
    input  logic [N-1:0]      stuck_i,            ///< STUCK[o], stuck mirror
    input  logic [31:0]       len_i[N],           ///< LEN[i], words of a burst
    input  logic [31:0]       gap_i[N],           ///< GAP[i], cycles before it
    input  logic [31:0]       repeat_i[N],        ///< REPEAT[i], further bursts
    input  logic [15:0]       tag_i[N],           ///< TAG[i], name of the burst
    input  logic [N-1:0]      gated_i,            ///< GATED[i], words wait for UP
    input  logic [15:0]       rate_i[N],          ///< RATE[i], q of 40000; above acts as 40000
    input  logic [N-1:0]      external_i,         ///< EXTERNAL[i], the pin gives the words
    input  logic [N-1:0]      launch_i,           ///< SEQ_LAUNCH[i] of the entry to be stored
    input  logic [31:0]       seq_offset_i,       ///< SEQ_OFFSET of the entry to be stored, cycles
    input  logic [63:0]       seq_base_i,         ///< SEQ_BASE, cycle of loop 0
    input  logic [15:0]       seq_len_i,          ///< SEQ_LEN, entries; above S acts as S
    input  logic [31:0]       seq_period_i,       ///< SEQ_PERIOD, cycles of a loop; 0: once

    // ---- state ----
    output logic [63:0]       time_o,           ///< TIME, number of the present cycle
    output logic [63:0]       commit_at_o,      ///< COMMIT_AT
    output logic [31:0]       event_o,          ///< EVENT, next event; 0: none
    output logic [63:0]       event_time_o,     ///< EVENT_TIME, stamp of the last one taken
    output logic [3:0]        status_o,         ///< STATUS
    output logic [Errors-1:0] error_o,          ///< ERROR, sticky bits
    output logic [2:0]        irq_status_o,     ///< IRQ_STATUS, sources
    output logic [N-1:0]      valid_o,          ///< ACTIVE[o].VALID: the output has a circuit
    output logic [InW-1:0]    input_o[N],       ///< ACTIVE[o].INPUT, below N; 0 without circuit
    output logic [N-1:0]      valid_next_o,     ///< the same after this edge
    output logic [InW-1:0]    input_next_o[N],  ///< the same after this edge
    output state_e            state_o[N],       ///< STATE[o], codes of section 2
    output cause_e            cause_o[N],       ///< CAUSE[o], 0 unless FAILED
    output engine_e           engine_o[N],      ///< ENGINE[i]: 0 OFF, 1 GAP, 2 SEND
    output logic [InW-1:0]    seg_input_o[N],   ///< SEG[o]: input
    output logic [15:0]       seg_tag_o[N],     ///< SEG[o]: tag
    output logic [31:0]       seg_first_o[N],   ///< SEG[o]: first index
    output logic [31:0]       seg_count_o[N],   ///< SEG[o]: words
    output logic [N-1:0]      seg_full_o,       ///< SEG_FULL[o]
    output logic [N-1:0]      changed_o,        ///< CHANGED[o]
    output logic [N-1:0]      ended_o,          ///< ENDED[i]
    // ---- counters ----
    output logic [63:0]       passed_o[N],    ///< PASSED[o], words
    output logic [63:0]       lost_o[N],      ///< LOST[o], words
    output logic [63:0]       dark_o[N],      ///< DARK[o], cycles
    output logic [63:0]       tunings_o[N],   ///< TUNINGS[o], starts
    output logic [63:0]       restarts_o[N],  ///< RESTARTS[o], starts in TUNING or LOCKING
    output logic [63:0]       sent_o[N],      ///< SENT[i], words
    output logic [63:0]       unrouted_o[N],  ///< UNROUTED[i], words
    output logic [63:0]       commits_o,      ///< COMMITS
    output logic [63:0]       refused_o,      ///< REFUSED, commits
    output logic [63:0]       late_o,         ///< LATE, requests
    output logic [63:0]       dropped_o       ///< DROPPED, records
);
  if (N < 2 || N > 256) begin : g_ports_in_range
    $error("ocs_core: N must be from 2 to 256");
  end
  if (S < 2 || S > 32768 || (S & (S - 1)) != 0) begin : g_entries_in_range
    $error("ocs_core: S must be a power of two from 2 to 32768");
  end
  if (FifoDepth < 2 || FifoDepth > 4096 || (FifoDepth & (FifoDepth - 1)) != 0) begin : g_depth_in_range
    $error("ocs_core: FifoDepth must be a power of two from 2 to 4096");
  end
  if (Receivers > 1) begin : g_receivers_in_range
    $error("ocs_core: Receivers must be 0 or 1");
  end

  // ---- time ---------------------------------------------------------------------------------------------------------------
  logic [63:0] time_q, time_d, last;  // present cycle; after this edge; last cycle of the interval that it stands for
  logic [31:0] step;
  logic go, step_error;
  assign step_error = step_i > horizon_o;
  assign step = step_error ? '0 : step_i;
  assign go = step != 0;
  assign time_d = time_q + 64'(step);
  assign last = time_d - 64'd1;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) time_q <= '0;
    else time_q <= time_d;
  end

  // ---- commands and commits -----------------------------------------------------------------------------------------------
  logic sw, armed, sw_done, timed_done, seq_go, seq_swap, seq_stop, seq_due, seq_late, seq_running, wrap;
  logic taken, refused, late, range, conflict;
  source_e source;
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
  state_e state_next[N];
  logic [N-1:0] entered, started, restarted;
  logic [31:0] output_bound[N];
  logic all_stopped;
  assign pair_lookup_o = go & (taken | (|retry));

  ocs_outputs #(.N(N), .Receivers(Receivers)) u_outputs (
      .clk_i, .rst_ni,
      .step_i(step), .commit_i(taken), .map_valid_i(map_valid), .map_input_i(map_input), .retry_i(retry),
      .all_stop_i, .base_i, .slow_i, .lock_i, .jitter_mask_i, .flap_i, .pair_i, .prog_i, .prog_lanes_i,
      .receivers_i, .warm_time_i, .lock_warm_i, .lock_cold_i, .stamp_i(time_d), .seed_we_i, .seed_i(data_i), .los_i, .dead_i, .stuck_i,
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
      .go_i(go), .stamp_i(time_d),
      .device_i({wrap, refused, taken}), .source_i(source), .entered_i(entered), .state_i(state_next), .done_i(done),
      .pop_i(event_read_i), .changed_clear_i, .ended_clear_i, .event_o, .event_time_o, .empty_o(fifo_empty),
      .changed_o, .ended_o, .dropped_o(dropped)
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
