// The packet network: transfers share the rates of ports max-min fairly; there are no circuits and nothing is dark.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "host/controller/packets/fair_rates.hpp"
#include "host/controller/transfers/transfers.hpp"
#include "host/core/network.hpp"

namespace ocs {

/// A transfer that has been delivered: it had a share of its ports from `began` until `ended`, and its last word, if
/// any, arrived a flight later.
struct PacketCarried {
  Id transfer;
  Node from, to;
  Picos began, ended, arrived;
};

struct PacketConfig {
  int ports = 2;   ///< 2 to max_ports
  int planes = 1;  ///< networks side by side: a node has a port on each, and words are spread over all of them
  std::int64_t word_bytes = 64;
  Picos cycle;                             ///< that a word takes at the full rate, at most 2^32 - 1
  WordCycles word_cycles{};                ///< of each node; empty: one cycle everywhere
  std::vector<RateChange> rate_changes{};  ///< ascending; a port's rate, on both sides, from then on
  std::vector<Outage> outages{};           ///< ascending; a dead port carries nothing, and loses nothing
  Picos flight{};                          ///< from a node to another, behind the last word
  std::function<void(const PacketCarried&)> on_carried{};  ///< before the final delivery is given out
};

struct PacketStats {
  std::int64_t transfers = 0;  ///< delivered for the last time
  std::int64_t words = 0;      ///< that have arrived
  std::int64_t fillings = 0;   ///< how often shares were worked out
};

/// The rule, in whole numbers:
/// - Every node has a port with a send side and a receive side. A side whose words take k cycles gives up to `full` / k
///   (rounded down) units of a word per picosecond; a word has `full` * cycle units. `full` is a multiple of 1 to 40
///   and of all divisors of 40000, so equal shares of up to 40 transfers are exact, and those of more are at most one
///   unit, less than 4e-18 of a port, too small. With several planes a side gives that times their number, to one
///   transfer or to many. A dead port's sides give nothing on any plane; what was under way goes on afterwards.
/// - From the instant at which it is ready a transfer has a share of its sender's send side and of its receiver's
///   receive side: the max-min fair one among all that are under way (fair_rates.hpp). Between two instants at which
///   transfers come or go, or rates change, shares don't change. Two transfers of one pair of nodes have a share each.
/// - A transfer ends at the first whole picosecond at which all its units have passed, and is delivered whole, once, a
///   flight later. Nothing is lost. Priorities count for nothing.
/// - At one instant transfers end first, then others are aborted, then those that are ready begin; all of that in any
///   order. What is delivered at one instant is told in ascending order of the Ids. An abort acts at its instant: what
///   has passed in whole words is delivered, and that the rest is missing, a flight later; nothing, at once, if the
///   transfer wasn't ready.
class PacketNetwork final : public Network {
 public:
  static constexpr std::int64_t full = 267'146'572'853'160'000;  // 50 lcm(1, ..., 40)

  explicit PacketNetwork(PacketConfig config);

  /// @throws Error (input) for an Id under way, several receivers, and what checked_words() refuses.
  void offer(Transfer transfer) override;
  /// @throws Error (input) for an Id that isn't under way or an instant before what advance() last returned.
  void abort(Id transfer, Picos at) override;
  Picos next() override;
  Picos advance(Picos limit, std::vector<Delivery>& append) override;
  /// Counts what has ended; a side of a port is busy while a transfer that counts there has a share of it.
  PortUse use(Node node) const override { return uses_.at(index(node)); }

  const PacketStats& stats() const { return stats_; }

 private:
  __extension__ using Units = __int128;
  struct Sent {
    Id id;
    Node from, to;
    Words words;
    Picos began;
    Units left;
    bool counts_from = true, counts_to = true;  ///< in use()
  };
  struct Flying {
    Sent sent;
    Picos ended;
    Words arrived;
  };

  Picos next_of_ports() const;
  Picos next_change();
  void change(Picos now);
  void pass_until(Picos now);
  void change_ports(Picos now);
  void refuse_endless_wait(std::uint16_t port) const;
  void end(Picos now);
  void abort_due(Picos now);
  void begin(Picos now);
  void share();
  void fly(const Sent& sent, Picos now);
  void give_out(Picos now, std::vector<Delivery>& append);

  PacketConfig config_;
  Units word_units_;
  FairRates fair_;
  std::map<Id, Transfer> waiting_;                 ///< not ready
  std::set<std::pair<Picos, Id>> ready_;           ///< when those of waiting_ are
  std::vector<Sent> under_way_;                    ///< in the order in which they began
  std::vector<SidePair> sides_;                    ///< of each of them
  std::vector<std::int64_t> rates_;                ///< units per ps
  std::set<Id> known_;                             ///< waiting or under way
  Picos since_{0};                                 ///< `left` is of then
  Picos next_end_ = never<Picos>;                  ///< of those under way
  std::multimap<Picos, Id> aborts_;                ///< to come
  std::map<std::pair<Picos, Id>, Flying> flying_;  ///< by when they arrive
  Picos reached_{0};                               ///< what advance() last returned
  std::size_t changes_ = 0, outages_ = 0;          ///< that have come
  std::vector<std::int64_t> units_;                ///< of each port's sides, where it isn't dead
  std::set<std::uint16_t> dead_;                   ///< ports
  std::vector<PortUse> uses_;                      ///< of each port
  std::vector<char> busy_;                         ///< sides; scratch
  PacketStats stats_;
};

}  // namespace ocs
