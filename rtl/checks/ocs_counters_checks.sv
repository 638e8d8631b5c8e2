// Checks of the counters: no word is lost from the books, at any edge (section 7).
//
// SPDX-License-Identifier: Apache-2.0
`include "ocs_checks.svh"
module ocs_counters_checks
  import ocs_pkg::*;
#(
    parameter int unsigned N   = 16,
    localparam int unsigned InW = $clog2(N)
) (
    input logic           clk_i,
    input logic           rst_ni,
    input logic [31:0]    step_i,
    input state_e         state_i[N],
    input logic [N-1:0]   passes_i,
    input logic [N-1:0]   valid_i,
    input logic [InW-1:0] input_i[N],
    input logic [N-1:0]   started_i,
    input logic [N-1:0]   restarted_i,
    input logic [31:0]    words_i[N],
    input logic [N-1:0]   routed_i,
    input logic           taken_i,
    input logic           refused_i,
    input logic           late_i,
    input logic           dropped_i,
    // inside
    input logic [63:0]    passed_q[N],
    input logic [63:0]    lost_q[N],
    input logic [63:0]    dark_q[N],
    input logic [63:0]    sent_q[N],
    input logic [63:0]    unrouted_q[N],
    input logic [63:0]    passed_d[N],
    input logic [63:0]    lost_d[N],
    input logic [63:0]    dark_d[N],
    input logic [63:0]    sent_d[N],
    input logic [63:0]    unrouted_d[N]
);
  logic [63:0] fates, copies;
  logic [N-1:0] idle, may_pass, routed, accounted, dark_exact, bounded, in_up;
  always_comb begin
    fates = '0;
    copies = '0;
    routed = '0;
    for (int unsigned o = 0; o < N; o++) begin
      fates += passed_d[o] - passed_q[o] + lost_d[o] - lost_q[o];
      if (valid_i[o]) begin
        copies += 64'(words_i[input_i[o]]);
        routed[input_i[o]] = 1'b1;
      end
      may_pass[o] = ~passes_i[o] | state_i[o] == Up;
      idle[o] = (state_i[o] == Idle) == ~valid_i[o];
      in_up[o] = passes_i[o] ? lost_d[o] == lost_q[o] : passed_d[o] == passed_q[o];
      dark_exact[o] = dark_d[o] - dark_q[o] == (state_i[o] == Idle | state_i[o] == Up ? '0 : 64'(step_i));
    end
    for (int unsigned i = 0; i < N; i++) begin
      accounted[i] = sent_d[i] - sent_q[i] == 64'(words_i[i]) &
                     unrouted_d[i] - unrouted_q[i] == (routed[i] ? '0 : 64'(words_i[i]));
      bounded[i] = words_i[i] <= step_i;
    end
  end

  logic [N-1:0] several;  // inputs with words on more than one output
  always_comb begin
    several = '0;
    for (int unsigned o = 1; o < N; o++)
      for (int unsigned p = 0; p < o; p++)
        if (valid_i[o] & valid_i[p] & input_i[o] == input_i[p] & words_i[input_i[o]] != 0) several[input_i[o]] = 1'b1;
  end

  always_ff @(posedge clk_i) if (rst_ni & step_i != 0) begin
    // ---- its users ----
    use_routed_is_true: `OCS_USE (routed_i == routed);
    use_at_most_a_word_a_cycle: `OCS_USE (&bounded);
    use_idle_has_no_circuit: `OCS_USE (&idle);
    use_passes_in_up_alone: `OCS_USE (&may_pass);
    use_taken_or_refused: `OCS_USE (~(taken_i & refused_i));
    use_restarts_are_starts: `OCS_USE ((restarted_i & ~started_i) == '0);
    // ---- itself ----
    own_words_passed_or_lost: assert (fates == copies);
    own_passed_in_up_alone: assert (&in_up);
    own_words_sent_or_unrouted: assert (&accounted);
    own_dark_counts_cycles: assert (&dark_exact);
    // ---- seen ----
    see_multicast_words: cover (|several);
    see_words_passed: cover (passed_d[0] != passed_q[0]);
    see_words_lost: cover (lost_d[0] != lost_q[0]);
    see_words_unrouted: cover (unrouted_d[0] != unrouted_q[0]);
    see_late_and_refused: cover (late_i & refused_i);
    see_late_and_taken: cover (late_i & taken_i);
    see_dropped: cover (dropped_i);
    see_many_words_at_once: cover (words_i[0] > 32'd1000);
  end
endmodule
bind ocs_counters ocs_counters_checks #(.N(N)) u_checks (.*);
