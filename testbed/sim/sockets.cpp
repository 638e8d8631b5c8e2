// Sockets and node processes of a simulation.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/sim/sockets.hpp"

#include <algorithm>
#include <new>
#include <optional>

#include "host/core/error.hpp"
#include "host/transport/fields.hpp"
#include "host/transport/zmq_transport.hpp"
#include "testbed/coordinator/runners/process_runner.hpp"
#include "testbed/nodes/process/node_process.hpp"

namespace ocs::sim {
namespace {

constexpr Nanos least_way = std::chrono::microseconds(20), most_way = std::chrono::microseconds(200);
constexpr Nanos overtaking = std::chrono::milliseconds(5), notice_of_end = std::chrono::milliseconds(1);
constexpr Nanos last_messages = std::chrono::seconds(1);  // that a node still takes when its coordinator has gone
constexpr std::uint32_t first_of_others = 10'000;         // of endpoints that are not a process' first one
constexpr int dropped_at_once = 64;                       // as ZmqTransport

std::string endpoint_of(std::uint32_t number) { return "tcp://127.0.0.1:" + std::to_string(6000 + number); }

Payload with_wrong_bit(const Payload& payload, std::uint64_t bit) {
  const std::shared_ptr<std::byte[]> copy(new std::byte[payload.size]);
  std::copy_n(payload.data.get(), payload.size, copy.get());
  copy.get()[bit / 8] ^= std::byte{1} << (bit % 8);
  return {copy, payload.size};
}

void flip_bit(Packet& packet, std::uint64_t bit) {
  const std::uint64_t header = packet.header.size() * 8, second = packet.second.size() * 8;
  bit %= header + second + packet.payload.size * 8;
  if (bit < header)
    packet.header[bit / 8] ^= std::byte{1} << (bit % 8);
  else if (bit < header + second)
    packet.second[(bit - header) / 8] ^= std::byte{1} << (bit % 8);
  else
    packet.payload = with_wrong_bit(packet.payload, bit - header - second);
}

class RawPacket final : public RawMessage {
 public:
  explicit RawPacket(Packet& packet) : packet_(packet) {}
  std::uint64_t connection() override { return packet_.connection; }
  std::size_t parts() const override { return 3; }
  std::span<const std::byte> part(std::size_t n) const override {
    if (n == 0) return packet_.header;
    if (n == 1) return packet_.second;
    return {packet_.payload.data.get(), packet_.payload.size};
  }
  std::string place() override { return packet_.place; }
  void admit() override {}
  Payload payload(const WireHeader&) override { return std::move(packet_.payload); }

 private:
  Packet& packet_;
};

}  // namespace

/// One participant's end.
class SimTransport final : public Transport {
 public:
  using EndpointOf = std::function<std::string(std::uint16_t)>;
  SimTransport(Sockets& sockets, std::uint16_t self, std::string endpoint, EndpointOf endpoint_of)
      : protocol(self, true, sockets.proven()),
        owner(*sockets.world().self()),
        endpoint(std::move(endpoint)),
        sockets_(sockets),
        endpoint_of_(std::move(endpoint_of)) {
    sockets.open(*this);
  }
  ~SimTransport() override { sockets_.close(*this); }
  SimTransport(const SimTransport&) = delete;
  SimTransport& operator=(const SimTransport&) = delete;

  void send(Message message) override {
    if (owner.killed) return;
    protocol.number(message);
    const std::string to = endpoint_of_(message.header.to);
    send_to(to, std::move(message));
  }
  void send_to(const std::string& to, Message message) {
    if (owner.killed) return;
    Packet packet;
    const auto header = encode(message.header);
    packet.header.assign(header.begin(), header.end());
    packet.second = second_part(header, message.fields);
    packet.payload = std::move(message.payload);
    sockets_.carry(owner, to, std::move(packet));
  }
  std::optional<Message> receive(std::chrono::milliseconds patience) override {
    World& world = sockets_.world();
    const Nanos deadline = patience.count() < 0 ? never_again : world.now() + patience;
    if (patience.count() == 0) world.wait(world.now());  // others may go on
    for (int dropped = 0;;) {
      while (!inbox.empty()) {
        Packet packet = std::move(inbox.front());
        inbox.pop_front();
        RawPacket raw(packet);
        if (auto message = protocol.accept(raw)) return message;
        if (patience.count() >= 0 && ++dropped >= dropped_at_once) return std::nullopt;
      }
      if (closed) throw TransportClosed();
      if (world.now() >= deadline) return std::nullopt;
      world.wait(deadline);
    }
  }
  Clock::time_point now() const override { return sockets_.world().clock(); }

