// Event FIFO: one record a cycle in which anything happened; reads hand out its events one by one (section 10).
//
// SPDX-License-Identifier: Apache-2.0
module ocs_events #(
    /// Ports, 2 to 256.
    parameter int unsigned N     = 16,
    /// Records, a power of two, 2 to 4096.
    parameter int unsigned Depth = 64,
    localparam int unsigned AtW  = $clog2(Depth)
) (
    input  logic         clk_i,   ///< clock, rising edge
    input  logic         rst_ni,  ///< synchronous reset, active low
    /// The fabric moves at this edge; what happens at it is stamped `stamp_i`.
    input  logic         go_i,
    input  logic [63:0]  stamp_i,
    /// What happened: device kinds {wrapped, refused, committed}, the commit's source and tag; outputs that entered a state,
    /// and which; inputs whose burst is done, and was passed whole.
    input  logic [2:0]   device_i,
    input  ocs_pkg::source_e source_i,
    input  logic [5:0]   tag_i,
    input  logic [N-1:0] entered_i,
    input  ocs_pkg::state_e state_i[N],
    input  logic [N-1:0] done_i,
    input  logic [N-1:0] whole_i,
    /// EVENT is read at this edge.
    input  logic         pop_i,
    /// CHANGED and ENDED: bits to clear at this edge; one that is set at it stays set.
    input  logic [N-1:0] changed_clear_i,
    input  logic [N-1:0] ended_clear_i,

    /// The next event as EVENT shows it (0 unless `pop_i`); stamp of the one taken last.
    output logic [31:0]  event_o,
    output logic [63:0]  event_time_o,
    output logic         empty_o,
    /// Outputs that entered a state and inputs whose burst was done, whether their records were dropped or not.
    output logic [N-1:0] changed_o,
    output logic [N-1:0] ended_o,
    /// A record is lost at this edge.
    output logic         dropped_o
);
  if (N < 2 || N > 256) begin : g_ports_in_range
    $error("ocs_events: N must be from 2 to 256");
  end
  if (Depth < 2 || Depth > 4096 || (Depth & (Depth - 1)) != 0) begin : g_depth_in_range
    $error("ocs_events: Depth must be a power of two from 2 to 4096");
  end

  import ocs_addr_pkg::*;

  logic [63:0] stamp_mem[Depth];
  ocs_pkg::source_e source_mem[Depth];
  logic [5:0] tag_mem[Depth];
  logic [3*N-1:0] state_mem[Depth];
  logic [N-1:0] whole_mem[Depth];
  // What is left of each record.
  logic [2:0] device_mem[Depth];
  logic [N-1:0] entered_mem[Depth], done_mem[Depth];

  logic [N-1:0] changed_q, ended_q;
  logic [AtW-1:0] head_q, tail_q;
  logic [AtW:0] count_q;
  logic [63:0] taken_q;

  logic happened, push, last, full;
  assign happened = go_i & ((|device_i) | (|entered_i) | (|done_i));
  assign full = count_q == (AtW + 1)'(Depth);
  assign push = happened & ~full;
  assign dropped_o = happened & full;
  assign empty_o = count_q == 0;

  // ---- the first event that is left in the head record ------------------------------------------------------------------
  logic [2:0] device_left;
  logic [N-1:0] entered_left, done_left;
  logic [3:0] kind;
  logic [3:0] class_of;
  logic [15:0] port;
  logic [5:0] tag;
  always_comb begin
    tag = '0;
    device_left = '0;
    entered_left = '0;
    done_left = '0;
    kind = '0;
    class_of = '0;
    port = '0;
    event_o = '0;
    last = 1'b0;
    if (pop_i & ~empty_o) begin
      device_left = device_mem[head_q];
      entered_left = entered_mem[head_q];
      done_left = done_mem[head_q];
      if (device_left != 0) begin
        if (device_left[0] | device_left[1]) tag = tag_mem[head_q];
        port = device_left[0] | device_left[1] ? 16'(source_mem[head_q]) : 16'(ocs_pkg::Sequencer);
        kind = device_left[0] ? 4'd0 : device_left[1] ? 4'd1 : 4'd2;
        device_left &= device_left - 3'd1;
      end else if (entered_left != 0) begin
        class_of = 4'd1;
        for (int unsigned o = N; o > 0; o--) if (entered_left[o-1]) port = 16'(o - 1);
        kind = 4'(state_mem[head_q][3*port+:3]);
        entered_left &= entered_left - N'(1);
      end else begin
        class_of = 4'd2;
        for (int unsigned i = N; i > 0; i--)
          if (done_left[i-1]) begin
            port = 16'(i - 1);
            kind = 4'(whole_mem[head_q][i-1]);
          end
        done_left &= done_left - N'(1);
      end
      last = device_left == 0 & entered_left == 0 & done_left == 0;
      event_o[CORE_EVENT_KIND_LSB+:4] = kind;
      event_o[CORE_EVENT_CLASS_LSB+:4] = class_of;
      event_o[CORE_EVENT_PORT_LSB+:16] = port;
      event_o[CORE_EVENT_TAG_LSB+:6] = tag;
      event_o[CORE_EVENT_NEW_STAMP_LSB] = stamp_mem[head_q] != taken_q;
      event_o[CORE_EVENT_VALID_LSB] = 1'b1;
    end
  end

  logic [3*N-1:0] packed_state;
  always_comb begin
    packed_state = '0;
    if (push) for (int unsigned o = 0; o < N; o++) packed_state[3*o+:3] = state_i[o];
  end

  always_ff @(posedge clk_i) begin
    if (push) begin
      stamp_mem[tail_q] <= stamp_i;
      source_mem[tail_q] <= source_i;
      tag_mem[tail_q] <= tag_i;
      state_mem[tail_q] <= packed_state;
      device_mem[tail_q] <= device_i;
      entered_mem[tail_q] <= entered_i;
      done_mem[tail_q] <= done_i;
      whole_mem[tail_q] <= whole_i;
    end
    if (pop_i & ~empty_o) begin
      device_mem[head_q] <= device_left;
      entered_mem[head_q] <= entered_left;
      done_mem[head_q] <= done_left;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      head_q <= '0;
      tail_q <= '0;
      count_q <= '0;
      taken_q <= '0;
      changed_q <= '0;
      ended_q <= '0;
    end else begin
      changed_q <= (changed_q & ~changed_clear_i) | (go_i ? entered_i : '0);
      ended_q <= (ended_q & ~ended_clear_i) | (go_i ? done_i : '0);
      tail_q <= tail_q + AtW'(push);
      head_q <= head_q + AtW'(last);
      count_q <= count_q + (AtW + 1)'(push) - (AtW + 1)'(last);
      if (pop_i & ~empty_o) taken_q <= stamp_mem[head_q];
    end
  end
  assign event_time_o = taken_q;
  assign changed_o = changed_q;
  assign ended_o = ended_q;
endmodule
