// Codes that the modules of the switch share; docs/switch-contract.md is their source.
//
// SPDX-License-Identifier: Apache-2.0
package ocs_pkg;
  // States of an output (section 2).
  typedef enum logic [2:0] {Idle = 3'd0, Tuning = 3'd1, Locking = 3'd2, Up = 3'd3, Held = 3'd4, Failed = 3'd5} state_e;
  // Causes of FAILED (section 6).
  typedef enum logic [1:0] {CauseNone = 2'd0, CauseStuck = 2'd1, CauseLight = 2'd2, CauseMisrouted = 2'd3} cause_e;
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
  localparam int OptSerial = 7, OptReceiver = 8, OptNeighbours = 9, OptPositions = 10, OptPower = 11;
  localparam int unsigned AllOptions = 4095;
  // Points of a table of quantiles.
  localparam int unsigned Quantiles = 16;
  // Power of light, hundredths of a dBm: a laser's less a loss, or a level.
  typedef logic signed [17:0] power_t;
  // No bound: the horizon of an idle switch.
  localparam logic [31:0] Unbounded = '1;

  // ---- what goes between modules as one: a port of type x_t is x_i or x_o ------------------------------------------------
  // AXI4-Lite with 32 bits of data and 20 of address: what the manager drives, and what the subordinate does.
  typedef struct packed {
    logic awvalid;         // AW: address offered
    logic [19:0] awaddr;   // AW: byte address; the lowest two bits are ignored
    logic wvalid;          // W: data offered
    logic [31:0] wdata;    // W: data
    logic [3:0] wstrb;     // W: bytes to be written
    logic bready;          // B: accepted
    logic arvalid;         // AR: address offered
    logic [19:0] araddr;   // AR: byte address; the lowest two bits are ignored
    logic rready;          // R: accepted
  } axil_req_t;
  typedef struct packed {
    logic awready;         // AW: accepted
    logic wready;          // W: accepted
    logic bvalid;          // B: answer offered
    logic [1:0] bresp;     // B: OKAY or SLVERR
    logic arready;         // AR: accepted
    logic rvalid;          // R: answer offered
    logic [31:0] rdata;    // R: data; 0 with SLVERR
    logic [1:0] rresp;     // R: OKAY or SLVERR
  } axil_rsp_t;

  // The request that completes at an edge.
  typedef struct packed {
    logic request;         // there is one
    logic error;           // it is refused (section 12)
    logic soft_reset;      // it writes SOFT_RESET
    logic core_write;      // it is accepted: write of a device register, at core_addr
    logic core_read;
    logic port_write;      // of a port register, at port_addr
    logic port_read;
    logic optics_write;    // of an optics register, at port_addr in their region
    logic optics_read;
    logic pair_write;      // of PAIR, at pair_output and pair_column
    logic pair_read;
    logic block;           // it is a write of SHADOW that writes the next two entries, too (section 1)
    logic commit;          // it is a write of SHADOW that commits, too
    logic start;           // it is a write of BURST that starts its input, too
    logic [8:0] core_addr;
    logic [14:0] port_addr;
    logic [7:0] port;      // whose port or optics register
    logic [7:0] pair_output;
    logic [7:0] pair_column;
    logic [31:0] data;     // of a write
    logic [31:0] biten;    // its strobes, one bit a bit
  } access_t;

  // What an accepted access asks of the fabric at that edge.
  typedef struct packed {
    logic commit;          // COMMIT, or SHADOW.COMMIT
    logic cancel;          // COMMIT_CANCEL
    logic [1:0] commit_at; // COMMIT_AT: low word, high word (arms)
    logic seq_go;          // SEQ_GO
    logic seq_swap;        // SEQ_SWAP
    logic seq_stop;        // SEQ_STOP
    logic seq_store;       // SEQ_STORE, entry in the data, below S
    logic seed;            // SEED, value in the data
    logic start;           // START of the inputs of the mask that is written, or BURST.START
    logic stop;            // STOP of them
    logic retry;           // RETRY of the outputs of the mask
    logic seg_clear;       // SEG_FULL: those of the mask are cleared
    logic changed_clear;   // CHANGED: likewise
    logic ended_clear;     // ENDED: likewise
    logic [Errors-1:0] error_clear;  // ERROR: bits that are cleared
    logic event_read;      // EVENT is read: takes the next event
  } cmd_t;

  // Settings of the whole switch.
  typedef struct packed {
    logic all_stop;           // CTRL.ALL_STOP
    logic multicast;          // CTRL.MULTICAST
    logic [2:0] irq_enable;   // IRQ_ENABLE: event, overflow, any other error
    logic [31:0] seq_offset;  // SEQ_OFFSET of the entry to be stored, cycles
    logic [15:0] seq_len;     // SEQ_LEN, entries; above S acts as S
    logic [31:0] seq_period;  // SEQ_PERIOD, cycles of a loop; 0: once
    logic [29:0] prog;        // PROG, cycles of T for each group that is programmed before
    logic [8:0] prog_lanes;   // PROG_LANES, outputs of a group; 0 acts as 1
    logic receivers;          // RECEIVER.ON: L has a term of the tables LOCK_WARM and LOCK_COLD
    logic [29:0] warm_time;   // RECEIVER.WARM_TIME, cycles that a pair stays warm
    logic [29:0] disturb;     // DISTURB, cycles in which a start disturbs others; 0: none
    logic [31:0] disturb_at;  // DISTURB_AT, a bit for each distance less 1
    logic light;              // LEVEL.ON: detectors go by the power
    logic [15:0] threshold;   // LEVEL.THRESHOLD, hundredths of a dBm, with a sign
    logic [14:0] hysteresis;  // LEVEL.HYSTERESIS, hundredths of a dB
    logic [29:0] los_assert;  // LOS_ASSERT, cycles
    logic [29:0] los_release; // LOS_RELEASE, cycles
    logic [29:0] ring_after;  // RING_AFTER, cycles with light before each stretch without
    logic [29:0] ring;        // RING, cycles of each stretch without; 0: mirrors don't ring
    logic [7:0] rings;        // RINGS, stretches
    logic [5:0] commit_tag;   // COMMIT_TAG of commits that are asked for
    logic brief;              // BRIEF.ON: whole bursts end with WHOLE and fill no segment
  } modes_t;

  // Settings of a port: delays of the output, faults of either side.
  typedef struct packed {
    logic [29:0] base;         // BASE, cycles of T
    logic [29:0] slow;         // SLOW, cycles added to T
    logic [29:0] lock;         // LOCK, cycles of L
    logic [29:0] jitter_mask;  // JITTER_MASK, bits of the draw that count
    logic [29:0] flap;         // FLAP, cycles of UP; 0: none
    logic [15:0] laser;        // LASER, hundredths of a dBm into the input, with a sign
    logic [15:0] loss;         // LOSS, hundredths of a dB to the output
    logic keeps;               // FAULT: the mirror keeps its light while stuck
    logic stuck;               // FAULT: stuck mirror of the output
    logic dead;                // FAULT: dead port
    logic los;                 // FAULT: loss of light of the input
  } port_cfg_t;

  // Settings of an input's burst engine.
  typedef struct packed {
    logic [31:0] len;      // LEN, words of a burst
    logic [31:0] gap;      // GAP, cycles before it
    logic [31:0] repeats;  // REPEAT, further bursts
    logic [15:0] tag;      // BURST.TAG, name of the burst
    logic gated;           // BURST.GATED, words wait for UP
    logic [15:0] rate;     // SOURCE.RATE, q of 40000; above acts as 40000
    logic external;        // SOURCE.EXTERNAL, the pin gives the words
  } burst_cfg_t;

  localparam burst_cfg_t BurstReset = '{rate: FullRate, default: '0};

  // A point of the receivers' tables.
  typedef struct packed {
    logic [29:0] warm;  // LOCK_WARM, cycles of L of a warm pair
    logic [29:0] cold;  // LOCK_COLD, cycles of L of any other
  } quantile_t;

  // What the device registers show of the fabric.
  typedef struct packed {
    logic [63:0] cycle;         // TIME, number of the present cycle
    logic [63:0] commit_at;     // COMMIT_AT
    logic [31:0] event_word;    // EVENT, next event; 0: none
    logic [63:0] event_time;    // EVENT_TIME, stamp of the last one taken
    logic [3:0] status;         // STATUS
    logic [Errors-1:0] error;   // ERROR, sticky bits
    logic [2:0] irq_status;     // IRQ_STATUS, sources
    logic [63:0] commits;       // COMMITS
    logic [63:0] refused;       // REFUSED, commits
    logic [63:0] late;          // LATE, requests
    logic [63:0] dropped;       // DROPPED, records
  } device_view_t;

  // What a port's registers show of it; an input is below N, and 0 where there is none.
  typedef struct packed {
    logic valid;             // ACTIVE.VALID: the output has a circuit
    logic [7:0] selected;    // ACTIVE.INPUT
    state_e state;           // STATE.STATE
    cause_e cause;           // STATE.CAUSE, 0 unless FAILED
    logic disturbed;         // STATE.DISTURBED
    logic dim;               // STATE.DIM
    logic lit;               // light reaches the output
    power_t power;           // POWER of such an output, hundredths of a dBm
    engine_e engine;         // ENGINE
    logic [7:0] seg_input;   // SEG: input
    logic [15:0] seg_tag;    // SEG: tag
    logic [31:0] seg_first;  // SEG_FIRST, index
    logic [31:0] seg_count;  // SEG_COUNT, words
    logic seg_full;          // SEG_FULL
    logic changed;           // CHANGED
    logic ended;             // ENDED
  } port_view_t;

  // Counters of a port.
  typedef struct packed {
    logic [63:0] passed;    // PASSED, words that left the output
    logic [63:0] lost;      // LOST, words
    logic [63:0] dark;      // DARK, cycles
    logic [63:0] tunings;   // TUNINGS, starts
    logic [63:0] restarts;  // RESTARTS, starts in TUNING or LOCKING
    logic [63:0] sent;      // SENT, words of the input
    logic [63:0] unrouted;  // UNROUTED, words that no output selected
    logic [63:0] misrouted; // MISROUTED, words that a stuck mirror shows
  } port_counters_t;

  // Where an output stands, for its next state.
  typedef struct packed {
    logic warm;      // the pair of the output and its next input is warm
    logic dark;      // there is no light for the present selection, as the light filter sees it
    logic dark_new;  // where it arrives at the next one
    logic known;     // its mirror has a position
    logic here;      // which is the next selection
  } arrival_t;

  // The light at an output.
  typedef struct packed {
    logic dim;        // its light is missing
    logic dim_next;   // after this edge
    logic lit;        // light reaches it
    logic misroutes;  // a stuck mirror shows its position
    power_t power;    // of the selection, hundredths of a dBm
  } beam_t;

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

  /// Of a block, {VALID, INPUT} of the output `k` behind the one whose SHADOW is written, 1 or 2. The block's upper fields.
  function automatic logic [9:0] entry_behind(input logic [28:9] block, input int unsigned k);
    logic [9:0] entry;
    entry = k == 1 ? block[18:9] : block[28:19];
    return entry[9] ? entry : '0;
  endfunction

  /// A register after a write of the bits that the strobes name.
  function automatic logic [31:0] merged(input logic [31:0] old, input logic [31:0] data, input logic [31:0] biten);
    return (old & ~biten) | (data & biten);
  endfunction
endpackage
