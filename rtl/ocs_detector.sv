// Detectors of the outputs: whether light is missing, for how long, and mirrors that ring (section 6).
//
// SPDX-License-Identifier: Apache-2.0
module ocs_detector
  import ocs_pkg::*;
#(
    /// Ports, 2 to 256.
    parameter int unsigned N = 16
) (
    input  logic         clk_i,   ///< clock, rising edge
    input  logic         rst_ni,  ///< synchronous reset, active low
    /// Cycles that this edge stands for; 0: the fabric stands still.
    input  logic [31:0]  step_i,
    /// Settings of the whole switch.
    input  modes_t       modes_i,
    /// LOS or DEAD takes the light away: of the present selection, of the next one.
    input  logic [N-1:0] faulty_i,
    input  logic [N-1:0] faulty_new_i,
    /// Power below the threshold: of the present selection, with the hysteresis too, of the next selection.
    input  logic [N-1:0] low_i,
    input  logic [N-1:0] low_dim_i,
    input  logic [N-1:0] low_new_i,
    /// Present state; state after this edge, which goes by dark_o and dark_new_o; outputs that arrive at this edge.
    input  state_e       state_i[N],
    input  cause_e       cause_i[N],
    input  state_e       state_next_i[N],
    input  cause_e       cause_next_i[N],
    input  logic [N-1:0] arrives_i,

    /// There is no light as the light filter sees it: where an output stays with its selection, where it arrives.
    output logic [N-1:0] dark_o,
    output logic [N-1:0] dark_new_o,
    /// Outputs that are dim: now, and after this edge.
    output logic [N-1:0] dim_o,
    output logic [N-1:0] dim_next_o,
    /// Outputs that light reaches now.
    output logic [N-1:0] lit_o,
    /// Bounds on a step, one an output.
    output logic [31:0]  bound_o[N]
);
  if (N < 2 || N > 256) begin : g_ports_in_range
    $error("ocs_detector: N must be from 2 to 256");
  end

  logic [N-1:0] dim_q, ringing_q, ringing_d;
  logic [29:0] count_q[N], count_d[N];  // cycles until what is dim becomes a loss of light, or the contrary; 0: it is one, or isn't
  logic [29:0] ring_q[N], ring_d[N];    // cycles of a stretch of ringing; 0: none
  logic [7:0] rings_q[N], rings_d[N];   // stretches without light that are not over

  // ---- what is seen of the present selection ----------------------------------------------------------------------------------
  logic [N-1:0] works, lost, missing, over, seen;  // lost: FAILED with cause light
  always_comb begin
    for (int unsigned o = 0; o < N; o++) begin
      lost[o] = state_i[o] == Failed & cause_i[o] == CauseLight;
      works[o] = lost[o] | state_i[o] == Locking | state_i[o] == Up | state_i[o] == Held;
      missing[o] = modes_i.light ? faulty_i[o] | ringing_q[o] | (dim_q[o] ? low_dim_i[o] : low_i[o]) : lost[o];
    end
  end
  always_comb begin
    for (int unsigned o = 0; o < N; o++) begin
      over[o] = count_q[o] != '0 ? 32'(count_q[o]) == step_i : (lost[o] ? modes_i.los_release : modes_i.los_assert) == '0;
      seen[o] = missing[o] == lost[o] | over[o] ? missing[o] : lost[o];
    end
  end
  assign dark_o = modes_i.light ? seen : faulty_i;
  assign dark_new_o = faulty_new_i | (low_new_i & {N{modes_i.light}});
  assign dim_o = dim_q;
  assign lit_o = works & ~faulty_i & ~ringing_q;

  // ---- after this edge --------------------------------------------------------------------------------------------------------
  logic [N-1:0] lost_next, works_next, ends;
  always_comb begin
    for (int unsigned o = 0; o < N; o++) begin
      lost_next[o] = state_next_i[o] == Failed & cause_next_i[o] == CauseLight;
      works_next[o] = lost_next[o] | state_next_i[o] == Locking | state_next_i[o] == Up | state_next_i[o] == Held;
      if (step_i == '0) dim_next_o[o] = dim_q[o];
      else if (arrives_i[o] | ~modes_i.light) dim_next_o[o] = lost_next[o];
      else dim_next_o[o] = works_next[o] & missing[o];
    end
  end
  always_comb begin
    for (int unsigned o = 0; o < N; o++) begin
      // Light is missing, or it isn't, and the detector hasn't said so yet.
      if (~works_next[o] | arrives_i[o] | ~modes_i.light | missing[o] == lost[o] | over[o]) count_d[o] = '0;
      else count_d[o] = count_q[o] != '0 ? count_q[o] - 30'(step_i) : lost[o] ? modes_i.los_release : modes_i.los_assert;
      // A mirror that swings.
      ends[o] = ring_q[o] != '0 & 32'(ring_q[o]) == step_i;
      rings_d[o] = rings_q[o] - {7'd0, ends[o] & ringing_q[o]};
      ringing_d[o] = ringing_q[o];
      ring_d[o] = ring_q[o] != '0 ? ring_q[o] - 30'(step_i) : '0;
      if (arrives_i[o]) rings_d[o] = modes_i.rings;
      if (arrives_i[o] | (ends[o] & ringing_q[o])) begin
        ringing_d[o] = modes_i.ring_after == '0;
        ring_d[o] = ringing_d[o] ? modes_i.ring : modes_i.ring_after;
      end else if (ends[o]) begin
        ringing_d[o] = 1'b1;
        ring_d[o] = modes_i.ring;
      end
      if (~works_next[o] | ~modes_i.light | rings_d[o] == '0 | ring_d[o] == '0 | (arrives_i[o] & modes_i.ring == '0)) begin
        rings_d[o] = '0;
        ringing_d[o] = 1'b0;
        ring_d[o] = '0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {dim_q, ringing_q} <= '0;
      count_q <= '{default: '0};
      ring_q <= '{default: '0};
      rings_q <= '{default: '0};
    end else if (step_i != '0) begin
      dim_q <= dim_next_o;
      ringing_q <= ringing_d;
      count_q <= count_d;
      ring_q <= ring_d;
      rings_q <= rings_d;
    end
  end

  always_comb begin
    for (int unsigned o = 0; o < N; o++) begin
      bound_o[o] = Unbounded;
      if (count_q[o] != '0) bound_o[o] = 32'(count_q[o]);
      if (ring_q[o] != '0 & 32'(ring_q[o]) < bound_o[o]) bound_o[o] = 32'(ring_q[o]);
      if (works[o] & missing[o] != dim_q[o]) bound_o[o] = 32'd1;
      if (~modes_i.light & (count_q[o] != '0 | ring_q[o] != '0)) bound_o[o] = 32'd1;
    end
  end

  logic unused;
  assign unused = &{1'b0, modes_i};
endmodule
