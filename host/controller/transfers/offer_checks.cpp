// One check a sentence.
// SPDX-License-Identifier: Apache-2.0
#include "host/controller/transfers/offer_checks.hpp"

#include <algorithm>

#include "host/controller/transfers/transfers.hpp"
#include "host/core/error.hpp"

namespace ocs {

std::string name_of_transfer(Id transfer) { return "transfer " + std::to_string(index(transfer)); }

Words checked_words(const Transfer& transfer, int ports, std::int64_t word_bytes, Picos reached) {
  const auto refuse = [&](const std::string& rest) {
    throw Error(ErrorKind::input, name_of_transfer(transfer.id) + rest);
  };
  if (transfer.to.empty()) refuse(" goes to nobody");
  for (const Node node : {transfer.from, *std::max_element(transfer.to.begin(), transfer.to.end())})
    if (index(node) >= ports)
      refuse(" names node " + std::to_string(index(node)) + ", but the switch has " + std::to_string(ports) + " ports");
  const Outputs outs = outputs_of(transfer);
  if (outs[index(transfer.from)])
    refuse(" goes from node " + std::to_string(index(transfer.from)) + " to itself; it needs no network");
  if (outs.count() != transfer.to.size()) refuse(" names a receiver twice");
  const Words words = to_words(transfer.size, word_bytes);
  if (transfer.size.n < 1 || words.n > max_flow_words)
    refuse(" has " + std::to_string(transfer.size.n) + " bytes, not 1 byte to " + std::to_string(max_flow_words) +
           " words of " + std::to_string(word_bytes));
  if (transfer.ready < reached)
    refuse(" is offered for " + std::to_string(transfer.ready.n) + " ps, but it is " + std::to_string(reached.n) +
           " ps already");
  return words;
}

}  // namespace ocs
