/* Frames of the mailbox's rings: reading commands, writing answers.
 * SPDX-License-Identifier: Apache-2.0 */
#include "ocs_frames.h"

#include <stddef.h>

/* ---- answers ---- */

bool ocs_answer_begin(ocs_app* app, ocs_answer* answer, uint32_t code, uint32_t sequence, uint32_t status,
                      uint32_t words) {
  const uint32_t payload = words + OCS_MB_STAMP_WORDS;
  const uint32_t used = app->answer_head - ocs_platform_answer_tail(app->platform.context);
  if (used + payload + OCS_MB_FRAME_WORDS > OCS_MB_RING_WORDS) return false;
  answer->at = app->answer_head;
  answer->alert = status != OCS_MB_OK;
  ocs_answer_word(app, answer, code | (status << 8) | (payload << 16));
  ocs_answer_word(app, answer, sequence);
  answer->stamp = answer->at;
  answer->at += OCS_MB_STAMP_WORDS;
  return true;
}

void ocs_answer_word(ocs_app* app, ocs_answer* answer, uint32_t word) {
  app->platform.answers[answer->at++ % OCS_MB_RING_WORDS] = word;
}

void ocs_answer_end(ocs_app* app, const ocs_answer* answer) {
  const uint64_t now = ocs_platform_time(app->platform.context);
  app->platform.answers[answer->stamp % OCS_MB_RING_WORDS] = (uint32_t)now;
  app->platform.answers[(answer->stamp + 1u) % OCS_MB_RING_WORDS] = (uint32_t)(now >> 32);
  app->answer_head = answer->at;
  ocs_platform_answers_written(app->platform.context, answer->at, answer->alert);
}

/* Room has been made sure of before the command was taken. */
void ocs_answer_words(ocs_app* app, const ocs_frame* frame, uint32_t status, const uint32_t* words, uint32_t count) {
  ocs_answer answer;
  if (!ocs_answer_begin(app, &answer, frame->code, frame->sequence, status, count)) return;
  for (uint32_t n = 0; n < count; ++n) ocs_answer_word(app, &answer, words[n]);
  ocs_answer_end(app, &answer);
}

void ocs_answer_status(ocs_app* app, const ocs_frame* frame, uint32_t status) {
  ocs_answer_words(app, frame, status, NULL, 0);
}

void ocs_answer_port(ocs_app* app, const ocs_frame* frame, uint32_t status, uint32_t port) {
  ocs_answer_words(app, frame, status, &port, 1);
}

void ocs_answer_cycle(ocs_app* app, const ocs_frame* frame, uint64_t cycle) {
  const uint32_t words[] = {(uint32_t)cycle, (uint32_t)(cycle >> 32)};
  ocs_answer_words(app, frame, OCS_MB_OK, words, 2);
}

/* What the driver says of a command's values. */
static uint32_t status_of(int result) {
  if (result == OCS_OK) return OCS_MB_OK;
  if (result == OCS_E_INDEX) return OCS_MB_E_PORT;
  return result < 0 ? OCS_MB_E_VALUE : OCS_MB_E_BUS;
}

void ocs_answer_result(ocs_app* app, const ocs_frame* frame, int result) {
  ocs_answer_status(app, frame, status_of(result));
}

/* ---- commands ---- */

bool ocs_frames_room(const ocs_app* app, uint32_t words) {
  const uint32_t used = app->answer_head - ocs_platform_answer_tail(app->platform.context);
  const uint32_t payload = words == OCS_FRAMES_PORTS ? app->dev.ports : words;
  /* and an alarm of 7 words in between */
  return used + payload + 2u * (OCS_MB_FRAME_WORDS + OCS_MB_STAMP_WORDS) + 3u <= OCS_MB_RING_WORDS;
}

void ocs_frames_taken(ocs_app* app, uint32_t tail) {
  app->tail = tail;
  ocs_platform_commands_taken(app->platform.context, tail);
}

static uint32_t ring_word(const ocs_app* app, uint32_t at) { return app->platform.commands[at % OCS_MB_RING_WORDS]; }

/* The payload in one piece: where it is, or put together. */
static const volatile uint32_t* payload_of(ocs_app* app, uint32_t at, uint32_t words) {
  const uint32_t from = at % OCS_MB_RING_WORDS;
  if (from + words <= OCS_MB_RING_WORDS) return app->platform.commands + from;
  for (uint32_t n = 0; n < words; ++n) app->frame[n] = ring_word(app, at + n);
  return app->frame;
}

/* The frame at the tail; false: nothing there. A frame that can't be one drops everything up to the head. */
bool ocs_frames_next(ocs_app* app, ocs_frame* frame) {
  if (app->tail == app->head) app->head = ocs_platform_command_head(app->platform.context);
  const uint32_t waiting = app->head - app->tail;
  if (waiting == 0) return false;
  const uint32_t first = ring_word(app, app->tail);
  frame->code = (first & 0xffu) < OCS_MB_ALARM ? first & 0xffu : 0u; /* answers with such codes would be alarms */
  frame->words = first >> 16;
  frame->sequence = waiting > 1u ? ring_word(app, app->tail + 1u) : 0u;
  frame->next = app->tail + OCS_MB_FRAME_WORDS + frame->words;
  if (waiting <= OCS_MB_RING_WORDS && (first & 0xff00u) == 0 && frame->words <= OCS_MB_MOST_WORDS &&
      frame->words + OCS_MB_FRAME_WORDS <= waiting) {
    frame->payload = payload_of(app, app->tail + OCS_MB_FRAME_WORDS, frame->words);
    return true;
  }
  if (!ocs_frames_room(app, 0)) return false;
  ocs_answer_status(app, frame, OCS_MB_E_FRAME);
  ocs_frames_taken(app, app->head);
  return false;
}
