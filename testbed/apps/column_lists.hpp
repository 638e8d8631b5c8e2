// The columns of rows and of jobs, as a list and as one in Markdown.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "testbed/results/rows/job_kind.hpp"

namespace ocs {

/// What `lightloop list` says of a column.
struct ListedColumn {
  std::string name, type, unit, rows, meaning;
  bool everywhere = true;  ///< every row has it
};

/// @param kind those that rows of this kind of job can have; none: all
std::vector<ListedColumn> listed_columns(std::optional<JobKind> kind);
/// Of one of several jobs.
std::vector<ListedColumn> listed_job_columns(std::optional<JobKind> kind);

/// "pst_mean_ps integer ps", and its meaning with the rows that have it.
std::pair<std::string, std::string> list_line(const ListedColumn& column);

/// An item for each column, in lines of at most 100 characters: name, type and unit, the rows that have it unless all have
/// it, and its meaning.
std::string markdown_list(const std::vector<ListedColumn>& columns);

}  // namespace ocs
