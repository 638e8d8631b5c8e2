// What a chain says, for people and as JSON.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "testbed/why/chain.hpp"
#include "testbed/why/difference.hpp"

namespace ocs {

/// A row, explained.
struct Explanation {
  std::string name;           ///< "row 3 of "results.db", policy sunflow"
  std::vector<Node> servers;  ///< empty: the run has none, or several jobs
  Span span;
  std::vector<Link> links;
};

std::string span_text(const Span& span);

/// Servers, causes with their shares and counts of links, ports that others waited for, then the links; of more than
/// `most` the first and the last.
std::string to_text(const Explanation& one, std::size_t most);

/// Servers and causes of both rows side by side, and where the rows part.
std::string to_text(const Explanation& one, const Explanation& other, const std::vector<std::string>& partings);

nlohmann::json to_json(const Explanation& one);

}  // namespace ocs
