// Checks of the sequencer: entries in order, banks exchanged by wraps and SEQ_GO alone (section 9).
//
// SPDX-License-Identifier: Apache-2.0
`include "ocs_checks.svh"
module ocs_sequencer_checks #(
    parameter int unsigned N = 16,
    parameter int unsigned S = 16,
    localparam int unsigned EntryW = $clog2(S)
) (
    input logic              clk_i,
    input logic              rst_ni,
    input logic              go_i,
    input logic [63:0]       last_i,
    input logic [63:0]       time_i,
    input logic              seq_go_i,
    input logic              seq_swap_i,
    input logic              seq_stop_i,
    input logic [15:0]       len_i,
    input logic              store_i,
    input logic [N-1:0]      launch_o,
    input logic              late_o,
    input logic              wrap_o,
    // inside
    input logic              running_q,
    input logic              waiting_q,
    input logic              idle_q,
    input logic              running_d,
    input logic              waiting_d,
    input logic              idle_d,
    input logic [EntryW:0]   at,
    input logic [EntryW-1:0] index_q,
    input logic [EntryW-1:0] index_d,
    input logic [EntryW:0]   len_q,
    input logic [31:0]       period_q,
    input logic [63:0]       due_at,
    input logic              take,
    input logic              last_entry
);
  logic swaps;
  assign swaps = idle_d != idle_q;
  logic served;  // a swap that waited, or one in the wrap's own cycle
  assign served = wrap_o & (waiting_q | seq_swap_i);

  always_ff @(posedge clk_i) if (rst_ni) begin
    // ---- its users ----
    use_no_step_across_an_entry: `OCS_USE (~go_i | ~running_q | last_i <= due_at | last_i == time_i);
    use_time_not_behind: `OCS_USE (~go_i | last_i >= time_i);
    // ---- itself ----
    own_length_within_a_bank: assert (32'(len_q) <= S);
    own_index_within_the_length: assert (~running_q | {1'b0, index_q} < len_q);
    own_swap_waits_while_running: assert (~waiting_q | running_q);
    own_not_before_its_time: assert (~take | last_i >= due_at);
    own_one_by_one: assert (~take | seq_go_i | index_d == (last_entry ? '0 : index_q + 1'b1));
    own_nothing_without_an_entry: assert (take | (~wrap_o & ~|launch_o));
    own_wrap_ends_a_loop: assert (~wrap_o | (last_entry & period_q != 0));
    own_banks_change_at_wraps_and_go: assert (~swaps | wrap_o | seq_go_i);
    own_idle_bank_is_not_played: assert (at == {~idle_q, index_q});
    own_wrap_serves_a_swap: assert (~served | seq_go_i | swaps);
    own_go_takes_the_idle_bank: assert (~(go_i & seq_go_i) | swaps == ~served);
    own_bus_edge_keeps: assert (go_i | (running_d == running_q & waiting_d == waiting_q & ~swaps & index_d == index_q));
    // ---- seen ----
    see_entry_in_time: cover (take & ~late_o);
    see_entry_late: cover (take & late_o);
    see_launch: cover (|launch_o);
    see_wrap: cover (wrap_o & ~swaps);
    see_waiting_swap_at_the_wrap: cover (wrap_o & waiting_q & swaps);
    see_swap_in_the_cycle_of_the_wrap: cover (wrap_o & ~waiting_q & seq_swap_i & swaps);
    see_two_swaps_one_wrap: cover (wrap_o & waiting_q & seq_swap_i);
    see_swap_waits: cover (go_i & seq_swap_i & waiting_d);
    see_swap_when_stopped: cover (go_i & seq_swap_i & ~running_q);
    see_go_restarts: cover (go_i & seq_go_i & running_q);
    see_go_at_the_wrap: cover (wrap_o & seq_go_i);
    see_go_at_a_serving_wrap: cover (wrap_o & seq_go_i & waiting_q);
    see_go_and_stop: cover (go_i & seq_go_i & seq_stop_i);
    see_go_forgets_the_swap: cover (go_i & seq_go_i & waiting_q & ~wrap_o);
    see_stop: cover (go_i & seq_stop_i & running_q);
    see_stop_forgets_the_swap: cover (go_i & seq_stop_i & waiting_q & ~wrap_o);
    see_end_forgets_the_swap: cover (take & last_entry & period_q == 0 & waiting_q);
    see_length_zero: cover (go_i & seq_go_i & len_i == 0);
    see_length_beyond_the_bank: cover (go_i & seq_go_i & 32'(len_i) > S);
    see_ends: cover (take & last_entry & period_q == 0);
    see_store_while_running: cover (store_i & running_q);
    see_bus_edge_while_running: cover (~go_i & running_q);
  end
endmodule
bind ocs_sequencer ocs_sequencer_checks #(.N(N), .S(S)) u_checks (.*);
