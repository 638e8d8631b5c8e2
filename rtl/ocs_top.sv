// The switch: registers and fabric core, behind AXI4-Lite and an interrupt line.
//
// On an FPGA `clk_i` and `bus_clk_i` are one net and `step_i` is the constant 1. A simulator that warps time gives each
// edge of `clk_i` a `step_i` of at most `horizon_o`, and moves `bus_clk_i` only while the bus is in use, always together
// with `clk_i` and with `step_i` = 0: a bus edge (docs/switch-contract.md, section 1).
//
// SPDX-License-Identifier: Apache-2.0
module ocs_top #(
    /// Ports, 2 to 256.
    parameter int unsigned N = 16,
    /// Entries of a sequencer bank, a power of two, 2 to 32768.
    parameter int unsigned S = 16,
    /// Records of the event FIFO, a power of two, 2 to 4096.
    parameter int unsigned FifoDepth = 64,
    /// Options that are there, bits as in CAP_OPTIONS, 0 to 4095; what belongs to another one refuses writes.
    parameter int unsigned Options = ocs_pkg::AllOptions,
    localparam int unsigned InW = $clog2(N)
) (
    input  logic         clk_i,      ///< clock, rising edge
    input  logic         bus_clk_i,  ///< clock of the bus: the same net as clk_i, or edges of accesses alone
    /// Synchronous reset, active low, for at least one edge of both clocks.
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
  import ocs_pkg::*;

  if (N < 2 || N > 256) begin : g_ports_in_range
    $error("ocs_top: N must be from 2 to 256");
  end
  if (Options > AllOptions) begin : g_options_in_range
    $error("ocs_top: Options must be from 0 to 4095");
  end
  if (S < 2 || S > 32768 || (S & (S - 1)) != 0) begin : g_entries_in_range
    $error("ocs_top: S must be a power of two from 2 to 32768");
  end
  if (FifoDepth < 2 || FifoDepth > 4096 || (FifoDepth & (FifoDepth - 1)) != 0) begin : g_depth_in_range
    $error("ocs_top: FifoDepth must be a power of two from 2 to 4096");
  end

  axil_req_t axil_req;
  axil_rsp_t axil_rsp;
  assign axil_req = {awvalid_i, awaddr_i, wvalid_i, wdata_i, wstrb_i, bready_i, arvalid_i, araddr_i, rready_i};
  assign {awready_o, wready_o, bvalid_o, bresp_o, arready_o, rvalid_o, rdata_o, rresp_o} = axil_rsp;

  access_t access;
  cmd_t cmd;
  modes_t modes;
  logic [N-1:0] ports, shadow_valid, launch, valid_next;
  logic [8:0] shadow_input[N];
  port_cfg_t port_cfg[N];
  burst_cfg_t burst_cfg[N];
  logic [63:0] seq_base;
  quantile_t quantile[Quantiles];
  logic pair_lookup;
  logic [29:0] pair[N];
  logic [InW-1:0] input_next[N];
  device_view_t device_view;
  port_view_t port_view[N];
  port_counters_t port_counters[N];

  ocs_registers #(.N(N), .S(S), .FifoDepth(FifoDepth), .Options(Options)) u_registers (
      .clk_i(bus_clk_i), .rst_ni, .word_bytes_i, .cycle_ps_i, .axil_req_i(axil_req), .axil_rsp_o(axil_rsp),
      .access_o(access), .cmd_o(cmd), .ports_o(ports), .modes_o(modes), .shadow_valid_o(shadow_valid),
      .shadow_input_o(shadow_input), .port_cfg_o(port_cfg), .burst_cfg_o(burst_cfg), .launch_o(launch), .seq_base_o(seq_base),
      .quantile_o(quantile), .pair_lookup_i(pair_lookup), .pair_o(pair), .valid_next_i(valid_next),
      .input_next_i(input_next), .device_view_i(device_view), .port_view_i(port_view), .port_counters_i(port_counters)
  );

  ocs_core #(
      .N(N), .S(S), .FifoDepth(FifoDepth), .Receivers(32'(Options[OptReceiver])),
      .Neighbours(32'(Options[OptNeighbours])), .Positions(32'(Options[OptPositions])), .Power(32'(Options[OptPower]))
  ) u_core (
      .clk_i, .rst_ni(rst_ni & ~access.soft_reset), .step_i, .horizon_o, .irq_o, .valid_i,
      .cmd_i(cmd), .ports_i(ports), .data_i(access.data), .biten_i(access.biten), .access_error_i(access.error),
      .modes_i(modes), .shadow_valid_i(shadow_valid), .shadow_input_i(shadow_input), .port_cfg_i(port_cfg),
      .burst_cfg_i(burst_cfg), .launch_i(launch), .seq_base_i(seq_base), .quantile_i(quantile), .pair_i(pair),
      .pair_lookup_o(pair_lookup), .valid_next_o(valid_next), .input_next_o(input_next), .device_view_o(device_view),
      .port_view_o(port_view), .port_counters_o(port_counters)
  );
  assign time_o = device_view.cycle;

  logic unused;
  assign unused = &{1'b0, access};
endmodule
