// Parts that add up.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/engine/profile.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "testbed/results/text/human.hpp"

namespace ocs {
namespace {

constexpr std::array<std::string_view, parts> names{"rest",       "database", "placer", "controller", "scheduler",
                                                    "accounting", "driver",   "glue",   "transport",  "payload"};

/// The shortest of a few: the others were disturbed.
Profile::Clock::duration cost_of(Profile::Now now) {
  constexpr int tries = 20, readings = 50;
  auto least = Profile::Clock::duration::max();
  for (int k = 0; k < tries; ++k) {
    const auto begin = now();
    for (int r = 1; r < readings; ++r) now();
    least = std::min(least, (now() - begin) / readings);
  }
  return least;
}

double seconds(Profile::Clock::duration time) { return std::chrono::duration<double>(time).count(); }

}  // namespace

Profile::Profile(Now now) : now_(now), reading_(cost_of(now)) {}

void Profile::start() {
  shares_ = {};
  running_ = Part::rest;
  evaluation_ = {};
  edges_ = 0;
  started_ = since_ = stopped_ = now_();
}

void Profile::stop() {
  change(Part::rest);
  stopped_ = since_;
}

Part Profile::change(Part to) {
  const auto time = now_();
  Share& share = shares_[static_cast<std::size_t>(running_)];
  share.time += time - since_;
  ++share.readings;
  since_ = time;
  return std::exchange(running_, to);
}

Profile::Clock::duration Profile::of(Part part) const {
  const Share& share = shares_[static_cast<std::size_t>(part)];
  return std::max(Clock::duration{}, share.time - reading_ * share.readings);
}

Profile::Clock::duration Profile::stopwatch() const {
  Clock::duration rest = whole();
  for (std::size_t k = 0; k < parts; ++k) rest -= of(static_cast<Part>(k));
  return rest;
}

void Profile::evaluated(std::chrono::nanoseconds time, std::uint64_t edges) {
  evaluation_ = time;
  edges_ = edges;
}

Profile::Clock::duration Profile::evaluation() const {
  return std::min<Clock::duration>(evaluation_, of(Part::device));
}

std::string profile_text(const Profile& profile, const std::string& heading) {
  struct Line {
    std::string name;
    Profile::Clock::duration time;
    std::string more;
  };
  std::vector<Line> lines;
  for (std::size_t k = 0; k < parts; ++k) {
    const auto part = static_cast<Part>(k);
    lines.push_back({std::string(names[k]), profile.of(part), ""});
    if (part != Part::device) continue;
    const auto evaluation = profile.evaluation();
    if (evaluation.count() == 0) {
      lines.back().name = "device";
      continue;
    }
    lines.back().time -= evaluation;
    lines.push_back({"RTL evaluation", evaluation,
                     human_count(static_cast<std::int64_t>(profile.edges())) + " edges, " +
                         human_time(seconds(evaluation) / static_cast<double>(profile.edges())) + " each"});
  }
  lines.push_back({"stopwatch", profile.stopwatch(), "without --profile it isn't there"});
  std::stable_sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) { return a.time > b.time; });
  std::string text = heading + ": " + human_time(seconds(profile.whole())) + "\n";
  for (const Line& line : lines) {
    const std::string time = human_time(seconds(line.time));
    const std::string share =
        human_percent(profile.whole().count() > 0 ? seconds(line.time) / seconds(profile.whole()) : 0.0);
    const auto spaces = [](std::size_t width, const std::string& to) {
      return std::string(width - std::min(width, to.size()), ' ') + to;
    };
    text += "  " + line.name + std::string(16 - std::min<std::size_t>(16, line.name.size()), ' ') + spaces(9, time) +
            spaces(9, share) + (line.more.empty() ? "" : "   " + line.more) + "\n";
  }
  return text;
}

}  // namespace ocs
