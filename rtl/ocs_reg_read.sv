// Read side of the register window: the value of any device or port register, registered at the edge of the read.
//
// Nothing here is evaluated unless the bus moves.
//
// SPDX-License-Identifier: Apache-2.0
module ocs_reg_read
  import ocs_pkg::*;
  import ocs_addr_pkg::*;
#(
    /// Ports, 2 to 256.
    parameter int unsigned N   = 16,
    localparam int unsigned InW = $clog2(N)
) (
    input  logic           clk_i,   ///< clock, rising edge
    input  logic           rst_ni,  ///< synchronous reset, active low
    /// The access at this edge, and what it reads of PAIR; SOFT_RESET forgets the latch.
    input  access_t        access_i,
    input  logic [29:0]    pair_i,
    /// Value of the register, after the edge.
    output logic [31:0]    data_o,

    // ---- settings ----
    input  logic [N-1:0]   shadow_valid_i,     ///< SHADOW[o].VALID
    input  logic [8:0]     shadow_input_i[N],  ///< SHADOW[o].INPUT, any of 9 bits
    input  port_cfg_t      port_cfg_i[N],      ///< of each port: delays, faults
    input  burst_cfg_t     burst_cfg_i[N],     ///< of each input's burst engine
    input  logic [N-1:0]   launch_i,           ///< SEQ_LAUNCH[i] of the entry to be stored
    input  logic [63:0]    seq_base_i,         ///< SEQ_BASE, cycle of loop 0
    input  quantile_t      quantile_i[Quantiles],  ///< LOCK_WARM and LOCK_COLD
    // ---- state ----
    input  device_view_t   device_view_i,        ///< of the fabric as a whole
    input  port_view_t     port_view_i[N],       ///< of each port
    input  port_counters_t port_counters_i[N]    ///< its counters
);
  if (N < 2 || N > 256) begin : g_ports_in_range
    $error("ocs_reg_read: N must be from 2 to 256");
  end

  // One latch for the window: a read of a low word keeps the high word.
  logic [31:0] data_q, high_q;

  logic [InW-1:0] p;
  assign p = access_i.port[InW-1:0];

  logic [255:0] full, launch, changed, ended;
  always_comb begin
    {full, changed, ended} = '0;
    for (int unsigned k = 0; k < N; k++) begin
      full[k] = port_view_i[k].seg_full;
      changed[k] = port_view_i[k].changed;
      ended[k] = port_view_i[k].ended;
    end
  end
  assign launch = 256'(launch_i);

  logic wide;  // a 64-bit register is read; its value
  logic [63:0] value;
  always_ff @(posedge clk_i) begin
    // verilator lint_off BLKSEQ
    // Temporaries of this block, so that the choice is made on bus edges alone.
    wide = 1'b0;
    value = '0;
    if (access_i.core_read) begin
      unique case ({access_i.core_addr[8:3], 3'b000})
        CORE_TIME:       {wide, value} = {1'b1, device_view_i.cycle};
        CORE_COMMIT_AT:  {wide, value} = {1'b1, device_view_i.commit_at};
        CORE_SEQ_BASE:   {wide, value} = {1'b1, seq_base_i};
        CORE_EVENT_TIME: {wide, value} = {1'b1, device_view_i.event_time};
        CORE_COMMITS:    {wide, value} = {1'b1, device_view_i.commits};
        CORE_REFUSED:    {wide, value} = {1'b1, device_view_i.refused};
        CORE_LATE:       {wide, value} = {1'b1, device_view_i.late};
        CORE_DROPPED:    {wide, value} = {1'b1, device_view_i.dropped};
        default: ;
      endcase
      if (~wide) begin
        unique case ({access_i.core_addr[8:2], 2'b00})
          CORE_EVENT:      value[31:0] = device_view_i.event_word;
          CORE_STATUS:     value[31:0] = 32'(device_view_i.status);
          CORE_ERROR:      value[31:0] = 32'(device_view_i.error);
          CORE_IRQ_STATUS: value[31:0] = 32'(device_view_i.irq_status);
          default: begin
            if (access_i.core_addr >= CORE_ENDED) value[31:0] = ended[32*access_i.core_addr[4:2]+:32];
            else if (access_i.core_addr >= CORE_CHANGED) value[31:0] = changed[32*access_i.core_addr[4:2]+:32];
            else if (access_i.core_addr >= CORE_LOCK_COLD) value[31:0] = 32'(quantile_i[access_i.core_addr[5:2]].cold);
            else if (access_i.core_addr >= CORE_LOCK_WARM) value[31:0] = 32'(quantile_i[access_i.core_addr[5:2]].warm);
            else if (access_i.core_addr >= CORE_SEQ_LAUNCH) value[31:0] = launch[32*access_i.core_addr[4:2]+:32];
            else if (access_i.core_addr >= CORE_SEG_FULL) value[31:0] = full[32*access_i.core_addr[4:2]+:32];
          end
        endcase
      end
    end else if (access_i.port_read) begin
      unique case (access_i.port_addr[14:10])
        PORT_SHADOW[14:10]:      value[31:0] = {shadow_valid_i[p], 22'd0, shadow_input_i[p]};
        PORT_ACTIVE[14:10]:      value[31:0] = {port_view_i[p].valid, 22'd0, 9'(port_view_i[p].selected)};
        PORT_STATE[14:10]:       value[31:0] = {14'd0, port_view_i[p].dim, port_view_i[p].disturbed, 6'd0, port_view_i[p].cause, 5'd0,
                                                port_view_i[p].state};
        PORT_BASE[14:10]:        value[31:0] = 32'(port_cfg_i[p].base);
        PORT_SLOW[14:10]:        value[31:0] = 32'(port_cfg_i[p].slow);
        PORT_LOCK[14:10]:        value[31:0] = 32'(port_cfg_i[p].lock);
        PORT_JITTER_MASK[14:10]: value[31:0] = 32'(port_cfg_i[p].jitter_mask);
        PORT_FLAP[14:10]:        value[31:0] = 32'(port_cfg_i[p].flap);
        PORT_FAULT[14:10]:       value[31:0] = {28'd0, port_cfg_i[p].keeps, port_cfg_i[p].stuck, port_cfg_i[p].dead, port_cfg_i[p].los};
        PORT_LEN[14:10]:         value[31:0] = burst_cfg_i[p].len;
        PORT_GAP[14:10]:         value[31:0] = burst_cfg_i[p].gap;
        PORT_REPEAT[14:10]:      value[31:0] = burst_cfg_i[p].repeats;
        PORT_BURST[14:10]:       value[31:0] = {15'd0, burst_cfg_i[p].gated, burst_cfg_i[p].tag};
        PORT_SOURCE[14:10]:      value[31:0] = {burst_cfg_i[p].external, 15'd0, burst_cfg_i[p].rate};
        PORT_ENGINE[14:10]:      value[31:0] = 32'(port_view_i[p].engine);
        PORT_SEG[14:10]:         value[31:0] = {port_view_i[p].seg_tag, 7'd0, 9'(port_view_i[p].seg_input)};
        PORT_SEG_FIRST[14:10]:   value[31:0] = port_view_i[p].seg_first;
        PORT_SEG_COUNT[14:10]:   value[31:0] = port_view_i[p].seg_count;
        default: begin
          wide = 1'b1;
          unique case (access_i.port_addr[14:11])
            PORT_PASSED[14:11]:   value = port_counters_i[p].passed;
            PORT_LOST[14:11]:     value = port_counters_i[p].lost;
            PORT_DARK[14:11]:     value = port_counters_i[p].dark;
            PORT_TUNINGS[14:11]:  value = port_counters_i[p].tunings;
            PORT_RESTARTS[14:11]: value = port_counters_i[p].restarts;
            PORT_SENT[14:11]:     value = port_counters_i[p].sent;
            default:              value = port_counters_i[p].unrouted;
          endcase
        end
      endcase
    end else if (access_i.optics_read) begin
      unique case (access_i.port_addr[12:10])
        OPTICS_LASER[12:10]: value[31:0] = {16'd0, port_cfg_i[p].laser};
        OPTICS_LOSS[12:10]:  value[31:0] = {16'd0, port_cfg_i[p].loss};
        OPTICS_POWER[12:10]: value[31:0] = port_view_i[p].lit ? 32'(port_view_i[p].power) : 32'h8000_0000;
        default:             {wide, value} = {1'b1, port_counters_i[p].misrouted};
      endcase
    end else if (access_i.pair_read) begin
      value[31:0] = 32'(pair_i);
    end
    // verilator lint_on BLKSEQ
    if (!rst_ni) begin
      data_q <= '0;
      high_q <= '0;
    end else if (access_i.core_read | access_i.port_read | access_i.optics_read | access_i.pair_read) begin
      if (wide & (access_i.core_read ? access_i.core_addr[2] : access_i.port_addr[2])) begin
        data_q <= high_q;
      end else begin
        data_q <= value[31:0];
        if (wide) high_q <= value[63:32];
      end
    end
    if (access_i.soft_reset) high_q <= '0;
  end
  assign data_o = data_q;

  logic unused;
  assign unused = &{1'b0, access_i};
endmodule
