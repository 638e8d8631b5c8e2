/* The mailbox between the host and the firmware: every command and every answer. Shared by both; C11 and C++.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Two rings of 32-bit words. The host writes frames to the command ring, moves its head and thereby rings the doorbell;
 * the firmware answers each frame with one frame in the answer ring, in order. Between answers it may send alarms.
 *
 * A frame: word 0 = code (bits 7:0) | status (15:8; 0 in a command) | words of the payload (31:16), word 1 = sequence
 * number, then the payload. An answer repeats the command's sequence and its code, or 0, which is no command, for
 * codes from OCS_MB_ALARM on; its payload begins with the cycle in which it was given (two words, low first), "answer"
 * below is what follows. 64-bit values are two words, low first.
 * A map entry is output << 16 | input, OCS_DARK (0xffff) for no input. A cycle `at` that isn't ahead means: at once. */
#ifndef OCS_MAILBOX_H
#define OCS_MAILBOX_H

#define OCS_MB_VERSION 1u       /* of this protocol */
#define OCS_MB_RING_WORDS 2048u /* of each ring, a power of two */
#define OCS_MB_FRAME_WORDS 2u   /* before the payload */
#define OCS_MB_STAMP_WORDS 2u   /* at the beginning of an answer's payload */
#define OCS_MB_MOST_WORDS 1024u /* of a payload */
#define OCS_MB_PRESETS 4u       /* whole maps that are kept */
#define OCS_MB_FAULTS 32u       /* entries of the fault log; the oldest one is forgotten first */

enum ocs_mb_command {
  OCS_MB_VERSION_READ = 1,   /* none -> protocol, firmware (major << 16 | minor), ports, entries of the sequencer,
                                OCS_MB_RESET_*, bytes of the image */
  OCS_MB_SELF_TEST = 2,      /* none -> mask of OCS_MB_TEST_* that failed */
  OCS_MB_MODES = 3,          /* mask of OCS_MB_MODE_* */
  OCS_MB_DELAYS = 4,         /* output, base, lock; in cycles */
  OCS_MB_PAIRS = 5,          /* output << 16 | first input, then cycles of one input after the other */
  OCS_MB_CONNECT = 6,        /* at (2), entry with an input -> see OCS_MB_MAP */
  OCS_MB_DISCONNECT = 7,     /* at (2), output -> see OCS_MB_MAP */
  OCS_MB_MAP = 8,            /* at (2), entries: what changes, whole or not at all ->
                                cycle in which it is to be taken (2); refused: output, input, blocking output */
  OCS_MB_BURST = 9,          /* input | tag << 16, length, first cycle with a word (2), rate | OCS_MB_GATED ->
                                cycle of the start (2) */
  OCS_MB_BURST_STOP = 10,    /* input */
  OCS_MB_STATE = 11,         /* first output, how many -> words state | cause << 8 | input << 16 */
  OCS_MB_COUNTERS = 12,      /* port -> passed, lost, dark, tunings, restarts, sent, unrouted (2 each) */
  OCS_MB_PRESET_STORE = 13,  /* preset, entries: a whole map, what isn't named is dark */
  OCS_MB_PRESET_RECALL = 14, /* at (2), preset -> see OCS_MB_MAP */
  OCS_MB_FAULT_LOG = 15, /* none -> faults so far, then the kept ones: cycle low, output | cause << 16 | tries << 24 */
  OCS_MB_RETRIES = 16,   /* how often, cycles before the first one; each further pause is twice as long */
  OCS_MB_INJECT = 17,    /* port, mask of OCS_REGS__PORT__FAULTX__*_bm: faults for tests */
  OCS_MB_TABLE_ENTRY = 18, /* entry, offset, entries: what changes against the entry before (0: against the map) */
  OCS_MB_TABLE_GO = 19,    /* base (2), entries, period */
  OCS_MB_TABLE_STOP = 20,
  OCS_MB_HANG = 21, /* stops to work, for the watchdog to bite; never answered */
  /* From here on times are cycles below 2^30, and OCS_MB_E_OPTION is the answer of a switch that does not have it. */
  OCS_MB_SEED = 22,        /* seed of all that is drawn */
  OCS_MB_JITTER = 23,      /* output, mask of a draw's bits that count */
  OCS_MB_PROGRAMMING = 24, /* time of a group, outputs of a group: 1 to 256 */
  OCS_MB_RECEIVERS = 25,   /* time for which a pair stays warm, 16 points of LOCK_WARM, 16 of LOCK_COLD */
  OCS_MB_DISTURB = 26,     /* time, mask of distances */
  OCS_MB_POWER = 27,       /* port, hundredths of a dBm of its laser (two's complement), of a dB of its loss */
  OCS_MB_RINGING = 28,     /* time before a ring, time of a ring, rings: 0 to 255 */
  OCS_MB_LIGHT = 29,       /* 1: detectors go by the power, 0: they do not; threshold in hundredths of a dBm (two's
                              complement), hysteresis in hundredths of a dB, times after which a loss is asserted and released */
  OCS_MB_SLOW = 30,        /* output, time that is added to T: a fault for tests, as the next one */
  OCS_MB_FLAP = 31,        /* output, time of UP before light is lost; 0: it is not */
  OCS_MB_RETRY = 32        /* output, which starts again if it is FAILED for another cause than light */
};
/* Not asked for, sequence 0; payload: the stamp, enum ocs_mb_alarm, two arguments. Its status is OCS_MB_E_RESET for a
 * restart, OCS_MB_E_BUS for a refused access, else OCS_MB_OK. */
