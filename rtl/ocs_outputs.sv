// Output state machines: what each output selects, its state, timers, faults, all-stop (sections 2, 4, 5, 6).
//
// Every timer counts down by `step_i`; an edge on which one ends is the last cycle of its interval, which the horizon
// guarantees. With step_i = 0 nothing moves.
//
// SPDX-License-Identifier: Apache-2.0
module ocs_outputs
  import ocs_pkg::*;
#(
    /// Ports, 2 to 256.
    parameter int unsigned N   = 16,
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
    /// Cycles that this edge stands for; 0: the fabric stands still.
    input  logic [31:0]    step_i,
    /// A commit is taken at this edge, and its map.
    input  logic           commit_i,
    input  logic [N-1:0]   map_valid_i,
    input  logic [InW-1:0] map_input_i[N],
    /// RETRY acts at this edge.
    input  logic [N-1:0]   retry_i,
    /// Settings: of the whole switch, of each port.
    input  modes_t         modes_i,
    input  port_cfg_t      port_cfg_i[N],
    /// PAIR of the output and the input that it selects after this edge.
    input  logic [29:0]    pair_i[N],
    /// Quantiles of locking; first cycle after this edge.
    input  quantile_t      quantile_i[Quantiles],
    input  logic [63:0]    stamp_i,
    /// Write of SEED.
    input  logic           seed_we_i,
    input  logic [31:0]    seed_i,

    /// Present state.
    output state_e         state_o[N],
    output cause_e         cause_o[N],
    output logic [N-1:0]   valid_o,
    output logic [InW-1:0] input_o[N],
    output logic           stop_o,
    /// Selection after this edge.
    output logic [N-1:0]   valid_next_o,
    output logic [InW-1:0] input_next_o[N],
    /// At this edge: state after it, whether it was entered, start(o) called, a start out of TUNING or LOCKING.
    output state_e         state_next_o[N],
    output logic [N-1:0]   entered_o,
    output logic [N-1:0]   started_o,
    output logic [N-1:0]   restarted_o,
    /// The light at each output; positions of mirrors.
    output beam_t          beam_o[N],
    output logic [InW-1:0] position_o[N],
    /// Bounds on a step, one an output.
    output logic [31:0]    bound_o[N]
);
  if (N < 2 || N > 256) begin : g_ports_in_range
    $error("ocs_outputs: N must be from 2 to 256");
  end
  if (Receivers > 1) begin : g_receivers_in_range
    $error("ocs_outputs: Receivers must be 0 or 1");
  end
  if (Positions > 1) begin : g_positions_in_range
    $error("ocs_outputs: Positions must be 0 or 1");
  end
  if (Power > 1) begin : g_power_in_range
    $error("ocs_outputs: Power must be 0 or 1");
  end

  state_e state_q[N], state_d[N];
  cause_e cause_q[N], cause_d[N];
  logic [N-1:0] valid_q, valid_d;
  logic [InW-1:0] input_q[N], input_d[N];
  logic [31:0] timer_q[N], timer_d[N];   // cycles left of TUNING or LOCKING; of UP until a flap (0: none)
  logic [31:0] draw_q[N], draw_d[N];
  logic stop_q, stop_d;

  // ---- next state ---------------------------------------------------------------------------------------------------------
  logic any_dark;          // some port is dead or some input without light
  logic [N-1:0] dark_now, faulty_new;  // by these, no light reaches the output or can leave it: now, with the next selection
  always_comb begin
    any_dark = 1'b0;
    for (int unsigned p = 0; p < N; p++) any_dark |= port_cfg_i[p].dead | port_cfg_i[p].los;
  end
  always_comb begin
    dark_now = '0;
    if (any_dark) begin  // seldom, and what follows takes a simulator long
      for (int unsigned o = 0; o < N; o++) dark_now[o] = port_cfg_i[o].dead | port_cfg_i[input_q[o]].los | port_cfg_i[input_q[o]].dead;
    end
  end
  always_comb begin
    faulty_new = '0;
    if (any_dark) begin
      for (int unsigned o = 0; o < N; o++) faulty_new[o] = port_cfg_i[o].dead | port_cfg_i[input_d[o]].los | port_cfg_i[input_d[o]].dead;
    end
  end

  logic [N-1:0] changed, starting, entered, arrives;
  logic [N-1:0] dark, dark_new;  // as the light filter sees it
  logic [N-1:0] known, here;     // outputs with a position; it is the next selection
  logic [N-1:0] warm;  // pairs of outputs and what they select next
  arrival_t arrival[N];
  always_comb
    for (int unsigned o = 0; o < N; o++)
      arrival[o] = '{warm: warm[o], dark: dark[o], dark_new: dark_new[o], known: known[o], here: here[o]};
  ocs_next #(.N(N)) u_next (
      .step_i, .commit_i, .map_valid_i, .map_input_i, .retry_i, .modes_i, .port_cfg_i, .pair_i, .quantile_i,
      .state_i(state_q), .cause_i(cause_q), .valid_i(valid_q), .input_i(input_q), .arrival_i(arrival), .timer_i(timer_q),
      .draw_i(draw_q), .stop_i(stop_q), .seed_we_i, .seed_i,
      .state_o(state_d), .cause_o(cause_d), .valid_o(valid_d), .input_o(input_d), .timer_o(timer_d), .draw_o(draw_d),
      .stop_o(stop_d), .changed_o(changed), .starting_o(starting), .entered_o(entered), .arrives_o(arrives)
  );

  // ---- light: positions of mirrors, power ---------------------------------------------------------------------------------------
  logic [N-1:0] misroutes, dim, dim_next, lit;
  power_t power[N];
  always_comb
    for (int unsigned o = 0; o < N; o++)
      beam_o[o] = '{dim: dim[o], dim_next: dim_next[o], lit: lit[o], misroutes: misroutes[o], power: power[o]};
  if (Positions == 1) begin : g_positions
    ocs_positions #(.N(N)) u_positions (
        .clk_i, .rst_ni, .arrives_i(arrives), .input_next_i(input_d), .known_o(known), .position_o, .here_o(here)
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

  logic [31:0] light_bound[N];
  if (Power == 1) begin : g_power
    logic [N-1:0] low, low_dim, low_new, low_new_dim;
    power_t power_new[N];
    ocs_power #(.N(N)) u_power (
        .threshold_i(modes_i.threshold), .hysteresis_i(modes_i.hysteresis), .port_cfg_i, .input_i(input_q), .power_o(power), .low_o(low),
        .low_dim_o(low_dim)
    );
    ocs_power #(.N(N)) u_power_new (
        .threshold_i(modes_i.threshold), .hysteresis_i(modes_i.hysteresis), .port_cfg_i, .input_i(input_d), .power_o(power_new),
        .low_o(low_new), .low_dim_o(low_new_dim)
    );
    ocs_detector #(.N(N)) u_detector (
        .clk_i, .rst_ni, .step_i, .modes_i, .faulty_i(dark_now), .faulty_new_i(faulty_new), .low_i(low), .low_dim_i(low_dim),
        .low_new_i(low_new), .state_i(state_q), .cause_i(cause_q), .state_next_i(state_d), .cause_next_i(cause_d),
        .arrives_i(arrives), .dark_o(dark), .dark_new_o(dark_new), .dim_o(dim), .dim_next_o(dim_next), .lit_o(lit), .bound_o(light_bound)
    );
    logic unused_power;
    always_comb begin
      unused_power = &{1'b0, low_new_dim};
      for (int unsigned o = 0; o < N; o++) unused_power |= &{1'b0, power_new[o]};
    end
  end else begin : g_no_power
    assign dark = dark_now;
    assign dark_new = faulty_new;
    assign {dim, dim_next, lit} = '0;
    always_comb begin
      power = '{default: '0};
      light_bound = '{default: Unbounded};
    end
  end

  if (Receivers == 1) begin : g_receivers
    logic [N-1:0] up, leaves;
    always_comb begin
      up = '0;
      if (modes_i.receivers) for (int unsigned o = 0; o < N; o++) up[o] = state_q[o] == Up;  // seldom, as above
    end
    always_comb begin
      leaves = '0;
      if (modes_i.receivers)
        for (int unsigned o = 0; o < N; o++) leaves[o] = entered[o] & (state_q[o] == Up | state_q[o] == Held);
    end
    ocs_receivers #(.N(N)) u_receivers (
        .clk_i, .rst_ni, .on_i(modes_i.receivers), .warm_time_i(modes_i.warm_time), .stamp_i, .up_i(up), .leaves_i(leaves),
        .input_i(input_q), .input_next_i(input_d), .warm_o(warm)
    );
  end else begin : g_no_receivers
    logic unused_receivers;
    assign unused_receivers = &{1'b0, modes_i.warm_time, stamp_i};
    assign warm = '0;
  end

  logic [31:0] reset_draw[N];
  always_comb for (int unsigned o = 0; o < N; o++) reset_draw[o] = seeded('0, o);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= '0;
      stop_q <= 1'b0;
      state_q <= '{default: Idle};
      cause_q <= '{default: CauseNone};
      input_q <= '{default: '0};
      timer_q <= '{default: '0};
      draw_q <= reset_draw;
    end else if (step_i != 0 | seed_we_i) begin
      valid_q <= valid_d;
      stop_q <= stop_d;
      state_q <= state_d;
      cause_q <= cause_d;
      input_q <= input_d;
      timer_q <= timer_d;
      draw_q <= draw_d;
    end
  end

  // ---- bounds -----------------------------------------------------------------------------------------------------------
  logic light_lost, light_back;
  always_comb begin
    light_lost = 1'b0;
    light_back = 1'b0;
    for (int unsigned o = 0; o < N; o++) begin
      light_lost = ~modes_i.light & dark_now[o] & (state_q[o] == Locking | state_q[o] == Held | state_q[o] == Up);
      light_back = ~modes_i.light & ~dark_now[o] & (state_q[o] == Failed) & (cause_q[o] == CauseLight);
      if (light_lost | light_back) bound_o[o] = 32'd1;
      else bound_o[o] = timer_q[o] != 0 ? timer_q[o] : Unbounded;
      if (light_bound[o] < bound_o[o]) bound_o[o] = light_bound[o];
    end
  end

  logic unused;
  assign unused = &{1'b0, changed, arrives};  // the checks' alone
  assign state_o = state_q;
  assign cause_o = cause_q;
  assign valid_o = valid_q;
  assign input_o = input_q;
  assign stop_o = stop_q;
  assign valid_next_o = valid_d;
  assign input_next_o = input_d;
  assign state_next_o = state_d;
  assign entered_o = entered;
  assign started_o = starting;
  always_comb begin
    restarted_o = '0;
    if (|starting) begin  // seldom, as above
      for (int unsigned o = 0; o < N; o++)
        restarted_o[o] = starting[o] & (state_q[o] == Tuning | state_q[o] == Locking);
    end
  end
endmodule
