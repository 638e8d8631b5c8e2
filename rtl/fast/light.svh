// Part of ocs_fast_core: where mirrors stand, power of light, its detectors, mirrors that ring (section 6).
// SPDX-License-Identifier: Apache-2.0

localparam bit Positions = Options[OptPositions], Power = Options[OptPower];

// ---- positions ----------------------------------------------------------------------------------------------------------------
// Of outputs that finish tuning while stuck, those that are; which of them show another input.
function automatic mask_t halting(input mask_t outputs, output mask_t elsewhere);
  halting = outputs;
  elsewhere = '0;
  for (int unsigned o = 0; o < N; o++)
    if (outputs[o] & set_keeps[o] & known[o]) begin
      if (position[o] == src[o]) halting[o] = 1'b0;
      else elsewhere[o] = 1'b1;
    end
endfunction

// Words that misrouted outputs show up to this edge, and which outputs do so from now on.
task automatic follow();
  logic shows;
  logic [63:0] total;
  for (int unsigned o = 0; o < N; o++) begin
    shows = astray[o] & ~(set_dead[o] | set_los[position[o]] | set_dead[position[o]]);
    if (shows | misroutes[o]) begin
      total = sent_at(position[o], nxt);
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
function automatic mask_t missing_light(input mask_t outputs);
  missing_light = without_light() | ringing;
  for (int unsigned o = 0; o < N; o++) if (outputs[o]) missing_light[o] |= low_at(o, dim[o]);
  missing_light &= outputs;
endfunction

// Of the outputs that arrive, those that find no light at their new selections; with LEVEL.ON.
function automatic mask_t missing_there(input mask_t outputs);
  missing_there = without_light();
  for (int unsigned o = 0; o < N; o++) if (outputs[o]) missing_there[o] |= low_at(o, 1'b0);
  missing_there &= outputs;
endfunction

// What detectors say of the cycles up to this edge, before anything moves: `seen` is a loss of light.
mask_t missing, seen;
task automatic look_at_light();
  mask_t works;
  works = lck | up | held | by_light;
  missing = modes_i.light ? missing_light(works) : by_light;
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
task automatic keep_light(input mask_t works, input mask_t arrived);
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

// Whether detectors have something to do in the present cycle, apart from what `wdue` names.
function automatic logic light_changes();
  mask_t works;
  works = lck | up | held | by_light;
  if (modes_i.light) return missing_light(works) != (works & dim);
  return dim != by_light | (counting | swinging) != 0;
endfunction
