// AXI4-Lite subordinate: turns the five channels into single register requests (AMBA AXI, IHI 0022, AXI4-Lite).
//
// Each of AW, W and AR is accepted whenever its place to wait is free, in any order, whatever the other channels do.
// All inputs are registered first: neither an output nor the request depends on an input of the same cycle. A write is
// executed at the first edge after its address and its data were accepted, a read after its address, as soon as the
// response before it was taken. One request an edge; reads and writes take turns when both can be executed. The
// answer to a request is on the B or R channel after the edge that carried it out.
//
// SPDX-License-Identifier: Apache-2.0
module ocs_axil #(
    /// Bits of a byte address, 3 to 64.
    parameter int unsigned AddrW = 20
) (
    input  logic             clk_i,   ///< clock, rising edge
    input  logic             rst_ni,  ///< synchronous reset, active low

    input  logic             awvalid_i,  ///< AW: address offered
    output logic             awready_o,  ///< AW: accepted
    input  logic [AddrW-1:0] awaddr_i,   ///< AW: byte address; the lowest two bits are ignored
    input  logic             wvalid_i,   ///< W: data offered
    output logic             wready_o,   ///< W: accepted
    input  logic [31:0]      wdata_i,    ///< W: data
    input  logic [3:0]       wstrb_i,    ///< W: bytes to be written
    output logic             bvalid_o,   ///< B: answer offered
    input  logic             bready_i,   ///< B: accepted
    output logic [1:0]       bresp_o,    ///< B: OKAY or SLVERR
    input  logic             arvalid_i,  ///< AR: address offered
    output logic             arready_o,  ///< AR: accepted
    input  logic [AddrW-1:0] araddr_i,   ///< AR: byte address; the lowest two bits are ignored
    output logic             rvalid_o,   ///< R: answer offered
    input  logic             rready_i,   ///< R: accepted
    output logic [31:0]      rdata_o,    ///< R: data; 0 with SLVERR
    output logic [1:0]       rresp_o,    ///< R: OKAY or SLVERR

    /// A request is executed at this edge: direction, word address, data and strobes (one bit a bit).
    output logic             req_o,
    output logic             write_o,
    output logic [AddrW-1:0] addr_o,
    output logic [31:0]      data_o,
    output logic [31:0]      biten_o,
    /// Refused (same edge).
    input  logic             error_i,
    /// Data of the read that was executed last (after its edge; held until the next read).
    input  logic [31:0]      data_i
);
  if (AddrW < 3 || AddrW > 64) begin : g_address_in_range
    $error("ocs_axil: AddrW must be from 3 to 64");
  end

  localparam logic [1:0] Okay = 2'b00, SlvErr = 2'b10;

  // ---- what was accepted and waits ----------------------------------------------------------------------------------
  logic aw_held_q, w_held_q, ar_held_q;
  logic [AddrW-1:2] awaddr_q, araddr_q;
  logic [31:0] wdata_q;
  logic [3:0] wstrb_q;

  logic bvalid_q, rvalid_q, berror_q, rerror_q, read_was_last_q;
  logic may_write, may_read, do_write, do_read;
  assign may_write = aw_held_q & w_held_q & ~bvalid_q;
  assign may_read = ar_held_q & ~rvalid_q;
  assign do_write = may_write & (~may_read | read_was_last_q);
  assign do_read = may_read & ~do_write;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {aw_held_q, w_held_q, ar_held_q} <= '0;
      {bvalid_q, rvalid_q, berror_q, rerror_q, read_was_last_q} <= '0;
    end else begin
      aw_held_q <= aw_held_q ? ~do_write : awvalid_i;
      w_held_q <= w_held_q ? ~do_write : wvalid_i;
      ar_held_q <= ar_held_q ? ~do_read : arvalid_i;
      if (do_write) begin
        bvalid_q <= 1'b1;
        berror_q <= error_i;
      end else if (bready_i) begin
        bvalid_q <= 1'b0;
      end
      if (do_read) begin
        rvalid_q <= 1'b1;
        rerror_q <= error_i;
      end else if (rready_i) begin
        rvalid_q <= 1'b0;
      end
      if (req_o) read_was_last_q <= do_read;
    end
  end
  always_ff @(posedge clk_i) begin
    if (~aw_held_q) awaddr_q <= awaddr_i[AddrW-1:2];
    if (~w_held_q) {wdata_q, wstrb_q} <= {wdata_i, wstrb_i};
    if (~ar_held_q) araddr_q <= araddr_i[AddrW-1:2];
  end

  assign awready_o = ~aw_held_q;
  assign wready_o = ~w_held_q;
  assign arready_o = ~ar_held_q;
  assign bvalid_o = bvalid_q;
  assign bresp_o = berror_q ? SlvErr : Okay;
  assign rvalid_o = rvalid_q;
  assign rresp_o = rerror_q ? SlvErr : Okay;
  assign rdata_o = rerror_q ? '0 : data_i;

  assign req_o = do_write | do_read;
  assign write_o = do_write;
  assign addr_o = {do_write ? awaddr_q : araddr_q, 2'b00};
  assign data_o = wdata_q;
  always_comb for (int b = 0; b < 4; b++) biten_o[8*b+:8] = {8{wstrb_q[b]}};

  // Accesses are 32 bits wide: the lowest two address bits select bytes that the strobes name as well.
  logic unused;
  assign unused = &{1'b0, awaddr_i[1:0], araddr_i[1:0]};
endmodule
