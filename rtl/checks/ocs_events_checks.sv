// Checks of the event FIFO: stamps never fall, nothing is dropped unless it is full, no record is empty (section 10).
//
// SPDX-License-Identifier: Apache-2.0
`include "ocs_checks.svh"
module ocs_events_checks #(
    parameter int unsigned N     = 16,
    parameter int unsigned Depth = 64,
    localparam int unsigned AtW  = $clog2(Depth)
) (
    input logic           clk_i,
    input logic           rst_ni,
    input logic           go_i,
    input logic [63:0]    stamp_i,
    input logic           pop_i,
    input logic [31:0]    event_o,
    input logic           empty_o,
    input logic           dropped_o,
    input logic [N-1:0]   changed_clear_i,
    input logic [N-1:0]   ended_clear_i,
    // inside
    input logic [AtW-1:0] head_q,
    input logic [AtW-1:0] tail_q,
    input logic [AtW:0]   count_q,
    input logic [63:0]    taken_q,
    input logic [N-1:0]   changed_q,
    input logic [N-1:0]   ended_q,
    input logic           happened,
    input logic           push,
    input logic           full,
    input logic           last,
    input logic [2:0]     device_i,
    input logic [N-1:0]   entered_i,
    input logic [N-1:0]   done_i,
    input logic [2:0]     device_mem[Depth],
    input logic [N-1:0]   entered_mem[Depth],
    input logic [N-1:0]   done_mem[Depth],
    input logic [63:0]    stamp_mem[Depth]
);
  logic [63:0] newest_q;  // stamp of the youngest record
  always_ff @(posedge clk_i) begin
    if (!rst_ni) newest_q <= '0;
    else if (push) newest_q <= stamp_i;
  end
  logic left_over;
  assign left_over = |device_mem[head_q] | |entered_mem[head_q] | |done_mem[head_q];

  // What CHANGED and ENDED were, what has happened since, and what was cleared.
  logic known_q;
  logic [2*N-1:0] reported, reported_q, happened_q, cleared_q;
  assign reported = {ended_q, changed_q};
  always_ff @(posedge clk_i) begin
    known_q <= rst_ni;
    reported_q <= reported;
    happened_q <= go_i ? {done_i, entered_i} : '0;
    cleared_q <= {ended_clear_i, changed_clear_i};
  end

  // Every record that waits holds events, and their stamps rise from the last one taken to the newest.
  logic filled, rise;
  logic [AtW-1:0] at;
  logic [63:0] prior;
  always_comb begin
    filled = 1'b1;
    rise = taken_q <= newest_q;
    prior = taken_q;
    at = '0;
    for (int unsigned k = 0; k < Depth; k++)
      if (k < 32'(count_q)) begin
        at = head_q + AtW'(k);
        filled &= |device_mem[at] | |entered_mem[at] | |done_mem[at];
        rise &= k == 0 ? stamp_mem[at] >= prior : stamp_mem[at] > prior;
        prior = stamp_mem[at];
      end
    rise &= empty_o | prior == newest_q;
  end

  always_ff @(posedge clk_i) if (rst_ni) begin
    // ---- its users ----
    use_stamps_rise: `OCS_USE (~happened | stamp_i > newest_q | (newest_q == '0 & stamp_i != '0));
    use_not_taken_and_refused: `OCS_USE (~go_i | device_i[1:0] != 2'b11);
    // ---- itself ----
    own_count_within_depth: assert (32'(count_q) <= Depth);
    own_count_is_the_distance: assert (AtW'(count_q) == tail_q - head_q);
    own_no_empty_record: assert (empty_o | left_over);
    own_records_hold_events: assert (filled);
    own_records_are_in_order: assert (rise);
    own_stamps_never_fall: assert (empty_o | stamp_mem[head_q] >= taken_q);
    own_drops_when_full_alone: assert (dropped_o == (happened & full));
    own_empty_gives_zero: assert (~empty_o | event_o == '0);
    own_place_until_the_last_event: assert (~last | (pop_i & ~empty_o));
    own_events_are_reported: assert (~known_q | (happened_q & ~reported) == '0);
    own_nothing_else_is_reported: assert (~known_q | (reported & ~reported_q & ~happened_q) == '0);
    own_reports_stick: assert (~known_q | (reported_q & ~reported & ~cleared_q) == '0);
    own_reports_are_cleared: assert (~known_q | (reported & cleared_q & ~happened_q) == '0);
    // ---- seen ----
    see_reported_though_dropped: cover (dropped_o & (|entered_i | |done_i));
    see_cleared_at_the_edge_that_sets: cover (go_i & |({done_i, entered_i} & {ended_clear_i, changed_clear_i} & reported));
    see_cleared: cover (|(reported & {ended_clear_i, changed_clear_i}));
    see_dropped: cover (dropped_o);
    see_dropped_while_a_place_frees: cover (dropped_o & last);
    see_push_while_a_place_frees: cover (push & last);
    see_pop_within_a_record: cover (pop_i & ~empty_o & ~last);
    see_pop_of_an_empty_one: cover (pop_i & empty_o);
    see_ring_wraps: cover (push & 32'(tail_q) == Depth - 1);
    see_all_classes_at_once: cover (push & |device_i & |entered_i & |done_i);
    see_all_outputs_at_once: cover (push & &entered_i);
    see_commit_and_wrap: cover (push & device_i[2] & device_i[0]);
    see_refused_and_wrap: cover (push & device_i[2] & device_i[1]);
  end
endmodule
bind ocs_events ocs_events_checks #(.N(N), .Depth(Depth)) u_checks (.*);
