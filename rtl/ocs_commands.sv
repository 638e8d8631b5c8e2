// Commands that wait to be taken: software and timed commits, starts, stops, retries, sequencer commands.
//
// A write makes a command pending from the cycle that `time` names after the edge; it acts in that cycle, unless it is
// a commit that loses against another. Written again while pending it merges.
//
// SPDX-License-Identifier: Apache-2.0
module ocs_commands
  import ocs_pkg::*;
#(
    /// Ports, 2 to 256.
    parameter int unsigned N = 16
) (
    input  logic         clk_i,   ///< clock, rising edge
    input  logic         rst_ni,  ///< synchronous reset, active low
    /// The fabric moves at this edge.
    input  logic         go_i,
    /// Number of the present cycle.
    input  logic [63:0]  time_i,

    /// Writes that complete at this edge: commits and the sequencer's commands; the tag that a commit takes along.
    input  cmd_t         cmd_i,
    input  logic [5:0]   tag_i,
    /// START, STOP and RETRY, with their masks.
    input  logic [N-1:0] start_we_i,
    input  logic [N-1:0] halt_we_i,
    input  logic [N-1:0] retry_we_i,
    /// Data and strobes (one bit a bit) of the write.
    input  logic [31:0]  data_i,
    input  logic [31:0]  biten_i,

    /// The commit of this source is taken or refused at this edge.
    input  logic         sw_done_i,
    input  logic         timed_done_i,

    /// What is pending.
    output logic         sw_o,
    output logic [5:0]   sw_tag_o,
    output logic         armed_o,
    output logic [5:0]   timed_tag_o,
    output logic [63:0]  commit_at_o,
    output logic         seq_go_o,
    output logic         seq_swap_o,
    output logic         seq_stop_o,
    output logic [N-1:0] start_o,
    output logic [N-1:0] stop_o,
    output logic [N-1:0] retry_o,
    /// Bounds on a step: pending commands, and the timed commit.
    output logic [31:0]  pending_bound_o,
    output logic [31:0]  timed_bound_o
);
  if (N < 2 || N > 256) begin : g_ports_in_range
    $error("ocs_commands: N must be from 2 to 256");
  end

  logic sw_q, armed_q, seq_go_q, seq_swap_q, seq_stop_q;
  logic [N-1:0] start_q, stop_q, retry_q;
  logic [63:0] at_q;
  logic [5:0] sw_tag_q, timed_tag_q;
  logic [31:0] low_q;  // of COMMIT_AT: written, not yet in force

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {sw_q, armed_q, seq_go_q, seq_swap_q, seq_stop_q} <= '0;
      {start_q, stop_q, retry_q, sw_tag_q, timed_tag_q} <= '0;
      at_q <= '0;
      low_q <= '0;
    end else begin
      // A pending commit may lose and stay; everything else acts at the next edge on which the fabric moves.
      sw_q <= ((sw_q & ~sw_done_i) | cmd_i.commit) & ~cmd_i.cancel;
      armed_q <= ((armed_q & ~timed_done_i) | cmd_i.commit_at[1]) & ~cmd_i.cancel;
      seq_go_q <= (seq_go_q & ~go_i) | cmd_i.seq_go;
      seq_swap_q <= (seq_swap_q & ~go_i) | cmd_i.seq_swap;
      seq_stop_q <= (seq_stop_q & ~go_i) | cmd_i.seq_stop;
      start_q <= (start_q & ~{N{go_i}}) | start_we_i;
      stop_q <= (stop_q & ~{N{go_i}}) | halt_we_i;
      retry_q <= (retry_q & ~{N{go_i}}) | retry_we_i;
      if (cmd_i.commit) sw_tag_q <= tag_i;
      if (cmd_i.commit_at[1]) timed_tag_q <= tag_i;
      if (cmd_i.commit_at[0]) low_q <= (low_q & ~biten_i) | (data_i & biten_i);
      if (cmd_i.commit_at[1]) at_q <= {(at_q[63:32] & ~biten_i) | (data_i & biten_i), low_q};
    end
  end

  assign sw_o = sw_q;
  assign sw_tag_o = sw_tag_q;
  assign armed_o = armed_q;
  assign timed_tag_o = timed_tag_q;
  assign commit_at_o = at_q;
  assign seq_go_o = seq_go_q;
  assign seq_swap_o = seq_swap_q;
  assign seq_stop_o = seq_stop_q;
  assign start_o = start_q;
  assign stop_o = stop_q;
  assign retry_o = retry_q;

  logic any;
  assign any = sw_q | seq_go_q | seq_swap_q | seq_stop_q | (|start_q) | (|stop_q) | (|retry_q);
  assign pending_bound_o = any ? 32'd1 : Unbounded;
  assign timed_bound_o = armed_q ? cycles_to(at_q, time_i) : Unbounded;

  logic unused;
  assign unused = &{1'b0, cmd_i};
endmodule
