// ocs_engines with a pin for each field, for its test in C++.
//
// SPDX-License-Identifier: Apache-2.0
module ocs_engines_pins
  import ocs_pkg::*;
#(
    parameter int unsigned N = 4
) (
    input logic clk_i,
    input logic rst_ni,
    input logic [31:0] step_i,
    input logic [N-1:0] start_i,
    input logic [N-1:0] stop_i,
    input logic [N-1:0] launch_i,
    input logic [31:0] len_i[N],
    input logic [31:0] gap_i[N],
    input logic [31:0] repeat_i[N],
    input logic [15:0] tag_i[N],
    input logic [N-1:0] gated_i,
    input logic [15:0] rate_i[N],
    input logic [N-1:0] external_i,
    input logic [N-1:0] valid_i,
    input logic [N-1:0] light_i,
    output engine_e state_o[N],
    output logic [15:0] tag_o[N],
    output logic [31:0] index_o[N],
    output logic [31:0] burst_words_o[N],
    output logic [31:0] words_o[N],
    output logic [N-1:0] done_o,
    output logic [N-1:0] ending_o,
    output logic [N-1:0] last_o,
    output logic [31:0] bound_o[N]
);
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

  ocs_engines #(.N(N)) u_engines (
      .clk_i, .rst_ni, .step_i, .start_i, .stop_i, .launch_i, .valid_i, .light_i, .state_o, .tag_o, .index_o,
      .burst_words_o, .words_o, .done_o, .ending_o, .last_o, .bound_o, .burst_cfg_i(burst_cfg)
  );
endmodule
