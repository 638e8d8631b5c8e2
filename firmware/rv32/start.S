# Begin of an image: its header (filled by tools, firmware/ocs_mailbox.h), then the way to main.
# SPDX-License-Identifier: Apache-2.0
  .section .header, "a"
  .space 32

  .section .start, "ax"
  .globl _start
_start:
  la sp, __stack
  la a0, __bss_start
  la a1, __bss_end
1:
  bgeu a0, a1, 2f
  sw zero, 0(a0)
  addi a0, a0, 4
  j 1b
2:
  call main
3:
  j 3b
