// Reads an expectation and compares.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/regress/expectation.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

#include "host/core/error.hpp"
#include "host/core/list_text.hpp"
#include "testbed/experiment/quantity.hpp"
#include "testbed/results/rows/row.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs::regress {
namespace {

using Comparison = Expectation::Comparison;

struct Operator {
  std::string_view text;
  Comparison comparison;
};
// Those of two characters first: "<" begins "<=".
constexpr std::array<Operator, 6> operators{{{"<=", Comparison::at_most},
                                             {">=", Comparison::at_least},
                                             {"==", Comparison::equal},
                                             {"!=", Comparison::not_equal},
                                             {"<", Comparison::less},
                                             {">", Comparison::greater}}};

const Column& column_named(std::string_view name) {
  const std::string full = full_column_name(name);
  for (const Column& column : row_columns())
    if (column.name == full) return column;
  std::vector<std::string> known;
  for (const Column& column : row_columns()) {
    known.emplace_back(column.name);
    known.emplace_back(column.name.substr(0, column.name.rfind('_')));
  }
  const std::string near = nearest(name, known);
  refuse("must name a column of docs/results.md" +
         (near.empty() ? "" : "; the most similar one is " + in_quotes(near)));
}

std::optional<Dimension> dimension_of(const Column& column) {
  if (column.name.ends_with("_ps")) return Dimension::time;
  if (column.name.ends_with("_bytes")) return Dimension::size;
  if (column.name.ends_with("_bps")) return Dimension::rate;
  return std::nullopt;
}

template <class Number>
Number number_of(std::string_view text, const char* what) {
  Number number{};
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failed != std::errc() || end != text.data() + text.size()) refuse(std::string("must compare it with ") + what);
  return number;
}

Value value_of(const Column& column, std::string_view text) {
  if (text.empty()) refuse("must end with a value");
  if (const auto dimension = dimension_of(column)) return parse_quantity(text, *dimension);
  if (column.type == Column::Type::text) return std::string(text);
  if (column.type == Column::Type::whole) return number_of<std::int64_t>(text, "a whole number");
  return number_of<double>(text, "a number");
}

template <class T>
bool holds(Comparison comparison, const T& got, const T& value) {
  switch (comparison) {
    case Comparison::less:
      return got < value;
    case Comparison::at_most:
      return got <= value;
    case Comparison::equal:
      return got == value;
    case Comparison::not_equal:
      return got != value;
    case Comparison::at_least:
      return got >= value;
    case Comparison::greater:
      return got > value;
  }
  return false;
}

}  // namespace

std::string full_column_name(std::string_view name) {
  for (const std::string_view ending : {"", "_ps", "_bytes", "_s", "_bps"})
    for (const Column& column : row_columns())
      if (column.name == std::string(name) + std::string(ending)) return std::string(column.name);
  return "";
}

std::string value_in_words(const std::string& column, const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return in_quotes(*text);
  if (const auto* real = std::get_if<double>(&value)) return std::to_string(*real);
  const std::int64_t whole = std::get<std::int64_t>(value);
  if (whole >= 0 && column.ends_with("_ps")) return to_text(whole, Dimension::time);
  if (whole >= 0 && column.ends_with("_bytes")) return to_text(whole, Dimension::size);
  return std::to_string(whole);
}

Expectation parse_expectation(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++at)
    for (const Operator& each : operators) {
      if (!text.substr(at).starts_with(each.text)) continue;
      const std::string_view name = trimmed(text.substr(0, at));
      if (name.empty()) refuse("must begin with the name of a column");
      const Column& column = column_named(name);
      const bool ordered = each.comparison != Comparison::equal && each.comparison != Comparison::not_equal;
      if (ordered && column.type == Column::Type::text) refuse("must compare text with == or !=");
      return {.comparison = each.comparison,
              .text = std::string(trimmed(text)),
              .column = std::string(column.name),
              .value = value_of(column, trimmed(text.substr(at + each.text.size())))};
    }
  refuse("must be COLUMN OP VALUE, where OP is one of <, <=, ==, !=, >=, >");
}

std::string violation(const Expectation& expectation, const Value& got) {
  if (std::holds_alternative<std::monostate>(got))
    return "expected " + expectation.text + ", but rows of this kind of job have no " + expectation.column;
  bool held = false;
  if (const auto* real = std::get_if<double>(&expectation.value)) {
    const auto* whole = std::get_if<std::int64_t>(&got);
    held = whole != nullptr
               ? holds(expectation.comparison, static_cast<double>(*whole), *real)
               : std::holds_alternative<double>(got) && holds(expectation.comparison, std::get<double>(got), *real);
  } else {
    held = got.index() == expectation.value.index() && holds(expectation.comparison, got, expectation.value);
  }
  return held ? "" : "expected " + expectation.text + ", got " + value_in_words(expectation.column, got);
}

}  // namespace ocs::regress
