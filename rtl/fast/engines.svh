// Part of ocs_fast_core: burst engines, and which inputs are selected and lit (sections 7 and 8).
// SPDX-License-Identifier: Apache-2.0

// Words up to this edge.
logic [31:0] words;
task automatic settle_engine(input int unsigned i);
  words = words_of(i, nxt);
  if (words != 0 | ~at_full_rate(i)) begin
    if (open[i] & ~at_full_rate(i)) acc[i] = 16'(fraction_of(i, nxt) - 64'(words) * 64'(FullRate));
    sent[i] = sent[i] + 64'(words);
    index[i] = index[i] + words;
    left[i] = left[i] - words;
  end
  since[i] = nxt;
endtask

// Engines whose gap or repeat ends, that are stopped, started or held by EXTERNAL; those to be started wait for
// start_engines, since their outputs' segments end with the old index.
mask_t moved, fresh, halts;
logic was_running;
task automatic move_engines();
  ending = '0;
  done = '0;
  moved = '0;
  fresh = start_pending;
  if (from_row) fresh |= row_launch[row];
  fresh &= ~W'(external_i);
  halts = halt_pending | W'(external_i);
  start_pending = '0;
  halt_pending = '0;
  for (int unsigned g = 0; g < Groups; g++)
    if (imin[g] <= nxt | (fresh[g*GroupSize+:GroupSize] | halts[g*GroupSize+:GroupSize]) != 0)
      for (int unsigned k = 0; k < GroupSize; k++) begin
        int unsigned i;
        i = g * GroupSize + k;
        if (i < N && (edl[i] <= nxt | fresh[i] | halts[i])) begin
          moved[i] = 1'b1;
          was_running = gap[i] | send[i];
          settle_engine(i);
          if (external_i[i] & valid_i[i] & words == 0) sent[i] = sent[i] + 64'd1;
          if (open[i] & left[i] == 0) begin
            if (repeats[i] != 0) begin
              repeats[i] = repeats[i] - 32'd1;
              left[i] = len[i];
              if (gap_len[i] != 0) begin
                gap[i] = 1'b1;
                send[i] = 1'b0;
                edl[i] = nxt + 64'(gap_len[i]);
              end
            end else send[i] = 1'b0;
          end else if (gap[i] & edl[i] <= nxt) begin
            gap[i] = 1'b0;
            send[i] = 1'b1;
          end
          if (halts[i]) begin
            gap[i] = 1'b0;
            send[i] = 1'b0;
          end
          done[i] = fresh[i] ? len_i[i] == 0 : was_running & ~gap[i] & ~send[i];
          ending[i] = done[i] | fresh[i];
        end
      end
endtask

// STARTs act; then the gates of all engines that moved or whose light came or went, and the next stamp of each.
mask_t gate;
task automatic start_engines();
  moved |= gate;
  if (moved != 0)
    for (int unsigned g = 0; g < Groups; g++)
      if (moved[g*GroupSize+:GroupSize] != 0) begin
        for (int unsigned k = 0; k < GroupSize; k++) begin
          int unsigned i;
          i = g * GroupSize + k;
          if (i < N & moved[i]) begin
            if (fresh[i]) begin
              len[i] = len_i[i];
              gap_len[i] = gap_i[i];
              repeats[i] = repeat_i[i];
              tag[i] = tag_i[i];
              gated[i] = gated_i[i];
              index[i] = '0;
              acc[i] = '0;
              left[i] = len_i[i];
              gap[i] = len_i[i] != 0 & gap_i[i] != 0;
              send[i] = len_i[i] != 0 & gap_i[i] == 0;
              edl[i] = nxt + 64'(gap_i[i]);
            end else if (gate[i]) settle_engine(i);
            schedule_engine(i);
          end
        end
        earliest_engine(g);
      end
  // Segments of outputs that have come UP, or whose burst is another one, begin here.
  if (cut != 0)
    for (int unsigned g = 0; g < Groups; g++)
      if (cut[g*GroupSize+:GroupSize] != 0)
        for (int unsigned k = 0; k < GroupSize; k++)
          if (cut[g*GroupSize+k]) grown[g*GroupSize+k] = index_at(src[g*GroupSize+k], nxt);
endtask

// The stamp at which engine i acts next; it is settled.
task automatic schedule_engine(input int unsigned i);
  open[i] = send[i] & (~gated[i] | lit[i]);
  since[i] = nxt;
  if (~gap[i]) edl[i] = open[i] & rate_i[i] != 0 ? nxt + cycles_left(i) : Never;
endtask
task automatic earliest_engine(input int unsigned g);
  imin[g] = Never;
  for (int unsigned k = 0; k < GroupSize; k++)
    if (g * GroupSize + k < N && edl[g*GroupSize+k] < imin[g]) imin[g] = edl[g*GroupSize+k];
endtask

// A commit was taken: what nobody selected until now, and from now on.
mask_t diverted;
task automatic route();
  diverted = routed ^ used;
  for (int unsigned g = 0; g < Groups; g++)
    if (diverted[g*GroupSize+:GroupSize] != 0)
      for (int unsigned k = 0; k < GroupSize; k++) begin
        int unsigned i;
        i = g * GroupSize + k;
        if (i < N & diverted[i]) begin
          if (~routed[i]) unrouted[i] = unrouted[i] + (sent_at(InW'(i), nxt) - unrouted_mark[i]);
          unrouted_mark[i] = sent_at(InW'(i), nxt);
        end
      end
  routed = used;
endtask

// Inputs of which all outputs are UP after this edge; `gate`: sending, gated ones for which that changed.
mask_t lit_n, turned;
task automatic shine();
  gate = '0;
  turned = up ^ up_n;
  if (taken | (shared & turned != 0)) begin
    lit_n = '0;
    for (int unsigned o = 0; o < N; o++) if (vld[o] & ~up_n[o]) lit_n |= mask_t'(1) << src[o];
    lit_n = routed & ~lit_n;
  end else begin
    lit_n = lit;
    if (turned != 0)
      for (int unsigned g = 0; g < Groups; g++)
        if (turned[g*GroupSize+:GroupSize] != 0)
          for (int unsigned k = 0; k < GroupSize; k++)
            if (turned[g*GroupSize+k]) lit_n[src[g*GroupSize+k]] = up_n[g*GroupSize+k];
  end
  gate = (lit ^ lit_n) & gated & send;
  lit = lit_n;
endtask
