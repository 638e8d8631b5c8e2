// Checks of the output state machines: exact delays, light, all-stop, one event an entry (sections 2 to 6 and 13).
//
// SPDX-License-Identifier: Apache-2.0
`include "ocs_checks.svh"
module ocs_outputs_checks
  import ocs_pkg::*;
#(
    parameter int unsigned N   = 16,
    localparam int unsigned InW = $clog2(N)
) (
    input logic           clk_i,
    input logic           rst_ni,
    input logic [31:0]    step_i,
    input logic           commit_i,
    input logic [N-1:0]   map_valid_i,
    input logic [InW-1:0] map_input_i[N],
    input logic [N-1:0]   retry_i,
    input modes_t         modes_i,
    input port_cfg_t      port_cfg_i[N],
    input logic [29:0]    pair_i[N],
    input quantile_t      quantile_i[Quantiles],
    input logic           seed_we_i,
    // inside
    input state_e         state_q[N],
    input state_e         state_d[N],
    input cause_e         cause_q[N],
    input cause_e         cause_d[N],
    input logic [N-1:0]   valid_q,
    input logic [N-1:0]   valid_d,
    input logic [InW-1:0] input_q[N],
    input logic [InW-1:0] input_d[N],
    input logic [31:0]    timer_q[N],
    input logic [31:0]    draw_q[N],
    input logic [31:0]    draw_d[N],
    input logic           stop_q,
    input logic           stop_d,
    input logic [N-1:0]   warm,
    input logic [N-1:0]   dark,
    input logic [N-1:0]   dark_new,
    input logic [N-1:0]   arrives,
    input logic [N-1:0]   known,
    input logic [InW-1:0] position_o[N],
    input logic [N-1:0]   changed,
    input logic [N-1:0]   starting,
    input logic [N-1:0]   entered,
    input logic [31:0]    bound_o[N]
);
  // Cycles in the present state before this one, and how long it was to last when it was entered (0: no end).
  logic [63:0] age_q[N], age_d[N];
  logic [31:0] span_q[N], span_d[N];
  logic [63:0] age;
  logic [31:0] x, locking_time[N];
  logic [3:0] point;  // of a table of quantiles
  logic [39:0] sum;  // T before it is cut to what a timer holds
  logic go;
  logic [N-1:0] faulty, faulty_next, ends, lit;
  logic [N-1:0] longest;  // T is more than a timer holds
  logic [N-1:0] left, exact, light_seen, undisturbed, released, one_draw, entry, fits, in_range, idle, cause, held, misrouted, placed, at_once;
  assign go = step_i != 0;

  // Outputs below each one that are programmed at this edge, and what it waits for them: PROG for each whole PROG_LANES.
  logic [8:0] rank[N];
  logic [16:0] group;  // outputs below that make m groups; a sum, since a proof takes no product apart
  logic [39:0] waits[N];
  logic [N-1:0] later, same_group;
  always_comb begin
    group = '0;
    for (int unsigned o = 0; o < N; o++) begin
      rank[o] = '0;
      for (int unsigned p = 0; p < o; p++) if (changed[p] | starting[p]) rank[o] += 9'd1;
      waits[o] = '0;
      group = '0;
      for (int unsigned m = 1; m < N; m++) begin
        group += modes_i.prog_lanes == 0 ? 17'd1 : 17'(modes_i.prog_lanes);
        if (17'(rank[o]) >= group) waits[o] += 40'(modes_i.prog);
      end
      later[o] = starting[o] & waits[o] != 0;
      same_group[o] = starting[o] & modes_i.prog != 0 & rank[o] != 0 & waits[o] == 0;
    end
  end

  always_comb begin
    age = '0;
    x = '0;
    point = '0;
    sum = '0;
    for (int unsigned o = 0; o < N; o++) begin
      faulty[o] = port_cfg_i[o].dead | port_cfg_i[input_q[o]].los | port_cfg_i[input_q[o]].dead;
      faulty_next[o] = port_cfg_i[o].dead | port_cfg_i[input_d[o]].los | port_cfg_i[input_d[o]].dead;
      lit[o] = state_q[o] == Locking | state_q[o] == Held | state_q[o] == Up;
      age = age_q[o] + 64'(step_i);
      ends[o] = span_q[o] != 0 & age == 64'(span_q[o]);
      // A timer is what is left of the present state's time; TUNING and LOCKING have one, UP has one until a flap.
      left[o] = state_q[o] == Tuning | state_q[o] == Locking | (state_q[o] == Up & span_q[o] != 0)
              ? age_q[o] < 64'(span_q[o]) & timer_q[o] == span_q[o] - age_q[o][31:0] : timer_q[o] == 0 & state_q[o] <= Failed;

      // TUNING ends by its own time alone; LOCKING and a flap by theirs unless light is lost, a flap unless held.
      exact[o] = changed[o] | (state_q[o] == Tuning ? entered[o] == ends[o] & span_q[o] != 0
               : state_q[o] == Locking ? dark[o] | (entered[o] == ends[o] & span_q[o] != 0)
               : state_q[o] == Up ? dark[o] | stop_d | (entered[o] == ends[o]) : 1'b1);
      light_seen[o] = ~(dark[o] & lit[o] & ~changed[o]) | state_d[o] == Failed;
      undisturbed[o] = changed[o] | dark[o] | stop_q | stop_d | ends[o] | state_q[o] == Failed |
                       (state_d[o] == state_q[o] & ~entered[o]);
      released[o] = state_q[o] != Held | changed[o] | dark[o] | (state_d[o] == (stop_d ? Held : Up));
      x = draw_q[o] ^ (draw_q[o] << 13);
      x ^= x >> 17;
      x ^= x << 5;
      sum = 40'(port_cfg_i[o].base) + 40'(pair_i[o]) + 40'(port_cfg_i[o].slow) + (40'(x[29:0]) & 40'(port_cfg_i[o].jitter_mask)) + waits[o];
      longest[o] = starting[o] & sum > 40'hffff_ffff;
      point = starting[o] ? x[31:28] : draw_q[o][31:28];
      locking_time[o] = 32'(port_cfg_i[o].lock);
      if (modes_i.receivers & warm[o]) locking_time[o] += 32'(quantile_i[point].warm);
      if (modes_i.receivers & ~warm[o]) locking_time[o] += 32'(quantile_i[point].cold);
      one_draw[o] = seed_we_i | draw_d[o] == (starting[o] ? x : draw_q[o]);
      entry[o] = state_d[o] == state_q[o] | entered[o];
      fits[o] = step_i <= bound_o[o];
      in_range[o] = 32'(input_q[o]) < N & (valid_q[o] | input_q[o] == '0);
      idle[o] = (state_q[o] == Idle) == ~valid_q[o];
      cause[o] = (cause_q[o] != CauseNone) == (state_q[o] == Failed);
      held[o] = state_q[o] != (stop_q ? Up : Held);
      // A mirror that shows another input has a position there; what arrives is at its selection, and an output without a
      // detector, or with LEVEL.OFF, sees LOS and DEAD at once.
      misrouted[o] = cause_q[o] != CauseMisrouted | (known[o] & position_o[o] != input_q[o]);
      placed[o] = ~arrives[o] | (go & (starting[o] | state_q[o] == Tuning) & entered[o] & state_d[o] != Tuning &
                                 cause_d[o] != CauseStuck & cause_d[o] != CauseMisrouted);
      at_once[o] = modes_i.light | (dark[o] == faulty[o] & (~arrives[o] | dark_new[o] == faulty_next[o]));

      age_d[o] = entered[o] ? '0 : age_q[o] + 64'(step_i);
      span_d[o] = span_q[o];
      if (entered[o]) begin
        unique case (state_d[o])
          Tuning: span_d[o] = longest[o] ? '1 : sum[31:0];
          Locking: span_d[o] = locking_time[o];
          Up: span_d[o] = 32'(port_cfg_i[o].flap);
          default: span_d[o] = '0;
        endcase
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      age_q <= '{default: '0};
      span_q <= '{default: '0};
    end else if (go) begin
      age_q <= age_d;
      span_q <= span_d;
    end
  end

  logic [N-1:0] moving, moves;  // in TUNING or LOCKING before and after this edge
  always_comb begin
    for (int unsigned o = 0; o < N; o++) begin
      moving[o] = state_q[o] == Tuning | state_q[o] == Locking;
      moves[o] = state_d[o] == Tuning | state_d[o] == Locking;
    end
  end

  // What the map asks for beyond the device.
  logic beyond;
  always_comb begin
    beyond = 1'b0;
    for (int unsigned o = 0; o < N; o++) beyond |= map_valid_i[o] & 32'(map_input_i[o]) >= N;
  end

  // Sets of outputs, for covers.
  logic [N-1:0] stuck, tuning, locking, locked_warm, up, now_up, now_held, now_failed, now_locking, now_tuning, stuck_now, light_now, misrouted_now, keeps;
  always_comb begin
    for (int unsigned o = 0; o < N; o++) begin
      stuck[o] = port_cfg_i[o].stuck;
      tuning[o] = state_q[o] == Tuning;
      locking[o] = state_q[o] == Locking;
      up[o] = state_q[o] == Up;
      now_tuning[o] = entered[o] & state_d[o] == Tuning;
      now_locking[o] = entered[o] & state_d[o] == Locking;
      locked_warm[o] = now_locking[o] & modes_i.receivers & warm[o];
      now_up[o] = entered[o] & state_d[o] == Up;
      now_held[o] = entered[o] & state_d[o] == Held;
      now_failed[o] = entered[o] & state_d[o] == Failed;
      stuck_now[o] = now_failed[o] & cause_d[o] == CauseStuck;
      misrouted_now[o] = now_failed[o] & cause_d[o] == CauseMisrouted;
      keeps[o] = port_cfg_i[o].keeps;
      light_now[o] = now_failed[o] & cause_d[o] == CauseLight;
    end
  end
  logic [N-1:0] was_held, was_failed_light;
  always_comb for (int unsigned o = 0; o < N; o++) begin
    was_held[o] = state_q[o] == Held;
    was_failed_light[o] = state_q[o] == Failed & cause_q[o] == CauseLight;
  end

  always_ff @(posedge clk_i) if (rst_ni) begin
    // ---- its users ----
    use_step_within_bounds: `OCS_USE (&fits);
    use_commit_when_it_moves: `OCS_USE (~commit_i | go);
    use_map_in_range: `OCS_USE (~commit_i | ~beyond);
    // ---- itself ----
    own_timer_is_what_is_left: assert (&left);
    own_delays_exact: assert (~go | &exact);
    own_up_ends_without_light: assert (~go | &light_seen);
    own_unchanged_undisturbed: assert (~go | &(undisturbed | retry_i));
    own_stop_holds: assert (&held);
    own_stop_waits_for_an_output: assert (~stop_q | |moving);
    own_stop_ends_with_the_last: assert (~go | ~stop_d | |moves);
    own_stop_begins_with_a_start: assert (~go | stop_q | ~stop_d | (modes_i.all_stop & |starting));
    own_held_released: assert (~go | &released);
    own_one_draw_a_start: assert (~go | &one_draw);
    own_entry_is_told: assert (~go | &entry);
    own_selection_in_range: assert (&in_range);
    own_idle_has_no_circuit: assert (&idle);
    own_cause_while_failed: assert (&cause);
    own_misrouted_from_elsewhere: assert (&misrouted);
    own_arrives_at_its_selection: assert (&placed);
    own_faults_at_once: assert (&at_once);
    own_bus_edge_keeps: assert (go | (~|entered & ~|starting & valid_d == valid_q & stop_d == stop_q));
    // ---- seen ----
    see_tuning_then_locking: cover (go & |(tuning & ends & now_locking));
    see_tuning_then_up: cover (go & |(tuning & ends & now_up));
    see_no_delay_at_all: cover (|(starting & now_up));
    see_no_tuning: cover (|(starting & now_locking));
    see_up_to_up: cover (|(up & starting & now_up));
    see_restart_in_tuning: cover (|(changed & starting & tuning));
    see_restart_in_locking: cover (|(changed & starting & locking));
    see_start_while_held: cover (|(changed & starting & was_held));
    see_start_while_failed: cover (|(changed & starting & was_failed_light));
    see_commit_on_a_timer: cover (go & |(changed & ends));
    see_disconnected_in_tuning: cover (|(changed & ~starting & tuning));
    see_stuck: cover (|stuck_now);
    see_stuck_without_light: cover (|(stuck_now & faulty_next));
    see_stuck_without_tuning: cover (|(starting & stuck_now));
    see_light_lost_in_locking: cover (go & |(locking & ~changed & light_now));
    see_light_lost_in_up: cover (go & |(up & ~changed & light_now));
    see_light_lost_while_held: cover (go & |(was_held & ~changed & light_now));
    see_lightless_after_tuning: cover (go & |(tuning & ~changed & light_now));
    see_recovery: cover (go & |(was_failed_light & ~starting & (now_locking | now_up)));
    see_recovery_into_held: cover (go & |(was_failed_light & ~starting & now_held));
    see_retry: cover (|(starting & ~changed));
    see_retry_instead_of_recovery: cover (|(starting & ~changed & was_failed_light & ~dark));
    see_retry_loses: cover (commit_i & |(retry_i & changed));
    see_flap_to_locking: cover (go & |(up & ends & now_locking));
    see_flap_to_up: cover (go & |(up & ends & now_up & ~starting));
    see_stop_set: cover (go & ~stop_q & stop_d);
    see_stop_set_by_retry: cover (go & ~stop_q & stop_d & ~commit_i);
    see_no_stop_without_delay: cover (commit_i & modes_i.all_stop & |starting & ~stop_d);
    see_held: cover (go & |(up & now_held));
    see_held_again: cover (|(was_held & starting & now_held));
    see_released: cover (go & |(was_held & now_up & ~starting));
    see_stop_ended_by_failing: cover (go & stop_q & ~stop_d & |now_failed);
    see_stop_ended_by_disconnecting: cover (go & stop_q & ~stop_d & |(changed & ~valid_d));
    see_misrouted: cover (go & |misrouted_now);
    see_stuck_without_a_position: cover (|(stuck_now & keeps & ~known));
    see_stuck_in_place_arrives: cover (|(arrives & stuck));
    see_lost_by_power: cover (go & modes_i.light & |(light_now & ~faulty_next));
    see_seed_at_a_start: cover (seed_we_i & |starting);
    see_stuck_ignored_in_place: cover (go & |(up & stuck & ~entered));
    see_tuning_entered: cover (|now_tuning);
    see_programmed_later: cover (commit_i & |(changed & later));
    see_programmed_after_disconnecting: cover (|(later & {changed[N-2:0] & ~starting[N-2:0], 1'b0}));
    see_retry_programmed_later: cover (|(later & ~changed));
    see_programmed_at_once: cover (|same_group);
    see_longest_tuning: cover (|longest);
    see_kept_by_a_commit: cover (commit_i & |changed & |(up & ~changed & ~entered));
    see_locked_warm: cover (go & |locked_warm);
    see_locked_cold: cover (go & modes_i.receivers & |(now_locking & ~locked_warm));
    see_bus_edge_in_tuning: cover (~go & |tuning);
  end

  logic unused;
  assign unused = &{1'b0, modes_i};
endmodule
bind ocs_outputs ocs_outputs_checks #(.N(N)) u_checks (.*);
