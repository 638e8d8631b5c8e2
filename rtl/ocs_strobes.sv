// What an accepted access of a device register is to the fabric: its commands. No state.
//
// SPDX-License-Identifier: Apache-2.0
module ocs_strobes
  import ocs_addr_pkg::*;
  import ocs_pkg::*;
(
    input  access_t access_i,  ///< the access that completes at this edge
    output cmd_t    cmd_o      ///< what it asks of the fabric; START and its like name the ports of the write
);
  function automatic logic written(input logic [8:0] addr);
    return access_i.core_write & access_i.core_addr == addr;
  endfunction
  // To a word of a mask, whose eight words have the same highest bits of their addresses.
  function automatic logic masked(input logic [8:5] addr);
    return access_i.core_write & access_i.core_addr[8:5] == addr;
  endfunction

  always_comb begin
    cmd_o.commit = (written(CORE_COMMIT) & access_i.data[0]) | access_i.commit;
    cmd_o.cancel = written(CORE_COMMIT_CANCEL) & access_i.data[0];
    cmd_o.commit_at[0] = written(CORE_COMMIT_AT);
    cmd_o.commit_at[1] = written(CORE_COMMIT_AT + 9'd4) & access_i.biten != '0;
    cmd_o.seq_go = written(CORE_SEQ_GO) & access_i.data[0];
    cmd_o.seq_swap = written(CORE_SEQ_SWAP) & access_i.data[0];
    cmd_o.seq_stop = written(CORE_SEQ_STOP) & access_i.data[0];
    cmd_o.seq_store = written(CORE_SEQ_STORE);
    cmd_o.seed = written(CORE_SEED);
    cmd_o.start = masked(CORE_START[8:5]) | access_i.start;
    cmd_o.stop = masked(CORE_STOP[8:5]);
    cmd_o.retry = masked(CORE_RETRY[8:5]);
    cmd_o.seg_clear = masked(CORE_SEG_FULL[8:5]);
    cmd_o.changed_clear = masked(CORE_CHANGED[8:5]);
    cmd_o.ended_clear = masked(CORE_ENDED[8:5]);
    cmd_o.error_clear = written(CORE_ERROR) ? access_i.data[Errors-1:0] & access_i.biten[Errors-1:0] : '0;
    cmd_o.event_read = access_i.core_read & access_i.core_addr == CORE_EVENT;
  end

  logic unused;
  assign unused = &{1'b0, access_i};
endmodule
