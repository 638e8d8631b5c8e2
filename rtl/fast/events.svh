// Part of ocs_fast_core: the event FIFO and the errors that stick (section 10).
// SPDX-License-Identifier: Apache-2.0

// At this edge: an error that is cleared at the very edge that sets it stays set.
task automatic raise(input int unsigned which);
  error[which] = 1'b1;
  raised[which] = 1'b1;
endtask

task automatic note_events();
  reported_outputs |= entered;
  reported_inputs |= done;
  if (taken | refused | wrap | entered != 0 | done != 0) begin
    if (full_before) begin
      drops = drops + 64'd1;
      raise(ErrOverflow);
    end else begin
      fifo_stamp[tail] = nxt;
      fifo_device[tail] = {wrap, refused, taken};
      fifo_source[tail] = source;
      fifo_tag[tail] = commit_tag;
      fifo_entered[tail] = entered;
      fifo_state0[tail] = tun | up | fail;
      fifo_state1[tail] = lck | up;
      fifo_state2[tail] = held | fail;
      fifo_done[tail] = done;
      fifo_whole[tail] = whole;
      tail = tail + 1'b1;
      records = records + 1'b1;
    end
  end
endtask

// EVENT is read: the first event that is left of the oldest record.
logic [31:0] event_value;
logic [15:0] event_port;
task automatic take_event();
  event_value = '0;
  event_port = '0;
  if (records != 0) begin
    event_value[CORE_EVENT_VALID_LSB] = 1'b1;
    event_value[CORE_EVENT_NEW_STAMP_LSB] = fifo_stamp[head] != taken_stamp;
    taken_stamp = fifo_stamp[head];
    if (fifo_device[head] != 0) begin
      if (fifo_device[head][1:0] != 0) event_value[CORE_EVENT_TAG_LSB+:6] = fifo_tag[head];
      event_port = fifo_device[head][1:0] != 0 ? 16'(fifo_source[head]) : 16'(Sequencer);
      event_value[CORE_EVENT_KIND_LSB+:4] = fifo_device[head][0] ? 4'd0 : fifo_device[head][1] ? 4'd1 : 4'd2;
      fifo_device[head] = fifo_device[head] & (fifo_device[head] - 3'd1);
    end else if (fifo_entered[head] != 0) begin
      event_port = lowest(fifo_entered[head]);
      event_value[CORE_EVENT_CLASS_LSB+:4] = 4'd1;
      event_value[CORE_EVENT_KIND_LSB+:4] = {
        1'b0, fifo_state2[head][event_port[PortW-1:0]], fifo_state1[head][event_port[PortW-1:0]], fifo_state0[head][event_port[PortW-1:0]]
      };
      fifo_entered[head] = fifo_entered[head] & (fifo_entered[head] - mask_t'(1));
    end else begin
      event_port = lowest(fifo_done[head]);
      event_value[CORE_EVENT_CLASS_LSB+:4] = 4'd2;
      event_value[CORE_EVENT_KIND_LSB] = fifo_whole[head][event_port[PortW-1:0]];
      fifo_done[head] = fifo_done[head] & (fifo_done[head] - mask_t'(1));
    end
    event_value[CORE_EVENT_PORT_LSB+:16] = event_port;
    if (fifo_device[head] == 0 & fifo_entered[head] == 0 & fifo_done[head] == 0) begin
      head = head + 1'b1;
      records = records - 1'b1;
    end
  end
endtask
