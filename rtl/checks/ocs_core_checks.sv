// Checks of the fabric as a whole: commands and commits, time, horizon, bus edges, sticky errors (sections 1, 3, 11).
//
// SPDX-License-Identifier: Apache-2.0
`include "ocs_checks.svh"
module ocs_core_checks
  import ocs_pkg::*;
#(
    parameter int unsigned N   = 16,
    localparam int unsigned InW = $clog2(N)
) (
    input logic              clk_i,
    input logic              rst_ni,
    input logic [31:0]       step_i,
    input logic [31:0]       horizon_o,
    input logic              irq_o,
    input cmd_t              cmd_i,
    input modes_t            modes_i,
    // inside
    input logic [N-1:0]      start_we,
    input logic [N-1:0]      stop_we,
    input logic [N-1:0]      retry_we,
    input logic [Errors-1:0] error,
    input logic [2:0]        irq_status,
    input state_e            state[N],
    input logic [N-1:0]      valid,
    input logic [InW-1:0]    selected[N],
    input logic [63:0]       commits,
    input logic              go,
    input logic              step_error,
    input logic [63:0]       time_q,
    input logic [31:0]       bound[3*N+3],
    input logic              sw,
    input logic              armed,
    input logic              seq_due,
    input logic              seq_late,
    input logic              sw_done,
    input logic              timed_done,
    input logic              seq_go,
    input logic              seq_swap,
    input logic              seq_stop,
    input logic [N-1:0]      start,
    input logic [N-1:0]      stop,
    input logic [N-1:0]      retry,
    input logic              taken,
    input logic              refused,
    input logic              late,
    input logic              range,
    input logic              conflict,
    input source_e           source,
    input logic [N-1:0]      map_valid,
    input logic [InW-1:0]    map_input[N],
    input logic [Errors-1:0] error_set
);
  // ---- the horizon is the smallest bound ----
  logic below, met;
  always_comb begin
    below = 1'b0;
    met = 1'b0;
    for (int unsigned k = 0; k < 3 * N + 3; k++) begin
      below |= bound[k] < horizon_o;
      met |= bound[k] == horizon_o;
    end
  end
  logic pending;
  assign pending = sw | seq_go | seq_swap | seq_stop | (|start) | (|stop) | (|retry);

  // ---- a map that is taken uses inputs of the device, none twice without MULTICAST ----
  logic beyond, twice;
  always_comb begin
    beyond = 1'b0;
    twice = 1'b0;
    for (int unsigned o = 0; o < N; o++) begin
      beyond |= map_valid[o] & 32'(map_input[o]) >= N;
      for (int unsigned p = 0; p < o; p++) twice |= map_valid[o] & map_valid[p] & map_input[o] == map_input[p];
    end
  end

  // ---- before this edge ----
  logic known_q, go_q, changed, switched;
  logic [63:0] time_then, commits_then;
  logic [31:0] step_then;
  state_e state_then[N];
  logic [N-1:0] valid_then;
  logic [InW-1:0] input_then[N];
  logic [Errors-1:0] error_then, set_then, clear_then;
  logic sw_then, sw_we_then, cancel_then, sw_done_then, refused_then;
  always_ff @(posedge clk_i) begin
    known_q <= rst_ni;
    go_q <= go;
    time_then <= time_q;
    commits_then <= commits;
    step_then <= step_error ? '0 : step_i;
    state_then <= state;
    valid_then <= valid;
    input_then <= selected;
    {error_then, set_then, clear_then} <= {error, error_set, cmd_i.error_clear};
    {sw_then, sw_we_then, cancel_then, sw_done_then} <= {sw, cmd_i.commit, cmd_i.cancel, sw_done};
    refused_then <= refused;
  end
  always_comb begin
    switched = valid_then != valid;
    for (int unsigned o = 0; o < N; o++) switched |= input_then[o] != selected[o];
    changed = switched;
    for (int unsigned o = 0; o < N; o++) changed |= state_then[o] != state[o];
  end

  logic [1:0] requests;
  assign requests = {1'b0, sw_done} + {1'b0, timed_done} + {1'b0, go & seq_due};

  always_ff @(posedge clk_i) if (rst_ni) begin
    // ---- commits ----
    own_one_request_an_edge: assert (requests <= 2'd1);
    own_request_is_taken_or_refused: assert ((requests == 2'd1) == (taken | refused) & ~(taken & refused));
    own_sequencer_goes_first: assert (~(taken | refused) | source == (seq_due ? Sequencer : timed_done ? Timed : Software));
    own_taken_map_is_legal: assert (~taken | (~beyond & (~twice | modes_i.multicast)));
    own_refused_has_one_cause: assert (refused == (range ^ conflict) & ~(range & conflict));
    own_refused_changes_nothing: assert (~known_q | ~refused_then | (~switched & commits_then == commits));
    own_late_is_of_a_request: assert (~late | taken | refused);
    own_commit_waits_until_done: assert (~known_q | ~sw_then | sw_done_then | cancel_then | sw);
    own_cancel_takes_back: assert (~known_q | ~cancel_then | (~sw & ~armed));
    own_commit_write_is_pending: assert (~known_q | ~sw_we_then | cancel_then | sw);
    // ---- time and horizon ----
    own_time_adds_the_step: assert (~known_q | time_q == time_then + 64'(step_then));
    own_horizon_is_the_smallest_bound: assert (met & ~below & horizon_o != 0);
    own_pending_acts_at_once: assert (~pending | horizon_o == 32'd1);
    own_bus_edge_keeps_the_fabric: assert (~known_q | go_q | (~changed & commits_then == commits));
    own_step_beyond_is_no_step: assert (~step_error | ~go);
    // ---- errors ----
    own_errors_stick: assert (~known_q | error == ((error_then & ~clear_then) | set_then));
    own_irq_is_an_enabled_source: assert (irq_o == |(irq_status & modes_i.irq_enable));
    // ---- seen ----
    see_software_taken: cover (taken & sw_done);
    see_timed_taken: cover (taken & timed_done & ~late);
    see_timed_late: cover (taken & timed_done & late);
    see_sequencer_taken: cover (taken & seq_due & ~seq_late);
    see_software_loses_to_timed: cover (go & sw & timed_done);
    see_software_loses_to_sequencer: cover (go & sw & seq_due);
    see_three_at_once: cover (go & sw & armed & seq_due & late == seq_late);
    see_software_refused: cover (refused & sw_done);
    see_timed_refused: cover (refused & timed_done);
    see_sequencer_refused: cover (refused & seq_due);
    see_range: cover (range);
    see_conflict: cover (conflict);
    see_multicast_taken: cover (taken & twice);
    see_cancel_of_a_loser: cover (cmd_i.cancel & sw & ~go & known_q);
    see_commit_merges: cover (cmd_i.commit & sw & ~sw_done);
    see_cancel_disarms: cover (cmd_i.cancel & armed);
    see_low_word_written_while_armed: cover (cmd_i.commit_at[0] & armed);
    see_armed_again: cover (cmd_i.commit_at[1] & armed);
    see_commands_merge: cover (|(start_we & start) | |(stop_we & stop) | |(retry_we & retry));
    see_sequencer_commands_merge: cover ((cmd_i.seq_go & seq_go) | (cmd_i.seq_swap & seq_swap) | (cmd_i.seq_stop & seq_stop));
    see_step_beyond_the_horizon: cover (step_error);
    see_leap: cover (step_i > 32'd1_000_000 & go);
    see_full_leap: cover (go & step_i == Unbounded);
    see_set_where_it_is_cleared: cover (|(error_set & cmd_i.error_clear));
    see_seed: cover (cmd_i.seed);
    see_irq_of_each_source: cover (irq_o & irq_status == 3'b111);
  end

  logic unused;
  assign unused = &{1'b0, cmd_i, modes_i};
endmodule
bind ocs_core ocs_core_checks #(.N(N)) u_checks (.*);
