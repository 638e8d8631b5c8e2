// What ocs_skew_top has beyond ../ocs.f; paths are relative to this file's folder.
ocs_skew_delay.sv
ocs_skew_tap.sv
ocs_skew_pick.sv
ocs_skew_settings.sv
ocs_skew_sequencer.sv
ocs_skew_map.sv
ocs_skew_select.sv
ocs_skew_outputs.sv
ocs_skew_view.sv
ocs_skew_engines.sv
ocs_skew_segments.sv
ocs_skew_events.sv
ocs_skew_top.sv
