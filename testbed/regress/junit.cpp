// Reads JUnit with expat, which neither recurses nor fetches anything; writes it by hand.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/regress/junit.hpp"

#include <expat.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <limits>
#include <memory>

#include "host/core/error.hpp"
#include "host/core/markup.hpp"
#include "host/core/printable.hpp"

namespace ocs::regress {
namespace {

constexpr std::size_t longest_message = 4000;

/// Gathers while expat reads.
class JunitReader {
 public:
  explicit JunitReader(XML_Parser parser) : parser_(parser) {
    XML_SetUserData(parser, this);
    XML_SetElementHandler(parser, begin, end);
    XML_SetCharacterDataHandler(parser, characters);
    XML_SetStartDoctypeDeclHandler(parser, doctype);
  }

  JunitResults results;
  bool suite_seen = false, doctype_seen = false;

 private:
  static JunitReader& self(void* data) { return *static_cast<JunitReader*>(data); }

  static void doctype(void* data, const XML_Char*, const XML_Char*, const XML_Char*, int) {
    self(data).doctype_seen = true;
    XML_StopParser(self(data).parser_, XML_FALSE);
  }

  static std::string attribute(const XML_Char** attributes, std::string_view name) {
    for (; *attributes != nullptr; attributes += 2)
      if (attributes[0] == name) return attributes[1];
    return {};
  }

  static void begin(void* data, const XML_Char* name, const XML_Char** attributes) {
    JunitReader& reader = self(data);
    const std::string_view element = name;
    if (element == "testsuite" || element == "testsuites") reader.suite_seen = true;
    if (element == "testcase") {
      ++reader.results.tests;
      const std::string of = attribute(attributes, "classname"), test = attribute(attributes, "name");
      reader.test_ = of.empty() ? test : of + "." + test;
      reader.failed_ = false;
    }
    if (element == "skipped") ++reader.results.skipped;
    if (element != "failure" && element != "error") return;
    reader.in_failure_ = true;
    if (!reader.failed_) reader.results.failures.push_back({reader.test_, attribute(attributes, "message")});
    reader.failed_ = true;
  }

  static void end(void* data, const XML_Char* name) {
    const std::string_view element = name;
    if (element == "failure" || element == "error") self(data).in_failure_ = false;
  }

  /// The text of a failure stands in for a message that it doesn't have.
  static void characters(void* data, const XML_Char* text, int length) {
    JunitReader& reader = self(data);
    if (!reader.in_failure_) return;
    std::string& message = reader.results.failures.back().message;
    if (message.size() < longest_message) message.append(text, static_cast<std::size_t>(length));
  }

  XML_Parser parser_;
  std::string test_;
  bool failed_ = false, in_failure_ = false;
};

}  // namespace

JunitResults read_junit(std::string_view text, const std::string& origin) {
  const std::unique_ptr<std::remove_pointer_t<XML_Parser>, void (*)(XML_Parser)> parser(XML_ParserCreate(nullptr),
                                                                                        XML_ParserFree);
  if (!parser) throw std::bad_alloc();
  JunitReader reader(parser.get());
  if (text.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) refuse(origin, "is too large");
  const bool whole = XML_Parse(parser.get(), text.data(), static_cast<int>(text.size()), XML_TRUE) == XML_STATUS_OK;
  const std::string place = origin + ":" + std::to_string(XML_GetCurrentLineNumber(parser.get()));
  if (reader.doctype_seen) refuse(place, "JUnit results have no document type (<!DOCTYPE)");
  if (!whole) refuse(place, std::string("is not valid XML: ") + XML_ErrorString(XML_GetErrorCode(parser.get())));
  if (!reader.suite_seen) refuse(origin, "must hold JUnit results: it has no <testsuite>");
  return std::move(reader.results);
}

std::string escaped(std::string_view text) {
  std::string lines(text);
  for (char& c : lines)
    if ((c < ' ' || c > '~') && c != '\n') c = '?';
  return ocs::escaped(lines);
}

std::string junit_text(const std::string& suite, const std::vector<JunitCase>& cases) {
  const auto bad = std::count_if(cases.begin(), cases.end(),
                                 [](const JunitCase& each) { return each.outcome.verdict != Verdict::passed; });
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"" + escaped(suite) + "\" tests=\"" +
                    std::to_string(cases.size()) + "\" failures=\"" + std::to_string(bad) + "\">\n";
  for (const JunitCase& each : cases) {
    std::array<char, 32> seconds{};
    std::snprintf(seconds.data(), seconds.size(), "%.6f", each.outcome.seconds);
    out += "  <testcase classname=\"" + escaped(each.table) + "\" name=\"" + escaped(each.name) + "\" time=\"" +
           seconds.data() + "\"";
    if (each.outcome.verdict == Verdict::passed)
      out += "/>\n";
    else
      out += ">\n    <failure type=\"" + std::string(name_of(each.outcome.verdict)) + "\" message=\"" +
             escaped(each.outcome.sentence) + "\"/>\n  </testcase>\n";
  }
  return out + "</testsuite>\n";
}

}  // namespace ocs::regress
