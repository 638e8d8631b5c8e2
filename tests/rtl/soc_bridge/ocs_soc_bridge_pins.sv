// ocs_soc_bridge with a pin for each field, for its test in C++.
//
// SPDX-License-Identifier: Apache-2.0
module ocs_soc_bridge_pins
  import ocs_pkg::*;
  import ocs_soc_pkg::*;
(
    input logic bus_clk_i,
    input logic rst_ni,
    input logic want_i,
    input logic write_i,
    input logic [19:0] addr_i,
    input logic [31:0] data_i,
    input logic seen_i,
    output logic done_o,
    output logic [31:0] data_o,
    output logic [1:0] access_o,
    output logic [31:0] errors_o,
    output logic busy_o,
    input logic irq_i,
    input logic host_takes_events_i,
    input logic [31:0] time_i,
    output logic event_push_o,
    output logic [31:0] event_o,
    output logic [31:0] event_time_o,
    input logic host_awvalid_i,
    output logic host_awready_o,
    input logic [19:0] host_awaddr_i,
    input logic host_wvalid_i,
    output logic host_wready_o,
    input logic [31:0] host_wdata_i,
    input logic [3:0] host_wstrb_i,
    output logic host_bvalid_o,
    input logic host_bready_i,
    input logic host_arvalid_i,
    output logic host_arready_o,
    input logic [19:0] host_araddr_i,
    output logic host_rvalid_o,
    input logic host_rready_i,
    output logic [31:0] host_rdata_o,
    output logic awvalid_o,
    input logic awready_i,
    output logic [19:0] awaddr_o,
    output logic wvalid_o,
    input logic wready_i,
    output logic [31:0] wdata_o,
    output logic [3:0] wstrb_o,
    input logic bvalid_i,
    output logic bready_o,
    input logic berror_i,
    output logic arvalid_o,
    input logic arready_i,
    output logic [19:0] araddr_o,
    input logic rvalid_i,
    output logic rready_o,
    input logic [31:0] rdata_i,
    input logic rerror_i
);
  axil_req_t host_req, axil_req;
  axil_rsp_t host_rsp, axil_rsp;
  event_t taken;
  assign host_req = {host_awvalid_i, host_awaddr_i, host_wvalid_i, host_wdata_i, host_wstrb_i, host_bready_i,
                     host_arvalid_i, host_araddr_i, host_rready_i};
  assign axil_rsp = {awready_i, wready_i, bvalid_i, berror_i, 1'b0, arready_i, rvalid_i, rdata_i, rerror_i, 1'b0};
  assign {awvalid_o, awaddr_o, wvalid_o, wdata_o, wstrb_o, bready_o, arvalid_o, araddr_o, rready_o} = axil_req;
  always_comb begin
    host_awready_o = host_rsp.awready;
    host_wready_o = host_rsp.wready;
    host_bvalid_o = host_rsp.bvalid;
    host_arready_o = host_rsp.arready;
    host_rvalid_o = host_rsp.rvalid;
    host_rdata_o = host_rsp.rdata;
  end
  assign {event_push_o, event_o, event_time_o} = taken;

  ocs_soc_bridge u_soc_bridge (
      .bus_clk_i, .rst_ni, .want_i, .write_i, .addr_i, .data_i, .seen_i, .done_o, .data_o, .access_o, .errors_o,
      .busy_o, .irq_i, .host_takes_events_i, .time_i, .event_o(taken), .host_req_i(host_req),
      .host_rsp_o(host_rsp), .axil_req_o(axil_req), .axil_rsp_i(axil_rsp)
  );
endmodule
