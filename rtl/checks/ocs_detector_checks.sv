// Checks of the detectors: a loss of light is asserted and released exactly in time, rings are as long as they should be
// (section 6).
//
// SPDX-License-Identifier: Apache-2.0
`include "ocs_checks.svh"
module ocs_detector_checks
  import ocs_pkg::*;
#(
    parameter int unsigned N = 16
) (
    input logic         clk_i,
    input logic         rst_ni,
    input logic [31:0]  step_i,
    input modes_t       modes_i,
    input logic [N-1:0] faulty_i,
    input logic [N-1:0] low_i,
    input logic [N-1:0] low_dim_i,
    input state_e       state_i[N],
    input cause_e       cause_i[N],
    input state_e       state_next_i[N],
    input cause_e       cause_next_i[N],
    input logic [N-1:0] arrives_i,
    input logic [N-1:0] dark_o,
    input logic [N-1:0] dark_new_o,
    input logic [31:0]  bound_o[N],
    // inside
    input logic [N-1:0] dim_q,
    input logic [N-1:0] ringing_q,
    input logic [29:0]  count_q[N],
    input logic [29:0]  ring_q[N],
    input logic [7:0]   rings_q[N]
);
  logic go;
  assign go = step_i != '0;

  // Of each output: whether its detector works, before this edge and after it; a loss of light; whether light is missing.
  logic [N-1:0] works, works_next, lost, lost_next, missing, differs;
  logic [29:0] time_to_tell[N];
  always_comb begin
    for (int unsigned o = 0; o < N; o++) begin
      lost[o] = state_i[o] == Failed & cause_i[o] == CauseLight;
      lost_next[o] = state_next_i[o] == Failed & cause_next_i[o] == CauseLight;
      works[o] = lost[o] | state_i[o] == Locking | state_i[o] == Up | state_i[o] == Held;
      works_next[o] = lost_next[o] | state_next_i[o] == Locking | state_next_i[o] == Up | state_next_i[o] == Held;
      missing[o] = faulty_i[o] | ringing_q[o] | (dim_q[o] ? low_dim_i[o] : low_i[o]);
      differs[o] = modes_i.light & works[o] & missing[o] != lost[o];
      time_to_tell[o] = lost[o] ? modes_i.los_release : modes_i.los_assert;
    end
  end

  // What the last edge on which the fabric moved left: a state doesn't change between the edges.
  logic [N-1:0] works_then, lost_then;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {works_then, lost_then} <= '0;
    else if (go) {works_then, lost_then} <= {works_next, lost_next};
  end

  // Cycles for which light has been missing, or not, to the contrary of what was said; how many it takes; cycles of the
  // present stretch of ringing, and how many it has.
  logic [31:0] age_q[N], ring_age_q[N], age_d[N], ring_age_d[N];
  logic [29:0] span_q[N], ring_span_q[N], span_d[N], ring_span_d[N];
  logic [N-1:0] differed_q, over, ring_over, stretch, without;
  always_comb begin
    for (int unsigned o = 0; o < N; o++) begin
      over[o] = differed_q[o] ? age_q[o] + step_i > 32'(span_q[o]) : time_to_tell[o] == '0;
      ring_over[o] = ring_q[o] != '0 & ring_age_q[o] + step_i == 32'(ring_span_q[o]);
      stretch[o] = go & (arrives_i[o] | ring_over[o]);  // another may begin
      without[o] = ~arrives_i[o] & ~ringing_q[o] ? 1'b1 : modes_i.ring_after == '0;
      age_d[o] = differed_q[o] ? age_q[o] + step_i : 32'd1;
      span_d[o] = differed_q[o] ? span_q[o] : time_to_tell[o];
      ring_age_d[o] = stretch[o] ? '0 : ring_age_q[o] + step_i;
      ring_span_d[o] = ring_span_q[o];
      if (stretch[o]) ring_span_d[o] = without[o] ? modes_i.ring : modes_i.ring_after;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      differed_q <= '0;
      age_q <= '{default: '0};
      span_q <= '{default: '0};
      ring_age_q <= '{default: '0};
      ring_span_q <= '{default: '0};
    end else if (go) begin
      differed_q <= differs & ~over & works_next & ~arrives_i;
      age_q <= age_d;
      span_q <= span_d;
      ring_age_q <= ring_age_d;
      ring_span_q <= ring_span_d;
    end
  end

  logic [N-1:0] fits, told, from_work, counted, dim_known, rings_known, ring_counted, idle;
  always_comb begin
    for (int unsigned o = 0; o < N; o++) begin
      fits[o] = step_i <= bound_o[o];
      // What the state machine does with what it is shown.
      from_work[o] = ~works_next[o] | arrives_i[o] | works[o];
      told[o] = ~go | ~works_next[o] | lost_next[o] == (arrives_i[o] ? dark_new_o[o] : dark_o[o]);
      counted[o] = count_q[o] == '0;
      if (differed_q[o])
        counted[o] = count_q[o] != '0 & age_q[o] <= 32'(span_q[o]) & 32'(span_q[o]) + 32'd1 - age_q[o] == 32'(count_q[o]);
      dim_known[o] = works[o] ? (dim_q[o] != lost[o]) == (count_q[o] != '0) : ~dim_q[o];
      rings_known[o] = (ring_q[o] != '0) == (rings_q[o] != '0) & (~ringing_q[o] | ring_q[o] != '0);
      ring_counted[o] = ring_q[o] == '0 | 32'(ring_span_q[o]) - ring_age_q[o] == 32'(ring_q[o]);
      idle[o] = works[o] | (~ringing_q[o] & count_q[o] == '0 & ring_q[o] == '0);
    end
  end
  // What the light filter is shown: a loss of light flips when its time is over, and only then.
  logic [N-1:0] shown;
  always_comb
    for (int unsigned o = 0; o < N; o++)
      shown[o] = ~works[o] | dark_o[o] == (modes_i.light ? (differs[o] & over[o]) != lost[o] : faulty_i[o]);

  always_ff @(posedge clk_i) if (rst_ni) begin
    // ---- its users ----
    use_step_within_its_bounds: `OCS_USE (&fits);
    use_states_follow: `OCS_USE (works == works_then & lost == lost_then);
    use_works_since_it_arrived: `OCS_USE (~go | &from_work);
    use_light_as_it_is_shown: `OCS_USE (&told);
    // ---- itself ----
    own_loss_in_time: assert (~go | &shown);
    own_count_is_what_is_left: assert (&counted);
    own_dim_unless_counted: assert (&dim_known);
    own_rings_have_stretches: assert (&rings_known);
    own_ring_is_what_is_left: assert (&ring_counted);
    own_nothing_without_a_circuit: assert (&idle);
    // ---- seen ----
    see_asserted_in_time: cover (go & |(works & ~lost & differed_q & over & dark_o));
    see_asserted_at_once: cover (go & |(differs & ~lost & ~differed_q & over));
    see_released: cover (go & |(differs & lost & differed_q & over));
    see_count_given_up: cover (go & |(differed_q & ~differs & works));
    see_dim_without_a_loss: cover (|(dim_q & ~lost));
    see_low_by_hysteresis: cover (go & |(works & dim_q & ~low_i & low_dim_i & ~faulty_i & ~ringing_q));
    see_ring: cover (|ringing_q);
    see_second_ring: cover (go & |(ring_over & ringing_q & works_next));
    see_ring_between: cover (go & |(ring_over & ~ringing_q));
    see_arrives_in_the_dark: cover (go & |(arrives_i & dark_new_o));
    see_switched_off: cover (go & ~modes_i.light & |differed_q);
  end

  logic unused;
  assign unused = &{1'b0, modes_i};
endmodule
bind ocs_detector ocs_detector_checks #(.N(N)) u_checks (.*);
