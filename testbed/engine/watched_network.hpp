// A network that shows what is offered to it and what it delivers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "testbed/engine/run_watch.hpp"

namespace ocs {

class WatchedNetwork final : public Network {
 public:
  WatchedNetwork(Network& inner, RunWatch& watch) : inner_(inner), watch_(watch) {}
  void offer(Transfer transfer) override {
    watch_.offered(transfer);
    inner_.offer(std::move(transfer));
  }
  void abort(Id id, Picos at) override { inner_.abort(id, at); }
  Picos next() override { return inner_.next(); }
  Picos advance(Picos limit, std::vector<Delivery>& append) override {
    const std::size_t before = append.size();
    now_ = std::max(now_, inner_.advance(limit, append));
    for (std::size_t k = before; k < append.size(); ++k) watch_.delivered(append[k]);
    return now_;
  }
  void expect(Picos at) override { inner_.expect(at); }
  void prioritise(Id id, std::int32_t priority) override { inner_.prioritise(id, priority); }
  PortUse use(Node node) const override { return inner_.use(node); }
  Words sent(Id id) override { return inner_.sent(id); }

  Picos now() const { return now_; }  ///< of the run: what advance() last returned

 private:
  Network& inner_;
  RunWatch& watch_;
  Picos now_{0};
};

}  // namespace ocs
