// The core's way to the switch's registers: turns its memory requests into AXI4-Lite transfers, beside those of the host.
//
// Requests and answers cross between the two clocks as toggles: `done_o` differs from `seen_i` while an answer stands.
// The host goes first. An access may be held back until a cycle, so that a command acts in it exactly.
//
// SPDX-License-Identifier: Apache-2.0
module ocs_soc_bridge (
    input  logic        bus_clk_i,  ///< clock of the bus, rising edge
    input  logic        rst_ni,     ///< synchronous reset, active low

    input  logic        want_i,     ///< the core waits for an access, and it is due
    input  logic        write_i,    ///< it is a write
    input  logic [19:0] addr_i,     ///< byte address in the window
    input  logic [31:0] data_i,     ///< data of a write
    input  logic        seen_i,     ///< the core has taken the answer whose toggle this is
    output logic        done_o,     ///< toggles with each answer
    output logic [31:0] data_o,     ///< data of a read
    output logic [31:0] errors_o,   ///< accesses that the switch refused, ever
    output logic        busy_o,     ///< the bus is to be clocked before anything else

    // ---- AXI4-Lite of the host ----
    input  logic        host_awvalid_i,  ///< AW: address offered
    output logic        host_awready_o,  ///< AW: accepted
    input  logic [19:0] host_awaddr_i,   ///< AW: byte address
    input  logic        host_wvalid_i,   ///< W: data offered
    output logic        host_wready_o,   ///< W: accepted
    input  logic [31:0] host_wdata_i,    ///< W: data
    output logic        host_bvalid_o,   ///< B: answer offered
    input  logic        host_bready_i,   ///< B: accepted
    input  logic        host_arvalid_i,  ///< AR: address offered
    output logic        host_arready_o,  ///< AR: accepted
    input  logic [19:0] host_araddr_i,   ///< AR: byte address
    output logic        host_rvalid_o,   ///< R: answer offered
    input  logic        host_rready_i,   ///< R: accepted
    /// The host has read EVENT (same edge as the R channel), and this is its word.
    output logic        event_read_o,

    // ---- AXI4-Lite of the switch ----
    output logic        awvalid_o,  ///< AW: address offered
    input  logic        awready_i,  ///< AW: accepted
    output logic [19:0] awaddr_o,   ///< AW: byte address
    output logic        wvalid_o,   ///< W: data offered
    input  logic        wready_i,   ///< W: accepted
    output logic [31:0] wdata_o,    ///< W: data
    input  logic        bvalid_i,   ///< B: answer offered
    output logic        bready_o,   ///< B: accepted
    input  logic        berror_i,   ///< B: SLVERR
    output logic        arvalid_o,  ///< AR: address offered
    input  logic        arready_i,  ///< AR: accepted
    output logic [19:0] araddr_o,   ///< AR: byte address
    input  logic        rvalid_i,   ///< R: answer offered
    output logic        rready_o,   ///< R: accepted
    input  logic [31:0] rdata_i,    ///< R: data
    input  logic        rerror_i    ///< R: SLVERR
);
  localparam logic [19:0] EventAddr = 20'h00440, SegFullAddr = 20'h004e0, Nowhere = 20'h80000;

  // ---- whose turn it is ---------------------------------------------------------------------------------------------
  logic mine_q;                 // the core's transfer is under way
  logic host_write_q, host_read_q;  // the host's is
  logic host_asks, begins, ends, pending;
  assign pending = want_i & (done_o == seen_i);
  assign host_asks = host_awvalid_i | host_wvalid_i | host_arvalid_i | host_write_q | host_read_q;
  assign begins = pending & ~mine_q & ~host_asks & awready_i & wready_i & arready_i;
  assign ends = mine_q & (bvalid_i | rvalid_i);
  assign busy_o = pending | mine_q;

  always_ff @(posedge bus_clk_i) begin
    if (!rst_ni) begin
      {mine_q, done_o, host_write_q, host_read_q} <= '0;
      errors_o <= '0;
    end else begin
      mine_q <= begins | (mine_q & ~ends);
      if (ends) begin
        done_o <= ~done_o;
        data_o <= rdata_i;
        if ((bvalid_i & berror_i) | (rvalid_i & rerror_i)) errors_o <= errors_o + 1;
      end
      host_write_q <= (host_awvalid_i & host_awready_o) | (host_write_q & ~(host_bvalid_o & host_bready_i));
      host_read_q <= (host_arvalid_i & host_arready_o) | (host_read_q & ~(host_rvalid_o & host_rready_i));
    end
  end

  // ---- channels -----------------------------------------------------------------------------------------------------
  // The host looks on: it reads anything, and clears the segments that it has read. All else is the firmware's.
  logic host_may;
  assign host_may = host_awaddr_i[19:5] == SegFullAddr[19:5];
  assign awvalid_o = mine_q ? 1'b0 : begins ? write_i : host_awvalid_i;
  assign wvalid_o = mine_q ? 1'b0 : begins ? write_i : host_wvalid_i;
  assign arvalid_o = mine_q ? 1'b0 : begins ? ~write_i : host_arvalid_i;
  assign awaddr_o = begins ? addr_i : host_may ? host_awaddr_i : Nowhere;
  assign araddr_o = begins ? addr_i : host_araddr_i;
  assign wdata_o = begins ? data_i : host_wdata_i;
  assign bready_o = mine_q | host_bready_i;
  assign rready_o = mine_q | host_rready_i;
  assign host_awready_o = ~mine_q & ~begins & awready_i;
  assign host_wready_o = ~mine_q & ~begins & wready_i;
  assign host_arready_o = ~mine_q & ~begins & arready_i;
  assign host_bvalid_o = ~mine_q & bvalid_i;
  assign host_rvalid_o = ~mine_q & rvalid_i;

  logic [19:0] host_read_addr_q;
  always_ff @(posedge bus_clk_i) if (host_arvalid_i & host_arready_o) host_read_addr_q <= host_araddr_i;
  assign event_read_o = host_rvalid_o & host_rready_i & host_read_q & (host_read_addr_q == EventAddr) & rdata_i[31];
endmodule
