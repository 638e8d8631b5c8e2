// Read side of the register window: the value of any device or port register, registered at the edge of the read.
//
// Nothing here is evaluated unless the bus moves.
//
// SPDX-License-Identifier: Apache-2.0
module ocs_reg_read
  import ocs_addr_pkg::*;
#(
    /// Ports, 2 to 256.
    parameter int unsigned N   = 16,
    localparam int unsigned InW = $clog2(N)
) (
    input  logic           clk_i,   ///< clock, rising edge
    input  logic           rst_ni,  ///< synchronous reset, active low
    /// SOFT_RESET at this edge: forgets the latch.
    input  logic           soft_reset_i,
    /// Accepted reads at this edge.
    input  logic           core_read_i,
    input  logic [8:0]     core_addr_i,
    input  logic           port_read_i,
    input  logic [14:0]    port_addr_i,
    input  logic [7:0]     port_i,
    input  logic           pair_read_i,
    input  logic [29:0]    pair_i,
    /// Value of the register, after the edge.
    output logic [31:0]    data_o,

    // ---- settings ----
    input  logic [N-1:0]   shadow_valid_i,     ///< SHADOW[o].VALID
    input  logic [8:0]     shadow_input_i[N],  ///< SHADOW[o].INPUT, any of 9 bits
    input  logic [29:0]    base_i[N],          ///< BASE[o], cycles of T
    input  logic [29:0]    slow_i[N],          ///< SLOW[o], cycles added to T
    input  logic [29:0]    lock_i[N],          ///< LOCK[o], cycles of L
    input  logic [29:0]    jitter_mask_i[N],   ///< JITTER_MASK[o], bits of the draw that count
    input  logic [29:0]    flap_i[N],          ///< FLAP[o], cycles of UP; 0: none
    input  logic [N-1:0]   los_i,              ///< LOS[i], loss of light
    input  logic [N-1:0]   dead_i,             ///< DEAD[p], dead port
    input  logic [N-1:0]   stuck_i,            ///< STUCK[o], stuck mirror
    input  logic [31:0]    len_i[N],           ///< LEN[i], words of a burst
    input  logic [31:0]    gap_i[N],           ///< GAP[i], cycles before it
    input  logic [31:0]    repeat_i[N],        ///< REPEAT[i], further bursts
    input  logic [15:0]    tag_i[N],           ///< TAG[i], name of the burst
    input  logic [N-1:0]   gated_i,            ///< GATED[i], words wait for UP
    input  logic [15:0]    rate_i[N],          ///< RATE[i], q of 40000; above acts as 40000
    input  logic [N-1:0]   external_i,         ///< EXTERNAL[i], the pin gives the words
    input  logic [N-1:0]   launch_i,           ///< SEQ_LAUNCH[i] of the entry to be stored
    input  logic [63:0]    seq_base_i,         ///< SEQ_BASE, cycle of loop 0
    input  logic [29:0]    lock_warm_i[ocs_pkg::Quantiles],  ///< LOCK_WARM, cycles of L of a warm pair
    input  logic [29:0]    lock_cold_i[ocs_pkg::Quantiles],  ///< LOCK_COLD, cycles of L of any other
    // ---- state ----
    input  logic [63:0]    time_i,          ///< TIME, number of the present cycle
    input  logic [63:0]    commit_at_i,     ///< COMMIT_AT
    input  logic [31:0]    event_i,         ///< EVENT, next event; 0: none
    input  logic [63:0]    event_time_i,    ///< EVENT_TIME, stamp of the last one taken
    input  logic [3:0]     status_i,        ///< STATUS
    input  logic [6:0]     error_i,         ///< ERROR, sticky bits
    input  logic [2:0]     irq_status_i,    ///< IRQ_STATUS, sources
    input  logic [N-1:0]   valid_i,         ///< ACTIVE[o].VALID: the output has a circuit
    input  logic [InW-1:0] input_i[N],      ///< ACTIVE[o].INPUT, below N; 0 without circuit
    input  ocs_pkg::state_e state_i[N],      ///< STATE[o], codes of section 2
    input  ocs_pkg::cause_e cause_i[N],      ///< CAUSE[o], 0 unless FAILED
    input  ocs_pkg::engine_e engine_i[N],     ///< ENGINE[i]: 0 OFF, 1 GAP, 2 SEND
    input  logic [InW-1:0] seg_input_i[N],  ///< SEG[o]: input
    input  logic [15:0]    seg_tag_i[N],    ///< SEG[o]: tag
    input  logic [31:0]    seg_first_i[N],  ///< SEG[o]: first index
    input  logic [31:0]    seg_count_i[N],  ///< SEG[o]: words
    input  logic [N-1:0]   seg_full_i,      ///< SEG_FULL[o]
    input  logic [N-1:0]   changed_i,       ///< CHANGED[o]
    input  logic [N-1:0]   ended_i,         ///< ENDED[i]
    // ---- counters ----
    input  logic [63:0]    passed_i[N],    ///< PASSED[o], words
    input  logic [63:0]    lost_i[N],      ///< LOST[o], words
    input  logic [63:0]    dark_i[N],      ///< DARK[o], cycles
    input  logic [63:0]    tunings_i[N],   ///< TUNINGS[o], starts
    input  logic [63:0]    restarts_i[N],  ///< RESTARTS[o], starts in TUNING or LOCKING
    input  logic [63:0]    sent_i[N],      ///< SENT[i], words
    input  logic [63:0]    unrouted_i[N],  ///< UNROUTED[i], words
    input  logic [63:0]    commits_i,      ///< COMMITS
    input  logic [63:0]    refused_i,      ///< REFUSED, commits
    input  logic [63:0]    late_i,         ///< LATE, requests
    input  logic [63:0]    dropped_i       ///< DROPPED, records
);
  if (N < 2 || N > 256) begin : g_ports_in_range
    $error("ocs_reg_read: N must be from 2 to 256");
  end

  // One latch for the window: a read of a low word keeps the high word.
  logic [31:0] data_q, high_q;

  logic [InW-1:0] p;
  assign p = port_i[InW-1:0];

  logic [255:0] full, launch, changed, ended;
  assign full = 256'(seg_full_i);
  assign changed = 256'(changed_i);
  assign ended = 256'(ended_i);
  assign launch = 256'(launch_i);

  logic wide;  // a 64-bit register is read; its value
  logic [63:0] value;
  always_ff @(posedge clk_i) begin
    // verilator lint_off BLKSEQ
    // Temporaries of this block, so that the choice is made on bus edges alone.
    wide = 1'b0;
    value = '0;
    if (core_read_i) begin
      unique case ({core_addr_i[8:3], 3'b000})
        CORE_TIME:       {wide, value} = {1'b1, time_i};
        CORE_COMMIT_AT:  {wide, value} = {1'b1, commit_at_i};
        CORE_SEQ_BASE:   {wide, value} = {1'b1, seq_base_i};
        CORE_EVENT_TIME: {wide, value} = {1'b1, event_time_i};
        CORE_COMMITS:    {wide, value} = {1'b1, commits_i};
        CORE_REFUSED:    {wide, value} = {1'b1, refused_i};
        CORE_LATE:       {wide, value} = {1'b1, late_i};
        CORE_DROPPED:    {wide, value} = {1'b1, dropped_i};
        default: ;
      endcase
      if (~wide) begin
        unique case ({core_addr_i[8:2], 2'b00})
          CORE_EVENT:      value[31:0] = event_i;
          CORE_STATUS:     value[31:0] = 32'(status_i);
          CORE_ERROR:      value[31:0] = 32'(error_i);
          CORE_IRQ_STATUS: value[31:0] = 32'(irq_status_i);
          default: begin
            if (core_addr_i >= CORE_ENDED) value[31:0] = ended[32*core_addr_i[4:2]+:32];
            else if (core_addr_i >= CORE_CHANGED) value[31:0] = changed[32*core_addr_i[4:2]+:32];
            else if (core_addr_i >= CORE_LOCK_COLD) value[31:0] = 32'(lock_cold_i[core_addr_i[5:2]]);
            else if (core_addr_i >= CORE_LOCK_WARM) value[31:0] = 32'(lock_warm_i[core_addr_i[5:2]]);
            else if (core_addr_i >= CORE_SEQ_LAUNCH) value[31:0] = launch[32*core_addr_i[4:2]+:32];
            else if (core_addr_i >= CORE_SEG_FULL) value[31:0] = full[32*core_addr_i[4:2]+:32];
          end
        endcase
      end
    end else if (port_read_i) begin
      unique case (port_addr_i[14:10])
        PORT_SHADOW[14:10]:      value[31:0] = {shadow_valid_i[p], 22'd0, shadow_input_i[p]};
        PORT_ACTIVE[14:10]:      value[31:0] = {valid_i[p], 22'd0, 9'(input_i[p])};
        PORT_STATE[14:10]:       value[31:0] = {22'd0, cause_i[p], 5'd0, state_i[p]};
        PORT_BASE[14:10]:        value[31:0] = 32'(base_i[p]);
        PORT_SLOW[14:10]:        value[31:0] = 32'(slow_i[p]);
        PORT_LOCK[14:10]:        value[31:0] = 32'(lock_i[p]);
        PORT_JITTER_MASK[14:10]: value[31:0] = 32'(jitter_mask_i[p]);
        PORT_FLAP[14:10]:        value[31:0] = 32'(flap_i[p]);
        PORT_FAULT[14:10]:       value[31:0] = {29'd0, stuck_i[p], dead_i[p], los_i[p]};
        PORT_LEN[14:10]:         value[31:0] = len_i[p];
        PORT_GAP[14:10]:         value[31:0] = gap_i[p];
        PORT_REPEAT[14:10]:      value[31:0] = repeat_i[p];
        PORT_BURST[14:10]:       value[31:0] = {15'd0, gated_i[p], tag_i[p]};
        PORT_SOURCE[14:10]:      value[31:0] = {external_i[p], 15'd0, rate_i[p]};
        PORT_ENGINE[14:10]:      value[31:0] = 32'(engine_i[p]);
        PORT_SEG[14:10]:         value[31:0] = {seg_tag_i[p], 7'd0, 9'(seg_input_i[p])};
        PORT_SEG_FIRST[14:10]:   value[31:0] = seg_first_i[p];
        PORT_SEG_COUNT[14:10]:   value[31:0] = seg_count_i[p];
        default: begin
          wide = 1'b1;
          unique case (port_addr_i[14:11])
            PORT_PASSED[14:11]:   value = passed_i[p];
            PORT_LOST[14:11]:     value = lost_i[p];
            PORT_DARK[14:11]:     value = dark_i[p];
            PORT_TUNINGS[14:11]:  value = tunings_i[p];
            PORT_RESTARTS[14:11]: value = restarts_i[p];
            PORT_SENT[14:11]:     value = sent_i[p];
            default:              value = unrouted_i[p];
          endcase
        end
      endcase
    end else if (pair_read_i) begin
      value[31:0] = 32'(pair_i);
    end
    // verilator lint_on BLKSEQ
    if (!rst_ni) begin
      data_q <= '0;
      high_q <= '0;
    end else if (core_read_i | port_read_i | pair_read_i) begin
      if (wide & (core_read_i ? core_addr_i[2] : port_addr_i[2])) begin
        data_q <= high_q;
      end else begin
        data_q <= value[31:0];
        if (wide) high_q <= value[63:32];
      end
    end
    if (soft_reset_i) high_q <= '0;
  end
  assign data_o = data_q;

  logic unused;
  assign unused = &{1'b0, port_i, core_addr_i[1:0], port_addr_i[9:0]};
endmodule
