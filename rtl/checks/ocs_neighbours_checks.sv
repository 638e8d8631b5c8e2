// Checks of the neighbours: who is disturbed by which start, and for exactly how long (section 2).
//
// SPDX-License-Identifier: Apache-2.0
`include "ocs_checks.svh"
module ocs_neighbours_checks #(
    parameter int unsigned N = 16
) (
    input logic         clk_i,
    input logic         rst_ni,
    input logic [31:0]  step_i,
    input logic [29:0]  cycles_i,
    input logic [31:0]  distances_i,
    input logic [N-1:0] started_i,
    input logic [N-1:0] disturbed_o,
    input logic [N-1:0] disturbed_next_o,
    input logic [31:0]  bound_o[N],
    // inside
    input logic [29:0]  left_q[N]
);
  // Of each output the cycles since a start last disturbed it, and for how long that was to be; and whether one does now.
  logic [31:0] since_q[N], since_d[N];
  logic [29:0] length_q[N], length_d[N];
  logic [N-1:0] hit, disturbed_then, told, ends, exact;
  logic moved_q;
  always_comb begin
    hit = '0;
    for (int unsigned o = 0; o < N; o++)
      for (int unsigned p = 0; p < N; p++)
        if (p != o & started_i[p] & cycles_i != '0) begin
          if (p < o & o - p <= 32) hit[o] |= distances_i[5'(o-p-1)];
          if (p > o & p - o <= 32) hit[o] |= distances_i[5'(p-o-1)];
        end
  end
  always_comb begin
    for (int unsigned o = 0; o < N; o++) begin
      length_d[o] = length_q[o];
      if (hit[o]) length_d[o] = cycles_i;
      else if (since_q[o] + step_i >= 32'(length_q[o])) length_d[o] = '0;  // over
      since_d[o] = hit[o] | length_q[o] == '0 ? '0 : since_q[o] + step_i;
    end
  end
  always_ff @(posedge clk_i) begin
    moved_q <= rst_ni & step_i != '0;
    disturbed_then <= disturbed_next_o;
    if (!rst_ni) begin
      since_q <= '{default: '0};
      length_q <= '{default: '0};
    end else if (step_i != '0) begin
      since_q <= since_d;
      length_q <= length_d;
    end
  end
  always_comb begin
    for (int unsigned o = 0; o < N; o++) begin
      exact[o] = disturbed_o[o] == (length_q[o] != '0) & (length_q[o] == '0 | 32'(length_q[o]) - since_q[o] == 32'(left_q[o]));
      ends[o] = length_q[o] == '0 | since_q[o] < 32'(length_q[o]);
      told[o] = ~disturbed_o[o] | step_i <= bound_o[o];
    end
  end

  always_ff @(posedge clk_i) if (rst_ni) begin
    // ---- its users ----
    use_step_within_its_bounds: `OCS_USE (&told);
    use_starts_move: `OCS_USE (step_i != '0 | started_i == '0);
    // ---- itself ----
    own_disturbed_for_its_cycles: assert (&exact & &ends);
    own_next_is_told: assert (~moved_q | disturbed_o == disturbed_then);
    // ---- seen ----
    see_disturbed_anew: cover (|(hit & disturbed_o));
    see_two_at_different_times: cover (&disturbed_o[1:0] & left_q[0] != left_q[1]);
    see_last_cycle: cover (|(disturbed_o & ~disturbed_next_o));
    see_start_that_disturbs_nobody: cover (|started_i & hit == '0 & cycles_i != '0);
    see_going_on_while_off: cover (|started_i & cycles_i == '0 & |(disturbed_o & disturbed_next_o));
  end
endmodule
bind ocs_neighbours ocs_neighbours_checks #(.N(N)) u_checks (.*);
