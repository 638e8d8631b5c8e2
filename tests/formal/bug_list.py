# A bug for each property: subject and property (the beginning of its name) of prove.py, file of rtl/, what is replaced by what.
# SPDX-License-Identifier: Apache-2.0
QUICK = ("ocs_segments", "ocs_registers")  # of the default tests
LARGE = ("refine_chunks_1",)  # subjects that are proved with --large alone
# Subjects that are proved with --all alone, and the ports at which a bug of theirs shows.
PORTS = {"refine_chunks_0": 3} | dict.fromkeys(
    ("refine_step_1", "refine_clocks", "refine_words", "composition", "fast_composition", "fast_horizon", "fast_step_0", "fast_reset"), 2)
OUTPUTS = [
    ("own_bus_edge_keeps", "    stop_o = stop_i;", "    stop_o = 1'b0;"),
    ("own_cause_while_failed", "if (state_o[o] != Failed) cause_o", "if (state_o[o] == Idle) cause_o"),
    ("own_delays_exact", "after_tuning = timer_i[o] == step_i;", "after_tuning = timer_i[o] == 32'd1;"),
    ("own_delays_exact", "32'(lock_warm_i[draw_o[o][31:28]])", "32'(lock_warm_i[draw_i[o][31:28]])"),
    ("own_entry_is_told", "entered_o[o] |= state_i[o] != Held;", "entered_o[o] |= 1'b0;"),
    ("own_held_released", "else if (~stop_o & state_o[o] == Held)", "else if (~stop_o & ~stop_i & state_o[o] == Held)"),
    ("own_idle_has_no_circuit", "valid_o[o] = map_valid_i[o];", "valid_o[o] = 1'b1;"),
    ("own_one_draw_a_start", "draw_o[o] = next_draw(draw_i[o]);", "draw_o[o] = next_draw(next_draw(draw_i[o]));"),
    ("own_selection_in_range", "input_o[o] = map_valid_i[o] ? map_input_i[o] : '0;", "input_o[o] = map_input_i[o];"),
    ("own_stop_begins_with_a_start", "(all_stop_i & (|starting_o))", "all_stop_i"),
    ("own_stop_ends_with_the_last", "(stop_i | (all_stop_i & (|starting_o))) & moving;", "stop_i | (all_stop_i & (|starting_o));"),
    ("own_stop_holds", "if (stop_o & state_o[o] == Up)", "if (stop_o & stop_i & state_o[o] == Up)"),
    ("own_timer_is_what_is_left", "timer_o[o] = timer_i[o] - step_i;", "timer_o[o] = timer_i[o] - 32'd1;"),
    ("own_timer_is_what_is_left", "if (in_group >= prog_lanes_i) begin", "if (in_group > prog_lanes_i) begin"),
    ("own_unchanged_undisturbed", "Up:      relight[o] = timer_i[o] == step_i;", "Up:      relight[o] = timer_i[o] <= step_i;"),
    ("own_up_ends_without_light", "(state_o[o] == Locking | state_o[o] == Held | state_o[o] == Up) &", "(state_o[o] == Locking | state_o[o] == Up) &"),
]
ENGINES = [
    ("own_bus_edge_is_silent", "    ending_o = '0;", "    ending_o = stop_i;"),
    ("own_done_is_told", "done_o[i] = running & state_d[i] == Off;", "done_o[i] = running & ~stop_i[i] & state_d[i] == Off;"),
    ("own_ending_covers_done", "ending_o[i] = done_o[i] | start;", "ending_o[i] = done_o[i] & ~start;"),
    ("own_external_holds", "if (stop_i[i] | external_i[i]) state_d", "if (stop_i[i]) state_d"),
    ("own_index_counts_words", "index_d[i] = index_q[i] + words;", "index_d[i] = index_q[i] + step_i;"),
    ("own_state_sane", "state_d[i] = gap_q[i] != 0 ? Gap : Send;", "state_d[i] = Gap;"),
    ("own_words_within_the_burst", "bound_o[i] = left_q[i];", "bound_o[i] = left_q[i] + 32'd1;"),
    ("rate_bound_0", "power = 5'(m + 1);", "power = 5'(m);"),
    ("operands_0", "49'(step_i) * 49'(rate_i[i])", "49'(index_q[i]) * 49'(rate_i[i])"),
    ("operands_1", "words = 32'(total / 49'(FullRate));", "words = 32'(total / 49'd30000);"),
    ("operands_2", "48'(left_q[i]) * 48'(FullRate)", "48'(left_q[i]) * 48'd50000"),
    ("operands_sum_0", "total = 49'(acc_q[i]) + 49'(step_i)", "total = 49'(acc_q[i] + 16'd1) + 49'(step_i)"),
]
SEQUENCER = [
    ("own_banks_change_at_wraps_and_go", "if (wrap_o & waiting_d)", "if (take & waiting_d)"),
    ("own_bus_edge_keeps", "    running_d = running_q;", "    running_d = running_q & ~seq_stop_i;"),
    ("own_index_within_the_length", "        index_d = '0;", "        index_d = index_q;"),
    ("own_length_within_a_bank", "32'(len_i) > S ? (EntryW + 1)'(S) : (EntryW + 1)'(len_i)", "(EntryW + 1)'(len_i)"),
    ("own_not_before_its_time", "running_q & (last_i >= due_at);", "running_q & (last_i[31:0] >= due_at[31:0]);"),
    ("own_nothing_without_an_entry", "wrap_o = take & last_entry", "wrap_o = go_i & last_entry"),
    ("own_one_by_one", "index_d = last_entry ? '0 : index_q + 1'b1;", "index_d = index_q + 1'b1;"),
    ("own_swap_waits_while_running", "waiting_d = running_d & (waiting_q | seq_swap_i);", "waiting_d = waiting_q | seq_swap_i;"),
    ("own_wrap_ends_a_loop", "take & last_entry & (period_q != 0);", "take & last_entry;"),
    ("own_go_takes_the_idle_bank", "idle_d = ~idle_d;", "idle_d = ~idle_q;"),
    ("own_idle_bank_is_not_played", "assign at = {~idle_q, index_q};", "assign at = {idle_q, index_q};"),
    ("own_wrap_serves_a_swap", "running_d & (waiting_q | seq_swap_i);", "running_d & waiting_q;"),
]
EVENTS = [
    ("own_count_is_the_distance", "head_q + AtW'(last);", "head_q + AtW'(pop_i & ~empty_o);"),
    ("own_count_within_depth", "assign push = happened & ~full;", "assign push = happened;"),
    ("own_drops_when_full_alone", "assign dropped_o = happened & full;", "assign dropped_o = happened & full & ~last;"),
    ("own_empty_gives_zero", "if (pop_i & ~empty_o) begin\n      device_left", "if (pop_i) begin\n      device_left"),
    ("own_no_empty_record", "last = device_left == 0 & entered_left", "last = ~happened & device_left == 0 & entered_left"),
    ("own_place_until_the_last_event", "    last = 1'b0;", "    last = pop_i;"),
    ("own_records_are_in_order", "stamp_mem[tail_q] <= stamp_i;", "stamp_mem[tail_q] <= stamp_i - 64'd1;"),
    ("own_events_are_reported", "(go_i ? entered_i : '0)", "(push ? entered_i : '0)"),
    ("own_nothing_else_is_reported", "(go_i ? done_i : '0)", "done_i"),
    ("own_reports_are_cleared", "(ended_q & ~ended_clear_i)", "(ended_q & ~changed_clear_i)"),
    ("own_reports_stick", "(changed_q & ~changed_clear_i)", "(changed_q & ~(changed_clear_i | ended_clear_i))"),
    ("own_records_hold_events", "go_i & ((|device_i) | (|entered_i) | (|done_i));", "go_i;"),
    ("own_stamps_never_fall", "taken_q <= stamp_mem[head_q];", "taken_q <= stamp_mem[head_q] + 64'd1;"),
]
COUNTERS = [
    ("own_passed_in_up_alone", "if (valid_i[p] & state_i[p] == Up) passed_d", "if (valid_i[p] & state_i[p] >= Up) passed_d"),
    ("own_dark_counts_cycles", "dark_d[p] = dark_q[p] + 64'(step_i);", "dark_d[p] = dark_q[p] + 64'd1;"),
    ("own_words_passed_or_lost", "lost_d[p] = lost_q[p] + 64'(words_i[input_i[p]]);", "lost_d[p] = lost_q[p] + 64'(words_i[p]);"),
    ("own_words_sent_or_unrouted", "if (~routed_i[p]) unrouted_d", "if (~valid_i[p]) unrouted_d"),
]
SEGMENTS = [
    ("own_cut_is_reported", " | entered_i[o] | ending_i[input_i[o]])", " | entered_i[o])"),
    ("own_grows_in_up_alone", "grow_count_d[o] = ended[o] ? '0 : count_now;", "grow_count_d[o] = count_now;"),
    ("own_nothing_uncut", "| ending_i[input_i[o]])", "| ending_i[input_i[o]] | words_i[input_i[o]] == 0)"),
    ("own_overrun_means_full", "|(full_q & ended);", "|(full_q & ended & ~full_q[0]);"),
    ("own_reported_if_words_passed", "ended[o] = count_now != 0 & (", "ended[o] = ("),
]
REGISTERS = [
    ("own_commands_want_all_bytes", "ocs_access.sv", "(partial & command) | ", ""),
    ("own_nothing_without_a_request", "ocs_access.sv", "assign core_read_o = core_i & ", "assign core_read_o = "),
    ("own_one_kind_an_edge", "ocs_access.sv", "assign port_read_o = port_i & ~port_error & ~write_i;", "assign port_read_o = core_i & ~write_i;"),
    ("own_refused_does_nothing", "ocs_access.sv", "assign pair_write_o = pair_i & ~pair_error & ", "assign pair_write_o = pair_i & "),
    ("own_writes_write_and_reads_read", "ocs_access.sv", "assign port_write_o = port_i & ~port_error & write_i;", "assign port_write_o = port_i & ~port_error;"),
]
CORE = [
    ("own_horizon_is_the_smallest_bound", "ocs_min_tree.sv", "node[k] = node[2*k] < node[2*k+1] ?", "node[k] = k == 1 & node[2] == 2 & node[3] == 2 ? 32'd0 : node[2*k] < node[2*k+1] ?"),
    ("state_stays_sane", "ocs_sequencer.sv", "        index_d = '0;", "        index_d = index_q;"),
    ("newest_stamp_is_past", "ocs_core.sv", ".go_i(go), .stamp_i(time_d)", ".go_i(go), .stamp_i(time_d + 64'd1)"),
    ("own_bus_edge_keeps_the_fabric", "ocs_next.sv", "draw_o[o] = seeded(seed_i, o);", "begin draw_o[o] = seeded(seed_i, o); state_o[o] = Idle; end"),
    ("own_one_request_an_edge", "ocs_commit.sv", "assign timed_done_o = any & ~seq_i & timed;", "assign timed_done_o = any & timed;"),
    ("own_refused_changes_nothing", "ocs_core.sv", ".commit_i(taken),", ".commit_i(taken | conflict),"),
    ("use_at_most_a_word_a_cycle", "ocs_engines.sv", "words = step_i;", "words = step_i + 32'd1;"),
    ("use_commit_when_it_moves", "ocs_commit.sv", "assign any = go_i & (seq_i", "assign any = (seq_i"),
    ("use_entered_says_a_change", "ocs_core.sv", ".entered_i(entered),\n      .words_i", ".entered_i(entered & ~started),\n      .words_i"),
    ("use_idle_has_no_circuit", "ocs_core.sv", ".step_i(step), .state_i(state_o), .valid_i(valid_o),", ".step_i(step), .state_i(state_o), .valid_i(valid_next_o),"),
    ("use_no_step_across_an_entry", "ocs_sequencer.sv", "cycles_to(due_at, time_i)", "cycles_to(due_at + 64'd1, time_i)"),
    ("use_not_taken_and_refused", "ocs_core.sv", "{wrap, refused, taken}", "{wrap, refused, taken | range}"),
    ("use_one_cycle_with_pins", "ocs_engines.sv", "bound_o[i] = 32'd1;", "bound_o[i] = 32'd2;"),
    ("use_restarts_are_starts", "ocs_outputs.sv", "restarted_o[o] = starting[o] & (", "restarted_o[o] = ("),
    ("use_taken_or_refused", "ocs_core.sv", ".taken_i(taken), .refused_i(refused)", ".taken_i(taken | conflict), .refused_i(refused)"),
    ("use_time_not_behind", "ocs_core.sv", ".last_i(last), .time_i(time_q),", ".last_i(last - 64'd1), .time_i(time_q),"),
    ("use_up_is_left_in_sight", "ocs_core.sv", ".state_next_i(state_next), .entered_i", ".state_next_i('{default: Up}), .entered_i"),
    ("own_time_adds_the_step", "ocs_core.sv", "time_q <= time_d;", "time_q <= time_q + 64'(step_i);"),
    ("own_step_beyond_is_no_step", "ocs_core.sv", "step_error ? '0 : step_i;", "step_error ? horizon_o : step_i;"),
    ("own_sequencer_goes_first", "ocs_commit.sv", "source_o = seq_i ?", "source_o = seq_i & ~sw_i ?"),
    ("own_taken_map_is_legal", "ocs_commit.sv", "used[input_of[InW-1:0]] = 1'b1;", "used[input_of[InW-1:0]] = 1'b0;"),
    ("own_refused_has_one_cause", "ocs_commit.sv", "refused_o = range_o | conflict_o;", "refused_o = range_o;"),
    ("own_late_is_of_a_request", "ocs_commit.sv", "late_o = any & (seq_i", "late_o = (seq_i"),
    ("own_request_is_taken_or_refused", "ocs_commit.sv", "taken_o = any & ~refused_o;", "taken_o = any & ~range_o;"),
    ("own_commit_waits_until_done", "ocs_commands.sv", "(sw_q & ~sw_done_i)", "(sw_q & ~sw_done_i & ~timed_done_i)"),
    ("own_commit_write_is_pending", "ocs_commands.sv", "(sw_q & ~sw_done_i) | commit_we_i", "(sw_q | commit_we_i) & ~sw_done_i"),
    ("own_cancel_takes_back", "ocs_commands.sv", "commit_at_we_i[1]) & ~cancel_we_i", "commit_at_we_i[1])"),
    ("own_pending_acts_at_once", "ocs_commands.sv", " | (|retry_q);", ";"),
    ("own_errors_stick", "ocs_status.sv", "(error_q & ~clear_i) | set_i", "(error_q | set_i) & ~clear_i"),
    ("own_irq_is_an_enabled_source", "ocs_status.sv", "|(sources_o & enable_i)", "|sources_o"),
    ("use_step_within_bounds", "ocs_core.sv", "bound[2*p+1] = engine_bound[p];", "bound[2*p+1] = engine_bound[0];"),
    ("use_stamps_rise", "ocs_core.sv", ".go_i(go), .stamp_i(time_d)", ".go_i(go), .stamp_i(last)"),
    ("use_routed_is_true", "ocs_core.sv", "routed[input_o[o]] = 1'b1;", "routed[input_o[o]] = state_o[o] == Up;"),
]
HORIZON = [
    ("link_", "ocs_min_tree.sv", "node[2*k] < node[2*k+1] ?", "node[2*k][31:1] < node[2*k+1][31:1] ?"),
    ("choice_1", "ocs_min_tree.sv", "node[k] = node[2*k] < node[2*k+1] ?", "node[k] = k == 1 & node[2] == 2 & node[3] == 2 ? 32'd0 : node[2*k] < node[2*k+1] ?"),
    ("operands_0", "ocs_engines.sv", "48'(left_q[i]) * 48'(FullRate)", "48'(left_q[i]) * 48'd50000"),
    ("root_and_leaves", "ocs_min_tree.sv", "assign min_o = node[1];", "assign min_o = node[2];"),
    ("output_0_timer", "ocs_outputs.sv", "bound_o[o] = timer_q[o] != 0 ?", "bound_o[o] = timer_q[o][31:1] != 0 ?"),
    ("bounds_with_receivers", "ocs_outputs.sv", "bound_o[o] = timer_q[o] != 0 ?", "bound_o[o] = timer_q[o] != 0 & Receivers == 0 ?"),
    ("output_0_light", "ocs_outputs.sv", "if (light_lost | light_back)", "if (light_lost)"),
    ("engine_0", "ocs_engines.sv", "bound_o[i] = wait_q[i];", "bound_o[i] = wait_q[i] + 32'd1;"),
    ("external_0", "ocs_engines.sv", "bound_o[i] = 32'd1;", "bound_o[i] = 32'd2;"),
    ("rate_0", "ocs_engines.sv", "power = 5'(m + 1);", "power = 5'(m);"),
    ("pending", "ocs_commands.sv", " | (|retry_q);", ";"),
    ("timed_commit", "ocs_commands.sv", "cycles_to(at_q, time_i)", "cycles_to(at_q + 64'd1, time_i)"),
    ("sequencer", "ocs_sequencer.sv", "cycles_to(due_at, time_i)", "cycles_to(due_at + 64'd1, time_i)"),
    ("one_time", "ocs_core.sv", ".go_i(go), .time_i(time_q),", ".go_i(go), .time_i(last),"),
    ("one_step", "ocs_core.sv", ".step_i(step), .start_i(start)", ".step_i(step_i), .start_i(start)"),
    ("same_settings", "ocs_core.sv", ".gated_i, .rate_i, .external_i", ".gated_i, .rate_i('{default: FullRate}), .external_i"),
    ("leaves_of_outputs", "ocs_core.sv", "bound[2*p] = output_bound[p];", "bound[2*p] = output_bound[0];"),
    ("leaves_of_engines", "ocs_core.sv", "bound[2*p+1] = engine_bound[p];", "bound[2*p+1] = engine_bound[0];"),
    ("leaves_of_requests", "ocs_core.sv", "bound[2*N+1] = timed_bound;", "bound[2*N+1] = pending_bound;"),
    ("horizon_is_the_root", "ocs_core.sv", "32'd1 : least;", "32'd1 : least + 32'd1;"),
]
OTHERS = [
    ("ocs_outputs", "own_stop_waits_for_an_output", "ocs_outputs.sv", "      stop_q <= 1'b0;\n", ""),
    ("reset", "u_outputs.timer_q", "ocs_outputs.sv", "      timer_q <= '{default: '0};\n", ""),
    ("reset", "u_outputs.draw_q", "ocs_outputs.sv", "reset_draw[o] = seeded('0, o);", "reset_draw[o] = seeded('0, 0);"),
    ("reset", "u_commands.at_q", "ocs_commands.sv", "      at_q <= '0;\n", ""),
    ("reset", "u_sequencer.idle_q", "ocs_sequencer.sv", "{running_q, waiting_q, idle_q} <= '0;", "{running_q, waiting_q} <= '0;"),
    ("reset", "u_sequencer.offset_mem", "ocs_sequencer.sv", "    if (store_i) begin\n      offset_mem", "    if (store_i | ~rst_ni) begin\n      offset_mem"),
    ("shadow", "u_commit.map_valid_o", "ocs_commit.sv", "if (any) begin\n        map_valid_o = seq_i ? row_valid_i : shadow_valid_i;", "if (any) begin\n        map_valid_o = seq_i ? row_valid_i & shadow_valid_i : shadow_valid_i;"),
    ("shadow", "u_commit.refused_o", "ocs_commit.sv", "input_of = seq_i ? row_input_i[o] :", "input_of = seq_i & ~sw_i ? row_input_i[o] :"),
    ("shadow", "u_outputs.valid_q", "ocs_core.sv", ".step_i(step), .commit_i(taken), .map_valid_i(map_valid),", ".step_i(step), .commit_i(taken), .map_valid_i(map_valid | shadow_valid_i),"),
    ("step_0", "u_commands.seq_go_q", "ocs_commands.sv", "seq_go_q <= (seq_go_q & ~go_i) | go_we_i;", "seq_go_q <= go_we_i;"),
    ("ahead", "commit_taken_o", "ocs_commit.sv", "& map_valid_o[p] & map_input_o[o] == map_input_o[p]", "& map_input_o[o] == map_input_o[p]"),
    ("ahead", "commit_map_input_o", "ocs_commit.sv", "input_of[o] = seq_i ? row_input_i[o]", "input_of[o] = seq_i & ~sw_i ? row_input_i[o]"),
    ("ahead", "outputs_timer_q_kept", "ocs_outputs.sv", "timer_d[o] = timer[commit_i][o];", "timer_d[o] = timer[1][o];"),
    ("ahead", "outputs_pair_input_0_taken", "ocs_outputs.sv", "pair_input_o[c*N+o] = selected[c][o];", "pair_input_o[c*N+o] = selected[0][o];"),
    ("ahead", "sequencer_due_is_known", "ocs_sequencer.sv", "assign swaps = last_entry & period_q != 0 &", "assign swaps = last_entry &"),
    ("ahead", "sequencer_late_is_known", "ocs_sequencer.sv", "time_next_i > due_at_q);", "time_next_i > due_at_q + 64'd1);"),
    ("ahead", "sequencer_entry_is_known", "ocs_sequencer.sv", "{idle_q ^ (due_q & swaps), {EntryW", "{idle_q ^ swaps, {EntryW"),
    ("ahead", "sequencer_input_is_known", "ocs_sequencer.sv", "if (go_i & moves) begin", "if (go_i & due_q) begin"),
    ("skewed", "aligned_u_outputs", "skew/ocs_skew_top.sv", ".Edges(M - P)) u_retry", ".Edges(C - P)) u_retry"),
    ("skewed", "aligned_u_view", "skew/ocs_skew_top.sv", ".go_i(at[L].go), .all_stop_i(all_stop_l)", ".go_i(at[L].go), .all_stop_i(all_stop_m)"),
    ("skewed", "next_u_select.input_q", "skew/ocs_skew_select.sv", "map_valid_i[o] ? map_input_i[o] : '0;", "map_input_i[o];"),
    ("skewed", "timer_0", "skew/ocs_skew_outputs.sv", "timer_q[o] - 33'd1\n", "timer_q[o] - 33'd2\n"),
    ("skewed", "timer_1", "skew/ocs_skew_top.sv", "33'(pair_t[o]) - 33'd2;", "33'(pair_t[o]) - 33'd1;"),
    ("skewed", "state_0", "skew/ocs_skew_outputs.sv", "locked[o] = stuck_i[o] ? Failed : lit[o];", "locked[o] = lit[o];"),
    ("skewed", "next_u_outputs.cause_q", "skew/ocs_skew_outputs.sv", "fails[o] ? CauseStuck : CauseLight", "fails[o] & hit[o] ? CauseStuck : CauseLight"),
    ("skewed", "flap_0", "skew/ocs_skew_outputs.sv", "was_up_q <= ready & ~{N{stop}} & ~entered_o;", "was_up_q <= ready & ~entered_o;"),
    ("skewed", "draw_0", "skew/ocs_skew_outputs.sv", "if (seed_we_i) draw_d[o] = next_draw(seeded(seed_i, o));", "if (seed_we_i) draw_d[o] = seeded(seed_i, o);"),
    ("skewed", "stop", "skew/ocs_skew_outputs.sv", "set_q <= all_stop_i & (|starting);", "set_q <= all_stop_i;"),
    ("skewed", "next_u_events.changed_q", "skew/ocs_skew_view.sv", "stop_q != stop_d);", "stop_q & ~stop_d);"),
    ("skewed", "shadow_0", "skew/ocs_skew_top.sv", "{access[C].shadow_load, select.valid_next, select.selected_next}", "{access[C].shadow_load, select.valid, select.selected}"),
    ("skewed", "next_u_commands.sw_q", "skew/ocs_skew_top.sv", "asked_valid = loads ? load_valid : shadow_valid;", "asked_valid = shadow_valid;"),
    ("skewed", "after", "skew/ocs_skew_sequencer.sv", "{~idle_q, index_q + EntryW'(2)};", "{~idle_q, index_q + EntryW'(1)};"),
    ("skewed", "next_u_sequencer.due_q", "skew/ocs_skew_sequencer.sv", "start_due[1][b] = base_i + 64'(first[b].offset);", "start_due[1][b] = base_i + 64'(first[0].offset);"),
    ("skewed", "next_u_sequencer.late_q", "skew/ocs_skew_sequencer.sv", "gt = ~moves ? time_i >= due_at_q", "gt = ~moves ? time_next_i >= due_at_q"),
    ("skewed", "again_0", "skew/ocs_skew_engines.sv", "repeats_q[i] != 32'd1 : again_q[i];", "again_q[i] : again_q[i];"),
    ("skewed", "next_u_engines.acc_q", "skew/ocs_skew_engines.sv", "{over_i[i][16], over_i[i]};", "{1'b0, over_i[i]};"),
    ("skewed", "most_0", "skew/ocs_skew_segments.sv", "grow_count_q[o] == 32'hffff_fffe", "grow_count_q[o] == 32'hffff_ffff"),
    ("skewed", "next_u_segments.first_q", "skew/ocs_skew_segments.sv", "any_now[o] = word_i[o] ? ~most_q[o] : grows_q[o];", "any_now[o] = word_i[o] | grows_q[o];"),
    ("skewed", "oldest_record_0", "skew/ocs_skew_events.sv", "if (last & many_q) head_q <= second;\n    else if (last | ~any_q)", "if (last & many_q) head_q <= second;\n    else if (~any_q)"),
    ("skewed", "read", "skew/ocs_skew_top.sv", "read_n | read_o | read_v;", "read_n | read_o;"),
    ("bus", "refused", "ocs_access.sv", "| (mask & beyond) |", "| (mask & write_i & beyond) |"),
    ("bus", "los_0", "ocs_settings.sv", "{stuck_o[at], dead_o[at], los_o[at]} <=", "{stuck_o[at], los_o[at], dead_o[at]} <="),
    ("bus", "lock_cold_5", "ocs_settings.sv", "lock_cold_o[point] <= 30'(merged(32'(lock_cold_o[point])", "lock_cold_o[point] <= 30'(merged(32'(lock_warm_o[point])"),
    ("bus", "read_LOCK_COLD_9", "ocs_reg_read.sv", "32'(lock_cold_i[core_addr_i[5:2]])", "32'(lock_warm_i[core_addr_i[5:2]])"),
    ("bus", "launch", "ocs_settings.sv", "(given[N-1:0] & named[N-1:0]);", "given[N-1:0];"),
    ("bus", "read_LOST_0", "ocs_reg_read.sv", "value = lost_i[p];", "value = dark_i[p];"),
    ("bus", "answer_r_keeps_its_data", "ocs_reg_read.sv", "if (soft_reset_i) high_q <= '0;", "if (soft_reset_i) {data_q, high_q} <= '0;"),
    ("bus", "write_goes_after_a_read", "ocs_axil.sv", "(~may_read | read_was_last_q)", "(~may_read | ~read_was_last_q)"),
    ("bus", "ar_is_carried_out_once", "ocs_axil.sv", "ar_held_q ? ~do_read : arvalid_i;", "ar_held_q ? ~do_read | arvalid_i : arvalid_i;"),
    ("narrow", "words_o", "ocs_engines.sv", "words = 32'(total >= 49'(FullRate));", "words = 32'(total > 49'(FullRate));"),
]

