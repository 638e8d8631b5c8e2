/* Each command checks that the switch has its option, then hands its words to the driver.
 * SPDX-License-Identifier: Apache-2.0 */
#include "ocs_optics.h"

#include "ocs_dev.h"
#include "ocs_regs.h"

/* Answers with OCS_MB_E_OPTION where the switch does not have the option. */
static bool has(ocs_app* app, const ocs_frame* frame, uint32_t option) {
  if ((app->dev.options & option) != 0) return true;
  ocs_answer_status(app, frame, OCS_MB_E_OPTION);
  return false;
}

/* Answers with OCS_MB_E_PORT where the switch does not have the port of word 0. */
static bool has_port(ocs_app* app, const ocs_frame* frame) {
  const uint32_t port = ocs_frame_word(frame, 0);
  if (port < app->dev.ports) return true;
  ocs_answer_port(app, frame, OCS_MB_E_PORT, port);
  return false;
}

/* Hands a setting of the output of word 0 to the driver. */
static void set_of_output(ocs_app* app, const ocs_frame* frame, uint32_t option,
                          int (*set)(const ocs_dev* dev, uint16_t output, uint32_t value)) {
  if (!has_port(app, frame) || !has(app, frame, option)) return;
  ocs_answer_result(app, frame, set(&app->dev, (uint16_t)ocs_frame_word(frame, 0), ocs_frame_word(frame, 1)));
}

void ocs_optics_seed(ocs_app* app, const ocs_frame* frame) {
  ocs_answer_result(app, frame, ocs_seed(&app->dev, ocs_frame_word(frame, 0)));
}

void ocs_optics_jitter(ocs_app* app, const ocs_frame* frame) {
  set_of_output(app, frame, OCS_REGS__CAP_OPTIONS__JITTER_bm, ocs_set_jitter);
}

void ocs_optics_programming(ocs_app* app, const ocs_frame* frame) {
  if (!has(app, frame, OCS_REGS__CAP_OPTIONS__SERIAL_bm)) return;
  const uint32_t lanes = ocs_frame_word(frame, 1);
  if (lanes > UINT16_MAX)
    ocs_answer_status(app, frame, OCS_MB_E_VALUE);
  else
    ocs_answer_result(app, frame, ocs_set_programming(&app->dev, ocs_frame_word(frame, 0), (uint16_t)lanes));
}

void ocs_optics_receivers(ocs_app* app, const ocs_frame* frame) {
  if (!has(app, frame, OCS_REGS__CAP_OPTIONS__RECEIVER_bm)) return;
  uint32_t points[2u * OCS_QUANTILES];
  for (uint32_t k = 0; k < 2u * OCS_QUANTILES; ++k) points[k] = ocs_frame_word(frame, 1u + k);
  ocs_answer_result(app, frame, ocs_set_receivers(&app->dev, ocs_frame_word(frame, 0), points, points + OCS_QUANTILES));
}

void ocs_optics_disturb(ocs_app* app, const ocs_frame* frame) {
  if (!has(app, frame, OCS_REGS__CAP_OPTIONS__NEIGHBOURS_bm)) return;
  ocs_answer_result(app, frame, ocs_set_disturb(&app->dev, ocs_frame_word(frame, 0), ocs_frame_word(frame, 1)));
}

void ocs_optics_power(ocs_app* app, const ocs_frame* frame) {
  if (!has_port(app, frame) || !has(app, frame, OCS_REGS__CAP_OPTIONS__POWER_bm)) return;
  const uint16_t port = (uint16_t)ocs_frame_word(frame, 0);
  ocs_answer_result(app, frame,
                    ocs_set_power(&app->dev, port, ocs_signed(ocs_frame_word(frame, 1)), ocs_frame_word(frame, 2)));
}

void ocs_optics_ringing(ocs_app* app, const ocs_frame* frame) {
  if (!has(app, frame, OCS_REGS__CAP_OPTIONS__POWER_bm)) return;
  ocs_answer_result(
      app, frame,
      ocs_set_ringing(&app->dev, ocs_frame_word(frame, 0), ocs_frame_word(frame, 1), ocs_frame_word(frame, 2)));
}

void ocs_optics_light(ocs_app* app, const ocs_frame* frame) {
  if (!has(app, frame, OCS_REGS__CAP_OPTIONS__POWER_bm)) return;
  const uint32_t on = ocs_frame_word(frame, 0);
  if (on > 1u)
    ocs_answer_status(app, frame, OCS_MB_E_VALUE);
  else
    ocs_answer_result(app, frame,
                      ocs_set_light(&app->dev, on != 0, ocs_signed(ocs_frame_word(frame, 1)), ocs_frame_word(frame, 2),
                                    ocs_frame_word(frame, 3), ocs_frame_word(frame, 4)));
}

void ocs_optics_slow(ocs_app* app, const ocs_frame* frame) {
  set_of_output(app, frame, OCS_REGS__CAP_OPTIONS__FAULTS_bm, ocs_set_slow);
}

void ocs_optics_flap(ocs_app* app, const ocs_frame* frame) {
  set_of_output(app, frame, OCS_REGS__CAP_OPTIONS__FAULTS_bm, ocs_set_flap);
}

void ocs_optics_retry(ocs_app* app, const ocs_frame* frame) {
  if (!has_port(app, frame)) return;
  const uint16_t output = (uint16_t)ocs_frame_word(frame, 0);
  enum ocs_output_state state = OCS_IDLE;
  enum ocs_failure cause = OCS_CAUSE_NONE;
  int result = ocs_state(&app->dev, output, &state, &cause);
  const bool stays = state == OCS_FAILED && cause != OCS_CAUSE_LIGHT; /* without light it comes back by itself */
  if (result == OCS_OK && stays) result = ocs_retry(&app->dev, output / 32u, 1u << (output % 32u));
  ocs_answer_result(app, frame, result);
}
