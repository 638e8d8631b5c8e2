// Tables of testbed/workloads, as far as tests of placers need them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace ocs {

/// Elements of each tensor of a model table.
inline std::vector<std::int64_t> read_elements(const std::filesystem::path& table) {
  std::vector<std::int64_t> elements;
  std::ifstream in(table);
  std::string line, cell;
  for (std::getline(in, line); std::getline(in, line);) {
    std::istringstream row(line);
    for (int column = 0; column < 4; ++column) std::getline(row, cell, ',');
    elements.push_back(std::stoll(cell));
  }
  return elements;
}

}  // namespace ocs
