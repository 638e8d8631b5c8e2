// A row as JSON.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/live/live_row.hpp"

#include <array>
#include <nlohmann/json.hpp>
#include <utility>

namespace ocs {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::chrono::milliseconds interval{200};
constexpr std::size_t most_outputs = 4096;  // a message has to be short

// Letters of EventKind: idle, tuning, locking, up, held, failed.
constexpr std::array<char, 6> letters{'i', 't', 'l', 'u', 'h', 'f'};
static_assert(static_cast<std::size_t>(EventKind::failed) + 1 == letters.size());

}  // namespace

/// The present states of a plane.
class LiveRow::Outputs final : public OutputWatcher {
 public:
  explicit Outputs(std::size_t ports) : states_(ports, letters.front()), inputs_(ports, -1) {}

  void entered(Output out, EventKind state, std::optional<Input> in, Cycles) override {
    states_.at(index(out)) = letters.at(static_cast<std::size_t>(state));
    inputs_.at(index(out)) = in ? index(*in) : -1;
  }
  void passed(Output, Input, Cycles from, Cycles to) override { words_ += Words{(to - from).n}; }

  Words words() const { return words_; }
  Json json() const { return {{"states", states_}, {"inputs", inputs_}}; }
  std::size_t size() const { return states_.size(); }

 private:
  std::string states_;
  std::vector<int> inputs_;
  Words words_;
};

LiveRow::LiveRow(LivePage& page, Progress& progress, std::size_t number, std::string name)
    : page_(page), progress_(progress), number_(number), name_(std::move(name)) {
  say({.now = {}, .fraction = 0, .waiting_for = {}, .slowest = {}}, said_);
}

LiveRow::~LiveRow() { page_.running(number_, ""); }

void LiveRow::begin(const RunShape& shape) {
  circuits_ = !shape.packets;
  if (shape.packets) return;
  for (std::size_t plane = 0; plane < shape.planes; ++plane)
    outputs_.push_back(std::make_unique<Outputs>(static_cast<std::size_t>(shape.ports)));
}

OutputWatcher* LiveRow::outputs(std::size_t plane) { return outputs_.at(plane).get(); }

void LiveRow::tick(const Report& report) {
  progress_.tick(report);
  if (report.slowest.took > slowest_.took) slowest_ = report.slowest;
  const auto wall = Clock::now();
  if (wall >= next_) say(report, wall);
}

void LiveRow::say(const Report& report, Clock::time_point wall) {
  const double passed = std::chrono::duration<double>(wall - said_).count();
  if (passed > 0) events_per_second_ = static_cast<double>(events_ - said_events_) / passed;
  said_events_ = events_;
  said_ = wall;
  next_ = wall + interval;
  std::size_t outputs = 0;
  Words words;
  for (const auto& plane : outputs_) {
    outputs += plane->size();
    words += plane->words();
  }
  Json json{{"row", number_},
            {"name", name_},
            {"fraction", report.fraction},
            {"now_ps", report.now.n},
            {"waiting_for", report.waiting_for},
            {"slowest", nullptr},
            {"transfers", transfers_}};
  if (slowest_.took.count() >= 0)
    json["slowest"] = {{"node", index(slowest_.node)},
                       {"took_s", std::chrono::duration<double>(slowest_.took).count()}};
  slowest_ = {};
  if (circuits_) {
    json.update({{"events", events_}, {"events_per_s", events_per_second_}, {"plans", plans_}, {"words", words.n}});
    json["planes"] = Json::array();
    if (outputs <= most_outputs)
      for (const auto& plane : outputs_) json["planes"].push_back(plane->json());
    else
      json["outputs"] = outputs;
  }
  page_.running(number_, json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

}  // namespace ocs
