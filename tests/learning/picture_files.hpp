// Pictures as files, for nodes that are processes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/learning/support.hpp"

namespace ocs::test {

/// A folder with the pictures as files, of this object alone: tests run side by side.
class PictureFiles {
 public:
  PictureFiles() {
    std::string name = testing::TempDir() + "drawn_pictures_XXXXXX";
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("there can be no folder " + name);
    path_ = name;
    const Dataset data = drawn_pictures(600, 200);
    write("train", data.train);
    write("t10k", data.test);
  }
  ~PictureFiles() { std::filesystem::remove_all(path_); }
  PictureFiles(const PictureFiles&) = delete;
  PictureFiles& operator=(const PictureFiles&) = delete;
  const std::string& path() const { return path_; }

 private:
  void write(const std::string& name, const Pictures& pictures) const {
    const auto count = static_cast<std::uint32_t>(pictures.count());
    write_file(name + "-images-idx3-ubyte.gz", idx({count, 28, 28}, pictures.pixels));
    write_file(name + "-labels-idx1-ubyte.gz", idx({count}, pictures.labels));
  }
  void write_file(const std::string& name, const std::vector<std::uint8_t>& bytes) const {
    const auto packed = gzip(bytes);
    std::ofstream(path_ + "/" + name, std::ios::binary)
        .write(reinterpret_cast<const char*>(packed.data()), static_cast<std::streamsize>(packed.size()));
  }
  std::string path_;
};

}  // namespace ocs::test
