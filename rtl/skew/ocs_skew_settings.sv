// Settings of ports and of the sequencer entry to be stored: what ocs_settings does, each port by itself.
//
// SPDX-License-Identifier: Apache-2.0
module ocs_skew_settings
  import ocs_pkg::*;
  import ocs_addr_pkg::*;
#(
    /// Ports, 2 to 256.
    parameter int unsigned N   = 16,
    /// Options that are there, bits as in CAP_OPTIONS, 0 to 511; what belongs to another one ignores writes.
    parameter int unsigned Options = AllOptions,
    localparam int unsigned InW = $clog2(N)
) (
    input  logic           clk_i,   ///< clock, rising edge
    input  logic           rst_ni,  ///< synchronous reset, active low
    /// Accepted writes at this edge: to a register of which ports, to a device register.
    input  logic [N-1:0]   ports_write_i,
    input  logic [14:10]   port_addr_i,
    input  logic           core_write_i,
    input  logic [8:0]     core_addr_i,
    input  logic [31:0]    data_i,
    input  logic [31:0]    biten_i,
    /// SHADOW_LOAD, and the map that it copies: the active one after its edge.
    input  logic           load_i,
    input  logic [N-1:0]   load_valid_i,
    input  logic [InW-1:0] load_input_i[N],

    output logic [N-1:0]   shadow_valid_o,     ///< SHADOW[o].VALID
    output logic [8:0]     shadow_input_o[N],  ///< SHADOW[o].INPUT, any of 9 bits
    output logic [29:0]    base_o[N],          ///< BASE[o], cycles of T
    output logic [29:0]    slow_o[N],          ///< SLOW[o], cycles added to T
    output logic [29:0]    lock_o[N],          ///< LOCK[o], cycles of L
    output logic [29:0]    jitter_mask_o[N],   ///< JITTER_MASK[o], bits of the draw that count
    output logic [29:0]    flap_o[N],          ///< FLAP[o], cycles of UP; 0: none
    output logic [N-1:0]   los_o,              ///< LOS[i], loss of light
    output logic [N-1:0]   dead_o,             ///< DEAD[p], dead port
    output logic [N-1:0]   stuck_o,            ///< STUCK[o], stuck mirror
    output logic [31:0]    len_o[N],           ///< LEN[i], words of a burst
    output logic [31:0]    gap_o[N],           ///< GAP[i], cycles before it
    output logic [31:0]    repeat_o[N],        ///< REPEAT[i], further bursts
    output logic [15:0]    tag_o[N],           ///< TAG[i], name of the burst
    output logic [N-1:0]   gated_o,            ///< GATED[i], words wait for UP
    output logic [15:0]    rate_o[N],          ///< RATE[i], q of 40000; above acts as 40000
    output logic [N-1:0]   external_o,         ///< EXTERNAL[i], the pin gives the words
    output logic [N-1:0]   launch_o,           ///< SEQ_LAUNCH[i] of the entry to be stored
    output logic [63:0]    seq_base_o,         ///< SEQ_BASE, cycle of loop 0
    output logic [29:0]    lock_warm_o[Quantiles],  ///< LOCK_WARM, cycles of L of a warm pair
    output logic [29:0]    lock_cold_o[Quantiles]   ///< LOCK_COLD, cycles of L of any other
);
  if (N < 2 || N > 256) begin : g_ports_in_range
    $error("ocs_skew_settings: N must be from 2 to 256");
  end
  if (Options > AllOptions) begin : g_options_in_range
    $error("ocs_skew_settings: Options must be from 0 to 511");
  end

  // Fields that belong to options; those that aren't there are never written, so that synthesis sees constants.
  localparam bit Faults = Options[OptFaults];
  localparam bit Jitter = Options[OptJitter];
  localparam bit External = Options[OptExternal];
  localparam bit Rate = Options[OptRate];
  localparam bit Receiver = Options[OptReceiver];

  // ---- of ports ---------------------------------------------------------------------------------------------------------------
  for (genvar p = 0; p < N; p++) begin : g_port
    logic [31:0] shadow, base, slow, lock, jitter_mask, flap, faults, burst, source;
    assign shadow = merged({shadow_valid_o[p], 22'd0, shadow_input_o[p]}, data_i, biten_i);
    assign base = merged(32'(base_o[p]), data_i, biten_i);
    assign slow = merged(32'(slow_o[p]), data_i, biten_i);
    assign lock = merged(32'(lock_o[p]), data_i, biten_i);
    assign jitter_mask = merged(32'(jitter_mask_o[p]), data_i, biten_i);
    assign flap = merged(32'(flap_o[p]), data_i, biten_i);
    assign faults = merged({29'd0, stuck_o[p], dead_o[p], los_o[p]}, data_i, biten_i);
    assign burst = merged({15'd0, gated_o[p], tag_o[p]}, data_i, biten_i);
    assign source = merged({external_o[p], 15'd0, rate_o[p]}, data_i, biten_i);

    function automatic logic written(input logic [14:10] array);
      return ports_write_i[p] & port_addr_i == array;
    endfunction

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        {shadow_valid_o[p], los_o[p], dead_o[p], stuck_o[p], gated_o[p], external_o[p]} <= '0;
        shadow_input_o[p] <= '0;
        base_o[p] <= '0;
        slow_o[p] <= '0;
        lock_o[p] <= '0;
        jitter_mask_o[p] <= '0;
        flap_o[p] <= '0;
        len_o[p] <= '0;
        gap_o[p] <= '0;
        repeat_o[p] <= '0;
        tag_o[p] <= '0;
        rate_o[p] <= FullRate;
      end else begin
        if (load_i) begin
          shadow_valid_o[p] <= load_valid_i[p];
          shadow_input_o[p] <= load_valid_i[p] ? 9'(load_input_i[p]) : '0;
        end else if (written(PORT_SHADOW[14:10])) begin
          shadow_valid_o[p] <= shadow[31];
          shadow_input_o[p] <= shadow[31] ? shadow[8:0] : '0;
        end
        if (written(PORT_BASE[14:10])) base_o[p] <= base[29:0];
        if (Faults & written(PORT_SLOW[14:10])) slow_o[p] <= slow[29:0];
        if (written(PORT_LOCK[14:10])) lock_o[p] <= lock[29:0];
        if (Jitter & written(PORT_JITTER_MASK[14:10])) jitter_mask_o[p] <= jitter_mask[29:0];
        if (Faults & written(PORT_FLAP[14:10])) flap_o[p] <= flap[29:0];
        if (Faults & written(PORT_FAULT[14:10])) {stuck_o[p], dead_o[p], los_o[p]} <= faults[2:0];
        if (written(PORT_LEN[14:10])) len_o[p] <= merged(len_o[p], data_i, biten_i);
        if (written(PORT_GAP[14:10])) gap_o[p] <= merged(gap_o[p], data_i, biten_i);
        if (written(PORT_REPEAT[14:10])) repeat_o[p] <= merged(repeat_o[p], data_i, biten_i);
        if (written(PORT_BURST[14:10])) {gated_o[p], tag_o[p]} <= burst[16:0];
        if (External & written(PORT_SOURCE[14:10])) external_o[p] <= source[31];
        if (Rate & written(PORT_SOURCE[14:10])) rate_o[p] <= source[15:0];
      end
    end

    logic unused;
    assign unused = &{1'b0, shadow, base, slow, lock, jitter_mask, flap, faults, burst, source};
  end

  // ---- of the whole switch -----------------------------------------------------------------------------------------------------
  // SEQ_LAUNCH: which of its bits a write names, and their values, as if all words were one.
  localparam int unsigned MaskW = 32 * ((N + 31) / 32);
  logic [MaskW-1:0] named, given;
  assign named = MaskW'(biten_i) << {core_addr_i[4:2], 5'd0};
  assign given = MaskW'(data_i) << {core_addr_i[4:2], 5'd0};
  logic [3:0] point;  // of LOCK_WARM and LOCK_COLD: 16 words each
  assign point = core_addr_i[5:2];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      launch_o <= '0;
      seq_base_o <= '0;
      lock_warm_o <= '{default: '0};
      lock_cold_o <= '{default: '0};
    end else if (core_write_i) begin
      if (core_addr_i[8:5] == CORE_SEQ_LAUNCH[8:5])
        launch_o <= (launch_o & ~named[N-1:0]) | (given[N-1:0] & named[N-1:0]);
      if (Receiver & core_addr_i[8:6] == CORE_LOCK_WARM[8:6])
        lock_warm_o[point] <= 30'(merged(32'(lock_warm_o[point]), data_i, biten_i));
      if (Receiver & core_addr_i[8:6] == CORE_LOCK_COLD[8:6])
        lock_cold_o[point] <= 30'(merged(32'(lock_cold_o[point]), data_i, biten_i));
      if (core_addr_i == CORE_SEQ_BASE) seq_base_o[31:0] <= merged(seq_base_o[31:0], data_i, biten_i);
      if (core_addr_i == CORE_SEQ_BASE + 9'd4) seq_base_o[63:32] <= merged(seq_base_o[63:32], data_i, biten_i);
    end
  end

  logic unused;
  assign unused = &{1'b0, named, given};
endmodule
