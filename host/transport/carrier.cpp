// The receiving side's carrier.
// SPDX-License-Identifier: Apache-2.0
#include "host/transport/carrier.hpp"

#include <cstring>
#include <utility>

namespace ocs {

Carrier::Attempt& Carrier::attempt_of(const TransferKey& key, std::uint32_t attempt, Words words) {
  const AttemptKey name{key, attempt};
  if (attempt > 0 && !attempts_.contains(name))
    throw Malformed("attempt " + std::to_string(attempt) + " of the " + describe(key) +
                    " isn't one that was asked for");
  Attempt& found = attempts_[name];
  if (found.words.n != 0 && found.words != words)
    throw Malformed("the " + describe(key) + ", has " + std::to_string(words.n) + " words by one message and " +
                    std::to_string(found.words.n) + " by another");
  found.words = words;
  if (found.left.n < 0) found.left = words;
  return found;
}

void Carrier::ask(const MissingFields& missing) {
  Attempt& attempt = attempts_[{missing.key, missing.attempt}];
  attempt.asked = RunSet(missing.runs);
  attempt.left = Words{0};
  for (const WordRun& run : attempt.asked.runs()) attempt.left += run.count;
  ++passed_[missing.key].under_way;
}

void Carrier::hold(Message chunk) {
  const auto fields = decode_fields<ChunkFields>(chunk);
  const auto bytes = static_cast<std::uint64_t>(fields.part.count.n) * static_cast<std::uint64_t>(word_bytes_);
  if (chunk.payload.size != 0 && chunk.payload.size != bytes)
    throw Malformed("a chunk of the " + describe(fields.key) + " has " + std::to_string(chunk.payload.size) +
                    " bytes; its words have " + std::to_string(bytes));
  Attempt& attempt = attempt_of(fields.key, fields.attempt, fields.words);
  if (fields.attempt > 0 && !attempt.asked.covers(fields.part))
    throw Malformed("a chunk of the " + describe(fields.key) + " brings words " + describe(std::vector{fields.part}) +
                    " in attempt " + std::to_string(fields.attempt) + ", where nobody asked for them, or not twice");
  attempt.asked.remove(fields.part);
  attempt.held.push_back(std::move(chunk));
  decide({fields.key, fields.attempt});
}

Words Carrier::deliver(const DeliveredFields& delivered) {
  Attempt& attempt = attempt_of(delivered.key, delivered.attempt, delivered.words);
  Passed& passed = passed_[delivered.key];
  Words fresh;
  for (const WordRun& run : delivered.runs)
    for (const WordRun& first_time : passed.words.missing(run)) {
      attempt.passed.add(first_time);
      passed.words.add(first_time);
      fresh += first_time.count;
    }
  if (delivered.final && !attempt.final && --passed.under_way == 0) passed_.erase(delivered.key);
  attempt.final = attempt.final || delivered.final;
  decide({delivered.key, delivered.attempt});
  return fresh;
}

std::map<Node, std::int64_t> Carrier::forget(const std::function<bool(const TransferKey&)>& which) {
  std::map<Node, std::int64_t> passed;
  std::erase_if(attempts_, [&](const auto& one) {
    const TransferKey& key = one.first.first;
    if (!which(key)) return false;
    if (!one.second.held.empty())
      throw Malformed("a chunk of the " + describe(key) + " has come, although it is never carried");
    for (const WordRun& run : one.second.passed.runs()) passed[key.from()] += run.count.n;
    return true;
  });
  std::erase_if(passed_, [&](const auto& one) { return which(one.first); });
  return passed;
}

const Arrival* Carrier::next(TransferPhase phase) const {
  const auto& ready = ready_[index(phase)];
  return ready.empty() ? nullptr : &ready.begin()->second;
}

Arrival Carrier::take(TransferPhase phase) {
  auto& ready = ready_[index(phase)];
  if (ready.empty()) throw Error(ErrorKind::internal, "a payload was taken from a carrier that has none to hand on");
  return std::move(ready.extract(ready.begin()).mapped());
}

void Carrier::decide(const AttemptKey& key) {
  Attempt& attempt = attempts_.at(key);
  std::erase_if(attempt.held, [&](Message& chunk) {
    const auto fields = decode_fields<ChunkFields>(chunk);
    if (!attempt.final && !attempt.passed.covers(fields.part)) return false;
    attempt.left -= fields.part.count;
    ready_[index(fields.key.phase)].emplace(Place{fields.key.iteration, fields.key.slice, fields.part.first.n, key},
                                            open(std::move(chunk), fields, attempt));
    return true;
  });
  if (attempt.final && attempt.left.n <= 0) attempts_.erase(key);
}

Arrival Carrier::open(Message chunk, const ChunkFields& fields, const Attempt& attempt) const {
  Arrival arrival{fields.key, fields.attempt, fields.words, fields.part, chunk.header.payload_crc32c, {}};
  for (const WordRun& run : attempt.passed.within(fields.part)) {
    if (run == fields.part || chunk.payload.size == 0) {
      arrival.parts.push_back({run, std::move(chunk.payload)});
      continue;
    }
    const auto size = static_cast<std::size_t>(run.count.n * word_bytes_);
    const auto offset = static_cast<std::size_t>((run.first - fields.part.first).n * word_bytes_);
    std::shared_ptr<std::byte[]> copy(new std::byte[size]);
    std::memcpy(copy.get(), chunk.payload.data.get() + offset, size);
    arrival.parts.push_back({run, {std::move(copy), size}});
  }
  return arrival;
}

}  // namespace ocs
