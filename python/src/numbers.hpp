// Whole numbers, lists and rows of what a function of Python answered, each with its place in messages.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ocs::python {

/// "list", "NoneType": what an object is, for messages.
std::string type_word(nanobind::handle object);

/// Any whole number of Python or numpy, and nothing that is merely like one.
/// @throws Error (input) that names the place.
std::int64_t whole(nanobind::handle object, const std::string& where);
/// The same within [least, most].
std::int64_t whole(nanobind::handle object, const std::string& where, std::int64_t least, std::int64_t most);

/// Calls `each` with every item of anything that can be gone through but text and dictionaries, and with its place,
/// "WHERE[3]". @param right what it must be, for the message. @throws Error (input); what Python raises on the way
void for_each_item(nanobind::handle list, const std::string& where, const char* right,
                   const std::function<void(nanobind::handle item, const std::string& place)>& each);

/// The whole numbers of a tuple, a list or a row of an array. @throws Error (input) unless there are least to most.
std::vector<std::int64_t> row_of(nanobind::handle row, const std::string& where, std::size_t least, std::size_t most,
                                 const char* right);

}  // namespace ocs::python
