// Register window: AXI4-Lite to the generated block and to the registers that are served by hand-written RTL.
//
// In simulation `clk_i` moves only while the bus does; on an FPGA it is the fabric's clock.
//
// SPDX-License-Identifier: Apache-2.0
module ocs_registers
  import ocs_pkg::*;
  import ocs_addr_pkg::*;
  import ocs_regs_pkg::*;
#(
    /// Ports, 2 to 256.
    parameter int unsigned N = 16,
    /// Entries of a sequencer bank.
    parameter int unsigned S = 16,
    /// Records of the event FIFO.
    parameter int unsigned FifoDepth = 64,
    localparam int unsigned InW = $clog2(N)
) (
    input  logic         clk_i,
    input  logic         rst_ni,
    /// Shown in CAP_WORD and CYCLE_PS.
    input  logic [15:0]  word_bytes_i,
    input  logic [31:0]  cycle_ps_i,

    // ---- AXI4-Lite ----
    input  logic         awvalid_i,
    output logic         awready_o,
    input  logic [19:0]  awaddr_i,
    input  logic         wvalid_i,
    output logic         wready_o,
    input  logic [31:0]  wdata_i,
    input  logic [3:0]   wstrb_i,
    output logic         bvalid_o,
    input  logic         bready_i,
    output logic [1:0]   bresp_o,
    input  logic         arvalid_i,
    output logic         arready_o,
    input  logic [19:0]  araddr_i,
    output logic         rvalid_o,
    input  logic         rready_i,
    output logic [31:0]  rdata_o,
    output logic [1:0]   rresp_o,

    // ---- writes that complete at this edge ----
    output logic         soft_reset_o,
    output logic               commit_we_o,
    output logic               cancel_we_o,
    output logic [1:0]         commit_at_we_o,
    output logic               seq_go_we_o,
    output logic               seq_swap_we_o,
    output logic               seq_stop_we_o,
    output logic               seq_store_we_o,
    output logic               seed_we_o,
    output logic [N-1:0]       start_we_o,
    output logic [N-1:0]       stop_we_o,
    output logic [N-1:0]       retry_we_o,
    output logic [N-1:0]       seg_clear_o,
    output logic [6:0]         error_clear_o,
    output logic               access_error_o,
    output logic               event_read_o,
    output logic [31:0]        data_o,
    output logic [31:0]        biten_o,

    // ---- settings ----
    output logic         all_stop_o,
    output logic         multicast_o,
    output logic [2:0]   irq_enable_o,
    output logic [N-1:0]       shadow_valid_o,
    output logic [8:0]         shadow_input_o[N],
    output logic [29:0]        base_o[N],
    output logic [29:0]        slow_o[N],
    output logic [29:0]        lock_o[N],
    output logic [29:0]        jitter_mask_o[N],
    output logic [29:0]        flap_o[N],
    output logic [N-1:0]       los_o,
    output logic [N-1:0]       dead_o,
    output logic [N-1:0]       stuck_o,
    output logic [31:0]        len_o[N],
    output logic [31:0]        gap_o[N],
    output logic [31:0]        repeat_o[N],
    output logic [15:0]        tag_o[N],
    output logic [N-1:0]       gated_o,
    output logic [15:0]        rate_o[N],
    output logic [N-1:0]       external_o,
    output logic [N-1:0]       launch_o,
    output logic [31:0]        seq_offset_o,
    output logic [63:0]        seq_base_o,
    output logic [15:0]        seq_len_o,
    output logic [31:0]        seq_period_o,
    /// PAIR of each output and the input given for it.
    input  logic         pair_lookup_i,
    output logic [29:0]  pair_o[N],

    // ---- state ----
    input  logic [N-1:0] valid_next_i,
    input  logic [InW-1:0] input_next_i[N],
    input  logic [63:0]        time_i,
    input  logic [63:0]        commit_at_i,
    input  logic [31:0]        event_i,
    input  logic [63:0]        event_time_i,
    input  logic [3:0]         status_i,
    input  logic [6:0]         error_i,
    input  logic [2:0]         irq_status_i,
    input  logic [N-1:0]       valid_i,
    input  logic [InW-1:0]     input_i[N],
    input  logic [2:0]         state_i[N],
    input  logic [1:0]         cause_i[N],
    input  logic [1:0]         engine_i[N],
    input  logic [InW-1:0]     seg_input_i[N],
    input  logic [15:0]        seg_tag_i[N],
    input  logic [31:0]        seg_first_i[N],
    input  logic [31:0]        seg_count_i[N],
    input  logic [N-1:0]       seg_full_i,
    // ---- counters ----
    input  logic [63:0]        passed_i[N],
    input  logic [63:0]        lost_i[N],
    input  logic [63:0]        dark_i[N],
    input  logic [63:0]        tunings_i[N],
    input  logic [63:0]        restarts_i[N],
    input  logic [63:0]        sent_i[N],
    input  logic [63:0]        unrouted_i[N],
    input  logic [63:0]        commits_i,
    input  logic [63:0]        refused_i,
    input  logic [63:0]        late_i,
    input  logic [63:0]        dropped_i
);
  // ---- requests -------------------------------------------------------------------------------------------------------------
  logic req, write, refused;
  logic [19:0] addr;
  logic [31:0] wdata, biten, rdata;
  ocs_axil #(.AddrW(20)) u_axil (
      .clk_i, .rst_ni,
      .awvalid_i, .awready_o, .awaddr_i, .wvalid_i, .wready_o, .wdata_i, .wstrb_i, .bvalid_o, .bready_i, .bresp_o,
      .arvalid_i, .arready_o, .araddr_i, .rvalid_o, .rready_i, .rdata_o, .rresp_o,
      .req_o(req), .write_o(write), .addr_o(addr), .data_o(wdata), .biten_o(biten), .error_i(refused), .data_i(rdata)
  );

  // ---- generated block: constants, modes, decoding ----------------------------------------------------------------------------
  ocs_regs__in_t from;
  ocs_regs__out_t to;
  logic [31:0] own_rdata;
  logic own_rd_ack, own_rd_err, own_wr_ack, own_wr_err, stall_wr, stall_rd;
  always_comb begin
    from = '0;
    from.soft_reset = ~rst_ni | soft_reset_o;
    from.CAP_SIZE.PORTS.next = 16'(N);
    from.CAP_SIZE.SEQ_ENTRIES.next = 16'(S);
    from.CAP_WORD.WORD_BYTES.next = word_bytes_i;
    from.CAP_WORD.FIFO_DEPTH.next = 16'(FifoDepth);
    {from.CAP_OPTIONS.FAULTS.next, from.CAP_OPTIONS.EXTERNAL.next, from.CAP_OPTIONS.ALL_STOP.next,
     from.CAP_OPTIONS.MULTICAST.next, from.CAP_OPTIONS.RATE.next, from.CAP_OPTIONS.JITTER.next,
     from.CAP_OPTIONS.PAIR.next} = Options;
    from.CYCLE_PS.PICOSECONDS.next = cycle_ps_i;
    // The files below answer in the same cycle; their data comes from u_read.
    from.core.rd_ack = to.core.req & ~to.core.req_is_wr;
    from.core.wr_ack = to.core.req & to.core.req_is_wr;
    from.port.rd_ack = to.port.req & ~to.port.req_is_wr;
    from.port.wr_ack = to.port.req & to.port.req_is_wr;
    from.PAIR.rd_ack = to.PAIR.req & ~to.PAIR.req_is_wr;
    from.PAIR.wr_ack = to.PAIR.req & to.PAIR.req_is_wr;
  end
  ocs_regs u_regs (
      .clk(clk_i), .rst_n(rst_ni),
      .s_cpuif_req(req), .s_cpuif_req_is_wr(write), .s_cpuif_addr(addr), .s_cpuif_wr_data(wdata),
      .s_cpuif_wr_biten(biten), .s_cpuif_req_stall_wr(stall_wr), .s_cpuif_req_stall_rd(stall_rd),
      .s_cpuif_rd_ack(own_rd_ack), .s_cpuif_rd_err(own_rd_err), .s_cpuif_rd_data(own_rdata),
      .s_cpuif_wr_ack(own_wr_ack), .s_cpuif_wr_err(own_wr_err),
      .hwif_in(from), .hwif_out(to)
  );
  assign all_stop_o = to.CTRL.ALL_STOP.value;
  assign multicast_o = to.CTRL.MULTICAST.value;
  assign irq_enable_o = {to.IRQ_ENABLE.ERROR.value, to.IRQ_ENABLE.OVERFLOW.value, to.IRQ_ENABLE.EVENT.value};
  assign seq_offset_o = to.SEQ_OFFSET.VALUE.value;
  assign seq_len_o = to.SEQ_LEN.VALUE.value;
  assign seq_period_o = to.SEQ_PERIOD.VALUE.value;

  // ---- what the request does ----------------------------------------------------------------------------------------------------
  logic access_error, core_write, core_read, port_write, port_read, pair_write, pair_read;
  logic [7:0] port_of;
  logic [N-1:0] ports;
  ocs_access #(.N(N), .S(S)) u_access (
      .core_i(to.core.req), .core_addr_i(to.core.addr), .port_i(to.port.req), .port_addr_i(to.port.addr),
      .pair_i(to.PAIR.req), .pair_addr_i(to.PAIR.addr), .write_i(write), .data_i(wdata), .biten_i(biten),
      .error_o(access_error), .core_write_o(core_write), .core_read_o(core_read), .port_write_o(port_write),
      .port_read_o(port_read), .pair_write_o(pair_write), .pair_read_o(pair_read), .port_o(port_of), .ports_o(ports)
  );
  assign refused = req & (access_error | (write ? own_wr_err : own_rd_err));

  logic [8:0] core_addr;
  assign core_addr = to.core.addr;
  always_comb begin
    soft_reset_o = core_write & core_addr == CORE_SOFT_RESET & wdata[0];
    commit_we_o = core_write & core_addr == CORE_COMMIT & wdata[0];
    cancel_we_o = core_write & core_addr == CORE_COMMIT_CANCEL & wdata[0];
    commit_at_we_o[0] = core_write & core_addr == CORE_COMMIT_AT;
    commit_at_we_o[1] = core_write & core_addr == CORE_COMMIT_AT + 9'd4;
    seq_go_we_o = core_write & core_addr == CORE_SEQ_GO & wdata[0];
    seq_swap_we_o = core_write & core_addr == CORE_SEQ_SWAP & wdata[0];
    seq_stop_we_o = core_write & core_addr == CORE_SEQ_STOP & wdata[0];
    seq_store_we_o = core_write & core_addr == CORE_SEQ_STORE;
    seed_we_o = core_write & core_addr == CORE_SEED;
    start_we_o = core_write & core_addr[8:5] == CORE_START[8:5] ? ports : '0;
    stop_we_o = core_write & core_addr[8:5] == CORE_STOP[8:5] ? ports : '0;
    retry_we_o = core_write & core_addr[8:5] == CORE_RETRY[8:5] ? ports : '0;
    seg_clear_o = core_write & core_addr[8:5] == CORE_SEG_FULL[8:5] ? ports : '0;
    error_clear_o = core_write & core_addr == CORE_ERROR ? wdata[Errors-1:0] & biten[Errors-1:0] : '0;
    access_error_o = refused;
    event_read_o = core_read & core_addr == CORE_EVENT;
  end
  assign data_o = wdata;
  assign biten_o = biten;

  ocs_settings #(.N(N)) u_settings (
      .clk_i, .rst_ni(rst_ni & ~soft_reset_o),
      .port_write_i(port_write), .port_addr_i(to.port.addr), .port_i(port_of),
      .core_write_i(core_write), .core_addr_i(core_addr), .data_i(wdata), .biten_i(biten),
      .valid_next_i, .input_next_i,
      .shadow_valid_o, .shadow_input_o, .base_o, .slow_o, .lock_o, .jitter_mask_o, .flap_o, .los_o, .dead_o, .stuck_o,
      .len_o, .gap_o, .repeat_o, .tag_o, .gated_o, .rate_o, .external_o, .launch_o, .seq_base_o
  );

  logic [29:0] pair_read_data;
  ocs_pair #(.N(N)) u_pair (
      .clk_i, .write_i(pair_write), .output_i(to.PAIR.addr[17:10]), .column_i(to.PAIR.addr[9:2]), .data_i(wdata),
      .biten_i(biten), .read_o(pair_read_data), .lookup_i(pair_lookup_i), .input_i(input_next_i), .pair_o
  );

  // ---- what a read gives: the generated block's value or u_read's, whichever was asked last ---------------------------------
  logic own_q;
  logic [31:0] own_rdata_q, read_data;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      own_q <= 1'b0;
      own_rdata_q <= '0;
    end else if (req & ~write) begin
      own_q <= ~(to.core.req | to.port.req | to.PAIR.req);
      own_rdata_q <= own_rdata;
    end
  end
  ocs_reg_read #(.N(N)) u_read (
      .clk_i, .rst_ni, .soft_reset_i(soft_reset_o),
      .core_read_i(core_read), .core_addr_i(core_addr), .port_read_i(port_read), .port_addr_i(to.port.addr),
      .port_i(port_of), .pair_read_i(pair_read), .pair_i(pair_read_data), .data_o(read_data),
      .shadow_valid_i(shadow_valid_o), .shadow_input_i(shadow_input_o), .base_i(base_o), .slow_i(slow_o),
      .lock_i(lock_o), .jitter_mask_i(jitter_mask_o), .flap_i(flap_o), .los_i(los_o), .dead_i(dead_o),
      .stuck_i(stuck_o), .len_i(len_o), .gap_i(gap_o), .repeat_i(repeat_o), .tag_i(tag_o), .gated_i(gated_o),
      .rate_i(rate_o), .external_i(external_o), .launch_i(launch_o),
      .seq_base_i(seq_base_o),
      .time_i, .commit_at_i, .event_i, .event_time_i, .status_i, .error_i, .irq_status_i, .valid_i, .input_i,
      .state_i, .cause_i, .engine_i, .seg_input_i, .seg_tag_i, .seg_first_i, .seg_count_i, .seg_full_i, .passed_i,
      .lost_i, .dark_i, .tunings_i, .restarts_i, .sent_i, .unrouted_i, .commits_i, .refused_i, .late_i, .dropped_i
  );
  assign rdata = own_q ? own_rdata_q : read_data;

  logic unused;
  assign unused = &{1'b0, own_rd_ack, own_wr_ack, stall_wr, stall_rd, to};
endmodule
