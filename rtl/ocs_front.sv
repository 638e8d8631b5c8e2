// Register front end of both tops: AXI4-Lite, the generated block, and what a request is to all other registers.
//
// Whoever uses it serves the device registers, the port registers and PAIR: each accepted access is one edge long, and the
// data of a read come after its edge. In simulation `clk_i` moves only while the bus does; on an FPGA it is the fabric's.
//
// SPDX-License-Identifier: Apache-2.0
module ocs_front
  import ocs_pkg::*;
  import ocs_addr_pkg::*;
  import ocs_regs_pkg::*;
#(
    /// Ports, 2 to 256.
    parameter int unsigned N = 16,
    /// Entries of a sequencer bank, a power of two, 2 to 32768.
    parameter int unsigned S = 16,
    /// Records of the event FIFO, a power of two, 2 to 4096.
    parameter int unsigned FifoDepth = 64,
    /// Options that are there, bits as in CAP_OPTIONS, 0 to 4095; what belongs to another one refuses writes.
    parameter int unsigned Options = AllOptions,
    /// Edges after that of a request until what it reads is known, 0 to 15.
    parameter int unsigned Latency = 0
) (
    input  logic         clk_i,   ///< clock, rising edge
    /// Synchronous reset, active low, for at least two edges.
    input  logic         rst_ni,
    /// Constants: bytes of a word, picoseconds of a cycle; shown in CAP_WORD and CYCLE_PS.
    input  logic [15:0]  word_bytes_i,
    input  logic [31:0]  cycle_ps_i,

    /// AXI4-Lite.
    input  axil_req_t    axil_req_i,
    output axil_rsp_t    axil_rsp_o,
    /// The request that completes at this edge; ports that the write of a mask or port register names.
    output access_t      access_o,
    output logic [N-1:0] ports_o,
    /// What the last accepted read of a register that isn't in the generated block gave.
    input  logic [31:0]  data_i,
    /// Settings of the whole switch.
    output modes_t       modes_o
);
  if (N < 2 || N > 256) begin : g_ports_in_range
    $error("ocs_front: N must be from 2 to 256");
  end
  if (Options > AllOptions) begin : g_options_in_range
    $error("ocs_front: Options must be from 0 to 4095");
  end
  if (S < 2 || S > 32768 || (S & (S - 1)) != 0) begin : g_entries_in_range
    $error("ocs_front: S must be a power of two from 2 to 32768");
  end
  if (FifoDepth < 2 || FifoDepth > 4096 || (FifoDepth & (FifoDepth - 1)) != 0) begin : g_depth_in_range
    $error("ocs_front: FifoDepth must be a power of two from 2 to 4096");
  end
  if (Latency > 15) begin : g_latency_in_range
    $error("ocs_front: Latency must be from 0 to 15");
  end

  // ---- requests -------------------------------------------------------------------------------------------------------------
  logic req, write, refused;
  logic [19:0] addr;
  logic [31:0] wdata, biten, rdata;
  ocs_axil #(.AddrW(20), .Latency(Latency)) u_axil (
      .clk_i, .rst_ni,
      .awvalid_i(axil_req_i.awvalid), .awready_o(axil_rsp_o.awready), .awaddr_i(axil_req_i.awaddr),
      .wvalid_i(axil_req_i.wvalid), .wready_o(axil_rsp_o.wready), .wdata_i(axil_req_i.wdata), .wstrb_i(axil_req_i.wstrb),
      .bvalid_o(axil_rsp_o.bvalid), .bready_i(axil_req_i.bready), .bresp_o(axil_rsp_o.bresp),
      .arvalid_i(axil_req_i.arvalid), .arready_o(axil_rsp_o.arready), .araddr_i(axil_req_i.araddr),
      .rvalid_o(axil_rsp_o.rvalid), .rready_i(axil_req_i.rready), .rdata_o(axil_rsp_o.rdata), .rresp_o(axil_rsp_o.rresp),
      .req_o(req), .write_o(write), .addr_o(addr), .data_o(wdata), .biten_o(biten), .error_i(refused), .data_i(rdata)
  );

  // Reset and constants, registered like all that a request looks at.
  logic [15:0] word_bytes_q;
  logic [31:0] cycle_ps_q;
  logic in_reset_q;
  always_ff @(posedge clk_i) begin
    in_reset_q <= ~rst_ni;
    word_bytes_q <= word_bytes_i;
    cycle_ps_q <= cycle_ps_i;
  end

  // ---- generated block: constants, modes, decoding ----------------------------------------------------------------------------
  ocs_regs__in_t from;
  // Nothing uses it as a whole, nor in an always block, so that Verilator needs no variable for it.
  ocs_regs__out_t to;  // verilator lint_off UNUSEDSIGNAL
  // verilator lint_on UNUSEDSIGNAL
  logic [31:0] own_rdata;
  logic soft_reset;
  logic own_rd_ack, own_rd_err, own_wr_ack, own_wr_err, stall_wr, stall_rd;
  assign from.soft_reset = in_reset_q | soft_reset;
  assign from.CAP_SIZE.PORTS.next = 16'(N);
  assign from.CAP_SIZE.SEQ_ENTRIES.next = 16'(S);
  assign from.CAP_WORD.WORD_BYTES.next = word_bytes_q;
  assign from.CAP_WORD.FIFO_DEPTH.next = 16'(FifoDepth);
  assign {from.CAP_OPTIONS.POWER.next, from.CAP_OPTIONS.POSITIONS.next, from.CAP_OPTIONS.NEIGHBOURS.next, from.CAP_OPTIONS.RECEIVER.next,
          from.CAP_OPTIONS.SERIAL.next, from.CAP_OPTIONS.FAULTS.next, from.CAP_OPTIONS.EXTERNAL.next, from.CAP_OPTIONS.ALL_STOP.next,
          from.CAP_OPTIONS.MULTICAST.next, from.CAP_OPTIONS.RATE.next, from.CAP_OPTIONS.JITTER.next, from.CAP_OPTIONS.PAIR.next} = Options[11:0];
  assign from.CYCLE_PS.PICOSECONDS.next = cycle_ps_q;
  // The other registers answer in the same cycle; their data come over data_i.
  assign from.core = '{rd_ack: to.core.req & ~to.core.req_is_wr, rd_data: '0, wr_ack: to.core.req & to.core.req_is_wr};
  assign from.port = '{rd_ack: to.port.req & ~to.port.req_is_wr, rd_data: '0, wr_ack: to.port.req & to.port.req_is_wr};
  assign from.optics = '{rd_ack: to.optics.req & ~to.optics.req_is_wr, rd_data: '0, wr_ack: to.optics.req & to.optics.req_is_wr};
  assign from.PAIR = '{rd_ack: to.PAIR.req & ~to.PAIR.req_is_wr, rd_data: '0, wr_ack: to.PAIR.req & to.PAIR.req_is_wr};
  logic absent;  // a write that asks for an option that isn't there
  ocs_regs u_regs (
      .clk(clk_i), .rst_n(rst_ni),
      .s_cpuif_req(req), .s_cpuif_req_is_wr(write), .s_cpuif_addr(addr), .s_cpuif_wr_data(wdata),
      .s_cpuif_wr_biten(absent ? '0 : biten), .s_cpuif_req_stall_wr(stall_wr), .s_cpuif_req_stall_rd(stall_rd),
      .s_cpuif_rd_ack(own_rd_ack), .s_cpuif_rd_err(own_rd_err), .s_cpuif_rd_data(own_rdata),
      .s_cpuif_wr_ack(own_wr_ack), .s_cpuif_wr_err(own_wr_err),
      .hwif_in(from), .hwif_out(to)
  );
  assign modes_o.all_stop = to.CTRL.ALL_STOP.value;
  assign modes_o.multicast = to.CTRL.MULTICAST.value;
  assign modes_o.irq_enable = {to.IRQ_ENABLE.ERROR.value, to.IRQ_ENABLE.OVERFLOW.value, to.IRQ_ENABLE.EVENT.value};
  assign modes_o.seq_offset = to.SEQ_OFFSET.VALUE.value;
  assign modes_o.seq_len = to.SEQ_LEN.VALUE.value;
  assign modes_o.seq_period = to.SEQ_PERIOD.VALUE.value;
  assign modes_o.prog = Options[OptSerial] ? to.PROG.VALUE.value : '0;
  assign modes_o.prog_lanes = Options[OptSerial] ? to.PROG_LANES.VALUE.value : '0;
  assign modes_o.receivers = Options[OptReceiver] ? to.RECEIVER.ON.value : 1'b0;
  assign modes_o.disturb = Options[OptNeighbours] ? to.DISTURB.VALUE.value : '0;
  assign modes_o.disturb_at = Options[OptNeighbours] ? to.DISTURB_AT.DISTANCES.value : '0;
  assign modes_o.light = Options[OptPower] ? to.LEVEL.ON.value : 1'b0;
  assign modes_o.threshold = Options[OptPower] ? to.LEVEL.THRESHOLD.value : '0;
  assign modes_o.hysteresis = Options[OptPower] ? to.LEVEL.HYSTERESIS.value : '0;
  assign modes_o.los_assert = Options[OptPower] ? to.LOS_ASSERT.VALUE.value : '0;
  assign modes_o.los_release = Options[OptPower] ? to.LOS_RELEASE.VALUE.value : '0;
  assign modes_o.ring_after = Options[OptPower] ? to.RING_AFTER.VALUE.value : '0;
  assign modes_o.ring = Options[OptPower] ? to.RING.VALUE.value : '0;
  assign modes_o.rings = Options[OptPower] ? to.RINGS.VALUE.value : '0;
  assign modes_o.commit_tag = to.COMMIT_TAG.VALUE.value;
  assign modes_o.brief = to.BRIEF.ON.value;
  assign modes_o.warm_time = Options[OptReceiver] ? to.RECEIVER.WARM_TIME.value : '0;

  // ---- what the request does ----------------------------------------------------------------------------------------------------
  logic [31:0] given;  // bits that are written as 1
  assign given = wdata & biten;
  typedef struct packed {
    logic core_write, core_read, port_write, port_read, optics_write, optics_read, pair_write, pair_read;
  } does_t;
  typedef struct packed {
    logic absent, error;  // a write that asks for an option that isn't there; the request is refused for another reason
    does_t does;
    logic [7:0] port;
    logic [N-1:0] ports;
  } found_t;
  typedef struct packed {
    logic core, port, optics, pair;
  } region_t;
  found_t found_now, found;
  region_t region;  // what the request's address is in
  logic port_write;
  ocs_access #(.N(N), .S(S), .Options(Options)) u_access (
      .addr_i(addr[19:2]), .core_i(region.core), .core_addr_i(addr[8:0]), .port_i(region.port), .port_addr_i(addr[14:0]),
      .optics_i(region.optics), .optics_addr_i(addr[12:0]), .pair_i(region.pair), .pair_addr_i(addr[17:0]),
      .write_i(write), .data_i(wdata), .biten_i(biten),
      .absent_o(found_now.absent), .error_o(found_now.error), .core_write_o(found_now.does.core_write), .core_read_o(found_now.does.core_read),
      .port_write_o(found_now.does.port_write), .port_read_o(found_now.does.port_read), .optics_write_o(found_now.does.optics_write), .optics_read_o(found_now.does.optics_read),
      .pair_write_o(found_now.does.pair_write), .pair_read_o(found_now.does.pair_read),
      .port_o(found_now.port), .ports_o(found_now.ports)
  );
  if (Latency == 0) begin : g_at_once
    assign region = '{core: to.core.req, port: to.port.req, optics: to.optics.req, pair: to.PAIR.req};
    always_comb begin
      found = found_now;
      if (found_now.absent) found.does = '0;
    end
    assign soft_reset = found.does.core_write & to.core.addr == CORE_SOFT_RESET & wdata[0];
  end else begin : g_before
    // What it does is found at the edge before it goes out, since that is the longest way to a setting.
    found_t found_q;
    logic soft_q;
    assign region = '{core: addr[19:9] == 11'h002, port: addr[19:15] == 5'h01, optics: addr[19:13] == 7'h08 & addr[12:10] < 3'd5,
                      pair: addr[19:18] == 2'b01};
    always_ff @(posedge clk_i) begin
      found_q <= found_now;
      soft_q <= write & addr == {11'd2, CORE_SOFT_RESET} & biten == '1 & wdata[0];
    end
    always_comb begin
      found = found_q;
      if (!req | found_q.absent) found.does = '0;
    end
    assign soft_reset = req & soft_q;
  end
  assign absent = found.absent;
  assign refused = req & (found.error | absent | (write ? own_wr_err : own_rd_err));
  assign port_write = found.does.port_write;
  logic brief_shadow, brief_start;
  assign brief_shadow = port_write & to.BRIEF.ON.value & to.port.addr[14:10] == PORT_SHADOW[14:10];
  assign brief_start = port_write & to.BRIEF.ON.value & to.port.addr[14:10] == PORT_BURST[14:10] & given[PORT_BURST_START_LSB];
  assign access_o = '{request: req, error: refused, soft_reset: soft_reset, core_write: found.does.core_write, core_read: found.does.core_read,
                      port_write: port_write, port_read: found.does.port_read,
                      optics_write: found.does.optics_write, optics_read: found.does.optics_read, pair_write: found.does.pair_write, pair_read: found.does.pair_read,
                      block: brief_shadow & given[PORT_SHADOW_BLOCK_LSB],
                      commit: brief_shadow & given[PORT_SHADOW_COMMIT_LSB], start: brief_start,
                      core_addr: to.core.addr, port_addr: to.optics.req ? 15'(to.optics.addr) : to.port.addr, port: found.port, pair_output: to.PAIR.addr[17:10],
                      pair_column: to.PAIR.addr[9:2], data: wdata, biten: biten};

  assign ports_o = found.ports;

  // ---- what a read gives: the generated block's value or another register's, whichever was asked last -----------------------
  logic own_q, elsewhere;
  logic [31:0] own_rdata_q;
  assign elsewhere = to.core.req | to.port.req | to.optics.req | to.PAIR.req;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      own_q <= 1'b0;
      own_rdata_q <= '0;
    end else if (req & ~write) begin
      own_q <= ~elsewhere;
      own_rdata_q <= own_rdata;
    end
  end
  assign rdata = own_q ? own_rdata_q : data_i;

  logic unused;
  assign unused = &{1'b0, own_rd_ack, own_wr_ack, stall_wr, stall_rd};
endmodule
