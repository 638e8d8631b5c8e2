// The package decides which exception stands for which error.
// SPDX-License-Identifier: Apache-2.0
#include "python/src/errors.hpp"

#include <nanobind/stl/string.h>

#include <string>

#include "host/scheduler/check_plan.hpp"

namespace ocs::python {

namespace nb = nanobind;

const char* name_of(ErrorKind kind) {
  return kind == ErrorKind::input ? "input" : kind == ErrorKind::run ? "run" : "internal";
}

void set_error(const Error& error, nb::handle cause) {
  const auto* broken = dynamic_cast<const BrokenRule*>(&error);
  const std::string rule(broken != nullptr ? name_of(broken->rule()) : "");
  const nb::object made =
      nb::module_::import_("lightloop.errors").attr("error_of")(name_of(error.kind()), error.what(), rule);
  if (cause.is_valid()) PyException_SetCause(made.ptr(), cause.inc_ref().ptr());
  PyErr_SetObject(made.type().ptr(), made.ptr());
}

}  // namespace ocs::python
