// Rows of numbers.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/experiment/files/demand_file.hpp"

#include <algorithm>
#include <charconv>
#include <string>
#include <system_error>
#include <vector>

#include "host/core/error.hpp"
#include "host/core/ids.hpp"
#include "host/core/list_text.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs {
namespace {

constexpr std::int64_t most_demand_bytes = std::int64_t{1} << 50;
constexpr std::size_t most_matrix_bytes = std::size_t{4} << 20;

[[noreturn]] void refuse_matrix(const std::string& sentence) { throw Error(ErrorKind::input, sentence); }

std::vector<std::int64_t> parse_row(std::string_view line, const std::string& place) {
  std::vector<std::int64_t> row;
  for (const std::string_view cell : comma_list(line)) {
    std::int64_t bytes = 0;
    const auto [end, failure] = std::from_chars(cell.data(), cell.data() + cell.size(), bytes);
    if (failure != std::errc{} || end != cell.data() + cell.size() || bytes < 0 || bytes > most_demand_bytes)
      refuse_matrix(place + "the demand is " + in_quotes(cell) + ", but must be a whole number of bytes, at most 2^50");
    row.push_back(bytes);
    if (row.size() > max_ports) refuse_matrix(place + "there are more than 256 numbers in this line");
  }
  return row;
}

}  // namespace

DemandMatrix parse_demand_file(std::string_view text, std::string_view origin) {
  DemandMatrix matrix;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    const std::string place = std::string(origin) + ":" + std::to_string(matrix.size() + 1) + ": ";
    if (matrix.size() == max_ports) refuse_matrix(place + "there are more than 256 lines");
    matrix.push_back(parse_row(line, place));
    if (matrix.back().size() != matrix.front().size())
      refuse_matrix(place + "there are " + std::to_string(matrix.back().size()) + " numbers in this line, but " +
                    std::to_string(matrix.front().size()) + " in the first one");
  }
  if (matrix.empty() || matrix.size() != matrix.front().size())
    refuse_matrix(std::string(origin) + ": there are " + std::to_string(matrix.size()) + " lines of " +
                  std::to_string(matrix.empty() ? 0 : matrix.front().size()) +
                  " numbers; there must be one line a sender, with one number a receiver");
  return matrix;
}

DemandMatrix load_demand_file(const std::filesystem::path& file) {
  return parse_demand_file(read_text_file(file, "matrix of demand", most_matrix_bytes), file.string());
}

}  // namespace ocs
