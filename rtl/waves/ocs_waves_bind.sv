// Binds the view of ports to ocs_core.
//
// SPDX-License-Identifier: Apache-2.0
bind ocs_core ocs_ports_view #(.N(N)) u_ports (
    .state_i(state_o), .valid_i(valid_o), .input_i(input_o), .engine_i(engine_o)
);