  PeerProtocol protocol;
  Process& owner;
  std::string endpoint;
  std::deque<Packet> inbox;
  bool closed = false;
  std::deque<std::string> lost;    ///< connections of a coordinator
  Process* coordinator = nullptr;  ///< of a node

 private:
  Sockets& sockets_;
  EndpointOf endpoint_of_;
};

namespace {

class SimChild final : public NodeChild {
 public:
  SimChild(World& world, Process& process) : world_(world), process_(process) {}
  ~SimChild() override { world_.kill(process_); }
  std::uint32_t id() const override { return process_.id; }
  std::optional<std::string> ended() override { return process_.ended; }
  void wait(std::chrono::milliseconds patience) override {
    const Nanos deadline = world_.now() + patience;
    while (!process_.ended && world_.now() < deadline && !world_.self()->killed) world_.wait_or_end(deadline);
  }

 private:
  World& world_;
  Process& process_;
};

class SimRunnerPlatform final : public RunnerPlatform {
 public:
  SimRunnerPlatform(Sockets& sockets, EndpointOf others) : sockets_(sockets) {
    const std::string own = sockets.free_endpoint(sockets.world().self()->id);
    transport_.emplace(sockets, coordinator_id, own, [own, others = std::move(others)](std::uint16_t participant) {
      return participant == coordinator_id ? own : others(participant);
    });
  }
  Transport& transport() override { return *transport_; }
  std::string endpoint() const override { return transport_->endpoint; }
  void set_job(std::uint32_t job) override { transport_->protocol.set_job(job); }
  void admit_by(PeerProtocol::Admission admission) override { transport_->protocol.admit_by(std::move(admission)); }
  std::string dropped() const override { return transport_->protocol.dropped(); }
  void send_once(const std::string& to, Message message, std::chrono::milliseconds) override {
    message.header.from = coordinator_id;
    message.header.sequence = 1;
    message.header.job = transport_->protocol.job();
    transport_->send_to(to, std::move(message));
  }
  void linger(std::chrono::milliseconds) override {}
  std::optional<std::string> lost() override {
    if (transport_->lost.empty()) return std::nullopt;
    std::string endpoint = std::move(transport_->lost.front());
    transport_->lost.pop_front();
    return endpoint;
  }
  bool shares_memory() const override { return false; }
  void require(std::size_t, std::size_t) override {}
  std::unique_ptr<NodeChild> start(Node node) override {
    Sockets& sockets = sockets_;
    const std::string connect = transport_->endpoint;
    Process& process = sockets.world().spawn(
        "node " + std::to_string(index(node)), sockets.world().self(), [&sockets, connect, node]() -> std::string {
          NodeProcessSettings settings;
          settings.connect = connect;
          settings.id = node;
          try {
            run_node_process(settings, {},
                             [&sockets](const NodeProcessSettings& given, const NodeProcessHooks&,
                                        NodePlatform::EndpointOf endpoint_of) {
                               return sockets.node(given, std::move(endpoint_of));
                             });
          } catch (const Error& failure) {
            return "ended with exit code " + std::to_string(failure.exit_code());
          } catch (const std::bad_alloc&) {
            return "ended with exit code 1";
          }
          return "ended with exit code 0";
        });
    sockets.started(process, connect);
    return std::make_unique<SimChild>(sockets.world(), process);
  }

