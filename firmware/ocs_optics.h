/* Commands about what light does: how mirrors are programmed and disturbed, how receivers lock, how strong light is, and
 * faults of mirrors; used by the table of commands alone.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef OCS_OPTICS_H
#define OCS_OPTICS_H

#include "ocs_app.h"
#include "ocs_frames.h"

/* Compiled for size, so that they take no registers and no inlined calls from the commands of every circuit. */
#if defined(__GNUC__)
#define OCS_RARE __attribute__((cold))
#else
#define OCS_RARE
#endif

OCS_RARE void ocs_optics_seed(ocs_app* app, const ocs_frame* frame);
OCS_RARE void ocs_optics_jitter(ocs_app* app, const ocs_frame* frame);
OCS_RARE void ocs_optics_programming(ocs_app* app, const ocs_frame* frame);
OCS_RARE void ocs_optics_receivers(ocs_app* app, const ocs_frame* frame);
OCS_RARE void ocs_optics_disturb(ocs_app* app, const ocs_frame* frame);
OCS_RARE void ocs_optics_power(ocs_app* app, const ocs_frame* frame);
OCS_RARE void ocs_optics_ringing(ocs_app* app, const ocs_frame* frame);
OCS_RARE void ocs_optics_light(ocs_app* app, const ocs_frame* frame);
OCS_RARE void ocs_optics_slow(ocs_app* app, const ocs_frame* frame);
OCS_RARE void ocs_optics_flap(ocs_app* app, const ocs_frame* frame);
OCS_RARE void ocs_optics_retry(ocs_app* app, const ocs_frame* frame);

#endif
