// Part of ocs_fast_core: burst engines, and which inputs are selected and lit (sections 7 and 8).
// SPDX-License-Identifier: Apache-2.0

// Words up to this edge; how many they were.
task automatic settle_engine(input int unsigned i, output logic [31:0] words);
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
task automatic move_engines();
  mask_t halts, hits, over, paused, none, was;
  logic [31:0] words;
  ending = '0;
  finished = '0;
  moved = '0;
  fresh = start_pending;
  if (from_row) fresh |= row_launch[row];
  fresh &= ~W'(set_external);
  halts = halt_pending | W'(set_external);
  start_pending = '0;
  halt_pending = '0;
  if (idue <= nxt | (fresh | halts) != 0) begin
    {hits, over, paused, none} = '0;
    was = fresh | halts;
    for (int unsigned c = 0; c < Chunks; c++) begin
      chunk_t told;
      told = was[c*Chunk+:Chunk];
      if (ifirst[c] <= nxt | told != 0)
        for (int unsigned j = 0; j < InChunk; j++)
          if (imin[c*InChunk+j] <= nxt | told[j*GroupSize+:GroupSize] != 0)
            for (int unsigned k = 0; k < GroupSize; k++) begin
              int unsigned i;
              i = c * Chunk + j * GroupSize + k;
              if (i < N && (edl[i] <= nxt | told[j*GroupSize+k])) begin
                hits[i] = edl[i] <= nxt;
                settle_engine(i, words);
                if (set_external[i] & valid_i[i] & words == 0) sent[i] = sent[i] + 64'd1;
                if (open[i] & left[i] == 0) begin
                  if (repeats[i] == 0) over[i] = 1'b1;
                  else begin
                    repeats[i] = repeats[i] - 32'd1;
                    left[i] = len[i];
                    if (gap_len[i] != 0) begin
                      paused[i] = 1'b1;
                      edl[i] = nxt + 64'(gap_len[i]);
                    end
                  end
                end
                if (fresh[i] & set_len[i] == 0) none[i] = 1'b1;
              end
            end
    end
    moved = hits | fresh | halts;
    was = gap | send;
    send = ((send & ~paused & ~over) | (gap & hits)) & ~halts;
    gap = ((gap & ~hits) | paused) & ~halts;
    done = (moved & was & ~gap & ~send & ~fresh) | none;
    ending = done | fresh;
    finished = over & ~fresh;
  end
endtask

// STARTs act; then the gates of all engines that moved or whose light came or went, and the next stamp of each.
task automatic start_engines();
  mask_t waits_n, sends_n, opens_n;
  logic waits, sends, opens;
  logic [31:0] words;
  logic [63:0] earliest, first;
  moved |= gate;
  if (moved != 0) begin
    {waits_n, sends_n, opens_n} = '0;
    gated = (gated & ~fresh) | (W'(set_gated) & fresh);
    idue = Never;
    for (int unsigned c = 0; c < Chunks; c++) begin
      chunk_t bits;
      bits = moved[c*Chunk+:Chunk];
      if (bits != 0) begin
        first = Never;
        for (int unsigned j = 0; j < InChunk; j++) begin
          if (bits[j*GroupSize+:GroupSize] != 0) begin
            earliest = Never;
            for (int unsigned k = 0; k < GroupSize; k++) begin
              int unsigned i;
              i = c * Chunk + j * GroupSize + k;
              if (i < N) begin
                if (bits[j*GroupSize+k]) begin
                  waits = gap[i];
                  sends = send[i];
                  if (fresh[i]) begin
                    len[i] = set_len[i];
                    gap_len[i] = set_gap[i];
                    repeats[i] = set_repeat[i];
                    tag[i] = set_tag[i];
                    index[i] = '0;
                    acc[i] = '0;
                    left[i] = set_len[i];
                    waits = set_len[i] != 0 & set_gap[i] != 0;
                    sends = set_len[i] != 0 & set_gap[i] == 0;
                    edl[i] = nxt + 64'(set_gap[i]);
                  end else if (gate[i]) settle_engine(i, words);
                  opens = sends & (~gated[i] | lit[i]);
                  since[i] = nxt;
                  if (~waits) edl[i] = end_of_repeat(i, opens);
                  waits_n[i] = waits;
                  sends_n[i] = sends;
                  opens_n[i] = opens;
                end
                if (edl[i] < earliest) earliest = edl[i];
              end
            end
            imin[c*InChunk+j] = earliest;
          end
          if (imin[c*InChunk+j] < first) first = imin[c*InChunk+j];
        end
        ifirst[c] = first;
      end
      if (ifirst[c] < idue) idue = ifirst[c];
    end
    gap = (gap & ~moved) | waits_n;
    send = (send & ~moved) | sends_n;
    open = (open & ~moved) | opens_n;
  end
endtask

// The stamp at which engine i, settled, may have sent the last word of its repeat.
function automatic logic [63:0] end_of_repeat(input int unsigned i, input logic opens);
  return opens & set_rate[i] != 0 ? nxt + cycles_left(i) : Never;
endfunction

// A commit was taken: what nobody selected until now, and from now on.
mask_t diverted;
task automatic route();
  diverted = routed ^ used;
  for (int unsigned c = 0; c < Chunks; c++) begin
    chunk_t bits;
    bits = diverted[c*Chunk+:Chunk];
    if (bits != 0)
      for (int unsigned j = 0; j < InChunk; j++)
        if (bits[j*GroupSize+:GroupSize] != 0)
          for (int unsigned k = 0; k < GroupSize; k++) begin
            int unsigned i;
            i = c * Chunk + j * GroupSize + k;
            if (i < N & bits[j*GroupSize+k]) begin
              if (~routed[i]) unrouted[i] = unrouted[i] + (sent_at(InW'(i), nxt) - unrouted_mark[i]);
              unrouted_mark[i] = sent_at(InW'(i), nxt);
            end
          end
  end
  routed = used;
endtask
