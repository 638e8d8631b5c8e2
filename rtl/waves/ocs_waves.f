// The view of ports and its binding to ocs_core; paths are relative to this file's folder.
ocs_ports_view.sv
ocs_waves_bind.sv
