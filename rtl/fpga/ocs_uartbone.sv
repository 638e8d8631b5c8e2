// UARTBone: bytes of a serial line to accesses on AXI4-Lite, in the framing of LiteX's uartbone and comm_uart.
//
// A transaction: command (1 write, 2 read, both to rising addresses; 3 write, 4 read, all to one), number of words (1 to 255),
// word address (4 bytes), then the words of a write; a read answers its words, a write nothing. Most significant byte first. An
// unknown command or a length of 0 ends with its address; a transaction that isn't complete `Patience` cycles after its command
// is dropped. Words outside the window of 2^20 bytes read 0 and ignore writes, as do words that the device refuses.
//
// SPDX-License-Identifier: Apache-2.0
module ocs_uartbone #(
    /// Cycles that a transaction may take, 1 to 2^31 - 1; 100 ms in LiteX.
    parameter int unsigned Patience = 2_500_000
) (
    input  logic        clk_i,       ///< clock, rising edge
    input  logic        rst_ni,      ///< synchronous reset, active low
    // ---- bytes ----
    input  logic        rx_valid_i,  ///< a byte has come
    input  logic [7:0]  rx_data_i,   ///< that byte
    output logic        tx_valid_o,  ///< a byte is to be sent
    input  logic        tx_ready_i,  ///< it is accepted
    output logic [7:0]  tx_data_o,   ///< that byte
    // ---- AXI4-Lite ----
    output logic        awvalid_o,   ///< AW: address offered
    input  logic        awready_i,   ///< AW: accepted
    output logic [19:0] awaddr_o,    ///< AW: byte address
    output logic        wvalid_o,    ///< W: data offered
    input  logic        wready_i,    ///< W: accepted
    output logic [31:0] wdata_o,     ///< W: data
    output logic [3:0]  wstrb_o,     ///< W: all bytes
    input  logic        bvalid_i,    ///< B: answer offered
    output logic        bready_o,    ///< B: accepted
    output logic        arvalid_o,   ///< AR: address offered
    input  logic        arready_i,   ///< AR: accepted
    output logic [19:0] araddr_o,    ///< AR: byte address
    input  logic        rvalid_i,    ///< R: answer offered
    output logic        rready_o,    ///< R: accepted
    input  logic [31:0] rdata_i      ///< R: data
);
  if (Patience < 1 || Patience > 32'h7fff_ffff) begin : g_patience_in_range
    $error("ocs_uartbone: Patience must be from 1 to 2^31 - 1");
  end

  typedef enum logic [2:0] {Command, Length, Address, Data, Write, Read, Answer} phase_t;
  phase_t phase_q;
  logic [7:0] command_q, left_q;
  logic [1:0] byte_q;
  logic [31:0] at_q, word_q, patience_q;
  logic address_done_q, data_done_q;  // of the access under way: accepted
  logic reads, writes, fixed, in_window, last_byte;
  assign reads = command_q == 8'd2 | command_q == 8'd4;
  assign writes = command_q == 8'd1 | command_q == 8'd3;
  assign fixed = command_q == 8'd3 | command_q == 8'd4;
  assign in_window = at_q[31:18] == '0;
  assign last_byte = byte_q == 2'd3;

  logic word_over;  // the present word is written, or its answer sent
  assign word_over = (phase_q == Write & (bvalid_i | ~in_window)) | (phase_q == Answer & tx_ready_i & last_byte);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      phase_q <= Command;
      {command_q, left_q} <= '0;
      byte_q <= '0;
      {at_q, word_q, patience_q} <= '0;
      {address_done_q, data_done_q} <= '0;
    end else begin
      if (phase_q == Command) patience_q <= 32'(Patience);
      else if (patience_q != 0) patience_q <= patience_q - 32'd1;
      unique case (phase_q)
        Command:
        if (rx_valid_i) begin
          command_q <= rx_data_i;
          phase_q <= Length;
        end
        Length:
        if (rx_valid_i) begin
          left_q <= rx_data_i;
          byte_q <= '0;
          phase_q <= Address;
        end
        Address:
        if (rx_valid_i) begin
          at_q <= {at_q[23:0], rx_data_i};
          byte_q <= byte_q + 2'd1;
          if (last_byte) phase_q <= left_q == 0 ? Command : reads ? Read : writes ? Data : Command;
        end
        Data:
        if (rx_valid_i) begin
          word_q <= {word_q[23:0], rx_data_i};
          byte_q <= byte_q + 2'd1;
          if (last_byte) phase_q <= Write;
        end
        Write: begin
          address_done_q <= address_done_q | awready_i;
          data_done_q <= data_done_q | wready_i;
        end
        Read: begin
          address_done_q <= address_done_q | arready_i;
          if (rvalid_i | ~in_window) begin
            word_q <= in_window ? rdata_i : '0;
            address_done_q <= 1'b0;
            phase_q <= Answer;
          end
        end
        default:
        if (tx_ready_i) begin
          word_q <= {word_q[23:0], 8'd0};
          byte_q <= byte_q + 2'd1;
        end
      endcase
      if (word_over) begin
        {address_done_q, data_done_q} <= '0;
        left_q <= left_q - 8'd1;
        if (~fixed) at_q <= at_q + 32'd1;
        phase_q <= left_q == 8'd1 ? Command : reads ? Read : Data;
      end
      // An access under way is never cut off.
      if (patience_q == 0 & (phase_q == Length | phase_q == Address | phase_q == Data | phase_q == Answer)) phase_q <= Command;
    end
  end

  assign tx_valid_o = phase_q == Answer;
  assign tx_data_o = word_q[31:24];
  assign awvalid_o = phase_q == Write & in_window & ~address_done_q;
  assign wvalid_o = phase_q == Write & in_window & ~data_done_q;
  assign bready_o = phase_q == Write;
  assign arvalid_o = phase_q == Read & in_window & ~address_done_q;
  assign rready_o = phase_q == Read;
  assign awaddr_o = {at_q[17:0], 2'b00};
  assign araddr_o = {at_q[17:0], 2'b00};
  assign wdata_o = word_q;
  assign wstrb_o = '1;
endmodule
