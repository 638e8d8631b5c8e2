// links: ocs_transport ocs_nodes
// Reads any bytes as a message: header, then fields, then, if it is a chunk, through a carrier, and if it is a job, the
// job.
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "host/transport/carrier.hpp"
#include "host/transport/fields.hpp"
#include "host/transport/shared_memory.hpp"
#include "testbed/nodes/process/node_job_wire.hpp"

namespace {

using namespace ocs;

/// What can be read must be written as the same bytes again.
template <class F>
bool decodes(const Message& message) {
  if (kind_of(message) != F::kind) return false;
  if (encode_fields(decode_fields<F>(message)) != message.fields) std::abort();
  return true;
}

template <class... F>
void decode_any(const Message& message) {
  (decodes<F>(message) || ...);
}

void carry(const Message& message) {
  Carrier carrier(4);
  const auto fields = decode_fields<ChunkFields>(message);
  if (fields.attempt > 0) carrier.ask({fields.key, fields.words, {fields.part}, fields.attempt, 1});
  carrier.hold(message);
  if (carrier.next(fields.key.phase)) std::abort();  // nothing has passed
  carrier.deliver({fields.key, fields.words, true, {fields.part}, fields.attempt});
  if (carrier.take(fields.key.phase).chunk != fields.part) std::abort();
}

void take_part(const BeginFields& begin) {
  if (encode(decode_node_job(begin.job)) != begin.job) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  const std::size_t head = std::min(size, wire_header_bytes);
  std::uint64_t payload = 0;  // believed, so that the fields are reached
  if (size >= 56) std::memcpy(&payload, data + 48, sizeof payload);
  if (size >= 64 && (data[60] & flag_shared_payload) != 0) payload = shared_reference_bytes;
  try {
    fields_of(bytes.first(head), bytes.subspan(head));
  } catch (const Malformed&) {
  }
  try {
    Message message;
    message.header = decode_header(bytes.first(head), size - head, payload);
    if (std::memcmp(encode(message.header).data(), data, wire_header_bytes) != 0) std::abort();
    const auto second = second_part(bytes.first(head), bytes.subspan(head));  // no mutation would hit the checksum
    const auto fields = fields_of(bytes.first(head), second);
    message.fields.assign(fields.begin(), fields.end());
    decode_any<TickFields, ComputeFields, ReleaseFields, DeliveredFields, FinishFields, StopFields, AckFields,
               OffersFields, PushedFields, ComputedFields, HistoryFields, PulledFields, MissingFields, WorkingFields,
               DoneFields, FaultFields, ChunkFields, CreditFields, HelloFields, BeginFields, ReadyFields, LeaveFields,
               PingFields, MapFields, MapAckFields, MigratedFields, WrongOwnerFields, SnapshotFields, ReceiversFields,
               AverageFields, AbortedFields, StepsFields, SendsFields>(message);
    if (kind_of(message) == MessageKind::begin) take_part(decode_fields<BeginFields>(message));
    if (const auto rest = std::span(message.fields); rest.size() >= shared_reference_bytes)
      if (encode(decode_reference(rest.first(shared_reference_bytes))).back() != rest[shared_reference_bytes - 1])
        std::abort();
    if (kind_of(message) == MessageKind::chunk) carry(message);
  } catch (const Malformed&) {
  }
  return 0;
}
