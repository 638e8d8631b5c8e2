// Sources of ocs_fast_top in dependency order, and nothing else. Paths are relative to this file: -F rtl/ocs_fast.f, from any folder.
// Verilator's -f from the folder above finds them through the second +incdir+ (docs/instantiate.md).
+incdir+.
+incdir+rtl
regs/generated/ocs_regs_pkg.sv
regs/generated/ocs_addr_pkg.sv
ocs_pkg.sv
regs/generated/ocs_regs.sv
ocs_axil.sv
ocs_access.sv
ocs_front.sv
fast/ocs_fast_core.sv
fast/ocs_fast_top.sv
