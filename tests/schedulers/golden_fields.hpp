// Strict access to the fields of a JSON object: what is missing, of the wrong kind or unknown is an
// error with its path.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace ocs::golden {

/// Sender, receiver, blocks, and a word for what the receiver does.
struct GoldenTransfer {
  std::int64_t sender, receiver;
  std::vector<std::int64_t> blocks;
  std::string what;
};

/// One object of a golden file. All functions throw ocs::Error (input) that names file and field.
/// The JSON value must outlive it.
class Fields {
 public:
  /// @param path what goes before a field's name in messages: the file, the case, the objects around it.
  Fields(const nlohmann::json& object, std::string path);

  bool has(std::string_view name) const { return object_.contains(std::string(name)); }
  std::int64_t integer(std::string_view name, std::int64_t low, std::int64_t high) const;
  std::string text(std::string_view name) const;
  bool truth(std::string_view name) const;
  Fields object(std::string_view name) const;
  /// Integers of the array `name`, each in [low, high].
  std::vector<std::int64_t> integers(std::string_view name, std::int64_t low, std::int64_t high) const;
  /// Arrays of integers, each in [low, high].
  std::vector<std::vector<std::int64_t>> lists(std::string_view name, std::int64_t low, std::int64_t high) const;
  /// Arrays of `width` non-negative integers.
  std::vector<std::vector<std::int64_t>> rows(std::string_view name, std::size_t width) const;
  bool is_null(std::string_view name) const { return at(name).is_null(); }
  bool is_text(std::string_view name) const { return at(name).is_string(); }
  std::vector<std::string> texts(std::string_view name) const;
  /// Strings and arrays of integers, each in [low, high], of the array `name`.
  std::vector<std::variant<std::string, std::vector<std::int64_t>>> texts_or_integers(std::string_view name,
                                                                                      std::int64_t low,
                                                                                      std::int64_t high) const;
  /// Arrays of transfers, each [sender, receiver, [blocks], what]; all numbers below 65536.
  std::vector<std::vector<GoldenTransfer>> transfers(std::string_view name) const;
  /// The objects of the array `name`.
  std::vector<Fields> objects(std::string_view name) const;
  /// Refuses every field that isn't named here.
  void only(std::initializer_list<std::string_view> names) const;
  [[noreturn]] void fail(std::string_view name, const std::string& what) const;

 private:
  const nlohmann::json& at(std::string_view name) const;
  std::int64_t to_integer(const nlohmann::json& value, std::string_view name, std::int64_t low,
                          std::int64_t high) const;
  const nlohmann::json& to_array(const nlohmann::json& value, std::string_view name) const;

  const nlohmann::json& object_;
  std::string path_;
};

}  // namespace ocs::golden
