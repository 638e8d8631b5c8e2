// Reads files whole and makes wrong values readable.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/workloads/input.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <system_error>
#include <vector>

#include "host/core/error.hpp"
#include "testbed/workloads/folder.hpp"

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

constexpr std::chrono::seconds patience_with_a_pipe{10};

/// A file that is read in pieces. A named pipe that gives nothing for too long is refused: perhaps nobody writes to it.
class InputFile {
 public:
  InputFile(const std::filesystem::path& file, std::string thing)
      : thing_(std::move(thing)), descriptor_(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    struct stat status {};
    if (descriptor_ < 0) refuse();
    pipe_ = fstat(descriptor_, &status) == 0 && S_ISFIFO(status.st_mode);
    if (!pipe_) fcntl(descriptor_, F_SETFL, 0);
  }
  ~InputFile() { close(descriptor_); }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  /// @return how many bytes there are now; 0: it has ended.
  std::size_t read(std::span<char> chunk) {
    for (;;) {
      const ssize_t got = ::read(descriptor_, chunk.data(), chunk.size());
      if (got > 0 || (got == 0 && (begun_ || !pipe_))) {
        begun_ = true;
        return static_cast<std::size_t>(got);
      }
      if (got < 0 && errno == EINTR) continue;
      if (got < 0 && errno != EAGAIN) refuse();
      if (!wait()) return 0;
    }
  }

 private:
  [[noreturn]] void refuse() const {
    throw Error(ErrorKind::input, thing_ + " can't be read: " + std::strerror(errno));
  }
  /// False: who wrote to the pipe has closed it.
  bool wait() const {
    const auto deadline = std::chrono::steady_clock::now() + patience_with_a_pipe;
    for (;;) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
      pollfd ready{descriptor_, POLLIN, 0};
      const int found = poll(&ready, 1, static_cast<int>(std::max<std::int64_t>(left.count(), 0)));
      if (found > 0) return (ready.revents & POLLIN) != 0;
      if (found == 0)
        throw Error(ErrorKind::input, thing_ + " is a pipe from which nothing came for " +
                                          std::to_string(patience_with_a_pipe.count()) + " s");
    }
  }

  std::string thing_;
  int descriptor_;
  bool pipe_ = false;
  bool begun_ = false;  ///< somebody has written to the pipe
};

}  // namespace

std::string read_text_file(const std::filesystem::path& file, std::string_view what, std::size_t max_bytes) {
  const std::string thing = std::string(what) + " " + in_quotes(file.string());
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) throw Error(ErrorKind::input, thing + " is a folder, not a file");
  InputFile input(file, thing);
  std::string text;
  std::vector<char> chunk(std::size_t{1} << 16);
  while (const std::size_t got = input.read(chunk)) {
    text.append(chunk.data(), got);
    if (text.size() > max_bytes)
      throw Error(ErrorKind::input,
                  thing + " is larger than " + std::to_string(max_bytes) + " bytes, the most allowed");
  }
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
  std::vector<std::string> names;
  try {
    for (const std::filesystem::path file : names_in_folder(folder.string()))
      if (file.extension() == library.ending && file.stem() != library.except) names.push_back(file.stem().string());
  } catch (const std::system_error& failure) {
    throw Error(ErrorKind::input, "the folder of " + std::string(library.plural) + " " + in_quotes(folder.string()) +
                                      " can't be read: " + failure.code().message() +
                                      "; LIGHTLOOP_DATA may name another data folder");
  }
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
