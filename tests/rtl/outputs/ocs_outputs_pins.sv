// ocs_outputs with a pin for each field, for its test in C++.
//
// SPDX-License-Identifier: Apache-2.0
module ocs_outputs_pins
  import ocs_pkg::*;
#(
    parameter int unsigned N = 4,
    localparam int unsigned InW = $clog2(N)
) (
    input logic clk_i,
    input logic rst_ni,
    input logic [31:0] step_i,
    input logic commit_i,
    input logic [N-1:0] map_valid_i,
    input logic [InW-1:0] map_input_i[N],
    input logic [N-1:0] retry_i,
    input logic all_stop_i,
    input logic [29:0] base_i[N],
    input logic [29:0] slow_i[N],
    input logic [29:0] lock_i[N],
    input logic [29:0] jitter_mask_i[N],
    input logic [29:0] flap_i[N],
    input logic [29:0] pair_i[N],
    input logic [29:0] prog_i,
    input logic [8:0] prog_lanes_i,
    input logic receivers_i,
    input logic [29:0] warm_time_i,
    input logic [29:0] lock_warm_i[Quantiles],
    input logic [29:0] lock_cold_i[Quantiles],
    input logic [63:0] stamp_i,
    input logic seed_we_i,
    input logic [31:0] seed_i,
    input logic [N-1:0] los_i,
    input logic [N-1:0] dead_i,
    input logic [N-1:0] stuck_i,
    input logic [N-1:0] keeps_i,
    input logic light_i,
    input logic [15:0] threshold_i,
    input logic [14:0] hysteresis_i,
    input logic [29:0] los_assert_i,
    input logic [29:0] los_release_i,
    input logic [29:0] ring_after_i,
    input logic [29:0] ring_i,
    input logic [7:0] rings_i,
    input logic [15:0] laser_i[N],
    input logic [15:0] loss_i[N],
    output state_e state_o[N],
    output cause_e cause_o[N],
    output logic [N-1:0] valid_o,
    output logic [InW-1:0] input_o[N],
    output logic stop_o,
    output logic [N-1:0] valid_next_o,
    output logic [InW-1:0] input_next_o[N],
    output state_e state_next_o[N],
    output logic [N-1:0] entered_o,
    output logic [N-1:0] started_o,
    output logic [N-1:0] restarted_o,
    output logic [N-1:0] dim_o,
    output logic [N-1:0] dim_next_o,
    output logic [N-1:0] lit_o,
    output power_t power_o[N],
    output logic [N-1:0] misroutes_o,
    output logic [InW-1:0] position_o[N],
    output logic [31:0] bound_o[N]
);
  modes_t modes;
  always_comb begin
    modes = '0;
    modes.all_stop = all_stop_i;
    modes.prog = prog_i;
    modes.prog_lanes = prog_lanes_i;
    modes.receivers = receivers_i;
    modes.warm_time = warm_time_i;
    modes.light = light_i;
    modes.threshold = threshold_i;
    modes.hysteresis = hysteresis_i;
    modes.los_assert = los_assert_i;
    modes.los_release = los_release_i;
    modes.ring_after = ring_after_i;
    modes.ring = ring_i;
    modes.rings = rings_i;
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
  quantile_t quantile[Quantiles];
  always_comb
    for (int unsigned k = 0; k < Quantiles; k++) begin
      quantile[k] = '0;
      quantile[k].warm = lock_warm_i[k];
      quantile[k].cold = lock_cold_i[k];
    end

  beam_t beam[N];
  always_comb
    for (int unsigned k = 0; k < N; k++) begin
      dim_o[k] = beam[k].dim;
      dim_next_o[k] = beam[k].dim_next;
      lit_o[k] = beam[k].lit;
      misroutes_o[k] = beam[k].misroutes;
      power_o[k] = beam[k].power;
    end

  ocs_outputs #(.N(N)) u_outputs (
      .clk_i, .rst_ni, .step_i, .commit_i, .map_valid_i, .map_input_i, .retry_i, .pair_i, .stamp_i, .seed_we_i,
      .seed_i, .state_o, .cause_o, .valid_o, .input_o, .stop_o, .valid_next_o, .input_next_o, .state_next_o,
      .entered_o, .started_o, .restarted_o, .beam_o(beam), .position_o, .bound_o,
      .modes_i(modes), .port_cfg_i(port_cfg), .quantile_i(quantile)
  );
endmodule
