// The fabric, fast: the same contract as ocs_core, kept in another form.
// SPDX-License-Identifier: Apache-2.0
//
// - Timers are absolute: each port keeps the stamp of its next action, each group of ports the earliest of its own, so
//   do chunks of groups, and the switch (`due`). An edge before `due` moves `now` and nothing else.
// - Counters are settled when the rate at which they grow changes, and by the reader in between.
// - States and selections are masks, one bit a port, so that section 4 is a few vector equations; what takes a number
//   of its own (a timer, a counter) is done for the ports of those groups alone in which something happens.
//
// One clocked block holds all state; it writes with `=` and reads what it has written, in the order of section 4. What
// others see of it is either registered in it (`data_o`) or changes after the edge. ocs_core is its specification:
// tests/conformance runs both.
module ocs_fast_core
  import ocs_pkg::*;
  import ocs_addr_pkg::*;
#(
    /// Ports, 2 to 256.
    parameter int unsigned N = 16,
    /// Entries of a sequencer bank, a power of two, 2 to 32768.
    parameter int unsigned S = 16,
    /// Records of the event FIFO, a power of two, 2 to 4096.
    parameter int unsigned FifoDepth = 64,
    /// Lanes of 64 bits, 1 to 64, of a word that really crosses; 0: words are counted only, and time-warp passes over
    /// them.
    parameter int unsigned Lanes = 0,
    /// Options that are there, bits as in CAP_OPTIONS, 0 to 4095; what belongs to another one ignores writes.
    parameter int unsigned Options = AllOptions,
    /// Ports of a group, 1 to N; for N > 32 a divisor of 32.
    parameter int unsigned GroupSize = N >= 32 ? 8 : N >= 8 ? 4 : 2,
    localparam int unsigned InW = $clog2(N),
    localparam int unsigned L = Lanes == 0 ? 1 : Lanes,
    localparam int unsigned Receivers = 32'(Options[OptReceiver]),
    localparam int unsigned Pairs = Receivers == 0 ? 1 : N * N,
    localparam int unsigned EntryW = $clog2(S),
    localparam int unsigned AtW = $clog2(FifoDepth),
    localparam int unsigned Chunk = N > 32 ? 32 : (N + GroupSize - 1) / GroupSize * GroupSize,  // ports
    localparam int unsigned Chunks = (N + Chunk - 1) / Chunk,
    localparam int unsigned InChunk = Chunk / GroupSize,  // groups
    localparam int unsigned W = Chunks * Chunk,  // of a mask; bits at N and above are 0
    localparam int unsigned Groups = W / GroupSize,
    localparam int unsigned PortW = $clog2(W)
) (
    input  logic              clk_i,   ///< clock, rising edge
    input  logic              rst_ni,  ///< synchronous reset, active low
    /// Cycles that this edge stands for, at most `horizon_o`; 0: a bus edge; 1 on an FPGA.
    input  logic [31:0]       step_i,
    /// How far the next edge may jump, at least 1.
    output logic [31:0]       horizon_o,
    output logic              irq_o,
    output logic [63:0]       time_o,
    /// Pins of EXTERNAL inputs: a word is there.
    input  logic [N-1:0]      valid_i,

    // ---- data path (Lanes > 0) ----
    /// In this cycle: inputs whose engine offers a word, its index and tag, for whoever supplies its data.
    output logic [N-1:0]      offer_o,
    output logic [31:0]       index_o[N],
    output logic [15:0]       tag_o[N],
    /// Its data, or that of a word on the pin of an EXTERNAL input.
    input  logic [63:0]       word_i[N][L],
    /// Outputs that pass words in this cycle: they are UP, not disturbed and not dim; which input each selects (0 if none).
    output logic [N-1:0]      up_o,
    output logic [InW-1:0]    input_o[N],
    /// The word that left in the cycle before leaves output o in this one.
    output logic [N-1:0]      word_valid_o,
    output logic [63:0]       word_o[N][L],

    /// The request that completes at this edge; ports that the write of a mask register names.
    input  access_t           access_i,
    input  logic [N-1:0]      ports_i,
    /// What the last accepted read gave.
    output logic [31:0]       data_o,
    /// Settings of the whole switch.
    input  modes_t            modes_i
);
  if (N < 2 || N > 256) begin : g_ports_in_range
    $error("ocs_fast_core: N must be from 2 to 256");
  end
  if (S < 2 || S > 32768 || (S & (S - 1)) != 0) begin : g_entries_in_range
    $error("ocs_fast_core: S must be a power of two from 2 to 32768");
  end
  if (FifoDepth < 2 || FifoDepth > 4096 || (FifoDepth & (FifoDepth - 1)) != 0) begin : g_depth_in_range
    $error("ocs_fast_core: FifoDepth must be a power of two from 2 to 4096");
  end
  if (Lanes > 64) begin : g_lanes_in_range
    $error("ocs_fast_core: Lanes must be from 0 to 64");
  end
  if (Options > AllOptions) begin : g_options_in_range
    $error("ocs_fast_core: Options must be from 0 to 4095");
  end
  if (GroupSize < 1 || GroupSize > N || Chunk % GroupSize != 0) begin : g_group_in_range
    $error("ocs_fast_core: GroupSize must be from 1 to N, and for N > 32 a divisor of 32");
  end

  typedef logic [W-1:0] mask_t;
  typedef logic [Chunk-1:0] chunk_t;
  localparam logic [63:0] Never = '1;  // stamp of what doesn't come

  // ---- time ---------------------------------------------------------------------------------------------------------------
  logic [63:0] now;    // number of the present cycle
  logic [63:0] due;    // earliest stamp of an action: it acts at the end of cycle due - 1
  logic [63:0] odue, idue;  // earliest of the outputs' and of the engines' own
  logic [31:0] level_seen;  // LEVEL when `due` was found
  logic stale;         // a setting that is looked at in every cycle was written: look again before the next edge

  // ---- settings -----------------------------------------------------------------------------------------------------------
  // They stand here, not in ocs_settings, whose arrays a simulator would copy at every edge of the bus.
  logic [29:0] set_base[N], set_slow[N], set_jitter_mask[N];   // of T, cycles
  logic [29:0] set_lock[N], set_lock_warm[Quantiles], set_lock_cold[Quantiles];  // of L, cycles
  logic [29:0] set_flap[N];             // cycles of UP; 0: none
  logic [N-1:0] set_los, set_dead, set_stuck, set_keeps;
  logic [15:0] set_laser[N];            // hundredths of a dBm, with a sign
  logic [15:0] set_loss[N];             // hundredths of a dB
  logic [31:0] set_len[N], set_gap[N], set_repeat[N];  // of the next burst, as tag and gated
  logic [15:0] set_tag[N], set_rate[N];
  logic [N-1:0] set_gated, set_external;
  logic [N-1:0] set_launch;             // of the entry to be stored
  logic [63:0] set_seq_base;

  // ---- outputs ------------------------------------------------------------------------------------------------------------
  mask_t tun, lck, up, held, fail;      // states; IDLE: none of them
  mask_t by_light, astray;              // FAILED for want of light; misrouted
  mask_t vld;                           // selects an input
  logic [InW-1:0] src[N];               // which; 0 if none
  mask_t sel[InW];                      // the same, by bits: sel[b][o] = src[o][b]
  logic stopped;                        // all-stop
  logic [63:0] odl[N], omin[Groups], ofirst[Chunks];  // stamps: of each, of a group, of a chunk
  logic [31:0] draw[N];
  mask_t locks;                         // LOCK isn't 0
  logic special;                        // something below is not as it is while nobody asks for it (find_special)
  mask_t blind;                         // passes no words, though it be UP: shaken or dim
  mask_t shaken;                        // disturbed by a mirror beside it
  logic [63:0] sdl[N], sdue;            // stamps: first cycle in which it isn't; the earliest of them
  mask_t dim, counting, swinging, ringing;  // light is missing; that is or isn't a loss of light soon; mirrors swing; without light
  logic [63:0] cdl[N], rdl[N], wdue;    // stamps: a detector's count is over, a stretch of ringing; the earliest of them
  logic [7:0] rings[N];                 // stretches without light that are not over
  mask_t misroutes;                     // shows another input than the selected one
  logic [InW:0] position[N];            // the input that the mirror was last seen to stand at; its highest bit: there is one
  logic [63:0] misrouted[N], shown_mark[N];  // words shown; words that the position's input had sent by then
  logic [63:0] lit_until[Pairs];        // first cycle in which output and input weren't UP or HELD any longer; 0: never were
  logic [63:0] dark_from[N];            // counted up to here
  logic [63:0] mark[N];                 // words that the selected input had sent by then
  logic [63:0] passed[N], lost[N], dark[N], tunings[N], restarts[N];
  logic [31:0] grown[N];                // index of the growing segment's first word
  logic [InW-1:0] seg_input[N];
  logic [15:0] seg_tag[N];
  logic [31:0] seg_first[N], seg_count[N];
  mask_t seg_full;

  // ---- inputs -------------------------------------------------------------------------------------------------------------
  mask_t gap, send;                     // states of the engines; OFF: neither
  mask_t gated, open;                   // open: words leave
  mask_t routed, lit;                   // selected; by outputs that are all UP
  logic shared;                         // some input is selected by several outputs
  logic [63:0] edl[N], imin[Groups], ifirst[Chunks];
  logic [63:0] since[N];                // an open engine's words are counted up to here
  logic [63:0] sent[N], unrouted[N], unrouted_mark[N];
  logic [31:0] len[N], gap_len[N], index[N], left[N], repeats[N];
  logic [15:0] tag[N], acc[N];

  // ---- commands, sequencer -------------------------------------------------------------------------------------------------
  logic sw, armed, go_pending, swap_pending, stop_pending;
  mask_t start_pending, halt_pending, retry_pending;
  logic [5:0] sw_tag, timed_tag;        // of the pending commit, of the armed one
  logic [63:0] commit_at;
  logic [31:0] commit_at_low;
  mask_t shadow_vld;
  logic [8:0] shadow_in[N];

  logic running, waiting, idle_bank;
  logic [EntryW-1:0] entry;
  logic [EntryW:0] entries;
  logic [31:0] period;
  logic [63:0] loop_base, entry_due;    // first cycle of the loop; cycle of the next entry
  // Memories read 0 after power-up and survive a soft reset. A row carries what its check will find.
  logic [31:0] row_offset[2*S] = '{default: '0};
  logic [5:0] row_tag[2*S] = '{default: '0};
  mask_t row_launch[2*S] = '{default: '0};
  mask_t row_vld[2*S] = '{default: '0};
  mask_t row_used[2*S] = '{default: '0};
  logic row_range[2*S] = '{default: '0};
  logic row_twice[2*S] = '{default: '0};
  logic [8:0] row_in[2*S*N] = '{default: '0};
  mask_t row_sel[2*S*InW] = '{default: '0};
  logic [29:0] pair[N*N] = '{default: '0};

  // ---- what is observed -----------------------------------------------------------------------------------------------------
  logic [Errors-1:0] error;
  logic [63:0] commits, refusals, lates, drops;
  logic [63:0] fifo_stamp[FifoDepth];
  logic [2:0] fifo_device[FifoDepth];
  source_e fifo_source[FifoDepth];
  logic [5:0] fifo_tag[FifoDepth];
  mask_t fifo_entered[FifoDepth], fifo_done[FifoDepth], fifo_whole[FifoDepth];
  mask_t fifo_state0[FifoDepth], fifo_state1[FifoDepth], fifo_state2[FifoDepth];  // bits of the state entered
  logic [AtW-1:0] head, tail;
  logic [AtW:0] records;
  logic [63:0] taken_stamp;
  mask_t reported_outputs, reported_inputs;  // CHANGED, ENDED
  logic [31:0] data, high;              // of the last read; latch of the high word

  assign time_o = now;
  assign data_o = data;
  logic [63:0] ahead;
  assign ahead = due - now;
  logic [31:0] level;
  assign level = {modes_i.light, modes_i.hysteresis, modes_i.threshold};
  logic again;  // look again before the next edge: a setting that is looked at in every cycle was written, or LEVEL was since `due` was found
  always_comb begin
    again = stale;
    if (modes_i.light | level_seen[31]) again |= level != level_seen;
  end
  assign horizon_o = again | due <= now | (Lanes != 0 & open != 0) ? 32'd1 : ahead >= 64'(Unbounded) ? Unbounded : ahead[31:0];
  assign irq_o = |({|(error & ~(Errors'(1) << ErrOverflow)), error[ErrOverflow], records != 0} & modes_i.irq_enable);

  // ---- values of the present edge -------------------------------------------------------------------------------------------
  logic [63:0] nxt, last;               // first cycle after it; last cycle of its interval
  logic wrong_step, dirty;
  mask_t changed, starting, entered, ending, done;
  mask_t finished, whole;               // inputs: the burst's last word was offered; every output that selects it passed all
  mask_t moved, fresh, gate, rated;     // engines: at an end or start, started, whose light came or went, of a new rate
  logic taken, refused, wrap, from_row, last_entry, late, range, twice;
  source_e source;
  logic [5:0] commit_tag;
  logic [EntryW:0] row;
  logic full_before;
  logic [Errors-1:0] raised;            // errors set at this edge

  // Tasks that are rarely executed are not inlined: of an inlined task Verilator clears all that it has of its own at each
  // edge, executed or not. It then asks for a promise that no logic beside the clocked block depends on what such a task
  // writes without being written in the block itself: `forget`, which is inlined, writes all state.
  // verilator lint_off IMPURE
  `include "fast/words.svh"
  `include "fast/data.svh"
  `include "fast/commit.svh"
  `include "fast/light.svh"
  `include "fast/outputs.svh"
  `include "fast/engines.svh"
  `include "fast/sequencer.svh"
  `include "fast/events.svh"
  `include "fast/bus.svh"
  `include "fast/settings.svh"
  // verilator lint_on IMPURE

  always_ff @(posedge clk_i) begin
    // verilator lint_off BLKSEQ
    dirty = 1'b0;
    raised = '0;
    {entered, ended, partly, done, whole} = '0;
    full_before = records == (AtW + 1)'(FifoDepth);
    wrong_step = step_i > 32'd1 & step_i > horizon_o;
    if (again) look_again();
    nxt = now + (wrong_step ? 64'd0 : 64'(step_i));
    if (access_i.request) answer();
    if (Lanes != 0 & nxt != now) carry();
    if (due <= nxt & nxt != now) begin
      last = nxt - 64'd1;
      dirty = 1'b1;
      choose_commit();
      move_engines();
      move_outputs();
      start_engines();
      note_events();
      move_sequencer();
    end
    now = nxt;
    if (wrong_step) raise(ErrStep);
    if (access_i.request) obey();
    if (dirty) find_due();
    if (access_i.request) set();
    if (!rst_ni) forget();
    // verilator lint_on BLKSEQ
  end

  logic unused;
  assign unused = &{1'b0, access_i};
endmodule
