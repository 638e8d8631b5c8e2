// Settings of ports and of the sequencer entry to be stored: everything software writes that isn't a command.
//
// SPDX-License-Identifier: Apache-2.0
module ocs_settings
  import ocs_pkg::*;
  import ocs_addr_pkg::*;
#(
    /// Ports, 2 to 256.
    parameter int unsigned N   = 16,
    /// Options that are there, bits as in CAP_OPTIONS, 0 to 4095; what belongs to another one ignores writes.
    parameter int unsigned Options = AllOptions,
    localparam int unsigned InW = $clog2(N)
) (
    input  logic           clk_i,   ///< clock, rising edge
    input  logic           rst_ni,  ///< synchronous reset, active low
    /// The access that completes at this edge.
    input  access_t        access_i,
    /// Map that SHADOW_LOAD copies: the active one after this edge.
    input  logic [N-1:0]   valid_next_i,
    input  logic [InW-1:0] input_next_i[N],

    output logic [N-1:0]   shadow_valid_o,     ///< SHADOW[o].VALID
    output logic [8:0]     shadow_input_o[N],  ///< SHADOW[o].INPUT, any of 9 bits
    output port_cfg_t      port_cfg_o[N],      ///< of each port: delays, faults
    output burst_cfg_t     burst_cfg_o[N],     ///< of each input's burst engine
    output logic [N-1:0]   launch_o,           ///< SEQ_LAUNCH[i] of the entry to be stored
    output logic [63:0]    seq_base_o,         ///< SEQ_BASE, cycle of loop 0
    output quantile_t      quantile_o[Quantiles]  ///< LOCK_WARM and LOCK_COLD
);
  if (N < 2 || N > 256) begin : g_ports_in_range
    $error("ocs_settings: N must be from 2 to 256");
  end
  if (Options > AllOptions) begin : g_options_in_range
    $error("ocs_settings: Options must be from 0 to 4095");
  end

  // The ports themselves are the registers: a copy would be one of whole arrays, at every edge of the bus.

  logic [4:0] array;
  logic [InW-1:0] at;
  logic shadow_load;
  assign array = access_i.port_addr[14:10];
  assign at = access_i.port[InW-1:0];
  assign shadow_load = access_i.core_write & access_i.core_addr == CORE_SHADOW_LOAD & access_i.data[0];

  // What SHADOW_LOAD leaves.
  logic [8:0] loaded[N];
  always_comb begin
    for (int unsigned p = 0; p < N; p++) loaded[p] = '0;
    if (shadow_load)
      for (int unsigned p = 0; p < N; p++) loaded[p] = valid_next_i[p] ? 9'(input_next_i[p]) : '0;
  end

  // SEQ_LAUNCH: which of its bits a write names, and their values, as if all words were one.
  localparam int unsigned MaskW = 32 * ((N + 31) / 32);
  logic [MaskW-1:0] named, given;
  assign named = MaskW'(access_i.biten) << {access_i.core_addr[4:2], 5'd0};
  assign given = MaskW'(access_i.data) << {access_i.core_addr[4:2], 5'd0};

  // Fields that belong to options; those that aren't there are never written, so that synthesis sees constants.
  localparam bit Faults = Options[OptFaults];
  localparam bit Jitter = Options[OptJitter];
  localparam bit External = Options[OptExternal];
  localparam bit Rate = Options[OptRate];
  localparam bit Receiver = Options[OptReceiver];
  localparam bit Positions = Options[OptPositions];
  localparam bit Power = Options[OptPower];

  // LOCK_WARM and LOCK_COLD: 16 words each.
  logic [3:0] point;
  assign point = access_i.core_addr[5:2];

  logic [31:0] faults, laser, loss, burst, source, block;
  logic [31:0] shadow;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {shadow_valid_o, launch_o} <= '0;
      seq_base_o <= '0;
      shadow_input_o <= '{default: '0};
      port_cfg_o <= '{default: '0};
      burst_cfg_o <= '{default: BurstReset};
      quantile_o <= '{default: '0};
    end else begin
      if (access_i.port_write) begin
        unique case (array)
          PORT_SHADOW[14:10]: begin
            shadow_valid_o[at] <= shadow[31];
            shadow_input_o[at] <= shadow[31] ? shadow[8:0] : '0;
          end
          PORT_BASE[14:10]: port_cfg_o[at].base <= 30'(merged(32'(port_cfg_o[at].base), access_i.data, access_i.biten));
          PORT_SLOW[14:10]: if (Faults) port_cfg_o[at].slow <= 30'(merged(32'(port_cfg_o[at].slow), access_i.data, access_i.biten));
          PORT_LOCK[14:10]: port_cfg_o[at].lock <= 30'(merged(32'(port_cfg_o[at].lock), access_i.data, access_i.biten));
          PORT_JITTER_MASK[14:10]: if (Jitter) port_cfg_o[at].jitter_mask <= 30'(merged(32'(port_cfg_o[at].jitter_mask), access_i.data, access_i.biten));
          PORT_FLAP[14:10]: if (Faults) port_cfg_o[at].flap <= 30'(merged(32'(port_cfg_o[at].flap), access_i.data, access_i.biten));
          PORT_FAULT[14:10]: begin
            if (Faults) {port_cfg_o[at].stuck, port_cfg_o[at].dead, port_cfg_o[at].los} <= faults[2:0];
            if (Positions) port_cfg_o[at].keeps <= faults[3];
          end
          PORT_LEN[14:10]: burst_cfg_o[at].len <= merged(burst_cfg_o[at].len, access_i.data, access_i.biten);
          PORT_GAP[14:10]: burst_cfg_o[at].gap <= merged(burst_cfg_o[at].gap, access_i.data, access_i.biten);
          PORT_REPEAT[14:10]: burst_cfg_o[at].repeats <= merged(burst_cfg_o[at].repeats, access_i.data, access_i.biten);
          PORT_BURST[14:10]: {burst_cfg_o[at].gated, burst_cfg_o[at].tag} <= burst[16:0];
          PORT_SOURCE[14:10]: begin
            if (External) burst_cfg_o[at].external <= source[31];
            if (Rate) burst_cfg_o[at].rate <= source[15:0];
          end
          default: ;
        endcase
      end
      if (Power & access_i.optics_write) begin
        if (access_i.port_addr[12:10] == OPTICS_LASER[12:10]) port_cfg_o[at].laser <= laser[15:0];
        if (access_i.port_addr[12:10] == OPTICS_LOSS[12:10]) port_cfg_o[at].loss <= loss[15:0];
      end
      for (int unsigned k = 1; k <= 2; k++)
        if (access_i.block & 32'(access_i.port) + k < N)
          {shadow_valid_o[at+InW'(k)], shadow_input_o[at+InW'(k)]} <= entry_behind(block[28:9], k);
      if (shadow_load) begin
        shadow_valid_o <= valid_next_i;
        shadow_input_o <= loaded;
      end
      if (access_i.core_write & access_i.core_addr[8:5] == CORE_SEQ_LAUNCH[8:5]) begin
        launch_o <= (launch_o & ~named[N-1:0]) | (given[N-1:0] & named[N-1:0]);
      end
      if (Receiver & access_i.core_write & access_i.core_addr[8:6] == CORE_LOCK_WARM[8:6])
        quantile_o[point].warm <= 30'(merged(32'(quantile_o[point].warm), access_i.data, access_i.biten));
      if (Receiver & access_i.core_write & access_i.core_addr[8:6] == CORE_LOCK_COLD[8:6])
        quantile_o[point].cold <= 30'(merged(32'(quantile_o[point].cold), access_i.data, access_i.biten));
      if (access_i.core_write & access_i.core_addr == CORE_SEQ_BASE) seq_base_o[31:0] <= merged(seq_base_o[31:0], access_i.data, access_i.biten);
      if (access_i.core_write & access_i.core_addr == CORE_SEQ_BASE + 9'd4)
        seq_base_o[63:32] <= merged(seq_base_o[63:32], access_i.data, access_i.biten);
    end
  end

  // Registers of several fields, after the write.
  assign block = access_i.data & access_i.biten;
  assign shadow = merged({shadow_valid_o[at], 22'd0, shadow_input_o[at]}, access_i.data, access_i.biten);
  assign faults = merged({28'd0, port_cfg_o[at].keeps, port_cfg_o[at].stuck, port_cfg_o[at].dead, port_cfg_o[at].los}, access_i.data, access_i.biten);
  assign laser = merged({16'd0, port_cfg_o[at].laser}, access_i.data, access_i.biten);
  assign loss = merged({16'd0, port_cfg_o[at].loss}, access_i.data, access_i.biten);
  assign burst = merged({15'd0, burst_cfg_o[at].gated, burst_cfg_o[at].tag}, access_i.data, access_i.biten);
  assign source = merged({burst_cfg_o[at].external, 15'd0, burst_cfg_o[at].rate}, access_i.data, access_i.biten);

  logic unused;
  assign unused = &{1'b0, access_i, block, faults, laser, loss, burst, source, shadow, named, given};
endmodule
