// Register window: AXI4-Lite to the generated block and to the registers that are served by hand-written RTL.
//
// In simulation `clk_i` moves only while the bus does; on an FPGA it is the fabric's clock.
//
// SPDX-License-Identifier: Apache-2.0
module ocs_registers
  import ocs_pkg::*;
  import ocs_addr_pkg::*;
#(
    /// Ports, 2 to 256.
    parameter int unsigned N = 16,
    /// Entries of a sequencer bank, a power of two, 2 to 32768.
    parameter int unsigned S = 16,
    /// Records of the event FIFO, a power of two, 2 to 4096.
    parameter int unsigned FifoDepth = 64,
    /// Options that are there, bits as in CAP_OPTIONS, 0 to 4095; what belongs to another one ignores writes.
    parameter int unsigned Options = AllOptions,
    localparam int unsigned InW = $clog2(N)
) (
    input  logic         clk_i,   ///< clock, rising edge
    input  logic         rst_ni,  ///< synchronous reset, active low
    /// Shown in CAP_WORD and CYCLE_PS.
    input  logic [15:0]  word_bytes_i,
    input  logic [31:0]  cycle_ps_i,

    /// AXI4-Lite.
    input  axil_req_t    axil_req_i,
    output axil_rsp_t    axil_rsp_o,

    /// The access that completes at this edge, what it asks of the fabric, the ports of the mask that it writes.
    output access_t      access_o,
    output cmd_t         cmd_o,
    output logic [N-1:0] ports_o,

    // ---- settings ----
    output modes_t       modes_o,             ///< of the whole switch
    output logic [N-1:0] shadow_valid_o,      ///< SHADOW[o].VALID
    output logic [8:0]   shadow_input_o[N],   ///< SHADOW[o].INPUT, any of 9 bits
    output port_cfg_t    port_cfg_o[N],       ///< of each port: delays, faults
    output burst_cfg_t   burst_cfg_o[N],      ///< of each input's burst engine
    output logic [N-1:0] launch_o,            ///< SEQ_LAUNCH[i] of the entry to be stored
    output logic [63:0]  seq_base_o,          ///< SEQ_BASE, cycle of loop 0
    output quantile_t    quantile_o[Quantiles],  ///< LOCK_WARM and LOCK_COLD
    /// PAIR of each output and the input that it selects after this edge, if it is looked up.
    input  logic         pair_lookup_i,
    output logic [29:0]  pair_o[N],

    // ---- state ----
    input  logic [N-1:0]   valid_next_i,       ///< ACTIVE[o].VALID after this edge
    input  logic [InW-1:0] input_next_i[N],    ///< ACTIVE[o].INPUT after this edge
    input  device_view_t   device_view_i,      ///< of the fabric as a whole
    input  port_view_t     port_view_i[N],     ///< of each port
    input  port_counters_t port_counters_i[N]  ///< its counters
);
  if (N < 2 || N > 256) begin : g_ports_in_range
    $error("ocs_registers: N must be from 2 to 256");
  end
  if (Options > AllOptions) begin : g_options_in_range
    $error("ocs_registers: Options must be from 0 to 4095");
  end
  if (S < 2 || S > 32768 || (S & (S - 1)) != 0) begin : g_entries_in_range
    $error("ocs_registers: S must be a power of two from 2 to 32768");
  end
  if (FifoDepth < 2 || FifoDepth > 4096 || (FifoDepth & (FifoDepth - 1)) != 0) begin : g_depth_in_range
    $error("ocs_registers: FifoDepth must be a power of two from 2 to 4096");
  end

  logic [31:0] read_data;
  ocs_front #(.N(N), .S(S), .FifoDepth(FifoDepth), .Options(Options)) u_front (
      .clk_i, .rst_ni, .word_bytes_i, .cycle_ps_i, .axil_req_i, .axil_rsp_o, .access_o, .ports_o, .data_i(read_data), .modes_o
  );

  ocs_strobes u_strobes (.access_i(access_o), .cmd_o);

  ocs_settings #(.N(N), .Options(Options)) u_settings (
      .clk_i, .rst_ni(rst_ni & ~access_o.soft_reset), .access_i(access_o), .valid_next_i, .input_next_i,
      .shadow_valid_o, .shadow_input_o, .port_cfg_o, .burst_cfg_o, .launch_o, .seq_base_o, .quantile_o
  );

  logic [29:0] pair_read_data;
  if (Options[OptPair]) begin : g_pair
    ocs_pair #(.N(N)) u_pair (
        .clk_i, .write_i(access_o.pair_write), .output_i(access_o.pair_output), .column_i(access_o.pair_column),
        .data_i(access_o.data), .biten_i(access_o.biten), .read_o(pair_read_data), .lookup_i(pair_lookup_i), .input_i(input_next_i), .pair_o
    );
  end else begin : g_no_pair
    logic unused_pair;
    assign unused_pair = &{1'b0, pair_lookup_i};
    assign pair_read_data = '0;
    always_comb for (int unsigned k = 0; k < N; k++) pair_o[k] = '0;
  end

  ocs_reg_read #(.N(N)) u_read (
      .clk_i, .rst_ni, .access_i(access_o), .pair_i(pair_read_data), .data_o(read_data),
      .shadow_valid_i(shadow_valid_o), .shadow_input_i(shadow_input_o), .port_cfg_i(port_cfg_o), .burst_cfg_i(burst_cfg_o),
      .launch_i(launch_o), .seq_base_i(seq_base_o), .quantile_i(quantile_o), .device_view_i, .port_view_i, .port_counters_i
  );
endmodule
