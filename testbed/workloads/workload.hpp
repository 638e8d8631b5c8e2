// Workloads: the tables of tensors that a job synchronises, read from CSV and checked line by line.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "host/core/units.hpp"

namespace ocs {

/// One trainable tensor, a row of the table.
struct Tensor {
  std::string name;
  std::vector<std::int64_t> shape;  ///< each at least 1
  std::int64_t elements;            ///< product of the shape
  Bytes bytes;                      ///< 4 (fp32), 2 (fp16, bf16) or 1 (fp8) for each element
};

/// A whole table; `tensors[k]` is the row with index k.
struct Workload {
  std::string name;  ///< as the experiment names it
  std::vector<Tensor> tensors;
  Bytes total;  ///< sum of the bytes
};

/// Parses a table: header `index,name,shape,elements,bytes`, then at least one row with index 0, 1, ... The format has
/// no quotes and no empty lines; lines end in LF or CR LF.
/// @param name becomes Workload::name. @param origin file name for messages.
/// @throws Error (input) that names file, line, the wrong value and what would be right.
Workload parse_workload(std::string_view text, std::string_view name, std::string_view origin);

/// Loads the table `name` of `folder`, or the file PATH of a name "file:PATH" (relative to `base`).
/// @throws Error (input): unknown name (with the known ones), unreadable file, or as parse_workload.
Workload load_workload(std::string_view name, const std::filesystem::path& folder, const std::filesystem::path& base);

/// One tensor of fp32 with so many bytes. @throws Error (input), half a sentence: "must be ..."
Workload vector_of(std::string_view name, Bytes bytes);

/// Names of the tables in `folder`, ascending. @throws Error (input) when the folder cannot be read.
std::vector<std::string> workload_names(const std::filesystem::path& folder);

}  // namespace ocs
