// Checks of the register window: what is refused has no effect, an access does one thing (section 12).
//
// SPDX-License-Identifier: Apache-2.0
`include "ocs_checks.svh"
module ocs_registers_checks #(
    parameter int unsigned N = 16
) (
    input logic         clk_i,
    input logic         rst_ni,
    input logic         soft_reset_o,
    input logic         commit_we_o,
    input logic         cancel_we_o,
    input logic [1:0]   commit_at_we_o,
    input logic         seq_go_we_o,
    input logic         seq_swap_we_o,
    input logic         seq_stop_we_o,
    input logic         seq_store_we_o,
    input logic         seed_we_o,
    input logic [N-1:0] start_we_o,
    input logic [N-1:0] stop_we_o,
    input logic [N-1:0] retry_we_o,
    input logic [N-1:0] seg_clear_o,
    input logic [6:0]   error_clear_o,
    input logic         access_error_o,
    input logic         event_read_o,
    input logic [31:0]  biten_o,
    // inside
    input logic         req,
    input logic         write,
    input logic         core_write,
    input logic         core_read,
    input logic         port_write,
    input logic         port_read,
    input logic         pair_write,
    input logic         pair_read,
    input logic         own_wr_err,
    input logic         own_rd_err,
    input logic         access_error
);
  logic [2:0] kinds;
  assign kinds = 3'(core_write) + 3'(core_read) + 3'(port_write) + 3'(port_read) + 3'(pair_write) + 3'(pair_read);
  logic acts;
  assign acts = soft_reset_o | commit_we_o | cancel_we_o | |commit_at_we_o | seq_go_we_o | seq_swap_we_o | seq_stop_we_o |
                seq_store_we_o | seed_we_o | |start_we_o | |stop_we_o | |retry_we_o | |seg_clear_o | |error_clear_o |
                event_read_o;

  always_ff @(posedge clk_i) if (rst_ni) begin
    own_one_kind_an_edge: assert (kinds <= 3'd1);
    own_nothing_without_a_request: assert (req | (kinds == 0 & ~acts & ~access_error_o));
    own_refused_does_nothing: assert (~access_error_o | (kinds == 0 & ~acts));
    own_writes_write_and_reads_read: assert (~((core_write | port_write | pair_write) & ~write) &
                                             ~((core_read | port_read | pair_read) & write));
    own_commands_want_all_bytes: assert (~(commit_we_o | cancel_we_o | seq_go_we_o | seq_swap_we_o | seq_stop_we_o |
                                           seq_store_we_o | seed_we_o | soft_reset_o | |start_we_o | |stop_we_o |
                                           |retry_we_o) | biten_o == '1);
    see_read_refused: cover (access_error & ~write);
    see_write_refused: cover (access_error & write);
    see_own_read_refused: cover (req & ~write & own_rd_err);
    see_own_write_refused: cover (req & write & own_wr_err);
    see_partial_write: cover ((core_write | port_write | pair_write) & biten_o != '1);
    see_write_without_bytes: cover ((core_write | port_write | pair_write) & biten_o == '0);
    see_partial_write_refused: cover (access_error & write & biten_o != '1);
    see_pair_written: cover (pair_write);
    see_pair_read: cover (pair_read);
    see_soft_reset: cover (soft_reset_o);
    see_cancelled: cover (cancel_we_o);
    see_bank_filled: cover (seq_store_we_o);
    see_segment_cleared: cover (|seg_clear_o);
    see_error_cleared: cover (|error_clear_o);
    see_event_read: cover (event_read_o);
  end
endmodule
bind ocs_registers ocs_registers_checks #(.N(N)) u_checks (
    .req(u_front.req), .write(u_front.write), .own_wr_err(u_front.own_wr_err), .own_rd_err(u_front.own_rd_err),
    .access_error(u_front.access_error), .*
);
