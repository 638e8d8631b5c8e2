// Golden cases, one test a file: every *.json below $LIGHTLOOP_GOLDENS, or below
// tests/goldens/schedulers/, tests/goldens/sync/ and tests/goldens/collectives/.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "host/core/error.hpp"
#include "tests/common/places.hpp"
#include "tests/schedulers/golden_checks.hpp"

namespace ocs::golden {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> folders() {
  if (const char* named = std::getenv("LIGHTLOOP_GOLDENS")) return {named};
  const fs::path goldens = fs::path(ocs::test::source_dir()) / "tests/goldens";
  return {goldens / "schedulers", goldens / "sync", goldens / "collectives"};
}

struct File {
  fs::path path, folder;
};
void PrintTo(const File& file, std::ostream* out) { *out << file.path.string(); }

std::vector<File> files() {
  std::vector<File> list;
  std::error_code none;
  for (const fs::path& folder : folders())
    for (fs::recursive_directory_iterator it(folder, fs::directory_options::follow_directory_symlink, none), end;
         it != end; it.increment(none))
      if (it->is_regular_file() && it->path().extension() == ".json") list.push_back({it->path(), folder});
  std::sort(list.begin(), list.end(), [](const File& a, const File& b) { return a.path < b.path; });
  return list;
}

/// GoogleTest wants letters, digits and underscores; the number keeps names apart.
std::string test_name(const testing::TestParamInfo<File>& info) {
  std::string name = fs::relative(info.param.path, info.param.folder).replace_extension().string();
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name + "_" + std::to_string(info.index);
}

class Goldens : public testing::TestWithParam<File> {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Goldens);
INSTANTIATE_TEST_SUITE_P(File, Goldens, testing::ValuesIn(files()), test_name);

TEST_P(Goldens, AreMet) {
  std::ifstream in(GetParam().path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  ASSERT_TRUE(in) << GetParam().path << " cannot be read";
  try {
    for (const Case& golden : parse_cases(text.str(), GetParam().path.string())) {
      SCOPED_TRACE(GetParam().path.string() + ": " + golden.name);
      std::visit([](const auto& content) { check(content); }, golden.content);
    }
  } catch (const Error& error) {
    FAIL() << error.what();
  }
}

TEST(GoldenFolder, HoldsCases) { EXPECT_FALSE(files().empty()) << "no *.json below " << folders().front(); }

}  // namespace
}  // namespace ocs::golden
