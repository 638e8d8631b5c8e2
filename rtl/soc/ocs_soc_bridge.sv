// The way to the switch's registers for two masters, the core and the host, and for the events that the core is told of.
//
// The core's requests become AXI4-Lite transfers beside those of the host, which goes first; they and their answers cross
// between the clocks as toggles. Each master has its own latch: after a read of a low word the bridge reads the high one
// at once and keeps it for who has asked. Where nobody else takes the switch's events (`host_takes_events_i` is 0) the
// bridge does while `irq_i` is high, with a pause after a look in vain; else it hands on those that the host takes. A
// transfer that isn't answered within `Patience` edges is given up, and with it the switch until the next reset.
//
// SPDX-License-Identifier: Apache-2.0
module ocs_soc_bridge
  import ocs_addr_pkg::*;
  import ocs_pkg::axil_req_t, ocs_pkg::axil_rsp_t;
  import ocs_soc_pkg::event_t;
#(
    /// Edges of the bus after which an answer isn't waited for any longer, 8 to 255.
    parameter int unsigned Patience = 255
) (
    input  logic        bus_clk_i,  ///< clock of the bus, rising edge
    input  logic        rst_ni,     ///< synchronous reset, active low

    // ---- the core ----
    input  logic        want_i,     ///< the core waits for an access, and it is due
    input  logic        write_i,    ///< it is a write
    input  logic [19:0] addr_i,     ///< byte address in the window
    input  logic [31:0] data_i,     ///< data of a write
    input  logic        seen_i,     ///< the core has taken the answer whose toggle this is
    output logic        done_o,     ///< toggles with each answer
    output logic [31:0] data_o,     ///< data of a read
    output logic [1:0]  access_o,   ///< how the access has ended: 0 done, 1 refused, 2 not answered
    output logic [31:0] errors_o,   ///< accesses that weren't done, ever
    output logic        busy_o,     ///< the bus is to be clocked before anything else

    // ---- events ----
    input  logic        irq_i,               ///< the switch may have an event
    input  logic        host_takes_events_i, ///< constant: the host takes every event, in the cycle of its stamp
    input  logic [31:0] time_i,              ///< low word of the present cycle
    output event_t      event_o,             ///< an event that has been taken

    // ---- AXI4-Lite ----
    input  axil_req_t   host_req_i,  ///< of the host
    output axil_rsp_t   host_rsp_o,  ///< to it
    output axil_req_t   axil_req_o,  ///< to the switch
    input  axil_rsp_t   axil_rsp_i   ///< of it
);
  if (Patience < 8 || Patience > 255) begin : g_patience_in_range
    $error("ocs_soc_bridge: Patience must be from 8 to 255");
  end
  localparam logic [19:0] CoreAt = 20'h00400, Nowhere = 20'h80000;  // device registers; where no register is
  localparam logic [4:0] PortsAt = 5'd1;                            // port registers, in units of 2^15
  localparam logic [19:0] EventAddr = CoreAt + 20'(CORE_EVENT), StampAddr = CoreAt + 20'(CORE_EVENT_TIME),
      SegFullAddr = CoreAt + 20'(CORE_SEG_FULL), ResetAddr = CoreAt + 20'(CORE_SOFT_RESET);
  localparam logic [1:0] Done = 2'd0, Refused = 2'd1, Silent = 2'd2;
  localparam logic [3:0] Pause = 4'd15;  // edges of the bus without a look

  // A low word whose read latches the high one.
  function automatic logic is_wide(input logic [19:0] addr);
    return (addr[19:9] == CoreAt[19:9] & addr[8:0] < CORE_EVENT) | (addr[19:15] == PortsAt & addr[14:0] >= PORT_PASSED);
  endfunction

  // ---- whose turn it is ---------------------------------------------------------------------------------------------
  typedef enum logic [2:0] {
    Idle,    // the host's transfers pass
    Core,    // the core's
    Follow,  // the high word of what was read last
    Event,   // EVENT
    Stamp    // EVENT_TIME of what EVENT gave
  } state_e;
  state_e state_q, state_d;
  logic asks_q;                       // the transfer of this state hasn't been accepted
  logic dead_q;                       // the switch doesn't answer
  logic host_write_q, host_read_q;    // the host's transfers under way
  logic host_owns_q;                  // of Follow
  logic core_write_q, core_was_last_q;
  logic [19:0] addr_q, host_addr_q;   // of the core's transfer, of the host's read
  logic [7:0] waited_q;
  logic [3:0] pause_q;
  logic [31:0] core_high_q, host_high_q, word_q, stamp_q;
  logic stamp_known_q, reset_q;

  logic host_asks, pending, unasked, free, event_due, core_goes, event_goes, answered, silent, ends, host_read_ends;
  logic to_host_awready, to_host_wready, to_host_bvalid, to_host_arready, to_host_rvalid;
  logic [31:0] to_host_rdata;
  logic core_error, core_low, host_low, stamps;
  assign pending = want_i & (done_o == seen_i);
  assign unasked = pending & dead_q & state_q == Idle;
  assign host_asks = host_req_i.awvalid | host_req_i.wvalid | host_req_i.arvalid | host_write_q | host_read_q;
  assign free = state_q == Idle & ~host_asks & axil_rsp_i.awready & axil_rsp_i.wready & axil_rsp_i.arready & ~dead_q;
  assign event_due = irq_i & ~host_takes_events_i & pause_q == '0 & ~dead_q;
  assign core_goes = free & pending & ~(event_due & core_was_last_q);
  assign event_goes = free & event_due & ~core_goes;
  assign answered = state_q == Core & core_write_q ? axil_rsp_i.bvalid : axil_rsp_i.rvalid;
  assign silent = ~answered & 32'(waited_q) == Patience;
  assign ends = state_q != Idle & ~asks_q & answered | state_q != Idle & silent;
  assign host_read_ends = to_host_rvalid & host_req_i.rready;
  assign core_error = core_write_q ? axil_rsp_i.bresp[1] : axil_rsp_i.rresp[1];
  assign core_low = ~core_write_q & ~axil_rsp_i.rresp[1] & ~silent & is_wide(addr_q) & ~addr_q[2];
  assign host_low = host_read_ends & ~axil_rsp_i.rresp[1] & is_wide(host_addr_q) & ~host_addr_q[2];
  assign stamps = axil_rsp_i.rdata[31] & (axil_rsp_i.rdata[30] | ~stamp_known_q) & ~silent;  // the event's stamp isn't known
  assign busy_o = pending | state_q != Idle | event_due;

  always_ff @(posedge bus_clk_i) begin
    if (!rst_ni) begin
      state_q <= Idle;
      {asks_q, dead_q, host_write_q, host_read_q, host_owns_q, core_was_last_q} <= '0;
      waited_q <= '0;
    end else begin
      host_write_q <= (host_req_i.awvalid & to_host_awready) | (host_write_q & ~(to_host_bvalid & host_req_i.bready));
      host_read_q <= (host_req_i.arvalid & to_host_arready) | (host_read_q & ~host_read_ends);
      waited_q <= state_q == Idle | ends ? '0 : waited_q + 1;
      if (state_q != Idle & silent) dead_q <= 1'b1;
      state_q <= state_d;
      asks_q <= state_d != state_q ? state_d == Follow | state_d == Stamp : asks_q & ~axil_rsp_i.arready;
      if (core_goes | event_goes) core_was_last_q <= core_goes;
      if (state_d == Follow & state_q != Follow) host_owns_q <= state_q == Idle;
    end
  end

  always_comb begin
    state_d = ends ? Idle : state_q;
    if (core_goes) state_d = Core;
    if (event_goes) state_d = Event;
    if (host_low | (state_q == Core & ends & core_low)) state_d = Follow;
    if (state_q == Event & ends & stamps) state_d = Stamp;
  end

  // ---- what the core is told ------------------------------------------------------------------------------------------
  always_ff @(posedge bus_clk_i) begin
    if (!rst_ni) begin
      done_o <= 1'b0;
      errors_o <= '0;
      access_o <= Done;
    end else if (unasked | (state_q == Core & ends)) begin
      done_o <= ~done_o;
      data_o <= unasked | silent | core_error ? '0 : is_wide(addr_q) & addr_q[2] ? core_high_q : axil_rsp_i.rdata;
      access_o <= unasked | silent ? Silent : core_error ? Refused : Done;
      if (unasked | silent | core_error) errors_o <= errors_o + 1;
    end
  end

  // ---- latches ----------------------------------------------------------------------------------------------------------
  always_ff @(posedge bus_clk_i) begin
    if (core_goes) begin
      addr_q <= {addr_i[19:2], 2'b00};
      core_write_q <= write_i;
      reset_q <= write_i & data_i[0] & addr_i[19:2] == ResetAddr[19:2];
    end
    if (host_req_i.arvalid & to_host_arready) host_addr_q <= {host_req_i.araddr[19:2], 2'b00};
    if (state_q == Follow & ends & ~silent) begin
      if (host_owns_q) host_high_q <= axil_rsp_i.rdata;
      else core_high_q <= axil_rsp_i.rdata;
    end
    if (!rst_ni | (state_q == Core & ends & reset_q & ~axil_rsp_i.bresp[1])) {core_high_q, host_high_q} <= '0;
  end

  // ---- events -----------------------------------------------------------------------------------------------------------
  logic host_event, own_event;
  assign host_event = host_read_ends & host_addr_q == EventAddr & axil_rsp_i.rdata[31];
  assign own_event = (state_q == Event & axil_rsp_i.rdata[31] & ~axil_rsp_i.rdata[30] & stamp_known_q) | state_q == Stamp;
  assign event_o.valid = host_event | (own_event & ends & ~silent);
  assign event_o.word = state_q == Stamp ? word_q : axil_rsp_i.rdata;
  assign event_o.cycle = host_event ? time_i : state_q == Stamp ? axil_rsp_i.rdata : stamp_q;
  always_ff @(posedge bus_clk_i) begin
    if (!rst_ni) begin
      pause_q <= '0;
      stamp_known_q <= 1'b0;
    end else begin
      if (state_q == Event & ends & ~axil_rsp_i.rdata[31]) pause_q <= Pause;
      else if (pause_q != '0) pause_q <= pause_q - 1;
      if (host_event | (state_q == Core & ends & reset_q)) stamp_known_q <= 1'b0;
      else if (state_q == Stamp & ends) stamp_known_q <= 1'b1;
    end
    if (state_q == Event & ends) word_q <= axil_rsp_i.rdata;
    if (state_q == Stamp & ends) stamp_q <= axil_rsp_i.rdata;
  end

  // ---- channels -----------------------------------------------------------------------------------------------------
  // The host looks on: it reads anything, and clears the segments that it has read. All else is the firmware's.
  logic host_may, core_writes, own_reads;
  assign host_may = host_req_i.awaddr[19:5] == SegFullAddr[19:5];
  assign core_writes = state_q == Core & core_write_q;
  assign own_reads = state_q != Idle & ~core_writes;
  assign axil_req_o.awvalid = core_goes ? write_i : state_q == Idle & host_req_i.awvalid;
  assign axil_req_o.wvalid = core_goes ? write_i : state_q == Idle & host_req_i.wvalid;
  assign axil_req_o.awaddr = core_goes ? addr_i : host_may ? host_req_i.awaddr : Nowhere;
  assign axil_req_o.wdata = core_goes ? data_i : host_req_i.wdata;
  assign axil_req_o.wstrb = core_goes ? '1 : host_req_i.wstrb;
  assign axil_req_o.bready = core_writes | (state_q == Idle & host_req_i.bready);
  assign to_host_awready = state_q == Idle & ~core_goes & axil_rsp_i.awready;
  assign to_host_wready = state_q == Idle & ~core_goes & axil_rsp_i.wready;
  assign to_host_bvalid = state_q == Idle & axil_rsp_i.bvalid;

  logic arvalid;
  logic [19:0] araddr;
  always_comb begin
    case (state_q)
      Idle: begin
        arvalid = core_goes ? ~write_i : event_goes | (host_req_i.arvalid & ~host_read_q);
        araddr = core_goes ? addr_i : event_goes ? EventAddr : host_req_i.araddr;
      end
      Follow: begin
        arvalid = asks_q;
        araddr = (host_owns_q ? host_addr_q : addr_q) | 20'd4;
      end
      default: begin
        arvalid = asks_q;
        araddr = StampAddr;
      end
    endcase
  end
  assign axil_req_o.arvalid = arvalid;
  assign axil_req_o.araddr = araddr;
  assign axil_req_o.rready = own_reads | (state_q == Idle & host_req_i.rready);
  assign to_host_arready = state_q == Idle & ~core_goes & ~event_goes & ~host_read_q & axil_rsp_i.arready;
  assign to_host_rvalid = state_q == Idle & axil_rsp_i.rvalid;
  assign to_host_rdata = is_wide(host_addr_q) & host_addr_q[2] & ~axil_rsp_i.rresp[1] ? host_high_q : axil_rsp_i.rdata;
  assign host_rsp_o = {to_host_awready, to_host_wready, to_host_bvalid, axil_rsp_i.bresp, to_host_arready, to_host_rvalid,
                       to_host_rdata, axil_rsp_i.rresp};

  logic unused;
  assign unused = &{1'b0, host_req_i, axil_rsp_i, addr_i[1:0]};
endmodule
