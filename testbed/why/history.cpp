// Keeps what it is shown.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/why/history.hpp"

namespace ocs {

class History::DarkOutputs final : public OutputWatcher {
 public:
  DarkOutputs(History& history, std::size_t plane) : history_(history), plane_(plane) {}
  void entered(Output out, EventKind state, std::optional<Input>, Cycles at) override {
    const std::uint16_t port = index(out);
    const Picos now = to_picos(at, history_.shape.cycle);
    if (const auto found = since_.find(port); found != since_.end()) {
      history_.dark[{plane_, port}].push_back({found->second, now});
      since_.erase(found);
    }
    if (state != EventKind::idle && state != EventKind::up) since_[port] = now;
  }
  void passed(Output, Input, Cycles, Cycles) override {}

 private:
  History& history_;
  std::size_t plane_;
  std::map<std::uint16_t, Picos> since_;
};

History::History() = default;
History::~History() = default;

void History::begin(const RunShape& made) {
  shape = made;
  for (std::size_t plane = 0; plane < made.planes; ++plane)
    outputs_.push_back(std::make_unique<DarkOutputs>(*this, plane));
}

OutputWatcher* History::outputs(std::size_t plane) { return outputs_.at(plane).get(); }

void History::carried(const Carried& carried) {
  const auto at = [&](Cycles cycle) { return to_picos(cycle, shape.cycle); };
  const Reservation& planned = carried.planned;
  circuits.push_back(
      {index(planned.plane), index(planned.in), planned.outs, at(carried.start), at(carried.up), at(carried.end)});
}

void History::offered(const Transfer& transfer) {
  std::string name;
  if (const auto key = std::exchange(next_key_, std::nullopt)) {
    name = describe(*key);
  } else {
    name = "node " + std::to_string(index(transfer.from)) + " to ";
    for (std::size_t k = 0; k < transfer.to.size(); ++k)
      name += (k == 0 ? "" : " and ") + std::to_string(index(transfer.to[k]));
  }
  open_.emplace(transfer.id, Open{transfer, std::move(name), transfer.to.size()});
}

void History::delivered(const Delivery& delivery) {
  const auto found = open_.find(delivery.transfer);
  if (!delivery.final || found == open_.end()) return;
  const Open& open = found->second;
  moved.push_back({open.name, index(open.transfer.from), index(delivery.to), open.transfer.owner, open.transfer.ready,
                   delivery.began, delivery.at});
  if (--found->second.left == 0) open_.erase(found);
}

}  // namespace ocs
