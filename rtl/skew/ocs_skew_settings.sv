// Settings of ports and of the sequencer entry to be stored: what ocs_settings does, each port by itself.
//
// SPDX-License-Identifier: Apache-2.0
module ocs_skew_settings
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
    /// The access that completes at this edge; if it writes a port register, a bit for each port: whose.
    input  access_t        access_i,
    input  logic [N-1:0]   ports_write_i,
    /// SHADOW_LOAD, and the map that it copies: the active one after its edge.
    input  logic           load_i,
    input  logic [N-1:0]   load_valid_i,
    input  logic [InW-1:0] load_input_i[N],

    output logic [N-1:0]   shadow_valid_o,     ///< SHADOW[o].VALID
    output logic [8:0]     shadow_input_o[N],  ///< SHADOW[o].INPUT, any of 9 bits
    output port_cfg_t      port_cfg_o[N],      ///< of each port: delays, faults
    output burst_cfg_t     burst_cfg_o[N],     ///< of each input's burst engine
    output logic [N-1:0]   launch_o,           ///< SEQ_LAUNCH[i] of the entry to be stored
    output logic [63:0]    seq_base_o,         ///< SEQ_BASE, cycle of loop 0
    output quantile_t      quantile_o[Quantiles]  ///< LOCK_WARM and LOCK_COLD
);
  if (N < 2 || N > 256) begin : g_ports_in_range
    $error("ocs_skew_settings: N must be from 2 to 256");
  end
  if (Options > AllOptions) begin : g_options_in_range
    $error("ocs_skew_settings: Options must be from 0 to 4095");
  end

  // Fields that belong to options; those that aren't there are never written, so that synthesis sees constants.
  localparam bit Faults = Options[OptFaults];
  localparam bit Jitter = Options[OptJitter];
  localparam bit External = Options[OptExternal];
  localparam bit Rate = Options[OptRate];
  localparam bit Receiver = Options[OptReceiver];
  localparam bit Positions = Options[OptPositions];
  localparam bit Power = Options[OptPower];

  logic [31:0] block;
  assign block = access_i.data & access_i.biten;

  // ---- of ports ---------------------------------------------------------------------------------------------------------------
  for (genvar p = 0; p < N; p++) begin : g_port
    logic [1:0] behind;  // a block that begins one or two outputs before this one
    assign behind = {p > 1 ? access_i.block & ports_write_i[p > 1 ? p - 2 : 0] : 1'b0,
                     p > 0 ? access_i.block & ports_write_i[p > 0 ? p - 1 : 0] : 1'b0};
    logic [31:0] shadow, base, slow, lock, jitter_mask, flap, faults, laser, loss, burst, source;
    assign shadow = merged({shadow_valid_o[p], 22'd0, shadow_input_o[p]}, access_i.data, access_i.biten);
    assign base = merged(32'(port_cfg_o[p].base), access_i.data, access_i.biten);
    assign slow = merged(32'(port_cfg_o[p].slow), access_i.data, access_i.biten);
    assign lock = merged(32'(port_cfg_o[p].lock), access_i.data, access_i.biten);
    assign jitter_mask = merged(32'(port_cfg_o[p].jitter_mask), access_i.data, access_i.biten);
    assign flap = merged(32'(port_cfg_o[p].flap), access_i.data, access_i.biten);
    assign faults = merged({28'd0, port_cfg_o[p].keeps, port_cfg_o[p].stuck, port_cfg_o[p].dead, port_cfg_o[p].los}, access_i.data, access_i.biten);
    assign laser = merged({16'd0, port_cfg_o[p].laser}, access_i.data, access_i.biten);
    assign loss = merged({16'd0, port_cfg_o[p].loss}, access_i.data, access_i.biten);
    assign burst = merged({15'd0, burst_cfg_o[p].gated, burst_cfg_o[p].tag}, access_i.data, access_i.biten);
    assign source = merged({burst_cfg_o[p].external, 15'd0, burst_cfg_o[p].rate}, access_i.data, access_i.biten);

    function automatic logic written(input logic [14:10] array);
      return ports_write_i[p] & ~access_i.optics_write & access_i.port_addr[14:10] == array;
    endfunction
    function automatic logic optics_written(input logic [12:10] array);
      return ports_write_i[p] & access_i.optics_write & access_i.port_addr[12:10] == array;
    endfunction

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        shadow_valid_o[p] <= 1'b0;
        shadow_input_o[p] <= '0;
        port_cfg_o[p] <= '0;
        burst_cfg_o[p] <= BurstReset;
      end else begin
        if (load_i) begin
          shadow_valid_o[p] <= load_valid_i[p];
          shadow_input_o[p] <= load_valid_i[p] ? 9'(load_input_i[p]) : '0;
        end else if (written(PORT_SHADOW[14:10])) begin
          shadow_valid_o[p] <= shadow[31];
          shadow_input_o[p] <= shadow[31] ? shadow[8:0] : '0;
        end else if (behind != '0) begin
          {shadow_valid_o[p], shadow_input_o[p]} <= entry_behind(block[28:9], behind[0] ? 1 : 2);
        end
        if (written(PORT_BASE[14:10])) port_cfg_o[p].base <= base[29:0];
        if (Faults & written(PORT_SLOW[14:10])) port_cfg_o[p].slow <= slow[29:0];
        if (written(PORT_LOCK[14:10])) port_cfg_o[p].lock <= lock[29:0];
        if (Jitter & written(PORT_JITTER_MASK[14:10])) port_cfg_o[p].jitter_mask <= jitter_mask[29:0];
        if (Faults & written(PORT_FLAP[14:10])) port_cfg_o[p].flap <= flap[29:0];
        if (Faults & written(PORT_FAULT[14:10])) {port_cfg_o[p].stuck, port_cfg_o[p].dead, port_cfg_o[p].los} <= faults[2:0];
        if (Positions & written(PORT_FAULT[14:10])) port_cfg_o[p].keeps <= faults[3];
        if (Power & optics_written(OPTICS_LASER[12:10])) port_cfg_o[p].laser <= laser[15:0];
        if (Power & optics_written(OPTICS_LOSS[12:10])) port_cfg_o[p].loss <= loss[15:0];
        if (written(PORT_LEN[14:10])) burst_cfg_o[p].len <= merged(burst_cfg_o[p].len, access_i.data, access_i.biten);
        if (written(PORT_GAP[14:10])) burst_cfg_o[p].gap <= merged(burst_cfg_o[p].gap, access_i.data, access_i.biten);
        if (written(PORT_REPEAT[14:10])) burst_cfg_o[p].repeats <= merged(burst_cfg_o[p].repeats, access_i.data, access_i.biten);
        if (written(PORT_BURST[14:10])) {burst_cfg_o[p].gated, burst_cfg_o[p].tag} <= burst[16:0];
        if (External & written(PORT_SOURCE[14:10])) burst_cfg_o[p].external <= source[31];
        if (Rate & written(PORT_SOURCE[14:10])) burst_cfg_o[p].rate <= source[15:0];
      end
    end

    logic unused;
    assign unused = &{1'b0, shadow, base, slow, lock, jitter_mask, flap, faults, laser, loss, burst, source};
  end

  // ---- of the whole switch -----------------------------------------------------------------------------------------------------
  // SEQ_LAUNCH: which of its bits a write names, and their values, as if all words were one.
  localparam int unsigned MaskW = 32 * ((N + 31) / 32);
  logic [MaskW-1:0] named, given;
  assign named = MaskW'(access_i.biten) << {access_i.core_addr[4:2], 5'd0};
  assign given = MaskW'(access_i.data) << {access_i.core_addr[4:2], 5'd0};
  logic [3:0] point;  // of LOCK_WARM and LOCK_COLD: 16 words each
  assign point = access_i.core_addr[5:2];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      launch_o <= '0;
      seq_base_o <= '0;
      quantile_o <= '{default: '0};
    end else if (access_i.core_write) begin
      if (access_i.core_addr[8:5] == CORE_SEQ_LAUNCH[8:5])
        launch_o <= (launch_o & ~named[N-1:0]) | (given[N-1:0] & named[N-1:0]);
      if (Receiver & access_i.core_addr[8:6] == CORE_LOCK_WARM[8:6])
        quantile_o[point].warm <= 30'(merged(32'(quantile_o[point].warm), access_i.data, access_i.biten));
      if (Receiver & access_i.core_addr[8:6] == CORE_LOCK_COLD[8:6])
        quantile_o[point].cold <= 30'(merged(32'(quantile_o[point].cold), access_i.data, access_i.biten));
      if (access_i.core_addr == CORE_SEQ_BASE) seq_base_o[31:0] <= merged(seq_base_o[31:0], access_i.data, access_i.biten);
      if (access_i.core_addr == CORE_SEQ_BASE + 9'd4) seq_base_o[63:32] <= merged(seq_base_o[63:32], access_i.data, access_i.biten);
    end
  end

  logic unused;
  assign unused = &{1'b0, named, given, block, access_i};
endmodule
