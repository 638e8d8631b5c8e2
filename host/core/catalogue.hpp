// Catalogues: one constexpr array a folder lists what there is; an unknown name is an error that lists the known ones.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "host/core/error.hpp"
#include "host/core/printable.hpp"

namespace ocs {

/// One implementation of T: its name in experiment files, one line of help, and how to make it.
template <class T, class... Args>
struct Entry {
  std::string_view name, summary;
  std::unique_ptr<T> (*make)(Args...);
};

/// The entry called `name`; `what` says what it would have been ("scheduler"). Works for any entry type with a `name`.
/// @throws Error (input) that lists the known names.
template <class E>
const E& find(std::span<const E> catalogue, std::string_view name, std::string_view what) {
  for (const E& entry : catalogue)
    if (entry.name == name) return entry;
  std::string known;
  for (const E& entry : catalogue) known += (known.empty() ? "" : ", ") + std::string(entry.name);
  throw Error(ErrorKind::input,
              "unknown " + std::string(what) + " \"" + printable(std::string(name)) + "\"; known: " + known);
}

/// Makes the implementation called `name`; for any entry type with a `name` and a `make`.
template <class E, class... Args>
auto make(std::span<const E> catalogue, std::string_view name, std::string_view what, Args&&... args) {
  return find(catalogue, name, what).make(std::forward<Args>(args)...);
}

}  // namespace ocs
