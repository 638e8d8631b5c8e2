// Serial line: 8 data bits, no parity, 1 stop bit.
//
// SPDX-License-Identifier: Apache-2.0
module ocs_uart #(
    /// Clock cycles of a bit, 4 to 65535.
    parameter int unsigned Divisor = 434
) (
    input  logic       clk_i,    ///< clock, rising edge
    input  logic       rst_ni,   ///< synchronous reset, active low
    input  logic       rx_i,     ///< line in, synchronised
    output logic       tx_o,     ///< line out
    output logic       valid_o,  ///< a byte has come, for one cycle
    output logic [7:0] data_o,   ///< that byte
    input  logic       valid_i,  ///< a byte is to be sent
    output logic       ready_o,  ///< it is accepted
    input  logic [7:0] data_i    ///< that byte
);
  if (Divisor < 4 || Divisor > 65535) begin : g_divisor_in_range
    $error("ocs_uart: Divisor must be from 4 to 65535");
  end

  // ---- receive: wait for the start bit's middle, then sample every bit in its own -----------------------------------
  logic [15:0] rx_wait_q;
  logic [3:0] rx_bit_q;  // 0: idle; 1: start; 2 to 9: data; 10: stop
  logic [7:0] rx_q;
  logic rx_due;
  assign rx_due = rx_wait_q == 0;
  always_ff @(posedge clk_i) begin
    valid_o <= 1'b0;
    if (!rst_ni) begin
      rx_bit_q  <= '0;
      rx_wait_q <= '0;
      rx_q <= '0;
    end else if (rx_bit_q == 0) begin
      rx_wait_q <= 16'(Divisor / 2 - 1);
      if (!rx_i) rx_bit_q <= 4'd1;
    end else if (!rx_due) begin
      rx_wait_q <= rx_wait_q - 16'd1;
    end else begin
      rx_wait_q <= 16'(Divisor - 1);
      rx_bit_q  <= rx_bit_q + 4'd1;
      if (rx_bit_q == 4'd1) begin
        if (rx_i) rx_bit_q <= '0;  // a glitch
      end else if (rx_bit_q < 4'd10) begin
        rx_q <= {rx_i, rx_q[7:1]};
      end else begin
        rx_bit_q <= '0;
        valid_o  <= rx_i;  // without a stop bit it is no byte
      end
    end
  end
  assign data_o = rx_q;

  // ---- send ------------------------------------------------------------------------------------------------------------
  logic [15:0] tx_wait_q;
  logic [3:0] tx_left_q;
  logic [8:0] tx_q;
  assign ready_o = tx_left_q == 0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      tx_left_q <= '0;
      tx_wait_q <= '0;
      tx_q <= '1;
    end else if (ready_o) begin
      if (valid_i) begin
        tx_left_q <= 4'd10;
        tx_wait_q <= 16'(Divisor - 1);
        tx_q <= {data_i, 1'b0};
      end
    end else if (tx_wait_q != 0) begin
      tx_wait_q <= tx_wait_q - 16'd1;
    end else begin
      tx_wait_q <= 16'(Divisor - 1);
      tx_left_q <= tx_left_q - 4'd1;
      tx_q <= {1'b1, tx_q[8:1]};
    end
  end
  assign tx_o = tx_q[0];
endmodule
