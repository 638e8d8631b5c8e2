// Stands in for libFuzzer in ordinary builds: every seed of a folder, then the same mutations of them each time.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
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

/// Runs one input. It is on disk while it runs, so that one that ends the program can be run again.
void run(const Input& input, const std::filesystem::path& last) {
  {
    std::ofstream stream(last, std::ios::binary | std::ios::trunc);
    stream.write(reinterpret_cast<const char*>(input.data()), static_cast<std::streamsize>(input.size()));
  }
  LLVMFuzzerTestOneInput(input.data(), input.size());
}

}  // namespace

/// Usage: fuzz_NAME FOLDER|FILE. A file is run once, as it is.
int main(int argc, char** argv) {
  if (argc != 2 || !std::filesystem::exists(argv[1])) {
    std::fprintf(stderr, "usage: %s FOLDER|FILE (of seeds; it has to exist)\n", argv[0]);
    return 2;
  }
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
  std::vector<Input> seeds;
  try {
    for (const auto& file : files) run(seeds.emplace_back(read(file)), last);
    if (std::filesystem::is_directory(given)) {
      Random random(1);
      for (int k = 0; k < mutations; ++k) {
        Input input = seeds[static_cast<std::size_t>(k) % seeds.size()];
        for (std::size_t changes = 1 + random.below(4); changes > 0; --changes) mutate(input, seeds, random);
        run(input, last);
      }
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "the target threw \"%s\" on the input that is now in %s\n", error.what(), last.c_str());
    return 1;
  }
  std::filesystem::remove(last);
  std::printf("%zu seeds\n", seeds.size());
  return 0;
}
