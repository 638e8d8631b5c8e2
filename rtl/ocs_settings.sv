// Settings of ports and of the sequencer entry to be stored: everything software writes that isn't a command.
//
// SPDX-License-Identifier: Apache-2.0
module ocs_settings
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
    /// Accepted writes at this edge: to a port register, to a device register.
    input  logic           port_write_i,
    input  logic [14:0]    port_addr_i,
    input  logic [7:0]     port_i,
    input  logic           core_write_i,
    input  logic [8:0]     core_addr_i,
    input  logic [31:0]    data_i,
    input  logic [31:0]    biten_i,
    /// Map that SHADOW_LOAD copies: the active one after this edge.
    input  logic [N-1:0]   valid_next_i,
    input  logic [InW-1:0] input_next_i[N],

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
    $error("ocs_settings: N must be from 2 to 256");
  end
  if (Options > AllOptions) begin : g_options_in_range
    $error("ocs_settings: Options must be from 0 to 511");
  end

  // The ports themselves are the registers: a copy would be one of whole arrays, at every edge of the bus.

  logic [4:0] array;
  logic [InW-1:0] at;
  logic shadow_load;
  assign array = port_addr_i[14:10];
  assign at = port_i[InW-1:0];
  assign shadow_load = core_write_i & core_addr_i == CORE_SHADOW_LOAD & data_i[0];

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
  assign named = MaskW'(biten_i) << {core_addr_i[4:2], 5'd0};
  assign given = MaskW'(data_i) << {core_addr_i[4:2], 5'd0};

  // Fields that belong to options; those that aren't there are never written, so that synthesis sees constants.
  localparam bit Faults = Options[OptFaults];
  localparam bit Jitter = Options[OptJitter];
  localparam bit External = Options[OptExternal];
  localparam bit Rate = Options[OptRate];
  localparam bit Receiver = Options[OptReceiver];

  // LOCK_WARM and LOCK_COLD: 16 words each.
  logic [3:0] point;
  assign point = core_addr_i[5:2];

  logic [31:0] faults, burst, source;
  logic [31:0] shadow;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {shadow_valid_o, los_o, dead_o, stuck_o, gated_o, external_o, launch_o} <= '0;
      seq_base_o <= '0;
      shadow_input_o <= '{default: '0};
      base_o <= '{default: '0};
      slow_o <= '{default: '0};
      lock_o <= '{default: '0};
      jitter_mask_o <= '{default: '0};
      flap_o <= '{default: '0};
      len_o <= '{default: '0};
      gap_o <= '{default: '0};
      repeat_o <= '{default: '0};
      tag_o <= '{default: '0};
      rate_o <= '{default: FullRate};
      lock_warm_o <= '{default: '0};
      lock_cold_o <= '{default: '0};
    end else begin
      if (port_write_i) begin
        unique case (array)
          PORT_SHADOW[14:10]: begin
            shadow_valid_o[at] <= shadow[31];
            shadow_input_o[at] <= shadow[31] ? shadow[8:0] : '0;
          end
          PORT_BASE[14:10]: base_o[at] <= 30'(merged(32'(base_o[at]), data_i, biten_i));
          PORT_SLOW[14:10]: if (Faults) slow_o[at] <= 30'(merged(32'(slow_o[at]), data_i, biten_i));
          PORT_LOCK[14:10]: lock_o[at] <= 30'(merged(32'(lock_o[at]), data_i, biten_i));
          PORT_JITTER_MASK[14:10]: if (Jitter) jitter_mask_o[at] <= 30'(merged(32'(jitter_mask_o[at]), data_i, biten_i));
          PORT_FLAP[14:10]: if (Faults) flap_o[at] <= 30'(merged(32'(flap_o[at]), data_i, biten_i));
          PORT_FAULT[14:10]: if (Faults) {stuck_o[at], dead_o[at], los_o[at]} <= faults[2:0];
          PORT_LEN[14:10]: len_o[at] <= merged(len_o[at], data_i, biten_i);
          PORT_GAP[14:10]: gap_o[at] <= merged(gap_o[at], data_i, biten_i);
          PORT_REPEAT[14:10]: repeat_o[at] <= merged(repeat_o[at], data_i, biten_i);
          PORT_BURST[14:10]: {gated_o[at], tag_o[at]} <= burst[16:0];
          PORT_SOURCE[14:10]: begin
            if (External) external_o[at] <= source[31];
            if (Rate) rate_o[at] <= source[15:0];
          end
          default: ;
        endcase
      end
      if (shadow_load) begin
        shadow_valid_o <= valid_next_i;
        shadow_input_o <= loaded;
      end
      if (core_write_i & core_addr_i[8:5] == CORE_SEQ_LAUNCH[8:5]) begin
        launch_o <= (launch_o & ~named[N-1:0]) | (given[N-1:0] & named[N-1:0]);
      end
      if (Receiver & core_write_i & core_addr_i[8:6] == CORE_LOCK_WARM[8:6])
        lock_warm_o[point] <= 30'(merged(32'(lock_warm_o[point]), data_i, biten_i));
      if (Receiver & core_write_i & core_addr_i[8:6] == CORE_LOCK_COLD[8:6])
        lock_cold_o[point] <= 30'(merged(32'(lock_cold_o[point]), data_i, biten_i));
      if (core_write_i & core_addr_i == CORE_SEQ_BASE) seq_base_o[31:0] <= merged(seq_base_o[31:0], data_i, biten_i);
      if (core_write_i & core_addr_i == CORE_SEQ_BASE + 9'd4)
        seq_base_o[63:32] <= merged(seq_base_o[63:32], data_i, biten_i);
    end
  end

  // Registers of several fields, after the write.
  assign shadow = merged({shadow_valid_o[at], 22'd0, shadow_input_o[at]}, data_i, biten_i);
  assign faults = merged({29'd0, stuck_o[at], dead_o[at], los_o[at]}, data_i, biten_i);
  assign burst = merged({15'd0, gated_o[at], tag_o[at]}, data_i, biten_i);
  assign source = merged({external_o[at], 15'd0, rate_o[at]}, data_i, biten_i);

  logic unused;
  assign unused = &{1'b0, port_addr_i[9:0], port_i, faults, burst, source, shadow, named, given};
endmodule
