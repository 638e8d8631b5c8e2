// Part of ocs_fast_core: output state machines, in the order of section 4.
// SPDX-License-Identifier: Apache-2.0

// Up to this edge: words by the state and the selection until now, dark time; a growing segment ends.
task automatic settle_output(input int unsigned o);
  logic [63:0] total;
  if (vld[o]) begin
    total = sent_at(src[o], nxt);
    if (up[o]) begin
      passed[o] = passed[o] + (total - mark[o]);
      if (special)
        if (blind[o]) begin
          passed[o] = passed[o] - (total - mark[o]);
          lost[o] = lost[o] + (total - mark[o]);
        end
    end else begin
      lost[o] = lost[o] + (total - mark[o]);
      dark[o] = dark[o] + (nxt - dark_from[o]);
    end
    mark[o] = total;
    dark_from[o] = nxt;
  end
endtask
mask_t ended, partly;  // partly: inputs whose segment that ends is empty or begins behind index 0, or that has none
task automatic end_segment(input int unsigned o);
  logic [31:0] count;
  count = index_at(src[o], nxt) - grown[o];
  if (special) if (blind[o]) count = '0;
  if (grown[o] != 0 | count == 0) partly[src[o]] = 1'b1;
  if (count != 0) begin
    seg_input[o] = src[o];
    seg_tag[o] = tag[src[o]];
    seg_first[o] = grown[o];
    seg_count[o] = count;
    ended[o] = 1'b1;
  end
endtask

// Bursts that ended with their last word, and that all outputs passed that select the input. What is left of `ended` fills
// a segment.
task automatic find_whole();
  whole = finished & lit & ~partly;
  for (int unsigned o = 0; o < N; o++) if (ended[o] & whole[seg_input[o]]) ended[o] = 1'b0;
endtask

