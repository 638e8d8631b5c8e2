// Part of ocs_fast_core: settings of ports, and of the sequencer entry to be stored (section 12).
// SPDX-License-Identifier: Apache-2.0

// What belongs to an option that isn't there is never written, so that synthesis sees constants.
localparam bit Faults = Options[OptFaults], Jitter = Options[OptJitter], External = Options[OptExternal];
localparam bit Rate = Options[OptRate], Receiver = Options[OptReceiver];

// The setting that a read asks for; 0 if it asks for something else.
function automatic logic [31:0] setting();
  setting = '0;
  if (access_i.core_read)
    unique case (access_i.core_addr[8:6])
      CORE_SEQ_LAUNCH[8:6]: setting = word_of(W'(set_launch));
      CORE_LOCK_WARM[8:6]:  setting = 32'(set_lock_warm[access_i.core_addr[5:2]]);
      CORE_LOCK_COLD[8:6]:  setting = 32'(set_lock_cold[access_i.core_addr[5:2]]);
      default: ;
    endcase
  if (access_i.optics_read)
    unique case (access_i.port_addr[12:10])
      OPTICS_LASER[12:10]: setting = {16'd0, set_laser[at]};
      OPTICS_LOSS[12:10]:  setting = {16'd0, set_loss[at]};
      default: ;
    endcase
  if (access_i.port_read)
    unique case (access_i.port_addr[14:10])
      PORT_BASE[14:10]:        setting = 32'(set_base[at]);
      PORT_SLOW[14:10]:        setting = 32'(set_slow[at]);
      PORT_LOCK[14:10]:        setting = 32'(set_lock[at]);
      PORT_JITTER_MASK[14:10]: setting = 32'(set_jitter_mask[at]);
      PORT_FLAP[14:10]:        setting = 32'(set_flap[at]);
      PORT_FAULT[14:10]:       setting = {28'd0, set_keeps[at], set_stuck[at], set_dead[at], set_los[at]};
      PORT_LEN[14:10]:         setting = set_len[at];
      PORT_GAP[14:10]:         setting = set_gap[at];
      PORT_REPEAT[14:10]:      setting = set_repeat[at];
      PORT_BURST[14:10]:       setting = {15'd0, set_gated[at], set_tag[at]};
      PORT_SOURCE[14:10]:      setting = {set_external[at], 15'd0, set_rate[at]};
      default: ;
    endcase
endfunction

// A write is the last thing that an edge does: all else goes by what was set before it.
logic [MaskW-1:0] named, given, launches;
logic [31:0] fields;
task automatic set();
  at = access_i.port[InW-1:0];
  if (access_i.core_write) begin
    unique case (access_i.core_addr[8:5])
      CORE_SEQ_BASE[8:5]: begin
        if (access_i.core_addr[8:2] == CORE_SEQ_BASE[8:2]) set_seq_base[31:0] = merged(set_seq_base[31:0], access_i.data, access_i.biten);
        if (access_i.core_addr[8:2] == CORE_SEQ_BASE[8:2] + 7'd1) set_seq_base[63:32] = merged(set_seq_base[63:32], access_i.data, access_i.biten);
      end
      CORE_SEQ_LAUNCH[8:5]: begin
        named = MaskW'(access_i.biten) << {access_i.core_addr[4:2], 5'd0};
        given = MaskW'(access_i.data) << {access_i.core_addr[4:2], 5'd0};
        launches = (MaskW'(set_launch) & ~named) | (given & named);
        set_launch = launches[N-1:0];
      end
      CORE_LOCK_WARM[8:5], CORE_LOCK_WARM[8:5] + 4'd1:
      if (Receiver) set_lock_warm[access_i.core_addr[5:2]] = 30'(merged(32'(set_lock_warm[access_i.core_addr[5:2]]), access_i.data, access_i.biten));
      CORE_LOCK_COLD[8:5], CORE_LOCK_COLD[8:5] + 4'd1:
      if (Receiver) set_lock_cold[access_i.core_addr[5:2]] = 30'(merged(32'(set_lock_cold[access_i.core_addr[5:2]]), access_i.data, access_i.biten));
      default: ;
    endcase
  end else if (access_i.port_write) set_port();
  else if (Power & access_i.optics_write) begin
    if (access_i.port_addr[12:10] == OPTICS_LASER[12:10]) set_laser[at] = 16'(merged({16'd0, set_laser[at]}, access_i.data, access_i.biten));
    if (access_i.port_addr[12:10] == OPTICS_LOSS[12:10]) set_loss[at] = 16'(merged({16'd0, set_loss[at]}, access_i.data, access_i.biten));
  end
endtask

task automatic set_port();
  unique case (access_i.port_addr[14:10])
    PORT_BASE[14:10]:        set_base[at] = 30'(merged(32'(set_base[at]), access_i.data, access_i.biten));
    PORT_SLOW[14:10]:        if (Faults) set_slow[at] = 30'(merged(32'(set_slow[at]), access_i.data, access_i.biten));
    PORT_LOCK[14:10]:        set_lock[at] = 30'(merged(32'(set_lock[at]), access_i.data, access_i.biten));
    PORT_JITTER_MASK[14:10]: if (Jitter) set_jitter_mask[at] = 30'(merged(32'(set_jitter_mask[at]), access_i.data, access_i.biten));
    PORT_FLAP[14:10]:        if (Faults) set_flap[at] = 30'(merged(32'(set_flap[at]), access_i.data, access_i.biten));
    PORT_FAULT[14:10]: begin
      fields = merged({28'd0, set_keeps[at], set_stuck[at], set_dead[at], set_los[at]}, access_i.data, access_i.biten);
      if (Faults) {set_stuck[at], set_dead[at], set_los[at]} = fields[2:0];
      if (Positions) set_keeps[at] = fields[3];
    end
    PORT_LEN[14:10]:         set_len[at] = merged(set_len[at], access_i.data, access_i.biten);
    PORT_GAP[14:10]:         set_gap[at] = merged(set_gap[at], access_i.data, access_i.biten);
    PORT_REPEAT[14:10]:      set_repeat[at] = merged(set_repeat[at], access_i.data, access_i.biten);
    PORT_BURST[14:10]: begin
      fields = merged({15'd0, set_gated[at], set_tag[at]}, access_i.data, access_i.biten);
      {set_gated[at], set_tag[at]} = fields[16:0];
    end
    PORT_SOURCE[14:10]: begin
      fields = merged({set_external[at], 15'd0, set_rate[at]}, access_i.data, access_i.biten);
      if (External) set_external[at] = fields[31];
      if (Rate) set_rate[at] = fields[15:0];
    end
    default: ;
  endcase
endtask

task automatic forget_settings();
  {set_los, set_dead, set_stuck, set_keeps, set_gated, set_external, set_launch} = '0;
  set_seq_base = '0;
  for (int unsigned p = 0; p < N; p++) begin
    set_base[p] = '0;
    set_laser[p] = '0;
    set_loss[p] = '0;
    set_slow[p] = '0;
    set_lock[p] = '0;
    set_jitter_mask[p] = '0;
    set_flap[p] = '0;
    set_len[p] = '0;
    set_gap[p] = '0;
    set_repeat[p] = '0;
    set_tag[p] = '0;
    set_rate[p] = FullRate;
  end
  for (int unsigned k = 0; k < Quantiles; k++) begin
    set_lock_warm[k] = '0;
    set_lock_cold[k] = '0;
  end
endtask
