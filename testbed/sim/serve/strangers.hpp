// Clients of a simulated server that don't behave: noise, floods, wrong passwords, commands that they may not give.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "testbed/sim/serve/links.hpp"

namespace ocs::sim {

/// None of them may change a circuit.
class Strangers {
 public:
  /// @param logins whether the server wants them: without, each valid command is allowed, so none is sent
  Strangers(Links& links, std::uint64_t seed, bool logins) : links_(links), draw_(seed), logins_(logins) {}
  /// One, with so many bytes.
  void come(std::uint64_t bytes);
  /// So many at once, each of which keeps its connection for a while.
  void flood(std::uint64_t count);
  /// So many with wrong passwords, from few addresses or from many.
  void guess(std::uint64_t count);

 private:
  std::string noise(std::uint64_t bytes);
  std::string forbidden(serve::Dialect dialect);
  std::string from_the_web(serve::Dialect dialect);
  void visit(serve::Dialect dialect, const std::string& address, const std::string& bytes);
  serve::Dialect any() { return static_cast<serve::Dialect>(draw_.below(serve::dialect_names.size())); }

  Links& links_;
  Draw draw_;
  bool logins_;
};

}  // namespace ocs::sim
