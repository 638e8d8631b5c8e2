// JUnit XML: read from commands, written for other programs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "testbed/regress/outcome.hpp"

namespace ocs::regress {

struct JunitFailure {
  std::string test, message;
};

/// What a file of results says.
struct JunitResults {
  std::size_t tests = 0, skipped = 0;
  std::vector<JunitFailure> failures;  ///< <failure> and <error>
};

/// @throws Error (input): it is no XML, has a document type, or no <testsuite>.
JunitResults read_junit(std::string_view text, const std::string& origin);

/// A test case to write.
struct JunitCase {
  std::string table, name;
  Outcome outcome;
};
std::string junit_text(const std::string& suite, const std::vector<JunitCase>& cases);

/// Fit for an element or an attribute of XML and of HTML.
std::string escaped(std::string_view text);

}  // namespace ocs::regress
