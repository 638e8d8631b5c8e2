// The seams of a run with a stopwatch in each: what goes through belongs to the part behind it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "host/core/device.hpp"
#include "host/core/message.hpp"
#include "host/core/network.hpp"
#include "testbed/engine/profile.hpp"

namespace ocs {

class ProfiledDevice final : public Device, RegisterBus, FabricClock {
 public:
  ProfiledDevice(Device& inner, Profile& profile)
      : bus_(inner.bus()), clock_(inner.clock()), mailbox_(inner.mailbox()), profile_(profile) {}
  RegisterBus& bus() override { return *this; }
  FabricClock& clock() override { return *this; }
  Mailbox* mailbox() override { return mailbox_; }

 private:
  std::uint32_t read(std::uint32_t address) override {
    const Profile::In in(&profile_, Part::device);
    return bus_.read(address);
  }
  void write(std::uint32_t address, std::uint32_t value) override {
    const Profile::In in(&profile_, Part::device);
    bus_.write(address, value);
  }
  void write_bytes(std::uint32_t address, std::uint32_t value, std::uint8_t strobes) override {
    const Profile::In in(&profile_, Part::device);
    bus_.write_bytes(address, value, strobes);
  }
  Cycles run_until(Cycles limit) override {
    const Profile::In in(&profile_, Part::device);
    return clock_.run_until(limit);
  }
  ClockKind kind() const override { return clock_.kind(); }
  Picos cycle() const override { return clock_.cycle(); }
  Cycles now() override { return clock_.now(); }
  bool interrupt() override { return clock_.interrupt(); }
  std::uint64_t edges() const override { return clock_.edges(); }
  std::chrono::nanoseconds evaluation() const override { return clock_.evaluation(); }

  RegisterBus& bus_;
  FabricClock& clock_;
  Mailbox* mailbox_;
  Profile& profile_;
};

class ProfiledSwitch final : public Switch {
 public:
  ProfiledSwitch(Switch& inner, Profile& profile, Part part) : inner_(inner), profile_(profile), part_(part) {}
  FabricClock& clock() override { return inner_.clock(); }
  Constants constants() override { return inner_.constants(); }
  Counters counters(std::uint16_t port) override {
    const Profile::In in(&profile_, part_);
    return inner_.counters(port);
  }
  std::optional<int> power(Output output) override {
    const Profile::In in(&profile_, part_);
    return inner_.power(output);
  }
  std::optional<Refusal> commit(const Commit& commit) override {
    const Profile::In in(&profile_, part_);
    return inner_.commit(commit);
  }
  std::optional<Refusal> start(const Burst& burst) override {
    const Profile::In in(&profile_, part_);
    return inner_.start(burst);
  }
  std::optional<Refusal> repeat(std::span<const Commit> table, Cycles period) override {
    const Profile::In in(&profile_, part_);
    return inner_.repeat(table, period);
  }
  std::optional<Refusal> stop(Id burst) override {
    const Profile::In in(&profile_, part_);
    return inner_.stop(burst);
  }
  std::optional<Refusal> set_dead(std::uint16_t port, bool dead) override {
    const Profile::In in(&profile_, part_);
    return inner_.set_dead(port, dead);
  }
  std::optional<Refusal> set_mirror_fault(Output output, MirrorFault fault, Cycles amount) override {
    const Profile::In in(&profile_, part_);
    return inner_.set_mirror_fault(output, fault, amount);
  }
  std::optional<Refusal> retry(Output output) override {
    const Profile::In in(&profile_, part_);
    return inner_.retry(output);
  }
  void take_events(std::vector<Event>& append) override {
    const Profile::In in(&profile_, part_);
    inner_.take_events(append);
  }

 private:
  Switch& inner_;
  Profile& profile_;
  Part part_;
};

class ProfiledScheduler final : public Scheduler {
 public:
  ProfiledScheduler(const Scheduler& inner, Profile& profile) : inner_(inner), profile_(profile) {}
  Plan plan(const Problem& problem) const override {
    const Profile::In in(&profile_, Part::scheduler);
    return inner_.plan(problem);
  }

 private:
  const Scheduler& inner_;
  Profile& profile_;
};

class ProfiledNetwork final : public Network {
 public:
  ProfiledNetwork(Network& inner, Profile& profile) : inner_(inner), profile_(profile) {}
  void offer(Transfer transfer) override {
    const Profile::In in(&profile_, Part::network);
    inner_.offer(std::move(transfer));
  }
  void abort(Id id, Picos at) override {
    const Profile::In in(&profile_, Part::network);
    inner_.abort(id, at);
  }
  Picos next() override {
    const Profile::In in(&profile_, Part::network);
    return inner_.next();
  }
  Picos advance(Picos limit, std::vector<Delivery>& append) override {
    const Profile::In in(&profile_, Part::network);
    return inner_.advance(limit, append);
  }
  void expect(Picos at) override { inner_.expect(at); }
  void prioritise(Id id, std::int32_t priority) override {
    const Profile::In in(&profile_, Part::network);
    inner_.prioritise(id, priority);
  }
  PortUse use(Node node) const override {
    const Profile::In in(&profile_, Part::network);
    return inner_.use(node);
  }
  Words sent(Id id) override {
    const Profile::In in(&profile_, Part::network);
    return inner_.sent(id);
  }

 private:
  Network& inner_;
  Profile& profile_;
};

/// The coordinator's end: once it has asked for what came of the payload, what it waits for is payload.
class ProfiledTransport final : public Transport {
 public:
  ProfiledTransport(Transport& inner, Profile& profile) : inner_(inner), profile_(profile) {}
  void send(Message message) override;
  std::optional<Message> receive(std::chrono::milliseconds patience) override;
  std::chrono::steady_clock::time_point now() const override { return inner_.now(); }

 private:
  Transport& inner_;
  Profile& profile_;
  Part part_ = Part::transport;
};

/// `inner` itself, or its stopwatch, made in `place`, when there is a profile.
template <class Profiled, class Seam, class... More>
Seam& before(std::optional<Profiled>& place, Seam& inner, Profile* profile, More... more) {
  if (!profile) return inner;
  return place.emplace(inner, *profile, more...);
}

}  // namespace ocs