 private:
  Sockets& sockets_;
  std::optional<SimTransport> transport_;
};

class SimNodePlatform final : public NodePlatform {
 public:
  SimNodePlatform(Sockets& sockets, const NodeProcessSettings& settings, EndpointOf others)
      : world_(sockets.world()), connect_(settings.connect) {
    SimTransport* coordinator = sockets.at(connect_);
    if (coordinator == nullptr) throw Error(ErrorKind::run, "no coordinator was at " + connect_ + " for 30 s");
    const std::string own = sockets.free_endpoint(world_.self()->id);
    transport_.emplace(sockets, index(settings.id), own,
                       [own, self = index(settings.id), others = std::move(others)](std::uint16_t participant) {
                         return participant == self ? own : others(participant);
                       });
    transport_->coordinator = &coordinator->owner;
  }
  Transport& transport() override { return *transport_; }
  std::string endpoint() const override { return transport_->endpoint; }
  void set_job(std::uint32_t job) override { transport_->protocol.set_job(job); }
  void admit_by(PeerProtocol::Admission admission) override { transport_->protocol.admit_by(std::move(admission)); }
  std::string cut() override { return transport_->closed ? "the coordinator at " + connect_ + " has gone" : ""; }
  std::uint32_t process_id() const override { return world_.self()->id; }
  SharedMemory* memory() override { return nullptr; }
  void share(const std::bitset<max_ports>&) override {}
  void reset_peak_rss() override {}
  Bytes peak_rss() const override { return {}; }

