// The switch as a system on chip: the switch, a PicoRV32 that runs firmware/, its memories, and the mailbox to the host.
//
// There is one clock domain: on an FPGA all clocks are one net, `step_i` is 1 and `ahead_i` 0. Nothing that passes between
// the parts is synchronised, so that clocks of their own are no use. A simulator, which has its edges one after the other,
// may leave out those that would change nothing: it moves `clk_i` with a step of at most
// `horizon_o`; while the core runs that is 1, and each such edge goes with one of `core_clk_i`. As the fabric does
// nothing before its own horizon (`fabric_horizon_o`), those edges may be joined: `core_clk_i` alone, `ahead_i` saying by
// how many cycles the core is ahead, then one edge of `clk_i` for all of them, before the bus is used (`busy_o`).
//
// SPDX-License-Identifier: Apache-2.0
module ocs_soc
  import ocs_pkg::axil_req_t, ocs_pkg::axil_rsp_t;
  import ocs_soc_pkg::*;
#(
    /// Ports, 2 to 256.
    parameter int unsigned N = 16,
    /// Entries of a sequencer bank, a power of two, 2 to 32768.
    parameter int unsigned S = 16,
    /// Records of the event FIFO, a power of two, 2 to 4096.
    parameter int unsigned FifoDepth = 64,
    /// Words of the memory of program and data, a power of two, 8192 to 65536.
    parameter int unsigned RamWords = 16384,
    /// Cycles that the core waits for an access to the switch at least, 1 to 15.
    parameter int unsigned AccessCycles = 4
) (
    input  logic         clk_i,       ///< clock of the fabric, rising edge
    input  logic         bus_clk_i,   ///< clock of the bus and of the host's side of the mailbox
    input  logic         core_clk_i,  ///< clock of the core
    /// Synchronous reset, active low, for at least two edges of all clocks.
    input  logic         rst_ni,
    input  logic         core_rst_ni, ///< the core stands still in reset, active low; its memories can be loaded then
    /// Cycles that the next edge of clk_i stands for; 0 on a bus edge; 1 on an FPGA.
    input  logic [31:0]  step_i,
    /// Cycles by which the core is ahead of the fabric's clock.
    input  logic [31:0]  ahead_i,
    /// How far the next edge of clk_i may jump, at least 1.
    output logic [31:0]  horizon_o,
    output logic [31:0]  fabric_horizon_o, ///< the same of the fabric alone
    output logic         still_o,     ///< the core sleeps, or waits for the cycle of an access
    output logic [31:0]  wake_o,      ///< it goes on in so many cycles by itself; all ones: not by time
    output logic         busy_o,      ///< the core waits for the bus
    output logic [63:0]  time_o,      ///< number of the present cycle
    output logic         irq_o,       ///< the switch has an event or an error
    input  logic [N-1:0] valid_i,     ///< pins of EXTERNAL inputs
    /// Constant: the host reads every event in the cycle of its stamp, for which it stops the clocks, and the firmware gets
    /// it then. 0, as where no host is or it uses the mailbox alone: the hardware takes each from the switch by itself.
    input  logic         host_takes_events_i,
    input  logic [15:0]  word_bytes_i,///< constant: bytes of a word
    input  logic [31:0]  cycle_ps_i,  ///< constant: picoseconds of a cycle

    // ---- host: mailbox (bus_clk_i) ----
    input  command_t     command_i,      ///< a word of the command ring
    input  ring_t        head_i,         ///< commands that were written; rings the doorbell
    input  ring_t        tail_i,         ///< answers that were taken
    input  logic [10:0]  answer_addr_i,  ///< place of a word of the answer ring
    output mailbox_t     mailbox_o,      ///< that word, heads and tails, alerts

    // ---- host: loading (core_clk_i, while core_rst_ni is low) ----
    input  load_t        load_i,         ///< a word of memory

    // ---- what can be watched (before an edge of core_clk_i) ----
    output logic [7:0]   boot_o,         ///< how far the core has come
    output logic         bite_o,         ///< the watchdog holds the core in reset
    output console_t     console_o,      ///< what is printed
    output fetch_t       fetch_o,        ///< what is fetched

    // ---- host: AXI4-Lite of the switch, to look on (bus_clk_i) ----
    input  logic         awvalid_i,  ///< AW: address offered
    output logic         awready_o,  ///< AW: accepted
    input  logic [19:0]  awaddr_i,   ///< AW: byte address
    input  logic         wvalid_i,   ///< W: data offered
    output logic         wready_o,   ///< W: accepted
    input  logic [31:0]  wdata_i,    ///< W: data
    input  logic [3:0]   wstrb_i,    ///< W: bytes to be written
    output logic         bvalid_o,   ///< B: answer offered
    input  logic         bready_i,   ///< B: accepted
    output logic [1:0]   bresp_o,    ///< B: OKAY or SLVERR
    input  logic         arvalid_i,  ///< AR: address offered
    output logic         arready_o,  ///< AR: accepted
    input  logic [19:0]  araddr_i,   ///< AR: byte address
    output logic         rvalid_o,   ///< R: answer offered
    input  logic         rready_i,   ///< R: accepted
    output logic [31:0]  rdata_o,    ///< R: data; 0 with SLVERR
    output logic [1:0]   rresp_o     ///< R: OKAY or SLVERR
);
  if (N < 2 || N > 256) begin : g_ports_in_range
    $error("ocs_soc: N must be from 2 to 256");
  end
  if (S < 2 || S > 32768 || (S & (S - 1)) != 0) begin : g_entries_in_range
    $error("ocs_soc: S must be a power of two from 2 to 32768");
  end
  if (FifoDepth < 2 || FifoDepth > 4096 || (FifoDepth & (FifoDepth - 1)) != 0) begin : g_depth_in_range
    $error("ocs_soc: FifoDepth must be a power of two from 2 to 4096");
  end
  if (RamWords < 8192 || RamWords > 65536 || (RamWords & (RamWords - 1)) != 0) begin : g_memory_in_range
    $error("ocs_soc: RamWords must be a power of two from 8192 to 65536");
  end
  if (AccessCycles < 1 || AccessCycles > 15) begin : g_access_in_range
    $error("ocs_soc: AccessCycles must be from 1 to 15");
  end
  localparam int unsigned RamW = $clog2(RamWords);
  localparam int unsigned RomWords = 256, RingWords = 2048;
  localparam logic [3:0] Ram = 4'h0, Rom = 4'h1, Registers = 4'h2, Mailbox = 4'h3, Window = 4'h4;

  // ---- core ---------------------------------------------------------------------------------------------------------
  logic core_runs, trap;
  logic mem_valid, mem_instr, mem_ready, la_read, la_write;
  logic [31:0] mem_addr, mem_wdata, mem_rdata, la_addr, la_wdata;
  logic [3:0] mem_wstrb, la_wstrb, region;
  logic writes;
  assign core_runs = rst_ni & core_rst_ni & ~bite_o;
  assign region = mem_addr[31:28];
  assign writes = mem_wstrb != '0;
  picorv32 #(
      .ENABLE_COUNTERS64(0), .BARREL_SHIFTER(1), .ENABLE_FAST_MUL(1), .ENABLE_DIV(1), .REGS_INIT_ZERO(1),
      .PROGADDR_RESET(32'h1000_0000)
  ) u_core (
      .clk(core_clk_i), .resetn(core_runs), .trap,
      .mem_valid, .mem_instr, .mem_ready, .mem_addr, .mem_wdata, .mem_wstrb, .mem_rdata,
      .mem_la_read(la_read), .mem_la_write(la_write), .mem_la_addr(la_addr), .mem_la_wdata(la_wdata),
      .mem_la_wstrb(la_wstrb),
      .pcpi_valid(), .pcpi_insn(), .pcpi_rs1(), .pcpi_rs2(), .pcpi_wr(1'b0), .pcpi_rd('0), .pcpi_wait(1'b0),
      .pcpi_ready(1'b0), .irq('0), .eoi(), .trace_valid(), .trace_data()
  );
  assign fetch_o = {mem_valid & mem_instr & mem_ready, mem_addr};

  // ---- memories: read ahead of the access, so that it takes no cycle more --------------------------------------------
  logic [31:0] ram[RamWords];
  logic [31:0] rom[RomWords];
  logic [31:0] commands[RingWords];
  logic [31:0] answers[RingWords];
  logic [31:0] memory_q;
  always_ff @(posedge core_clk_i) begin
    if (la_read) begin
      case (la_addr[31:28])
        Ram: memory_q <= ram[la_addr[RamW+1:2]];
        Rom: memory_q <= rom[la_addr[9:2]];
        default: memory_q <= commands[la_addr[12:2]];
      endcase
    end
    if (load_i.we & ~core_rst_ni) begin
      if (load_i.addr[31:28] == Ram) ram[load_i.addr[RamW+1:2]] <= load_i.data;
      else rom[load_i.addr[9:2]] <= load_i.data;
    end else if (mem_valid & writes & core_runs) begin
      if (region == Ram)
        for (int b = 0; b < 4; b++) if (mem_wstrb[b]) ram[mem_addr[RamW+1:2]][8*b+:8] <= mem_wdata[8*b+:8];
      if (region == Mailbox) answers[mem_addr[12:2]] <= mem_wdata;
    end
  end
  always_ff @(posedge bus_clk_i) if (command_i.we) commands[command_i.addr] <= command_i.data;
  logic [31:0] command_tail, answer_head, alerts;
  assign mailbox_o = {alerts, answer_head, answers[answer_addr_i], command_tail};

  // ---- registers, bridge --------------------------------------------------------------------------------------------
  logic [63:0] now;
  logic register_ready, asleep, hold_on, held, window_done, done, seen_q;
  logic event_pop;
  event_t taken, oldest;  // from the switch; for the firmware
  logic [1:0] bus_access;
  logic [31:0] register_data, hold, until_hold, bus_data, bus_errors, events_lost, timer_wake;
  logic [3:0] waited_q;
  assign now = time_o + 64'(ahead_i);
  assign until_hold = hold - now[31:0];
  logic wants;
  assign wants = mem_valid & (region == Window) & core_runs;
  assign held = wants & hold_on & (until_hold != 0) & ~until_hold[31];
  assign window_done = wants & (done != seen_q) & (waited_q >= 4'(AccessCycles - 1));
  always_ff @(posedge core_clk_i) begin
    if (!rst_ni) begin
      seen_q <= 1'b0;
      waited_q <= '0;
    end else begin
      if (window_done | ~core_runs) seen_q <= done;
      waited_q <= ~wants | held | window_done ? '0 : waited_q == '1 ? '1 : waited_q + 1;
    end
  end

  always_comb begin
    case (region)
      Registers: {mem_ready, mem_rdata} = {register_ready, register_data};
      Window: {mem_ready, mem_rdata} = {window_done, bus_data};
      default: {mem_ready, mem_rdata} = {mem_valid, memory_q};
    endcase
  end

  ocs_soc_registers u_registers (
      .rst_ni, .core_clk_i, .valid_i(mem_valid & (region == Registers) & core_runs), .write_i(writes),
      .addr_i(mem_addr[7:0]), .data_i(mem_wdata), .ready_o(register_ready), .data_o(register_data),
      .now_i(now), .asleep_o(asleep), .wake_o(timer_wake), .hold_on_o(hold_on), .hold_o(hold), .hold_done_i(window_done),
      .bite_o, .trap_i(trap & core_runs),
      .bus_clk_i, .head_i, .command_tail_o(command_tail), .answer_head_o(answer_head), .tail_i,
      .event_i(oldest), .event_pop_o(event_pop),
      .events_lost_i(events_lost), .bus_errors_i(bus_errors), .bus_access_i(bus_access),
      .boot_o, .alerts_o(alerts), .console_o
  );

  ocs_soc_events u_events (
      .rst_ni, .bus_clk_i, .event_i(taken), .lost_o(events_lost),
      .core_clk_i, .pop_i(event_pop), .event_o(oldest)
  );

  axil_req_t host_req, axil_req;
  axil_rsp_t host_rsp, axil_rsp;
  assign host_req = {awvalid_i, awaddr_i, wvalid_i, wdata_i, wstrb_i, bready_i, arvalid_i, araddr_i, rready_i};
  assign {awready_o, wready_o, bvalid_o, bresp_o, arready_o, rvalid_o, rdata_o, rresp_o} = host_rsp;
  ocs_soc_bridge u_bridge (
      .bus_clk_i, .rst_ni,
      .want_i(wants & ~held), .write_i(writes), .addr_i(mem_addr[19:0]), .data_i(mem_wdata), .seen_i(seen_q),
      .done_o(done), .data_o(bus_data), .access_o(bus_access), .errors_o(bus_errors), .busy_o,
      .irq_i(irq_o), .host_takes_events_i, .time_i(time_o[31:0]), .event_o(taken),
      .host_req_i(host_req), .host_rsp_o(host_rsp), .axil_req_o(axil_req), .axil_rsp_i(axil_rsp)
  );

  // ---- the switch ---------------------------------------------------------------------------------------------------
  logic [63:0] no_words[N][1];
  always_comb for (int i = 0; i < int'(N); i++) no_words[i][0] = '0;
  ocs_fast_top #(.N(N), .S(S), .FifoDepth(FifoDepth)) u_switch (
      .clk_i, .bus_clk_i, .rst_ni, .step_i, .horizon_o(fabric_horizon_o), .time_o, .irq_o, .valid_i,
      .offer_o(), .index_o(), .tag_o(), .word_i(no_words), .up_o(), .input_o(), .word_valid_o(), .word_o(),
      .word_bytes_i, .cycle_ps_i,
      .awvalid_i(axil_req.awvalid), .awready_o(axil_rsp.awready), .awaddr_i(axil_req.awaddr), .wvalid_i(axil_req.wvalid),
      .wready_o(axil_rsp.wready), .wdata_i(axil_req.wdata), .wstrb_i(axil_req.wstrb), .bvalid_o(axil_rsp.bvalid),
      .bready_i(axil_req.bready), .bresp_o(axil_rsp.bresp), .arvalid_i(axil_req.arvalid), .arready_o(axil_rsp.arready),
      .araddr_i(axil_req.araddr), .rvalid_o(axil_rsp.rvalid), .rready_i(axil_req.rready), .rdata_o(axil_rsp.rdata),
      .rresp_o(axil_rsp.rresp)
  );

  // ---- time ---------------------------------------------------------------------------------------------------------
  assign still_o = asleep | held | ~core_rst_ni;
  assign wake_o = ~core_rst_ni ? '1 : held ? until_hold : timer_wake;
  assign horizon_o = ~still_o ? 32'd1 : fabric_horizon_o < wake_o ? fabric_horizon_o : wake_o;
  logic unused;
  assign unused = &{1'b0, la_write, la_wdata, la_wstrb, la_addr[27:RamW+2], la_addr[1:0], mem_addr[27:20],
                    load_i.addr[27:RamW+2], load_i.addr[1:0]};
endmodule
