// Memory of the engine as arrays of numpy: read-only views that keep alive what they show, or copies.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

namespace ocs::python {

template <class T>
using View = nanobind::ndarray<nanobind::numpy, const T>;

/// What keeps `shared` while there are views of it.
template <class Kept>
nanobind::capsule owner_of(std::shared_ptr<const Kept> shared) {
  using Pointer = std::shared_ptr<const Kept>;
  auto* const kept = new Pointer(std::move(shared));
  return nanobind::capsule(kept, [](void* pointer) noexcept { delete static_cast<Pointer*>(pointer); });
}

/// A field of all records, where it is. @param kept owns them.
template <class T, class Kept, class Record, class Field>
View<T> field_view(std::shared_ptr<const Kept> kept, const std::vector<Record>& records, Field Record::*field) {
  static_assert(sizeof(Field) == sizeof(T) && sizeof(Record) % sizeof(T) == 0);
  const std::size_t shape[] = {records.size()};
  const std::int64_t strides[] = {static_cast<std::int64_t>(sizeof(Record) / sizeof(T))};
  const void* first = records.empty() ? nullptr : &(records.front().*field);
  return View<T>(first, 1, shape, owner_of(std::move(kept)), strides);
}

/// All items of a vector, where they are. @param kept owns them. @param shape of as many items.
template <class T, class Kept, class Item>
View<T> items_view(std::shared_ptr<const Kept> kept, const std::vector<Item>& items,
                   std::initializer_list<std::size_t> shape) {
  static_assert(sizeof(Item) == sizeof(T));
  return View<T>(items.data(), shape.size(), shape.begin(), owner_of(std::move(kept)));
}

/// An array of its own.
template <class T>
View<T> array_of(std::vector<T> values, std::initializer_list<std::size_t> shape) {
  auto* const kept = new std::vector<T>(std::move(values));
  const nanobind::capsule owner(kept, [](void* pointer) noexcept { delete static_cast<std::vector<T>*>(pointer); });
  return View<T>(kept->data(), shape.size(), shape.begin(), owner);
}

}  // namespace ocs::python
