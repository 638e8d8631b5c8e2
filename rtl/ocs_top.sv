// The switch: registers and fabric core, behind AXI4-Lite and an interrupt line.
//
// On an FPGA `clk_i` and `bus_clk_i` are one net and `step_i` is the constant 1. A simulator that warps time gives each
// edge of `clk_i` a `step_i` of at most `horizon_o`, and moves `bus_clk_i` only while the bus is in use, always together
// with `clk_i` and with `step_i` = 0: a bus edge (docs/switch-contract.md, section 1).
//
// SPDX-License-Identifier: Apache-2.0
module ocs_top #(
    /// Ports, 2 to 256.
    parameter int unsigned N = 16,
    /// Entries of a sequencer bank, a power of two, 2 to 32768.
    parameter int unsigned S = 16,
    /// Records of the event FIFO, a power of two, 2 to 4096.
    parameter int unsigned FifoDepth = 64,
    /// Options that are there, bits as in CAP_OPTIONS, 0 to 511; what belongs to another one refuses writes.
    parameter int unsigned Options = ocs_pkg::AllOptions,
    localparam int unsigned InW = $clog2(N)
) (
    input  logic         clk_i,      ///< clock, rising edge
    input  logic         bus_clk_i,  ///< clock of the bus: the same net as clk_i, or edges of accesses alone
    /// Synchronous reset, active low, for at least one edge of both clocks.
    input  logic         rst_ni,
    /// Cycles that the next edge stands for; 0 on a bus edge; 1 on an FPGA.
    input  logic [31:0]  step_i,
    /// How far the next edge may jump, at least 1.
    output logic [31:0]  horizon_o,
    /// Number of the present cycle.
    output logic [63:0]  time_o,
    /// An enabled interrupt source is active.
    output logic         irq_o,
    /// Pins of EXTERNAL inputs: a word is there.
    input  logic [N-1:0] valid_i,
    /// Constants: bytes of a word, picoseconds of a cycle; shown in CAP_WORD and CYCLE_PS.
    input  logic [15:0]  word_bytes_i,
    input  logic [31:0]  cycle_ps_i,

    // ---- AXI4-Lite, clocked by bus_clk_i ----
    input  logic         awvalid_i,  ///< AW: address offered
    output logic         awready_o,  ///< AW: accepted
    input  logic [19:0]  awaddr_i,   ///< AW: byte address; the lowest two bits are ignored
    input  logic         wvalid_i,   ///< W: data offered
    output logic         wready_o,   ///< W: accepted
    input  logic [31:0]  wdata_i,    ///< W: data
    input  logic [3:0]   wstrb_i,    ///< W: bytes to be written
    output logic         bvalid_o,   ///< B: answer offered
    input  logic         bready_i,   ///< B: accepted
    output logic [1:0]   bresp_o,    ///< B: OKAY or SLVERR
    input  logic         arvalid_i,  ///< AR: address offered
    output logic         arready_o,  ///< AR: accepted
    input  logic [19:0]  araddr_i,   ///< AR: byte address; the lowest two bits are ignored
    output logic         rvalid_o,   ///< R: answer offered
    input  logic         rready_i,   ///< R: accepted
    output logic [31:0]  rdata_o,    ///< R: data; 0 with SLVERR
    output logic [1:0]   rresp_o     ///< R: OKAY or SLVERR
);
  if (N < 2 || N > 256) begin : g_ports_in_range
    $error("ocs_top: N must be from 2 to 256");
  end
  if (Options > ocs_pkg::AllOptions) begin : g_options_in_range
    $error("ocs_top: Options must be from 0 to 511");
  end
  if (S < 2 || S > 32768 || (S & (S - 1)) != 0) begin : g_entries_in_range
    $error("ocs_top: S must be a power of two from 2 to 32768");
  end
  if (FifoDepth < 2 || FifoDepth > 4096 || (FifoDepth & (FifoDepth - 1)) != 0) begin : g_depth_in_range
    $error("ocs_top: FifoDepth must be a power of two from 2 to 4096");
  end

  logic commit_we;
  logic cancel_we;
  logic [1:0] commit_at_we;
  logic seq_go_we;
  logic seq_swap_we;
  logic seq_stop_we;
  logic seq_store_we;
  logic seed_we;
  logic [N-1:0] start_we;
  logic [N-1:0] stop_we;
  logic [N-1:0] retry_we;
  logic [N-1:0] seg_clear;
  logic [N-1:0] changed_clear;
  logic [N-1:0] ended_clear;
  logic [6:0] error_clear;
  logic access_error;
  logic event_read;
  logic [31:0] data;
  logic [31:0] biten;
  logic all_stop;
  logic multicast;
  logic [2:0] irq_enable;
  logic [N-1:0] shadow_valid;
  logic [8:0] shadow_input[N];
  logic [29:0] base[N];
  logic [29:0] slow[N];
  logic [29:0] lock[N];
  logic [29:0] jitter_mask[N];
  logic [29:0] flap[N];
  logic [N-1:0] los;
  logic [N-1:0] dead;
  logic [N-1:0] stuck;
  logic [31:0] len[N];
  logic [31:0] gap[N];
  logic [31:0] repeats[N];
  logic [15:0] tag[N];
  logic [N-1:0] gated;
  logic [15:0] rate[N];
  logic [N-1:0] external;
  logic [N-1:0] launch;
  logic [31:0] seq_offset;
  logic [63:0] seq_base;
  logic [15:0] seq_len;
  logic [31:0] seq_period;
  logic [29:0] prog;
  logic [8:0] prog_lanes;
  logic receivers;
  logic [29:0] warm_time;
  logic [29:0] lock_warm[ocs_pkg::Quantiles];
  logic [29:0] lock_cold[ocs_pkg::Quantiles];
  logic [63:0] commit_at;
  logic [31:0] event_word;
  logic [63:0] event_time;
  logic [3:0] status;
  logic [6:0] error;
  logic [2:0] irq_status;
  logic [N-1:0] valid;
  logic [InW-1:0] selected[N];
  ocs_pkg::state_e state[N];
  ocs_pkg::cause_e cause[N];
  ocs_pkg::engine_e engine[N];
  logic [InW-1:0] seg_input[N];
  logic [15:0] seg_tag[N];
  logic [31:0] seg_first[N];
  logic [31:0] seg_count[N];
  logic [N-1:0] seg_full;
  logic [N-1:0] changed;
  logic [N-1:0] ended;
  logic [63:0] passed[N];
  logic [63:0] lost[N];
  logic [63:0] dark[N];
  logic [63:0] tunings[N];
  logic [63:0] restarts[N];
  logic [63:0] sent[N];
  logic [63:0] unrouted[N];
  logic [63:0] commits;
  logic [63:0] refused;
  logic [63:0] late;
  logic [63:0] dropped;
  logic soft_reset, pair_lookup;
  logic [29:0] pair[N];
  logic [N-1:0] valid_next;
  logic [InW-1:0] input_next[N];

  ocs_registers #(.N(N), .S(S), .FifoDepth(FifoDepth), .Options(Options)) u_registers (
      .clk_i(bus_clk_i), .rst_ni, .word_bytes_i, .cycle_ps_i,
      .awvalid_i, .awready_o, .awaddr_i, .wvalid_i, .wready_o, .wdata_i, .wstrb_i, .bvalid_o, .bready_i, .bresp_o,
      .arvalid_i, .arready_o, .araddr_i, .rvalid_o, .rready_i, .rdata_o, .rresp_o,
      .soft_reset_o(soft_reset), .pair_lookup_i(pair_lookup), .pair_o(pair), .valid_next_i(valid_next),
      .input_next_i(input_next),
      .commit_we_o(commit_we), .cancel_we_o(cancel_we), .commit_at_we_o(commit_at_we), .seq_go_we_o(seq_go_we),
      .seq_swap_we_o(seq_swap_we), .seq_stop_we_o(seq_stop_we), .seq_store_we_o(seq_store_we), .seed_we_o(seed_we),
      .start_we_o(start_we), .stop_we_o(stop_we), .retry_we_o(retry_we), .seg_clear_o(seg_clear),
      .changed_clear_o(changed_clear), .ended_clear_o(ended_clear),
      .error_clear_o(error_clear), .access_error_o(access_error), .event_read_o(event_read), .data_o(data),
      .biten_o(biten), .all_stop_o(all_stop), .multicast_o(multicast), .irq_enable_o(irq_enable),
      .shadow_valid_o(shadow_valid), .shadow_input_o(shadow_input), .base_o(base), .slow_o(slow), .lock_o(lock),
      .jitter_mask_o(jitter_mask), .flap_o(flap), .los_o(los), .dead_o(dead), .stuck_o(stuck), .len_o(len),
      .gap_o(gap), .repeat_o(repeats), .tag_o(tag), .gated_o(gated), .rate_o(rate), .external_o(external),
      .launch_o(launch), .seq_offset_o(seq_offset), .seq_base_o(seq_base), .seq_len_o(seq_len),
      .seq_period_o(seq_period), .prog_o(prog), .prog_lanes_o(prog_lanes),
      .receivers_o(receivers), .warm_time_o(warm_time), .lock_warm_o(lock_warm), .lock_cold_o(lock_cold),
      .time_i(time_o), .commit_at_i(commit_at), .event_i(event_word), .event_time_i(event_time), .status_i(status),
      .error_i(error), .irq_status_i(irq_status), .valid_i(valid), .input_i(selected), .state_i(state),
      .cause_i(cause), .engine_i(engine), .seg_input_i(seg_input), .seg_tag_i(seg_tag), .seg_first_i(seg_first),
      .seg_count_i(seg_count), .seg_full_i(seg_full), .changed_i(changed), .ended_i(ended), .passed_i(passed), .lost_i(lost), .dark_i(dark),
      .tunings_i(tunings), .restarts_i(restarts), .sent_i(sent), .unrouted_i(unrouted), .commits_i(commits),
      .refused_i(refused), .late_i(late), .dropped_i(dropped)
  );

  ocs_core #(
      .N(N), .S(S), .FifoDepth(FifoDepth), .Receivers(32'(Options[ocs_pkg::OptReceiver]))
  ) u_core (
      .clk_i, .rst_ni(rst_ni & ~soft_reset), .step_i, .horizon_o, .irq_o, .valid_i,
      .pair_lookup_o(pair_lookup), .pair_i(pair), .valid_next_o(valid_next), .input_next_o(input_next),
      .commit_we_i(commit_we), .cancel_we_i(cancel_we), .commit_at_we_i(commit_at_we), .seq_go_we_i(seq_go_we),
      .seq_swap_we_i(seq_swap_we), .seq_stop_we_i(seq_stop_we), .seq_store_we_i(seq_store_we), .seed_we_i(seed_we),
      .start_we_i(start_we), .stop_we_i(stop_we), .retry_we_i(retry_we), .seg_clear_i(seg_clear),
      .changed_clear_i(changed_clear), .ended_clear_i(ended_clear),
      .error_clear_i(error_clear), .access_error_i(access_error), .event_read_i(event_read), .data_i(data),
      .biten_i(biten), .all_stop_i(all_stop), .multicast_i(multicast), .irq_enable_i(irq_enable),
      .shadow_valid_i(shadow_valid), .shadow_input_i(shadow_input), .base_i(base), .slow_i(slow), .lock_i(lock),
      .jitter_mask_i(jitter_mask), .flap_i(flap), .los_i(los), .dead_i(dead), .stuck_i(stuck), .len_i(len),
      .gap_i(gap), .repeat_i(repeats), .tag_i(tag), .gated_i(gated), .rate_i(rate), .external_i(external),
      .launch_i(launch), .seq_offset_i(seq_offset), .seq_base_i(seq_base), .seq_len_i(seq_len),
      .seq_period_i(seq_period), .prog_i(prog), .prog_lanes_i(prog_lanes),
      .receivers_i(receivers), .warm_time_i(warm_time), .lock_warm_i(lock_warm), .lock_cold_i(lock_cold),
      .time_o(time_o), .commit_at_o(commit_at), .event_o(event_word), .event_time_o(event_time), .status_o(status),
      .error_o(error), .irq_status_o(irq_status), .valid_o(valid), .input_o(selected), .state_o(state),
      .cause_o(cause), .engine_o(engine), .seg_input_o(seg_input), .seg_tag_o(seg_tag), .seg_first_o(seg_first),
      .seg_count_o(seg_count), .seg_full_o(seg_full), .changed_o(changed), .ended_o(ended), .passed_o(passed), .lost_o(lost), .dark_o(dark),
      .tunings_o(tunings), .restarts_o(restarts), .sent_o(sent), .unrouted_o(unrouted), .commits_o(commits),
      .refused_o(refused), .late_o(late), .dropped_o(dropped)
  );
endmodule
