// Sequencer: two banks of (offset, launch, map) entries; one is played, the other filled (section 9).
//
// SPDX-License-Identifier: Apache-2.0
module ocs_sequencer
  import ocs_pkg::*;
#(
    /// Ports, 2 to 256.
    parameter int unsigned N = 16,
    /// Entries of a bank, a power of two, 2 to 32768.
    parameter int unsigned S = 16,
    localparam int unsigned EntryW = $clog2(S)
) (
    input  logic              clk_i,   ///< clock, rising edge
    input  logic              rst_ni,  ///< synchronous reset, active low
    /// The fabric moves at this edge; the action cycle is `last_i`, the present one `time_i`.
    input  logic              go_i,
    input  logic [63:0]       last_i,
    input  logic [63:0]       time_i,
    /// Commands that act at this edge.
    input  logic              seq_go_i,
    input  logic              seq_swap_i,
    input  logic              seq_stop_i,
    /// Settings, copied at SEQ_GO.
    input  logic [63:0]       base_i,
    input  logic [15:0]       len_i,
    input  logic [31:0]       period_i,
    /// SEQ_STORE at this edge: what is stored in which entry of the idle bank.
    input  logic              store_i,
    input  logic [EntryW-1:0] entry_i,
    input  logic [31:0]       offset_i,
    input  logic [5:0]        tag_i,
    input  logic [N-1:0]      launch_i,
    input  logic [N-1:0]      map_valid_i,
    input  logic [8:0]        map_input_i[N],

    output logic              running_o,  ///< STATUS: entries are being played
    /// An entry is due in `last_i`, whether it is late, its tag and its map (0 unless it is taken).
    output logic              due_o,
    output logic              late_o,
    output logic [5:0]        tag_o,
    output logic [N-1:0]      row_valid_o,
    output logic [8:0]        row_input_o[N],
    /// Inputs started by the entry that is taken at this edge; the loop wraps at this edge.
    output logic [N-1:0]      launch_o,
    output logic              wrap_o,
    /// Bound on a step.
    output logic [31:0]       bound_o
);
  if (N < 2 || N > 256) begin : g_ports_in_range
    $error("ocs_sequencer: N must be from 2 to 256");
  end
  if (S < 2 || S > 32768 || (S & (S - 1)) != 0) begin : g_entries_in_range
    $error("ocs_sequencer: S must be a power of two from 2 to 32768");
  end

  // Memories of both banks; they read 0 after power-up and survive a soft reset.
  logic [31:0] offset_mem[2*S];
  logic [5:0] tag_mem[2*S];
  logic [N-1:0] launch_mem[2*S];
  logic [N-1:0] valid_mem[2*S];
  logic [N*9-1:0] input_mem[2*S];
  initial begin
    for (int unsigned e = 0; e < 2 * S; e++) begin
      offset_mem[e] = '0;
      tag_mem[e] = '0;
      launch_mem[e] = '0;
      valid_mem[e]  = '0;
      input_mem[e]  = '0;
    end
  end

  logic running_q, waiting_q, idle_q;          // a swap waits for the wrap; which bank is idle
  logic [EntryW-1:0] index_q;
  logic [EntryW:0] len_q;
  logic [31:0] period_q;
  logic [63:0] loop_q;                          // first cycle of the present loop
  logic running_d, waiting_d, idle_d;
  logic [EntryW-1:0] index_d;
  logic [EntryW:0] len_d;
  logic [31:0] period_d;
  logic [63:0] loop_d;

  logic [EntryW:0] at;
  logic [63:0] due_at;
  assign at = {~idle_q, index_q};
  assign due_at = loop_q + 64'(offset_mem[at]);
  logic take, last_entry;
  assign take = go_i & due_o;
  assign last_entry = {1'b0, index_q} + 1'b1 == len_q;
  assign wrap_o = take & last_entry & (period_q != 0);

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
        index_d = last_entry ? '0 : index_q + 1'b1;
        if (last_entry) begin
          loop_d = loop_q + 64'(period_q);
          if (period_q == 0) running_d = 1'b0;
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

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {running_q, waiting_q, idle_q} <= '0;
      index_q <= '0;
      len_q <= '0;
      period_q <= '0;
      loop_q <= '0;
    end else begin
      running_q <= running_d;
      waiting_q <= waiting_d;
      idle_q <= idle_d;
      index_q <= index_d;
      len_q <= len_d;
      period_q <= period_d;
      loop_q <= loop_d;
    end
  end

  // ---- the entry: is it due, and what is in it ----------------------------------------------------------------------------
  assign due_o = running_q & (last_i >= due_at);
  assign late_o = running_q & (last_i > due_at);
  assign launch_o = take ? launch_mem[at] : '0;
  always_comb begin
    row_valid_o = '0;
    tag_o = '0;
    for (int unsigned o = 0; o < N; o++) row_input_o[o] = '0;
    if (take) begin
      tag_o = tag_mem[at];
      row_valid_o = valid_mem[at];
      for (int unsigned o = 0; o < N; o++) row_input_o[o] = input_mem[at][9*o+:9];
    end
  end

  logic [N*9-1:0] packed_map;
  always_comb begin
    packed_map = '0;
    if (store_i) for (int unsigned o = 0; o < N; o++) packed_map[9*o+:9] = map_input_i[o];
  end
  // Not always_ff, which may not share its variables with an initial block.
  always @(posedge clk_i) begin
    if (store_i) begin
      offset_mem[{idle_d, entry_i}] <= offset_i;
      tag_mem[{idle_d, entry_i}] <= tag_i;
      launch_mem[{idle_d, entry_i}] <= launch_i;
      valid_mem[{idle_d, entry_i}] <= map_valid_i;
      input_mem[{idle_d, entry_i}] <= packed_map;
    end
  end

  assign running_o = running_q;
  assign bound_o = running_q ? cycles_to(due_at, time_i) : Unbounded;
endmodule
