// Binds the view of ports to ocs_core.
//
// SPDX-License-Identifier: Apache-2.0
bind ocs_core ocs_ports_view #(.N(N)) u_ports (
    .state_i(state), .valid_i(valid), .input_i(selected), .disturbed_i(disturbed), .dim_i(dim), .engine_i(engine)
);
