// The switch with the fast core: the registers and ports of ocs_top, cycle by cycle.
//
// SPDX-License-Identifier: Apache-2.0
module ocs_fast_top
  import ocs_pkg::*;
#(
    /// Ports, 2 to 256.
    parameter int unsigned N = 16,
    /// Entries of a sequencer bank, a power of two, 2 to 32768.
    parameter int unsigned S = 16,
    /// Records of the event FIFO, a power of two, 2 to 4096.
    parameter int unsigned FifoDepth = 64,
    /// Lanes of 64 bits, 1 to 64, of a word that really crosses; 0: words are counted only.
    parameter int unsigned Lanes = 0,
    /// Options that are there, bits as in CAP_OPTIONS, 0 to 4095; what belongs to another one refuses writes.
    parameter int unsigned Options = AllOptions,
    localparam int unsigned L = Lanes == 0 ? 1 : Lanes,
    localparam int unsigned InW = $clog2(N)
) (
    input  logic         clk_i,      ///< clock, rising edge
    input  logic         bus_clk_i,  ///< clock of the bus: the same net as clk_i, or edges of accesses alone
    /// Synchronous reset, active low, for at least two edges of both clocks.
    input  logic         rst_ni,
    /// Cycles that the next edge stands for; 0 on a bus edge; 1 on an FPGA.
    input  logic [31:0]  step_i,
    /// How far the next edge may jump, at least 1.
    output logic [31:0]  horizon_o,
    /// Number of the present cycle.
    output logic [63:0]  time_o,
    /// An enabled interrupt source is active.
    output logic         irq_o,
    /// Pins of EXTERNAL inputs: a word is there.
    input  logic [N-1:0] valid_i,
    /// Data path (Lanes > 0), as at ocs_fast_core: words that are offered, their data, where they go, words that leave.
    output logic [N-1:0]     offer_o,
    output logic [31:0]      index_o[N],
    output logic [15:0]      tag_o[N],
    input  logic [63:0]      word_i[N][L],
    output logic [N-1:0]     up_o,
    output logic [InW-1:0]   input_o[N],
    output logic [N-1:0]     word_valid_o,
    output logic [63:0]      word_o[N][L],
    /// Constants: bytes of a word, picoseconds of a cycle; shown in CAP_WORD and CYCLE_PS.
    input  logic [15:0]  word_bytes_i,
    input  logic [31:0]  cycle_ps_i,

    // ---- AXI4-Lite, clocked by bus_clk_i ----
    input  logic         awvalid_i,  ///< AW: address offered
    output logic         awready_o,  ///< AW: accepted
    input  logic [19:0]  awaddr_i,   ///< AW: byte address; the lowest two bits are ignored
    input  logic         wvalid_i,   ///< W: data offered
    output logic         wready_o,   ///< W: accepted
    input  logic [31:0]  wdata_i,    ///< W: data
    input  logic [3:0]   wstrb_i,    ///< W: bytes to be written
    output logic         bvalid_o,   ///< B: answer offered
    input  logic         bready_i,   ///< B: accepted
    output logic [1:0]   bresp_o,    ///< B: OKAY or SLVERR
    input  logic         arvalid_i,  ///< AR: address offered
    output logic         arready_o,  ///< AR: accepted
    input  logic [19:0]  araddr_i,   ///< AR: byte address; the lowest two bits are ignored
    output logic         rvalid_o,   ///< R: answer offered
    input  logic         rready_i,   ///< R: accepted
    output logic [31:0]  rdata_o,    ///< R: data; 0 with SLVERR
    output logic [1:0]   rresp_o     ///< R: OKAY or SLVERR
);
  if (N < 2 || N > 256) begin : g_ports_in_range
    $error("ocs_fast_top: N must be from 2 to 256");
  end
  if (Options > AllOptions) begin : g_options_in_range
    $error("ocs_fast_top: Options must be from 0 to 4095");
  end
  if (S < 2 || S > 32768 || (S & (S - 1)) != 0) begin : g_entries_in_range
    $error("ocs_fast_top: S must be a power of two from 2 to 32768");
  end
  if (FifoDepth < 2 || FifoDepth > 4096 || (FifoDepth & (FifoDepth - 1)) != 0) begin : g_depth_in_range
    $error("ocs_fast_top: FifoDepth must be a power of two from 2 to 4096");
  end
  if (Lanes > 64) begin : g_lanes_in_range
    $error("ocs_fast_top: Lanes must be from 0 to 64");
  end

  // ---- requests -------------------------------------------------------------------------------------------------------------
  axil_req_t axil_req;
  axil_rsp_t axil_rsp;
  assign axil_req = {awvalid_i, awaddr_i, wvalid_i, wdata_i, wstrb_i, bready_i, arvalid_i, araddr_i, rready_i};
  assign {awready_o, wready_o, bvalid_o, bresp_o, arready_o, rvalid_o, rdata_o, rresp_o} = axil_rsp;

  access_t access;
  logic [N-1:0] ports;
  logic [31:0] core_data;
  modes_t modes;
  ocs_front #(.N(N), .S(S), .FifoDepth(FifoDepth), .Options(Options)) u_front (
      .clk_i(bus_clk_i), .rst_ni, .word_bytes_i, .cycle_ps_i, .axil_req_i(axil_req), .axil_rsp_o(axil_rsp),
      .access_o(access), .ports_o(ports), .data_i(core_data), .modes_o(modes)
  );

  // ---- fabric -----------------------------------------------------------------------------------------------------------------------
  ocs_fast_core #(
      .N(N), .S(S), .FifoDepth(FifoDepth), .Lanes(Lanes), .Options(Options)
  ) u_core (
      .clk_i, .rst_ni(rst_ni & ~access.soft_reset), .step_i, .horizon_o, .irq_o, .time_o, .valid_i,
      .offer_o, .index_o, .tag_o, .word_i, .up_o, .input_o, .word_valid_o, .word_o,
      .access_i(access), .ports_i(ports), .data_o(core_data), .modes_i(modes)
  );
endmodule
