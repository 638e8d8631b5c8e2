// The selections that an experiment can name.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "host/core/catalogue.hpp"
#include "testbed/selection/selection.hpp"

namespace ocs {

struct SelectionEntry {
  std::string_view name, summary;
  bool while_sending;  ///< asked whenever a worker becomes ready; else once a round, when all are
  std::function<std::unique_ptr<ReceiverSelection>()> make;
  bool draws = false;  ///< its choice depends on the seed
};

std::span<const SelectionEntry> receiver_selections();
/// The selection of that name. @throws Error (input) that lists the known ones.
const SelectionEntry& find_selection(std::string_view name);

}  // namespace ocs
