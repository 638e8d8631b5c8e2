// ocs_settings with a pin for each field, for its test in C++.
//
// SPDX-License-Identifier: Apache-2.0
module ocs_settings_pins
  import ocs_pkg::*;
#(
    parameter int unsigned N = 4,
    localparam int unsigned InW = $clog2(N)
) (
    input logic clk_i,
    input logic rst_ni,
    input logic port_write_i,
    input logic optics_write_i,
    input logic [14:0] port_addr_i,
    input logic [7:0] port_i,
    input logic core_write_i,
    input logic [8:0] core_addr_i,
    input logic [31:0] data_i,
    input logic [31:0] biten_i,
    input logic [N-1:0] valid_next_i,
    input logic [InW-1:0] input_next_i[N],
    output logic [N-1:0] shadow_valid_o,
    output logic [8:0] shadow_input_o[N],
    output logic [29:0] base_o[N],
    output logic [29:0] slow_o[N],
    output logic [29:0] lock_o[N],
    output logic [29:0] jitter_mask_o[N],
    output logic [29:0] flap_o[N],
    output logic [N-1:0] los_o,
    output logic [N-1:0] dead_o,
    output logic [N-1:0] stuck_o,
    output logic [N-1:0] keeps_o,
    output logic [15:0] laser_o[N],
    output logic [15:0] loss_o[N],
    output logic [31:0] len_o[N],
    output logic [31:0] gap_o[N],
    output logic [31:0] repeat_o[N],
    output logic [15:0] tag_o[N],
    output logic [N-1:0] gated_o,
    output logic [15:0] rate_o[N],
    output logic [N-1:0] external_o,
    output logic [N-1:0] launch_o,
    output logic [63:0] seq_base_o,
    output logic [29:0] lock_warm_o[Quantiles],
    output logic [29:0] lock_cold_o[Quantiles]
);
  access_t access;
  always_comb begin
    access = '0;
    access.core_write = core_write_i;
    access.port_write = port_write_i;
    access.optics_write = optics_write_i;
    access.core_addr = core_addr_i;
    access.port_addr = port_addr_i;
    access.port = port_i;
    access.data = data_i;
    access.biten = biten_i;
  end
  port_cfg_t port_cfg[N];
  always_comb
    for (int unsigned k = 0; k < N; k++) begin
      base_o[k] = port_cfg[k].base;
      slow_o[k] = port_cfg[k].slow;
      lock_o[k] = port_cfg[k].lock;
      jitter_mask_o[k] = port_cfg[k].jitter_mask;
      flap_o[k] = port_cfg[k].flap;
      laser_o[k] = port_cfg[k].laser;
      loss_o[k] = port_cfg[k].loss;
      keeps_o[k] = port_cfg[k].keeps;
      stuck_o[k] = port_cfg[k].stuck;
      dead_o[k] = port_cfg[k].dead;
      los_o[k] = port_cfg[k].los;
    end
  burst_cfg_t burst_cfg[N];
  always_comb
    for (int unsigned k = 0; k < N; k++) begin
      len_o[k] = burst_cfg[k].len;
      gap_o[k] = burst_cfg[k].gap;
      repeat_o[k] = burst_cfg[k].repeats;
      tag_o[k] = burst_cfg[k].tag;
      gated_o[k] = burst_cfg[k].gated;
      rate_o[k] = burst_cfg[k].rate;
      external_o[k] = burst_cfg[k].external;
    end
  quantile_t quantile[Quantiles];
  always_comb
    for (int unsigned k = 0; k < Quantiles; k++) begin
      lock_warm_o[k] = quantile[k].warm;
      lock_cold_o[k] = quantile[k].cold;
    end

  ocs_settings #(.N(N)) u_settings (
      .clk_i, .rst_ni, .valid_next_i, .input_next_i, .shadow_valid_o, .shadow_input_o, .launch_o, .seq_base_o,
      .access_i(access), .port_cfg_o(port_cfg), .burst_cfg_o(burst_cfg), .quantile_o(quantile)
  );
endmodule
