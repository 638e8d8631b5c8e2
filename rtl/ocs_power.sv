// Power at the outputs, and whether it is below the level of the detectors (section 6). No state.
//
// SPDX-License-Identifier: Apache-2.0
module ocs_power
  import ocs_pkg::*;
#(
    /// Ports, 2 to 256.
    parameter int unsigned N = 16,
    localparam int unsigned InW = $clog2(N)
) (
    /// LEVEL.THRESHOLD, which has a sign, and LEVEL.HYSTERESIS, hundredths of a dBm and of a dB.
    input  logic [15:0]    threshold_i,
    input  logic [14:0]    hysteresis_i,
    /// LASER and LOSS of each port; what each output selects.
    input  port_cfg_t      port_cfg_i[N],
    input  logic [InW-1:0] input_i[N],

    /// Hundredths of a dBm; below the threshold; below it with the hysteresis.
    output power_t         power_o[N],
    output logic [N-1:0]   low_o,
    output logic [N-1:0]   low_dim_o
);
  if (N < 2 || N > 256) begin : g_ports_in_range
    $error("ocs_power: N must be from 2 to 256");
  end

  power_t level, level_dim;
  assign level = power_t'($signed(threshold_i));
  assign level_dim = level + power_t'({1'b0, hysteresis_i});
  always_comb begin
    for (int unsigned o = 0; o < N; o++) begin
      power_o[o] = power_t'($signed(port_cfg_i[input_i[o]].laser)) - power_t'({1'b0, port_cfg_i[o].loss});
      low_o[o] = power_o[o] < level;
      low_dim_o[o] = power_o[o] < level_dim;
    end
  end
endmodule
