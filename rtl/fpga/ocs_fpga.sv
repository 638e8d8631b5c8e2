// The switch on an FPGA: one clock, one cycle an edge, in stages; registers behind a serial line.
//
// SPDX-License-Identifier: Apache-2.0
module ocs_fpga #(
    /// Ports, 2 to 256.
    parameter int unsigned N = 8,
    /// Entries of a sequencer bank, a power of two, 2 to 32768.
    parameter int unsigned S = 16,
    /// Records of the event FIFO, a power of two, 2 to 4096.
    parameter int unsigned FifoDepth = 64,
    /// Options that are there, bits as in CAP_OPTIONS, 0 to 4095; what belongs to another one refuses writes. SERIAL is
    /// left out: its sum goes from output to output within a cycle, which simulators don't mind and a clock does. So is
    /// RECEIVER: it remembers a stamp for each pair of output and input. NEIGHBOURS, POSITIONS and POWER, of which each takes
    /// timers or counters an output, are left out, too: bits 0 to 6 are there.
    parameter int unsigned Options = (1 << ocs_pkg::OptSerial) - 1,
    /// Picoseconds of a clock cycle, 1 to 2^31 - 1, shown in CYCLE_PS.
    parameter int unsigned CyclePs = 20000,
    /// Bytes of a word, 1 to 65535, shown in CAP_WORD.
    parameter int unsigned WordBytes = 64,
    /// Clock cycles of a bit of the serial line, 4 to 65535.
    parameter int unsigned Divisor = 434,
    /// Clock cycles after which an unfinished transaction is dropped, 1 to 2^31 - 1.
    parameter int unsigned Patience = 5_000_000
) (
    input  logic         clk_i,    ///< the only clock
    input  logic         rst_ni,   ///< push button, active low, of any timing
    input  logic         rx_i,     ///< serial line in
    output logic         tx_o,     ///< serial line out
    output logic         irq_o,    ///< an enabled interrupt source is active
    input  logic [N-1:0] valid_i   ///< pins of EXTERNAL inputs: a word is there, levels of any timing
);
  if (N < 2 || N > 256) begin : g_ports_in_range
    $error("ocs_fpga: N must be from 2 to 256");
  end
  if (Options > ocs_pkg::AllOptions) begin : g_options_in_range
    $error("ocs_fpga: Options must be from 0 to 4095");
  end
  if (S < 2 || S > 32768 || (S & (S - 1)) != 0) begin : g_entries_in_range
    $error("ocs_fpga: S must be a power of two from 2 to 32768");
  end
  if (FifoDepth < 2 || FifoDepth > 4096 || (FifoDepth & (FifoDepth - 1)) != 0) begin : g_depth_in_range
    $error("ocs_fpga: FifoDepth must be a power of two from 2 to 4096");
  end
  if (CyclePs < 1 || CyclePs > 32'h7fff_ffff) begin : g_cycle_in_range
    $error("ocs_fpga: CyclePs must be from 1 to 2^31 - 1");
  end
  if (WordBytes < 1 || WordBytes > 65535) begin : g_word_in_range
    $error("ocs_fpga: WordBytes must be from 1 to 65535");
  end
  if (Divisor < 4 || Divisor > 65535) begin : g_divisor_in_range
    $error("ocs_fpga: Divisor must be from 4 to 65535");
  end
  if (Patience < 1 || Patience > 32'h7fff_ffff) begin : g_patience_in_range
    $error("ocs_fpga: Patience must be from 1 to 2^31 - 1");
  end

  logic rst_n, rx;
  logic [N-1:0] valid;
  ocs_sync #(.Width(1), .Reset(0)) u_sync_reset (.clk_i, .d_i(rst_ni), .q_o(rst_n));
  ocs_sync #(.Width(1), .Reset(1)) u_sync_rx (.clk_i, .d_i(rx_i), .q_o(rx));
  ocs_sync #(.Width(N), .Reset(0)) u_sync_valid (.clk_i, .d_i(valid_i), .q_o(valid));

  logic rx_valid, tx_valid, tx_ready;
  logic [7:0] rx_data, tx_data;
  ocs_uart #(.Divisor(Divisor)) u_uart (
      .clk_i, .rst_ni(rst_n), .rx_i(rx), .tx_o,
      .valid_o(rx_valid), .data_o(rx_data), .valid_i(tx_valid), .ready_o(tx_ready), .data_i(tx_data)
  );

  logic awvalid, awready, wvalid, wready, bvalid, bready, arvalid, arready, rvalid, rready;
  logic [19:0] awaddr, araddr;
  logic [31:0] wdata, rdata;
  logic [3:0] wstrb;
  ocs_uartbone #(.Patience(Patience)) u_bridge (
      .clk_i, .rst_ni(rst_n),
      .rx_valid_i(rx_valid), .rx_data_i(rx_data), .tx_valid_o(tx_valid), .tx_ready_i(tx_ready), .tx_data_o(tx_data),
      .awvalid_o(awvalid), .awready_i(awready), .awaddr_o(awaddr), .wvalid_o(wvalid), .wready_i(wready), .wdata_o(wdata),
      .wstrb_o(wstrb), .bvalid_i(bvalid), .bready_o(bready),
      .arvalid_o(arvalid), .arready_i(arready), .araddr_o(araddr), .rvalid_i(rvalid), .rready_o(rready), .rdata_i(rdata)
  );

  logic irq;
  logic [31:0] horizon;
  logic [63:0] cycle;
  logic [1:0] bresp, rresp;
  logic [3:0] lag;
  ocs_skew_top #(.N(N), .S(S), .FifoDepth(FifoDepth), .Options(Options)) u_switch (
      .clk_i, .rst_ni(rst_n), .step_i(32'd1), .horizon_o(horizon), .lag_o(lag), .time_o(cycle), .irq_o(irq),
      .valid_i(valid), .word_bytes_i(16'(WordBytes)), .cycle_ps_i(32'(CyclePs)),
      .awvalid_i(awvalid), .awready_o(awready), .awaddr_i(awaddr), .wvalid_i(wvalid), .wready_o(wready),
      .wdata_i(wdata), .wstrb_i(wstrb), .bvalid_o(bvalid), .bready_i(bready), .bresp_o(bresp),
      .arvalid_i(arvalid), .arready_o(arready), .araddr_i(araddr), .rvalid_o(rvalid), .rready_i(rready),
      .rdata_o(rdata), .rresp_o(rresp)
  );
  always_ff @(posedge clk_i) irq_o <= irq;

  logic unused;
  assign unused = &{1'b0, horizon, lag, cycle, bresp, rresp};
endmodule
