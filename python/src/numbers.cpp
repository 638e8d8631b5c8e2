// Goes through objects of Python by its own protocols.
// SPDX-License-Identifier: Apache-2.0
#include "python/src/numbers.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include "host/core/error.hpp"

namespace ocs::python {

namespace nb = nanobind;

std::string type_word(nb::handle object) { return nb::cast<std::string>(nb::str(object.type().attr("__name__"))); }

std::string Place::text() const {
  if (outer_ == nullptr) return std::string(text_);
  const std::string before = outer_->text();
  return text_.data() == nullptr ? before + "[" + std::to_string(number_) + "]" : before + "." + std::string(text_);
}

std::int64_t whole(nb::handle object, const Place& where) {
  nb::object number = nb::borrow(object);
  if (PyLong_CheckExact(object.ptr()) == 0) {
    if (PyIndex_Check(object.ptr()) == 0) refuse(where + " is a " + type_word(object) + ", but must be a whole number");
    number = nb::steal(PyNumber_Index(object.ptr()));
    if (!number.is_valid()) throw nb::python_error();
  }
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
  if (overflow != 0) refuse(where + " doesn't fit 64 bits");
  return value;
}

std::int64_t whole(nb::handle object, const Place& where, std::int64_t least, std::int64_t most) {
  const std::int64_t value = whole(object, where);
  if (value < least || value > most)
    refuse(where + " is " + std::to_string(value) + ", but must be from " + std::to_string(least) + " to " +
           std::to_string(most));
  return value;
}

void for_each_item(nb::handle list, const Place& where, const char* right,
                   const std::function<void(nb::handle item, const Place& place)>& each) {
  const bool text = PyUnicode_Check(list.ptr()) != 0 || PyBytes_Check(list.ptr()) != 0;
  const nb::object items =
      text || PyDict_Check(list.ptr()) != 0 ? nb::object() : nb::steal(PyObject_GetIter(list.ptr()));
  if (!items.is_valid()) {
    PyErr_Clear();
    refuse(where + " is a " + type_word(list) + ", but must be " + right);
  }
  std::size_t number = 0;
  while (const nb::object item = nb::steal(PyIter_Next(items.ptr()))) each(item, where.item(number++));
  if (PyErr_Occurred() != nullptr) throw nb::python_error();
}

std::vector<std::int64_t> row_of(nb::handle row, const Place& where, std::size_t least, std::size_t most,
                                 const char* right) {
  if (PyTuple_Check(row.ptr()) == 0 && PyList_Check(row.ptr()) == 0 && !nb::ndarray_check(row))
    refuse(where + " is a " + type_word(row) + ", but must be " + right);
  std::vector<std::int64_t> numbers;
  for_each_item(row, where, right, [&](nb::handle item, const Place& place) {
    if (numbers.size() <= most) numbers.push_back(whole(item, place));
  });
  if (numbers.size() < least || numbers.size() > most)
    refuse(where + " has " + (numbers.size() > most ? "more than " : "") +
           std::to_string(numbers.size() > most ? most : numbers.size()) + " items, but must be " + right);
  return numbers;
}

}  // namespace ocs::python
