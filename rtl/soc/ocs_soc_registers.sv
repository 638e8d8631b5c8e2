// Registers of the system on chip: mailbox, sleep, timer, watchdog, console; addresses: firmware/ocs_soc.h.
//
// SPDX-License-Identifier: Apache-2.0
module ocs_soc_registers
  import ocs_soc_pkg::*;
(
    input  logic        rst_ni,         ///< synchronous reset of all of it, active low
    input  logic        core_clk_i,     ///< clock of the core, rising edge
    input  logic        valid_i,        ///< the core accesses a register
    input  logic        write_i,        ///< and writes it
    input  logic [7:0]  addr_i,         ///< byte offset
    input  logic [31:0] data_i,         ///< what it writes
    output logic        ready_o,        ///< the access is done at this edge
    output logic [31:0] data_o,         ///< what it reads

    input  logic [63:0] now_i,          ///< number of the present cycle
    output logic        asleep_o,       ///< the core waits for something to wake it
    output logic [31:0] wake_o,         ///< while it does, in so many cycles the timer wakes it; all ones: not by time
    output logic        hold_on_o,      ///< the next access to the switch has a cycle
    output logic [31:0] hold_o,         ///< its low word
    input  logic        hold_done_i,    ///< it was made
    output logic        bite_o,         ///< the core is to be reset: it has hung, or trapped
    input  logic        trap_i,         ///< the core has met an instruction that isn't one

    input  logic        bus_clk_i,      ///< clock of the host's side
    input  ring_t       head_i,         ///< commands that the host has written; rings the doorbell
    output logic [31:0] command_tail_o, ///< words of commands that the firmware has ever taken
    output logic [31:0] answer_head_o,  ///< words of answers that the firmware has ever written
    input  ring_t       tail_i,         ///< answers that the host has taken

    input  event_t      event_i,        ///< the oldest event that waits
    output logic        event_pop_o,    ///< it is taken
    input  logic [31:0] events_lost_i,  ///< events that found no place, ever
    input  logic [31:0] bus_errors_i,   ///< accesses to the switch that weren't done, ever
    input  logic [1:0]  bus_access_i,   ///< how the last one has ended

    output logic [7:0]  boot_o,         ///< how far the core has come
    output logic [31:0] alerts_o,       ///< how often the firmware had bad news
    output console_t    console_o       ///< what is printed
);
  localparam logic [7:0] Pending = 8'h00, Sleep = 8'h04, CommandHead = 8'h08, CommandTail = 8'h0c, AnswerHead = 8'h10,
      AnswerTail = 8'h14, Event = 8'h18, EventTime = 8'h1c, TimerLow = 8'h20, TimerHigh = 8'h24, TimerOff = 8'h28,
      TimeLow = 8'h2c, TimeHigh = 8'h30, Hold = 8'h34, Console = 8'h38, Boot = 8'h3c, Watchdog = 8'h40, Cause = 8'h44,
      Alert = 8'h48, BusErrors = 8'h4c, EventsLost = 8'h50, Access = 8'h54;

  logic [31:0] command_head_q, answer_tail_q;
  always_ff @(posedge bus_clk_i) begin
    if (!rst_ni) {command_head_q, answer_tail_q} <= '0;
    else begin
      if (head_i.we) command_head_q <= head_i.words;
      if (tail_i.we) answer_tail_q <= tail_i.words;
    end
  end

  logic [31:0] event_time_q, hold_q, watchdog_q, lost_seen_q, time_high_q;
  logic [63:0] timer_q;
  logic timer_on_q, cause_q;
  logic [1:0] bite_q;

  // ---- what wakes the core ------------------------------------------------------------------------------------------
  logic [3:0] pending;
  logic [63:0] left;
  logic due;
  assign left = timer_q - now_i;
  assign due = left == 0 || left[63];
  assign pending = {events_lost_i != lost_seen_q, timer_on_q & due, event_i.valid, command_head_q != command_tail_o};
  assign asleep_o = valid_i & write_i & (addr_i == Sleep) & ((pending & data_i[3:0]) == '0);
  assign wake_o = ~timer_on_q | ~data_i[2] ? '1 : due ? '0 : left > 64'hffff_ffff ? '1 : left[31:0];
  assign ready_o = valid_i & ~asleep_o;

  logic writes, reads;
  assign writes = ready_o & write_i;
  assign reads = ready_o & ~write_i;
  assign event_pop_o = reads & (addr_i == Event);
  assign console_o = {writes & (addr_i == Console), data_i[7:0]};
  assign bite_o = bite_q != '0;
  assign hold_o = hold_q;

  always_comb begin
    case (addr_i)
      Pending: data_o = {28'b0, pending};
      CommandHead: data_o = command_head_q;
      CommandTail: data_o = command_tail_o;
      AnswerHead: data_o = answer_head_o;
      AnswerTail: data_o = answer_tail_q;
      Event: data_o = event_i.valid ? event_i.word : '0;
      EventTime: data_o = event_time_q;
      TimeLow: data_o = now_i[31:0];
      TimeHigh: data_o = time_high_q;
      Boot: data_o = {24'b0, boot_o};
      Cause: data_o = {31'b0, cause_q};
      BusErrors: data_o = bus_errors_i;
      EventsLost: data_o = events_lost_i;
      Access: data_o = {30'b0, bus_access_i};
      default: data_o = '0;
    endcase
  end

  always_ff @(posedge core_clk_i) begin
    if (!rst_ni) begin
      {command_tail_o, answer_head_o, alerts_o, event_time_q, hold_q, watchdog_q, lost_seen_q, time_high_q} <= '0;
      {timer_q, timer_on_q, cause_q, bite_q, hold_on_o, boot_o} <= '0;
    end else begin
      if (bite_q != '0) bite_q <= bite_q - 1;
      if (hold_done_i) hold_on_o <= 1'b0;
      if (watchdog_q != '0 && !asleep_o) watchdog_q <= watchdog_q - 1;
      if (writes) begin
        case (addr_i)
          CommandTail: command_tail_o <= data_i;
          AnswerHead: answer_head_o <= data_i;
          TimerLow: timer_q[31:0] <= data_i;
          TimerHigh: begin
            timer_q[63:32] <= data_i;
            timer_on_q <= 1'b1;
          end
          TimerOff: timer_on_q <= 1'b0;
          Hold: begin
            hold_q <= data_i;
            hold_on_o <= 1'b1;
          end
          Boot: boot_o <= data_i[7:0];
          Watchdog: watchdog_q <= data_i;
          Alert: alerts_o <= alerts_o + 1;
          default: ;
        endcase
      end
      if (event_pop_o) event_time_q <= event_i.cycle;
      if (reads && addr_i == TimeLow) time_high_q <= now_i[63:32];
      if (reads && addr_i == EventsLost) lost_seen_q <= events_lost_i;
      if (bite_q == '0 && (trap_i || (watchdog_q == 32'd1 && !asleep_o))) begin  // the core alone begins anew
        bite_q <= 2'd3;
        cause_q <= 1'b1;
        {watchdog_q, timer_on_q, hold_on_o} <= '0;
        boot_o <= '0;
      end
    end
  end
endmodule
