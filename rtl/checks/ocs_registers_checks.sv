// Checks of the register window: what is refused has no effect, an access does one thing (section 12).
//
// SPDX-License-Identifier: Apache-2.0
`include "ocs_checks.svh"
module ocs_registers_checks
  import ocs_pkg::*;
(
    input logic    clk_i,
    input logic    rst_ni,
    input access_t access_o,
    input cmd_t    cmd_o,
    // inside
    input logic    req,
    input logic    write,
    input logic    own_wr_err,
    input logic    own_rd_err,
    input logic    access_error
);
  logic [2:0] kinds;
  logic reads, writes, acts, commands;
  assign kinds = 3'(access_o.core_write) + 3'(access_o.core_read) + 3'(access_o.port_write) + 3'(access_o.port_read) +
                 3'(access_o.pair_write) + 3'(access_o.pair_read);
  assign reads = access_o.core_read | access_o.port_read | access_o.pair_read;
  assign writes = access_o.core_write | access_o.port_write | access_o.pair_write;
  // Commands with a register of their own; others are part of a setting's write.
  assign commands = (cmd_o.commit & ~access_o.commit) | cmd_o.cancel | cmd_o.seq_go | cmd_o.seq_swap | cmd_o.seq_stop |
                    cmd_o.seq_store | cmd_o.seed | (cmd_o.start & ~access_o.start) | cmd_o.stop | cmd_o.retry;
  assign acts = access_o.soft_reset | cmd_o != '0;

  always_ff @(posedge clk_i) if (rst_ni) begin
    own_one_kind_an_edge: assert (kinds <= 3'd1);
    own_nothing_without_a_request: assert (req | (kinds == 0 & ~acts & ~access_o.error));
    own_refused_does_nothing: assert (~access_o.error | (kinds == 0 & ~acts));
    own_writes_write_and_reads_read: assert (~(writes & ~write) & ~(reads & write));
    own_commands_want_all_bytes: assert (~(commands | access_o.soft_reset) | access_o.biten == '1);
    see_read_refused: cover (access_error & ~write);
    see_write_refused: cover (access_error & write);
    see_own_read_refused: cover (req & ~write & own_rd_err);
    see_own_write_refused: cover (req & write & own_wr_err);
    see_partial_write: cover (writes & access_o.biten != '1);
    see_write_without_bytes: cover (writes & access_o.biten == '0);
    see_partial_write_refused: cover (access_error & write & access_o.biten != '1);
    see_pair_written: cover (access_o.pair_write);
    see_pair_read: cover (access_o.pair_read);
    see_soft_reset: cover (access_o.soft_reset);
    see_cancelled: cover (cmd_o.cancel);
    see_bank_filled: cover (cmd_o.seq_store);
    see_segment_cleared: cover (cmd_o.seg_clear);
    see_error_cleared: cover (|cmd_o.error_clear);
    see_event_read: cover (cmd_o.event_read);
  end

  logic unused;
  assign unused = &{1'b0, access_o};
endmodule
bind ocs_registers ocs_registers_checks u_checks (
    .req(u_front.req), .write(u_front.write), .own_wr_err(u_front.own_wr_err), .own_rd_err(u_front.own_rd_err),
    .access_error(u_front.found.error | u_front.absent), .*
);
