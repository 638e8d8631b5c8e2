// Settings of ports and of the sequencer entry to be stored: everything software writes that isn't a command.
//
// SPDX-License-Identifier: Apache-2.0
module ocs_settings
  import ocs_addr_pkg::*;
#(
    /// Ports, 2 to 256.
    parameter int unsigned N   = 16,
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
    output logic [63:0]    seq_base_o          ///< SEQ_BASE, cycle of loop 0
);
  if (N < 2 || N > 256) begin : g_ports_in_range
    $error("ocs_settings: N must be from 2 to 256");
  end

  logic [N-1:0] shadow_valid_q, los_q, dead_q, stuck_q, gated_q, external_q, launch_q;
  logic [8:0] shadow_input_q[N];
  logic [29:0] base_q[N], slow_q[N], lock_q[N], jitter_mask_q[N], flap_q[N];
  logic [31:0] len_q[N], gap_q[N], repeat_q[N];
  logic [15:0] tag_q[N], rate_q[N];
  logic [63:0] seq_base_q;

  // A write replaces the bytes that its strobes name.
  function automatic logic [31:0] merged(input logic [31:0] old, input logic [31:0] data, input logic [31:0] biten);
    return (old & ~biten) | (data & biten);
  endfunction

  logic [4:0] array;
  logic [InW-1:0] at;
  logic shadow_load;
  assign array = port_addr_i[14:10];
  assign at = port_i[InW-1:0];
  assign shadow_load = core_write_i & core_addr_i == CORE_SHADOW_LOAD & data_i[0];

  // What SHADOW_LOAD and a write of SEQ_LAUNCH leave.
  logic [8:0] loaded[N];
  logic [N-1:0] launch_d;
  always_comb begin
    launch_d = launch_q;
    for (int unsigned p = 0; p < N; p++) loaded[p] = '0;
    if (shadow_load)
      for (int unsigned p = 0; p < N; p++) loaded[p] = valid_next_i[p] ? 9'(input_next_i[p]) : '0;
    if (core_write_i)
      for (int unsigned p = 0; p < N; p++)
        if (32'(core_addr_i[4:2]) == p / 32 & biten_i[p%32]) launch_d[p] = data_i[p%32];
  end

  logic [31:0] faults, burst, source;
  logic [31:0] shadow;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {shadow_valid_q, los_q, dead_q, stuck_q, gated_q, external_q, launch_q} <= '0;
      seq_base_q <= '0;
      shadow_input_q <= '{default: '0};
      base_q <= '{default: '0};
      slow_q <= '{default: '0};
      lock_q <= '{default: '0};
      jitter_mask_q <= '{default: '0};
      flap_q <= '{default: '0};
      len_q <= '{default: '0};
      gap_q <= '{default: '0};
      repeat_q <= '{default: '0};
      tag_q <= '{default: '0};
      rate_q <= '{default: ocs_pkg::FullRate};
    end else begin
      if (port_write_i) begin
        unique case (array)
          PORT_SHADOW[14:10]: begin
            shadow_valid_q[at] <= shadow[31];
            shadow_input_q[at] <= shadow[31] ? shadow[8:0] : '0;
          end
          PORT_BASE[14:10]: base_q[at] <= 30'(merged(32'(base_q[at]), data_i, biten_i));
          PORT_SLOW[14:10]: slow_q[at] <= 30'(merged(32'(slow_q[at]), data_i, biten_i));
          PORT_LOCK[14:10]: lock_q[at] <= 30'(merged(32'(lock_q[at]), data_i, biten_i));
          PORT_JITTER_MASK[14:10]: jitter_mask_q[at] <= 30'(merged(32'(jitter_mask_q[at]), data_i, biten_i));
          PORT_FLAP[14:10]: flap_q[at] <= 30'(merged(32'(flap_q[at]), data_i, biten_i));
          PORT_FAULT[14:10]: {stuck_q[at], dead_q[at], los_q[at]} <= faults[2:0];
          PORT_LEN[14:10]: len_q[at] <= merged(len_q[at], data_i, biten_i);
          PORT_GAP[14:10]: gap_q[at] <= merged(gap_q[at], data_i, biten_i);
          PORT_REPEAT[14:10]: repeat_q[at] <= merged(repeat_q[at], data_i, biten_i);
          PORT_BURST[14:10]: {gated_q[at], tag_q[at]} <= burst[16:0];
          PORT_SOURCE[14:10]: {external_q[at], rate_q[at]} <= {source[31], source[15:0]};
          default: ;
        endcase
      end
      if (shadow_load) begin
        shadow_valid_q <= valid_next_i;
        shadow_input_q <= loaded;
      end
      if (core_write_i & core_addr_i >= CORE_SEQ_LAUNCH) begin
        launch_q <= launch_d;
      end
      if (core_write_i & core_addr_i == CORE_SEQ_BASE) seq_base_q[31:0] <= merged(seq_base_q[31:0], data_i, biten_i);
      if (core_write_i & core_addr_i == CORE_SEQ_BASE + 9'd4)
        seq_base_q[63:32] <= merged(seq_base_q[63:32], data_i, biten_i);
    end
  end

  // Registers of several fields, after the write.
  assign shadow = merged({shadow_valid_q[at], 22'd0, shadow_input_q[at]}, data_i, biten_i);
  assign faults = merged({29'd0, stuck_q[at], dead_q[at], los_q[at]}, data_i, biten_i);
  assign burst = merged({15'd0, gated_q[at], tag_q[at]}, data_i, biten_i);
  assign source = merged({external_q[at], 15'd0, rate_q[at]}, data_i, biten_i);

  assign shadow_valid_o = shadow_valid_q;
  assign shadow_input_o = shadow_input_q;
  assign base_o = base_q;
  assign slow_o = slow_q;
  assign lock_o = lock_q;
  assign jitter_mask_o = jitter_mask_q;
  assign flap_o = flap_q;
  assign los_o = los_q;
  assign dead_o = dead_q;
  assign stuck_o = stuck_q;
  assign len_o = len_q;
  assign gap_o = gap_q;
  assign repeat_o = repeat_q;
  assign tag_o = tag_q;
  assign gated_o = gated_q;
  assign rate_o = rate_q;
  assign external_o = external_q;
  assign launch_o = launch_q;
  assign seq_base_o = seq_base_q;

  logic unused;
  assign unused = &{1'b0, port_addr_i[9:0], port_i, faults, burst, source, shadow};
endmodule
