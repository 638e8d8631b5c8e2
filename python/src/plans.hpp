// Plans between Python and the engine.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <string>
#include <vector>

#include "host/core/policy.hpp"

namespace ocs::python {

/// The reservations that a function returned: an iterable of tuples (flow, start, up, end[, offset[, plane]]) or of
/// dictionaries as docs/plans.md has them, or an array of whole numbers with the columns of such a tuple.
/// @param where for messages. @throws Error (input): it is something else; BrokenRule (input): an unknown flow.
std::vector<Reservation> reservations_from(nanobind::handle answer, const Problem& problem, const std::string& where);

/// What scheduler `name` of the catalogue plans, a row a reservation: flow, start, up, end, offset, plane.
nanobind::ndarray<nanobind::numpy, std::int64_t> plan_by(const Problem& problem, const std::string& name);

}  // namespace ocs::python
