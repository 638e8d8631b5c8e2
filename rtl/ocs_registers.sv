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
    /// Options that are there, bits as in CAP_OPTIONS, 0 to 511; what belongs to another one ignores writes.
    parameter int unsigned Options = AllOptions,
    localparam int unsigned InW = $clog2(N)
) (
    input  logic         clk_i,   ///< clock, rising edge
    input  logic         rst_ni,  ///< synchronous reset, active low
    /// Shown in CAP_WORD and CYCLE_PS.
    input  logic [15:0]  word_bytes_i,
    input  logic [31:0]  cycle_ps_i,

    // ---- AXI4-Lite ----
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
    output logic [1:0]   rresp_o,    ///< R: OKAY or SLVERR

    // ---- writes that complete at this edge ----
    output logic         soft_reset_o,          ///< SOFT_RESET
    output logic               commit_we_o,     ///< COMMIT
    output logic               cancel_we_o,     ///< COMMIT_CANCEL
    output logic [1:0]         commit_at_we_o,  ///< COMMIT_AT: low word, high word (arms)
    output logic               seq_go_we_o,     ///< SEQ_GO
    output logic               seq_swap_we_o,   ///< SEQ_SWAP
    output logic               seq_stop_we_o,   ///< SEQ_STOP
    output logic               seq_store_we_o,  ///< SEQ_STORE, entry in data, below S
    output logic               seed_we_o,       ///< SEED, value in data
    output logic [N-1:0]       start_we_o,      ///< START, mask of inputs
    output logic [N-1:0]       stop_we_o,       ///< STOP, mask of inputs
    output logic [N-1:0]       retry_we_o,      ///< RETRY, mask of outputs
    output logic [N-1:0]       seg_clear_o,     ///< SEG_FULL, mask of outputs to clear
    output logic [N-1:0]       changed_clear_o, ///< CHANGED, mask of outputs to clear
    output logic [N-1:0]       ended_clear_o,   ///< ENDED, mask of inputs to clear
    output logic [6:0]         error_clear_o,   ///< ERROR, bits to clear
    output logic               access_error_o,  ///< an access is refused (section 12)
    output logic               event_read_o,    ///< EVENT is read: takes the next event
    output logic [31:0]        data_o,          ///< data of the write
    output logic [31:0]        biten_o,         ///< its strobes, one bit a bit

    // ---- settings ----
    output logic         all_stop_o,               ///< CTRL.ALL_STOP
    output logic         multicast_o,              ///< CTRL.MULTICAST
    output logic [2:0]   irq_enable_o,             ///< IRQ_ENABLE: event, overflow, any other error
    output logic [N-1:0]       shadow_valid_o,     ///< SHADOW[o].VALID
    output logic [8:0]         shadow_input_o[N],  ///< SHADOW[o].INPUT, any of 9 bits
    output logic [29:0]        base_o[N],          ///< BASE[o], cycles of T
    output logic [29:0]        slow_o[N],          ///< SLOW[o], cycles added to T
    output logic [29:0]        lock_o[N],          ///< LOCK[o], cycles of L
    output logic [29:0]        jitter_mask_o[N],   ///< JITTER_MASK[o], bits of the draw that count
    output logic [29:0]        flap_o[N],          ///< FLAP[o], cycles of UP; 0: none
    output logic [N-1:0]       los_o,              ///< LOS[i], loss of light
    output logic [N-1:0]       dead_o,             ///< DEAD[p], dead port
    output logic [N-1:0]       stuck_o,            ///< STUCK[o], stuck mirror
    output logic [31:0]        len_o[N],           ///< LEN[i], words of a burst
    output logic [31:0]        gap_o[N],           ///< GAP[i], cycles before it
    output logic [31:0]        repeat_o[N],        ///< REPEAT[i], further bursts
    output logic [15:0]        tag_o[N],           ///< TAG[i], name of the burst
    output logic [N-1:0]       gated_o,            ///< GATED[i], words wait for UP
    output logic [15:0]        rate_o[N],          ///< RATE[i], q of 40000; above acts as 40000
    output logic [N-1:0]       external_o,         ///< EXTERNAL[i], the pin gives the words
    output logic [N-1:0]       launch_o,           ///< SEQ_LAUNCH[i] of the entry to be stored
    output logic [31:0]        seq_offset_o,       ///< SEQ_OFFSET of the entry to be stored, cycles
    output logic [63:0]        seq_base_o,         ///< SEQ_BASE, cycle of loop 0
    output logic [15:0]        seq_len_o,          ///< SEQ_LEN, entries; above S acts as S
    output logic [31:0]        seq_period_o,       ///< SEQ_PERIOD, cycles of a loop; 0: once
    output logic [29:0]        prog_o,             ///< PROG, cycles of T for each group that is programmed before
    output logic [8:0]         prog_lanes_o,       ///< PROG_LANES, outputs of a group; 0 acts as 1
    output logic               receivers_o,        ///< RECEIVER.ON: L has a term of the tables below
    output logic [29:0]        warm_time_o,        ///< RECEIVER.WARM_TIME, cycles that a pair stays warm
    output logic [29:0]        lock_warm_o[Quantiles],  ///< LOCK_WARM, cycles of L of a warm pair
    output logic [29:0]        lock_cold_o[Quantiles],  ///< LOCK_COLD, cycles of L of any other
    /// PAIR of each output and the input that it selects after this edge, if it is looked up.
    input  logic         pair_lookup_i,
    output logic [29:0]  pair_o[N],

    // ---- state ----
    input  logic [N-1:0] valid_next_i,          ///< the same after this edge
    input  logic [InW-1:0] input_next_i[N],     ///< the same after this edge
    input  logic [63:0]        time_i,          ///< TIME, number of the present cycle
    input  logic [63:0]        commit_at_i,     ///< COMMIT_AT
    input  logic [31:0]        event_i,         ///< EVENT, next event; 0: none
    input  logic [63:0]        event_time_i,    ///< EVENT_TIME, stamp of the last one taken
    input  logic [3:0]         status_i,        ///< STATUS
    input  logic [6:0]         error_i,         ///< ERROR, sticky bits
    input  logic [2:0]         irq_status_i,    ///< IRQ_STATUS, sources
    input  logic [N-1:0]       valid_i,         ///< ACTIVE[o].VALID: the output has a circuit
    input  logic [InW-1:0]     input_i[N],      ///< ACTIVE[o].INPUT, below N; 0 without circuit
    input  state_e             state_i[N],      ///< STATE[o], codes of section 2
    input  cause_e             cause_i[N],      ///< CAUSE[o], 0 unless FAILED
    input  engine_e            engine_i[N],     ///< ENGINE[i]: 0 OFF, 1 GAP, 2 SEND
    input  logic [InW-1:0]     seg_input_i[N],  ///< SEG[o]: input
    input  logic [15:0]        seg_tag_i[N],    ///< SEG[o]: tag
    input  logic [31:0]        seg_first_i[N],  ///< SEG[o]: first index
    input  logic [31:0]        seg_count_i[N],  ///< SEG[o]: words
    input  logic [N-1:0]       seg_full_i,      ///< SEG_FULL[o]
    input  logic [N-1:0]       changed_i,       ///< CHANGED[o]
    input  logic [N-1:0]       ended_i,         ///< ENDED[i]
    // ---- counters ----
    input  logic [63:0]        passed_i[N],    ///< PASSED[o], words
    input  logic [63:0]        lost_i[N],      ///< LOST[o], words
    input  logic [63:0]        dark_i[N],      ///< DARK[o], cycles
    input  logic [63:0]        tunings_i[N],   ///< TUNINGS[o], starts
    input  logic [63:0]        restarts_i[N],  ///< RESTARTS[o], starts in TUNING or LOCKING
    input  logic [63:0]        sent_i[N],      ///< SENT[i], words
    input  logic [63:0]        unrouted_i[N],  ///< UNROUTED[i], words
    input  logic [63:0]        commits_i,      ///< COMMITS
    input  logic [63:0]        refused_i,      ///< REFUSED, commits
    input  logic [63:0]        late_i,         ///< LATE, requests
    input  logic [63:0]        dropped_i       ///< DROPPED, records
);
  if (N < 2 || N > 256) begin : g_ports_in_range
    $error("ocs_registers: N must be from 2 to 256");
  end
  if (Options > AllOptions) begin : g_options_in_range
    $error("ocs_registers: Options must be from 0 to 511");
  end
  if (S < 2 || S > 32768 || (S & (S - 1)) != 0) begin : g_entries_in_range
    $error("ocs_registers: S must be a power of two from 2 to 32768");
  end
  if (FifoDepth < 2 || FifoDepth > 4096 || (FifoDepth & (FifoDepth - 1)) != 0) begin : g_depth_in_range
    $error("ocs_registers: FifoDepth must be a power of two from 2 to 4096");
  end

  // ---- requests -------------------------------------------------------------------------------------------------------------
  logic request, core_write, core_read, port_write, port_read, pair_write, pair_read;
  logic [31:0] read_data;
  logic [8:0] core_addr;
  logic [14:0] port_addr;
  logic [7:0] port_of, pair_output, pair_column;
  logic [N-1:0] ports;
  ocs_front #(.N(N), .S(S), .FifoDepth(FifoDepth), .Options(Options)) u_front (
      .clk_i, .rst_ni, .word_bytes_i, .cycle_ps_i,
      .awvalid_i, .awready_o, .awaddr_i, .wvalid_i, .wready_o, .wdata_i, .wstrb_i, .bvalid_o, .bready_i, .bresp_o,
      .arvalid_i, .arready_o, .araddr_i, .rvalid_o, .rready_i, .rdata_o, .rresp_o,
      .request_o(request), .data_o, .biten_o, .core_write_o(core_write), .core_read_o(core_read), .core_addr_o(core_addr),
      .port_write_o(port_write), .port_read_o(port_read), .port_addr_o(port_addr), .port_o(port_of),
      .pair_write_o(pair_write), .pair_read_o(pair_read), .pair_output_o(pair_output), .pair_column_o(pair_column),
      .access_error_o, .ports_o(ports), .soft_reset_o, .data_i(read_data),
      .all_stop_o, .multicast_o, .irq_enable_o, .seq_offset_o, .seq_len_o, .seq_period_o, .prog_o, .prog_lanes_o,
      .receivers_o, .warm_time_o
  );

  ocs_strobes #(.N(N)) u_strobes (
      .core_write_i(core_write), .core_read_i(core_read), .core_addr_i(core_addr), .data_i(data_o), .biten_i(biten_o),
      .ports_i(ports),
      .commit_we_o, .cancel_we_o, .commit_at_we_o, .seq_go_we_o, .seq_swap_we_o, .seq_stop_we_o, .seq_store_we_o,
      .seed_we_o, .start_we_o, .stop_we_o, .retry_we_o, .seg_clear_o, .changed_clear_o, .ended_clear_o, .error_clear_o,
      .event_read_o
  );

  ocs_settings #(.N(N), .Options(Options)) u_settings (
      .clk_i, .rst_ni(rst_ni & ~soft_reset_o),
      .port_write_i(port_write), .port_addr_i(port_addr), .port_i(port_of),
      .core_write_i(core_write), .core_addr_i(core_addr), .data_i(data_o), .biten_i(biten_o),
      .valid_next_i, .input_next_i,
      .shadow_valid_o, .shadow_input_o, .base_o, .slow_o, .lock_o, .jitter_mask_o, .flap_o, .los_o, .dead_o, .stuck_o,
      .len_o, .gap_o, .repeat_o, .tag_o, .gated_o, .rate_o, .external_o, .launch_o, .seq_base_o, .lock_warm_o, .lock_cold_o
  );

  logic [29:0] pair_read_data;
  if (Options[OptPair]) begin : g_pair
    ocs_pair #(.N(N)) u_pair (
        .clk_i, .write_i(pair_write), .output_i(pair_output), .column_i(pair_column), .data_i(data_o),
        .biten_i(biten_o), .read_o(pair_read_data), .lookup_i(pair_lookup_i), .input_i(input_next_i), .pair_o
    );
  end else begin : g_no_pair
    logic unused_pair;
    assign unused_pair = &{1'b0, pair_write, pair_output, pair_column, pair_lookup_i};
    assign pair_read_data = '0;
    always_comb for (int unsigned k = 0; k < N; k++) pair_o[k] = '0;
  end

  ocs_reg_read #(.N(N)) u_read (
      .clk_i, .rst_ni, .soft_reset_i(soft_reset_o),
      .core_read_i(core_read), .core_addr_i(core_addr), .port_read_i(port_read), .port_addr_i(port_addr),
      .port_i(port_of), .pair_read_i(pair_read), .pair_i(pair_read_data), .data_o(read_data),
      .shadow_valid_i(shadow_valid_o), .shadow_input_i(shadow_input_o), .base_i(base_o), .slow_i(slow_o),
      .lock_i(lock_o), .jitter_mask_i(jitter_mask_o), .flap_i(flap_o), .los_i(los_o), .dead_i(dead_o),
      .stuck_i(stuck_o), .len_i(len_o), .gap_i(gap_o), .repeat_i(repeat_o), .tag_i(tag_o), .gated_i(gated_o),
      .rate_i(rate_o), .external_i(external_o), .launch_i(launch_o),
      .seq_base_i(seq_base_o), .lock_warm_i(lock_warm_o), .lock_cold_i(lock_cold_o),
      .time_i, .commit_at_i, .event_i, .event_time_i, .status_i, .error_i, .irq_status_i, .valid_i, .input_i,
      .state_i, .cause_i, .engine_i, .seg_input_i, .seg_tag_i, .seg_first_i, .seg_count_i, .seg_full_i,
      .changed_i, .ended_i, .passed_i,
      .lost_i, .dark_i, .tunings_i, .restarts_i, .sent_i, .unrouted_i, .commits_i, .refused_i, .late_i, .dropped_i
  );

  logic unused;
  assign unused = &{1'b0, request};
endmodule
