// Codes that the modules of the switch share; docs/switch-contract.md is their source.
//
// SPDX-License-Identifier: Apache-2.0
package ocs_pkg;
  // States of an output (section 2).
  typedef enum logic [2:0] {Idle = 3'd0, Tuning = 3'd1, Locking = 3'd2, Up = 3'd3, Held = 3'd4, Failed = 3'd5} state_e;
  // Causes of FAILED (section 6).
  typedef enum logic [1:0] {CauseNone = 2'd0, CauseStuck = 2'd1, CauseLight = 2'd2} cause_e;
  // States of a burst engine (section 8).
  typedef enum logic [1:0] {Off = 2'd0, Gap = 2'd1, Send = 2'd2} engine_e;
  // Open cycles in which an engine of rate q offers q words.
  localparam logic [15:0] FullRate = 16'd40000;
  // Sources of a commit (section 3).
  typedef enum logic [1:0] {Software = 2'd0, Timed = 2'd1, Sequencer = 2'd2} source_e;
  // Sticky bits of ERROR.
  localparam int ErrRange = 0, ErrConflict = 1, ErrLate = 2, ErrStep = 3, ErrAccess = 4, ErrOverflow = 5, ErrSegment = 6;
  localparam int Errors = 7;
  // Options, as in CAP_OPTIONS: a switch may be built without some of them (section 12).
  localparam int OptPair = 0, OptJitter = 1, OptRate = 2, OptMulticast = 3, OptAllStop = 4, OptExternal = 5, OptFaults = 6;
  localparam int OptSerial = 7, OptReceiver = 8;
  localparam int unsigned AllOptions = 511;
  // Points of a table of quantiles.
  localparam int unsigned Quantiles = 16;
  // No bound: the horizon of an idle switch.
  localparam logic [31:0] Unbounded = '1;

  // Cycles from `now` to the end of cycle `due`, as a bound on a step: 1 if due is now or past.
  function automatic logic [31:0] cycles_to(input logic [63:0] due, input logic [63:0] now);
    logic [63:0] left;
    left = due - now;
    if (due <= now) return 32'd1;
    if (left >= 64'hffff_fffe) return Unbounded;
    return left[31:0] + 32'd1;
  endfunction

  /// A generator of jitter after a write of SEED: never 0.
  function automatic logic [31:0] seeded(input logic [31:0] seed, input int unsigned o);
    logic [31:0] x;
    x = seed ^ (32'h9E37_79B9 * (o + 1));
    return x == '0 ? 32'd1 : x;
  endfunction

  /// What a generator of jitter has after the next draw (section 2).
  function automatic logic [31:0] next_draw(input logic [31:0] draw);
    logic [31:0] x;
    x = draw;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return x;
  endfunction

  /// A register after a write of the bits that the strobes name.
  function automatic logic [31:0] merged(input logic [31:0] old, input logic [31:0] data, input logic [31:0] biten);
    return (old & ~biten) | (data & biten);
  endfunction
endpackage
