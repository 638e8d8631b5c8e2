# Boot code in ROM: checks the image in RAM (header and sums: firmware/ocs_mailbox.h) and starts it, or says in BOOT why
# it doesn't and stands still.
# SPDX-License-Identifier: Apache-2.0
#include "ocs_soc.h"

  .equ MAGIC, 0x4c4c4657
  .equ HEADER_BYTES, 32
  .equ MOST_WORDS, 0x2000 - 8

  .section .text
  .globl _start
_start:
  li s0, OCS_SOC_REGISTERS
  li t0, 1                      # OCS_BOOT_ROM
  sw t0, OCS_SOC_BOOT(s0)
  li s1, OCS_SOC_RAM
  li a0, 0x81                   # OCS_BOOT_E_MAGIC
  lw t0, 0(s1)
  li t1, MAGIC
  bne t0, t1, fail
  li a0, 0x82                   # OCS_BOOT_E_LENGTH
  lw t0, 4(s1)
  beqz t0, fail
  li t1, MOST_WORDS
  bgtu t0, t1, fail
  addi t2, s1, HEADER_BYTES
  slli t0, t0, 2
  add t3, t2, t0
  li t4, 0
  li t5, 0
1:
  lw t6, 0(t2)
  addi t2, t2, 4
  add t4, t4, t6
  add t5, t5, t4
  bltu t2, t3, 1b
  li a0, 0x83                   # OCS_BOOT_E_CHECKSUM
  lw t0, 8(s1)
  bne t0, t4, fail
  lw t0, 12(s1)
  bne t0, t5, fail
  li t0, 2                      # OCS_BOOT_STARTED
  sw t0, OCS_SOC_BOOT(s0)
  addi t2, s1, HEADER_BYTES
  jr t2
fail:
  sw a0, OCS_SOC_BOOT(s0)
2:
  sw zero, OCS_SOC_SLEEP(s0)    # nothing wakes it
  j 2b
