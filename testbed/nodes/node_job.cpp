// What every node of a job knows about it.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/nodes/node_job.hpp"

#include <algorithm>
#include <array>

#include "host/core/catalogue.hpp"

namespace ocs {
namespace {

struct ModeName {
  std::string_view name;
  PayloadMode mode;
};
constexpr std::array<ModeName, 3> modes = {
    {{"full", PayloadMode::full}, {"digest", PayloadMode::digest}, {"none", PayloadMode::none}}};

}  // namespace

PayloadMode payload_mode(std::string_view name) {
  return find(std::span<const ModeName>(modes), name, "payload mode").mode;
}

std::string_view name_of(PayloadMode mode) { return modes[static_cast<std::size_t>(mode)].name; }

const Served* NodeJob::server_at(Node node) const {
  const auto found = std::find_if(servers.begin(), servers.end(), [&](const Served& s) { return s.node == node; });
  return found == servers.end() ? nullptr : &*found;
}

const Slice* NodeJob::slice_of(const TransferKey& key) const {
  const Served* server = server_at(key.server);
  return server == nullptr || key.slice >= server->slices.size() ? nullptr : &server->slices[key.slice];
}

std::size_t NodeJob::transfers() const {
  if (by_keys()) return owner.size();
  std::size_t sum = 0;
  for (const Served& server : servers) sum += server.slices.size();
  return sum;
}

std::size_t NodeJob::parameters() const {
  std::size_t sum = 0;
  for (const Served& server : servers) {
    for (const Piece& piece : server.pieces) sum += piece.count;
    if (peers() || by_keys()) break;  // each has all of them
  }
  return sum;
}

int NodeJob::worker_index(Node node) const {
  if (workers.empty()) return -1;
  // Most jobs have workers at nodes one beside the other.
  const std::size_t place = std::size_t{index(node)} - index(workers.front());
  if (place < workers.size() && workers[place] == node) return static_cast<int>(place);
  const auto found = std::find(workers.begin(), workers.end(), node);
  return found == workers.end() ? -1 : static_cast<int>(found - workers.begin());
}

}  // namespace ocs
