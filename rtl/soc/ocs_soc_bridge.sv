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
    output logic        event_push_o,        ///< an event has been taken
    output logic [31:0] event_o,             ///< its word, as register EVENT shows it
    output logic [31:0] event_time_o,        ///< low word of its stamp

    // ---- AXI4-Lite of the host ----
    input  logic        host_awvalid_i,  ///< AW: address offered
    output logic        host_awready_o,  ///< AW: accepted
    input  logic [19:0] host_awaddr_i,   ///< AW: byte address
    input  logic        host_wvalid_i,   ///< W: data offered
    output logic        host_wready_o,   ///< W: accepted
    input  logic [31:0] host_wdata_i,    ///< W: data
    input  logic [3:0]  host_wstrb_i,    ///< W: bytes to be written
    output logic        host_bvalid_o,   ///< B: answer offered
    input  logic        host_bready_i,   ///< B: accepted
    input  logic        host_arvalid_i,  ///< AR: address offered
    output logic        host_arready_o,  ///< AR: accepted
    input  logic [19:0] host_araddr_i,   ///< AR: byte address
    output logic        host_rvalid_o,   ///< R: answer offered
    input  logic        host_rready_i,   ///< R: accepted
    output logic [31:0] host_rdata_o,    ///< R: data

    // ---- AXI4-Lite of the switch ----
    output logic        awvalid_o,  ///< AW: address offered
    input  logic        awready_i,  ///< AW: accepted
    output logic [19:0] awaddr_o,   ///< AW: byte address
    output logic        wvalid_o,   ///< W: data offered
    input  logic        wready_i,   ///< W: accepted
    output logic [31:0] wdata_o,    ///< W: data
    output logic [3:0]  wstrb_o,    ///< W: bytes to be written
    input  logic        bvalid_i,   ///< B: answer offered
    output logic        bready_o,   ///< B: accepted
    input  logic        berror_i,   ///< B: SLVERR
    output logic        arvalid_o,  ///< AR: address offered
    input  logic        arready_i,  ///< AR: accepted
    output logic [19:0] araddr_o,   ///< AR: byte address
    input  logic        rvalid_i,   ///< R: answer offered
    output logic        rready_o,   ///< R: accepted
    input  logic [31:0] rdata_i,    ///< R: data
    input  logic        rerror_i    ///< R: SLVERR
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
  logic core_error, core_low, host_low, stamps;
  assign pending = want_i & (done_o == seen_i);
  assign unasked = pending & dead_q & state_q == Idle;
  assign host_asks = host_awvalid_i | host_wvalid_i | host_arvalid_i | host_write_q | host_read_q;
  assign free = state_q == Idle & ~host_asks & awready_i & wready_i & arready_i & ~dead_q;
  assign event_due = irq_i & ~host_takes_events_i & pause_q == '0 & ~dead_q;
  assign core_goes = free & pending & ~(event_due & core_was_last_q);
  assign event_goes = free & event_due & ~core_goes;
  assign answered = state_q == Core & core_write_q ? bvalid_i : rvalid_i;
  assign silent = ~answered & 32'(waited_q) == Patience;
  assign ends = state_q != Idle & ~asks_q & answered | state_q != Idle & silent;
  assign host_read_ends = host_rvalid_o & host_rready_i;
  assign core_error = core_write_q ? berror_i : rerror_i;
  assign core_low = ~core_write_q & ~rerror_i & ~silent & is_wide(addr_q) & ~addr_q[2];
  assign host_low = host_read_ends & ~rerror_i & is_wide(host_addr_q) & ~host_addr_q[2];
  assign stamps = rdata_i[31] & (rdata_i[30] | ~stamp_known_q) & ~silent;  // the event's stamp isn't known
  assign busy_o = pending | state_q != Idle | event_due;

  always_ff @(posedge bus_clk_i) begin
    if (!rst_ni) begin
      state_q <= Idle;
      {asks_q, dead_q, host_write_q, host_read_q, host_owns_q, core_was_last_q} <= '0;
      waited_q <= '0;
    end else begin
      host_write_q <= (host_awvalid_i & host_awready_o) | (host_write_q & ~(host_bvalid_o & host_bready_i));
      host_read_q <= (host_arvalid_i & host_arready_o) | (host_read_q & ~host_read_ends);
      waited_q <= state_q == Idle | ends ? '0 : waited_q + 1;
      if (state_q != Idle & silent) dead_q <= 1'b1;
      state_q <= state_d;
      asks_q <= state_d != state_q ? state_d == Follow | state_d == Stamp : asks_q & ~arready_i;
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
      data_o <= unasked | silent | core_error ? '0 : is_wide(addr_q) & addr_q[2] ? core_high_q : rdata_i;
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
    if (host_arvalid_i & host_arready_o) host_addr_q <= {host_araddr_i[19:2], 2'b00};
    if (state_q == Follow & ends & ~silent) begin
      if (host_owns_q) host_high_q <= rdata_i;
      else core_high_q <= rdata_i;
    end
    if (!rst_ni | (state_q == Core & ends & reset_q & ~berror_i)) {core_high_q, host_high_q} <= '0;
  end

  // ---- events -----------------------------------------------------------------------------------------------------------
  logic host_event, own_event;
  assign host_event = host_read_ends & host_addr_q == EventAddr & rdata_i[31];
  assign own_event = (state_q == Event & rdata_i[31] & ~rdata_i[30] & stamp_known_q) | state_q == Stamp;
  assign event_push_o = host_event | (own_event & ends & ~silent);
  assign event_o = state_q == Stamp ? word_q : rdata_i;
  assign event_time_o = host_event ? time_i : state_q == Stamp ? rdata_i : stamp_q;
  always_ff @(posedge bus_clk_i) begin
    if (!rst_ni) begin
      pause_q <= '0;
      stamp_known_q <= 1'b0;
    end else begin
      if (state_q == Event & ends & ~rdata_i[31]) pause_q <= Pause;
      else if (pause_q != '0) pause_q <= pause_q - 1;
      if (host_event | (state_q == Core & ends & reset_q)) stamp_known_q <= 1'b0;
      else if (state_q == Stamp & ends) stamp_known_q <= 1'b1;
    end
    if (state_q == Event & ends) word_q <= rdata_i;
    if (state_q == Stamp & ends) stamp_q <= rdata_i;
  end

  // ---- channels -----------------------------------------------------------------------------------------------------
  // The host looks on: it reads anything, and clears the segments that it has read. All else is the firmware's.
  logic host_may, core_writes, own_reads;
  assign host_may = host_awaddr_i[19:5] == SegFullAddr[19:5];
  assign core_writes = state_q == Core & core_write_q;
  assign own_reads = state_q != Idle & ~core_writes;
  assign awvalid_o = core_goes ? write_i : state_q == Idle & host_awvalid_i;
  assign wvalid_o = core_goes ? write_i : state_q == Idle & host_wvalid_i;
  assign awaddr_o = core_goes ? addr_i : host_may ? host_awaddr_i : Nowhere;
  assign wdata_o = core_goes ? data_i : host_wdata_i;
  assign wstrb_o = core_goes ? '1 : host_wstrb_i;
  assign bready_o = core_writes | (state_q == Idle & host_bready_i);
  assign host_awready_o = state_q == Idle & ~core_goes & awready_i;
  assign host_wready_o = state_q == Idle & ~core_goes & wready_i;
  assign host_bvalid_o = state_q == Idle & bvalid_i;

  always_comb begin
    case (state_q)
      Idle: begin
        arvalid_o = core_goes ? ~write_i : event_goes | (host_arvalid_i & ~host_read_q);
        araddr_o = core_goes ? addr_i : event_goes ? EventAddr : host_araddr_i;
      end
      Follow: begin
        arvalid_o = asks_q;
        araddr_o = (host_owns_q ? host_addr_q : addr_q) | 20'd4;
      end
      default: begin
        arvalid_o = asks_q;
        araddr_o = StampAddr;
      end
    endcase
  end
  assign rready_o = own_reads | (state_q == Idle & host_rready_i);
  assign host_arready_o = state_q == Idle & ~core_goes & ~event_goes & ~host_read_q & arready_i;
  assign host_rvalid_o = state_q == Idle & rvalid_i;
  assign host_rdata_o = is_wide(host_addr_q) & host_addr_q[2] & ~rerror_i ? host_high_q : rdata_i;

  logic unused;
  assign unused = &{1'b0, host_awaddr_i[4:0], host_araddr_i[1:0], addr_i[1:0]};
endmodule
