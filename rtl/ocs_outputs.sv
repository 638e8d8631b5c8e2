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
    /// ALL_STOP in force.
    input  logic           all_stop_i,
    /// Settings, in cycles.
    input  logic [29:0]    base_i[N],
    input  logic [29:0]    slow_i[N],
    input  logic [29:0]    lock_i[N],
    input  logic [29:0]    jitter_mask_i[N],
    input  logic [29:0]    flap_i[N],
    /// PAIR of (output, its next input).
    input  logic [29:0]    pair_i[N],
    /// Write of SEED.
    input  logic           seed_we_i,
    input  logic [31:0]    seed_i,
    /// Faults: loss of light of an input, dead port, stuck mirror of an output.
    input  logic [N-1:0]   los_i,
    input  logic [N-1:0]   dead_i,
    input  logic [N-1:0]   stuck_i,

    /// Present state.
    output logic [2:0]     state_o[N],
    output logic [1:0]     cause_o[N],
    output logic [N-1:0]   valid_o,
    output logic [InW-1:0] input_o[N],
    output logic           stop_o,
    /// Selection after this edge.
    output logic [N-1:0]   valid_next_o,
    output logic [InW-1:0] input_next_o[N],
    /// At this edge: state after it, whether it was entered, start(o) called, a start out of TUNING or LOCKING.
    output logic [2:0]     state_next_o[N],
    output logic [N-1:0]   entered_o,
    output logic [N-1:0]   started_o,
    output logic [N-1:0]   restarted_o,
    /// Bounds on a step, one an output.
    output logic [31:0]    bound_o[N]
);
  if (N < 2 || N > 256) begin : g_ports_in_range
    $error("ocs_outputs: N must be from 2 to 256");
  end

  logic [2:0] state_q[N], state_d[N];
  logic [1:0] cause_q[N], cause_d[N];
  logic [N-1:0] valid_q, valid_d;
  logic [InW-1:0] input_q[N], input_d[N];
  logic [31:0] timer_q[N], timer_d[N];   // cycles left of TUNING or LOCKING; of UP until a flap (0: none)
  logic [31:0] draw_q[N], draw_d[N];
  logic stop_q, stop_d;

  // ---- start(o): one draw, then TUNING, LOCKING or UP ---------------------------------------------------------------
  function automatic logic [31:0] next_draw(input logic [31:0] draw);
    logic [31:0] x;
    x = draw;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return x;
  endfunction

  function automatic logic [31:0] seeded(input logic [31:0] seed, input int unsigned o);
    logic [31:0] x;
    x = seed ^ (32'h9E37_79B9 * (o + 1));
    return x == '0 ? 32'd1 : x;
  endfunction

  // ---- selection ------------------------------------------------------------------------------------------------------
  logic [N-1:0] changed, starting;
  always_comb begin
    valid_d = valid_q;
    changed = '0;
    starting = '0;
    for (int unsigned o = 0; o < N; o++) input_d[o] = input_q[o];
    if (step_i != 0) begin
      for (int unsigned o = 0; o < N; o++) begin
        changed[o] = commit_i & ((map_valid_i[o] != valid_q[o]) | (map_valid_i[o] & (map_input_i[o] != input_q[o])));
        if (changed[o]) begin
          valid_d[o] = map_valid_i[o];
          input_d[o] = map_valid_i[o] ? map_input_i[o] : '0;
        end
        starting[o] = changed[o] ? map_valid_i[o] : retry_i[o] & (state_q[o] == Failed);
      end
    end
  end

  // ---- next state, in the order of section 4 ----------------------------------------------------------------------------
  logic [N-1:0] dark_now;  // no light reaches the output, or can leave it
  always_comb begin
    dark_now = '0;
    if (|{dead_i, los_i}) begin  // seldom, and a loop over all outputs takes a simulator long
      for (int unsigned o = 0; o < N; o++) dark_now[o] = dead_i[o] | los_i[input_q[o]] | dead_i[input_q[o]];
    end
  end

  logic [N-1:0] entered, dark_next, relight;
  logic [31:0] tuning;
  logic after_tuning, moving;
  always_comb begin
    entered = '0;
    dark_next = '0;
    relight = '0;
    tuning = '0;
    after_tuning = 1'b0;
    moving = 1'b0;
    stop_d = stop_q;
    for (int unsigned o = 0; o < N; o++) begin
      state_d[o] = state_q[o];
      cause_d[o] = cause_q[o];
      timer_d[o] = timer_q[o];
      draw_d[o]  = draw_q[o];
    end
    if (step_i != 0) begin
      for (int unsigned o = 0; o < N; o++) begin
        dark_next[o] = dead_i[o] | los_i[input_d[o]] | dead_i[input_d[o]];
        after_tuning = 1'b0;
        relight[o] = 1'b0;
        if (timer_q[o] != 0) timer_d[o] = timer_q[o] - step_i;
        // 2. timers
        unique case (state_q[o])
          Tuning:  after_tuning = timer_q[o] == step_i;
          Locking:
          if (timer_q[o] == step_i) begin
            state_d[o] = Up;
            entered[o] = 1'b1;
          end
          Up:      relight[o] = timer_q[o] == step_i;
          Failed:  relight[o] = (cause_q[o] == CauseLight) & ~dark_now[o];
          default: ;
        endcase
        // 3., 4. commit on changed outputs, RETRY on the others
        if (changed[o] | starting[o]) begin
          relight[o] = 1'b0;
          entered[o] = 1'b1;
          timer_d[o] = '0;
          state_d[o] = Idle;
          after_tuning = 1'b0;
        end
        if (starting[o]) begin
          draw_d[o] = next_draw(draw_q[o]);
          tuning = 32'(base_i[o]) + 32'(pair_i[o]) + 32'(slow_i[o]) + (draw_d[o] & 32'(jitter_mask_i[o]));
          if (tuning != 0) begin
            state_d[o] = Tuning;
            timer_d[o] = tuning;
          end else begin
            after_tuning = 1'b1;
          end
        end
        if (after_tuning | relight[o]) begin
          entered[o] = 1'b1;
          if (after_tuning & stuck_i[o]) begin
            state_d[o] = Failed;
            cause_d[o] = CauseStuck;
          end else if (lock_i[o] != 0) begin
            state_d[o] = Locking;
            timer_d[o] = 32'(lock_i[o]);
          end else begin
            state_d[o] = Up;
          end
        end
        // 5. light filter
        if ((state_d[o] == Locking | state_d[o] == Held | state_d[o] == Up) & dark_next[o]) begin
          state_d[o] = Failed;
          cause_d[o] = CauseLight;
          entered[o] = 1'b1;
        end
        if (state_d[o] != Failed) cause_d[o] = CauseNone;
        moving |= state_d[o] == Tuning | state_d[o] == Locking;
      end
      // 6. all-stop filter
      stop_d = (stop_q | (all_stop_i & (|starting))) & moving;
      for (int unsigned o = 0; o < N; o++) begin
        if (stop_d & state_d[o] == Up) begin
          state_d[o] = Held;
          entered[o] |= state_q[o] != Held;
        end else if (~stop_d & state_d[o] == Held) begin
          state_d[o] = Up;
          entered[o] = 1'b1;
        end
        // FLAP is taken on entering UP; the other states without a timer have none running.
        if (state_d[o] == Up & entered[o]) timer_d[o] = 32'(flap_i[o]);
        if (state_d[o] == Idle | state_d[o] == Held | state_d[o] == Failed) timer_d[o] = '0;
      end
    end
    if (seed_we_i) for (int unsigned o = 0; o < N; o++) draw_d[o] = seeded(seed_i, o);
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
      light_lost = dark_now[o] & (state_q[o] == Locking | state_q[o] == Held | state_q[o] == Up);
      light_back = ~dark_now[o] & (state_q[o] == Failed) & (cause_q[o] == CauseLight);
      if (light_lost | light_back) bound_o[o] = 32'd1;
      else bound_o[o] = timer_q[o] != 0 ? timer_q[o] : Unbounded;
    end
  end

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
