// Takes the words from the one list of columns.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/apps/column_lists.hpp"

#include <regex>
#include <span>

#include "testbed/apps/help/two_columns.hpp"
#include "testbed/results/rows/row.hpp"

namespace ocs {
namespace {

template <class Column>
std::vector<ListedColumn> listed(std::span<const Column> columns, std::optional<JobKind> kind) {
  std::vector<ListedColumn> list;
  for (const Column& column : columns) {
    const Presence& presence = column.value.presence;
    if (kind && (presence.kinds & kind_set(*kind)) == 0) continue;
    list.push_back({.name = std::string(column.name),
                    .type = std::string(name_of(column.type)),
                    .unit = std::string(column.unit),
                    .rows = presence_text(presence),
                    .meaning = std::string(column.meaning),
                    .everywhere = presence.everywhere()});
  }
  return list;
}

/// Names of columns and keys, which have "_" or "." within, as code.
std::string with_code(const std::string& text) {
  static const std::regex name("[A-Za-z0-9]+(?:[_.][A-Za-z0-9]+)+");
  return std::regex_replace(text, name, "`$&`");
}

}  // namespace

std::vector<ListedColumn> listed_columns(std::optional<JobKind> kind) { return listed(row_columns(), kind); }

std::vector<ListedColumn> listed_job_columns(std::optional<JobKind> kind) { return listed(job_columns(), kind); }

std::pair<std::string, std::string> list_line(const ListedColumn& column) {
  return {column.name + " " + column.type + (column.unit.empty() ? "" : " " + column.unit),
          column.meaning + (column.everywhere ? "" : " (of " + column.rows + ")")};
}

std::string markdown_list(const std::vector<ListedColumn>& columns) {
  std::string list;
  for (const ListedColumn& column : columns) {
    const std::string form = column.type + (column.unit.empty() ? "" : ", " + column.unit);
    const std::string rows = column.everywhere ? "" : "; " + with_code(column.rows);
    std::string item = "`" + column.name + "` (";
    item.append(form).append(rows).append("): ").append(with_code(column.meaning));
    list += list_item(item);
  }
  return list;
}

}  // namespace ocs
