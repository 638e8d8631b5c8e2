// Checks bound to the modules of ../ocs.f; paths are relative to this file's folder.
+incdir+.
ocs_outputs_checks.sv
ocs_detector_checks.sv
ocs_engines_checks.sv
ocs_sequencer_checks.sv
ocs_events_checks.sv
ocs_counters_checks.sv
ocs_segments_checks.sv
ocs_neighbours_checks.sv
ocs_core_checks.sv
ocs_registers_checks.sv
