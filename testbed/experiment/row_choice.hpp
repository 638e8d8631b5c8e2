// Which rows the axes of an experiment make: zipped axes go together, tables [[only]] and [[skip]] choose.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "testbed/experiment/settings.hpp"

namespace ocs {

/// Rows of an experiment by number: the value that each key has in each of them.
class RowChoice {
 public:
  /// Whether a key means the same by both values. @throws Error (input): the first one is no value of the key.
  using Same = std::function<bool(std::size_t key, const Setting::Item& wanted, const Setting::Item& item)>;

  RowChoice() = default;
  /// @param settings one a key. The first axis varies slowest; a group of zipped axes stands where its first key does.
  /// @param chosen as read_settings() gives them: "zip#1", "only#1.policy", "skip#2.job.workers", ...
  /// @throws Error (input): a key that is unknown, no axis or zipped twice, axes of different lengths, a value twice in
  /// an axis, no row left, or more than a million combinations.
  RowChoice(std::span<const Setting> settings, std::span<const Setting> chosen, const Same& same);

  std::size_t rows() const { return numbers_.size(); }
  /// Which value of key number `key` row number `row` has.
  std::size_t item(std::size_t row, std::size_t key) const { return item_at(numbers_[row], key); }

 private:
  struct Place {
    std::size_t stride = 1, size = 1;
  };
  std::size_t item_at(std::size_t number, std::size_t key) const {
    return number / places_[key].stride % places_[key].size;
  }

  std::vector<Place> places_;         ///< of each key
  std::vector<std::size_t> numbers_;  ///< of the rows, in the cross product of all axes; ascending
};

/// Whether a setting belongs to zip, [[only]] or [[skip]], and isn't the value of a key.
bool chooses_rows(const Setting& setting);

}  // namespace ocs
