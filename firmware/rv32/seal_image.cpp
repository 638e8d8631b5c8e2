// Build tool: puts length and sums into an image's header and writes it, the boot code and the symbols as C++.
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "firmware/ocs_mailbox.h"

namespace {

std::vector<std::uint32_t> words_of(const char* file) {
  std::ifstream in(file, std::ios::binary);
  const std::vector<unsigned char> bytes{std::istreambuf_iterator<char>(in), {}};
  std::vector<std::uint32_t> words((bytes.size() + 3) / 4);
  for (std::size_t k = 0; k < bytes.size(); ++k) words[k / 4] |= std::uint32_t{bytes[k]} << 8 * (k % 4);
  return words;
}

void seal(std::vector<std::uint32_t>& image) {
  std::uint32_t a = 0, b = 0;
  for (std::size_t k = OCS_IMAGE_HEADER_WORDS; k < image.size(); ++k) {
    a += image[k];
    b += a;
  }
  image[OCS_IMAGE_AT_MAGIC] = OCS_IMAGE_MAGIC;
  image[OCS_IMAGE_AT_WORDS] = static_cast<std::uint32_t>(image.size() - OCS_IMAGE_HEADER_WORDS);
  image[OCS_IMAGE_AT_SUM_A] = a;
  image[OCS_IMAGE_AT_SUM_B] = b;
}

void put_words(std::ostream& out, const std::string& name, const std::vector<std::uint32_t>& words) {
  out << "constexpr std::uint32_t " << name << "_words[] = {";
  for (std::size_t k = 0; k < words.size(); ++k) out << (k % 12 == 0 ? "\n    " : " ") << words[k] << "u,";
  out << "\n};\n";
}

/// Functions of `nm -n`, by address.
void put_symbols(std::ostream& out, const char* file) {
  out << "constexpr FirmwareSymbol symbols[] = {\n";
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    std::istringstream fields(line);
    std::string address, kind, name;
    if (fields >> address >> kind >> name && (kind == "T" || kind == "t"))
      out << "    {0x" << address.substr(address.size() > 8 ? address.size() - 8 : 0) << "u, \"" << name << "\"},\n";
  }
  out << "};\n";
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 6) {
    std::cerr << "usage: seal_image IMAGE.bin BOOT.bin SYMBOLS.txt FUNCTION OUT.cpp\n";
    return 2;
  }
  std::vector<std::uint32_t> image = words_of(arguments[1]);
  if (image.size() <= OCS_IMAGE_HEADER_WORDS || image.size() * 4 > OCS_IMAGE_MOST_BYTES) {
    std::cerr << "seal_image: the image " << arguments[1] << " has " << image.size() * 4
              << " bytes, but must have more "
              << "than a header and at most " << OCS_IMAGE_MOST_BYTES << "\n";
    return 1;
  }
  seal(image);
  std::ofstream out(arguments[5], std::ios::trunc);
  out << "// Written by seal_image: an image, the boot code, and where its functions are.\n"
      << "#include \"host/device/soc/firmware_image.hpp\"\n\nnamespace ocs {\nnamespace {\n";
  put_words(out, "image", image);
  put_words(out, "boot", words_of(arguments[2]));
  put_symbols(out, arguments[3]);
  out << "}  // namespace\n\nFirmwareImage " << arguments[4]
      << "() { return {.image = image_words, .boot = boot_words, .symbols = symbols}; }\n}  // namespace ocs\n";
  out.close();
  return out ? 0 : 1;
}
