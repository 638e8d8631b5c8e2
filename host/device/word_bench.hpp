// The bench around a switch that carries words: supplies those that engines offer, compares each that leaves.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "host/core/error.hpp"

namespace ocs {

/// The pins of words that cross. Masks have one bit a port, in up to 32 bytes; a word has 64 bytes.
struct WordPins {
  std::size_t ports = 0, mask_bytes = 0;
  const std::uint64_t* time_o = nullptr;
  const void* offer_o = nullptr;
  const std::uint32_t* index_o = nullptr;
  const std::uint16_t* tag_o = nullptr;
  unsigned char* word_i = nullptr;
  const void* up_o = nullptr;
  const std::uint8_t* input_o = nullptr;
  const void* word_valid_o = nullptr;
  const unsigned char* word_o = nullptr;
};

/// Looks at a switch with words of 512 bits after each edge. Word `index` of the burst `tag` on input i has in its
/// 32-bit lanes 2k the number index + k * 0x9E3779B9, in its lanes 2k + 1 the number {tag, i} + k * 0x85EBCA6B: no two
/// words of a run have equal lanes, unless the index wraps.
class WordBench {
 public:
  explicit WordBench(const WordPins& pins)
      : pins_(pins), ports_(pins.ports), next_(ports_), tags_(ports_, no_tag), base_(ports_) {}

  /// Looks at what left in the cycle before, if the fabric has moved, and supplies the words of the present one.
  /// @throws Error (run) when an output passes a word that it shouldn't, or none, or another one; when an engine leaves
  /// a word out.
  void after_edge() {
    const bool moved = *pins_.time_o != time_;
    if (*pins_.time_o == 0) {
      offered_ = {};  // after a reset
    } else if (moved) {
      compare();
    }
    time_ = *pins_.time_o;
    supply(moved);
  }

  /// Words that have left an output, every bit of them compared.
  std::uint64_t compared() const { return compared_; }

 private:
  static constexpr std::size_t word_bytes = 64, lanes = 16, most_ports = 256;
  static constexpr std::uint32_t no_tag = 1u << 16;
  using Mask = std::array<std::uint64_t, most_ports / 64>;
  // Vectors of the compiler (g++ and clang++): scalars would take three times as long.
  using Quarter = std::uint32_t __attribute__((vector_size(16)));
  using Word = std::array<Quarter, 4>;
  static bool zero(const Word& word) {
    const Quarter any = word[0] | word[1] | word[2] | word[3];
    return (any[0] | any[1] | any[2] | any[3]) == 0;
  }

  Mask mask_of(const void* bits) const {  // Verilator's vectors have their low bits first
    Mask mask{};
    std::memcpy(mask.data(), bits, std::min(pins_.mask_bytes, sizeof mask));
    return mask;
  }
  static bool has(const Mask& mask, std::size_t p) { return (mask[p / 64] >> p % 64 & 1) != 0; }

  void supply(bool moved) {
    const Mask stays = moved ? Mask{} : offered_;  // the same words as at the edge before
    offered_ = mask_of(pins_.offer_o);
    if (stays != Mask{} && stays != offered_)  // a register write took an offer back
      for (std::size_t i = 0; i < ports_; ++i) next_[i] -= has(stays, i) && !has(offered_, i) ? 1 : 0;
    if (offered_ == Mask{}) return;
    up_ = mask_of(pins_.up_o);
    std::memcpy(selected_.data(), pins_.input_o, ports_);
    // Words are written as bytes, which may be anything to the compiler: what the loop reads is held in locals.
    const std::uint32_t* const indices = pins_.index_o;
    const std::uint16_t* const bursts = pins_.tag_o;
    unsigned char* const words = pins_.word_i;
    const std::uint32_t* const tags = tags_.data();
    std::uint32_t* const next = next_.data();
    const Word* const base = base_.data();
    for (std::size_t i = 0, ports = ports_; i < ports; ++i) {
      if (!has(offered_, i)) continue;
      const std::uint32_t index = indices[i];
      const std::uint32_t due = next[i] - (has(stays, i) ? 1 : 0);
      if (index != due && index != 0) left_out(i, index, due);
      next[i] = index + 1;
      if (const std::uint16_t tag = bursts[i]; tag != tags[i]) begin_burst(i, tag);
      const Quarter number{index, 0, index, 0};
      Word word = base[i];
      for (Quarter& quarter : word) quarter += number;
      std::memcpy(words + i * word_bytes, &word, sizeof word);
    }
  }

