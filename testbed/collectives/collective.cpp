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

/// Where nothing is added a block is whole or isn't there.
class Copy {
 public:
  void set(std::size_t) { there_ = true; }
  bool any() const { return there_; }
  Copy operator&(Copy other) const { return Copy(there_ && other.there_); }
  Copy operator|(Copy other) const { return Copy(there_ || other.there_); }
  Copy() = default;

 private:
  explicit Copy(bool there) : there_(there) {}
  bool there_ = false;
};

[[noreturn]] void refuse_transfer(std::size_t step, const CollectiveTransfer& transfer, const std::string& what) {
  throw Error(ErrorKind::internal, "step " + std::to_string(step) + " of a collective, rank " +
                                       std::to_string(transfer.sender) + " to rank " +
                                       std::to_string(transfer.receiver) + ", " + what);
}

void check_ranks(const Collective& collective) {
  for (std::size_t now = 0; now < collective.steps.size(); ++now) {
    Parts sends, receives;
    for (const CollectiveTransfer& one : collective.steps[now]) {
      if (one.sender >= collective.ranks || one.receiver >= collective.ranks || one.sender == one.receiver)
        refuse_transfer(now, one, "isn't between two of " + std::to_string(collective.ranks) + " ranks");
      if (one.blocks.empty()) refuse_transfer(now, one, "has no blocks");
      for (const std::uint32_t block : one.blocks)
        if (block >= collective.blocks)
          refuse_transfer(now, one, "has blocks beyond the " + std::to_string(collective.blocks));
      if (sends[one.sender] || receives[one.receiver]) refuse_transfer(now, one, "uses a port twice");
      sends.set(one.sender), receives.set(one.receiver);
    }
  }
}

/// What each rank has of each block.
template <class Set>
class Holdings {
 public:
  explicit Holdings(const Collective& collective)
      : of_(collective), have_(std::size_t{collective.ranks} * collective.blocks), came_(have_.size(), false) {
    for (std::uint32_t rank = 0; rank < of_.ranks; ++rank)
      for (std::uint32_t block = 0; block < of_.blocks; ++block)
        if (begins(rank, block)) at(rank, block).set(rank);
  }

  Set& at(std::uint32_t rank, std::uint32_t block) { return have_[place(rank, block)]; }

  void play(std::size_t step) {
    std::vector<Set> sent;
    for (const CollectiveTransfer& one : of_.steps[step])
      for (const std::uint32_t block : one.blocks) {
        sent.push_back(at(one.sender, block));
        if (!sent.back().any())
          refuse_transfer(step, one, "sends block " + std::to_string(block) + ", which isn't there");
        if (of_.at_once && came_[place(one.sender, block)])
          refuse_transfer(step, one, "sends block " + std::to_string(block) + ", which it has to wait for");
      }
    auto next = sent.begin();
    for (const CollectiveTransfer& one : of_.steps[step])
      for (const std::uint32_t block : one.blocks) {
        Set& own = at(one.receiver, block);
        if (one.adds && (own & *next).any())
          refuse_transfer(step, one, "adds a number twice to block " + std::to_string(block));
        own = one.adds ? own | *next : *next;
        came_[place(one.receiver, block)] = true;
        ++next;
      }
  }

 private:
  bool begins(std::uint32_t rank, std::uint32_t block) const {
    switch (of_.kind) {
      case CollectiveKind::all_gather:
        return rank == block;
      case CollectiveKind::all_to_all:
        return rank == block / of_.ranks;
      case CollectiveKind::broadcast:
        return rank == 0;
      default:
        return true;
    }
  }

  std::size_t place(std::uint32_t rank, std::uint32_t block) const { return std::size_t{rank} * of_.blocks + block; }

  const Collective& of_;
  std::vector<Set> have_;
  std::vector<bool> came_;  ///< of each rank and block: that it has been received
};

/// Whether `rank` must have `block` in the end.
bool is_wanted(const Collective& of, std::uint32_t rank, std::uint32_t block) {
  if (of.kind == CollectiveKind::reduce_scatter) return of.homes.at(block) == rank;
  return of.kind != CollectiveKind::all_to_all || block % of.ranks == rank;
}

void check_sums(const Collective& of) {
  Holdings<Parts> have(of);
  for (std::size_t step = 0; step < of.steps.size(); ++step) have.play(step);
  for (std::uint32_t rank = 0; rank < of.ranks; ++rank)
    for (std::uint32_t block = 0; block < of.blocks; ++block)
      if (is_wanted(of, rank, block) && have.at(rank, block).count() != of.ranks)
        throw Error(ErrorKind::internal, "a collective leaves rank " + std::to_string(rank) + " with the sum of " +
                                             std::to_string(have.at(rank, block).count()) + " of " +
                                             std::to_string(of.ranks) + " ranks in block " + std::to_string(block));
}

void check_copies(const Collective& of) {
  Holdings<Copy> have(of);
  for (std::size_t step = 0; step < of.steps.size(); ++step) {
    for (const CollectiveTransfer& one : of.steps[step])
      if (one.adds)
        refuse_transfer(step, one, "adds, but nothing is added in an all_gather, an all_to_all or a broadcast");
    have.play(step);
  }
  for (std::uint32_t rank = 0; rank < of.ranks; ++rank)
    for (std::uint32_t block = 0; block < of.blocks; ++block)
      if (is_wanted(of, rank, block) && !have.at(rank, block).any())
        throw Error(ErrorKind::internal,
                    "a collective leaves rank " + std::to_string(rank) + " without block " + std::to_string(block));
}

}  // namespace

std::string_view name_of(CollectiveKind kind) {
  constexpr std::string_view names[] = {"reduce_scatter", "all_gather", "all_reduce", "all_to_all", "broadcast"};
  return names[static_cast<std::size_t>(kind)];
}

void check(const Collective& collective) {
  check_ranks(collective);
  const bool sums = collective.kind == CollectiveKind::all_reduce || collective.kind == CollectiveKind::reduce_scatter;
  sums ? check_sums(collective) : check_copies(collective);
}

std::vector<Words> block_words(Words words, std::uint32_t blocks) {
  std::vector<Words> sizes(blocks, Words{words.n / blocks});
  for (std::int64_t k = 0; k < words.n % blocks; ++k) ++sizes[static_cast<std::size_t>(k)].n;
  return sizes;
}

std::vector<Words> sizes_of(const Collective& collective, Words words) {
  if (collective.kind != CollectiveKind::all_to_all) return block_words(words, collective.blocks);
  const std::vector<Words> of_rank = block_words(words, collective.ranks);
  std::vector<Words> sizes;
  for (std::uint32_t rank = 0; rank < collective.ranks; ++rank)
    sizes.insert(sizes.end(), of_rank.begin(), of_rank.end());
  return sizes;
}

std::vector<Words> sizes_of(const Collective& collective, const DemandMatrix& demand) {
  bool square = demand.size() == collective.ranks;
  for (const auto& row : demand) square = square && row.size() == collective.ranks;
  if (collective.kind != CollectiveKind::all_to_all || !square)
    throw Error(ErrorKind::input, "a demand matrix is for an all_to_all, with a row and a column for each of its " +
                                      std::to_string(collective.ranks) + " ranks");
  std::vector<Words> sizes;
  for (std::uint32_t s = 0; s < collective.ranks; ++s)
    for (std::uint32_t t = 0; t < collective.ranks; ++t) sizes.push_back(Words{s == t ? 0 : demand[s][t]});
  return sizes;
}

}  // namespace ocs
