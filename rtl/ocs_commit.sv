// Commit arbiter: picks the source, checks the whole resulting map, says what is taken (section 3). No state.
//
// SPDX-License-Identifier: Apache-2.0
module ocs_commit #(
    /// Ports, 2 to 256.
    parameter int unsigned N   = 16,
    localparam int unsigned InW = $clog2(N)
) (
    /// The fabric moves at this edge; the action cycle is `last_i`.
    input  logic           go_i,
    input  logic [63:0]    last_i,
    /// Requests: pending software commit, armed timed commit and its cycle, due sequencer entry and whether it is late.
    input  logic           sw_i,
    input  logic           armed_i,
    input  logic [63:0]    commit_at_i,
    input  logic           seq_i,
    input  logic           seq_late_i,
    /// Maps: {valid, 9 bits of input} of each output.
    input  logic [N-1:0]   shadow_valid_i,
    input  logic [8:0]     shadow_input_i[N],
    input  logic [N-1:0]   row_valid_i,
    input  logic [8:0]     row_input_i[N],
    /// MULTICAST in force.
    input  logic           multicast_i,

    /// A commit is taken, or refused, at the end of `last_i`.
    output logic           taken_o,
    output logic           refused_o,
    output ocs_pkg::source_e source_o,
    output logic           late_o,
    output logic           range_o,
    output logic           conflict_o,
    /// The request of this source is consumed.
    output logic           sw_done_o,
    output logic           timed_done_o,
    /// The map that is taken.
    output logic [N-1:0]   map_valid_o,
    output logic [InW-1:0] map_input_o[N]
);
  if (N < 2 || N > 256) begin : g_ports_in_range
    $error("ocs_commit: N must be from 2 to 256");
  end

  logic timed, any;
  assign timed = armed_i & (last_i >= commit_at_i);
  assign any = go_i & (seq_i | timed | sw_i);
  assign source_o = seq_i ? ocs_pkg::Sequencer : timed ? ocs_pkg::Timed : ocs_pkg::Software;
  assign timed_done_o = any & ~seq_i & timed;
  assign sw_done_o = any & ~seq_i & ~timed;
  assign late_o = any & (seq_i ? seq_late_i : timed & (last_i > commit_at_i));

  logic range, conflict;
  logic [N-1:0] used;
  logic [8:0] input_of;
  always_comb begin
    used = '0;
    range = 1'b0;
    conflict = 1'b0;
    input_of = '0;
    map_valid_o = '0;
    for (int unsigned o = 0; o < N; o++) map_input_o[o] = '0;
    if (any) begin
      map_valid_o = seq_i ? row_valid_i : shadow_valid_i;
      for (int unsigned o = 0; o < N; o++) begin
        input_of = seq_i ? row_input_i[o] : shadow_input_i[o];
        map_input_o[o] = input_of[InW-1:0];
        if (map_valid_o[o]) begin
          if (32'(input_of) >= N) range = 1'b1;
          else begin
            conflict |= used[input_of[InW-1:0]];
            used[input_of[InW-1:0]] = 1'b1;
          end
        end
      end
    end
  end

  assign range_o = any & range;
  assign conflict_o = any & ~range & conflict & ~multicast_i;
  assign refused_o = range_o | conflict_o;
  assign taken_o = any & ~refused_o;
endmodule
