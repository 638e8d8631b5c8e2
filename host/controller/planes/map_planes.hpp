// Map networks side by side, one a plane: its user says which planes carry a part of what is offered.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "host/controller/circuits/map_network.hpp"

namespace ocs {

/// A plane that carries a part of each transfer that is offered.
struct MapPart {
  std::size_t plane;
  Picos wait;  ///< its part is ready so much later than the transfer
  Words most;  ///< of a transfer: planes are filled up in their order
};

/// All planes are at the same cycle whenever advance() returns. A transfer in several parts is delivered when the last
/// of them is, so that its words come in order.
class MapPlanes final : public Network {
 public:
  /// @param planes alike, of one cycle and one size of words. @param settled called when all planes are at one cycle
  MapPlanes(std::vector<std::unique_ptr<MapNetwork>> planes, std::int64_t word_bytes, std::function<void()> settled);

  /// As MapNetwork::set(), of one plane.
  void set(std::size_t plane, std::span<const std::int16_t> to) { planes_.at(plane)->set(to); }
  /// How what is offered from now on is split.
  void split(std::vector<MapPart> parts) { split_ = std::move(parts); }

  /// @throws Error (internal) for more words than the planes carry; Error (input) as MapNetwork::offer()
  void offer(Transfer transfer) override;
  /// @throws Error (internal), as MapNetwork::abort()
  void abort(Id transfer, Picos at) override { planes_.front()->abort(transfer, at); }
  Picos next() override;
  Picos advance(Picos limit, std::vector<Delivery>& append) override;
  /// A node's ports on all planes together.
  PortUse use(Node node) const override;

 private:
  struct Open {
    std::map<std::size_t, Words> first;  ///< of each plane with a part that hasn't come: its first word
    Delivery whole;                      ///< so far
  };
  void deliver(std::size_t plane, Delivery part, std::vector<Delivery>& append);

  std::vector<std::unique_ptr<MapNetwork>> planes_;
  std::int64_t word_bytes_;
  std::function<void()> settled_;
  std::vector<MapPart> split_;
  std::map<Id, Open> open_;
  Picos reached_{0};
};

}  // namespace ocs
