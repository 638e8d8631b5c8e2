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
    /// 1: mirrors that move may disturb other outputs; 0: they don't.
    parameter int unsigned Neighbours = 1,
    /// 1: stuck mirrors may keep the light of their positions; 0: outputs have none.
    parameter int unsigned Positions = 1,
    /// 1: there are detectors that may go by the power of light, and mirrors that ring; 0: LOS and DEAD act at once.
    parameter int unsigned Power = 1,
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

    // ---- what the access that completes at this edge asks for ----
    input  cmd_t              cmd_i,           ///< commands, and what is cleared
    input  logic [N-1:0]      ports_i,         ///< the mask that START, RETRY and their like are written with
    input  logic [31:0]       data_i,          ///< data of the write
    input  logic [31:0]       biten_i,         ///< its strobes, one bit a bit
    input  logic              access_error_i,  ///< an access is refused (section 12)

    // ---- settings ----
    input  modes_t            modes_i,            ///< of the whole switch
    input  logic [N-1:0]      shadow_valid_i,     ///< SHADOW[o].VALID
    input  logic [8:0]        shadow_input_i[N],  ///< SHADOW[o].INPUT, any of 9 bits
    input  port_cfg_t         port_cfg_i[N],      ///< of each port: delays, faults
    input  burst_cfg_t        burst_cfg_i[N],     ///< of each input's burst engine
    input  logic [N-1:0]      launch_i,           ///< SEQ_LAUNCH[i] of the entry to be stored
    input  logic [63:0]       seq_base_i,         ///< SEQ_BASE, cycle of loop 0
    input  quantile_t         quantile_i[Quantiles],  ///< LOCK_WARM and LOCK_COLD
    input  logic [29:0]       pair_i[N],          ///< PAIR[o] of input_next_o, cycles of T
    output logic              pair_lookup_o,      ///< pair_i is looked at in this cycle

    // ---- state ----
    output logic [N-1:0]      valid_next_o,       ///< ACTIVE[o].VALID after this edge
    output logic [InW-1:0]    input_next_o[N],    ///< ACTIVE[o].INPUT after this edge
    output device_view_t      device_view_o,      ///< of the fabric as a whole
    output port_view_t        port_view_o[N],     ///< of each port
    output port_counters_t    port_counters_o[N]  ///< its counters
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
  if (Neighbours > 1) begin : g_neighbours_in_range
    $error("ocs_core: Neighbours must be 0 or 1");
  end
  if (Positions > 1) begin : g_positions_in_range
    $error("ocs_core: Positions must be 0 or 1");
  end
  if (Power > 1) begin : g_power_in_range
    $error("ocs_core: Power must be 0 or 1");
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
  logic [63:0] commit_at;
  source_e source;
  logic [5:0] sw_tag, timed_tag, seq_tag, tag;  // of requests; of the commit that is taken or refused
  logic [N-1:0] start, stop, retry, launch, row_valid, map_valid;
  logic [8:0] row_input[N];
  logic [InW-1:0] map_input[N];
  logic [31:0] pending_bound, timed_bound, seq_bound;
  logic [N-1:0] start_we, stop_we, retry_we;
  assign start_we = cmd_i.start ? ports_i : '0;
  assign stop_we = cmd_i.stop ? ports_i : '0;
  assign retry_we = cmd_i.retry ? ports_i : '0;

  ocs_commands #(.N(N)) u_commands (
      .clk_i, .rst_ni,
      .go_i(go), .time_i(time_q),
      .cmd_i, .tag_i(modes_i.commit_tag), .start_we_i(start_we), .halt_we_i(stop_we), .retry_we_i(retry_we),
      .data_i, .biten_i,
      .sw_done_i(sw_done), .timed_done_i(timed_done),
      .sw_o(sw), .sw_tag_o(sw_tag), .armed_o(armed), .timed_tag_o(timed_tag), .commit_at_o(commit_at),
      .seq_go_o(seq_go), .seq_swap_o(seq_swap), .seq_stop_o(seq_stop),
      .start_o(start), .stop_o(stop), .retry_o(retry),
      .pending_bound_o(pending_bound), .timed_bound_o(timed_bound)
  );

  ocs_sequencer #(.N(N), .S(S)) u_sequencer (
      .clk_i, .rst_ni,
      .go_i(go), .last_i(last), .time_i(time_q),
      .seq_go_i(seq_go), .seq_swap_i(seq_swap), .seq_stop_i(seq_stop),
      .base_i(seq_base_i), .len_i(modes_i.seq_len), .period_i(modes_i.seq_period),
      .store_i(cmd_i.seq_store), .entry_i(data_i[EntryW-1:0]), .offset_i(modes_i.seq_offset),
      .tag_i(modes_i.commit_tag), .launch_i,
      .map_valid_i(shadow_valid_i), .map_input_i(shadow_input_i),
      .running_o(seq_running), .due_o(seq_due), .late_o(seq_late), .tag_o(seq_tag),
      .row_valid_o(row_valid), .row_input_o(row_input),
      .launch_o(launch), .wrap_o(wrap), .bound_o(seq_bound)
  );

  logic asked, map_range, map_conflict;
  ocs_commit u_commit (
      .go_i(go), .last_i(last),
      .sw_i(sw), .armed_i(armed), .commit_at_i(commit_at), .seq_i(seq_due), .seq_late_i(seq_late),
      .sw_tag_i(sw_tag), .timed_tag_i(timed_tag), .seq_tag_i(seq_tag),
      .range_i(map_range), .conflict_i(map_conflict), .multicast_i(modes_i.multicast),
      .any_o(asked), .taken_o(taken), .refused_o(refused), .source_o(source), .tag_o(tag), .late_o(late), .range_o(range),
      .conflict_o(conflict), .sw_done_o(sw_done), .timed_done_o(timed_done)
  );

  ocs_map #(.N(N)) u_map (
      .on_i(asked), .seq_i(seq_due), .shadow_valid_i, .shadow_input_i, .row_valid_i(row_valid), .row_input_i(row_input),
      .map_valid_o(map_valid), .map_input_o(map_input), .range_o(map_range), .conflict_o(map_conflict)
  );

  // ---- outputs ------------------------------------------------------------------------------------------------------------
  state_e state[N], state_next[N];
  cause_e cause[N];
  logic [N-1:0] valid;
  logic [InW-1:0] selected[N];
  logic [N-1:0] entered, started, restarted;
  logic [31:0] output_bound[N];
  logic all_stopped;
  assign pair_lookup_o = go & (taken | (|retry));

  beam_t beam[N];
  logic [N-1:0] dim, dim_next, misroutes;
  logic [InW-1:0] position[N];
  ocs_outputs #(.N(N), .Receivers(Receivers), .Positions(Positions), .Power(Power)) u_outputs (
      .clk_i, .rst_ni,
      .step_i(step), .commit_i(taken), .map_valid_i(map_valid), .map_input_i(map_input), .retry_i(retry),
      .modes_i, .port_cfg_i, .pair_i, .quantile_i, .stamp_i(time_d), .seed_we_i(cmd_i.seed), .seed_i(data_i),
      .state_o(state), .cause_o(cause), .valid_o(valid), .input_o(selected), .stop_o(all_stopped), .valid_next_o, .input_next_o,
      .state_next_o(state_next), .entered_o(entered), .started_o(started), .restarted_o(restarted),
      .beam_o(beam), .position_o(position),
      .bound_o(output_bound)
  );

  logic [N-1:0] disturbed, disturbed_next, passes, passes_next;  // the last two: an output lets words through
  logic [31:0] disturbed_bound[N];
  if (Neighbours == 1) begin : g_neighbours
    ocs_neighbours #(.N(N)) u_neighbours (
        .clk_i, .rst_ni, .step_i(step), .cycles_i(modes_i.disturb), .distances_i(modes_i.disturb_at), .started_i(started),
        .disturbed_o(disturbed), .disturbed_next_o(disturbed_next), .bound_o(disturbed_bound)
    );
  end else begin : g_no_neighbours
    assign {disturbed, disturbed_next} = '0;
    always_comb disturbed_bound = '{default: Unbounded};
  end
  always_comb begin
    for (int unsigned o = 0; o < N; o++) begin
      dim[o] = beam[o].dim;
      dim_next[o] = beam[o].dim_next;
      misroutes[o] = beam[o].misroutes;
    end
  end
  always_comb begin
    for (int unsigned o = 0; o < N; o++) begin
      passes[o] = state[o] == Up & ~disturbed[o] & ~dim[o];
      passes_next[o] = state_next[o] == Up & ~disturbed_next[o] & ~dim_next[o];
    end
  end

  // ---- inputs: which are selected, and by outputs that are all UP ---------------------------------------------------------
  logic [N-1:0] routed, blocked;
  always_comb begin
    routed  = '0;
    blocked = '0;
    for (int unsigned o = 0; o < N; o++) begin
      if (valid[o]) begin
        routed[selected[o]] = 1'b1;
        if (state[o] != Up) blocked[selected[o]] = 1'b1;
      end
    end
  end

  logic [15:0] burst_tag[N];
  logic [31:0] burst_index[N], burst_words[N], words[N], engine_bound[N];
  logic [N-1:0] done, ending, last_word, whole;
  engine_e engine[N];
  ocs_engines #(.N(N)) u_engines (
      .clk_i, .rst_ni,
      .step_i(step), .start_i(start), .stop_i(stop), .launch_i(launch),
      .burst_cfg_i, .valid_i, .light_i(routed & ~blocked),
      .state_o(engine), .tag_o(burst_tag), .index_o(burst_index),
      .burst_words_o(burst_words), .words_o(words), .done_o(done), .ending_o(ending), .last_o(last_word), .bound_o(engine_bound)
  );

  logic overrun;
  logic [InW-1:0] seg_input[N];
  logic [15:0] seg_tag[N];
  logic [31:0] seg_first[N], seg_count[N];
  logic [N-1:0] seg_full;
  ocs_segments #(.N(N)) u_segments (
      .clk_i, .rst_ni,
      .go_i(go), .brief_i(modes_i.brief), .passes_i(passes), .valid_i(valid), .input_i(selected),
      .passes_next_i(passes_next), .entered_i(entered),
      .words_i(burst_words), .index_i(burst_index), .tag_i(burst_tag), .ending_i(ending), .last_i(last_word),
      .clear_i(cmd_i.seg_clear ? ports_i : '0),
      .input_o(seg_input), .tag_o(seg_tag), .first_o(seg_first), .count_o(seg_count), .full_o(seg_full),
      .overrun_o(overrun), .whole_o(whole)
  );

  // ---- what is observed ---------------------------------------------------------------------------------------------------
  logic dropped, fifo_empty;
  logic [63:0] passed[N], lost[N], dark[N], tunings[N], restarts[N], sent[N], unrouted[N], misrouted[N];
  logic [63:0] commits, commits_refused, commits_late, records_dropped;
  ocs_counters #(.N(N)) u_counters (
      .clk_i, .rst_ni,
      .step_i(step), .state_i(state), .passes_i(passes), .valid_i(valid), .input_i(selected),
      .started_i(started), .restarted_i(restarted), .misroutes_i(misroutes), .position_i(position), .words_i(words), .routed_i(routed),
      .taken_i(taken), .refused_i(refused), .late_i(late), .dropped_i(dropped),
      .passed_o(passed), .lost_o(lost), .dark_o(dark), .tunings_o(tunings), .restarts_o(restarts), .sent_o(sent),
      .unrouted_o(unrouted), .misrouted_o(misrouted), .commits_o(commits), .refused_o(commits_refused), .late_o(commits_late),
      .dropped_o(records_dropped)
  );

  logic [31:0] event_word;
  logic [63:0] event_time;
  logic [N-1:0] changed, ended;
  ocs_events #(.N(N), .Depth(FifoDepth)) u_events (
      .clk_i, .rst_ni,
      .go_i(go), .stamp_i(time_d),
      .device_i({wrap, refused, taken}), .source_i(source), .tag_i(tag), .entered_i(entered), .state_i(state_next),
      .done_i(done), .whole_i(whole),
      .pop_i(cmd_i.event_read), .changed_clear_i(cmd_i.changed_clear ? ports_i : '0),
      .ended_clear_i(cmd_i.ended_clear ? ports_i : '0), .event_o(event_word), .event_time_o(event_time), .empty_o(fifo_empty),
      .changed_o(changed), .ended_o(ended), .dropped_o(dropped)
  );

  logic [Errors-1:0] error_set, error;
  logic [2:0] irq_status;
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
      .set_i(error_set), .clear_i(cmd_i.error_clear), .fifo_empty_i(fifo_empty), .enable_i(modes_i.irq_enable),
      .error_o(error), .sources_o(irq_status), .irq_o
  );
  always_comb begin
    device_view_o = '{cycle: time_q, commit_at: commit_at, event_word: event_word, event_time: event_time,
                      status: {all_stopped, seq_running, armed, sw}, error: error, irq_status: irq_status, commits: commits,
                      refused: commits_refused, late: commits_late, dropped: records_dropped};
    for (int unsigned p = 0; p < N; p++) begin
      port_view_o[p] = '{valid: valid[p], selected: 8'(selected[p]), state: state[p], cause: cause[p],
                         disturbed: disturbed[p], dim: dim[p] & (modes_i.light | state[p] != Failed),
                         lit: beam[p].lit, power: beam[p].power, engine: engine[p],
                         seg_input: 8'(seg_input[p]), seg_tag: seg_tag[p], seg_first: seg_first[p], seg_count: seg_count[p],
                         seg_full: seg_full[p], changed: changed[p], ended: ended[p]};
      port_counters_o[p] = '{passed: passed[p], lost: lost[p], dark: dark[p], tunings: tunings[p], restarts: restarts[p],
                             sent: sent[p], unrouted: unrouted[p], misrouted: misrouted[p]};
    end
  end

  // ---- horizon --------------------------------------------------------------------------------------------------------------
  logic [31:0] bound[3*N+3];
  always_comb begin
    for (int unsigned p = 0; p < N; p++) begin
      bound[2*p] = output_bound[p];
      bound[2*p+1] = engine_bound[p];
    end
    bound[2*N] = pending_bound;
    bound[2*N+1] = timed_bound;
    bound[2*N+2] = seq_bound;
    for (int unsigned p = 0; p < N; p++) bound[2*N+3+p] = disturbed_bound[p];
  end
  ocs_min_tree #(.Leaves(3 * N + 3)) u_horizon (.leaf_i(bound), .min_o(horizon_o));
endmodule
