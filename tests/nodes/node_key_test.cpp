// Keys of runs: made, written, read back, and refused with a sentence that doesn't show them.
// SPDX-License-Identifier: Apache-2.0
#include "host/transport/node_key.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "host/core/error.hpp"

namespace ocs {
namespace {

using testing::HasSubstr;

std::string refusal(const std::string& text) {
  try {
    parse_node_key(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), 2);
    return error.what();
  }
  return "";
}

TEST(NodeKey, IsReadAsItIsWritten) {
  const NodeKey key = make_node_key();
  EXPECT_NE(key.secret, make_node_key().secret);
  const NodeKey again = parse_node_key(key.secret + "\n");
  EXPECT_EQ(again.secret, key.secret);
  EXPECT_EQ(again.open, key.open);
}

TEST(NodeKey, IsRefusedIfItIsNone) {
  const std::string key = make_node_key().secret;
  EXPECT_THAT(refusal(""), HasSubstr("has 0 characters, but must be one key of 40 characters"));
  EXPECT_THAT(refusal(key + key), HasSubstr("has 80 characters"));
  EXPECT_THAT(refusal(key.substr(1) + "\""), HasSubstr("alphabet Z85"));
  EXPECT_THAT(refusal(key.substr(1) + std::string(1, '\0')), HasSubstr("alphabet Z85"));
  EXPECT_THAT(refusal(std::string(40, '#')), HasSubstr("no number of 256 bits"));
  EXPECT_THAT(refusal(key.substr(1) + "\""), testing::Not(HasSubstr(key.substr(1))));
}

TEST(NodeKey, IsInAFileThatOnlyItsOwnerReads) {
  const auto folder = std::filesystem::temp_directory_path() / ("lightloop-key-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  const std::string path = (folder / "key").string();
  write_new_node_key(path);
  struct stat status {};
  stat(path.c_str(), &status);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
  const NodeKey key = read_node_key(path);
  EXPECT_THROW(write_new_node_key(path), Error) << "a key is never replaced";
  const InheritedKey inherited(key);
  EXPECT_EQ(read_node_key("/proc/self/fd/" + std::to_string(inherited.descriptor())).open, key.open);
  const auto refused = [&](const std::string& file) -> std::string {
    try {
      read_node_key(file);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  chmod(path.c_str(), 0640);
  EXPECT_THAT(refused(path), HasSubstr("key can be read or written by others than its owner"));
  EXPECT_THAT(refused(path + "s"), HasSubstr("No such file"));
  EXPECT_THAT(refused(folder.string()), HasSubstr("must be a file"));
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace ocs
