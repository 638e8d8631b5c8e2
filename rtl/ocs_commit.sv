// Which commit is taken or refused at an edge, if any (section 3). No state.
//
// SPDX-License-Identifier: Apache-2.0
module ocs_commit
  import ocs_pkg::*;
(
    /// The fabric moves at this edge; the action cycle is `last_i`.
    input  logic        go_i,
    input  logic [63:0] last_i,
    /// Requests: pending software commit, armed timed commit and its cycle, due sequencer entry and whether it is late.
    input  logic        sw_i,
    input  logic        armed_i,
    input  logic [63:0] commit_at_i,
    input  logic        seq_i,
    input  logic        seq_late_i,
    /// Their tags.
    input  logic [5:0]  sw_tag_i,
    input  logic [5:0]  timed_tag_i,
    input  logic [5:0]  seq_tag_i,
    /// What the check of the map finds; MULTICAST in force.
    input  logic        range_i,
    input  logic        conflict_i,
    input  logic        multicast_i,

    /// There is a request.
    output logic        any_o,
    /// A commit is taken, or refused, at the end of `last_i`; of which source, its tag, whether it is late, why it is refused.
    output logic        taken_o,
    output logic        refused_o,
    output source_e     source_o,
    output logic [5:0]  tag_o,
    output logic        late_o,
    output logic        range_o,
    output logic        conflict_o,
    /// The request of this source is consumed.
    output logic        sw_done_o,
    output logic        timed_done_o
);
  logic timed, any;
  assign timed = armed_i & (last_i >= commit_at_i);
  assign any = go_i & (seq_i | timed | sw_i);
  assign any_o = any;
  assign source_o = seq_i ? Sequencer : timed ? Timed : Software;
  assign tag_o = seq_i ? seq_tag_i : timed ? timed_tag_i : sw_tag_i;
  assign timed_done_o = any & ~seq_i & timed;
  assign sw_done_o = any & ~seq_i & ~timed;
  assign late_o = any & (seq_i ? seq_late_i : timed & (last_i > commit_at_i));
  assign range_o = any & range_i;
  assign conflict_o = any & ~range_i & conflict_i & ~multicast_i;
  assign refused_o = range_o | conflict_o;
  assign taken_o = any & ~refused_o;
endmodule
