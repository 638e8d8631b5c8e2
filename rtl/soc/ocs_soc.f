// Sources of the system on chip beside those of ocs.f and PicoRV32, in dependency order; paths from rtl/.
soc/ocs_soc_bridge.sv
soc/ocs_soc_events.sv
soc/ocs_soc_registers.sv
soc/ocs_soc.sv
