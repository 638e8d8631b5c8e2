// Stands in for libFuzzer in ordinary builds: every seed of a folder, then the same mutations of them each time.
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using Input = std::vector<std::uint8_t>;

constexpr int mutations = 4000;
constexpr std::size_t longest = 64 * 1024;
constexpr rlim_t stack_bytes = rlim_t{1} << 20;  // a parser that recurses with its input is found by short inputs

/// splitmix64.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15U;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31);
  }
  /// Uniform in [0, bound), bound > 0.
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(next() % bound); }

 private:
  std::uint64_t state_;
};

Input read(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::ptrdiff_t at(std::size_t position) { return static_cast<std::ptrdiff_t>(position); }

/// One change of a random kind: a bit, a byte, a piece taken out, repeated, or brought in from another seed.
void mutate(Input& input, const std::vector<Input>& seeds, Random& random) {
  if (input.empty()) input.push_back(static_cast<std::uint8_t>(random.next()));
  const std::size_t from = random.below(input.size());
  const std::size_t count = 1 + random.below(std::min<std::size_t>(input.size() - from, 32));
  const auto begin = input.begin() + at(from);
  switch (random.below(6)) {
    case 0:
      input[from] = static_cast<std::uint8_t>(input[from] ^ (1U << random.below(8)));
      break;
    case 1:
      input[from] = static_cast<std::uint8_t>(random.next());
      break;
    case 2:
      input.erase(begin, begin + at(count));
      break;
    case 3: {
      const Input piece(begin, begin + at(count));
      input.insert(begin, piece.begin(), piece.end());
      break;
    }
    case 4: {
      const Input& other = seeds[random.below(seeds.size())];
      if (other.empty()) break;
      const std::size_t first = random.below(other.size());
      const std::size_t length = 1 + random.below(std::min<std::size_t>(other.size() - first, 64));
      input.insert(begin, other.begin() + at(first), other.begin() + at(first + length));
      break;
    }
    default:
      input.resize(from);
  }
  if (input.size() > longest) input.resize(longest);
}

/// The input that runs, for the handler: a path, bytes and their number.
struct Running {
  std::array<char, 4096> path{};
  const std::uint8_t* data = nullptr;
  std::size_t size = 0;
};
Running running;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables): a signal handler has no other way to it

constexpr unsigned longest_run = 60;  // s

/// Writes the input that runs, so that it can be run again. Only signal-safe calls may stand here.
void keep_input() {
  const int file = ::open(running.path.data(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  for (std::size_t at = 0; file >= 0 && at < running.size;) {
    const ssize_t written = ::write(file, running.data + at, running.size - at);
    if (written <= 0) break;
    at += static_cast<std::size_t>(written);
  }
}

void on_signal(int signal) {
  keep_input();
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

/// A stack of its own for the handler: an input may use up the program's.
void keep_what_ends_the_program(const std::filesystem::path& last) {
  static std::array<char, 64 * 1024> stack;
  const stack_t other{stack.data(), 0, stack.size()};
  ::sigaltstack(&other, nullptr);
  last.native().copy(running.path.data(), running.path.size() - 1);
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_ONSTACK;
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM}) ::sigaction(signal, &action, nullptr);
}

/// Runs one input; one that takes longer than a minute ends the program.
void run(const Input& input) {
  running.data = input.data();
  running.size = input.size();
  ::alarm(longest_run);
  try {
    LLVMFuzzerTestOneInput(input.data(), input.size());
  } catch (...) {
    keep_input();
    throw;
  }
  ::alarm(0);
}

}  // namespace

/// Usage: fuzz_NAME FOLDER|FILE. A file is run once, as it is.
int main(int argc, char** argv) {
  if (argc != 2 || !std::filesystem::exists(argv[1])) {
    std::fprintf(stderr, "usage: %s FOLDER|FILE (of seeds; it has to exist)\n", argv[0]);
    return 2;
  }
  rlimit stack{};
  getrlimit(RLIMIT_STACK, &stack);
  stack.rlim_cur = stack_bytes;
  if (setrlimit(RLIMIT_STACK, &stack) != 0) std::fprintf(stderr, "the stack can't be limited\n");
  const std::filesystem::path given = argv[1];
  std::vector<std::filesystem::path> files;
  if (std::filesystem::is_directory(given)) {
    for (const auto& entry : std::filesystem::directory_iterator(given)) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
  } else {
    files.push_back(given);
  }
  if (files.empty()) {
    std::fprintf(stderr, "%s: no seed in it; a fuzz target has at least one\n", argv[1]);
    return 2;
  }

  const std::filesystem::path last =
      std::filesystem::current_path() / (std::filesystem::path(argv[0]).filename().string() + ".last");
  keep_what_ends_the_program(last);
  std::vector<Input> seeds;
  try {
    for (const auto& file : files) run(seeds.emplace_back(read(file)));
    if (std::filesystem::is_directory(given)) {
      Random random(1);
      for (int k = 0; k < mutations; ++k) {
        Input input = seeds[static_cast<std::size_t>(k) % seeds.size()];
        for (std::size_t changes = 1 + random.below(4); changes > 0; --changes) mutate(input, seeds, random);
        run(input);
      }
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "the target threw \"%s\" on the input that is now in %s\n", error.what(), last.c_str());
    return 1;
  }
  std::printf("%zu seeds\n", seeds.size());
  return 0;
}
