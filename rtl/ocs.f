// Sources of ocs_top in dependency order, and nothing else. Paths are relative to this file: -F rtl/ocs.f, from any folder.
// Verilator's -f from the folder above finds them through the second +incdir+ (docs/instantiate.md).
+incdir+.
+incdir+rtl
regs/generated/ocs_regs_pkg.sv
regs/generated/ocs_addr_pkg.sv
ocs_pkg.sv
regs/generated/ocs_regs.sv
ocs_min_tree.sv
ocs_axil.sv
ocs_access.sv
ocs_settings.sv
ocs_pair.sv
ocs_reg_read.sv
ocs_registers.sv
ocs_commands.sv
ocs_commit.sv
ocs_sequencer.sv
ocs_next.sv
ocs_receivers.sv
ocs_outputs.sv
ocs_engines.sv
ocs_segments.sv
ocs_counters.sv
ocs_events.sv
ocs_status.sv
ocs_core.sv
ocs_top.sv
