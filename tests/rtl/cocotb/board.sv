// The switch as on a board: one clock, every edge one cycle, the bus under the names that AXI masters look for.
//
// It has no ports: its signals are driven from outside the simulator by name, which Verilator allows for variables alone.
//
// SPDX-License-Identifier: Apache-2.0
module board #(
    parameter int unsigned N = 4
);
  logic clk  /* verilator public_flat_rw */;
  logic rst_n  /* verilator public_flat_rw */;
  logic [N-1:0] valid  /* verilator public_flat_rw */;
  logic irq  /* verilator public_flat_rd */;
  logic [63:0] now  /* verilator public_flat_rd */;
  logic s_axil_awvalid  /* verilator public_flat_rw */;
  logic s_axil_awready  /* verilator public_flat_rd */;
  logic [19:0] s_axil_awaddr  /* verilator public_flat_rw */;
  logic s_axil_wvalid  /* verilator public_flat_rw */;
  logic s_axil_wready  /* verilator public_flat_rd */;
  logic [31:0] s_axil_wdata  /* verilator public_flat_rw */;
  logic [3:0] s_axil_wstrb  /* verilator public_flat_rw */;
  logic s_axil_bvalid  /* verilator public_flat_rd */;
  logic s_axil_bready  /* verilator public_flat_rw */;
  logic [1:0] s_axil_bresp  /* verilator public_flat_rd */;
  logic s_axil_arvalid  /* verilator public_flat_rw */;
  logic s_axil_arready  /* verilator public_flat_rd */;
  logic [19:0] s_axil_araddr  /* verilator public_flat_rw */;
  logic s_axil_rvalid  /* verilator public_flat_rd */;
  logic s_axil_rready  /* verilator public_flat_rw */;
  logic [31:0] s_axil_rdata  /* verilator public_flat_rd */;
  logic [1:0] s_axil_rresp  /* verilator public_flat_rd */;

  logic [31:0] horizon;
  ocs_top #(.N(N)) u_ocs (
      .clk_i(clk), .bus_clk_i(clk), .rst_ni(rst_n), .step_i(32'd1), .horizon_o(horizon), .time_o(now), .irq_o(irq),
      .valid_i(valid), .word_bytes_i(16'd64), .cycle_ps_i(32'd5120),
      .awvalid_i(s_axil_awvalid), .awready_o(s_axil_awready), .awaddr_i(s_axil_awaddr),
      .wvalid_i(s_axil_wvalid), .wready_o(s_axil_wready), .wdata_i(s_axil_wdata), .wstrb_i(s_axil_wstrb),
      .bvalid_o(s_axil_bvalid), .bready_i(s_axil_bready), .bresp_o(s_axil_bresp),
      .arvalid_i(s_axil_arvalid), .arready_o(s_axil_arready), .araddr_i(s_axil_araddr),
      .rvalid_o(s_axil_rvalid), .rready_i(s_axil_rready), .rdata_o(s_axil_rdata), .rresp_o(s_axil_rresp)
  );

  logic unused;
  assign unused = &{1'b0, horizon};
endmodule