COMPOSITION = [
    ("first_output_0", "ocs_next.sv", "timer_o[o] = timer_i[o] - step_i;", "timer_o[o] = timer_i[o] - 32'd1;"),
    ("first_engine_0", "ocs_engines.sv", "wait_d[i] = wait_q[i] - step_i;", "wait_d[i] = wait_q[i] - 32'd1;"),
    ("last", "ocs_core.sv", "assign last = time_d - 64'd1;", "assign last = time_q;"),
    ("words_0", "ocs_engines.sv", "words = step_i;", "words = 32'd1;"),
    ("time_q", "ocs_core.sv", "time_q <= time_d;", "time_q <= time_q + 64'(go);"),
    ("u_counters.dark_q", "ocs_counters.sv", "dark_q[p] + 64'(step_i);", "dark_q[p] + 64'd1;"),
    ("u_events.stamp_mem", "ocs_core.sv", ".go_i(go), .stamp_i(time_d)", ".go_i(go), .stamp_i(time_q + 64'd1)"),
]
FAST_STEP_0 = [
    ("passed", "ocs_fast_core.sv", "    if (dirty) find_due();", "    passed[0] = passed[0] + 64'(~dirty);\n    if (dirty) find_due();"),
    ("due", "ocs_fast_core.sv", "    if (dirty) find_due();", "    find_due();"),
]
FAST_RESET = [
    ("data", "bus.svh", "  high = '0;  //", "  {data, high} = '0;  //"),
    ("odl", "bus.svh", "    odl[p] = Never;\n", ""),
    ("draw", "bus.svh", "    draw[p] = seeded('0, p);", "    draw[p] = seeded('0, 0);"),
    ("set_rate", "settings.svh", "    set_rate[p] = FullRate;", "    set_rate[p] = '0;"),
    ("set_lock_cold", "settings.svh", "    set_lock_cold[k] = '0;\n", ""),
]
FAST_HORIZON = [
    ("ofirst_", "outputs.svh", "      ofirst[c] = first;", "      if (cut == '0) ofirst[c] = first;"),
    ("odue_at_most_ofirst", "outputs.svh", "if (ofirst[c] < odue) odue", "if (bits != 0 & ofirst[c] < odue) odue"),
    ("ifirst_", "engines.svh", "        ifirst[c] = first;", "        if (gate == '0) ifirst[c] = first;"),
    ("idue_at_most_ifirst", "engines.svh", "if (ifirst[c] < idue) idue", "if (ifirst[c] > idue) idue"),
    ("omin_", "outputs.svh", "          omin[c*InChunk+j] = earliest;", "          if (~taken) omin[c*InChunk+j] = earliest;"),
    ("imin_", "engines.svh", "            imin[c*InChunk+j] = earliest;", "            if (gate == 0) imin[c*InChunk+j] = earliest;"),
    ("due_at_most_odue", "bus.svh", "due = odue < idue ? odue : idue;", "due = idue;"),
    ("due_at_most_idue", "bus.svh", "due = odue < idue ? odue : idue;", "due = odue;"),
    ("due_at_most_commit_at", "bus.svh", "due = stamp_after(commit_at);", "due = stamp_after(commit_at) + 64'd1;"),
    ("due_at_most_entry_due", "bus.svh", "if (running & stamp_after(entry_due) < due)", "if (running & ~armed & stamp_after(entry_due) < due)"),
    ("due_is_next_with_pending", "bus.svh", "if (sw | go_pending |", "if (go_pending |"),
    ("due_is_next_with_external", "bus.svh", "set_external != 0)\n    due", "set_external[0])\n    due"),
    ("due_is_next_with_light", "bus.svh", " | (by_light & ~unlit) != 0) due", ") due"),
    ("rated_0_is_stale", "bus.svh", "  rated = '0;\n  find_due();", "  find_due();"),
    ("rated_0_is_settled", "bus.svh", "if (open[at]) settle_engine(32'(at), rated_words);", ""),
    ("open_0_sends", "engines.svh", "open = (open & ~moved) | opens_n;", "open = open | opens_n;"),
    ("open_0_ends_with_its_words", "words.svh", "return 64'(left[i]);", "return 64'(left[i]) + 64'd1;"),
]
FAST_COMPOSITION = [
    ("first_doesnt_act", "ocs_fast_core.sv", "assign ahead = due - now;", "assign ahead = due - now + 64'd1;"),
    ("first_keeps_lates", "ocs_fast_core.sv", "    now = nxt;\n", "    now = nxt;\n    if (armed) lates = lates + 64'd1;\n"),
]
REFINE_STEP_0 = [
    ("answer", "bus.svh", "value = passed[at] + (up[at] ? sent_at(src[at], now) - mark[at] : 64'd0);\n    PORT_LOST[14:11]:     value = lost[at]",
     "value = lost[at] + (up[at] ? sent_at(src[at], now) - mark[at] : 64'd0);\n    PORT_LOST[14:11]:     value = passed[at]"),
    ("locks_0", "bus.svh", "locks[at] = 30'(merged(32'(set_lock[at]))) != 0;", "locks[at] = 1'b0;"),
    ("due_is_next_with_light", "bus.svh", "PORT_FAULT[14:10]: stale = 1'b1;", "PORT_FAULT[14:10]: stale = data_i[0];"),
    ("error_3", "bus.svh", "if (access_error_i) raise(ErrAccess);", "if (access_error_i) raise(ErrStep);"),
    ("reported_inputs_0", "ocs_fast_core.sv", "{entered, ended, done} = '0;", "{entered, ended} = '0;"),
    ("set_los", "settings.svh", "{set_stuck[at], set_dead[at], set_los[at]} = fields", "{set_stuck[at], set_los[at], set_dead[at]} = fields"),
    ("set_lock_cold", "settings.svh", "= 30'(merged(32'(set_lock_cold", "= 30'(merged(32'(set_lock_warm"),
    ("set_launch", "settings.svh", "| (given & named);", "| given;"),
    ("set_seq_base", "settings.svh", "set_seq_base[63:32] = merged(set_seq_base[63:32])", "set_seq_base[63:32] = merged(set_seq_base[31:0])"),
    ("answer", "settings.svh", "{15'd0, set_gated[at], set_tag[at]};\n      PORT_SOURCE[14:10]:      setting", "{16'd0, set_tag[at]};\n      PORT_SOURCE[14:10]:      setting"),
]
REFINE_RESET = [
    ("lit_until_0", "bus.svh", "lit_until[k] = '0;", "lit_until[k] = 64'(k == 0);"),
    ("odl_0", "bus.svh", "    odl[p] = Never;\n", ""),
]
REFINE_STEP_1 = [
    ("odl_0", "outputs.svh", "odl[o] = nxt + cycles;", "odl[o] = nxt + cycles + 64'd1;"),
    ("odl_1", "outputs.svh", "if (in_group >= prog_lanes_i) begin", "if (in_group > prog_lanes_i) begin"),
    ("lck_0", "outputs.svh", "  lck_n |= arrive & locked;\n  up_n |= arrive & ~locked;", "  lck_n |= arrive & ~locked;\n  up_n |= arrive & locked;"),
    ("vld_0", "commit.svh", "    taken = ~refused;", "    taken = 1'b1;"),
    ("fifo_done_0", "engines.svh", "    done = (moved & was & ~gap & ~send & ~fresh) | none;", "    done = '0;"),
    ("tun_0", "outputs.svh", "  starting = changed & vld;", "  starting = '0;"),
    ("fifo_stamp_0", "events.svh", "fifo_stamp[tail] = nxt;", "fifo_stamp[tail] = last;"),
    ("acc_0", "engines.svh", "if (open[i] & ~at_full_rate(i)) acc[i] =", "if (words != 0 & open[i] & ~at_full_rate(i)) acc[i] ="),
    ("engine_0_stamp", "words.svh", "if (set_rate[i] > 16'(1 << m)) power = 5'(m + 1);", "if (set_rate[i] > 16'(1 << m)) power = 5'(m);"),
    ("lit_until_1", "outputs.svh", "leave(hit & entered_n);", "leave(hit & turned);"),
    ("lit_until_1", "outputs.svh", "  if (Receivers != 0 & receivers_i) leave(changing());\n", ""),
    ("odl_1", "outputs.svh", "if (up[o] & ~changed[o]) warm", "if (up[o]) warm"),
    ("left_0", "words.svh", "return set_rate[i] >= FullRate;", "return set_rate[i] >= FullRate - 1;"),
]
REFINE_CLOCKS = [
    ("u_front.u_axil.aw_held_q", "ocs_fast_top.sv", ".clk_i(bus_clk_i), .rst_ni, .word_bytes_i", ".clk_i, .rst_ni, .word_bytes_i"),
    ("fabric_looks", "ocs_fast_top.sv", ".access_error_i(access_error)", ".access_error_i(access_error | awvalid_i)"),
]
REFINE_CHUNKS_0 = [
    ("idue_at_most", "bus.svh", "if (ifirst[c] < idue) idue", "if (c == 0 & ifirst[c] < idue) idue"),
]
REFINE_CHUNKS_1 = [
    ("odue_at_most", "outputs.svh", "if (ofirst[c] < odue) odue", "if (c == 0 & ofirst[c] < odue) odue"),
    ("odl_2", "outputs.svh", "    bits = moving[c*Chunk+:Chunk];", "    bits = moving[0+:Chunk];"),
]
REFINE_WORDS = [
    ("word_leaves_0", "data.svh", "if (up[o] & offered[from])", "if (offered[from])"),
    ("offer_0", "data.svh", "return words_of(i, now + 64'd1) != words_of(i, now);", "return words_of(i, now + 64'd1) != 0;"),
]

