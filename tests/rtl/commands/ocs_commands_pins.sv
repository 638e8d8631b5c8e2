// ocs_commands with a pin for each command, for its test in C++.
//
// SPDX-License-Identifier: Apache-2.0
module ocs_commands_pins
  import ocs_pkg::*;
#(
    parameter int unsigned N = 4
) (
    input logic clk_i,
    input logic rst_ni,
    input logic go_i,
    input logic [63:0] time_i,
    input logic commit_we_i,
    input logic cancel_we_i,
    input logic [1:0] commit_at_we_i,
    input logic go_we_i,
    input logic swap_we_i,
    input logic stop_we_i,
    input logic [5:0] tag_i,
    input logic [N-1:0] start_we_i,
    input logic [N-1:0] halt_we_i,
    input logic [N-1:0] retry_we_i,
    input logic [31:0] data_i,
    input logic [31:0] biten_i,
    input logic sw_done_i,
    input logic timed_done_i,
    output logic sw_o,
    output logic [5:0] sw_tag_o,
    output logic armed_o,
    output logic [5:0] timed_tag_o,
    output logic [63:0] commit_at_o,
    output logic seq_go_o,
    output logic seq_swap_o,
    output logic seq_stop_o,
    output logic [N-1:0] start_o,
    output logic [N-1:0] stop_o,
    output logic [N-1:0] retry_o,
    output logic [31:0] pending_bound_o,
    output logic [31:0] timed_bound_o
);
  cmd_t cmd;
  assign cmd = '{commit: commit_we_i, cancel: cancel_we_i, commit_at: commit_at_we_i, seq_go: go_we_i, seq_swap: swap_we_i,
                 seq_stop: stop_we_i, default: '0};
  ocs_commands #(.N(N)) u_commands (
      .clk_i, .rst_ni, .go_i, .time_i, .cmd_i(cmd), .tag_i, .start_we_i, .halt_we_i, .retry_we_i, .data_i, .biten_i,
      .sw_done_i, .timed_done_i, .sw_o, .sw_tag_o, .armed_o, .timed_tag_o, .commit_at_o, .seq_go_o, .seq_swap_o,
      .seq_stop_o, .start_o, .stop_o, .retry_o, .pending_bound_o, .timed_bound_o
  );
endmodule
