// Which parameter server owns which key: the first map, and how a map is bettered when rates have changed.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "host/core/units.hpp"

namespace ocs {

/// Owners in one version; each key has exactly one, a server's number.
struct LoadMap {
  std::uint32_t version = 0;
  std::vector<std::uint16_t> owner;  ///< of each key
  friend bool operator==(const LoadMap&, const LoadMap&) = default;
};

struct KeyMove {
  std::uint32_t key;
  std::uint16_t from, to;
  friend bool operator==(const KeyMove&, const KeyMove&) = default;
};

/// Which servers run on nodes of workers. What such a worker gives its own server, and gets from it, crosses no port;
/// what it exchanges with the other servers crosses the server's port too, but the other way.
struct Colocation {
  std::size_t workers = 0;      ///< of the job
  std::vector<char> on_worker;  ///< of each server; empty: none is
};

/// What is to be served at which rates. The time of a server is load / rate where each has a node of its own. Else it is
/// n load / rate, n the number of workers; but of a server on the node of one of them the larger of (n - 1) load and of
/// all other keys, which its worker pushes and pulls, over the rate. All comparisons are of exact fractions.
/// @throws Error (input) from every function below if there is no key or server, more than 65535 servers, a key without
/// bytes or more than 2^46 of them in all (where servers run on nodes of workers: times the workers), a rate that isn't
/// 1 to 2^50 bit/s, or a colocation of other servers or without workers.
struct LoadProblem {
  std::span<const Bytes> keys;             ///< size of each, > 0
  std::span<const std::int64_t> rates;     ///< of each server, bit/s, > 0
  const Colocation* colocation = nullptr;  ///< none: servers have nodes of their own
};

/// Keys by size, the largest first (ties: the lower key), each to the server with the least (load + size) / rate (ties:
/// the lower server); where servers run on nodes of workers, with the least time of serving that.
std::vector<std::uint16_t> start_map(const LoadProblem& problem);

/// The load of each server, in bytes.
std::vector<Bytes> loads_of(std::span<const Bytes> keys, std::span<const std::uint16_t> owner, std::size_t servers);

struct Redistribution {
  std::vector<std::uint16_t> owner;
  std::vector<KeyMove> moves;  ///< in the order in which they were chosen; each key at most once
  Bytes moved;                 ///< all of them together
};

/// While it helps: of the server with the longest time (ties: the lower one), the move of a key that hasn't
/// moved yet to another server for which the larger of the two new times is least (ties: lower key, then lower server),
/// if that is below the time before. @param budget no move goes beyond so many bytes in all.
Redistribution redistribute(const LoadProblem& problem, std::span<const std::uint16_t> owner,
                            std::optional<Bytes> budget = {});

/// Whether the longest time of a server in `before` is more than num / den times that of `after`.
bool worth_it(const LoadProblem& problem, std::span<const std::uint16_t> before, std::span<const std::uint16_t> after,
              std::uint32_t num, std::uint32_t den);

}  // namespace ocs