BUGS = [(top, name, "ocs_next.sv" if top == "ocs_outputs" else f"{top}.sv", old, new) for top, bugs in (
    ("ocs_segments", SEGMENTS), ("ocs_sequencer", SEQUENCER), ("ocs_counters", COUNTERS), ("ocs_events", EVENTS), ("ocs_outputs", OUTPUTS),
    ("ocs_engines", ENGINES)) for name, old, new in bugs]
BUGS += [("ocs_registers", *bug) for bug in REGISTERS] + [("horizon", *bug) for bug in HORIZON] + OTHERS + [("core", *bug) for bug in CORE]
BUGS += [("composition", *bug) for bug in COMPOSITION]
BUGS += [(subject, name, f"fast/{file}", old, new) for subject, bugs in (
    ("fast_horizon", FAST_HORIZON), ("fast_composition", FAST_COMPOSITION), ("fast_step_0", FAST_STEP_0), ("fast_reset", FAST_RESET),
    ("refine_step_0", REFINE_STEP_0), ("refine_reset", REFINE_RESET),
    ("refine_step_1", REFINE_STEP_1), ("refine_clocks", REFINE_CLOCKS), ("refine_chunks_0", REFINE_CHUNKS_0),
    ("refine_chunks_1", REFINE_CHUNKS_1), ("refine_words", REFINE_WORDS))
         for name, file, old, new in bugs]
