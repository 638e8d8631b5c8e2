// A copy of the events that the host takes from the switch, for the firmware: a FIFO between the two clocks.
//
// The hardware hands every event to both at once: to the host, which stops its clock there, and to the core, which it
// wakes. What finds no place is counted.
//
// SPDX-License-Identifier: Apache-2.0
module ocs_soc_events
  import ocs_soc_pkg::*;
#(
    /// Events that it holds, a power of two, 2 to 4096.
    parameter int unsigned Depth = 1024
) (
    input  logic        rst_ni,      ///< synchronous reset of both sides, active low
    input  logic        bus_clk_i,   ///< clock of the writing side
    input  event_t      event_i,     ///< an event that was read
    output logic [31:0] lost_o,      ///< events that found no place, ever
    input  logic        core_clk_i,  ///< clock of the reading side
    input  logic        pop_i,       ///< the oldest event is taken
    output event_t      event_o      ///< the oldest one, if any is there
);
  if (Depth < 2 || Depth > 4096 || (Depth & (Depth - 1)) != 0) begin : g_depth_in_range
    $error("ocs_soc_events: Depth must be a power of two from 2 to 4096");
  end
  localparam int unsigned W = $clog2(Depth);

  logic [63:0] events[Depth];
  logic [W:0] head_q, tail_q;
  logic full, empty;
  assign full = (head_q - tail_q) == (W + 1)'(Depth);
  assign empty = head_q == tail_q;
  assign event_o = {~empty, events[tail_q[W-1:0]]};

  always_ff @(posedge bus_clk_i) begin
    if (!rst_ni) begin
      head_q <= '0;
      lost_o <= '0;
    end else if (event_i.valid) begin
      if (full) lost_o <= lost_o + 1;
      else begin
        events[head_q[W-1:0]] <= {event_i.word, event_i.cycle};
        head_q <= head_q + 1;
      end
    end
  end
  always_ff @(posedge core_clk_i) begin
    if (!rst_ni) tail_q <= '0;
    else if (pop_i & ~empty) tail_q <= tail_q + 1;
  end
endmodule
