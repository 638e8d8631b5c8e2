// AXI4-Lite subordinate: turns the five channels into single register requests (AMBA AXI, IHI 0022, AXI4-Lite).
//
// A write is accepted when both its address and its data are there and its response can be stored; a read when its
// response can be stored. One request an edge; reads and writes take turns when both wait. The answer to a request is
// on the B or R channel after the edge that carried it out.
//
// SPDX-License-Identifier: Apache-2.0
module ocs_axil #(
    /// Bits of a byte address.
    parameter int unsigned AddrW = 20
) (
    input  logic             clk_i,
    input  logic             rst_ni,

    input  logic             awvalid_i,
    output logic             awready_o,
    input  logic [AddrW-1:0] awaddr_i,
    input  logic             wvalid_i,
    output logic             wready_o,
    input  logic [31:0]      wdata_i,
    input  logic [3:0]       wstrb_i,
    output logic             bvalid_o,
    input  logic             bready_i,
    output logic [1:0]       bresp_o,
    input  logic             arvalid_i,
    output logic             arready_o,
    input  logic [AddrW-1:0] araddr_i,
    output logic             rvalid_o,
    input  logic             rready_i,
    output logic [31:0]      rdata_o,
    output logic [1:0]       rresp_o,

    /// A request is carried out at this edge: direction, word address, data and strobes (one bit a bit).
    output logic             req_o,
    output logic             write_o,
    output logic [AddrW-1:0] addr_o,
    output logic [31:0]      data_o,
    output logic [31:0]      biten_o,
    /// Refused (same edge).
    input  logic             error_i,
    /// Data of the read that was carried out last (after its edge; held until the next read).
    input  logic [31:0]      data_i
);
  localparam logic [1:0] Okay = 2'b00, SlvErr = 2'b10;

  logic bvalid_q, rvalid_q, berror_q, rerror_q, read_was_last_q;
  logic may_write, may_read, do_write, do_read;
  assign may_write = awvalid_i & wvalid_i & (~bvalid_q | bready_i);
  assign may_read = arvalid_i & (~rvalid_q | rready_i);
  assign do_write = may_write & (~may_read | read_was_last_q);
  assign do_read = may_read & ~do_write;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {bvalid_q, rvalid_q, berror_q, rerror_q, read_was_last_q} <= '0;
    end else begin
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

  assign awready_o = do_write;
  assign wready_o = do_write;
  assign arready_o = do_read;
  assign bvalid_o = bvalid_q;
  assign bresp_o = berror_q ? SlvErr : Okay;
  assign rvalid_o = rvalid_q;
  assign rresp_o = rerror_q ? SlvErr : Okay;
  assign rdata_o = rerror_q ? '0 : data_i;

  assign req_o = do_write | do_read;
  assign write_o = do_write;
  assign addr_o = do_write ? {awaddr_i[AddrW-1:2], 2'b00} : {araddr_i[AddrW-1:2], 2'b00};
  assign data_o = wdata_i;
  always_comb for (int b = 0; b < 4; b++) biten_o[8*b+:8] = {8{wstrb_i[b]}};

  // Accesses are 32 bits wide: the lowest two address bits select bytes that the strobes name as well.
  logic unused;
  assign unused = &{1'b0, awaddr_i[1:0], araddr_i[1:0]};
endmodule
