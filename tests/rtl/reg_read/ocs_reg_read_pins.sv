// ocs_reg_read with a pin for each field, for its test in C++.
//
// SPDX-License-Identifier: Apache-2.0
module ocs_reg_read_pins
  import ocs_pkg::*;
#(
    parameter int unsigned N = 4,
    localparam int unsigned InW = $clog2(N)
) (
    input logic clk_i,
    input logic rst_ni,
    input logic soft_reset_i,
    input logic core_read_i,
    input logic [8:0] core_addr_i,
    input logic port_read_i,
    input logic [14:0] port_addr_i,
    input logic [7:0] port_i,
    input logic optics_read_i,
    input logic pair_read_i,
    input logic [29:0] pair_i,
    output logic [31:0] data_o,
    input logic [N-1:0] shadow_valid_i,
    input logic [8:0] shadow_input_i[N],
    input logic [29:0] base_i[N],
    input logic [29:0] slow_i[N],
    input logic [29:0] lock_i[N],
    input logic [29:0] jitter_mask_i[N],
    input logic [29:0] flap_i[N],
    input logic [N-1:0] los_i,
    input logic [N-1:0] dead_i,
    input logic [N-1:0] stuck_i,
    input logic [N-1:0] keeps_i,
    input logic [15:0] laser_i[N],
    input logic [15:0] loss_i[N],
    input logic [31:0] len_i[N],
    input logic [31:0] gap_i[N],
    input logic [31:0] repeat_i[N],
    input logic [15:0] tag_i[N],
    input logic [N-1:0] gated_i,
    input logic [15:0] rate_i[N],
    input logic [N-1:0] external_i,
    input logic [N-1:0] launch_i,
    input logic [63:0] seq_base_i,
    input logic [29:0] lock_warm_i[Quantiles],
    input logic [29:0] lock_cold_i[Quantiles],
    input logic [63:0] time_i,
    input logic [63:0] commit_at_i,
    input logic [31:0] event_i,
    input logic [63:0] event_time_i,
    input logic [3:0] status_i,
    input logic [6:0] error_i,
    input logic [2:0] irq_status_i,
    input logic [N-1:0] valid_i,
    input logic [InW-1:0] input_i[N],
    input state_e state_i[N],
    input cause_e cause_i[N],
    input logic [N-1:0] disturbed_i,
    input logic [N-1:0] dim_i,
    input logic [N-1:0] lit_i,
    input power_t power_i[N],
    input engine_e engine_i[N],
    input logic [InW-1:0] seg_input_i[N],
    input logic [15:0] seg_tag_i[N],
    input logic [31:0] seg_first_i[N],
    input logic [31:0] seg_count_i[N],
    input logic [N-1:0] seg_full_i,
    input logic [N-1:0] changed_i,
    input logic [N-1:0] ended_i,
    input logic [63:0] passed_i[N],
    input logic [63:0] lost_i[N],
    input logic [63:0] dark_i[N],
    input logic [63:0] tunings_i[N],
    input logic [63:0] restarts_i[N],
    input logic [63:0] sent_i[N],
    input logic [63:0] unrouted_i[N],
    input logic [63:0] misrouted_i[N],
    input logic [63:0] commits_i,
    input logic [63:0] refused_i,
    input logic [63:0] late_i,
    input logic [63:0] dropped_i
);
  access_t access;
  always_comb begin
    access = '0;
    access.core_read = core_read_i;
    access.port_read = port_read_i;
    access.optics_read = optics_read_i;
    access.pair_read = pair_read_i;
    access.core_addr = core_addr_i;
    access.port_addr = port_addr_i;
    access.port = port_i;
    access.soft_reset = soft_reset_i;
  end
  port_cfg_t port_cfg[N];
  always_comb
    for (int unsigned k = 0; k < N; k++) begin
      port_cfg[k] = '0;
      port_cfg[k].base = base_i[k];
      port_cfg[k].slow = slow_i[k];
      port_cfg[k].lock = lock_i[k];
      port_cfg[k].jitter_mask = jitter_mask_i[k];
      port_cfg[k].flap = flap_i[k];
      port_cfg[k].laser = laser_i[k];
      port_cfg[k].loss = loss_i[k];
      port_cfg[k].keeps = keeps_i[k];
      port_cfg[k].stuck = stuck_i[k];
      port_cfg[k].dead = dead_i[k];
      port_cfg[k].los = los_i[k];
    end
  burst_cfg_t burst_cfg[N];
  always_comb
    for (int unsigned k = 0; k < N; k++) begin
      burst_cfg[k] = '0;
      burst_cfg[k].len = len_i[k];
      burst_cfg[k].gap = gap_i[k];
      burst_cfg[k].repeats = repeat_i[k];
      burst_cfg[k].tag = tag_i[k];
      burst_cfg[k].gated = gated_i[k];
      burst_cfg[k].rate = rate_i[k];
      burst_cfg[k].external = external_i[k];
    end
  quantile_t quantile[Quantiles];
  always_comb
    for (int unsigned k = 0; k < Quantiles; k++) begin
      quantile[k] = '0;
      quantile[k].warm = lock_warm_i[k];
      quantile[k].cold = lock_cold_i[k];
    end
  device_view_t device_view;
  always_comb begin
    device_view = '0;
    device_view.cycle = time_i;
    device_view.event_word = event_i;
    device_view.commit_at = commit_at_i;
    device_view.event_time = event_time_i;
    device_view.status = status_i;
    device_view.error = error_i;
    device_view.irq_status = irq_status_i;
    device_view.commits = commits_i;
    device_view.refused = refused_i;
    device_view.late = late_i;
    device_view.dropped = dropped_i;
  end
  port_view_t port_view[N];
  always_comb
    for (int unsigned k = 0; k < N; k++) begin
      port_view[k] = '0;
      port_view[k].valid = valid_i[k];
      port_view[k].selected = 8'(input_i[k]);
      port_view[k].state = state_i[k];
      port_view[k].cause = cause_i[k];
      port_view[k].disturbed = disturbed_i[k];
      port_view[k].dim = dim_i[k];
      port_view[k].lit = lit_i[k];
      port_view[k].power = power_i[k];
      port_view[k].engine = engine_i[k];
      port_view[k].seg_input = 8'(seg_input_i[k]);
      port_view[k].seg_tag = seg_tag_i[k];
      port_view[k].seg_first = seg_first_i[k];
      port_view[k].seg_count = seg_count_i[k];
      port_view[k].seg_full = seg_full_i[k];
      port_view[k].changed = changed_i[k];
      port_view[k].ended = ended_i[k];
    end
  port_counters_t port_counters[N];
  always_comb
    for (int unsigned k = 0; k < N; k++) begin
      port_counters[k] = '0;
      port_counters[k].passed = passed_i[k];
      port_counters[k].lost = lost_i[k];
      port_counters[k].dark = dark_i[k];
      port_counters[k].tunings = tunings_i[k];
      port_counters[k].restarts = restarts_i[k];
      port_counters[k].sent = sent_i[k];
      port_counters[k].unrouted = unrouted_i[k];
      port_counters[k].misrouted = misrouted_i[k];
    end

  ocs_reg_read #(.N(N)) u_reg_read (
      .clk_i, .rst_ni, .pair_i, .data_o, .shadow_valid_i, .shadow_input_i, .launch_i, .seq_base_i, .access_i(access),
      .port_cfg_i(port_cfg), .burst_cfg_i(burst_cfg), .quantile_i(quantile), .device_view_i(device_view),
      .port_view_i(port_view), .port_counters_i(port_counters)
  );
endmodule
