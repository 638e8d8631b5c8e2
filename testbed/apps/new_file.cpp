// Written in one piece.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/apps/new_file.hpp"

#include <cerrno>
#include <cstring>
#include <utility>

#include "host/core/error.hpp"

namespace ocs {

NewFile::NewFile(std::string name, std::string what) : name_(std::move(name)), what_(std::move(what)) {
  if (name_ == "-") return;
  file_.reset(std::fopen(name_.c_str(), "wbx"));  // x: what is there stays
  if (!file_)
    throw Error(ErrorKind::input, what_ + " can't be written to \"" + name_ + "\": " + std::strerror(errno) +
                                      "; name a new file in a folder that can be written");
}

void NewFile::write(const std::string& text) {
  std::FILE* out = file_ ? file_.get() : stdout;
  if (std::fwrite(text.data(), 1, text.size(), out) != text.size() || std::fflush(out) != 0)
    throw Error(ErrorKind::run, what_ + " can't be written to \"" + name_ + "\": " + std::strerror(errno));
}

}  // namespace ocs
