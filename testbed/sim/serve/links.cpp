// Everything arrives in the order in which it was sent, or not at all.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/sim/serve/links.hpp"

#include <algorithm>
#include <utility>

#include "host/core/fnv.hpp"
#include "testbed/sim/serve/server_end.hpp"

namespace ocs::sim {
namespace {

constexpr Nanos shortest_way = std::chrono::microseconds(5);
constexpr std::uint64_t longer_way_ns = 200'000;  ///< at most, and a piece in 16 takes ten times as long

std::uint64_t hash_of(std::string_view bytes) {
  Fnv1a hash;
  hash.add(bytes);
  return hash.value();
}

}  // namespace

void Links::begin(std::vector<Fault> faults) {
  faults_ = std::move(faults);
  sent_ = 0;
}

LinkPointer Links::connect(serve::Dialect dialect, std::string address, Process* client) {
  auto link = std::make_shared<Link>();
  link->number = ++numbers_;
  link->dialect = dialect;
  link->address = std::move(address);
  link->client = client;
  std::erase_if(links_, [](const LinkPointer& old) { return old->server == nullptr && old->broken; });
  links_.push_back(link);
  link->to_server.last = world_.now() + shortest_way + Nanos(static_cast<std::int64_t>(draw_.below(longer_way_ns)));
  world_.at(link->to_server.last, [this, link] {
    if (link->lost) link->broken = true;  // it never came to the server
    if (link->broken) return;
    Listener* const door = doors_[static_cast<std::size_t>(link->dialect)];
    if (door == nullptr) return reset(link);
    door->come(link);
  });
  return link;
}

void Links::send(const LinkPointer& link, std::string_view bytes) {
  if (link->broken || link->lost || link->sends_end) return;
  link->unsent.append(bytes);
  pump(link);
}

/// As much of what the client has to say as there is place for.
void Links::pump(const LinkPointer& link) {
  if (link->broken || link->lost) return;
  while (!link->unsent.empty() && link->to_server.held < settings_.buffer) {
    const std::size_t place = std::min(settings_.buffer - link->to_server.held, link->unsent.size());
    const std::size_t size = std::min<std::size_t>(place, 1 + draw_.below(settings_.piece));
    std::string bytes = link->unsent.substr(0, size);
    link->unsent.erase(0, size);
    link->to_server.held += size;
    carry({link, true, std::move(bytes), false});
    if (link->broken || link->lost) return;  // by a fault
  }
  if (!link->unsent.empty() || link->end_sent) return;
  if (link->sends_end) {
    link->end_sent = true;
    carry({link, true, {}, true});
  } else if (link->done) {
    std::exchange(link->done, nullptr)();
  }
}

std::string Links::take(const LinkPointer& link) {
  if (link->deaf_until > world_.now() || link->lost) return {};
  std::string bytes = std::exchange(link->to_client.arrived, {});
  link->to_client.held -= bytes.size();
  if (!bytes.empty() && link->server != nullptr) link->server->has_place();
  return bytes;
}

void Links::close(const LinkPointer& link) {
  if (link->broken || link->lost || link->sends_end) return;
  link->sends_end = true;
  pump(link);
}

void Links::vanish(const LinkPointer& link) {
  link->lost = link->excused = true;
  link->unsent.clear();
  wake(link);
}

void Links::reset(const LinkPointer& link) {
  if (link->broken) return;
  link->broken = true;
  link->to_server = link->to_client = {};
  if (link->server != nullptr) link->server->was_reset();
  wake(link);
}

std::size_t Links::send_to_client(const LinkPointer& link, std::string_view bytes) {
  std::size_t sent = 0;
  while (!link->broken && sent < bytes.size() && link->to_client.held < settings_.buffer) {
    const std::size_t place = std::min(settings_.buffer - link->to_client.held, bytes.size() - sent);
    const std::size_t size = std::min<std::size_t>(place, 1 + draw_.below(settings_.piece));
    link->to_client.held += size;
    carry({link, false, std::string(bytes.substr(sent, size)), false});
    sent += size;
  }
  return sent;
}

void Links::end_to_client(const LinkPointer& link) {
  link->server = nullptr;
  if (!link->broken) carry({link, false, {}, true});
}

void Links::has_read(const LinkPointer& link) { pump(link); }

std::size_t Links::open() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(links_, [](const auto& one) { return one->server != nullptr; }));
}

std::size_t Links::open(serve::Dialect dialect) const {
  return static_cast<std::size_t>(std::ranges::count_if(
      links_, [&](const auto& one) { return one->server != nullptr && one->dialect == dialect; }));
}

std::size_t Links::open(serve::Dialect dialect, const std::string& address) const {
  return static_cast<std::size_t>(std::ranges::count_if(links_, [&](const auto& one) {
    return one->server != nullptr && one->dialect == dialect && one->address == address;
  }));
}

void Links::excuse_all() {
  for (const LinkPointer& link : links_) link->excused = true;
}

void Links::server_gone() {
  excuse_all();
  doors_.fill(nullptr);
  const std::vector<LinkPointer> all = links_;
  for (const LinkPointer& link : all) {
    if (link->server == nullptr) continue;
    reset(link);
    link->server = nullptr;  // a process that was stopped when it was killed goes to its end later
  }
}

void Links::carry(Piece piece) {
  Way& way = piece.to_server ? piece.link->to_server : piece.link->to_client;
  const std::uint64_t number = sent_++;
  const std::uint64_t longer = draw_.below(longer_way_ns);  // one draw after the other, with each compiler
  const std::uint64_t times = draw_.one_in(16) ? 10 : 1;
  Nanos arrival = world_.now() + shortest_way + Nanos(static_cast<std::int64_t>(longer * times));
  for (const Fault& fault : faults_) {
    if (!at_message(fault.kind) || fault.at != number) continue;
    ++hit_;
    if (fault.kind == FaultKind::late) arrival += ms(fault.arg);
    hooks_.strike(fault, piece.link);
  }
  if (piece.link->broken || (piece.to_server && piece.link->lost)) return;
  if (const auto apart = apart_.find(piece.link->address); apart != apart_.end())
    arrival = std::max(arrival, apart->second);
  way.last = arrival = std::max(arrival, way.last);
  world_.at(arrival, [this, held = std::make_shared<Piece>(std::move(piece))] { arrive(*held); });
}

void Links::arrive(Piece& piece) {
  Link& link = *piece.link;
  if (link.broken) return;
  world_.trace(link.number);
  world_.trace(hash_of(piece.bytes));
  if (piece.to_server) {
    if (link.admitted && link.server == nullptr) return reset(piece.link);  // nobody is there any more
    link.to_server.arrived.append(piece.bytes);
    link.to_server.ended = link.to_server.ended || piece.end;
    if (link.server != nullptr) link.server->has_bytes();
    return;
  }
  if (link.lost) return;  // and it stays held: nobody says that it came
  if (link.client == nullptr && !piece.end && link.sends_end) return reset(piece.link);
  link.to_client.arrived.append(piece.bytes);
  link.to_client.ended = link.to_client.ended || piece.end;
  wake(piece.link);
}

void Links::wake(const LinkPointer& link) {
  if (link->client != nullptr) world_.wake(*link->client);
}

}  // namespace ocs::sim
