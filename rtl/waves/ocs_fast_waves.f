// The view of ports and its binding to ocs_fast_core; paths are relative to this file's folder.
ocs_ports_view.sv
ocs_fast_ports_view.sv
ocs_fast_waves_bind.sv
