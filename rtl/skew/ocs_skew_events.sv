// Event FIFO whose oldest record is in registers: what ocs_events does, with a short way from a read to what it leaves (section 10).
//
// SPDX-License-Identifier: Apache-2.0
module ocs_skew_events
  import ocs_addr_pkg::*;
  import ocs_pkg::*;
#(
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
    input  source_e      source_i,
    input  logic [5:0]   tag_i,
    input  logic [N-1:0] entered_i,
    input  state_e       state_i[N],
    input  logic [N-1:0] done_i,
    input  logic [N-1:0] whole_i,
    /// EVENT is read at this edge.
    input  logic         pop_i,
    /// CHANGED and ENDED: bits to clear at this edge; one that is set at it stays set.
    input  logic [N-1:0] changed_clear_i,
    input  logic [N-1:0] ended_clear_i,

    /// The next event as EVENT shows it; stamp of the one taken last.
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
    $error("ocs_skew_events: N must be from 2 to 256");
  end
  if (Depth < 2 || Depth > 4096 || (Depth & (Depth - 1)) != 0) begin : g_depth_in_range
    $error("ocs_skew_events: Depth must be a power of two from 2 to 4096");
  end

  typedef struct packed {
    logic [63:0] stamp;
    source_e source;
    logic [5:0] tag;
    logic [N-1:0][2:0] state;
    logic [2:0] device;
    logic [N-1:0] entered, done, whole;
  } record_t;

  // The memory has all records, the oldest one as it was pushed; `head_q` what is left of that.
  record_t record_mem[Depth];
  record_t head_q, pushed, second;
  logic [N-1:0] changed_q, ended_q;
  logic [AtW-1:0] second_at_q, tail_q;
  logic [AtW:0] count_q;
  logic any_q, many_q, full_q;  // there is a record; more than one; as many as there may be
  logic [63:0] taken_q;

  logic happened, push, pop, last;
  assign happened = go_i & ((|device_i) | (|entered_i) | (|done_i));
  assign push = happened & ~full_q;
  assign pop = pop_i & any_q;
  assign dropped_o = happened & full_q;
  assign empty_o = ~any_q;

  always_comb begin
    pushed.stamp = stamp_i;
    pushed.source = source_i;
    pushed.tag = tag_i;
    pushed.device = device_i;
    pushed.entered = entered_i;
    pushed.done = done_i;
    pushed.whole = whole_i;
    for (int unsigned o = 0; o < N; o++) pushed.state[o] = state_i[o];
  end

  // ---- the first event that is left in the oldest record ------------------------------------------------------------------
  logic [2:0] device_left;
  logic [N-1:0] entered_left, done_left;
  logic [3:0] kind;
  logic [3:0] class_of;
  logic [15:0] port;
  logic [5:0] tag;
  always_comb begin
    tag = '0;
    device_left = head_q.device;
    entered_left = head_q.entered;
    done_left = head_q.done;
    port = '0;
    if (head_q.device != 0) begin
      class_of = 4'd0;
      if (head_q.device[0] | head_q.device[1]) tag = head_q.tag;
      port = head_q.device[0] | head_q.device[1] ? 16'(head_q.source) : 16'(Sequencer);
      kind = head_q.device[0] ? 4'd0 : head_q.device[1] ? 4'd1 : 4'd2;
      device_left = head_q.device & (head_q.device - 3'd1);
    end else if (head_q.entered != 0) begin
      class_of = 4'd1;
      kind = '0;
      for (int unsigned o = N; o > 0; o--)
        if (head_q.entered[o-1]) begin
          port = 16'(o - 1);
          kind = 4'(head_q.state[o-1]);
        end
      entered_left = head_q.entered & (head_q.entered - N'(1));
    end else begin
      class_of = 4'd2;
      kind = '0;
      for (int unsigned i = N; i > 0; i--)
        if (head_q.done[i-1]) begin
          port = 16'(i - 1);
          kind = 4'(head_q.whole[i-1]);
        end
      done_left = head_q.done & (head_q.done - N'(1));
    end
    last = pop & device_left == 0 & entered_left == 0 & done_left == 0;
    event_o = '0;
    if (any_q) begin
      event_o[CORE_EVENT_KIND_LSB+:4] = kind;
      event_o[CORE_EVENT_CLASS_LSB+:4] = class_of;
      event_o[CORE_EVENT_PORT_LSB+:16] = port;
      event_o[CORE_EVENT_TAG_LSB+:6] = tag;
      event_o[CORE_EVENT_NEW_STAMP_LSB] = head_q.stamp != taken_q;
      event_o[CORE_EVENT_VALID_LSB] = 1'b1;
    end
  end

  // ---- records --------------------------------------------------------------------------------------------------------------
  logic [AtW:0] count_d;
  assign count_d = count_q + (AtW + 1)'(push) - (AtW + 1)'(last);
  assign second = record_mem[second_at_q];
  always_ff @(posedge clk_i) begin
    if (push) record_mem[tail_q] <= pushed;
    if (last & many_q) head_q <= second;
    else if (last | ~any_q) head_q <= pushed;
    else if (pop) {head_q.device, head_q.entered, head_q.done} <= {device_left, entered_left, done_left};
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      second_at_q <= AtW'(1);
      tail_q <= '0;
      count_q <= '0;
      {any_q, many_q, full_q} <= '0;
      taken_q <= '0;
      changed_q <= '0;
      ended_q <= '0;
    end else begin
      changed_q <= (changed_q & ~changed_clear_i) | (go_i ? entered_i : '0);
      ended_q <= (ended_q & ~ended_clear_i) | (go_i ? done_i : '0);
      tail_q <= tail_q + AtW'(push);
      second_at_q <= second_at_q + AtW'(last);
      count_q <= count_d;
      any_q <= push | (any_q & ~(last & ~many_q));
      many_q <= count_d > (AtW + 1)'(1);
      full_q <= count_d == (AtW + 1)'(Depth);
      if (pop) taken_q <= head_q.stamp;
    end
  end
  assign event_time_o = taken_q;
  assign changed_o = changed_q;
  assign ended_o = ended_q;
endmodule
