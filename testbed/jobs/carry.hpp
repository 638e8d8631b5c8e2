// Carries everything that arrives, on a switch or on paper, and keeps when each coflow and each work began and ended.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "testbed/jobs/work.hpp"

namespace ocs {

/// When a coflow was released and ended. In order of the ends.
struct CoflowTime {
  std::uint32_t work;   ///< its place in the span
  std::uint32_t round;  ///< iteration * 2, + 1: pull
  Cycles released, ended;
  Cycles cct() const { return ended - released; }
  friend bool operator==(const CoflowTime&, const CoflowTime&) = default;
};

struct Carriage {
  std::vector<CoflowTime> coflows;  ///< with words; a coflow without any takes no time
  std::vector<Cycles> ended;        ///< of each work
  Cycles first, last;               ///< arrival of the first, end of the last
};

/// A session, or several side by side.
class CoflowCarrier {
 public:
  virtual ~CoflowCarrier() = default;
  virtual void release(Coflow coflow) = 0;
  virtual Cycles next() const = 0;
  virtual Cycles advance(Cycles limit, std::vector<CoflowEnd>& ended) = 0;
};

/// One switch, or paper.
class OneSession final : public CoflowCarrier {
 public:
  explicit OneSession(CoflowSession& session) : session_(session) {}  ///< which outlives this
  void release(Coflow coflow) override { session_.release(std::move(coflow)); }
  Cycles next() const override { return session_.next(); }
  Cycles advance(Cycles limit, std::vector<CoflowEnd>& ended) override { return session_.advance(limit, ended); }

 private:
  CoflowSession& session_;
};

/// @param works by arrival. @param tick called after each step with the present instant and the works that are over;
/// may throw to end the run; may be left out.
/// @throws Error (run) if nothing goes on any more.
Carriage carry(std::span<const Work> works, CoflowCarrier& carrier,
               const std::function<void(Cycles, std::size_t)>& tick = {});

/// How long each work takes when it is alone on switches that are dark at its arrival. Works that are equal but for
/// number, priority and arrival are carried once.
/// @param fresh makes what carries one of them, mostly on paper.
std::vector<Cycles> carry_alone(std::span<const Work> works,
                                const std::function<std::unique_ptr<CoflowCarrier>()>& fresh);

}  // namespace ocs
