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
    /// Options that are there, bits as in CAP_OPTIONS, 0 to 511; what belongs to another one refuses writes.
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
    $error("ocs_fast_top: Options must be from 0 to 511");
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
  logic request, soft_reset, access_error, core_write, core_read, port_write, port_read, pair_write, pair_read;
  logic [31:0] data, biten, core_data;
  logic [8:0] core_addr;
  logic [14:0] port_addr;
  logic [7:0] port_of, pair_output, pair_column;
  logic [N-1:0] ports;
  logic all_stop, multicast, receivers;
  logic [2:0] irq_enable;
  logic [31:0] seq_offset, seq_period;
  logic [15:0] seq_len;
  logic [29:0] prog, warm_time;
  logic [8:0] prog_lanes;
  ocs_front #(.N(N), .S(S), .FifoDepth(FifoDepth), .Options(Options)) u_front (
      .clk_i(bus_clk_i), .rst_ni, .word_bytes_i, .cycle_ps_i,
      .awvalid_i, .awready_o, .awaddr_i, .wvalid_i, .wready_o, .wdata_i, .wstrb_i, .bvalid_o, .bready_i, .bresp_o,
      .arvalid_i, .arready_o, .araddr_i, .rvalid_o, .rready_i, .rdata_o, .rresp_o,
      .request_o(request), .data_o(data), .biten_o(biten), .core_write_o(core_write), .core_read_o(core_read),
      .core_addr_o(core_addr), .port_write_o(port_write), .port_read_o(port_read), .port_addr_o(port_addr), .port_o(port_of),
      .pair_write_o(pair_write), .pair_read_o(pair_read), .pair_output_o(pair_output), .pair_column_o(pair_column),
      .access_error_o(access_error), .ports_o(ports), .soft_reset_o(soft_reset), .data_i(core_data),
      .all_stop_o(all_stop), .multicast_o(multicast), .irq_enable_o(irq_enable), .seq_offset_o(seq_offset),
      .seq_len_o(seq_len), .seq_period_o(seq_period), .prog_o(prog), .prog_lanes_o(prog_lanes), .receivers_o(receivers),
      .warm_time_o(warm_time)
  );

  // ---- fabric -----------------------------------------------------------------------------------------------------------------------
  ocs_fast_core #(
      .N(N), .S(S), .FifoDepth(FifoDepth), .Lanes(Lanes), .Options(Options)
  ) u_core (
      .clk_i, .rst_ni(rst_ni & ~soft_reset), .step_i, .horizon_o, .irq_o, .time_o, .valid_i,
      .offer_o, .index_o, .tag_o, .word_i, .up_o, .input_o, .word_valid_o, .word_o,
      .request_i(request), .data_i(data), .biten_i(biten), .core_write_i(core_write), .core_read_i(core_read),
      .core_addr_i(core_addr), .port_write_i(port_write), .port_read_i(port_read), .port_addr_i(port_addr),
      .port_i(port_of), .pair_write_i(pair_write & Options[OptPair]), .pair_read_i(pair_read), .pair_output_i(pair_output),
      .pair_column_i(pair_column), .access_error_i(access_error), .ports_i(ports), .data_o(core_data),
      .all_stop_i(all_stop), .multicast_i(multicast), .irq_enable_i(irq_enable), .prog_i(prog), .prog_lanes_i(prog_lanes),
      .receivers_i(receivers), .warm_time_i(warm_time), .seq_offset_i(seq_offset), .seq_len_i(seq_len),
      .seq_period_i(seq_period)
  );
endmodule
