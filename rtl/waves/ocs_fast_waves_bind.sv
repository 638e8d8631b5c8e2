// Binds the view of ports to ocs_fast_core.
//
// SPDX-License-Identifier: Apache-2.0
bind ocs_fast_core ocs_fast_ports_view #(.N(N), .W(W)) u_view (
    .tuning_i(tun), .locking_i(lck), .up_i(up), .held_i(held), .failed_i(fail), .valid_i(vld), .input_i(src),
    .shaken_i(shaken), .dim_i(special ? dim : Power ? by_light : '0), .gap_i(gap), .send_i(send)
);
