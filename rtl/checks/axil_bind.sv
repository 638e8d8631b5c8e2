// Binds the protocol checker to the bus of ocs_top.
//
// SPDX-License-Identifier: Apache-2.0
bind ocs_top axil_checker #(.AddrW(20), .DataW(32), .Most(3), .MaxWait(2)) u_axil_checker (
    .aclk(bus_clk_i), .aresetn(rst_ni), .awvalid(awvalid_i), .awready(awready_o), .awaddr(awaddr_i),
    .wvalid(wvalid_i), .wready(wready_o), .wdata(wdata_i), .wstrb(wstrb_i), .bvalid(bvalid_o), .bready(bready_i),
    .bresp(bresp_o), .arvalid(arvalid_i), .arready(arready_o), .araddr(araddr_i), .rvalid(rvalid_o),
    .rready(rready_i), .rdata(rdata_o), .rresp(rresp_o)
);
