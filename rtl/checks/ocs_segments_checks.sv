// Checks of the segments: they grow where words pass alone, are reported once, and only if words passed (section 8).
//
// SPDX-License-Identifier: Apache-2.0
`include "ocs_checks.svh"
module ocs_segments_checks #(
    parameter int unsigned N   = 16,
    localparam int unsigned InW = $clog2(N)
) (
    input logic           clk_i,
    input logic           rst_ni,
    input logic           go_i,
    input logic [N-1:0]   passes_i,
    input logic [InW-1:0] input_i[N],
    input logic [N-1:0]   passes_next_i,
    input logic [N-1:0]   entered_i,
    input logic [31:0]    words_i[N],
    input logic [N-1:0]   ending_i,
    input logic [N-1:0]   clear_i,
    input logic           overrun_o,
    input logic [N-1:0]   valid_i,
    input logic           brief_i,
    input logic [N-1:0]   last_i,
    input logic [N-1:0]   whole_o,
    // inside
    input logic [31:0]    grow_count_q[N],
    input logic [31:0]    count_d[N],
    input logic [N-1:0]   full_q,
    input logic [N-1:0]   ended
);
  // What the last edge on which the fabric moved left: no output stops passing words between the edges.
  logic [N-1:0] passes_then, follows;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) passes_then <= '0;
    else if (go_i) passes_then <= passes_next_i;
  end
  assign follows = ~passes_then | passes_i;

  logic [N-1:0] open, in_up, has_words, leaves, engine_ends, quiet, zero, passed;
  always_comb begin
    for (int unsigned o = 0; o < N; o++) begin
      open[o] = grow_count_q[o] != 0;
      in_up[o] = ~open[o] | (passes_i[o] & passes_then[o]);
      has_words[o] = ~ended[o] | count_d[o] != 0;
      // No output selects an input beyond N (own_selection_in_range of the outputs), of which whole_o would say nothing.
      passed[o] = 32'(input_i[o]) >= N | ~(valid_i[o] & whole_o[input_i[o]]) | (passes_i[o] & ended[o]);
      leaves[o] = passes_i[o] & (~passes_next_i[o] | entered_i[o]);
      engine_ends[o] = passes_i[o] & ending_i[input_i[o]];
      quiet[o] = words_i[input_i[o]] == 0;
      zero[o] = grow_count_q[o] + words_i[input_i[o]] == 0;
    end
  end

  always_ff @(posedge clk_i) if (rst_ni) begin
    // ---- its users ----
    use_passing_ends_in_sight: `OCS_USE (&follows);
    // ---- itself ----
    own_grows_in_up_alone: assert (&in_up);
    own_reported_if_words_passed: assert (&has_words);
    own_cut_is_reported: assert (~go_i | ~|((leaves | engine_ends) & (open | ~quiet) & ~zero & ~ended));
    own_nothing_uncut: assert (~|(ended & ~leaves & ~engine_ends));
    own_whole_is_passed_by_all: assert (&passed & (whole_o & ~last_i) == '0 & (brief_i | whole_o == '0));
    own_overrun_means_full: assert (overrun_o == |(ended & full_q));
    // ---- seen ----
    see_cut_by_the_output: cover (|(ended & leaves & ~engine_ends));
    see_cut_by_the_engine: cover (|(ended & engine_ends & ~leaves));
    see_cut_by_both: cover (|(ended & engine_ends & leaves));
    see_cut_by_a_disturbance: cover (|(ended & leaves & ~entered_i));
    see_cut_up_to_up: cover (|(ended & entered_i & leaves));
    see_empty_one: cover (go_i & |(leaves & ~open & quiet));
    see_ended_in_its_first_cycle: cover (|(ended & ~open));
    see_pause_within: cover (go_i & |(open & quiet & ~ended));
    see_whole: cover (|whole_o);
    see_last_word_of_a_part: cover (brief_i & go_i & |(last_i & ~whole_o));
    see_overrun: cover (overrun_o);
    see_cleared: cover (|(clear_i & full_q));
    see_set_where_it_is_cleared: cover (|(clear_i & ended));
  end
endmodule
bind ocs_segments ocs_segments_checks #(.N(N)) u_checks (.*);
