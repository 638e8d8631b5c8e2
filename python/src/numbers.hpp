// Whole numbers, lists and rows of what a function of Python answered, each with its place in messages.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace ocs::python {

/// Where something stands in an answer, "python:mine, plan 3[7].start". It becomes text for messages alone: plans have many
/// numbers, and few are wrong. It refers to the places and the text that it is made of.
class Place {
 public:
  // NOLINTBEGIN(google-explicit-constructor): text is a place
  Place(const std::string& text) : text_(text) {}
  Place(const char* text) : text_(text) {}
  // NOLINTEND(google-explicit-constructor)
  Place item(std::size_t number) const { return {this, std::string_view(), number}; }
  Place field(const char* name) const { return {this, name, 0}; }
  std::string text() const;

 private:
  Place(const Place* outer, std::string_view text, std::size_t number) : outer_(outer), text_(text), number_(number) {}
  const Place* outer_ = nullptr;
  std::string_view text_;
  std::size_t number_ = 0;
};

inline std::string operator+(const Place& place, const std::string& text) { return place.text() + text; }

/// "list", "NoneType": what an object is, for messages.
std::string type_word(nanobind::handle object);

/// Any whole number of Python or numpy, and nothing that is merely like one.
/// @throws Error (input) that names the place.
std::int64_t whole(nanobind::handle object, const Place& where);
/// The same within [least, most].
std::int64_t whole(nanobind::handle object, const Place& where, std::int64_t least, std::int64_t most);

/// Calls `each` with every item of anything that can be gone through but text and dictionaries, and with its place,
/// "WHERE[3]". @param right what it must be, for the message. @throws Error (input); what Python raises on the way
void for_each_item(nanobind::handle list, const Place& where, const char* right,
                   const std::function<void(nanobind::handle item, const Place& place)>& each);

/// The whole numbers of a tuple, a list or a row of an array. @throws Error (input) unless there are least to most.
std::vector<std::int64_t> row_of(nanobind::handle row, const Place& where, std::size_t least, std::size_t most,
                                 const char* right);

}  // namespace ocs::python
