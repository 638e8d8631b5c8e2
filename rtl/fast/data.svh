// Part of ocs_fast_core: the data path (section 7). A word accepted in a cycle leaves in the next one, if it was passed.
// SPDX-License-Identifier: Apache-2.0

// Whether engine i, which is open, offers a word in the present cycle.
function automatic logic offers(input int unsigned i);
  return words_of(i, now + 64'd1) != words_of(i, now);
endfunction

// The words of the present cycle, before anything changes at its end.
mask_t offered;
task automatic carry();
  logic [InW-1:0] from;
  mask_t leave;
  offered = W'(offer_o) | (W'(set_external) & W'(valid_i));
  leave = '0;
  if (offered != 0)
    for (int unsigned o = 0; o < N; o++) begin
      from = src[o];
      if (up[o] & ~blind[o] & offered[from]) begin
        leave[o] = 1'b1;
        word_o[o] = word_i[from];
      end
    end
  word_valid_o = leave[N-1:0];
endtask

if (Lanes != 0) begin : g_words
  // At full rate, without asking how many words that makes.
  mask_t full;
  always_comb begin
    full = '0;
    for (int unsigned i = 0; i < N; i++) full[i] = at_full_rate(i);
  end
  always_comb begin
    offer_o = open[N-1:0] & full[N-1:0];
    if ((open & ~full) != 0) for (int unsigned i = 0; i < N; i++) if (open[i] & ~full[i]) offer_o[i] = offers(i);
  end
  always_comb begin
    for (int unsigned i = 0; i < N; i++) index_o[i] = index[i] + (open[i] ? now[31:0] - since[i][31:0] : '0);
    if ((open & ~full) != 0)
      for (int unsigned i = 0; i < N; i++) if (~full[i]) index_o[i] = index_at(InW'(i), now);
  end
  assign tag_o = tag;
  assign input_o = src;
  assign up_o = up[N-1:0] & ~blind[N-1:0];
  // word_valid_o and word_o are written by carry().
end else begin : g_no_words
  always_comb begin
    {offer_o, up_o, word_valid_o} = '0;
    for (int unsigned i = 0; i < N; i++) begin
      index_o[i] = '0;
      tag_o[i] = '0;
      input_o[i] = '0;
      for (int unsigned l = 0; l < L; l++) word_o[i][l] = '0;
    end
  end
end
