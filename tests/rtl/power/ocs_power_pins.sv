// ocs_power with a pin for each field, for its test in C++.
//
// SPDX-License-Identifier: Apache-2.0
module ocs_power_pins
  import ocs_pkg::*;
#(
    parameter int unsigned N = 4,
    localparam int unsigned InW = $clog2(N)
) (
    input logic [15:0] threshold_i,
    input logic [14:0] hysteresis_i,
    input logic [15:0] laser_i[N],
    input logic [15:0] loss_i[N],
    input logic [InW-1:0] input_i[N],
    output power_t power_o[N],
    output logic [N-1:0] low_o,
    output logic [N-1:0] low_dim_o
);
  port_cfg_t port_cfg[N];
  always_comb
    for (int unsigned k = 0; k < N; k++) begin
      port_cfg[k] = '0;
      port_cfg[k].laser = laser_i[k];
      port_cfg[k].loss = loss_i[k];
    end

  ocs_power #(.N(N)) u_power (
      .threshold_i, .hysteresis_i, .input_i, .power_o, .low_o, .low_dim_o, .port_cfg_i(port_cfg)
  );
endmodule
