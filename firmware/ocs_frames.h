/* Frames of the mailbox's rings: reading commands, writing answers.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef OCS_FRAMES_H
#define OCS_FRAMES_H

#include "ocs_app.h"

/* An answer being written. */
typedef struct ocs_answer {
  uint32_t at;    /* where its next word goes */
  uint32_t stamp; /* where its cycle goes */
  bool alert;
} ocs_answer;

/* A command. */
typedef struct ocs_frame {
  uint32_t code, sequence, words;
  uint32_t next;                    /* ring position behind it */
  const volatile uint32_t* payload; /* in one piece */
} ocs_frame;

/* Words n, and n and n + 1, of a payload that is long enough. */
static inline uint32_t ocs_frame_word(const ocs_frame* frame, uint32_t n) { return frame->payload[n]; }
static inline uint64_t ocs_frame_word64(const ocs_frame* frame, uint32_t n) {
  return ((uint64_t)frame->payload[n + 1u] << 32) | frame->payload[n];
}

/* ---- answers ---- */

/* words: of the payload behind the stamp, all of which have to be written. False: the ring is full; an alarm is left
 * out then, and commands wait. */
bool ocs_answer_begin(ocs_app* app, ocs_answer* answer, uint32_t code, uint32_t sequence, uint32_t status,
                      uint32_t words);
void ocs_answer_word(ocs_app* app, ocs_answer* answer, uint32_t word);
void ocs_answer_end(ocs_app* app, const ocs_answer* answer);

/* Whole answers to a command for which there is room: a status (enum ocs_mb_status) and what belongs to it. */
void ocs_answer_words(ocs_app* app, const ocs_frame* frame, uint32_t status, const uint32_t* words, uint32_t count);
void ocs_answer_status(ocs_app* app, const ocs_frame* frame, uint32_t status);
void ocs_answer_port(ocs_app* app, const ocs_frame* frame, uint32_t status, uint32_t port);
void ocs_answer_cycle(ocs_app* app, const ocs_frame* frame, uint64_t cycle);
/* The status that belongs to what the driver returned. */
void ocs_answer_result(ocs_app* app, const ocs_frame* frame, int result);

/* ---- commands ---- */

/* In place of a number of words: as many as there are ports. */
#define OCS_FRAMES_PORTS 0xffffu

/* The answer ring takes an answer of so many words, and an alarm. */
bool ocs_frames_room(const ocs_app* app, uint32_t words);
/* The frame at the tail; false: nothing there. What can't be a frame drops everything up to the head. */
bool ocs_frames_next(ocs_app* app, ocs_frame* frame);
/* Everything up to this ring position has been executed. */
void ocs_frames_taken(ocs_app* app, uint32_t tail);

#endif