// With receivers that remember, L of an output that arrives at its selection. A flap locks the pair again that is UP in
// this very cycle. The functions and tasks of receivers loop on their own, and only with RECEIVER.ON: calls of them in
// the loop over outputs that move, or in an operand of a conditional operator, of which Verilator executes both, made
// an edge a tenth slower where receivers are off.
function automatic logic [31:0] lock_of(input int unsigned o);
  logic [63:0] ended_at;
  logic warm;
  ended_at = lit_until[o*N+32'(src[o])];
  if (up[o] & ~changed[o]) warm = modes_i.warm_time != 0;
  else warm = ended_at != 0 & nxt - ended_at < 64'(modes_i.warm_time);
  lock_of = 32'(set_lock[o]) + (warm ? 32'(set_lock_warm[draw[o][31:28]]) : 32'(set_lock_cold[draw[o][31:28]]));
endfunction

// Of those that arrive: L isn't 0.
mask_t locking;
task automatic find_locking(input mask_t outputs);  /*verilator no_inline_task*/
  locking = '0;
  for (int unsigned o = 0; o < N; o++) if (outputs[o]) locking[o] = lock_of(o) != 0;
endtask

// When outputs that begin to lock will be UP.
task automatic lock_outputs(input mask_t outputs, input mask_t arrived);  /*verilator no_inline_task*/
  for (int unsigned o = 0; o < N; o++)
    if (outputs[o]) begin
      if (Positions & arrived[o]) position[o] = {1'b1, src[o]};
      odl[o] = nxt + 64'(lock_of(o));
    end
endtask

// The outputs leave their selections, or their states at them.
task automatic leave(input mask_t outputs);  /*verilator no_inline_task*/
  for (int unsigned o = 0; o < N; o++) if (outputs[o] & (up[o] | held[o])) lit_until[o*N+32'(src[o])] = nxt;
endtask

// What the commit changes, and starts.
mask_t vld_n;
logic [InW-1:0] src_n;

// The outputs that select() finds changed, one by one: receivers have to know them before the loop that uses `changed`,
// which is slower when it follows another loop over the same mask.
task automatic leave_changing();  /*verilator no_inline_task*/
  mask_t changing;
  changing = vld ^ vld_n;
  for (int unsigned o = 0; o < N; o++)
    if (src[o] != (from_row ? row_in[32'(row)*N+o][InW-1:0] : shadow_in[o][InW-1:0])) changing[o] = 1'b1;
  leave(changing);
endtask

task automatic select();
  vld_n = from_row ? row_vld[row] : shadow_vld;
  if (Receivers != 0 & modes_i.receivers) leave_changing();
  if (from_row) begin
    used = row_used[row];
    changed = vld ^ vld_n;
    for (int unsigned b = 0; b < InW; b++) changed |= sel[b] ^ row_sel[32'(row)*InW+b];
  end else begin
    changed = vld ^ vld_n;
    for (int unsigned o = 0; o < N; o++) if (src[o] != shadow_in[o][InW-1:0]) changed[o] = 1'b1;
  end
  for (int unsigned c = 0; c < Chunks; c++) begin
    chunk_t bits;
    bits = changed[c*Chunk+:Chunk];
    if (bits != 0)
      for (int unsigned j = 0; j < InChunk; j++)
        if (bits[j*GroupSize+:GroupSize] != 0)
          for (int unsigned k = 0; k < GroupSize; k++) begin
            int unsigned o;
            o = c * Chunk + j * GroupSize + k;
            if (o < N & bits[j*GroupSize+k]) begin
              settle_output(o);
              if (up[o]) end_segment(o);
              src_n = from_row ? row_in[32'(row)*N+o][InW-1:0] : shadow_in[o][InW-1:0];
              if (~from_row) for (int unsigned b = 0; b < InW; b++) sel[b][o] = src_n[b];
              src[o] = src_n;
              mark[o] = sent_at(src_n, nxt);
              dark_from[o] = nxt;
            end
          end
  end
  if (from_row) for (int unsigned b = 0; b < InW; b++) sel[b] = row_sel[32'(row)*InW+b];
  vld = vld_n;
  starting = changed & vld;
  shared = twice;
  route();
endtask

// start(o): one draw, then TUNING, or what comes after it.
mask_t tunes;
task automatic start_outputs();
  logic [31:0] cycles;
  tunes = '0;
  for (int unsigned c = 0; c < Chunks; c++) begin
    chunk_t bits;
    bits = starting[c*Chunk+:Chunk];
    if (bits != 0)
      for (int unsigned j = 0; j < InChunk; j++)
        if (bits[j*GroupSize+:GroupSize] != 0)
          for (int unsigned k = 0; k < GroupSize; k++) begin
            int unsigned o;
            o = c * Chunk + j * GroupSize + k;
            if (o < N & bits[j*GroupSize+k]) begin
              draw[o] = next_draw(draw[o]);
              cycles = 32'(set_base[o]) + 32'(pair[o*N+32'(src[o])]) + 32'(set_slow[o]) + (draw[o] & 32'(set_jitter_mask[o]));
              tunings[o] = tunings[o] + 64'd1;
              if (tun[o] | lck[o]) restarts[o] = restarts[o] + 64'd1;
              if (cycles != 0) begin
                tunes[o] = 1'b1;
                odl[o] = nxt + 64'(cycles);
              end
            end
          end
  end
  if (modes_i.prog != 0) queue_outputs();
endtask

// Mirrors that are programmed in turn: each group of outputs tunes PROG cycles longer than the one before it. A loop of
// its own, since it costs each start a tenth.
task automatic queue_outputs();  /*verilator no_inline_task*/
  logic [63:0] cycles, queued;  // T; what the next output that is programmed waits for
  logic [8:0] in_group;         // outputs of the present group that are programmed before the next one
  queued = '0;
  in_group = '0;
  for (int unsigned o = 0; o < N; o++)
    if (changed[o] | starting[o]) begin
      if (starting[o]) begin
        cycles = queued;
        if (tunes[o]) cycles = cycles + (odl[o] - nxt);
        if (cycles > 64'hffff_ffff) cycles = 64'hffff_ffff;
        if (cycles != 0) begin
          tunes[o] = 1'b1;
          odl[o] = nxt + cycles;
        end
      end
      in_group = in_group + 9'd1;
      if (in_group >= modes_i.prog_lanes) begin
        in_group = '0;
        queued = queued + 64'(modes_i.prog);
      end
    end
endtask

// Starts disturb the outputs beside them; what is disturbed after this edge, and until when. A loop of its own, and only if
// anything is disturbed, since it costs each action.
mask_t shaken_n, blind_n;
task automatic disturb();  /*verilator no_inline_task*/
  mask_t struck;
  struck = '0;
  if (modes_i.disturb != 0)
    for (int unsigned k = 0; k < 32 && k + 1 < N; k++)
      if (modes_i.disturb_at[k]) struck |= (starting << (k + 1)) | (starting >> (k + 1));
  sdue = Never;
  for (int unsigned o = 0; o < N; o++) begin
    if (struck[o]) sdl[o] = nxt + 64'(modes_i.disturb);
    else if (sdl[o] <= nxt) sdl[o] = Never;
    shaken_n[o] = sdl[o] != Never;
    if (sdl[o] < sdue) sdue = sdl[o];
  end
endtask

task automatic move_outputs();
  mask_t hit, entered_n, timed, tun_n, lck_n, up_n, held_n, fail_n, over, arrive, locked, stuck, halted, lose, cut, turned, lit_n, moving;
  logic relit, optics, watches;
  logic [63:0] earliest, first;
  hit = '0;
  changed = '0;
  starting = '0;
  ended = '0;
  stuck = W'(set_stuck);
  optics = Optics & (special | modes_i.light | modes_i.disturb != 0);
  watches = Power & optics & (modes_i.light | (counting | swinging) != 0);
  if (watches) look_at_light();
  if (odue <= nxt)
    for (int unsigned c = 0; c < Chunks; c++)
      if (ofirst[c] <= nxt)
        for (int unsigned j = 0; j < InChunk; j++)
          if (omin[c*InChunk+j] <= nxt)
            for (int unsigned k = 0; k < GroupSize; k++) begin
              int unsigned o;
              o = c * Chunk + j * GroupSize + k;
              if (o < N && odl[o] <= nxt) hit[o] = 1'b1;
            end

  // 2. timers, from the light of this cycle
  over = hit & tun;
  arrive = hit & up;
  if (by_light != 0) begin
    if (Power & modes_i.light) arrive |= by_light & ~seen;
    else begin
      find_unlit();
      arrive |= by_light & ~unlit;
    end
  end
  entered_n = hit;
  tun_n = tun & ~hit;
  up_n = (up & ~hit) | (hit & lck);
  lck_n = lck & ~hit;
  held_n = held;
  fail_n = fail & ~arrive;

  // 3., 4. the commit, RETRY on the outputs that it doesn't change
  if (taken) select();
  if (retry_pending != 0) begin
    starting |= retry_pending & fail & ~changed;
    retry_pending = '0;
  end
  if ((changed | starting) != 0) begin
    over &= ~(changed | starting);
    arrive &= ~(changed | starting);
    tun_n &= ~(changed | starting);
    lck_n &= ~(changed | starting);
    up_n &= ~(changed | starting);
    held_n &= ~(changed | starting);
    fail_n &= ~(changed | starting);
    start_outputs();
    tun_n |= tunes;
    over |= starting & ~tunes;
    entered_n |= changed | starting;
  end
  entered_n |= arrive;

  // What follows tuning, a flap, or the return of light: stuck, LOCKING, UP.
  halted = over & stuck;
  if (optics) begin
    halting = halted;
    look_where_they_are();
    halted = halting;
  end
  over &= ~halted;
  fail_n |= halted;
  arrive |= over;
  locked = locks;
  if (Receivers != 0 & modes_i.receivers) begin
    find_locking(arrive);
    locked = locking;
  end
  lck_n |= arrive & locked;
  up_n |= arrive & ~locked;

  // 5. light filter
  if (by_light != 0) by_light = by_light & ~entered_n;
  if (optics) begin
    astray = (astray & ~entered_n) | elsewhere;
    if (Positions & (astray | misroutes) != 0) follow();
  end
  if (set_los != 0 | set_dead != 0 | (Power & modes_i.light)) begin
    lose = lck_n | held_n | up_n;
    if (Power & modes_i.light) begin
      find_losing(lose, over);
      lose = losing;
    end else begin
      find_unlit();
      lose &= unlit;
    end
    lck_n &= ~lose;
    held_n &= ~lose;
    up_n &= ~lose;
    fail_n |= lose;
    by_light |= lose;
    entered_n |= lose;
  end

  // 6. all-stop filter
  stopped = (stopped | (modes_i.all_stop & starting != 0)) & (tun_n | lck_n) != 0;
  if (stopped) begin
    entered_n |= up_n & ~held;
    held_n |= up_n;
    up_n = '0;
  end else if (held_n != 0) begin
    entered_n |= held_n;
    up_n |= held_n;
    held_n = '0;
  end

  // Segments that the burst ends, though their output goes on.
  cut = '0;
  if (ending != 0) begin
    if ((ending & (ending - mask_t'(1))) == 0) cut = up & selecting(InW'(lowest(ending)));
    else for (int unsigned o = 0; o < N; o++) cut[o] = up[o] & ending[src[o]];
    cut &= ~changed;
  end

  // Counters, segments and timers of the outputs that moved; segments that begin, at the index after this edge.
  turned = up ^ up_n;
  lit_n = lit;
  hit = (entered_n | cut) & ~changed;
  cut |= (entered_n | changed) & up_n;
  if (optics) begin
    shaken_n = shaken;
    dim_n = Power ? by_light : '0;
    if (Neighbours & (shaken != 0 | (starting != 0 & modes_i.disturb != 0))) disturb();
    if (watches) keep_light(lck_n | up_n | held_n | by_light, over);
    blind_n = shaken_n | (dim_n & ~by_light);
    turned |= up & up_n & (blind ^ blind_n);
    hit |= turned & ~changed;
    cut |= up_n & blind & ~blind_n;
  end
  relit = taken | (shared & turned != 0);
  timed = entered_n & ~tun_n;
  if (Receivers != 0 & modes_i.receivers) begin
    lock_outputs(timed & lck_n, over);
    timed &= ~lck_n;
    leave(hit & entered_n);
  end
  odue = Never;
  moving = hit | changed;
  for (int unsigned c = 0; c < Chunks; c++) begin
    chunk_t bits;
    bits = moving[c*Chunk+:Chunk];
    if (bits != 0) begin
      first = Never;
      for (int unsigned j = 0; j < InChunk; j++) begin
        if (bits[j*GroupSize+:GroupSize] != 0) begin
          earliest = Never;
          for (int unsigned k = 0; k < GroupSize; k++) begin
            int unsigned o;
            o = c * Chunk + j * GroupSize + k;
            if (o < N) begin
              if (hit[o]) begin
                if (up[o]) end_segment(o);
                if (turned[o]) begin
                  settle_output(o);
                  if (~relit) lit_n = up_n[o] ? lit_n | mask_t'(1) << src[o] : lit_n & ~(mask_t'(1) << src[o]);
                end
              end
              if (cut[o]) begin
                if (fresh[src[o]]) grown[o] = '0;
                else grown[o] = index_at(src[o], nxt);
              end
              if (timed[o]) begin
                if (Positions & over[o]) position[o] = {1'b1, src[o]};
                odl[o] = lck_n[o] ? nxt + 64'(set_lock[o]) : up_n[o] & set_flap[o] != 0 ? nxt + 64'(set_flap[o]) : Never;
              end
              if (odl[o] < earliest) earliest = odl[o];
            end
          end
          omin[c*InChunk+j] = earliest;
        end
        if (omin[c*InChunk+j] < first) first = omin[c*InChunk+j];
      end
      ofirst[c] = first;
    end
    if (ofirst[c] < odue) odue = ofirst[c];
  end
  if ((seg_full & ended) != 0) raise(ErrSegment);
  if (modes_i.brief & finished != 0) find_whole();
  seg_full |= ended;

  if (relit) begin  // anew: inputs of which all outputs are UP
    lit_n = '0;
    for (int unsigned o = 0; o < N; o++) if (vld[o] & ~up_n[o]) lit_n |= mask_t'(1) << src[o];
    lit_n = routed & ~lit_n;
  end
  gate = (lit ^ lit_n) & gated & send;  // sending, gated engines whose light came or went
  lit = lit_n;
  if (optics) begin
    shaken = shaken_n;
    dim = dim_n;
    blind = blind_n;
    find_special();
  end
  entered = entered_n;
  tun = tun_n;
  lck = lck_n;
  up = up_n;
  held = held_n;
  fail = fail_n;
endtask
