// Output state machines without what a stage before or after can know: selection and the fixed part of T, HELD (sections 2 to 6).
//
// They do what ocs_outputs does, but UP and HELD are one state here, READY with the code of UP; ocs_skew_view tells them apart.
// A timer holds two less than the cycles that are left, so that its sign says that they end at this edge.
//
// SPDX-License-Identifier: Apache-2.0
module ocs_skew_outputs
  import ocs_pkg::*;
#(
    /// Ports, 2 to 256.
    parameter int unsigned N = 16,
    /// 1: mirrors may wait for the programming of others.
    parameter int unsigned Serial = 1,
    /// 1: there are receivers that lock by what they last received; 0: L is LOCK.
    parameter int unsigned Receivers = 1,
    /// 1: stuck mirrors may keep the light of their positions; 0: outputs have none.
    parameter int unsigned Positions = 1,
    /// 1: there are detectors that may go by the power of light, and mirrors that ring; 0: LOS and DEAD act at once.
    parameter int unsigned Power = 1,
    localparam int unsigned InW = $clog2(N)
) (
    input  logic           clk_i,   ///< clock, rising edge
    input  logic           rst_ni,  ///< synchronous reset, active low
    /// The fabric moves at this edge, by one cycle.
    input  logic           go_i,
    /// At this edge: outputs whose selection changes, those that select an input after it, RETRY.
    input  logic [N-1:0]   changed_i,
    input  logic [N-1:0]   valid_next_i,
    input  logic [N-1:0]   retry_i,
    /// Settings: of the whole switch, of each port.
    input  modes_t         modes_i,
    input  port_cfg_t      port_cfg_i[N],
    /// BASE + SLOW + PAIR - 2 of the selection after this edge, in cycles, and whether their sum is 0.
    input  logic [32:0]    fixed_i[N],
    input  logic [N-1:0]   no_fixed_i,
    /// Quantiles of locking; first cycle after this edge; selection before the edge and after it.
    input  quantile_t      quantile_i[Quantiles],
    input  logic [63:0]    stamp_i,
    input  logic [InW-1:0] input_i[N],
    input  logic [InW-1:0] input_next_i[N],
    /// Write of SEED.
    input  logic           seed_we_i,
    input  logic [31:0]    seed_i,
    /// LOS or DEAD takes the light away: of the selection before this edge, and of that after it.
    input  logic [N-1:0]   dark_i,
    input  logic [N-1:0]   dark_next_i,
    /// Power below the threshold: of the selection before this edge, with the hysteresis too, of that after it.
    input  logic [N-1:0]   low_i,
    input  logic [N-1:0]   low_dim_i,
    input  logic [N-1:0]   low_next_i,

    /// Present state and that after this edge; causes of FAILED.
    output state_e         state_o[N],
    output state_e         state_next_o[N],
    output cause_e         cause_o[N],
    /// At this edge: a state is entered, start(o) called, a start out of TUNING or LOCKING.
    output logic [N-1:0]   entered_o,
    output logic [N-1:0]   started_o,
    output logic [N-1:0]   restarted_o,
    /// The light at each output, without its power; positions of mirrors.
    output beam_t          beam_o[N],
    output logic [InW-1:0] position_o[N]
);
  if (N < 2 || N > 256) begin : g_ports_in_range
    $error("ocs_skew_outputs: N must be from 2 to 256");
  end
  if (Serial > 1) begin : g_serial_in_range
    $error("ocs_skew_outputs: Serial must be 0 or 1");
  end
  if (Receivers > 1) begin : g_receivers_in_range
    $error("ocs_skew_outputs: Receivers must be 0 or 1");
  end
  if (Positions > 1) begin : g_positions_in_range
    $error("ocs_skew_outputs: Positions must be 0 or 1");
  end
  if (Power > 1) begin : g_power_in_range
    $error("ocs_skew_outputs: Power must be 0 or 1");
  end

  state_e state_q[N], state_d[N];
  cause_e cause_q[N], cause_d[N];
  logic [32:0] timer_q[N], timer_d[N];  // two less than the cycles left of TUNING or LOCKING
  logic [31:0] draw_q[N], draw_d[N];    // what the next start draws
  logic [3:0] point_q[N], point[N];     // highest bits of the last draw: point of the quantile table; with this start

  // ---- all-stop and FLAP ----------------------------------------------------------------------------------------------------
  // Whether starts hold what is lit, from what the last edge left: which outputs move, and whether any was started at it.
  logic stop_q, set_q, stop;
  logic [N-1:0] moving, ready, flap_ends, was_up_q;
  logic [30:0] flap_q[N];        // two less than the cycles of UP that are left until the flap; sign: it is now
  logic [30:0] flap_then_q[N];   // FLAP - 2 at the last edge, taken on entering UP
  logic [N-1:0] flapping_q, flapping, flap_set_q, flap_set;
  logic [30:0] flap[N], flap_d[N], flap_then_d[N];
  always_comb begin
    for (int unsigned o = 0; o < N; o++) begin
      ready[o] = state_q[o] == Up;
      moving[o] = state_q[o] == Tuning | state_q[o] == Locking;
    end
    stop = (stop_q | set_q) & (|moving);
    for (int unsigned o = 0; o < N; o++) begin
      flap[o] = was_up_q[o] ? flap_q[o] : flap_then_q[o];
      flap_then_d[o] = {1'b0, port_cfg_i[o].flap} - 31'd2;
      flap_set[o] = port_cfg_i[o].flap != '0;
      flapping[o] = was_up_q[o] ? flapping_q[o] : flap_set_q[o];
      flap_d[o] = flap[o] - 31'd1;
      flap_ends[o] = ready[o] & ~stop & flapping[o] & flap[o][30];
    end
  end

  // ---- starts ---------------------------------------------------------------------------------------------------------------
  logic [N-1:0] hit, starting;
  always_comb begin
    for (int unsigned o = 0; o < N; o++) begin
      starting[o] = go_i & (changed_i[o] ? valid_next_i[o] : retry_i[o] & state_q[o] == Failed);
      hit[o] = (go_i & changed_i[o]) | starting[o];
    end
  end

  // What each output waits for until it is programmed.
  logic [39:0] waits[N];
  if (Serial == 1) begin : g_serial
    logic [39:0] queued;
    logic [8:0] in_group;
    always_comb begin
      queued = '0;
      in_group = '0;
      for (int unsigned o = 0; o < N; o++) begin
        waits[o] = queued;
        if (hit[o]) begin
          in_group = in_group + 9'd1;
          if (in_group >= modes_i.prog_lanes) begin
            in_group = '0;
            queued = queued + 40'(modes_i.prog);
          end
        end
      end
    end
  end else begin : g_no_serial
    logic unused_serial;
    assign unused_serial = &{1'b0, modes_i.prog, modes_i.prog_lanes};
    always_comb for (int unsigned o = 0; o < N; o++) waits[o] = '0;
  end

  logic [32:0] tuning[N];  // T - 2
  logic [N-1:0] at_once;   // T is 0
  always_comb begin
    for (int unsigned o = 0; o < N; o++) begin
      at_once[o] = no_fixed_i[o] & (draw_q[o][29:0] & port_cfg_i[o].jitter_mask) == '0 & waits[o] == '0;
      tuning[o] = fixed_i[o] + {3'd0, draw_q[o][29:0] & port_cfg_i[o].jitter_mask};
      // T of more than 32 bits is the largest of them.
      if (Serial == 1 & waits[o] != '0) begin
        if (40'(33'(tuning[o] + 33'd2)) + waits[o] > 40'hffff_ffff) tuning[o] = 33'h0_ffff_fffd;
        else tuning[o] = tuning[o] + waits[o][32:0];
      end
    end
  end

  // ---- L --------------------------------------------------------------------------------------------------------------------
  logic [3:0] point_d[N];
  logic [31:0] locking[N];
  if (Receivers == 1) begin : g_receivers
    logic [N-1:0] up, leaves, warm;
    assign up = ready & {N{modes_i.receivers & ~stop}};
    // As ocs_outputs sees it: an output that is held, or no longer, enters a state, too.
    logic stop_next;
    logic [N-1:0] moving_next, ready_next;
    always_comb begin
      for (int unsigned o = 0; o < N; o++) begin
        moving_next[o] = state_d[o] == Tuning | state_d[o] == Locking;
        ready_next[o] = state_d[o] == Up;
      end
    end
    assign stop_next = (stop | (modes_i.all_stop & (|starting))) & (|moving_next);
    assign leaves = ready & (entered_o | (ready_next & {N{go_i & stop != stop_next}})) & {N{modes_i.receivers}};
    always_comb begin
      for (int unsigned o = 0; o < N; o++) begin
        point[o] = starting[o] ? draw_q[o][31:28] : point_q[o];
        locking[o] = 32'(port_cfg_i[o].lock);
        if (modes_i.receivers) locking[o] = locking[o] + (warm[o] ? 32'(quantile_i[point[o]].warm) : 32'(quantile_i[point[o]].cold));
      end
    end
    ocs_receivers #(.N(N)) u_receivers (
        .clk_i, .rst_ni, .on_i(modes_i.receivers), .warm_time_i(modes_i.warm_time), .stamp_i, .up_i(up), .leaves_i(leaves),
        .input_i, .input_next_i, .warm_o(warm)
    );
  end else begin : g_no_receivers
    logic unused_receivers;
    always_comb begin
      unused_receivers = &{1'b0, modes_i.receivers, modes_i.warm_time, stamp_i};
      for (int unsigned o = 0; o < N; o++) unused_receivers |= &{1'b0, input_i[o], input_next_i[o], point_q[o]};
      for (int unsigned k = 0; k < Quantiles; k++) unused_receivers |= &{1'b0, quantile_i[k]};
      for (int unsigned o = 0; o < N; o++) begin
        point[o] = '0;
        locking[o] = 32'(port_cfg_i[o].lock);
      end
    end
  end

  // ---- positions of mirrors, detectors of light -----------------------------------------------------------------------------
  logic [N-1:0] halts, arrives, known, here;  // halts: what finishes tuning would be stuck
  always_comb for (int unsigned o = 0; o < N; o++) halts[o] = port_cfg_i[o].stuck & ~(port_cfg_i[o].keeps & here[o]);
  logic [N-1:0] misroutes, dim, dim_next, lit_now;
  always_comb
    for (int unsigned o = 0; o < N; o++)
      beam_o[o] = '{dim: dim[o], dim_next: dim_next[o], lit: lit_now[o], misroutes: misroutes[o], power: '0};
  if (Positions == 1) begin : g_positions
    ocs_positions #(.N(N)) u_positions (
        .clk_i, .rst_ni, .arrives_i(arrives), .input_next_i, .known_o(known), .position_o, .here_o(here)
    );
    always_comb begin
      for (int unsigned o = 0; o < N; o++)
        misroutes[o] = state_q[o] == Failed & cause_q[o] == CauseMisrouted &
                         ~(port_cfg_i[o].dead | port_cfg_i[position_o[o]].los | port_cfg_i[position_o[o]].dead);
    end
  end else begin : g_no_positions
    assign {known, here, misroutes} = '0;
    always_comb position_o = '{default: '0};
  end

  logic [N-1:0] dark, dark_new;  // there is no light: where an output stays with its selection, where it arrives
  if (Power == 1) begin : g_power
    logic [31:0] unused_bound[N];  // an edge is of one cycle
    ocs_detector #(.N(N)) u_detector (
        .clk_i, .rst_ni, .step_i(32'(go_i)), .modes_i, .faulty_i(dark_i), .faulty_new_i(dark_next_i), .low_i, .low_dim_i,
        .low_new_i(low_next_i), .state_i(state_q), .cause_i(cause_q), .state_next_i(state_d), .cause_next_i(cause_d),
        .arrives_i(arrives), .dark_o(dark), .dark_new_o(dark_new), .dim_o(dim), .dim_next_o(dim_next), .lit_o(lit_now),
        .bound_o(unused_bound)
    );
    logic unused;
    always_comb begin
      unused = 1'b0;
      for (int unsigned o = 0; o < N; o++) unused |= &{1'b0, unused_bound[o]};
    end
  end else begin : g_no_power
    logic unused_power;
    assign unused_power = &{1'b0, low_i, low_dim_i, low_next_i};
    assign dark = dark_i;
    assign dark_new = dark_next_i;
    assign {dim, dim_next, lit_now} = '0;
  end

  // ---- next state ---------------------------------------------------------------------------------------------------------
  // Where a lock leads, by the order of section 4; whether T is 0 and what stops flaps come late and choose last.
  state_e lit[N], locked[N];  // where an output stays with its selection; where it finishes tuning
  logic [N-1:0] tuned, fails, relights;
  cause_e stuck[N];
  always_comb begin
    for (int unsigned o = 0; o < N; o++) begin
      lit[o] = dark[o] ? Failed : locking[o] != '0 ? Locking : Up;
      locked[o] = halts[o] | dark_new[o] ? Failed : locking[o] != '0 ? Locking : Up;
      relights[o] = state_q[o] == Failed & cause_q[o] == CauseLight & ~dark[o];
      arrives[o] = ~halts[o] & (hit[o] ? starting[o] & at_once[o] : go_i & state_q[o] == Tuning & timer_q[o][32]);
      unique case (state_q[o])
        Tuning:  state_d[o] = timer_q[o][32] ? locked[o] : Tuning;
        Locking: state_d[o] = dark[o] ? Failed : timer_q[o][32] ? Up : Locking;
        Up:      state_d[o] = dark[o] ? Failed : flap_ends[o] ? lit[o] : Up;
        Failed:  state_d[o] = relights[o] ? lit[o] : Failed;
        default: state_d[o] = state_q[o];
      endcase
      if (~go_i) state_d[o] = state_q[o];
      if (hit[o]) state_d[o] = ~starting[o] ? Idle : at_once[o] ? locked[o] : Tuning;
      entered_o[o] = hit[o] | (go_i & (relights[o] | (state_q[o] == Tuning & timer_q[o][32]) |
                                       (state_q[o] == Locking & (timer_q[o][32] | dark[o])) |
                                       (ready[o] & (flap_ends[o] | dark[o]))));
      // A mirror that is stuck stays so in FAILED; all other ways into it are those of light.
      tuned[o] = state_q[o] == Tuning | starting[o];
      fails[o] = tuned[o] ? halts[o] : state_q[o] == Failed & cause_q[o] != CauseLight;
      stuck[o] = tuned[o] ? (port_cfg_i[o].keeps & known[o] ? CauseMisrouted : CauseStuck) : cause_q[o];
      cause_d[o] = state_d[o] != Failed ? CauseNone : fails[o] ? stuck[o] : CauseLight;
      timer_d[o] = starting[o] ? (at_once[o] ? 33'(locking[o]) - 33'd2 : tuning[o])
                 : state_q[o] == Locking | (state_q[o] == Tuning & ~timer_q[o][32]) ? timer_q[o] - 33'd1
                 : 33'(locking[o]) - 33'd2;
      draw_d[o] = starting[o] ? next_draw(draw_q[o]) : draw_q[o];
      if (seed_we_i) draw_d[o] = next_draw(seeded(seed_i, o));
    end
  end

  logic [31:0] reset_draw[N];
  always_comb for (int unsigned o = 0; o < N; o++) reset_draw[o] = next_draw(seeded('0, o));
  logic [3:0] reset_point[N];
  always_comb begin
    for (int unsigned o = 0; o < N; o++) begin
      point_d[o] = seed_we_i ? 4'(seeded(seed_i, o) >> 28) : point[o];
      reset_point[o] = 4'(seeded('0, o) >> 28);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {stop_q, set_q} <= '0;
      {was_up_q, flapping_q, flap_set_q} <= '0;
      state_q <= '{default: Idle};
      cause_q <= '{default: CauseNone};
      timer_q <= '{default: '0};
      flap_q <= '{default: '0};
      flap_then_q <= '{default: '0};
      draw_q <= reset_draw;
      point_q <= reset_point;
    end else begin
      if (go_i) begin
        stop_q <= stop;
        set_q <= modes_i.all_stop & (|starting);
        state_q <= state_d;
        cause_q <= cause_d;
        timer_q <= timer_d;
        flap_then_q <= flap_then_d;
        flap_set_q <= flap_set;
        flap_q <= flap_d;
        flapping_q <= flapping;
        was_up_q <= ready & ~{N{stop}} & ~entered_o;
      end
      if (go_i | seed_we_i) begin
        draw_q <= draw_d;
        point_q <= point_d;
      end
    end
  end

  assign state_o = state_q;
  assign state_next_o = state_d;
  assign cause_o = cause_q;
  assign started_o = starting;
  assign restarted_o = starting & moving;

  logic unused;
  assign unused = &{1'b0, modes_i, arrives};
endmodule
