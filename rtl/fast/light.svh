// Part of ocs_fast_core: where mirrors stand, power of light, its detectors, mirrors that ring (section 6).
// SPDX-License-Identifier: Apache-2.0

localparam bit Positions = Options[OptPositions], Power = Options[OptPower], Neighbours = Options[OptNeighbours];
localparam bit Optics = Positions | Power | Neighbours;

// Whether an action has more to look at than states, timers and faults of light. `special` remembers it, so that a switch
// of which nobody asks this does not pay for it at each action. While nothing is special a port is dim that FAILED for
// want of light, and `dim` is 0.
task automatic find_special();  /*verilator no_inline_task*/
  special = modes_i.light | (shaken | counting | swinging | ringing | astray | misroutes | (dim ^ (Power ? by_light : '0)) | W'(set_keeps)) != 0;
  if (~special) begin
    dim = '0;
    {sdue, wdue} = {Never, Never};
  end
endtask

// ---- positions ----------------------------------------------------------------------------------------------------------------
// Outputs that finish tuning while stuck. Of them, some are where they are asked to be, and go on; others show another input.
mask_t halting, elsewhere;
task automatic look_where_they_are();  /*verilator no_inline_task*/
  elsewhere = '0;
  if (Positions)
    for (int unsigned o = 0; o < N; o++)
      if (halting[o] & set_keeps[o] & position[o][InW]) begin
        if (position[o][InW-1:0] == src[o]) halting[o] = 1'b0;
        else elsewhere[o] = 1'b1;
      end
endtask

// Words that misrouted outputs show up to this edge, and which outputs do so from now on.
task automatic follow();  /*verilator no_inline_task*/
  logic shows;
  logic [63:0] total;
  for (int unsigned o = 0; o < N; o++) begin
    shows = astray[o] & ~(set_dead[o] | set_los[position[o][InW-1:0]] | set_dead[position[o][InW-1:0]]);
    if (shows | misroutes[o]) begin
      total = sent_at(position[o][InW-1:0], nxt);
      if (misroutes[o]) misrouted[o] = misrouted[o] + (total - shown_mark[o]);
      shown_mark[o] = total;
    end
    misroutes[o] = shows;
  end
endtask

// ---- power ----------------------------------------------------------------------------------------------------------------------
function automatic power_t power_at(input int unsigned o);
  return power_t'($signed(set_laser[src[o]])) - power_t'({1'b0, set_loss[o]});
endfunction
function automatic logic low_at(input int unsigned o, input logic dimmed);
  power_t least;
  least = power_t'($signed(modes_i.threshold));
  if (dimmed) least = least + power_t'({1'b0, modes_i.hysteresis});
  return power_at(o) < least;
endfunction

// Of the outputs whose detectors work, those whose light is missing in the present cycle; with LEVEL.ON.
mask_t missing, seen;  // seen: what detectors call a loss of light up to this edge
task automatic find_missing(input mask_t works);  /*verilator no_inline_task*/
  find_unlit();
  missing = unlit | ringing;
  for (int unsigned o = 0; o < N; o++) if (works[o]) missing[o] |= low_at(o, dim[o]);
  missing &= works;
endtask

// Of the outputs that have light for their states so far, those that lose it: what detectors say, and those that arrive and
// find no light at their new selections; with LEVEL.ON.
mask_t losing;
task automatic find_losing(input mask_t lighted, input mask_t arrived);  /*verilator no_inline_task*/
  find_unlit();
  losing = seen;
  for (int unsigned o = 0; o < N; o++) if (arrived[o]) losing[o] = unlit[o] | low_at(o, 1'b0);
  losing &= lighted;
endtask

// What detectors say of the cycles up to this edge, before anything moves: `seen` is a loss of light.
task automatic look_at_light();  /*verilator no_inline_task*/
  mask_t works;
  works = lck | up | held | by_light;
  if (modes_i.light) find_missing(works);
  else missing = by_light;
  seen = by_light;
  for (int unsigned o = 0; o < N; o++)
    if (works[o] & missing[o] != by_light[o]) begin
      if (counting[o] ? cdl[o] <= nxt : (by_light[o] ? modes_i.los_release : modes_i.los_assert) == '0) begin
        seen[o] = missing[o];
        counting[o] = 1'b0;
      end else if (~counting[o]) begin
        counting[o] = 1'b1;
        cdl[o] = nxt + (by_light[o] ? 64'(modes_i.los_release) : 64'(modes_i.los_assert));
      end
    end else counting[o] = 1'b0;
endtask

// A stretch of ringing begins.
task automatic swing(input int unsigned o, input logic without);
  logic [29:0] cycles;
  cycles = without ? modes_i.ring : modes_i.ring_after;
  ringing[o] = without;
  swinging[o] = cycles != '0;
  rdl[o] = nxt + 64'(cycles);
endtask

// The detectors after this edge, of outputs in these states; by_light is of then already.
mask_t dim_n;
task automatic keep_light(input mask_t works, input mask_t arrived);  /*verilator no_inline_task*/
  mask_t goes_on;
  goes_on = works & ~arrived & {W{modes_i.light}};
  dim_n = (goes_on & missing) | (~goes_on & by_light);
  counting &= goes_on;
  wdue = Never;
  for (int unsigned o = 0; o < N; o++) begin
    if (arrived[o]) begin
      rings[o] = modes_i.rings;
      swing(o, modes_i.ring_after == '0);
      if (modes_i.ring == '0) swinging[o] = 1'b0;
    end else if (swinging[o] & rdl[o] <= nxt) begin
      if (ringing[o]) rings[o] = rings[o] - 8'd1;
      swing(o, ~ringing[o] | modes_i.ring_after == '0);
    end
    if (~works[o] | ~modes_i.light | rings[o] == '0) swinging[o] = 1'b0;
    if (~swinging[o]) begin
      ringing[o] = 1'b0;
      rings[o] = '0;
      rdl[o] = Never;
    end
    if (~counting[o]) cdl[o] = Never;
    if (rdl[o] < wdue) wdue = rdl[o];
    if (cdl[o] < wdue) wdue = cdl[o];
  end
endtask

// `due` is at most the stamps of outputs that neighbours disturb and of detectors, and the next cycle if a detector has to look
// at light that came or went.
task automatic find_due_of_light();  /*verilator no_inline_task*/
  mask_t works;
  if (sdue < due) due = sdue;
  if (wdue < due) due = wdue;
  works = lck | up | held | by_light;
  if (Power & modes_i.light) begin
    find_missing(works);
    if (missing != (works & dim)) due = now + 64'd1;
  end else if (Power & (dim != by_light | (counting | swinging) != 0)) due = now + 64'd1;
endtask
