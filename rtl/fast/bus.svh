// Part of ocs_fast_core: what the bus reads and writes, the next stamp of all, reset (sections 1, 11 and 12).
// SPDX-License-Identifier: Apache-2.0

// ---- reads: the state of the present cycle -------------------------------------------------------------------------
logic wide, high_asked;
logic [63:0] value;
logic [InW-1:0] at;
localparam int unsigned MaskW = 32 * ((N + 31) / 32);
logic [8:0] word_addr;
// The 32 ports of a mask that the address names.
function automatic logic [31:0] word_of(input mask_t ports);
  logic [MaskW-1:0] all;
  all = MaskW'(ports[N-1:0]);
  return 32'(all >> {word_addr[4:2], 5'd0});
endfunction
task automatic answer();
  at = access_i.port[InW-1:0];
  wide = 1'b0;
  high_asked = access_i.core_read ? access_i.core_addr[2] : access_i.port_addr[2];
  word_addr = {access_i.core_addr[8:2], 2'b00};
  value = 64'(setting());
  if (access_i.core_read) begin
    wide = word_addr < CORE_START;
    // Apart from the registers below, since Verilator writes the default of a case out for each of its branches.
    if (~wide) begin
      unique case (word_addr[8:5])
        CORE_SEG_FULL[8:5]: value = 64'(word_of(seg_full));
        CORE_CHANGED[8:5]:  value = 64'(word_of(reported_outputs));
        CORE_ENDED[8:5]:    value = 64'(word_of(reported_inputs));
        default: ;
      endcase
    end else unique case ({access_i.core_addr[8:3], 3'b000})
      CORE_TIME:       value = now;
      CORE_COMMIT_AT:  value = commit_at;
      CORE_SEQ_BASE:   value = set_seq_base;
      CORE_EVENT_TIME: value = taken_stamp;
      CORE_COMMITS:    value = commits;
      CORE_REFUSED:    value = refusals;
      CORE_LATE:       value = lates;
      CORE_DROPPED:    value = drops;
      default: begin
        wide = 1'b0;
        unique case (word_addr)
          CORE_EVENT: begin
            take_event();
            value = 64'(event_value);
          end
          CORE_STATUS:     value = 64'({stopped, running, armed, sw});
          CORE_ERROR:      value = 64'(error);
          CORE_IRQ_STATUS:
          value = 64'({|(error & ~(Errors'(1) << ErrOverflow)), error[ErrOverflow], records != 0});
          default: ;
        endcase
      end
    endcase
  end else if (access_i.port_read) begin
    unique case (access_i.port_addr[14:10])
      PORT_SHADOW[14:10]:    value = 64'({shadow_vld[at], 22'd0, shadow_in[at]});
      PORT_ACTIVE[14:10]:    value = 64'({vld[at], 22'd0, 9'(src[at])});
      PORT_STATE[14:10]:
      value = 64'({dim[at] & (modes_i.light | ~fail[at]), shaken[at], 6'd0, by_light[at] | astray[at], fail[at] & ~by_light[at], 5'd0, held[at] | fail[at], lck[at] | up[at],
                   tun[at] | up[at] | fail[at]});
      PORT_ENGINE[14:10]:    value = 64'({send[at], gap[at]});
      PORT_SEG[14:10]:       value = 64'({seg_tag[at], 7'd0, 9'(seg_input[at])});
      PORT_SEG_FIRST[14:10]: value = 64'(seg_first[at]);
      PORT_SEG_COUNT[14:10]: value = 64'(seg_count[at]);
      default:
      if (access_i.port_addr >= PORT_PASSED) begin
        wide = 1'b1;
        if (~high_asked) count();
      end
    endcase
  end else if (access_i.optics_read) begin
    if (access_i.port_addr[12:0] < OPTICS_LASER) begin
      wide = 1'b1;
      value = misrouted[at] + (misroutes[at] ? sent_at(position[at][InW-1:0], now) - shown_mark[at] : 64'd0);
    end else if (access_i.port_addr[12:0] >= OPTICS_POWER) begin
      value = 64'h8000_0000;
      if (Power & (lck[at] | up[at] | held[at] | by_light[at]) & ~(ringing[at] | set_dead[at] | set_los[src[at]] | set_dead[src[at]]))
        value = 64'(32'(power_at(32'(at))));
    end
  end else if (access_i.pair_read) value = 64'(pair[32'(access_i.pair_output)*N+32'(access_i.pair_column)]);

  if (access_i.core_read | access_i.port_read | access_i.optics_read | access_i.pair_read) begin
    data = wide & high_asked ? high : value[31:0];
    if (wide & ~high_asked) high = value[63:32];
  end
endtask

// A counter, with what has come since it was settled.
task automatic count();
  unique case (access_i.port_addr[14:11])
    PORT_PASSED[14:11]:   value = passed[at] + (up[at] & ~blind[at] ? sent_at(src[at], now) - mark[at] : 64'd0);
    PORT_LOST[14:11]:     value = lost[at] + (vld[at] & (~up[at] | blind[at]) ? sent_at(src[at], now) - mark[at] : 64'd0);
    PORT_DARK[14:11]:     value = dark[at] + (vld[at] & ~up[at] ? now - dark_from[at] : 64'd0);
    PORT_TUNINGS[14:11]:  value = tunings[at];
    PORT_RESTARTS[14:11]: value = restarts[at];
    PORT_SENT[14:11]:     value = sent_at(at, now);
    default:              value = unrouted[at] + (routed[at] ? 64'd0 : sent_at(at, now) - unrouted_mark[at]);
  endcase
endtask

// ---- writes: in force from the cycle that `now` names ---------------------------------------------------------------
// Masks of ports; apart from obey() for the same reason as in answer().
task automatic obey_mask();
  unique case (word_addr[8:5])
    CORE_START[8:5]:    start_pending |= W'(ports_i);
    CORE_STOP[8:5]:     halt_pending |= W'(ports_i);
    CORE_RETRY[8:5]:    retry_pending |= W'(ports_i);
    CORE_SEG_FULL[8:5]: seg_full &= ~W'(ports_i) | ended;
    CORE_CHANGED[8:5]:  reported_outputs &= ~W'(ports_i) | entered;
    CORE_ENDED[8:5]:    reported_inputs &= ~W'(ports_i) | done;
    default: ;
  endcase
endtask

logic [31:0] written, rated_words;
task automatic obey();
  word_addr = {access_i.core_addr[8:2], 2'b00};
  at = access_i.port[InW-1:0];
  if (access_i.error) raise(ErrAccess);
  if (access_i.core_write) begin
    dirty = 1'b1;
    if (word_addr >= CORE_START) obey_mask();
    else unique case (word_addr)
      CORE_COMMIT:
      if (access_i.data[0]) begin
        sw = 1'b1;
        sw_tag = modes_i.commit_tag;
      end
      CORE_COMMIT_CANCEL:     if (access_i.data[0]) {sw, armed} = '0;
      CORE_COMMIT_AT:         commit_at_low = merged(commit_at_low, access_i.data, access_i.biten);
      CORE_COMMIT_AT + 9'd4:
      if (access_i.biten != 0) begin
        commit_at = {merged(commit_at[63:32], access_i.data, access_i.biten), commit_at_low};
        armed = 1'b1;
        timed_tag = modes_i.commit_tag;
      end
      CORE_SHADOW_LOAD:
      if (access_i.data[0]) begin
        shadow_vld = vld;
        for (int unsigned o = 0; o < N; o++) shadow_in[o] = 9'(src[o]);
      end
      CORE_SEED:              for (int unsigned o = 0; o < N; o++) draw[o] = seeded(access_i.data, o);
      CORE_SEQ_STORE:         store_row();
      CORE_SEQ_GO:            go_pending |= access_i.data[0];
      CORE_SEQ_SWAP:          swap_pending |= access_i.data[0];
      CORE_SEQ_STOP:          stop_pending |= access_i.data[0];
      CORE_ERROR:             error &= ~(access_i.data[Errors-1:0] & access_i.biten[Errors-1:0]) | raised;
      default: ;
    endcase
  end else if (access_i.port_write) begin
    unique case (access_i.port_addr[14:10])
      PORT_SHADOW[14:10]: begin
        written = merged({shadow_vld[at], 22'd0, shadow_in[at]}, access_i.data, access_i.biten);
        shadow_vld[at] = written[31];
        shadow_in[at] = written[31] ? written[8:0] : '0;
        if (access_i.block)
          for (int unsigned k = 1; k <= 2; k++)
            if (32'(access_i.port) + k < N) begin
              written = access_i.data & access_i.biten;
              written = 32'(entry_behind(written[28:9], k));
              shadow_vld[32'(access_i.port)+k] = written[9];
              shadow_in[32'(access_i.port)+k] = written[8:0];
            end
        if (access_i.commit) begin
          sw = 1'b1;
          sw_tag = modes_i.commit_tag;
          dirty = 1'b1;
        end
      end
      PORT_BURST[14:10]:
      if (access_i.start) begin
        start_pending[at] = 1'b1;
        dirty = 1'b1;
      end
      PORT_LOCK[14:10]:  locks[at] = 30'(merged(32'(set_lock[at]), access_i.data, access_i.biten)) != 0;
      PORT_FAULT[14:10]: stale = 1'b1;
      PORT_SOURCE[14:10]: begin  // up to here by the old rate
        if (open[at]) settle_engine(32'(at), rated_words);
        rated[at] = 1'b1;
        stale = 1'b1;
      end
      default: ;
    endcase
  end else if (access_i.optics_write) begin
    stale = 1'b1;
  end else if (Options[OptPair] & access_i.pair_write) begin
    pair[32'(access_i.pair_output)*N+32'(access_i.pair_column)] = 30'(merged(32'(pair[32'(access_i.pair_output)*N+32'(access_i.pair_column)]), access_i.data, access_i.biten));
  end
endtask

// ---- the next stamp ---------------------------------------------------------------------------------------------------
// A setting that acts in every cycle was written before this edge: engines of another rate, EXTERNAL, faults.
task automatic look_again();
  stale = 1'b0;
  nxt = now;
  if (rated != 0) begin
    idue = Never;
    for (int unsigned c = 0; c < Chunks; c++) begin
      if (rated[c*Chunk+:Chunk] != 0) begin
        ifirst[c] = Never;
        for (int unsigned g = c * InChunk; g < (c + 1) * InChunk; g++) begin
          imin[g] = Never;
          for (int unsigned i = g * GroupSize; i < (g + 1) * GroupSize; i++)
            if (i < N) begin
              if (rated[i] & ~gap[i]) edl[i] = end_of_repeat(i, open[i]);
              if (edl[i] < imin[g]) imin[g] = edl[i];
            end
          if (imin[g] < ifirst[c]) ifirst[c] = imin[g];
        end
      end
      if (ifirst[c] < idue) idue = ifirst[c];
    end
  end
  rated = '0;
  if (Optics & ~special) begin
    dim = Power ? by_light : '0;
    find_special();
  end
  if (Positions & (astray | misroutes) != 0) follow();
  find_due();
endtask

task automatic find_due();
  due = odue < idue ? odue : idue;
  if (armed & stamp_after(commit_at) < due) due = stamp_after(commit_at);
  if (running & stamp_after(entry_due) < due) due = stamp_after(entry_due);
  if (sw | go_pending | swap_pending | stop_pending | (start_pending | halt_pending | retry_pending) != 0 |
      set_external != 0)
    due = now + 64'd1;
  level_seen = level;
  if (Optics & special) find_due_of_light();
  if ((set_los != 0 | set_dead != 0 | by_light != 0) & ~modes_i.light) begin
    find_unlit();
    if (((lck | held | up) & unlit) != 0 | (by_light & ~unlit) != 0) due = now + 64'd1;
  end
  if (due <= now) due = now + 64'd1;
endtask

// ---- reset ------------------------------------------------------------------------------------------------------------
task automatic forget();
  now = '0;
  {due, odue, idue, sdue, wdue} = '1;
  level_seen = '0;
  stale = 1'b0;
  rated = '0;
  locks = '0;
  {tun, lck, up, held, fail, by_light, vld, seg_full, blind, shaken, dim, astray, special} = '0;
  {counting, swinging, ringing, misroutes} = '0;
  {reported_outputs, reported_inputs} = '0;
  {gap, send, gated, open, routed, lit} = '0;
  {shared, stopped, sw, armed, go_pending, swap_pending, stop_pending} = '0;
  {start_pending, halt_pending, retry_pending, shadow_vld} = '0;
  {commit_at, commit_at_low, sw_tag, timed_tag} = '0;
  {running, waiting, idle_bank} = '0;
  entry = '0;
  entries = '0;
  period = '0;
  loop_base = '0;
  entry_due = '0;
  error = '0;
  {commits, refusals, lates, drops} = '0;
  head = '0;
  tail = '0;
  records = '0;
  taken_stamp = '0;
  high = '0;  // `data` stays: an answer may wait at a SOFT_RESET, and the next read writes it
  if (Lanes != 0) word_valid_o = '0;
  forget_settings();
  for (int unsigned b = 0; b < InW; b++) sel[b] = '0;
  for (int unsigned g = 0; g < Groups; g++) begin
    omin[g] = Never;
    imin[g] = Never;
  end
  for (int unsigned c = 0; c < Chunks; c++) begin
    ofirst[c] = Never;
    ifirst[c] = Never;
  end
  for (int unsigned k = 0; k < Pairs; k++) lit_until[k] = '0;
  for (int unsigned p = 0; p < N; p++) begin
    src[p] = '0;
    odl[p] = Never;
    sdl[p] = Never;
    cdl[p] = Never;
    rdl[p] = Never;
    rings[p] = '0;
    position[p] = '0;
    misrouted[p] = '0;
    shown_mark[p] = '0;
    draw[p] = seeded('0, p);
    dark_from[p] = '0;
    mark[p] = '0;
    passed[p] = '0;
    lost[p] = '0;
    dark[p] = '0;
    tunings[p] = '0;
    restarts[p] = '0;
    grown[p] = '0;
    seg_input[p] = '0;
    seg_tag[p] = '0;
    seg_first[p] = '0;
    seg_count[p] = '0;
    edl[p] = Never;
    since[p] = '0;
    sent[p] = '0;
    unrouted[p] = '0;
    unrouted_mark[p] = '0;
    len[p] = '0;
    gap_len[p] = '0;
    index[p] = '0;
    left[p] = '0;
    repeats[p] = '0;
    tag[p] = '0;
    acc[p] = '0;
    shadow_in[p] = '0;
  end
endtask
