// Carries the messages of a group.
// SPDX-License-Identifier: Apache-2.0
#include "host/transport/zmq_group.hpp"

#include <algorithm>
#include <utility>

#include "host/transport/bytes.hpp"
#include "host/transport/wire.hpp"

namespace ocs {

class ZmqGroup::Arrived final : public RawMessage {
 public:
  std::uint64_t connection() override { return 0; }
  std::size_t parts() const override { return raw.count; }
  std::span<const std::byte> part(std::size_t n) const override { return bytes_of(raw.first[n]); }
  std::string place() override { return place_of(raw.first[0]); }
  void admit() override {}
  Payload payload(const WireHeader&) override { return payload_of(std::move(raw.first[2])); }

  ZmqParts raw;
};

ZmqGroup::ZmqGroup(zmq::context_t& context, const std::vector<std::uint16_t>& members,
                   ZmqSockets::EndpointOf endpoint_of)
    : sockets_(context, participant_name(members.at(0)), std::move(endpoint_of), ZmqSockets::Sending::in_bundles) {
  for (const std::uint16_t member : members) members_.emplace_back(*this, member);
  sockets_.bind(members[0]);
}

ZmqGroup::Member* ZmqGroup::find(std::optional<std::uint16_t> number) {
  const auto found =
      std::find_if(members_.begin(), members_.end(), [&](const Member& m) { return m.number == number; });
  return found == members_.end() ? nullptr : &*found;
}

Sender& ZmqGroup::sender(std::uint16_t member) {
  if (Member* const found = find(member)) return *found;
  throw Error(ErrorKind::internal, participant_name(member) + " isn't one of the group");
}

void ZmqGroup::Member::send(Message message) {
  protocol.number(message);
  zmq::message_t payload = view_of(std::move(message.payload));
  group.sockets_.send(message, std::move(payload));
}

std::optional<Message> ZmqGroup::receive(std::chrono::milliseconds patience) {
  Arrived arrived;
  if (!sockets_.receive(arrived.raw, patience)) return std::nullopt;
  Member* const member = find(receiver_of(arrived.part(0)));
  return (member ? *member : members_.front()).protocol.accept(arrived);  // what is for nobody here any of them refuses
}

}  // namespace ocs
