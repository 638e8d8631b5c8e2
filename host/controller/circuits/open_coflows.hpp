// Coflows of which words are still to pass: when one ends, and what their owners have been given.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "host/core/id_table.hpp"
#include "host/core/policy.hpp"

namespace ocs {

/// The open coflows of one plane. A coflow is open from its first flow on until all its flows have passed.
class OpenCoflows {
 public:
  void add(const Flow& flow, std::uint32_t owner);
  /// A reservation of it begins: its owner is given so much.
  void give(Id coflow, Ticks length);
  /// So much of the flow has passed, or is given up. @returns whether its coflow has ended
  bool pass(Id flow, Ticks length);
  /// Nothing more of the flow will pass. @returns whether its coflow has ended
  bool drop(Id flow);
  bool any() const { return !coflows_.empty(); }
  std::vector<Attained> attained() const;  ///< of each open coflow: what its owner has been given

 private:
  struct Left {
    Id coflow;
    Ticks length;
  };
  struct Coflow {
    std::uint32_t owner = 0;
    std::size_t flows = 0;
  };
  IdTable<Left> flows_;
  std::map<Id, Coflow> coflows_;
  std::map<std::uint32_t, Ticks> given_;  ///< to each owner
};

}  // namespace ocs