 private:
  World& world_;
  std::string connect_;
  std::optional<SimTransport> transport_;
};

}  // namespace

Sockets::Sockets(World& world, std::uint64_t seed, std::vector<Fault> faults, bool proven)
    : world_(world), draw_(seed), faults_(std::move(faults)), proven_(proven) {
  world.on_end([this](Process& gone) {
    for (auto& [endpoint, port] : ports_) {
      if (port->coordinator == &gone)
        world_.at(world_.now() + last_messages, [this, name = endpoint] {
          if (SimTransport* left = at(name)) {
            left->closed = true;
            world_.wake(left->owner);
          }
        });
      if (const auto start = starters_.find(gone.id); start != starters_.end() && start->second == endpoint) {
        std::string lost = endpoint_of(gone.id);
        world_.at(world_.now() + notice_of_end, [this, name = endpoint, lost] {
          if (SimTransport* left = at(name)) {
            left->lost.push_back(lost);
            world_.wake(left->owner);
          }
        });
      }
    }
  });
}

MakeRunnerPlatform Sockets::runners() {
  return [this](const ProcessRunnerSettings&, RunnerPlatform::EndpointOf endpoint_of) {
    return std::make_unique<SimRunnerPlatform>(*this, std::move(endpoint_of));
  };
}

std::unique_ptr<NodePlatform> Sockets::node(const NodeProcessSettings& settings, NodePlatform::EndpointOf endpoint_of) {
  return std::make_unique<SimNodePlatform>(*this, settings, std::move(endpoint_of));
}

std::string Sockets::free_endpoint(std::uint32_t process) {
  const std::string own = endpoint_of(process);
  return ports_.contains(own) ? endpoint_of(first_of_others + ++others_) : own;
}

void Sockets::open(SimTransport& at) { ports_[at.endpoint] = &at; }
void Sockets::close(SimTransport& at) { ports_.erase(at.endpoint); }

SimTransport* Sockets::at(const std::string& endpoint) {
  const auto found = ports_.find(endpoint);
  return found == ports_.end() ? nullptr : found->second;
}

Process* Sockets::coordinator() {
  for (auto& [endpoint, port] : ports_)
    if (port->coordinator == nullptr) return &port->owner;
  return nullptr;
}

/// The receiver, unless that is the coordinator.
Process* Sockets::node_of(const Way& way) {
  SimTransport* to = at(way.to);
  if (to != nullptr && to->coordinator != nullptr) return &to->owner;
  return way.from.parent != nullptr ? &way.from : nullptr;
}

void Sockets::carry(Process& from, const std::string& to, Packet packet) {
  Link& link = links_[{from.id, to}];
  if (link.connection == 0) link.connection = ++connections_;
  packet.connection = link.connection;
  packet.place = " at 127.0.0.1";
  const Nanos way_time = least_way + Nanos(draw_.below(static_cast<std::uint64_t>((most_way - least_way).count())));
  Way way{from, to, link, std::max(world_.now() + way_time, link.last + Nanos{1})};
  const std::uint64_t number = sent_++;
  world_.trace(number);
  for (const Fault& fault : faults_)
    if (at_message(fault.kind) && fault.at == number) {
      ++hit_;
      apply(fault, way, packet);
    }
  for (const std::uint32_t end : {from.id, at(to) != nullptr ? at(to)->owner.id : 0U})
    if (const auto found = apart_.find(end); found != apart_.end()) way.arrival = std::max(way.arrival, found->second);
  if (!way.overtaken) link.last = way.arrival;
  if (way.lost) return;
  for (int copy = 1; copy < way.copies; ++copy) deliver(to, way.arrival, packet);
  deliver(to, way.arrival, std::move(packet));
}

void Sockets::deliver(const std::string& to, Nanos when, Packet packet) {
  world_.at(when, [this, to, arrived = std::make_shared<Packet>(std::move(packet))] {
    SimTransport* port = at(to);
    if (port == nullptr || port->owner.killed) return;
    world_.trace(arrived->connection);
    port->inbox.push_back(std::move(*arrived));
    world_.wake(port->owner);
  });
}

void Sockets::apply(const Fault& fault, Way& way, Packet& packet) {
  switch (fault.kind) {
    case FaultKind::lose:
      way.lost = true;
      return;
    case FaultKind::late:
      way.arrival += ms(fault.arg);
      return;
    case FaultKind::repeat:
      way.copies = 2;
      return;
    case FaultKind::overtake:
      way.arrival += overtaking;
      way.overtaken = true;
      return;
    case FaultKind::corrupt:
      return flip_bit(packet, fault.arg);
    case FaultKind::truncate:
      if (!packet.second.empty()) packet.second.resize(fault.arg % packet.second.size());  // it may be cut already
      return;
    case FaultKind::reset:
      way.lost = true;
      way.link.connection = ++connections_;
      return;
    case FaultKind::stranger: {
      Packet noise{++connections_, {}, {}, {}, " at 10.0.0.9"};
      for (std::uint64_t k = 0; k < 64; ++k) noise.header.push_back(static_cast<std::byte>(draw_.next()));
      for (std::uint64_t k = 0; k < fault.arg; ++k) noise.second.push_back(static_cast<std::byte>(draw_.next()));
      return deliver(way.to, way.arrival, std::move(noise));
    }
    case FaultKind::replay: {
      Packet again = packet;
      again.connection = ++connections_;
      again.place = " at 10.0.0.9";
      return deliver(way.to, way.arrival + most_way, std::move(again));
    }
    case FaultKind::jump:
      return world_.jump(ms(fault.arg));
    default:
      return apply_to_process(fault, way);
  }
}

void Sockets::apply_to_process(const Fault& fault, Way& way) {
  const bool of_coordinator = fault.kind == FaultKind::kill_coordinator || fault.kind == FaultKind::stop_coordinator;
  Process* const process = of_coordinator ? coordinator() : node_of(way);
  if (process == nullptr) return;
  switch (fault.kind) {
    case FaultKind::kill_node:
    case FaultKind::kill_coordinator:
      return world_.kill(*process);
    case FaultKind::stop_node:
    case FaultKind::stop_coordinator:
      return world_.stop(*process, ms(fault.arg));
    case FaultKind::slow_node:
      process->slow_by = std::chrono::microseconds(static_cast<std::int64_t>(fault.arg));
      return;
    case FaultKind::partition:
      apart_[process->id] = world_.now() + ms(fault.arg);
      return;
    default:
      return;
  }
}

}  // namespace ocs::sim
