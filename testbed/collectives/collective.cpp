// Carries lists of steps out on sets, to check them.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/collectives/collective.hpp"

#include <bitset>
#include <string>

#include "host/core/error.hpp"
#include "host/core/ids.hpp"

namespace ocs {
namespace {

using Parts = std::bitset<max_ports>;  ///< ranks whose numbers are in a sum

[[noreturn]] void refuse(const CollectiveStep& step, const std::string& what) {
  throw Error(ErrorKind::internal, "step " + std::to_string(step.step) + " of a collective, rank " +
                                       std::to_string(step.sender) + " to rank " + std::to_string(step.receiver) +
                                       ", " + what);
}

void check_ranks(const Collective& collective) {
  Parts sends, receives;
  std::uint32_t now = 0;
  for (const CollectiveStep& step : collective.steps) {
    if (step.step == now + 1) sends.reset(), receives.reset(), now = step.step;
    if (step.step != now) refuse(step, "follows step " + std::to_string(now));
    if (step.sender >= collective.ranks || step.receiver >= collective.ranks || step.sender == step.receiver)
      refuse(step, "isn't between two of " + std::to_string(collective.ranks) + " ranks");
    if (step.blocks == 0 || step.first + step.blocks > collective.blocks)
      refuse(step, "has blocks beyond the " + std::to_string(collective.blocks));
    if (sends[step.sender] || receives[step.receiver]) refuse(step, "uses a port twice");
    sends.set(step.sender), receives.set(step.receiver);
  }
}

}  // namespace

void check(const Collective& collective) {
  check_ranks(collective);
  std::vector<std::vector<Parts>> have(collective.ranks, std::vector<Parts>(collective.blocks));
  for (std::uint32_t rank = 0; rank < collective.ranks; ++rank)
    for (Parts& parts : have[rank]) parts.set(rank);
  for (auto step = collective.steps.begin(); step != collective.steps.end();) {
    const auto before = have;
    for (const std::uint32_t now = step->step; step != collective.steps.end() && step->step == now; ++step)
      for (std::uint32_t b = step->first; b < step->first + step->blocks; ++b) {
        const Parts& sent = before[step->sender][b];
        Parts& own = have[step->receiver][b];
        if (step->adds && (own & sent).any()) refuse(*step, "adds a number twice to block " + std::to_string(b));
        own = step->adds ? own | sent : sent;
      }
  }
  for (std::uint32_t rank = 0; rank < collective.ranks; ++rank)
    for (std::uint32_t b = 0; b < collective.blocks; ++b)
      if (have[rank][b].count() != collective.ranks)
        throw Error(ErrorKind::internal, "a collective leaves rank " + std::to_string(rank) + " with the sum of " +
                                             std::to_string(have[rank][b].count()) + " of " +
                                             std::to_string(collective.ranks) + " ranks in block " + std::to_string(b));
}

std::vector<Words> block_words(Words words, std::uint32_t blocks) {
  if (words.n < blocks)
    throw Error(ErrorKind::input, "a model of " + std::to_string(words.n) + " words can't be cut into " +
                                      std::to_string(blocks) + " blocks; it must have a word for each");
  std::vector<Words> sizes(blocks, Words{words.n / blocks});
  for (std::int64_t k = 0; k < words.n % blocks; ++k) ++sizes[static_cast<std::size_t>(k)].n;
  return sizes;
}

}  // namespace ocs
