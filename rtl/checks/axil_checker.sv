// AXI4-Lite protocol checker for either side of a link (AMBA AXI, IHI 0022: handshake, reset and response rules).
//
// Bind it, or place it beside the link; it drives nothing. `use_*` are rules of the manager, `own_*` of the subordinate:
// whoever tests one of them must keep the other's. A proof of the subordinate defines AXIL_ASSUME_MANAGER. With
// MaxWait > 0 a subordinate must also accept and answer in that many cycles, which the specification doesn't ask for.
// Not for AXI4 with bursts or IDs.
//
// SPDX-License-Identifier: Apache-2.0
`ifdef AXIL_ASSUME_MANAGER
`define AXIL_USE assume
`else
`define AXIL_USE assert
`endif
module axil_checker #(
    /// Bits of an address, and of data: 32 or 64.
    parameter int unsigned AddrW   = 32,
    parameter int unsigned DataW   = 32,
    /// Requests of one direction that may wait for their answer at a time, 1 to 2^30.
    parameter int unsigned Most    = 16,
    /// Cycles in which a free subordinate must accept or answer; 0: no such rule.
    parameter int unsigned MaxWait = 0
) (
    input logic               aclk,
    input logic               aresetn,
    input logic               awvalid,
    input logic               awready,
    input logic [AddrW-1:0]   awaddr,
    input logic               wvalid,
    input logic               wready,
    input logic [DataW-1:0]   wdata,
    input logic [DataW/8-1:0] wstrb,
    input logic               bvalid,
    input logic               bready,
    input logic [1:0]         bresp,
    input logic               arvalid,
    input logic               arready,
    input logic [AddrW-1:0]   araddr,
    input logic               rvalid,
    input logic               rready,
    input logic [DataW-1:0]   rdata,
    input logic [1:0]         rresp
);
  if (AddrW < 1 || AddrW > 64) begin : g_address_in_range
    $error("axil_checker: AddrW must be from 1 to 64");
  end
  if (DataW != 32 && DataW != 64) begin : g_data_in_range
    $error("axil_checker: DataW must be 32 or 64");
  end
  if (Most < 1 || Most > 1 << 30) begin : g_most_in_range
    $error("axil_checker: Most must be from 1 to 2^30");
  end
  localparam logic [1:0] ExOkay = 2'b01;

  // ---- the edge before ----
  logic up_q, reset_q;  // aresetn was high at the edge before; it was low there
  logic aw_waits_q, w_waits_q, b_waits_q, ar_waits_q, r_waits_q;
  logic [AddrW-1:0] awaddr_q, araddr_q;
  logic [DataW+DataW/8-1:0] w_q;
  logic [1:0] b_q;
  logic [DataW+1:0] r_q;
  // ---- accepted and not yet answered ----
  logic [31:0] aw_open_q, w_open_q, ar_open_q;
  // Cycles for which a write, a read waits that the subordinate alone holds up.
  logic [31:0] write_stall_q, read_stall_q;
  logic write_held_up, read_held_up;
  assign write_held_up = (awvalid & ~awready & aw_open_q == 0) | (wvalid & ~wready & w_open_q == 0) |
                         (aw_open_q != 0 & w_open_q != 0 & ~bvalid);
  assign read_held_up = (arvalid & ~arready & ar_open_q == 0) | (ar_open_q != 0 & ~rvalid);
  initial {up_q, reset_q} = '0;  // nothing is known before the first edge
  always_ff @(posedge aclk) begin
    up_q <= aresetn;
    reset_q <= ~aresetn;
    aw_waits_q <= aresetn & awvalid & ~awready;
    w_waits_q <= aresetn & wvalid & ~wready;
    b_waits_q <= aresetn & bvalid & ~bready;
    ar_waits_q <= aresetn & arvalid & ~arready;
    r_waits_q <= aresetn & rvalid & ~rready;
    awaddr_q <= awaddr;
    w_q <= {wdata, wstrb};
    b_q <= bresp;
    araddr_q <= araddr;
    r_q <= {rdata, rresp};
    aw_open_q <= aresetn ? aw_open_q + {31'd0, awvalid & awready} - {31'd0, bvalid & bready} : '0;
    w_open_q <= aresetn ? w_open_q + {31'd0, wvalid & wready} - {31'd0, bvalid & bready} : '0;
    ar_open_q <= aresetn ? ar_open_q + {31'd0, arvalid & arready} - {31'd0, rvalid & rready} : '0;
    write_stall_q <= aresetn & write_held_up ? write_stall_q + 1 : '0;
    read_stall_q <= aresetn & read_held_up ? read_stall_q + 1 : '0;
  end

  always_ff @(posedge aclk) begin
    // Reset: valid signals are low in it; the manager's first rise after an edge at which it is over.
    if (reset_q) begin
      use_no_request_in_reset: `AXIL_USE (~awvalid & ~wvalid & ~arvalid);
      own_no_answer_in_reset: assert (~bvalid & ~rvalid);
    end
    if (aresetn & up_q) begin
      // ---- the manager ----
      use_aw_stays: `AXIL_USE (~aw_waits_q | (awvalid & awaddr == awaddr_q));
      use_w_stays: `AXIL_USE (~w_waits_q | (wvalid & {wdata, wstrb} == w_q));
      use_ar_stays: `AXIL_USE (~ar_waits_q | (arvalid & araddr == araddr_q));
      use_requests_known: `AXIL_USE (~$isunknown({awvalid, wvalid, bready, arvalid, rready}) &
                                     (~awvalid | ~$isunknown(awaddr)) & (~wvalid | ~$isunknown(wstrb)) &
                                     (~arvalid | ~$isunknown(araddr)));
      use_few_open: `AXIL_USE (aw_open_q <= Most & w_open_q <= Most & ar_open_q <= Most);
      // ---- the subordinate ----
      own_b_stays: assert (~b_waits_q | (bvalid & bresp == b_q));
      own_r_stays: assert (~r_waits_q | (rvalid & {rdata, rresp} == r_q));
      own_b_answers_a_write: assert (~bvalid | (aw_open_q != 0 & w_open_q != 0));
      own_r_answers_a_read: assert (~rvalid | ar_open_q != 0);
      own_no_exclusive_answer: assert ((~bvalid | bresp != ExOkay) & (~rvalid | rresp != ExOkay));
      own_answers_known: assert (~$isunknown({awready, wready, bvalid, arready, rvalid}) &
                                 (~bvalid | ~$isunknown(bresp)) & (~rvalid | ~$isunknown({rdata, rresp})));
      own_not_stalled: assert (MaxWait == 0 | (write_stall_q <= MaxWait & read_stall_q <= MaxWait));
      // ---- seen ----
      see_aw_back_pressure: cover (awvalid & ~awready);
      see_w_back_pressure: cover (wvalid & ~wready);
      see_b_back_pressure: cover (bvalid & ~bready);
      see_ar_back_pressure: cover (arvalid & ~arready);
      see_r_back_pressure: cover (rvalid & ~rready);
      see_address_first: cover (awvalid & awready & ~wvalid & w_open_q == aw_open_q);
      see_data_first: cover (wvalid & wready & ~awvalid & w_open_q == aw_open_q);
      see_both_together: cover (awvalid & awready & wvalid & wready);
      see_two_writes_open: cover (aw_open_q > 1 & w_open_q > 1);
      see_two_reads_open: cover (ar_open_q > 1);
      see_read_and_write_together: cover (awvalid & wvalid & arvalid);
      see_write_refused: cover (bvalid & bready & bresp != 0);
      see_read_refused: cover (rvalid & rready & rresp != 0);
      see_writes_back_to_back: cover (bvalid & bready & awvalid & awready & wvalid & wready);
      see_reads_back_to_back: cover (rvalid & rready & arvalid & arready);
      see_no_strobe: cover (wvalid & wready & wstrb == '0);
    end
  end
endmodule
