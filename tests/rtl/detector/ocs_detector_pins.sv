// ocs_detector with a pin for each field, for its test in C++.
//
// SPDX-License-Identifier: Apache-2.0
module ocs_detector_pins
  import ocs_pkg::*;
#(
    parameter int unsigned N = 4
) (
    input logic clk_i,
    input logic rst_ni,
    input logic [31:0] step_i,
    input logic light_i,
    input logic [29:0] los_assert_i,
    input logic [29:0] los_release_i,
    input logic [29:0] ring_after_i,
    input logic [29:0] ring_i,
    input logic [7:0] rings_i,
    input logic [N-1:0] faulty_i,
    input logic [N-1:0] faulty_new_i,
    input logic [N-1:0] low_i,
    input logic [N-1:0] low_dim_i,
    input logic [N-1:0] low_new_i,
    input state_e state_i[N],
    input cause_e cause_i[N],
    input state_e state_next_i[N],
    input cause_e cause_next_i[N],
    input logic [N-1:0] arrives_i,
    output logic [N-1:0] dark_o,
    output logic [N-1:0] dark_new_o,
    output logic [N-1:0] dim_o,
    output logic [N-1:0] dim_next_o,
    output logic [N-1:0] lit_o,
    output logic [31:0] bound_o[N]
);
  modes_t modes;
  always_comb begin
    modes = '0;
    modes.light = light_i;
    modes.los_assert = los_assert_i;
    modes.los_release = los_release_i;
    modes.ring_after = ring_after_i;
    modes.ring = ring_i;
    modes.rings = rings_i;
  end

  ocs_detector #(.N(N)) u_detector (
      .clk_i, .rst_ni, .step_i, .faulty_i, .faulty_new_i, .low_i, .low_dim_i, .low_new_i, .state_i, .cause_i,
      .state_next_i, .cause_next_i, .arrives_i, .dark_o, .dark_new_o, .dim_o, .dim_next_o, .lit_o, .bound_o,
      .modes_i(modes)
  );
endmodule
