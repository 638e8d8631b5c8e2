// Sequencer for edges of one cycle: what ocs_sequencer does, with the entry after the present one read before it is needed (section 9).
//
// SPDX-License-Identifier: Apache-2.0
module ocs_skew_sequencer #(
    /// Ports, 2 to 256.
    parameter int unsigned N = 16,
    /// Entries of a bank, a power of two, 2 to 32768.
    parameter int unsigned S = 16,
    localparam int unsigned EntryW = $clog2(S)
) (
    input  logic              clk_i,   ///< clock, rising edge
    input  logic              rst_ni,  ///< synchronous reset, active low
    /// The fabric moves at this edge.
    input  logic              go_i,
    /// Commands that act at this edge.
    input  logic              seq_go_i,
    input  logic              seq_swap_i,
    input  logic              seq_stop_i,
    /// Settings, copied at SEQ_GO; the next cycle less the base, modulo 2^64.
    input  logic [63:0]       base_i,
    input  logic [63:0]       since_base_i,
    input  logic [15:0]       len_i,
    input  logic [31:0]       period_i,
    /// SEQ_STORE at this edge: what is stored in which entry of the idle bank.
    input  logic              store_i,
    input  logic              store_first_i,  ///< it is entry 0
    input  logic [EntryW-1:0] entry_i,
    input  logic [31:0]       offset_i,
    input  logic [5:0]        tag_i,
    input  logic [N-1:0]      launch_i,
    input  logic [N-1:0]      map_valid_i,
    input  logic [8:0]        map_input_i[N],

    output logic              running_o,  ///< STATUS: entries are being played
    /// An entry is due in the present cycle, whether it is late; tag and map of the next entry.
    output logic              due_o,
    output logic              late_o,
    output logic [5:0]        tag_o,
    output logic [N-1:0]      row_valid_o,
    output logic [8:0]        row_input_o[N],
    /// Inputs started by the entry that is taken at this edge; the loop wraps at this edge.
    output logic [N-1:0]      launch_o,
    output logic              wrap_o
);
  if (N < 2 || N > 256) begin : g_ports_in_range
    $error("ocs_skew_sequencer: N must be from 2 to 256");
  end
  if (S < 2 || S > 32768 || (S & (S - 1)) != 0) begin : g_entries_in_range
    $error("ocs_skew_sequencer: S must be a power of two from 2 to 32768");
  end

  typedef struct packed {
    logic [31:0] offset;
    logic [5:0] tag;
    logic [N-1:0] launch, valid;
    logic [N*9-1:0] selected;
  } entry_t;

  // Both banks; they read 0 after power-up and survive a soft reset. First entries are in registers, too.
  entry_t entry_mem[2*S];
  entry_t first[2];
  initial begin
    for (int unsigned e = 0; e < 2 * S; e++) entry_mem[e] = '0;
    for (int unsigned b = 0; b < 2; b++) first[b] = '0;
  end

  logic running_q, waiting_q, idle_q;   // a swap waits for the wrap; which bank is idle
  logic [EntryW-1:0] index_q;
  logic [EntryW:0] len_q;
  logic [31:0] period_q;
  logic [63:0] loop_q, loop_next_q;     // first cycle of the present loop, and of the one after it
  logic [63:0] since_loop_q, since_loop_d, since_next_q, since_next_d;  // the next cycle less loop_q, and less loop_next_q
  logic [63:0] since_now_q;             // the present cycle less loop_q
  logic running_d, waiting_d, idle_d, idle_wrapped;
  logic [EntryW-1:0] index_d;
  logic [EntryW:0] len_d;
  logic [31:0] period_d;
  logic [63:0] loop_d;

  logic due_q, last_q;                  // the present entry is due, is the last one
  logic [EntryW-1:0] after_at_q;        // where the one after the next is, unless SEQ_GO begins anew
  logic again_q;                        // period_q isn't 0: after the last entry comes the first one
  entry_t row_q, after_q;               // it and the one after it, unless it is the last one
  entry_t next_row;
  logic take, swaps, moves, ends;
  assign take = go_i & due_q;
  assign wrap_o = ends & again_q;
  assign swaps = last_q & again_q & (waiting_q | seq_swap_i);
  assign moves = seq_go_i | due_q;

  // Sums are made before it is known which of them is wanted.
  logic [63:0] loop_next_d;
  assign ends = take & last_q;
  assign since_loop_d = seq_go_i ? since_base_i + 64'd1 : ends ? since_next_q + 64'd1 : since_loop_q + 64'd1;
  assign since_next_d = seq_go_i ? since_base_i + 64'd1 - 64'(period_i) : ends ? since_next_q + 64'd1 - 64'(period_q) : since_next_q + 64'd1;
  assign loop_next_d = seq_go_i ? base_i + 64'(period_i) : ends ? loop_next_q + 64'(period_q) : loop_next_q;
  always_comb begin
    running_d = running_q;
    waiting_d = waiting_q;
    idle_d = idle_q;
    index_d = index_q;
    len_d = len_q;
    period_d = period_q;
    loop_d = loop_q;
    if (go_i) begin
      if (take) begin
        index_d = last_q ? '0 : index_q + 1'b1;
        if (last_q) begin
          loop_d = loop_next_q;
          if (!again_q) running_d = 1'b0;
        end
      end
      // A wrap exchanges the banks once, for a swap that waited or one in its own cycle.
      waiting_d = running_d & (waiting_q | seq_swap_i);
      if (wrap_o & waiting_d) begin
        idle_d = ~idle_q;
        waiting_d = 1'b0;
      end
      if (seq_stop_i) begin
        running_d = 1'b0;
        waiting_d = 1'b0;
      end
      if (seq_go_i) begin
        idle_d = ~idle_d;
        running_d = len_i != 0;
        waiting_d = 1'b0;
        index_d = '0;
        len_d = 32'(len_i) > S ? (EntryW + 1)'(S) : (EntryW + 1)'(len_i);
        period_d = period_i;
        loop_d = base_i;
      end
    end
  end

  // After the last entry comes the first one, and then the second.
  logic last_d;
  logic [EntryW-1:0] after_at_d;
  assign last_d = seq_go_i ? len_i == 16'd1 : ends ? len_q == (EntryW + 1)'(1) : take ? {1'b0, index_q} + (EntryW + 1)'(2) == len_q : last_q;
  assign after_at_d = last_d ? EntryW'(1) : seq_go_i | ends ? EntryW'(2) : take ? after_at_q + EntryW'(1) : after_at_q;

  // ---- the entry that comes next, and the one after it ------------------------------------------------------------------------
  // First entries are worked out for both banks and both ways to begin, SEQ_GO and a wrap, and chosen last. Whether `base + offset`
  // is past is asked of the cycles since `base`, without that sum; it is one modulo 2^64, so an overflow counts as past. Time stays
  // below 2^63: a later base isn't reached, nor is one that is more than that ahead.
  function automatic logic past(input logic [63:0] since, input logic [63:0] base, input logic [31:0] offset);
    logic overflow, reached;
    overflow = (&base[63:32]) & offset > ~base[31:0];
    reached = ~base[63] & ~since[63] | overflow;
    return reached & since >= 64'(offset);
  endfunction
  logic start_past[2][2], after_past, due_d;  // [SEQ_GO acts][bank]
  logic [EntryW-1:0] after_at;
  entry_t after_row;
  logic starts, bank;
  always_comb begin
    for (int unsigned b = 0; b < 2; b++) begin
      start_past[0][b] = past(since_next_q, loop_next_q, first[b].offset);
      start_past[1][b] = past(since_base_i, base_i, first[b].offset);
    end
  end
  assign after_past = past(since_loop_q, loop_q, after_q.offset);
  assign idle_wrapped = idle_q ^ (due_q & swaps);
  assign starts = seq_go_i | last_q;
  assign bank = seq_go_i ? idle_wrapped : ~(idle_q ^ swaps);
  always_comb begin
    next_row = starts ? first[bank] : after_q;
    after_at = seq_go_i ? EntryW'(1) : after_at_q;
    after_row = entry_mem[{bank, after_at}];
  end
  // An entry that stays wasn't due until now; one that is due and isn't late is due in this very cycle.
  assign due_d = ~moves ? since_loop_q == 64'(row_q.offset) : starts ? start_past[seq_go_i][bank] : after_past;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {running_q, waiting_q, idle_q} <= '0;
      {due_q, last_q, again_q} <= '0;
      index_q <= '0;
      after_at_q <= EntryW'(2);
      len_q <= '0;
      period_q <= '0;
      loop_q <= '0;
      loop_next_q <= '0;
      since_now_q <= '0;
      since_loop_q <= 64'd1;
      since_next_q <= 64'd1;
    end else begin
      running_q <= running_d;
      waiting_q <= waiting_d;
      idle_q <= idle_d;
      index_q <= index_d;
      len_q <= len_d;
      period_q <= period_d;
      loop_q <= loop_d;
      if (go_i & seq_go_i) again_q <= period_i != 0;
      if (go_i) begin
        last_q <= last_d;
        after_at_q <= after_at_d;
        loop_next_q <= loop_next_d;
        since_loop_q <= since_loop_d;
        since_next_q <= since_next_d;
        since_now_q <= seq_go_i ? since_base_i : ends ? since_next_q : since_loop_q;
        due_q <= running_d & due_d;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (go_i & moves) begin  // SEQ_GO writes them before anything is played
      row_q <= next_row;
      after_q <= after_row;
    end
  end

  entry_t stored;
  always_comb begin
    stored.offset = offset_i;
    stored.tag = tag_i;
    stored.launch = launch_i;
    stored.valid = map_valid_i;
    for (int unsigned o = 0; o < N; o++) stored.selected[9*o+:9] = map_input_i[o];
  end
  // Not always_ff, which may not share its variables with an initial block.
  always @(posedge clk_i) begin
    if (store_i) begin
      entry_mem[{idle_d, entry_i}] <= stored;
    end
    if (store_first_i) first[idle_d] <= stored;
  end

  assign running_o = running_q;
  assign due_o = due_q;
  assign late_o = since_now_q != 64'(row_q.offset);
  assign tag_o = row_q.tag;
  assign launch_o = take ? row_q.launch : '0;
  assign row_valid_o = row_q.valid;
  always_comb for (int unsigned o = 0; o < N; o++) row_input_o[o] = row_q.selected[9*o+:9];
endmodule
