// Parts of transfers, by plane, and the planes in step.
// SPDX-License-Identifier: Apache-2.0
#include "host/controller/planes/map_planes.hpp"

#include <algorithm>
#include <utility>

#include "host/controller/planes/all_planes.hpp"
#include "host/controller/transfers/offer_checks.hpp"
#include "host/core/error.hpp"

namespace ocs {

MapPlanes::MapPlanes(std::vector<std::unique_ptr<MapNetwork>> planes, std::int64_t word_bytes,
                     std::function<void()> settled)
    : planes_(std::move(planes)), word_bytes_(word_bytes), settled_(std::move(settled)) {}

void MapPlanes::offer(Transfer transfer) {
  Words left = to_words(transfer.size, word_bytes_), at;
  Open open{{}, {.at = {}, .to = transfer.to.front(), .transfer = transfer.id, .arrived = {}}};
  for (const MapPart& part : split_) {
    const Words words = std::min(left, part.most);
    if (words <= Words{0}) continue;
    Transfer one = transfer;
    one.size = Bytes{words.n * word_bytes_};
    one.ready = transfer.ready + part.wait;
    planes_.at(part.plane)->offer(std::move(one));
    open.first.emplace(part.plane, at);
    at += words, left -= words;
  }
  if (left > Words{0})
    throw Error(ErrorKind::internal, name_of_transfer(transfer.id) + " has " + std::to_string(left.n) +
                                         " words more than the planes are to carry");
  open_.emplace(transfer.id, std::move(open));
}

Picos MapPlanes::next() { return first_of(planes_); }

Picos MapPlanes::advance(Picos limit, std::vector<Delivery>& append) {
  if (limit == never<Picos> && next() == never<Picos>)
    throw Error(ErrorKind::internal, "the network has nothing to deliver and no instant to go to");
  const std::size_t before = append.size();
  do {
    Picos stop = limit;
    for (const auto& plane : planes_) stop = std::min(stop, plane->quiet_until());
    for (std::size_t p = 0; p < planes_.size(); ++p) {
      std::vector<Delivery> parts;
      planes_[p]->advance(stop, parts);
      for (Delivery& part : parts) deliver(p, std::move(part), append);
    }
    reached_ = stop;
    settled_();
  } while (reached_ < limit && append.size() == before);
  return reached_;
}

void MapPlanes::deliver(std::size_t plane, Delivery part, std::vector<Delivery>& append) {
  const auto found = open_.find(part.transfer);
  auto& [first, whole] = found->second;
  for (WordRun& run : part.arrived) {
    run.first += first.at(plane);
    whole.arrived.push_back(run);
  }
  whole.at = part.at;
  whole.began = std::min(whole.began, part.began);
  first.erase(plane);
  if (!first.empty()) return;
  std::sort(whole.arrived.begin(), whole.arrived.end(),
            [](const WordRun& a, const WordRun& b) { return a.first < b.first; });
  append.push_back(std::move(whole));
  open_.erase(found);
}

PortUse MapPlanes::use(Node node) const { return use_of(planes_, node); }

}  // namespace ocs
