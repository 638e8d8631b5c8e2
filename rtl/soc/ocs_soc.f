// Sources of the system on chip beside those of ../ocs_fast.f and PicoRV32, in dependency order; paths are relative to this file's folder.
ocs_soc_pkg.sv
ocs_soc_bridge.sv
ocs_soc_events.sv
ocs_soc_registers.sv
ocs_soc.sv
