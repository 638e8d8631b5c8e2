// Golden cases of the synchronisation schemes, as tests/goldens/sync/fields.md defines them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tests/schedulers/golden_fields.hpp"
#include "tests/sync/abstract_run.hpp"

namespace ocs::golden {

/// A run of a parameter-server scheme.
struct ServerCase {
  std::string scheme;  ///< its name in the catalogue
  abstract::Input input;
  std::vector<abstract::Push> pushes;
  std::optional<std::vector<abstract::Granted>> grants;
  std::optional<std::vector<abstract::Round>> rounds;
  std::optional<std::vector<abstract::SuperStep>> super_steps;
  std::optional<abstract::PredictiveOutput> predictive;
  std::optional<std::int64_t> dark_receive, dark_send;
};

/// Choice of the moment of synchronisation.
struct MomentCase {
  std::vector<std::vector<std::int64_t>> ends;
  Objective objective;
  std::int64_t at;
  std::vector<std::int64_t> quota;
};

/// Expected times of one iteration, ns.
struct ClosedFormCase {
  std::int64_t workers, servers, compute, bytes, rate_bps, delta;
  std::int64_t tau, bsp_phase, r2sp;
  std::optional<std::int64_t> bsp_eager;  ///< for one server
  std::int64_t ring_warm, ring_cold, halving_warm, halving_cold;
};

struct BatchCase {
  std::int64_t batch;
  std::vector<std::int64_t> blocked, speed;
  std::vector<std::int64_t> expected;
};

ServerCase read_server(const Fields& fields);
MomentCase read_moment(const Fields& fields);
ClosedFormCase read_closed_form(const Fields& fields);
BatchCase read_batch(const Fields& fields);

}  // namespace ocs::golden
