// Quotes what needs it, and writes whole lines.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/results/files/csv.hpp"

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <system_error>

#include "testbed/results/files/earlier_file.hpp"
#include "testbed/results/rows/row.hpp"

namespace ocs {
namespace {

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    quoted += c;
    if (c == '"') quoted += c;
  }
  return quoted + '"';
}

/// A number with as many digits as it takes to read the same number back; nothing where there is no value.
std::string csv_field(const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return csv_field(*text);
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
  const auto* real = std::get_if<double>(&value);
  if (real == nullptr) return {};
  std::array<char, 32> digits{};
  const char* end = std::to_chars(digits.data(), digits.data() + digits.size(), *real).ptr;
  return {digits.data(), static_cast<std::size_t>(end - digits.data())};
}

}  // namespace

CsvSink::CsvSink(const std::string& target, std::FILE* standard_output)
    : target_(target), file_(nullptr, std::fclose), out_(standard_output) {
  if (target != "-") {
    kept_ = keep_earlier(target);
    file_.reset(std::fopen(target.c_str(), "wb"));
    if (!file_) throw Error(kind_, "results can't be written to \"" + target + "\": " + std::strerror(errno));
    out_ = file_.get();
    std::error_code failure;
    regular_ = std::filesystem::is_regular_file(target, failure);
  }
  std::string names;
  for (const Column& column : row_columns()) names.append(names.empty() ? "" : ",").append(column.name);
  put(names + "\r\n");
  kind_ = ErrorKind::run;
}

void CsvSink::row(std::span<const std::pair<std::string, Value>> fields) {
  std::string line;
  for (std::size_t k = 0; k < fields.size(); ++k) line.append(k == 0 ? "" : ",").append(csv_field(fields[k].second));
  put(line + "\r\n");
}

void CsvSink::put(const std::string& line) {
  if (std::fwrite(line.data(), 1, line.size(), out_) == line.size() && std::fflush(out_) == 0) {
    end_ += static_cast<long>(line.size());
    return;
  }
  const int why = errno;
  std::error_code ignored;
  if (regular_) {  // without the part of the line that it has
    std::filesystem::resize_file(target_, static_cast<std::uintmax_t>(end_), ignored);
    std::clearerr(out_);
    std::fseek(out_, end_, SEEK_SET);
  }
  throw Error(kind_, "results can't be written to \"" + target_ + "\": " + std::strerror(why));
}

}  // namespace ocs
