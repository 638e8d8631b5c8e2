// What a mailbox switch adds to a mailbox and a clock: frames that wait for room, and a cycle 0 of its own.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <deque>
#include <utility>

#include "host/core/device.hpp"
#include "host/device/soc/mailbox_frames.hpp"

namespace ocs {

/// Frames in order; those that the ring has no room for wait here.
class MailboxOutbox {
 public:
  explicit MailboxOutbox(Mailbox& mailbox) : mailbox_(mailbox) {}

  Mailbox& mailbox() { return mailbox_; }
  bool empty() const { return waiting_.empty(); }
  void send(MailboxFrame frame) {
    waiting_.push_back(std::move(frame));
    pump();
  }
  void pump() {
    while (!waiting_.empty() && mailbox_.post(waiting_.front())) waiting_.pop_front();
  }

 private:
  Mailbox& mailbox_;
  std::deque<MailboxFrame> waiting_;
};

/// The device's clock, counted from when the firmware had set up the switch. Bad news from the firmware stops it too.
class MailboxClock final : public FabricClock {
 public:
  MailboxClock(FabricClock& inner, MailboxOutbox& outbox) : inner_(inner), outbox_(outbox) {}

  void begin() { origin_ = inner_.now(); }
  Cycles origin() const { return origin_; }

  ClockKind kind() const override { return inner_.kind(); }
  Picos cycle() const override { return inner_.cycle(); }
  Cycles now() override { return inner_.now() - origin_; }
  bool interrupt() override { return inner_.interrupt(); }
  std::uint64_t edges() const override { return inner_.edges(); }
  std::chrono::nanoseconds evaluation() const override { return inner_.evaluation(); }

  Cycles run_until(Cycles limit) override {
    const Cycles last = limit == never<Cycles> ? limit : limit + origin_;
    while (!outbox_.empty() && inner_.now() < last && !inner_.interrupt() && !outbox_.mailbox().alerted()) {
      inner_.run_until(std::min(last, inner_.now() + patience));
      outbox_.pump();
    }
    return inner_.run_until(last) - origin_;
  }

 private:
  static constexpr Cycles patience{500};  ///< until the ring is looked at again

  FabricClock& inner_;
  MailboxOutbox& outbox_;
  Cycles origin_{0};
};

}  // namespace ocs
