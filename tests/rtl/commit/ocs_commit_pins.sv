// ocs_commit with the map that it asks about, for its test in C++.
//
// SPDX-License-Identifier: Apache-2.0
module ocs_commit_pins
  import ocs_pkg::*;
#(
    parameter int unsigned N = 4,
    localparam int unsigned InW = $clog2(N)
) (
    input logic go_i,
    input logic [63:0] last_i,
    input logic sw_i,
    input logic armed_i,
    input logic [63:0] commit_at_i,
    input logic seq_i,
    input logic seq_late_i,
    input logic [5:0] sw_tag_i,
    input logic [5:0] timed_tag_i,
    input logic [5:0] seq_tag_i,
    input logic [N-1:0] shadow_valid_i,
    input logic [8:0] shadow_input_i[N],
    input logic [N-1:0] row_valid_i,
    input logic [8:0] row_input_i[N],
    input logic multicast_i,
    output logic taken_o,
    output logic refused_o,
    output source_e source_o,
    output logic [5:0] tag_o,
    output logic late_o,
    output logic range_o,
    output logic conflict_o,
    output logic sw_done_o,
    output logic timed_done_o,
    output logic [N-1:0] map_valid_o,
    output logic [InW-1:0] map_input_o[N]
);
  logic asked, map_range, map_conflict;
  ocs_commit u_commit (
      .go_i, .last_i, .sw_i, .armed_i, .commit_at_i, .seq_i, .seq_late_i, .sw_tag_i, .timed_tag_i, .seq_tag_i,
      .range_i(map_range), .conflict_i(map_conflict), .multicast_i, .any_o(asked), .taken_o, .refused_o, .source_o, .tag_o,
      .late_o, .range_o, .conflict_o, .sw_done_o, .timed_done_o
  );
  ocs_map #(.N(N)) u_map (
      .on_i(asked), .seq_i, .shadow_valid_i, .shadow_input_i, .row_valid_i, .row_input_i, .map_valid_o, .map_input_o,
      .range_o(map_range), .conflict_o(map_conflict)
  );
endmodule
