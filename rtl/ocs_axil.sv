// AXI4-Lite subordinate: turns the five channels into single register requests (AMBA AXI, IHI 0022, AXI4-Lite).
//
// SPDX-License-Identifier: Apache-2.0
//
// Each of AW, W and AR is accepted whenever its place to wait is free or becomes free at this edge, in any order, whatever
// the other channels do. All inputs are registered first: neither an output nor the request depends on an input of the
// same cycle. A write is executed at the first edge after its address and its data were accepted, a read after its
// address, as long as there is a place for its answer. Each of B and R has two, so that accesses follow one another at
// each edge where their answers are taken at once, and a request never waits for what is asked of it in the same cycle.
// One request an edge; reads and writes take turns when both can be executed. The answer to a request is on the B or R
// channel after the edge that executed it, or behind the one that waits there. Where a request takes `Latency` edges more
// until it has been everywhere (rtl/skew), it is registered before it goes out, the answer waits for it, and there is one
// at a time.
module ocs_axil #(
    /// Bits of a byte address, 3 to 64.
    parameter int unsigned AddrW = 20,
    /// Edges after that of the request until its answer is known, 0 to 15.
    parameter int unsigned Latency = 0
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

    /// A request is executed at this edge: direction, word address, data and strobes (one bit a bit). With a latency the
    /// latter are what they are from the edge before until the answer.
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
  if (Latency > 15) begin : g_latency_in_range
    $error("ocs_axil: Latency must be from 0 to 15");
  end

  localparam logic [1:0] Okay = 2'b00, SlvErr = 2'b10;

  // ---- what was accepted and waits ----------------------------------------------------------------------------------
  logic aw_held_q, w_held_q, ar_held_q;
  logic [AddrW-1:2] awaddr_q, araddr_q;
  logic [31:0] wdata_q;
  logic [3:0] wstrb_q;

  // Answers: what the channel offers, and what comes behind it. Data of a read are what data_i has, or if another one was
  // executed since, what was kept of them.
  logic bvalid_q, rvalid_q, berror_q, rerror_q, bnext_q, rnext_q, bnext_error_q, rnext_error_q, read_was_last_q;
  logic [31:0] rkept_q;
  logic may_write, may_read, do_write, do_read;
  logic busy, write_done, read_done, refused;  // a request is on its way; it is answered at this edge, and how
  logic b_full, r_full;  // no place for another answer, whatever is taken at this edge
  assign may_write = aw_held_q & w_held_q & ~b_full & ~busy;
  assign may_read = ar_held_q & ~r_full & ~busy;
  assign do_write = may_write & (~may_read | read_was_last_q);
  assign do_read = may_read & ~do_write;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {aw_held_q, w_held_q, ar_held_q} <= '0;
      {bvalid_q, rvalid_q, berror_q, rerror_q, read_was_last_q} <= '0;
    end else begin
      if (awready_o) aw_held_q <= awvalid_i;
      if (wready_o) w_held_q <= wvalid_i;
      if (arready_o) ar_held_q <= arvalid_i;
      if (~bvalid_q | bready_i) begin
        bvalid_q <= bnext_q | write_done;
        berror_q <= bnext_q ? bnext_error_q : write_done ? refused : berror_q;
      end
      if (~rvalid_q | rready_i) begin
        rvalid_q <= rnext_q | read_done;
        rerror_q <= rnext_q ? rnext_error_q : read_done ? refused : rerror_q;
      end
      if (do_write | do_read) read_was_last_q <= do_read;
    end
  end
  always_ff @(posedge clk_i) begin
    if (awready_o) awaddr_q <= awaddr_i[AddrW-1:2];
    if (wready_o) {wdata_q, wstrb_q} <= {wdata_i, wstrb_i};
    if (arready_o) araddr_q <= araddr_i[AddrW-1:2];
  end

  assign awready_o = ~aw_held_q | do_write;
  assign wready_o = ~w_held_q | do_write;
  assign arready_o = ~ar_held_q | do_read;
  assign bvalid_o = bvalid_q;
  assign bresp_o = berror_q ? SlvErr : Okay;
  assign rvalid_o = rvalid_q;
  assign rresp_o = rerror_q ? SlvErr : Okay;
  assign rdata_o = rerror_q ? '0 : rnext_q ? rkept_q : data_i;

  // ---- the request ----------------------------------------------------------------------------------------------------
  logic [AddrW-1:2] at;
  logic [3:0] strobes;
  if (Latency == 0) begin : g_at_once
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        {bnext_q, rnext_q, bnext_error_q, rnext_error_q} <= '0;
        rkept_q <= '0;
      end else begin
        bnext_q <= bvalid_q & ~bready_i & (bnext_q | write_done);
        rnext_q <= rvalid_q & ~rready_i & (rnext_q | read_done);
        if (write_done) bnext_error_q <= refused;
        if (read_done) rnext_error_q <= refused;
        if (read_done & rvalid_q & ~rready_i) rkept_q <= rdata_o;
      end
    end
    assign {b_full, r_full} = {bnext_q, rnext_q};
    assign busy = 1'b0;
    assign {write_done, read_done, refused} = {do_write, do_read, error_i};
    assign {req_o, write_o} = {do_write | do_read, do_write};
    assign {at, data_o, strobes} = {do_write ? awaddr_q : araddr_q, wdata_q, wstrb_q};
  end else begin : g_later
    // One bit for each edge since the request was chosen; it goes out at the second, so that what it is can be looked at before.
    logic [Latency+1:0] age_q;
    logic write_q, error_q;
    logic [AddrW-1:2] at_q;
    logic [31:0] data_q;
    logic [3:0] strobes_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) age_q <= '0;
      else age_q <= {age_q[Latency:0], do_write | do_read};
    end
    always_ff @(posedge clk_i) begin
      if (do_write | do_read) begin
        write_q <= do_write;
        at_q <= do_write ? awaddr_q : araddr_q;
        data_q <= wdata_q;
        strobes_q <= wstrb_q;
      end
      if (age_q[1]) error_q <= error_i;
    end
    assign {bnext_q, rnext_q, bnext_error_q, rnext_error_q} = '0;
    assign rkept_q = '0;
    assign {b_full, r_full} = {bvalid_q, rvalid_q};
    assign busy = |age_q;
    assign write_done = age_q[Latency+1] & write_q;
    assign read_done = age_q[Latency+1] & ~write_q;
    assign refused = error_q;
    assign {req_o, write_o} = {age_q[1], write_q};
    assign {at, data_o, strobes} = {at_q, data_q, strobes_q};
  end
  assign addr_o = {at, 2'b00};
  always_comb for (int b = 0; b < 4; b++) biten_o[8*b+:8] = {8{strobes[b]}};

  // Accesses are 32 bits wide: the lowest two address bits select bytes that the strobes name as well.
  logic unused;
  assign unused = &{1'b0, awaddr_i[1:0], araddr_i[1:0]};
endmodule
