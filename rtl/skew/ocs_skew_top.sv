// The switch in stages, for a short clock cycle: stage k works on the cycle that stage 0 worked on k edges before.
//
// SPDX-License-Identifier: Apache-2.0
//
// The same modules as in ocs_top, and so the same cycles, counters, stamps and refusals; only the answer to an access, `irq_o`
// and what else leaves the switch come later by a constant. Nothing flows back but through the bus, and a register access goes
// down the stages with its cycle, one at a time. What a later stage needs of an earlier one comes through ocs_skew_delay. Edges
// are of 0 or 1 cycles (docs/fpga.md). Stages:
//   0  the access is decoded
//   1  commands, sequencer, commits
//   2  what outputs select, which light reaches them
//   3  PAIR
//   4  what T has apart from jitter
//   5  outputs
//   6  UP and HELD, inputs with light
//   7  engines
//   8  what each output's input offers
//   9  counters, segments, events, errors
//  11  one of a port's counters is chosen for a read
//  13  reads are answered
module ocs_skew_top
  import ocs_pkg::*;
#(
    /// Ports, 2 to 256.
    parameter int unsigned N = 16,
    /// Entries of a sequencer bank, a power of two, 2 to 32768.
    parameter int unsigned S = 16,
    /// Records of the event FIFO, a power of two, 2 to 4096.
    parameter int unsigned FifoDepth = 64,
    /// Options that are there, bits as in CAP_OPTIONS, 0 to 4095; what belongs to another one refuses writes.
    parameter int unsigned Options = AllOptions,
    localparam int unsigned InW = $clog2(N),
    localparam int unsigned EntryW = $clog2(S)
) (
    input  logic         clk_i,      ///< clock, rising edge
    input  logic         rst_ni,     ///< synchronous reset, active low, for at least two edges
    input  logic [31:0]  step_i,     ///< cycles that the next edge stands for, 0 or 1; 1 on an FPGA
    output logic [31:0]  horizon_o,  ///< how far the next edge may jump: 1
    output logic [63:0]  time_o,     ///< number of the present cycle, in stage 1
    output logic [3:0]   lag_o,      ///< edges that answers come later than those of ocs_top; irq_o and stages no more than that
    output logic         irq_o,      ///< an enabled interrupt source is active, as stage 9 knows
    input  logic [N-1:0] valid_i,    ///< pins of EXTERNAL inputs: a word is there
    /// Constants: bytes of a word, picoseconds of a cycle; shown in CAP_WORD and CYCLE_PS.
    input  logic [15:0]  word_bytes_i,
    input  logic [31:0]  cycle_ps_i,

    // ---- AXI4-Lite ----
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
    $error("ocs_skew_top: N must be from 2 to 256");
  end
  if (S < 2 || S > 32768 || (S & (S - 1)) != 0) begin : g_entries_in_range
    $error("ocs_skew_top: S must be a power of two from 2 to 32768");
  end
  if (FifoDepth < 2 || FifoDepth > 4096 || (FifoDepth & (FifoDepth - 1)) != 0) begin : g_depth_in_range
    $error("ocs_skew_top: FifoDepth must be a power of two from 2 to 4096");
  end
  if (Options > AllOptions) begin : g_options_in_range
    $error("ocs_skew_top: Options must be from 0 to 4095");
  end

  // verilator lint_off PINCONNECTEMPTY
  // A module that is used in several stages gives in each what that stage needs.

  // Stages: of commits, selection, PAIR, T, outputs, light, engines, words, of what is observed, of counters that are read, of answers.
  localparam int unsigned P = 1, C = 2, R = 3, T = 4, M = 5, L = 6, E = 7, X = 8, O = 9, W = 11, V = 13;

  // ---- stage 0: the access, and what the edge is --------------------------------------------------------------------------
  typedef struct packed {
    logic shadow_load;
    logic [N-1:0] ports, ports_write;  // of a mask; of a port register, one
  } masks_t;
  typedef struct packed {
    logic step_error;
    logic [N-1:0] pins;
  } edge_t;
  typedef struct packed {
    logic whole, core;  // reset alone; reset or SOFT_RESET
  } reset_t;
  access_t access[V+1];
  masks_t masks[V+1];
  edge_t at[V+1];
  reset_t reset[V+1];  // active high, as flip-flops take it, so that no gate is on its way to hundreds of them
  logic go[V+1];  // the fabric moves; where each edge is of one cycle, synthesis finds that it always does
  logic [31:0] read_data;
  modes_t modes, modes_p, modes_c, modes_m, modes_l, modes_o;
  axil_req_t axil_req;
  axil_rsp_t axil_rsp;
  assign axil_req = {awvalid_i, awaddr_i, wvalid_i, wdata_i, wstrb_i, bready_i, arvalid_i, araddr_i, rready_i};
  assign {awready_o, wready_o, bvalid_o, bresp_o, arready_o, rvalid_o, rdata_o, rresp_o} = axil_rsp;
  ocs_front #(.N(N), .S(S), .FifoDepth(FifoDepth), .Options(Options), .Latency(V)) u_front (
      .clk_i, .rst_ni, .word_bytes_i, .cycle_ps_i, .axil_req_i(axil_req), .axil_rsp_o(axil_rsp),
      .access_o(access[0]), .ports_o(masks[0].ports), .data_i(read_data), .modes_o(modes)
  );
  always_comb for (int unsigned p = 0; p < N; p++) masks[0].ports_write[p] = (access[0].port_write | access[0].optics_write) & access[0].port == 8'(p);
  assign masks[0].shadow_load = rst_ni & access[0].core_write & access[0].core_addr == ocs_addr_pkg::CORE_SHADOW_LOAD & access[0].data[0];
  always_comb begin
    reset[0].whole = ~rst_ni;
    reset[0].core = ~rst_ni | access[0].soft_reset;
    at[0].step_error = step_i > 32'd1;
    at[0].pins = valid_i;
  end
  assign go[0] = step_i == 32'd1;
  for (genvar k = 1; k <= V; k++) begin : g_stage
    ocs_skew_delay #(.Width($bits(reset_t)), .Start(1'b1)) u_reset (.clk_i, .d_i(reset[k-1]), .q_o(reset[k]));
    ocs_skew_delay #(.Width(1), .Start(1'bx)) u_go (.clk_i, .d_i(go[k-1]), .q_o(go[k]));
    ocs_skew_delay #(.Width($bits(access_t))) u_access (.clk_i, .d_i(access[k-1]), .q_o(access[k]));
    ocs_skew_delay #(.Width($bits(masks_t))) u_masks (.clk_i, .d_i(masks[k-1]), .q_o(masks[k]));
    ocs_skew_delay #(.Width($bits(edge_t))) u_edge (.clk_i, .d_i(at[k-1]), .q_o(at[k]));
  end
  // The port that an access names, as a bit of each.
  logic [N-1:0] named[P:O];
  always_comb for (int unsigned p = 0; p < N; p++) named[P][p] = access[P].port == 8'(p);
  for (genvar k = P + 1; k <= O; k++) begin : g_named
    ocs_skew_delay #(.Width(N)) u_named (.clk_i, .d_i(named[k-1]), .q_o(named[k]));
  end
  assign horizon_o = 32'd1;
  assign lag_o = 4'(V + 2);  // with the edges that ocs_axil takes to choose a request and to look at it

  // Settings of the whole switch in the stages that need them; a write is in force after its edge, there as here.
  ocs_skew_delay #(.Width($bits(modes_t)), .Edges(P)) u_modes_p (.clk_i, .d_i(modes), .q_o(modes_p));
  ocs_skew_delay #(.Width($bits(modes_t)), .Edges(C - P)) u_modes_c (.clk_i, .d_i(modes_p), .q_o(modes_c));
  ocs_skew_delay #(.Width($bits(modes_t)), .Edges(M - C)) u_modes_m (.clk_i, .d_i(modes_c), .q_o(modes_m));
  ocs_skew_delay #(.Width($bits(modes_t)), .Edges(L - M)) u_modes_l (.clk_i, .d_i(modes_m), .q_o(modes_l));
  ocs_skew_delay #(.Width($bits(modes_t)), .Edges(O - L)) u_modes_o (.clk_i, .d_i(modes_l), .q_o(modes_o));

  logic [InW-1:0] no_input[N];
  always_comb no_input = '{default: '0};

  // The cycle after the present one less SEQ_BASE, modulo 2^64, so that it says something of a base that is past.
  logic [63:0] seq_base_0, time_next_0, since_base_p;
  always_ff @(posedge clk_i) begin
    if (reset[0].core) time_next_0 <= 64'd1;
    else if (go[0]) time_next_0 <= time_next_0 + 64'd1;
  end
  ocs_skew_settings #(.N(N), .Options(Options)) u_settings_0 (
      .clk_i, .rst_ni(~reset[0].core), .access_i(access[0]), .ports_write_i('0), .load_i(1'b0), .load_valid_i('0),
      .load_input_i(no_input),
      .shadow_valid_o(), .shadow_input_o(), .port_cfg_o(), .burst_cfg_o(), .launch_o(), .seq_base_o(seq_base_0),
      .quantile_o()
  );
  ocs_skew_delay #(.Width(64), .Edges(P)) u_since_base (.clk_i, .d_i(time_next_0 - seq_base_0), .q_o(since_base_p));

  // ---- stage 1: commands, sequencer, commits ------------------------------------------------------------------------------
  logic [63:0] time_next_q;  // the cycle after the present one
  logic [63:0] commit_at_p, seq_base_p;
  cmd_t cmd_0, cmd_p;
  logic sw, armed, sw_done, timed_done, seq_go, seq_swap, seq_stop, seq_due, seq_late, running, wrap;
  logic taken, refused, late, range, conflict;
  source_e source;
  logic [5:0] sw_tag, timed_tag, seq_tag, tag;
  logic [N-1:0] start, stop, retry, launch, row_valid, map_valid, shadow_valid, launch_mask;
  logic [8:0] row_input[N], shadow_input[N];
  logic [InW-1:0] map_input[N];
  always_ff @(posedge clk_i) begin
    if (reset[P].core) begin
      time_o <= '0;
      time_next_q <= 64'd1;
    end else if (go[P]) begin
      time_o <= time_next_q;
      time_next_q <= time_next_q + 64'd1;
    end
  end

  ocs_strobes u_strobes_0 (.access_i(access[0]), .cmd_o(cmd_0));  // known before the stage, like those of later ones
  ocs_skew_delay #(.Width($bits(cmd_t)), .Edges(P)) u_cmd_p (.clk_i, .d_i(cmd_0), .q_o(cmd_p));
  logic store_first;
  ocs_skew_delay #(.Width(1), .Edges(P)) u_store_first (
      .clk_i, .d_i(cmd_0.seq_store & access[0].data[EntryW-1:0] == '0), .q_o(store_first)
  );

  ocs_commands #(.N(N)) u_commands (
      .clk_i, .rst_ni(~reset[P].core),
      .go_i(go[P]), .time_i(time_o),
      .cmd_i(cmd_p), .tag_i(modes_p.commit_tag),
      .start_we_i(cmd_p.start ? masks[P].ports : '0), .halt_we_i(cmd_p.stop ? masks[P].ports : '0),
      .retry_we_i(cmd_p.retry ? masks[P].ports : '0),
      .data_i(access[P].data), .biten_i(access[P].biten),
      .sw_done_i(sw_done), .timed_done_i(timed_done),
      .sw_o(sw), .sw_tag_o(sw_tag), .armed_o(armed), .timed_tag_o(timed_tag), .commit_at_o(commit_at_p),
      .seq_go_o(seq_go), .seq_swap_o(seq_swap), .seq_stop_o(seq_stop),
      .start_o(start), .stop_o(stop), .retry_o(retry), .pending_bound_o(), .timed_bound_o()
  );

  ocs_skew_sequencer #(.N(N), .S(S)) u_sequencer (
      .clk_i, .rst_ni(~reset[P].core),
      .go_i(go[P]),
      .seq_go_i(seq_go), .seq_swap_i(seq_swap), .seq_stop_i(seq_stop),
      .base_i(seq_base_p), .since_base_i(since_base_p), .len_i(modes_p.seq_len),
      .period_i(modes_p.seq_period),
      .store_i(cmd_p.seq_store), .store_first_i(store_first), .entry_i(access[P].data[EntryW-1:0]), .offset_i(modes_p.seq_offset),
      .tag_i(modes_p.commit_tag), .launch_i(launch_mask),
      .map_valid_i(shadow_valid), .map_input_i(shadow_input),
      .running_o(running), .due_o(seq_due), .late_o(seq_late), .tag_o(seq_tag), .row_valid_o(row_valid), .row_input_o(row_input),
      .launch_o(launch), .wrap_o(wrap)
  );

  typedef struct packed {
    logic [N-1:0] changed, valid, valid_next, dark, dark_next, low, low_dim, low_next;
    power_t [N-1:0] power;
    logic [N-1:0][InW-1:0] selected, selected_next;
  } select_t;
  select_t select, select_m;

  // SHADOW_LOAD copies what the outputs select after its edge. Stage 2 knows that an edge later than this stage: then the
  // registers are written, and until then the arbiter looks there. No other access is on its way.
  logic loads;
  logic [N-1:0] load_valid, asked_valid;
  logic [N-1:0][InW-1:0] load_packed;
  logic [InW-1:0] load_input[N];
  logic [8:0] asked_input[N];
  ocs_skew_tap #(.Width(1 + N * (1 + InW))) u_load (
      .clk_i, .d_i({masks[C].shadow_load, select.valid_next, select.selected_next}), .q_o({loads, load_valid, load_packed})
  );
  always_comb begin
    asked_valid = loads ? load_valid : shadow_valid;
    for (int unsigned o = 0; o < N; o++) begin
      load_input[o] = load_packed[o];
      asked_input[o] = loads ? 9'(load_packed[o]) : shadow_input[o];
    end
  end
  logic asked, map_range, map_conflict;
  ocs_commit u_commit (
      .go_i(go[P]), .last_i(time_o),
      .sw_i(sw), .armed_i(armed), .commit_at_i(commit_at_p), .seq_i(seq_due), .seq_late_i(seq_late),
      .sw_tag_i(sw_tag), .timed_tag_i(timed_tag), .seq_tag_i(seq_tag),
      .range_i(map_range), .conflict_i(map_conflict), .multicast_i(modes_p.multicast),
      .any_o(asked), .taken_o(taken), .refused_o(refused), .source_o(source), .tag_o(tag), .late_o(late), .range_o(range),
      .conflict_o(conflict), .sw_done_o(sw_done), .timed_done_o(timed_done)
  );
  ocs_skew_map #(.N(N)) u_map (
      .on_i(asked), .seq_i(seq_due), .shadow_valid_i(asked_valid), .shadow_input_i(asked_input), .row_valid_i(row_valid),
      .row_input_i(row_input), .map_valid_o(map_valid), .map_input_o(map_input), .range_o(map_range),
      .conflict_o(map_conflict)
  );

  ocs_skew_settings #(.N(N), .Options(Options)) u_settings_p (
      .clk_i, .rst_ni(~reset[P].core), .access_i(access[P]), .ports_write_i(masks[P].ports_write), .load_i(loads),
      .load_valid_i(load_valid), .load_input_i(load_input),
      .shadow_valid_o(shadow_valid), .shadow_input_o(shadow_input), .port_cfg_o(), .burst_cfg_o(), .launch_o(launch_mask),
      .seq_base_o(seq_base_p), .quantile_o()
  );

  // ---- stage 2: selection, light ------------------------------------------------------------------------------------------
  logic taken_c;
  port_cfg_t cfg_c[N];
  logic [N-1:0] map_valid_c, los, dead, changed_c, valid_c, valid_next_c, dark_c, dark_next_c;
  logic [InW-1:0] map_input_c[N], input_c[N], input_next_c[N];
  logic [N-1:0][InW-1:0] map_packed, map_packed_c;
  always_comb for (int unsigned o = 0; o < N; o++) map_packed[o] = map_input[o];
  ocs_skew_delay #(.Width(1 + N * (1 + InW)), .Edges(C - P)) u_map_c (
      .clk_i, .d_i({taken, map_valid, map_packed}), .q_o({taken_c, map_valid_c, map_packed_c})
  );
  always_comb for (int unsigned o = 0; o < N; o++) map_input_c[o] = map_packed_c[o];
  always_comb begin
    for (int unsigned p = 0; p < N; p++) begin
      los[p] = cfg_c[p].los;
      dead[p] = cfg_c[p].dead;
    end
  end
  ocs_skew_select #(.N(N)) u_select (
      .clk_i, .rst_ni(~reset[C].core),
      .taken_i(taken_c), .map_valid_i(map_valid_c), .map_input_i(map_input_c), .los_i(los), .dead_i(dead),
      .valid_o(valid_c), .input_o(input_c), .valid_next_o(valid_next_c), .input_next_o(input_next_c),
      .changed_o(changed_c), .dark_o(dark_c), .dark_next_o(dark_next_c)
  );
  // Power of what is selected, and of what is selected next.
  logic [N-1:0] low_c, low_dim_c, low_next_c, unused_low;
  power_t power_c[N], unused_power[N];
  if (Options[OptPower]) begin : g_power
    ocs_power #(.N(N)) u_power (
        .threshold_i(modes_c.threshold), .hysteresis_i(modes_c.hysteresis), .port_cfg_i(cfg_c), .input_i(input_c), .power_o(power_c),
        .low_o(low_c), .low_dim_o(low_dim_c)
    );
    ocs_power #(.N(N)) u_power_next (
        .threshold_i(modes_c.threshold), .hysteresis_i(modes_c.hysteresis), .port_cfg_i(cfg_c), .input_i(input_next_c),
        .power_o(unused_power), .low_o(low_next_c), .low_dim_o(unused_low)
    );
  end else begin : g_no_power
    assign {low_c, low_dim_c, low_next_c, unused_low} = '0;
    always_comb power_c = '{default: '0};
    always_comb unused_power = '{default: '0};
  end
  ocs_skew_settings #(.N(N), .Options(Options)) u_settings_c (
      .clk_i, .rst_ni(~reset[C].core), .access_i(access[C]), .ports_write_i(masks[C].ports_write), .load_i(1'b0), .load_valid_i('0),
      .load_input_i(no_input),
      .shadow_valid_o(), .shadow_input_o(), .port_cfg_o(cfg_c), .burst_cfg_o(), .launch_o(), .seq_base_o(), .quantile_o()
  );

  // ---- stage 3: PAIR of what outputs select next ----------------------------------------------------------------------------
  logic [29:0] pair[N], pair_read;
  if (Options[OptPair]) begin : g_pair
    logic [InW-1:0] input_next_r[N];
    logic [N-1:0][InW-1:0] next_packed, next_packed_r;
    always_comb for (int unsigned o = 0; o < N; o++) next_packed[o] = input_next_c[o];
    ocs_skew_delay #(.Width(N * InW), .Edges(R - C)) u_next_r (.clk_i, .d_i(next_packed), .q_o(next_packed_r));
    always_comb for (int unsigned o = 0; o < N; o++) input_next_r[o] = next_packed_r[o];
    ocs_pair #(.N(N), .Rows(1)) u_pair (
        .clk_i, .write_i(access[R].pair_write), .output_i(access[R].pair_output), .column_i(access[R].pair_column),
        .data_i(access[R].data), .biten_i(access[R].biten), .read_o(pair_read), .lookup_i(1'b1),
        .input_i(input_next_r), .pair_o(pair)
    );
  end else begin : g_no_pair
    always_comb pair = '{default: '0};
    assign pair_read = '0;
  end

  // ---- stage 4: the part of T that doesn't depend on the state of an output -------------------------------------------------
  port_cfg_t cfg_t[N];
  logic [N-1:0][29:0] pair_packed, pair_t;
  logic [N-1:0][32:0] fixed, fixed_m;
  logic [N-1:0] no_fixed, no_fixed_m;
  always_comb for (int unsigned o = 0; o < N; o++) pair_packed[o] = pair[o];
  ocs_skew_delay #(.Width(30 * N), .Edges(T - R)) u_pair_t (.clk_i, .d_i(pair_packed), .q_o(pair_t));
  ocs_skew_settings #(.N(N), .Options(Options)) u_settings_t (
      .clk_i, .rst_ni(~reset[T].core), .access_i(access[T]), .ports_write_i(masks[T].ports_write), .load_i(1'b0), .load_valid_i('0),
      .load_input_i(no_input),
      .shadow_valid_o(), .shadow_input_o(), .port_cfg_o(cfg_t), .burst_cfg_o(), .launch_o(), .seq_base_o(), .quantile_o()
  );
  always_comb begin
    for (int unsigned o = 0; o < N; o++) begin
      fixed[o] = 33'(cfg_t[o].base) + 33'(cfg_t[o].slow) + 33'(pair_t[o]) - 33'd2;
      no_fixed[o] = (cfg_t[o].base | cfg_t[o].slow | pair_t[o]) == '0;
    end
  end
  ocs_skew_delay #(.Width(34 * N), .Edges(M - T)) u_fixed (.clk_i, .d_i({fixed, no_fixed}), .q_o({fixed_m, no_fixed_m}));

  // ---- stage 5: outputs -----------------------------------------------------------------------------------------------------
  logic [N-1:0] retry_m, entered, started, restarted;
  beam_t beam[N];
  logic [InW-1:0] position[N];
  logic [32:0] fixed_of[N];
  port_cfg_t cfg_m[N];
  quantile_t quantile[Quantiles];
  logic [63:0] stamp_m;
  cmd_t cmd_4, cmd_m;
  logic [InW-1:0] input_m[N], input_next_m[N];
  state_e state[N], state_next[N];
  cause_e cause[N];
  always_comb begin
    select.changed = changed_c;
    select.valid = valid_c;
    select.valid_next = valid_next_c;
    select.dark = dark_c;
    select.dark_next = dark_next_c;
    select.low = low_c;
    select.low_dim = low_dim_c;
    select.low_next = low_next_c;
    for (int unsigned o = 0; o < N; o++) select.power[o] = power_c[o];
    for (int unsigned o = 0; o < N; o++) begin
      select.selected[o] = input_c[o];
      select.selected_next[o] = input_next_c[o];
      input_m[o] = select_m.selected[o];
      input_next_m[o] = select_m.selected_next[o];
      fixed_of[o] = fixed_m[o];
    end
  end
  ocs_skew_delay #(.Width($bits(select_t)), .Edges(M - C)) u_select_m (.clk_i, .d_i(select), .q_o(select_m));
  ocs_skew_delay #(.Width(N), .Edges(M - P)) u_retry (.clk_i, .d_i(retry), .q_o(retry_m));
  ocs_skew_delay #(.Width(64), .Edges(M - P)) u_stamp (.clk_i, .d_i(time_next_q), .q_o(stamp_m));
  ocs_strobes u_strobes_t (.access_i(access[T]), .cmd_o(cmd_4));
  ocs_skew_delay #(.Width($bits(cmd_t)), .Edges(M - T)) u_cmd_m (.clk_i, .d_i(cmd_4), .q_o(cmd_m));
  ocs_skew_settings #(.N(N), .Options(Options)) u_settings_m (
      .clk_i, .rst_ni(~reset[M].core), .access_i(access[M]), .ports_write_i(masks[M].ports_write), .load_i(1'b0), .load_valid_i('0),
      .load_input_i(no_input),
      .shadow_valid_o(), .shadow_input_o(), .port_cfg_o(cfg_m), .burst_cfg_o(), .launch_o(), .seq_base_o(),
      .quantile_o(quantile)
  );
  ocs_skew_outputs #(
      .N(N), .Serial(32'(Options[OptSerial])), .Receivers(32'(Options[OptReceiver])), .Positions(32'(Options[OptPositions])),
      .Power(32'(Options[OptPower]))
  ) u_outputs (
      .clk_i, .rst_ni(~reset[M].core),
      .go_i(go[M]), .changed_i(select_m.changed), .valid_next_i(select_m.valid_next), .retry_i(retry_m),
      .modes_i(modes_m), .port_cfg_i(cfg_m), .fixed_i(fixed_of), .no_fixed_i(no_fixed_m), .quantile_i(quantile),
      .stamp_i(stamp_m), .input_i(input_m), .input_next_i(input_next_m), .seed_we_i(cmd_m.seed), .seed_i(access[M].data),
      .dark_i(select_m.dark), .dark_next_i(select_m.dark_next), .low_i(select_m.low), .low_dim_i(select_m.low_dim),
      .low_next_i(select_m.low_next),
      .state_o(state), .state_next_o(state_next), .cause_o(cause), .entered_o(entered), .started_o(started),
      .restarted_o(restarted), .beam_o(beam), .position_o(position)
  );

  // ---- stage 6: UP and HELD, inputs with light ------------------------------------------------------------------------------
  typedef struct packed {
    state_e state, state_next;
    cause_e cause;
    logic valid, entered, started, restarted, disturbed, disturbed_next, dim, dim_next, lit, misroutes;
    power_t power;
    logic [InW-1:0] selected, position;
  } output_t;
  output_t [N-1:0] outputs, outputs_l, seen, outputs_o;
  state_e state_l[N], state_next_l[N], seen_state[N], seen_next[N];
  logic [N-1:0] entered_l, started_l, valid_l, seen_entered, routed, light, light_e, routed_o;
  logic [InW-1:0] input_l[N];
  logic held;
  logic [N-1:0] disturbed, disturbed_next;
  always_comb begin
    for (int unsigned o = 0; o < N; o++) begin
      outputs[o] = '{state[o], state_next[o], cause[o], select_m.valid[o], entered[o], started[o], restarted[o], 1'b0, 1'b0,
                     beam[o].dim, beam[o].dim_next, beam[o].lit, beam[o].misroutes, select_m.power[o], input_m[o], position[o]};
    end
  end
  always_comb begin
    for (int unsigned o = 0; o < N; o++) begin
      state_l[o] = outputs_l[o].state;
      state_next_l[o] = outputs_l[o].state_next;
      entered_l[o] = outputs_l[o].entered;
      started_l[o] = outputs_l[o].started;
      valid_l[o] = outputs_l[o].valid;
      input_l[o] = outputs_l[o].selected;
    end
  end
  always_comb begin
    for (int unsigned o = 0; o < N; o++) begin
      seen[o] = outputs_l[o];
      seen[o].state = seen_state[o];
      seen[o].state_next = seen_next[o];
      seen[o].entered = seen_entered[o];
      seen[o].disturbed = disturbed[o];
      seen[o].disturbed_next = disturbed_next[o];
    end
  end
  ocs_skew_delay #(.Width($bits(outputs)), .Edges(L - M)) u_outputs_l (.clk_i, .d_i(outputs), .q_o(outputs_l));
  ocs_skew_view #(.N(N)) u_view (
      .clk_i, .rst_ni(~reset[L].core),
      .go_i(go[L]), .all_stop_i(modes_l.all_stop), .state_i(state_l), .state_next_i(state_next_l), .entered_i(entered_l),
      .started_i(started_l), .valid_i(valid_l), .input_i(input_l),
      .state_o(seen_state), .state_next_o(seen_next), .entered_o(seen_entered), .stop_o(held), .routed_o(routed),
      .light_o(light)
  );
  if (Options[OptNeighbours]) begin : g_neighbours
    ocs_neighbours #(.N(N)) u_neighbours (
        .clk_i, .rst_ni(~reset[L].core), .step_i(32'(go[L])), .cycles_i(modes_l.disturb),
        .distances_i(modes_l.disturb_at), .started_i(started_l),
        .disturbed_o(disturbed), .disturbed_next_o(disturbed_next), .bound_o()
    );
  end else begin : g_no_neighbours
    assign {disturbed, disturbed_next} = '0;
  end
  ocs_skew_delay #(.Width(N), .Edges(E - L)) u_light (.clk_i, .d_i(light), .q_o(light_e));
  ocs_skew_delay #(.Width(N), .Edges(O - L)) u_routed (.clk_i, .d_i(routed), .q_o(routed_o));

  // ---- stage 7: engines ---------------------------------------------------------------------------------------------------
  logic [N-1:0] start_e, stop_e, launch_e, done, ending, last_word, first_word;
  logic [31:0] index[N];
  burst_cfg_t burst_l[N], burst_e[N];
  logic [N-1:0] burst_words, words;
  logic [N-1:0][16:0] over, over_e;
  logic [16:0] over_of[N];
  logic [15:0] burst_tag[N];
  engine_e engine[N];
  ocs_skew_delay #(.Width(3 * N), .Edges(E - P)) u_starts (.clk_i, .d_i({start, stop, launch}), .q_o({start_e, stop_e, launch_e}));
  ocs_skew_settings #(.N(N), .Options(Options)) u_settings_l (
      .clk_i, .rst_ni(~reset[L].core), .access_i(access[L]), .ports_write_i(masks[L].ports_write), .load_i(1'b0), .load_valid_i('0),
      .load_input_i(no_input),
      .shadow_valid_o(), .shadow_input_o(), .port_cfg_o(), .burst_cfg_o(burst_l), .launch_o(), .seq_base_o(), .quantile_o()
  );
  always_comb begin
    for (int unsigned i = 0; i < N; i++) begin
      over[i] = {1'b0, burst_l[i].rate} - 17'(FullRate);
      over_of[i] = over_e[i];
    end
  end
  ocs_skew_delay #(.Width(17 * N), .Edges(E - L)) u_over (.clk_i, .d_i(over), .q_o(over_e));
  ocs_skew_settings #(.N(N), .Options(Options)) u_settings_e (
      .clk_i, .rst_ni(~reset[E].core), .access_i(access[E]), .ports_write_i(masks[E].ports_write), .load_i(1'b0), .load_valid_i('0),
      .load_input_i(no_input),
      .shadow_valid_o(), .shadow_input_o(), .port_cfg_o(), .burst_cfg_o(burst_e), .launch_o(), .seq_base_o(), .quantile_o()
  );
  ocs_skew_engines #(.N(N)) u_engines (
      .clk_i, .rst_ni(~reset[E].core),
      .go_i(go[E]), .start_i(start_e), .stop_i(stop_e), .launch_i(launch_e),
      .burst_cfg_i(burst_e), .over_i(over_of), .valid_i(at[E].pins), .light_i(light_e),
      .state_o(engine), .tag_o(burst_tag), .index_o(index), .burst_word_o(burst_words), .word_o(words), .done_o(done),
      .ending_o(ending), .last_o(last_word), .first_o(first_word)
  );

  // ---- stage 8: what the input of each output offers ------------------------------------------------------------------------
  typedef struct packed {
    engine_e state;
    logic done, word, last_word;
  } engine_t;
  typedef struct packed {
    logic [15:0] tag;
    logic [31:0] index;
    logic ending, word, first_word;
  } burst_t;
  typedef struct packed {
    logic passes, closes, word, zero;  // closes: a segment ends at this edge, if there is one; zero: the word's index is 0
    logic [15:0] tag;
    logic [31:0] index;
  } segment_t;
  typedef struct packed {
    logic taken, refused, late, range, conflict, wrap, sw, armed, running;
    source_e source;
    logic [5:0] tag;
  } commit_t;
  engine_t [N-1:0] engines, engines_o;
  burst_t [N-1:0] bursts, bursts_x;
  segment_t [N-1:0] segments, segments_o;
  output_t [N-1:0] seen_x;
  commit_t commit, commit_o;
  logic stop_late;
  always_comb begin
    for (int unsigned i = 0; i < N; i++) begin
      engines[i] = '{engine[i], done[i], words[i], last_word[i]};
      bursts[i] = '{burst_tag[i], index[i], ending[i], burst_words[i], first_word[i]};
    end
    commit = '{taken, refused, late, range, conflict, wrap, sw, armed, running, source, tag};
  end
  ocs_skew_delay #(.Width($bits(bursts)), .Edges(X - E)) u_bursts_x (.clk_i, .d_i(bursts), .q_o(bursts_x));
  ocs_skew_delay #(.Width($bits(seen)), .Edges(X - L)) u_seen_x (.clk_i, .d_i(seen), .q_o(seen_x));
  always_comb begin
    for (int unsigned o = 0; o < N; o++) begin
      segments[o].passes = seen_x[o].state == Up & ~seen_x[o].disturbed & ~seen_x[o].dim;
      segments[o].closes = seen_x[o].state_next != Up | seen_x[o].entered | seen_x[o].disturbed_next | seen_x[o].dim_next |
                           bursts_x[seen_x[o].selected].ending;
      segments[o].word = bursts_x[seen_x[o].selected].word;
      segments[o].zero = bursts_x[seen_x[o].selected].first_word;
      segments[o].tag = bursts_x[seen_x[o].selected].tag;
      segments[o].index = bursts_x[seen_x[o].selected].index;
    end
  end
  ocs_skew_delay #(.Width($bits(segments)), .Edges(O - X)) u_segments_o (.clk_i, .d_i(segments), .q_o(segments_o));
  ocs_skew_delay #(.Width($bits(seen)), .Edges(O - X)) u_outputs_o (.clk_i, .d_i(seen_x), .q_o(outputs_o));
  ocs_skew_delay #(.Width($bits(engines)), .Edges(O - E)) u_engines_o (.clk_i, .d_i(engines), .q_o(engines_o));
  ocs_skew_delay #(.Width($bits(commit)), .Edges(O - P)) u_commit_o (.clk_i, .d_i(commit), .q_o(commit_o));
  ocs_skew_delay #(.Width(1), .Edges(O - L)) u_stop (.clk_i, .d_i(held), .q_o(stop_late));

  // ---- stage 9: segments, counters, events, errors -------------------------------------------------------------------------
  state_e state_late[N], state_next_late[N];
  cause_e cause_late[N];
  engine_e engine_late[N];
  logic [N-1:0] valid_late, entered_late, started_late, restarted_late, done_late, passes_late, closes_late, word_late, zero_late,
      last_late, whole;
  logic [N-1:0] misroutes_late;
  logic [InW-1:0] input_late[N], position_late[N];
  logic [31:0] words_late[N], index_late[N];
  logic [15:0] tag_late[N];
  always_comb begin
    for (int unsigned p = 0; p < N; p++) begin
      state_late[p] = outputs_o[p].state;
      state_next_late[p] = outputs_o[p].state_next;
      cause_late[p] = outputs_o[p].cause;
      valid_late[p] = outputs_o[p].valid;
      entered_late[p] = outputs_o[p].entered;
      started_late[p] = outputs_o[p].started;
      restarted_late[p] = outputs_o[p].restarted;
      input_late[p] = outputs_o[p].selected;
      misroutes_late[p] = outputs_o[p].misroutes;
      position_late[p] = outputs_o[p].position;
      engine_late[p] = engines_o[p].state;
      done_late[p] = engines_o[p].done;
      last_late[p] = engines_o[p].last_word;
      words_late[p] = 32'(engines_o[p].word);
      passes_late[p] = segments_o[p].passes;
      closes_late[p] = segments_o[p].closes;
      word_late[p] = segments_o[p].word;
      zero_late[p] = segments_o[p].zero;
      index_late[p] = segments_o[p].index;
      tag_late[p] = segments_o[p].tag;
    end
  end

  logic [63:0] time_late, stamp, commit_at_late, seq_base_late, event_time, commits, commits_refused, commits_late, records_dropped;
  cmd_t cmd_x, cmd_o;
  logic [N-1:0] seg_full, changed, ended;
  logic [Errors-1:0] error_set, error;
  logic overrun, dropped, fifo_empty;
  logic [2:0] irq_status;
  logic [31:0] event_word, seg_first[N], seg_count[N];
  logic [InW-1:0] seg_input[N];
  logic [15:0] seg_tag[N];
  logic [63:0] passed[N], lost[N], dark[N], tunings[N], restarts[N], sent[N], unrouted[N], misrouted[N];
  always_ff @(posedge clk_i) begin
    if (reset[O].core) begin
      time_late <= '0;
      stamp <= 64'd1;
    end else if (go[O]) begin
      time_late <= stamp;
      stamp <= stamp + 64'd1;
    end
  end
  ocs_strobes u_strobes_x (.access_i(access[X]), .cmd_o(cmd_x));
  ocs_skew_delay #(.Width($bits(cmd_t)), .Edges(O - X)) u_cmd_o (.clk_i, .d_i(cmd_x), .q_o(cmd_o));
  ocs_skew_segments #(.N(N)) u_segments (
      .clk_i, .rst_ni(~reset[O].core),
      .go_i(go[O]), .brief_i(modes_o.brief), .passes_i(passes_late), .valid_i(valid_late), .input_i(input_late), .word_i(word_late),
      .index_i(index_late), .zero_i(zero_late), .tag_i(tag_late),
      .closes_i(closes_late), .last_i(last_late), .clear_i(cmd_o.seg_clear ? masks[O].ports : '0),
      .input_o(seg_input), .tag_o(seg_tag), .first_o(seg_first), .count_o(seg_count), .full_o(seg_full),
      .overrun_o(overrun), .whole_o(whole)
  );
  ocs_counters #(.N(N)) u_counters (
      .clk_i, .rst_ni(~reset[O].core),
      .step_i(32'(go[O])), .state_i(state_late), .passes_i(passes_late), .valid_i(valid_late), .input_i(input_late),
      .started_i(started_late), .restarted_i(restarted_late), .misroutes_i(misroutes_late), .position_i(position_late), .words_i(words_late), .routed_i(routed_o),
      .taken_i(commit_o.taken), .refused_i(commit_o.refused), .late_i(commit_o.late), .dropped_i(dropped),
      .passed_o(passed), .lost_o(lost), .dark_o(dark), .tunings_o(tunings), .restarts_o(restarts), .sent_o(sent),
      .unrouted_o(unrouted), .misrouted_o(misrouted), .commits_o(commits), .refused_o(commits_refused), .late_o(commits_late),
      .dropped_o(records_dropped)
  );
  ocs_skew_events #(.N(N), .Depth(FifoDepth)) u_events (
      .clk_i, .rst_ni(~reset[O].core),
      .go_i(go[O]), .stamp_i(stamp), .device_i({commit_o.wrap, commit_o.refused, commit_o.taken}),
      .source_i(commit_o.source), .tag_i(commit_o.tag), .entered_i(entered_late), .state_i(state_next_late), .done_i(done_late), .whole_i(whole),
      .pop_i(cmd_o.event_read), .changed_clear_i(cmd_o.changed_clear ? masks[O].ports : '0),
      .ended_clear_i(cmd_o.ended_clear ? masks[O].ports : '0),
      .event_o(event_word), .event_time_o(event_time), .empty_o(fifo_empty), .changed_o(changed), .ended_o(ended),
      .dropped_o(dropped)
  );
  always_comb begin
    error_set = '0;
    error_set[ErrRange] = commit_o.range;
    error_set[ErrConflict] = commit_o.conflict;
    error_set[ErrLate] = commit_o.late;
    error_set[ErrStep] = at[O].step_error;
    error_set[ErrAccess] = access[O].error;
    error_set[ErrOverflow] = dropped;
    error_set[ErrSegment] = overrun;
  end
  ocs_status u_status (
      .clk_i, .rst_ni(~reset[O].core),
      .set_i(error_set), .clear_i(cmd_o.error_clear), .fifo_empty_i(fifo_empty), .enable_i(modes_o.irq_enable),
      .error_o(error), .sources_o(irq_status), .irq_o
  );

  // ---- reads: each stage keeps what a read names there, and stage 13 answers ---------------------------------------------------
  // COMMIT_AT and SEQ_BASE depend on accesses alone, so copies in stage 9 have the same.
  cmd_t cmd_at_o;
  assign cmd_at_o = '{commit_at: cmd_o.commit_at, default: '0};
  ocs_commands #(.N(N)) u_commands_o (
      .clk_i, .rst_ni(~reset[O].core),
      .go_i(1'b0), .time_i('0), .cmd_i(cmd_at_o), .tag_i('0), .start_we_i('0), .halt_we_i('0), .retry_we_i('0),
      .data_i(access[O].data), .biten_i(access[O].biten), .sw_done_i(1'b0), .timed_done_i(1'b0),
      .sw_o(), .sw_tag_o(), .armed_o(), .timed_tag_o(), .commit_at_o(commit_at_late), .seq_go_o(), .seq_swap_o(), .seq_stop_o(),
      .start_o(), .stop_o(), .retry_o(), .pending_bound_o(), .timed_bound_o()
  );
  ocs_skew_settings #(.N(N), .Options(Options)) u_settings_o (
      .clk_i, .rst_ni(~reset[O].core), .access_i(access[O]), .ports_write_i('0), .load_i(1'b0), .load_valid_i('0),
      .load_input_i(no_input),
      .shadow_valid_o(), .shadow_input_o(), .port_cfg_o(), .burst_cfg_o(), .launch_o(), .seq_base_o(seq_base_late),
      .quantile_o()
  );


  typedef struct packed {
    logic valid;
    logic [8:0] selected;
  } shadow_t;
  typedef struct packed {
    logic los, dead;
    logic [15:0] laser, loss;
  } faults_t;
  typedef struct packed {
    logic [29:0] base, slow;
  } tuning_t;
  typedef struct packed {
    logic stuck, keeps;
    logic [29:0] lock, jitter_mask, flap;
  } locking_t;
  typedef struct packed {
    port_view_t view;  // without masks
    port_counters_t counters;
  } seen_t;
  typedef struct packed {
    logic [31:0] event_word;
    logic [3:0] status;
    logic [Errors-1:0] error;
    logic [2:0] irq;
    logic [N-1:0] full, changed, ended;
  } device_t;
  shadow_t [N-1:0] shadows;
  faults_t [N-1:0] faults;
  tuning_t [N-1:0] tunings_of;
  locking_t [N-1:0] lockings;
  quantile_t [Quantiles-1:0] quantiles;
  burst_cfg_t [N-1:0] sources;
  seen_t [N-1:0] ports_seen;
  logic [7:0][63:0] wide;
  shadow_t read_shadow;
  faults_t read_faults;
  tuning_t read_tuning;
  locking_t read_locking;
  quantile_t read_quantile;
  burst_cfg_t read_source;
  seen_t read_seen;
  device_t read_device;
  logic [63:0] read_wide;
  logic [N-1:0] read_launch;
  logic [Quantiles-1:0] point;  // of LOCK_WARM and LOCK_COLD
  logic [7:0] counter;          // register of 64 bits
  always_comb begin
    for (int unsigned k = 0; k < Quantiles; k++) point[k] = access[M].core_addr[5:2] == 4'(k);
    for (int unsigned k = 0; k < 8; k++) counter[k] = access[O].core_addr[5:3] == 3'(k);
  end
  logic [29:0] read_pair;
  always_comb begin
    for (int unsigned p = 0; p < N; p++) begin
      shadows[p] = '{shadow_valid[p], shadow_input[p]};
      faults[p] = '{cfg_c[p].los, cfg_c[p].dead, cfg_c[p].laser, cfg_c[p].loss};
      tunings_of[p] = '{cfg_t[p].base, cfg_t[p].slow};
      lockings[p] = '{cfg_m[p].stuck, cfg_m[p].keeps, cfg_m[p].lock, cfg_m[p].jitter_mask, cfg_m[p].flap};
      sources[p] = burst_e[p];
      ports_seen[p].view = '{valid: valid_late[p], selected: 8'(input_late[p]), state: state_late[p], cause: cause_late[p],
                             disturbed: outputs_o[p].disturbed,
                             dim: outputs_o[p].dim & (modes_o.light | outputs_o[p].state != Failed), lit: outputs_o[p].lit,
                             power: outputs_o[p].power,
                             engine: engine_late[p], seg_input: 8'(seg_input[p]), seg_tag: seg_tag[p],
                             seg_first: seg_first[p], seg_count: seg_count[p], default: '0};
      ports_seen[p].counters = '{passed: passed[p], lost: lost[p], dark: dark[p], tunings: tunings[p],
                                 restarts: restarts[p], sent: sent[p], unrouted: unrouted[p], misrouted: misrouted[p]};
    end
    for (int unsigned k = 0; k < Quantiles; k++) quantiles[k] = quantile[k];
    wide[ocs_addr_pkg::CORE_TIME[5:3]] = time_late;
    wide[ocs_addr_pkg::CORE_COMMIT_AT[5:3]] = commit_at_late;
    wide[ocs_addr_pkg::CORE_SEQ_BASE[5:3]] = seq_base_late;
    wide[ocs_addr_pkg::CORE_EVENT_TIME[5:3]] = event_time;
    wide[ocs_addr_pkg::CORE_COMMITS[5:3]] = commits;
    wide[ocs_addr_pkg::CORE_REFUSED[5:3]] = commits_refused;
    wide[ocs_addr_pkg::CORE_LATE[5:3]] = commits_late;
    wide[ocs_addr_pkg::CORE_DROPPED[5:3]] = records_dropped;
  end
  ocs_skew_pick #(.Count(N), .Width($bits(shadow_t))) u_pick_shadow (
      .clk_i, .take_i(access[P].port_read), .named_i(named[P]), .words_i(shadows), .word_o(read_shadow)
  );
  ocs_skew_pick #(.Count(1), .Width(N)) u_pick_launch (
      .clk_i, .take_i(access[P].core_read), .named_i(1'b1), .words_i(launch_mask), .word_o(read_launch)
  );
  ocs_skew_pick #(.Count(N), .Width($bits(faults_t))) u_pick_faults (
      .clk_i, .take_i(access[C].port_read | access[C].optics_read), .named_i(named[C]), .words_i(faults), .word_o(read_faults)
  );
  ocs_skew_pick #(.Count(1), .Width(30)) u_pick_pair (
      .clk_i, .take_i(access[R].pair_read), .named_i(1'b1), .words_i(pair_read), .word_o(read_pair)
  );
  ocs_skew_pick #(.Count(N), .Width($bits(tuning_t))) u_pick_tuning (
      .clk_i, .take_i(access[T].port_read), .named_i(named[T]), .words_i(tunings_of), .word_o(read_tuning)
  );
  ocs_skew_pick #(.Count(N), .Width($bits(locking_t))) u_pick_locking (
      .clk_i, .take_i(access[M].port_read), .named_i(named[M]), .words_i(lockings), .word_o(read_locking)
  );
  ocs_skew_pick #(.Count(Quantiles), .Width($bits(quantile_t))) u_pick_quantile (
      .clk_i, .take_i(access[M].core_read), .named_i(point), .words_i(quantiles), .word_o(read_quantile)
  );
  ocs_skew_pick #(.Count(N), .Width($bits(burst_cfg_t))) u_pick_source (
      .clk_i, .take_i(access[E].port_read), .named_i(named[E]), .words_i(sources), .word_o(read_source)
  );
  logic port_read_o;
  ocs_skew_delay #(.Width(1), .Edges(O - X)) u_port_read (.clk_i, .d_i(access[X].port_read | access[X].optics_read), .q_o(port_read_o));
  ocs_skew_pick #(.Count(N), .Width($bits(seen_t))) u_pick_seen (
      .clk_i, .take_i(port_read_o), .named_i(named[O]), .words_i(ports_seen), .word_o(read_seen)
  );
  ocs_skew_pick #(
      .Count(1), .Width($bits(device_t))
  ) u_pick_device (
      .clk_i, .take_i(access[O].core_read), .named_i(1'b1),
      .words_i({event_word, stop_late, commit_o.running, commit_o.armed, commit_o.sw, error, irq_status, seg_full, changed, ended}),
      .word_o(read_device)
  );
  ocs_skew_pick #(.Count(8), .Width(64)) u_pick_wide (
      .clk_i, .take_i(access[O].core_read), .named_i(counter), .words_i(wide), .word_o(read_wide)
  );

  // Of a port's counters, which are most of what is seen of it, one is chosen two edges later.
  logic [7:0][63:0] counters_seen;
  logic [7:0] named_counter;
  logic [63:0] read_counter;
  always_comb begin
    counters_seen = {read_seen.counters.misrouted, read_seen.counters.unrouted, read_seen.counters.sent, read_seen.counters.restarts,
                     read_seen.counters.tunings, read_seen.counters.dark, read_seen.counters.lost, read_seen.counters.passed};
    named_counter = '0;
    for (int unsigned k = 0; k < 7; k++)  // they follow one another from PASSED on
      named_counter[k] = access[W].port_read & access[W].port_addr[14:11] == ocs_addr_pkg::PORT_PASSED[14:11] + 4'(k);
    named_counter[7] = access[W].optics_read;
  end
  ocs_skew_pick #(.Count(8), .Width(64)) u_pick_counter (
      .clk_i, .take_i(access[W].port_read | access[W].optics_read), .named_i(named_counter), .words_i(counters_seen), .word_o(read_counter)
  );

  // There is one word of each kind by now, that of port 0, whichever it was. Registers of 64 bits share a latch; each of the
  // two below gives 0 for what it doesn't have.
  access_t access_v;
  port_cfg_t read_cfg, cfg_32[N], cfg_64[N];
  burst_cfg_t burst_32[N], burst_64[N];
  quantile_t quantile_32[Quantiles], quantile_64[Quantiles];
  device_view_t device_32, device_64;
  port_view_t view_32[N], view_64[N];
  port_counters_t counters_32[N], counters_64[N];
  logic [8:0] shadow_32[N], shadow_64[N];
  logic [31:0] read_32, read_64;
  always_comb begin
    access_v = access[V];
    access_v.port = '0;
    shadow_32 = '{default: read_shadow.selected};
    shadow_64 = '{default: '0};
    read_cfg = '{base: read_tuning.base, slow: read_tuning.slow, lock: read_locking.lock, jitter_mask: read_locking.jitter_mask,
                 flap: read_locking.flap, laser: read_faults.laser, loss: read_faults.loss, keeps: read_locking.keeps,
                 stuck: read_locking.stuck, dead: read_faults.dead, los: read_faults.los};
    cfg_32 = '{default: read_cfg};
    cfg_64 = '{default: '0};
    burst_32 = '{default: read_source};
    burst_64 = '{default: '0};
    quantile_32 = '{default: read_quantile};
    quantile_64 = '{default: '0};
    counters_32 = '{default: '0};
    counters_64 = '{default: port_counters_t'{default: read_counter}};
    view_64 = '{default: port_view_t'('0)};
    for (int unsigned p = 0; p < N; p++) view_64[p].lit = 1'b1;  // a POWER of 0, not none
    for (int unsigned p = 0; p < N; p++) begin
      view_32[p] = read_seen.view;
      view_32[p].seg_full = read_device.full[p];
      view_32[p].changed = read_device.changed[p];
      view_32[p].ended = read_device.ended[p];
    end
    device_32 = '{event_word: read_device.event_word, status: read_device.status, error: read_device.error,
                  irq_status: read_device.irq, default: '0};
    device_64 = '{cycle: read_wide, commit_at: read_wide, event_time: read_wide, commits: read_wide, refused: read_wide,
                  late: read_wide, dropped: read_wide, default: '0};
  end
  ocs_reg_read #(.N(N)) u_read_32 (
      .clk_i, .rst_ni(~reset[V].whole), .access_i(access_v), .pair_i(read_pair), .data_o(read_32),
      .shadow_valid_i({N{read_shadow.valid}}), .shadow_input_i(shadow_32), .port_cfg_i(cfg_32), .burst_cfg_i(burst_32),
      .launch_i(read_launch), .seq_base_i('0), .quantile_i(quantile_32), .device_view_i(device_32), .port_view_i(view_32),
      .port_counters_i(counters_32)
  );
  ocs_reg_read #(.N(N)) u_read_64 (
      .clk_i, .rst_ni(~reset[V].whole), .access_i(access_v), .pair_i('0), .data_o(read_64),
      .shadow_valid_i('0), .shadow_input_i(shadow_64), .port_cfg_i(cfg_64), .burst_cfg_i(burst_64), .launch_i('0),
      .seq_base_i(read_wide), .quantile_i(quantile_64), .device_view_i(device_64), .port_view_i(view_64),
      .port_counters_i(counters_64)
  );
  assign read_data = read_32 | read_64;
  // verilator lint_on PINCONNECTEMPTY

  logic unused;
  assign unused = &{1'b0, masks[V], access[V], at[V], reset[V], go[V], modes_o, cmd_p, cmd_m, cmd_o};
endmodule
