// Part of ocs_fast_core: the sequencer's banks (section 9).
// SPDX-License-Identifier: Apache-2.0

task automatic move_sequencer();
  if (from_row | go_pending | swap_pending | stop_pending) begin
    if (from_row) begin
      entry = last_entry ? '0 : entry + 1'b1;
      if (last_entry) begin
        loop_base = loop_base + 64'(period);
        if (period == 0) running = 1'b0;
      end
    end
    // A wrap exchanges the banks once, for a swap that waited or one in its own cycle.
    waiting = running & (waiting | swap_pending);
    if (wrap & waiting) begin
      idle_bank = ~idle_bank;
      waiting = 1'b0;
    end
    if (stop_pending) begin
      running = 1'b0;
      waiting = 1'b0;
    end
    if (go_pending) begin
      idle_bank = ~idle_bank;
      running = modes_i.seq_len != 0;
      waiting = 1'b0;
      entry = '0;
      entries = 32'(modes_i.seq_len) > S ? (EntryW + 1)'(S) : (EntryW + 1)'(modes_i.seq_len);
      period = modes_i.seq_period;
      loop_base = set_seq_base;
    end
    {go_pending, swap_pending, stop_pending} = '0;
    entry_due = loop_base + 64'(row_offset[{~idle_bank, entry}]);
  end
endtask

// SEQ_STORE: the shadow map becomes a row of the idle bank, with what its check will find.
logic [EntryW:0] stored;
task automatic store_row();
  stored = {idle_bank, access_i.data[EntryW-1:0]};
  look_through_shadow();
  row_offset[stored] = modes_i.seq_offset;
  row_tag[stored] = modes_i.commit_tag;
  row_launch[stored] = W'(set_launch);
  row_vld[stored] = shadow_vld;
  row_used[stored] = used;
  row_range[stored] = range;
  row_twice[stored] = twice;
  for (int unsigned o = 0; o < N; o++) row_in[32'(stored)*N+o] = shadow_in[o];
  for (int unsigned b = 0; b < InW; b++)
    for (int unsigned o = 0; o < N; o++) row_sel[32'(stored)*InW+b][o] = shadow_in[o][b];
endtask
