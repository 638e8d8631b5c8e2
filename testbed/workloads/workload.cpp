// The strict reader of workload tables.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/workloads/workload.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <system_error>

#include "host/core/error.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs {
namespace {

constexpr std::string_view header = "index,name,shape,elements,bytes";
constexpr std::size_t columns = 5;
constexpr std::size_t max_table_bytes = std::size_t{16} << 20;
constexpr std::array<std::int64_t, 3> bytes_per_element{4, 2, 1};  // fp32; fp16 and bf16; fp8
// compute_times.csv is published times, no table of tensors.
constexpr Library library{
    .kind = "workload",
    .plural = "workloads",
    .ending = ".csv",
    .path = "file:PATH; also a size such as \"4 MB\", coflow:PATH, phases:PATH, llm:MODEL?... or chakra:PATH.%d.et",
    .except = "compute_times"};

/// Where a message points to.
struct Place {
  std::string_view origin;
  std::size_t line;
};

[[noreturn]] void refuse(Place at, const std::string& sentence) {
  throw Error(ErrorKind::input, std::string(at.origin) + ":" + std::to_string(at.line) + ": " + sentence);
}

std::int64_t parse_count(Place at, std::string_view column, std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size() || value < 0)
    refuse(at, std::string(column) + " is " + in_quotes(text) + ", but must be a whole number from 0 to 2^63 - 1");
  return value;
}

std::int64_t multiply(Place at, std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) refuse(at, "the tensor is too large: its size exceeds 2^63 - 1");
  return product;
}

std::array<std::string_view, columns> split_row(Place at, std::string_view line) {
  if (line.find('"') != std::string_view::npos)
    refuse(at, "a workload table has no quotes, but the row is " + in_quotes(line));
  const auto commas = static_cast<std::size_t>(std::count(line.begin(), line.end(), ','));
  if (commas + 1 != columns)
    refuse(at, "the row has " + std::to_string(commas + 1) + " fields, but must have 5: " + std::string(header));
  std::array<std::string_view, columns> fields;
  for (std::size_t k = 0; k < columns; ++k) {
    const std::size_t end = std::min(line.find(','), line.size());
    fields[k] = line.substr(0, end);
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return fields;
}

std::vector<std::int64_t> parse_shape(Place at, std::string_view text) {
  std::vector<std::int64_t> shape;
  for (std::string_view rest = text;;) {
    const std::size_t end = std::min(rest.find('x'), rest.size());
    std::int64_t size = 0;
    const auto [stop, error] = std::from_chars(rest.data(), rest.data() + end, size);
    if (end == 0 || error != std::errc{} || stop != rest.data() + end || size < 1)
      refuse(at, "shape is " + in_quotes(text) + ", but must be whole numbers from 1 joined by x, such as 64x3x7x7");
    shape.push_back(size);
    if (end == rest.size()) return shape;
    rest.remove_prefix(end + 1);
  }
}

Tensor parse_tensor(Place at, std::string_view line, std::size_t row) {
  const auto [index, name, shape, elements, bytes] = split_row(at, line);
  if (parse_count(at, "index", index) != static_cast<std::int64_t>(row))
    refuse(at, "index is " + in_quotes(index) + ", but must be " + std::to_string(row) + ": rows count from 0");
  if (name.empty()) refuse(at, "name is empty, but must say which tensor it is");
  Tensor tensor{.name = std::string(name), .shape = parse_shape(at, shape), .elements = 1, .bytes = {}};
  for (const std::int64_t size : tensor.shape) tensor.elements = multiply(at, tensor.elements, size);
  if (parse_count(at, "elements", elements) != tensor.elements)
    refuse(at, "elements is " + in_quotes(elements) + ", but the shape " + in_quotes(shape) + " has " +
                   std::to_string(tensor.elements));
  tensor.bytes = {parse_count(at, "bytes", bytes)};
  multiply(at, tensor.elements, bytes_per_element.front());
  if (std::ranges::none_of(bytes_per_element, [&](auto each) { return tensor.bytes.n == each * tensor.elements; }))
    refuse(at, "bytes is " + in_quotes(bytes) + ", but must be 4 (fp32), 2 (fp16, bf16) or 1 (fp8) times the " +
                   std::to_string(tensor.elements) + " elements");
  return tensor;
}

}  // namespace

Workload parse_workload(std::string_view text, std::string_view name, std::string_view origin) {
  Workload workload{.name = std::string(name), .tensors = {}, .total = {}};
  std::set<std::string, std::less<>> names;
  std::size_t number = 0;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    const Place at{origin, ++number};
    if (number == 1) {
      if (line != header) refuse(at, "the first line is " + in_quotes(line) + ", but must be " + in_quotes(header));
      continue;
    }
    if (line.empty()) refuse(at, "the line is empty, but must be a row: " + std::string(header));
    Tensor tensor = parse_tensor(at, line, workload.tensors.size());
    if (!names.insert(tensor.name).second)
      refuse(at, "name is " + in_quotes(tensor.name) + " a second time, but each tensor must be listed once");
    if (__builtin_add_overflow(workload.total.n, tensor.bytes.n, &workload.total.n))
      refuse(at, "the table is too large: its bytes exceed 2^63 - 1");
    workload.tensors.push_back(std::move(tensor));
  }
  if (workload.tensors.empty())
    refuse({origin, number + 1}, "the table has no rows, but must have a header and at least one tensor");
  return workload;
}

Workload load_workload(std::string_view name, const std::filesystem::path& folder, const std::filesystem::path& base) {
  const std::filesystem::path file = file_named(name, library, folder, base);
  return parse_workload(read_text_file(file, "workload table", max_table_bytes), name, file.string());
}

Workload vector_of(std::string_view name, Bytes bytes) {
  constexpr std::int64_t each = bytes_per_element.front();
  if (bytes.n < each || bytes.n % each != 0)
    throw Error(ErrorKind::input, "must be a multiple of 4 B from 4 B: the tensor is of fp32");
  Tensor vector{.name = "vector", .shape = {bytes.n / each}, .elements = bytes.n / each, .bytes = bytes};
  return {.name = std::string(name), .tensors = {std::move(vector)}, .total = bytes};
}

std::vector<std::string> workload_names(const std::filesystem::path& folder) { return names_in(library, folder); }

}  // namespace ocs
