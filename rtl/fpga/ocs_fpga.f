// What the FPGA top has beyond ../ocs.f and ../skew/ocs_skew.f; paths are relative to this file's folder.
ocs_sync.sv
ocs_uart.sv
ocs_uartbone.sv
ocs_fpga.sv
