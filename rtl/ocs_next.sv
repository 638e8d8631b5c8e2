// Next state of the outputs: what one edge does to selection, state, timers and draws (sections 2 to 6). No state of its own.
//
// An edge on which a timer ends is the last cycle of its interval, which the horizon guarantees. With step_i = 0 nothing moves.
//
// SPDX-License-Identifier: Apache-2.0
module ocs_next
  import ocs_pkg::*;
#(
    /// Ports, 2 to 256.
    parameter int unsigned N   = 16,
    localparam int unsigned InW = $clog2(N)
) (
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
    /// PAIR of (output, its next input).
    input  logic [29:0]    pair_i[N],
    /// Quantiles of locking.
    input  quantile_t      quantile_i[Quantiles],
    /// Present state, codes of section 2; where the output stands; cycles left; generators of jitter.
    input  state_e         state_i[N],
    input  cause_e         cause_i[N],
    input  logic [N-1:0]   valid_i,
    input  logic [InW-1:0] input_i[N],
    input  arrival_t       arrival_i[N],
    input  logic [31:0]    timer_i[N],
    input  logic [31:0]    draw_i[N],
    input  logic           stop_i,
    /// Write of SEED.
    input  logic           seed_we_i,
    input  logic [31:0]    seed_i,

    /// State after this edge.
    output state_e         state_o[N],
    output cause_e         cause_o[N],
    output logic [N-1:0]   valid_o,
    output logic [InW-1:0] input_o[N],
    output logic [31:0]    timer_o[N],
    output logic [31:0]    draw_o[N],
    output logic           stop_o,
    /// At this edge: the selection changes, start(o) is called, a state is entered.
    output logic [N-1:0]   changed_o,
    output logic [N-1:0]   starting_o,
    output logic [N-1:0]   entered_o,
    /// It finishes tuning, and isn't stuck.
    output logic [N-1:0]   arrives_o
);
  if (N < 2 || N > 256) begin : g_ports_in_range
    $error("ocs_next: N must be from 2 to 256");
  end

  // ---- start(o): one draw, then TUNING, LOCKING or UP ---------------------------------------------------------------
  // ---- selection ------------------------------------------------------------------------------------------------------
  always_comb begin
    valid_o = valid_i;
    changed_o = '0;
    starting_o = '0;
    for (int unsigned o = 0; o < N; o++) input_o[o] = input_i[o];
    if (step_i != 0) begin
      for (int unsigned o = 0; o < N; o++) begin
        changed_o[o] = commit_i & ((map_valid_i[o] != valid_i[o]) | (map_valid_i[o] & (map_input_i[o] != input_i[o])));
        if (changed_o[o]) begin
          valid_o[o] = map_valid_i[o];
          input_o[o] = map_valid_i[o] ? map_input_i[o] : '0;
        end
        starting_o[o] = changed_o[o] ? map_valid_i[o] : retry_i[o] & (state_i[o] == Failed);
      end
    end
  end

  // ---- next state, in the order of section 4 ----------------------------------------------------------------------------
  logic [N-1:0] relight;
  logic [29:0] jitter;
  logic [39:0] tuning, queued, waits;  // T; what the next output that is programmed waits for, and what this one does
  logic [8:0] in_group;                // outputs of the present group that are programmed before the next one
  logic [31:0] locking;                // L
  logic after_tuning, moving;
  always_comb begin
    entered_o = '0;
    arrives_o = '0;
    relight = '0;
    jitter = '0;
    tuning = '0;
    queued = '0;
    waits = '0;
    in_group = '0;
    locking = '0;
    after_tuning = 1'b0;
    moving = 1'b0;
    stop_o = stop_i;
    for (int unsigned o = 0; o < N; o++) begin
      state_o[o] = state_i[o];
      cause_o[o] = cause_i[o];
      timer_o[o] = timer_i[o];
      draw_o[o]  = draw_i[o];
    end
    if (step_i != 0) begin
      for (int unsigned o = 0; o < N; o++) begin
        after_tuning = 1'b0;
        relight[o] = 1'b0;
        if (timer_i[o] != 0) timer_o[o] = timer_i[o] - step_i;
        // 2. timers
        unique case (state_i[o])
          Tuning:  after_tuning = timer_i[o] == step_i;
          Locking:
          if (timer_i[o] == step_i) begin
            state_o[o] = Up;
            entered_o[o] = 1'b1;
          end
          Up:      relight[o] = timer_i[o] == step_i;
          Failed:  relight[o] = (cause_i[o] == CauseLight) & ~arrival_i[o].dark;
          default: ;
        endcase
        // 3., 4. commit on changed outputs, RETRY on the others
        if (changed_o[o] | starting_o[o]) begin
          relight[o] = 1'b0;
          entered_o[o] = 1'b1;
          timer_o[o] = '0;
          state_o[o] = Idle;
          after_tuning = 1'b0;
          waits = queued;
          in_group = in_group + 9'd1;
          if (in_group >= modes_i.prog_lanes) begin
            in_group = '0;
            queued = queued + 40'(modes_i.prog);
          end
        end
        if (starting_o[o]) begin
          draw_o[o] = next_draw(draw_i[o]);
          jitter = draw_o[o][29:0] & port_cfg_i[o].jitter_mask;
          tuning = 40'(port_cfg_i[o].base) + 40'(pair_i[o]) + 40'(port_cfg_i[o].slow) + 40'(jitter) + waits;
          if ((port_cfg_i[o].base | pair_i[o] | port_cfg_i[o].slow | jitter) != 0 | waits != 0) begin  // tuning != 0: 40 bits don't overflow
            state_o[o] = Tuning;
            timer_o[o] = tuning[39:32] != 0 ? '1 : tuning[31:0];
          end else begin
            after_tuning = 1'b1;
          end
        end
        if (after_tuning | relight[o]) begin
          entered_o[o] = 1'b1;
          locking = 32'(port_cfg_i[o].lock);
          if (modes_i.receivers)
            locking = locking + (arrival_i[o].warm ? 32'(quantile_i[draw_o[o][31:28]].warm) : 32'(quantile_i[draw_o[o][31:28]].cold));
          arrives_o[o] = after_tuning & ~(port_cfg_i[o].stuck & ~(port_cfg_i[o].keeps & arrival_i[o].here));
          if (after_tuning & ~arrives_o[o]) begin
            state_o[o] = Failed;
            cause_o[o] = port_cfg_i[o].keeps & arrival_i[o].known ? CauseMisrouted : CauseStuck;
          end else if (locking != 0) begin
            state_o[o] = Locking;
            timer_o[o] = locking;
          end else begin
            state_o[o] = Up;
          end
        end
        // 5. light filter
        if ((state_o[o] == Locking | state_o[o] == Held | state_o[o] == Up) & (arrives_o[o] ? arrival_i[o].dark_new : arrival_i[o].dark)) begin
          state_o[o] = Failed;
          cause_o[o] = CauseLight;
          entered_o[o] = 1'b1;
        end
        if (state_o[o] != Failed) cause_o[o] = CauseNone;
        moving |= state_o[o] == Tuning | state_o[o] == Locking;
      end
      // 6. all-stop filter
      stop_o = (stop_i | (modes_i.all_stop & (|starting_o))) & moving;
      for (int unsigned o = 0; o < N; o++) begin
        if (stop_o & state_o[o] == Up) begin
          state_o[o] = Held;
          entered_o[o] |= state_i[o] != Held;
        end else if (~stop_o & state_o[o] == Held) begin
          state_o[o] = Up;
          entered_o[o] = 1'b1;
        end
        // FLAP is taken on entering UP; the other states without a timer have none running.
        if (state_o[o] == Up & entered_o[o]) timer_o[o] = 32'(port_cfg_i[o].flap);
        if (state_o[o] == Idle | state_o[o] == Held | state_o[o] == Failed) timer_o[o] = '0;
      end
    end
    if (seed_we_i) for (int unsigned o = 0; o < N; o++) draw_o[o] = seeded(seed_i, o);
  end

  logic unused;
  assign unused = &{1'b0, modes_i};
endmodule
