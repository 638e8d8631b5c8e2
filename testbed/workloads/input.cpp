// Reads files whole and makes wrong values readable.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/workloads/input.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <system_error>
#include <vector>

#include "host/core/error.hpp"

namespace ocs {
namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string read_text_file(const std::filesystem::path& file, std::string_view what, std::size_t max_bytes) {
  const std::string thing = std::string(what) + " " + in_quotes(file.string());
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) throw Error(ErrorKind::input, thing + " is a folder, not a file");
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream(std::fopen(file.c_str(), "rb"), std::fclose);
  if (!stream) throw Error(ErrorKind::input, thing + " can't be read: " + std::strerror(errno));
  std::string text;
  std::vector<char> chunk(std::size_t{1} << 16);
  while (const std::size_t got = std::fread(chunk.data(), 1, chunk.size(), stream.get())) {
    text.append(chunk.data(), got);
    if (text.size() > max_bytes)
      throw Error(ErrorKind::input,
                  thing + " is larger than " + std::to_string(max_bytes) + " bytes, the most allowed");
  }
  if (std::ferror(stream.get()) != 0) throw Error(ErrorKind::input, thing + " can't be read: " + std::strerror(errno));
  return text;
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t longest = 60;
  std::string result = "\"";
  for (const char c : text.substr(0, longest)) result += c >= ' ' && c <= '~' ? c : '?';
  return result + (text.size() > longest ? "...\"" : "\"");
}

std::string nearest(std::string_view name, std::span<const std::string> known) {
  constexpr std::size_t longest = 64;  // a name that is longer than every known one is like none
  if (name.size() > longest) return {};
  std::string best;
  std::size_t least = 1 + std::max<std::size_t>(2, name.size() / 3);
  for (const std::string& candidate : known) {
    const std::size_t distance = edit_distance(name, candidate);
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

std::vector<std::string> names_in(const Library& library, const std::filesystem::path& folder) {
  std::error_code failure;
  std::vector<std::string> names;
  for (std::filesystem::directory_iterator entry(folder, failure), end; !failure && entry != end;
       entry.increment(failure))
    if (const std::filesystem::path& file = entry->path();
        file.extension() == library.ending && file.stem() != library.except)
      names.push_back(file.stem().string());
  if (failure)
    throw Error(ErrorKind::input, "the folder of " + std::string(library.plural) + " " + in_quotes(folder.string()) +
                                      " can't be read: " + failure.message() +
                                      "; LIGHTLOOP_DATA may name another data folder");
  std::sort(names.begin(), names.end());
  return names;
}

std::filesystem::path file_named(std::string_view name, const Library& library, const std::filesystem::path& folder,
                                 const std::filesystem::path& base) {
  constexpr std::string_view scheme = "file:";
  if (name.starts_with(scheme)) return base / std::string(name.substr(scheme.size()));
  const std::vector<std::string> known = names_in(library, folder);
  if (std::find(known.begin(), known.end(), name) == known.end()) {
    std::error_code failure;
    const bool is_file = std::filesystem::is_regular_file(base / std::string(name), failure);
    const std::string like = is_file ? std::string(scheme) + std::string(name) : nearest(name, known);
    throw Error(ErrorKind::input,
                "unknown " + std::string(library.kind) + " " + in_quotes(name) +
                    (like.empty() ? "; known: " : " (did you mean " + in_quotes(like) + "?); known: ") + joined(known) +
                    ", or " + std::string(library.path));
  }
  return folder / (std::string(name) + std::string(library.ending));
}

std::string joined(std::span<const std::string> names) {
  std::string result;
  for (const std::string& name : names) result += (result.empty() ? "" : ", ") + name;
  return result;
}

}  // namespace ocs
