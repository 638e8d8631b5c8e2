// The checker of AXI4-Lite links and its binding to ocs_top; paths are relative to this file's folder.
axil_checker.sv
axil_bind.sv
