// Operations of a register program, appended one by one.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "host/conformance/program.hpp"

namespace ocs::conformance {

/// Indices that a register does not have are left out; values lose the bits that it does not have.
class OpList {
 public:
  void write(std::string_view name, std::uint64_t value, std::uint64_t first = 0, std::uint64_t second = 0) {
    Op op = access(Op::Kind::write, name, first, second);
    op.value = value & op.reg->limit();
    list_.push_back(op);
  }
  /// The bytes that `strobes` names, of each word.
  void write_bytes(std::string_view name, std::uint64_t value, std::uint8_t strobes, std::uint64_t first,
                   std::uint64_t second) {
    write(name, value, first, second);
    list_.back().strobes = strobes;
  }
  void read(std::string_view name, std::uint64_t first = 0, std::uint64_t second = 0) {
    list_.push_back(access(Op::Kind::read, name, first, second));
  }
  /// The shadow map's entry of an output: no circuit.
  void write_no_circuit(std::uint64_t output) {
    Op op = access(Op::Kind::write, "SHADOW", output, 0);
    op.valid = false;
    list_.push_back(op);
  }
  void advance(std::uint64_t cycles) { list_.push_back(plain(Op::Kind::advance, cycles)); }
  void drain() { list_.push_back(plain(Op::Kind::drain, 0)); }

  const std::vector<Op>& list() const { return list_; }

 private:
  static Op plain(Op::Kind kind, std::uint64_t value) {
    Op op;
    op.kind = kind;
    op.value = value;
    return op;
  }
  static Op access(Op::Kind kind, std::string_view name, std::uint64_t first, std::uint64_t second) {
    Op op = plain(kind, 0);
    op.reg = find_register(name);
    if (op.reg->indices() > 0) op.index[0] = static_cast<std::uint32_t>(first);
    if (op.reg->indices() > 1) op.index[1] = static_cast<std::uint32_t>(second);
    return op;
  }

  std::vector<Op> list_;
};

/// The output selects the input from the next cycle on; none: it selects nothing.
inline void connect(OpList& ops, std::uint64_t output, std::optional<std::uint64_t> input) {
  if (input)
    ops.write("SHADOW", *input, output);
  else
    ops.write_no_circuit(output);
  ops.write("COMMIT", 1);
}

}  // namespace ocs::conformance
