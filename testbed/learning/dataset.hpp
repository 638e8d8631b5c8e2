// Pictures with labels, for training and for tests.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace ocs {

/// Where the Debian package dataset-fashion-mnist installs its files.
inline constexpr const char* usual_dataset_folder = "/usr/share/datasets/fashion-mnist";

/// One row a picture.
struct Pictures {
  std::vector<std::uint8_t> pixels;
  std::vector<std::uint8_t> labels;  ///< each below Dataset::classes
  std::size_t count() const { return labels.size(); }
};

struct Dataset {
  static constexpr std::size_t classes = 10;

  std::size_t inputs = 0;  ///< pixels of a picture
  Pictures train, test;
  std::vector<float> mean;  ///< of pixel / 255 over train

  /// Features of pictures `which` (each below count()), one after the other: pixel / 255 minus the mean of training.
  /// @param out has which.size() * inputs elements
  void features(const Pictures& of, std::span<const std::uint32_t> which, std::span<float> out) const;
};

/// Reads the four files {train,t10k}-{images-idx3,labels-idx1}-ubyte.gz.
/// @throws Error (input) that names the file; if it isn't there, also the Debian package that has it
Dataset load_dataset(const std::filesystem::path& folder);

}  // namespace ocs
