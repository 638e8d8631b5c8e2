// Part of ocs_fast_core: which commit is taken at this edge, if any, and what its check finds (section 3).
// SPDX-License-Identifier: Apache-2.0

task automatic choose_commit();
  logic timed, any;
  taken = 1'b0;
  refused = 1'b0;
  late = 1'b0;
  source = Software;
  commit_tag = sw_tag;
  range = 1'b0;
  twice = 1'b0;
  row = {~idle_bank, entry};
  from_row = running & last >= entry_due;
  last_entry = {1'b0, entry} + 1'b1 == entries;
  wrap = from_row & last_entry & period != 0;
  timed = armed & last >= commit_at;
  any = from_row | timed | sw;
  if (any) begin
    if (from_row) begin
      source = Sequencer;
      commit_tag = row_tag[row];
      range = row_range[row];
      twice = row_twice[row];
      late = last > entry_due;
    end else begin
      source = timed ? Timed : Software;
      late = timed & last > commit_at;
      look_through_shadow();
      if (timed) begin
        armed = 1'b0;
        commit_tag = timed_tag;
      end else sw = 1'b0;
    end
    if (range) raise(ErrRange);
    else if (twice & ~modes_i.multicast) raise(ErrConflict);
    if (late) begin
      raise(ErrLate);
      lates = lates + 64'd1;
    end
    refused = range | (twice & ~modes_i.multicast);
    taken = ~refused;
    if (refused) refusals = refusals + 64'd1;
    else commits = commits + 64'd1;
  end
endtask

// The shadow map's check: inputs used, one out of range, one used twice.
mask_t used;
task automatic look_through_shadow();
  used = '0;
  range = 1'b0;
  twice = 1'b0;
  for (int unsigned o = 0; o < N; o++)
    if (shadow_vld[o]) begin
      if (32'(shadow_in[o]) >= N) range = 1'b1;
      else begin
        twice |= used[shadow_in[o][InW-1:0]];
        used |= mask_t'(1) << shadow_in[o][InW-1:0];
      end
    end
endtask
