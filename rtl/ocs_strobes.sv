// What an accepted access of a device register is to the fabric: its commands. No state.
//
// SPDX-License-Identifier: Apache-2.0
module ocs_strobes
  import ocs_addr_pkg::*;
  import ocs_pkg::*;
#(
    /// Ports, 2 to 256.
    parameter int unsigned N = 16
) (
    /// Accepted accesses of device registers at this edge: offset, data, bits that the strobes name, ports of a mask write.
    input  logic              core_write_i,
    input  logic              core_read_i,
    input  logic [8:0]        core_addr_i,
    input  logic [31:0]       data_i,
    input  logic [31:0]       biten_i,
    input  logic [N-1:0]      ports_i,

    output logic              commit_we_o,      ///< COMMIT
    output logic              cancel_we_o,      ///< COMMIT_CANCEL
    output logic [1:0]        commit_at_we_o,   ///< COMMIT_AT: low word, high word (arms)
    output logic              seq_go_we_o,      ///< SEQ_GO
    output logic              seq_swap_we_o,    ///< SEQ_SWAP
    output logic              seq_stop_we_o,    ///< SEQ_STOP
    output logic              seq_store_we_o,   ///< SEQ_STORE, entry in data, below S
    output logic              seed_we_o,        ///< SEED, value in data
    output logic [N-1:0]      start_we_o,       ///< START, mask of inputs
    output logic [N-1:0]      stop_we_o,        ///< STOP, mask of inputs
    output logic [N-1:0]      retry_we_o,       ///< RETRY, mask of outputs
    output logic [N-1:0]      seg_clear_o,      ///< SEG_FULL, mask of outputs to clear
    output logic [N-1:0]      changed_clear_o,  ///< CHANGED, mask of outputs to clear
    output logic [N-1:0]      ended_clear_o,    ///< ENDED, mask of inputs to clear
    output logic [Errors-1:0] error_clear_o,    ///< ERROR, bits to clear
    output logic              event_read_o      ///< EVENT is read: takes the next event
);
  if (N < 2 || N > 256) begin : g_ports_in_range
    $error("ocs_strobes: N must be from 2 to 256");
  end

  always_comb begin
    commit_we_o = core_write_i & core_addr_i == CORE_COMMIT & data_i[0];
    cancel_we_o = core_write_i & core_addr_i == CORE_COMMIT_CANCEL & data_i[0];
    commit_at_we_o[0] = core_write_i & core_addr_i == CORE_COMMIT_AT;
    commit_at_we_o[1] = core_write_i & core_addr_i == CORE_COMMIT_AT + 9'd4 & biten_i != '0;
    seq_go_we_o = core_write_i & core_addr_i == CORE_SEQ_GO & data_i[0];
    seq_swap_we_o = core_write_i & core_addr_i == CORE_SEQ_SWAP & data_i[0];
    seq_stop_we_o = core_write_i & core_addr_i == CORE_SEQ_STOP & data_i[0];
    seq_store_we_o = core_write_i & core_addr_i == CORE_SEQ_STORE;
    seed_we_o = core_write_i & core_addr_i == CORE_SEED;
    start_we_o = core_write_i & core_addr_i[8:5] == CORE_START[8:5] ? ports_i : '0;
    stop_we_o = core_write_i & core_addr_i[8:5] == CORE_STOP[8:5] ? ports_i : '0;
    retry_we_o = core_write_i & core_addr_i[8:5] == CORE_RETRY[8:5] ? ports_i : '0;
    seg_clear_o = core_write_i & core_addr_i[8:5] == CORE_SEG_FULL[8:5] ? ports_i : '0;
    changed_clear_o = core_write_i & core_addr_i[8:5] == CORE_CHANGED[8:5] ? ports_i : '0;
    ended_clear_o = core_write_i & core_addr_i[8:5] == CORE_ENDED[8:5] ? ports_i : '0;
    error_clear_o = core_write_i & core_addr_i == CORE_ERROR ? data_i[Errors-1:0] & biten_i[Errors-1:0] : '0;
    event_read_o = core_read_i & core_addr_i == CORE_EVENT;
  end

  logic unused;
  assign unused = &{1'b0, data_i};
endmodule
