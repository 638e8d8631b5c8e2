// The same for every job that sends words again.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/coordinator/resend.hpp"

#include <string>
#include <utility>

#include "host/core/error.hpp"
#include "host/transport/run_set.hpp"

namespace ocs {
namespace {

[[noreturn]] void words_are_missing(const MissingFields& missing, std::uint32_t attempts, Picos now) {
  std::int64_t words = 0;
  for (const WordRun& run : missing.runs) words += run.count.n;
  throw Error(ErrorKind::run, "the " + describe(missing.key) + ", ended at " + std::to_string(now.n) + " ps without " +
                                  std::to_string(words) + " of its " + std::to_string(missing.words.n) + " words (" +
                                  describe(missing.runs) + "); the switch lost them and " +
                                  (attempts == 1 ? "nothing sends them again"
                                                 : "so it did in each of " + std::to_string(attempts) + " attempts"));
}

}  // namespace

void pass_on(NodeExchange& talk, const MissingFields& missing, std::uint32_t attempts, Picos now) {
  if (missing.sent >= attempts) words_are_missing(missing, attempts, now);
  const Node sender = missing.key.from();
  talk.post(sender, make_message(index(sender), now, missing));
}

DeliveredFields delivered_fields(const Offer& offer, Delivery delivery) {
  DeliveredFields fields{offer.key, offer.words, delivery.final, std::move(delivery.arrived), offer.attempt, offer.map};
  if (offer.attempt > 0) fields.runs = words_of(offer.runs, fields.runs);
  return fields;
}

void count_again(JobResult& result, const Offer& offer) {
  if (offer.attempt > 0) count_again(result, offer.carried());
}

void count_again(JobResult& result, Words words) {
  ++result.retransmissions;
  result.words_retransmitted += words.n;
}

}  // namespace ocs