  void begin_burst(std::size_t input, std::uint16_t tag) {
    tags_[input] = tag;
    const std::uint32_t name = std::uint32_t{tag} << 16 | static_cast<std::uint32_t>(input);
    std::array<std::uint32_t, lanes> base{};
    for (std::size_t k = 0; k < lanes / 2; ++k) {
      base[2 * k] = static_cast<std::uint32_t>(k) * 0x9E37'79B9u;
      base[2 * k + 1] = name + static_cast<std::uint32_t>(k) * 0x85EB'CA6Bu;
    }
    std::memcpy(&base_[input], base.data(), sizeof base);
  }

  void compare() {
    const Mask left = mask_of(pins_.word_valid_o);
    if (offered_ == Mask{} && left == Mask{}) return;
    const unsigned char* const given = pins_.word_i;
    const unsigned char* const got = pins_.word_o;
    Word difference{};
    for (std::size_t o = 0, ports = ports_; o < ports; ++o) {
      const std::size_t input = selected_[o];
      const bool passed = has(up_, o) && has(offered_, input);
      if (passed != has(left, o))
        wrong(o, passed ? "didn't pass the word of" : "passed a word though it had none from");
      if (passed) differ(difference, got + o * word_bytes, given + input * word_bytes);
    }
    for (const std::uint64_t some : left) compared_ += static_cast<std::uint64_t>(std::popcount(some));
    if (zero(difference)) return;
    for (std::size_t o = 0; o < ports_; ++o) {
      difference = {};
      if (has(left, o)) differ(difference, got + o * word_bytes, given + selected_[o] * word_bytes);
      if (!zero(difference)) wrong(o, "passed another word than that of");
    }
  }

  /// Adds the bits in which a word that left isn't the one that its input was given.
  static void differ(Word& difference, const unsigned char* word_out, const unsigned char* word_in) {
    const auto add = [&](Quarter& bits, std::size_t at) {
      Quarter got, given;
      std::memcpy(&got, word_out + at, sizeof got);
      std::memcpy(&given, word_in + at, sizeof given);
      bits |= got ^ given;
    };
    for (std::size_t k = 0; k < difference.size(); ++k) add(difference[k], k * sizeof(Quarter));
  }

  [[noreturn]] void wrong(std::size_t output, const char* what) const {
    throw Error(ErrorKind::run, "cycle " + std::to_string(time_) + ": output " + std::to_string(output) + " " + what +
                                    " input " + std::to_string(selected_[output]) + " (number " +
                                    std::to_string(next_[selected_[output]] - 1) + ")");
  }
  [[noreturn]] void left_out(std::size_t input, std::uint32_t index, std::uint32_t due) const {
    throw Error(ErrorKind::run, "cycle " + std::to_string(time_) + ": the engine of input " + std::to_string(input) +
                                    " offers word " + std::to_string(index) + ", not " + std::to_string(due));
  }

  WordPins pins_;
  std::size_t ports_;
  std::uint64_t time_ = 0, compared_ = 0;
  // Of the present cycle.
  Mask offered_{}, up_{};
  std::array<std::uint8_t, most_ports> selected_{};
  std::vector<std::uint32_t> next_;  ///< index of the word that comes after it
  // Of each input's burst: what its words have in common.
  std::vector<std::uint32_t> tags_;
  std::vector<Word> base_;
};

}  // namespace ocs
