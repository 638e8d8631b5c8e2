// What a register request does: refused, or which strobes it gives (sections 1 and 12). No state.
//
// SPDX-License-Identifier: Apache-2.0
module ocs_access
  import ocs_addr_pkg::*;
  import ocs_pkg::*;
#(
    /// Ports, 2 to 256.
    parameter int unsigned N = 16,
    /// Entries of a sequencer bank, a power of two, 2 to 32768.
    parameter int unsigned S = 16,
    /// Options that are there, bits as in CAP_OPTIONS, 0 to 4095.
    parameter int unsigned Options = AllOptions
) (
    /// The address of the request in the window.
    input  logic [19:2]  addr_i,
    /// Requests to the device registers, the port and optics registers and the PAIR memory: offsets in each.
    input  logic         core_i,
    input  logic [8:0]   core_addr_i,
    input  logic         port_i,
    input  logic [14:0]  port_addr_i,
    input  logic         optics_i,
    input  logic [12:0]  optics_addr_i,
    input  logic         pair_i,
    input  logic [17:0]  pair_addr_i,
    input  logic         write_i,
    input  logic [31:0]  data_i,
    input  logic [31:0]  biten_i,

    /// The request is a write that gives a field of an option that isn't there another value than it has after reset.
    output logic         absent_o,
    /// The request is refused for another reason.
    output logic         error_o,
    /// Requests that are accepted, if that one isn't there: write and read of device registers, of port and optics registers, of PAIR.
    output logic         core_write_o,
    output logic         core_read_o,
    output logic         port_write_o,
    output logic         port_read_o,
    output logic         optics_write_o,
    output logic         optics_read_o,
    output logic         pair_write_o,
    output logic         pair_read_o,
    /// Port of a port or optics register; ports of a mask write, or that port alone.
    output logic [7:0]   port_o,
    output logic [N-1:0] ports_o
);
  if (N < 2 || N > 256) begin : g_ports_in_range
    $error("ocs_access: N must be from 2 to 256");
  end
  if (S < 2 || S > 32768 || (S & (S - 1)) != 0) begin : g_entries_in_range
    $error("ocs_access: S must be a power of two from 2 to 32768");
  end
  if (Options > AllOptions) begin : g_options_in_range
    $error("ocs_access: Options must be from 0 to 4095");
  end

  // ---- options that aren't there (section 12) --------------------------------------------------------------------------------
  localparam logic [11:0] There = 12'(Options);
  logic in_tables;              // a word of LOCK_WARM or LOCK_COLD, among the device registers
  assign in_tables = core_addr_i[8:6] == CORE_LOCK_WARM[8:6] | core_addr_i[8:6] == CORE_LOCK_COLD[8:6];
  logic [31:0] absent, kept;  // bits of the word that belong to such options, and what they read
  always_comb begin
    absent = '0;
    kept = '0;
    if (addr_i[19:18] == 2'b01) absent = {2'b00, {30{~There[OptPair]}}};
    if (addr_i[19:15] == 5'd1) begin
      unique case (addr_i[14:10])
        PORT_JITTER_MASK[14:10]: absent = {2'b00, {30{~There[OptJitter]}}};
        PORT_SLOW[14:10], PORT_FLAP[14:10]: absent = {2'b00, {30{~There[OptFaults]}}};
        PORT_FAULT[14:10]: absent = {28'd0, ~There[OptPositions], {3{~There[OptFaults]}}};
        PORT_SOURCE[14:10]: begin
          absent = {~There[OptExternal], 15'd0, {16{~There[OptRate]}}};
          kept = {16'd0, FullRate};
        end
        default: ;
      endcase
    end
    if (addr_i[19:11] == 9'h21) absent = {16'd0, {16{~There[OptPower]}}};  // LASER, LOSS
    unique case ({addr_i, 2'b00})
      20'h18:  absent = {30'd0, ~There[OptMulticast], ~There[OptAllStop]};  // CTRL
      20'h2c:  absent = {2'b00, {30{~There[OptSerial]}}};                   // PROG
      20'h30:  absent = {23'd0, {9{~There[OptSerial]}}};                    // PROG_LANES
      20'h34:  absent = {~There[OptReceiver], 1'b0, {30{~There[OptReceiver]}}};  // RECEIVER
      20'h40:  absent = {2'b00, {30{~There[OptNeighbours]}}};               // DISTURB
      20'h44:  absent = {32{~There[OptNeighbours]}};                        // DISTURB_AT
      20'h48:  absent = {32{~There[OptPower]}};                             // LEVEL
      20'h4c, 20'h50, 20'h54, 20'h58: absent = {2'b00, {30{~There[OptPower]}}};  // LOS_ASSERT to RING
      20'h5c:  absent = {24'd0, {8{~There[OptPower]}}};                     // RINGS
      default: ;
    endcase
    if (addr_i[19:9] == 11'd2 & in_tables) absent = {2'b00, {30{~There[OptReceiver]}}};
  end
  assign absent_o = write_i & ((data_i ^ kept) & biten_i & absent) != '0;

  // ---- port registers ---------------------------------------------------------------------------------------------------
  logic wide, port_read_only, port_error;
  assign wide = port_addr_i >= PORT_PASSED;
  logic misrouted;  // of the optics registers, the one of 64 bits
  assign misrouted = optics_addr_i < OPTICS_LASER;
  always_comb begin
    if (optics_i) port_o = misrouted ? optics_addr_i[10:3] : optics_addr_i[9:2];
    else port_o = wide ? port_addr_i[10:3] : port_addr_i[9:2];
  end
  always_comb begin
    unique case (port_addr_i[14:10])
      PORT_ACTIVE[14:10], PORT_STATE[14:10], PORT_ENGINE[14:10], PORT_SEG[14:10], PORT_SEG_FIRST[14:10],
      PORT_SEG_COUNT[14:10]:
      port_read_only = 1'b1;
      default: port_read_only = wide;
    endcase
  end
  assign port_error = 32'(port_o) >= N | (write_i & port_read_only);

  logic optics_error;
  assign optics_error = 32'(port_o) >= N | (write_i & (misrouted | optics_addr_i >= OPTICS_POWER));

  // ---- PAIR ---------------------------------------------------------------------------------------------------------------
  logic pair_error;
  assign pair_error = 32'(pair_addr_i[17:10]) >= N | 32'(pair_addr_i[9:2]) >= N;

  // ---- device registers -----------------------------------------------------------------------------------------------------
  logic mask, sticky, command, core_read_only, core_hole, core_error, partial, beyond;
  logic [2:0] word;
  assign sticky = core_addr_i >= CORE_CHANGED;  // CHANGED, ENDED
  assign mask = (core_addr_i >= CORE_START & core_addr_i < CORE_SEQ_LAUNCH + 9'd32) | sticky;
  assign word = core_addr_i[4:2];
  assign partial = write_i & (biten_i != '1);
  always_comb begin
    core_read_only = 1'b0;
    core_hole = 1'b0;
    command = 1'b0;
    unique case ({core_addr_i[8:2], 2'b00})
      CORE_TIME, CORE_TIME + 9'd4, CORE_EVENT_TIME, CORE_EVENT_TIME + 9'd4, CORE_COMMITS, CORE_COMMITS + 9'd4,
      CORE_REFUSED, CORE_REFUSED + 9'd4, CORE_LATE, CORE_LATE + 9'd4, CORE_DROPPED, CORE_DROPPED + 9'd4,
      CORE_EVENT, CORE_STATUS, CORE_IRQ_STATUS:
      core_read_only = 1'b1;
      CORE_COMMIT_AT, CORE_COMMIT_AT + 9'd4, CORE_SEQ_BASE, CORE_SEQ_BASE + 9'd4, CORE_ERROR: ;
      CORE_SOFT_RESET, CORE_COMMIT, CORE_COMMIT_CANCEL, CORE_SHADOW_LOAD, CORE_SEED, CORE_SEQ_STORE, CORE_SEQ_GO,
      CORE_SEQ_SWAP, CORE_SEQ_STOP:
      command = 1'b1;
      default: begin
        core_hole = ~mask & ~in_tables;
        command = mask & core_addr_i < CORE_SEG_FULL;
      end
    endcase
  end

  // Mask words hold 32 ports each: those of this word that exist, and those that don't.
  localparam int unsigned MaskW = 32 * ((N + 31) / 32);
  localparam logic [MaskW-1:0] Ports = MaskW'((257'd1 << N) - 257'd1);
  logic [31:0] exist, given;
  logic [MaskW-1:0] named;
  assign exist = 32'(Ports >> {word, 5'd0});
  assign given = data_i & biten_i;
  assign named = MaskW'(given) << {word, 5'd0};
  assign ports_o = port_i ? N'(1) << port_o : named[N-1:0];
  assign beyond = exist == '0 | (write_i & (data_i & biten_i & ~exist) != '0);

  assign core_error = core_hole | (write_i & core_read_only) | (partial & command) | (mask & beyond) |
                      (write_i & core_addr_i == CORE_SEQ_STORE & 32'(data_i[15:0]) >= S);

  assign error_o = (core_i & core_error) | (port_i & port_error) | (optics_i & optics_error) | (pair_i & pair_error);
  assign core_write_o = core_i & ~core_error & write_i;
  assign core_read_o = core_i & ~core_error & ~write_i;
  assign port_write_o = port_i & ~port_error & write_i;
  assign port_read_o = port_i & ~port_error & ~write_i;
  assign optics_write_o = optics_i & ~optics_error & write_i;
  assign optics_read_o = optics_i & ~optics_error & ~write_i;
  assign pair_write_o = pair_i & ~pair_error & write_i;
  assign pair_read_o = pair_i & ~pair_error & ~write_i;

  logic unused;
  assign unused = &{1'b0, named, core_addr_i[1:0], port_addr_i[2:0], optics_addr_i[2:0], pair_addr_i[1:0]};
endmodule