#define OCS_MB_ALARM 0x80u

enum ocs_mb_status {
  OCS_MB_OK = 0,
  OCS_MB_E_FRAME = 1,    /* no frame, or one longer than what was sent: everything sent up to here is dropped */
  OCS_MB_E_COMMAND = 2,  /* unknown code */
  OCS_MB_E_LENGTH = 3,   /* the payload has the wrong number of words */
  OCS_MB_E_PORT = 4,     /* an output, input or port that isn't there; answer: the entry or port */
  OCS_MB_E_TWICE = 5,    /* an output is named twice; answer: the entry */
  OCS_MB_E_CONFLICT = 6, /* an input would feed two outputs; answer: output, input, the output that has it */
  OCS_MB_E_VALUE = 7,    /* a value that its field can't hold */
  OCS_MB_E_BUSY = 8,     /* the input's burst still runs, or a table is played */
  OCS_MB_E_RESET = 9,    /* came while the firmware was starting, and was dropped */
  OCS_MB_E_BUS = 10,     /* the switch refused an access (SLVERR), or didn't answer: not all has been done */
  OCS_MB_E_OPTION = 11   /* the switch has no such option, or no such preset has been stored */
};

enum ocs_mb_alarm {
  OCS_MB_ALARM_RESTART = 1,   /* the firmware has started again: OCS_MB_RESET_*, commands dropped */
  OCS_MB_ALARM_FAULT = 2,     /* an output failed: output, cause */
  OCS_MB_ALARM_GIVEN_UP = 3,  /* an output failed for the last time: output, retries */
  OCS_MB_ALARM_RECOVERED = 4, /* an output is up after a failure: output, retries */
  OCS_MB_ALARM_REFUSED = 5,   /* the switch refused a map that the firmware held for good: source, 0 */
  OCS_MB_ALARM_LATE = 6,      /* a map couldn't be in time: cycles late, 0 */
  OCS_MB_ALARM_EVENTS = 7,    /* events were lost: the map was read anew; 0, 0 */
  OCS_MB_ALARM_BUS = 8        /* the switch refused accesses: how many so far, code of the command; 0: of none */
};

#define OCS_MB_MODE_ALL_STOP 1u
#define OCS_MB_MODE_MULTICAST 2u
#define OCS_MB_GATED 0x80000000u

#define OCS_MB_TEST_IDENTITY 1u /* the window doesn't answer as a switch that this firmware knows */
#define OCS_MB_TEST_SHADOW 2u   /* a shadow register didn't keep what was written */
#define OCS_MB_TEST_TIME 4u     /* time stands still */
#define OCS_MB_TEST_BUS 8u      /* at the start an access was refused */

#define OCS_MB_RESET_POWER 0u
#define OCS_MB_RESET_WATCHDOG 1u

/* What BOOT shows; from OCS_BOOT_FAILED on the core has stopped. */
enum ocs_boot {
  OCS_BOOT_NONE = 0,      /* nothing has run */
  OCS_BOOT_ROM = 1,       /* the boot code checks the image */
  OCS_BOOT_STARTED = 2,   /* the image is good and has begun */
  OCS_BOOT_READY = 3,     /* commands are taken */
  OCS_BOOT_FAILED = 0x80, /* not a code: where failures begin */
  OCS_BOOT_E_MAGIC = 0x81,
  OCS_BOOT_E_LENGTH = 0x82,
  OCS_BOOT_E_CHECKSUM = 0x83,
  OCS_BOOT_E_SELF_TEST = 0x84
};

/* An image begins with these words; the sums are over all words behind the header: a += word; b += a. */
#define OCS_IMAGE_MAGIC 0x4c4c4657u /* "LLFW" */
enum ocs_image_header {
  OCS_IMAGE_AT_MAGIC,
  OCS_IMAGE_AT_WORDS, /* behind the header */
  OCS_IMAGE_AT_SUM_A,
  OCS_IMAGE_AT_SUM_B,
  OCS_IMAGE_HEADER_WORDS = 8
};
#define OCS_IMAGE_MOST_BYTES 0x8000u

#endif
