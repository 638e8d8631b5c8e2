/* Commands that change circuits; used by ocs_commands.c alone.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef OCS_CIRCUITS_H
#define OCS_CIRCUITS_H

#include "ocs_frames.h"

/* Each carries out one command of ocs_mailbox.h, whose payload has its length, and answers it. */
void ocs_circuits_connect(ocs_app* app, const ocs_frame* frame);
void ocs_circuits_disconnect(ocs_app* app, const ocs_frame* frame);
void ocs_circuits_map(ocs_app* app, const ocs_frame* frame);
void ocs_circuits_preset_store(ocs_app* app, const ocs_frame* frame);
void ocs_circuits_preset_recall(ocs_app* app, const ocs_frame* frame);
void ocs_circuits_entry(ocs_app* app, const ocs_frame* frame);
void ocs_circuits_table_go(ocs_app* app, const ocs_frame* frame);
void ocs_circuits_table_stop(ocs_app* app, const ocs_frame* frame);

/* The sequencer plays; commits have to wait. */
bool ocs_circuits_table_plays(ocs_app* app);

#endif
