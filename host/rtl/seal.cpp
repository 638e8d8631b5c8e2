// A damaged object would end the program when it is loaded (SIGBUS, SIGSEGV); so it is compared with its seal before.
// SPDX-License-Identifier: Apache-2.0
#include "host/rtl/seal.hpp"

#include <sodium.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include "host/core/error.hpp"

namespace ocs::rtl {
namespace {

constexpr std::string_view magic = "LIGHTLOOP-SWITCH";
constexpr std::size_t digits = 32;
constexpr std::size_t seal_size = magic.size() + 2 * digits;  // magic, sources, check sum of everything before it

}  // namespace

std::string hash_of(const std::vector<std::string>& pieces) {
  crypto_generichash_state state{};
  std::array<unsigned char, digits / 2> sum{};
  crypto_generichash_init(&state, nullptr, 0, sum.size());
  for (const std::string& piece : pieces) {
    const std::string size = std::to_string(piece.size()) + ":";
    for (const std::string* part : {&size, &piece})
      crypto_generichash_update(&state, reinterpret_cast<const unsigned char*>(part->data()), part->size());
  }
  crypto_generichash_final(&state, sum.data(), sum.size());
  std::array<char, digits + 1> text{};
  sodium_bin2hex(text.data(), text.size(), sum.data(), sum.size());
  return text.data();
}

std::string contents_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in)
    throw Error(ErrorKind::run, "\"" + file.string() + "\" can't be read: " + std::strerror(errno == 0 ? EIO : errno));
  return text;
}

void seal(const std::filesystem::path& object, const std::string& sources) {
  const std::string sealed = contents_of(object) + std::string(magic) + sources;
  std::ofstream out(object, std::ios::binary | std::ios::app);
  out << magic << sources << hash_of({sealed});
  out.close();
  if (!out) throw Error(ErrorKind::run, "\"" + object.string() + "\" can't be written: " + std::strerror(errno));
}

std::optional<std::string> sealed_sources(const std::filesystem::path& object) {
  std::error_code missing;
  if (!std::filesystem::is_regular_file(object, missing)) return std::nullopt;
  std::string text = contents_of(object);
  if (text.size() < seal_size) return std::nullopt;
  const std::string sum = text.substr(text.size() - digits);
  text.resize(text.size() - digits);
  if (text.compare(text.size() - digits - magic.size(), magic.size(), magic) != 0) return std::nullopt;
  if (hash_of({text}) != sum) return std::nullopt;
  return text.substr(text.size() - digits);
}

}  // namespace ocs::rtl
