// Word, dark-time and event counters, 64 bits each, cleared by reset alone (section 7).
//
// SPDX-License-Identifier: Apache-2.0
module ocs_counters
  import ocs_pkg::*;
#(
    /// Ports, 2 to 256.
    parameter int unsigned N   = 16,
    localparam int unsigned InW = $clog2(N)
) (
    input  logic           clk_i,   ///< clock, rising edge
    input  logic           rst_ni,  ///< synchronous reset, active low
    /// Cycles that this edge stands for; 0: nothing is counted.
    input  logic [31:0]    step_i,
    /// Outputs in these cycles: state, whether they pass words, selection; starts at their end.
    input  state_e         state_i[N],
    input  logic [N-1:0]   passes_i,
    input  logic [N-1:0]   valid_i,
    input  logic [InW-1:0] input_i[N],
    input  logic [N-1:0]   started_i,
    input  logic [N-1:0]   restarted_i,
    /// Outputs that a stuck mirror shows a position, and which.
    input  logic [N-1:0]   misroutes_i,
    input  logic [InW-1:0] position_i[N],
    /// Words on each input in these cycles.
    input  logic [31:0]    words_i[N],
    /// Inputs that at least one output selects.
    input  logic [N-1:0]   routed_i,
    /// At the end of these cycles: commits and lost event records.
    input  logic           taken_i,
    input  logic           refused_i,
    input  logic           late_i,
    input  logic           dropped_i,

    output logic [63:0]    passed_o[N],    ///< PASSED[o], words
    output logic [63:0]    lost_o[N],      ///< LOST[o], words
    output logic [63:0]    dark_o[N],      ///< DARK[o], cycles
    output logic [63:0]    tunings_o[N],   ///< TUNINGS[o], starts
    output logic [63:0]    restarts_o[N],  ///< RESTARTS[o], starts in TUNING or LOCKING
    output logic [63:0]    sent_o[N],      ///< SENT[i], words
    output logic [63:0]    unrouted_o[N],  ///< UNROUTED[i], words
    output logic [63:0]    misrouted_o[N], ///< MISROUTED[o], words
    output logic [63:0]    commits_o,      ///< COMMITS
    output logic [63:0]    refused_o,      ///< REFUSED, commits
    output logic [63:0]    late_o,         ///< LATE, requests
    output logic [63:0]    dropped_o       ///< DROPPED, records
);
  if (N < 2 || N > 256) begin : g_ports_in_range
    $error("ocs_counters: N must be from 2 to 256");
  end

  logic [63:0] passed_q[N], lost_q[N], dark_q[N], tunings_q[N], restarts_q[N], sent_q[N], unrouted_q[N], misrouted_q[N];
  logic [63:0] passed_d[N], lost_d[N], dark_d[N], tunings_d[N], restarts_d[N], sent_d[N], unrouted_d[N], misrouted_d[N];
  logic [63:0] commits_q, refused_q, late_q, dropped_q;

  logic go;
  assign go = step_i != 0;
  always_comb begin
    passed_d = passed_q;
    lost_d = lost_q;
    dark_d = dark_q;
    tunings_d = tunings_q;
    restarts_d = restarts_q;
    sent_d = sent_q;
    unrouted_d = unrouted_q;
    misrouted_d = misrouted_q;
    if (go) begin
      for (int unsigned p = 0; p < N; p++) begin
        if (valid_i[p] & passes_i[p]) passed_d[p] = passed_q[p] + 64'(words_i[input_i[p]]);
        if (valid_i[p] & ~passes_i[p]) lost_d[p] = lost_q[p] + 64'(words_i[input_i[p]]);
        if (valid_i[p] & state_i[p] != Up) dark_d[p] = dark_q[p] + 64'(step_i);
        if (started_i[p]) tunings_d[p] = tunings_q[p] + 64'd1;
        if (restarted_i[p]) restarts_d[p] = restarts_q[p] + 64'd1;
        sent_d[p] = sent_q[p] + 64'(words_i[p]);
        if (misroutes_i[p]) misrouted_d[p] = misrouted_q[p] + 64'(words_i[position_i[p]]);
        if (~routed_i[p]) unrouted_d[p] = unrouted_q[p] + 64'(words_i[p]);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {commits_q, refused_q, late_q, dropped_q} <= '0;
      passed_q <= '{default: '0};
      lost_q <= '{default: '0};
      dark_q <= '{default: '0};
      tunings_q <= '{default: '0};
      restarts_q <= '{default: '0};
      sent_q <= '{default: '0};
      unrouted_q <= '{default: '0};
      misrouted_q <= '{default: '0};
    end else if (go) begin
      commits_q <= commits_q + 64'(taken_i);
      refused_q <= refused_q + 64'(refused_i);
      late_q <= late_q + 64'(late_i);
      dropped_q <= dropped_q + 64'(dropped_i);
      passed_q <= passed_d;
      lost_q <= lost_d;
      dark_q <= dark_d;
      tunings_q <= tunings_d;
      restarts_q <= restarts_d;
      sent_q <= sent_d;
      unrouted_q <= unrouted_d;
      misrouted_q <= misrouted_d;
    end
  end

  assign passed_o = passed_q;
  assign lost_o = lost_q;
  assign dark_o = dark_q;
  assign tunings_o = tunings_q;
  assign restarts_o = restarts_q;
  assign sent_o = sent_q;
  assign unrouted_o = unrouted_q;
  assign misrouted_o = misrouted_q;
  assign commits_o = commits_q;
  assign refused_o = refused_q;
  assign late_o = late_q;
  assign dropped_o = dropped_q;
endmodule
