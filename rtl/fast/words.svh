// Part of ocs_fast_core: how many words an engine has offered, selections, light. Functions of the state alone.
// SPDX-License-Identifier: Apache-2.0

function automatic logic [63:0] stamp_after(input logic [63:0] cycle);
  return cycle == Never ? Never : cycle + 64'd1;
endfunction

function automatic logic at_full_rate(input int unsigned i);
  return set_rate[i] >= FullRate;
endfunction

// Words of input i from since[i] up to cycle `upto`, that one not included; and what its fraction is then.
function automatic logic [63:0] fraction_of(input int unsigned i, input logic [63:0] upto);
  return 64'(acc[i]) + (upto - since[i]) * 64'(set_rate[i]);
endfunction
function automatic logic [31:0] words_of(input int unsigned i, input logic [63:0] upto);
  if (~open[i]) return '0;
  if (at_full_rate(i)) return 32'(upto - since[i]);
  return 32'(fraction_of(i, upto) / 64'(FullRate));
endfunction
function automatic logic [63:0] sent_at(input logic [InW-1:0] i, input logic [63:0] upto);
  return sent[i] + 64'(words_of(32'(i), upto));
endfunction
function automatic logic [31:0] index_at(input logic [InW-1:0] i, input logic [63:0] upto);
  return index[i] + words_of(32'(i), upto);
endfunction

// Cycles within which the rest of a repeat can't be over, counted from the settled state: exact at full rate, else a
// bound that closes in by halves (section 11).
function automatic logic [63:0] cycles_left(input int unsigned i);
  logic [63:0] need;
  logic [4:0] power;
  if (at_full_rate(i)) return 64'(left[i]);
  power = '0;
  for (int unsigned m = 0; m < 16; m++) if (set_rate[i] > 16'(1 << m)) power = 5'(m + 1);
  need = 64'(left[i]) * 64'(FullRate) - 64'(acc[i]);
  need = (need + (64'd1 << power) - 64'd1) >> power;
  return need > 64'(left[i]) ? need : 64'(left[i]);
endfunction

// Outputs that select input i.
function automatic mask_t selecting(input logic [InW-1:0] i);
  mask_t m;
  m = vld;
  for (int unsigned b = 0; b < InW; b++) m &= i[b] ? sel[b] : ~sel[b];
  return m;
endfunction

// Outputs at which there is no light, for their present selections.
mask_t unlit;
task automatic find_unlit();  /*verilator no_inline_task*/
  unlit = '0;
  if (set_los != 0 || set_dead != 0)
    for (int unsigned o = 0; o < N; o++) unlit[o] = set_dead[o] | set_los[src[o]] | set_dead[src[o]];
endtask

// Number of the lowest bit that is set.
function automatic logic [15:0] lowest(input mask_t m);
  logic found;
  chunk_t bits;
  found = 1'b0;
  lowest = '0;
  for (int unsigned c = 0; c < Chunks; c++) begin
    bits = m[c*Chunk+:Chunk];
    if (~found & bits != 0)
      for (int unsigned j = 0; j < InChunk; j++)
        if (~found & bits[j*GroupSize+:GroupSize] != 0) begin
          found = 1'b1;
          for (int unsigned k = GroupSize; k > 0; k--)
            if (bits[j*GroupSize+k-1]) lowest = 16'(c * Chunk + j * GroupSize + k - 1);
        end
  end
endfunction
