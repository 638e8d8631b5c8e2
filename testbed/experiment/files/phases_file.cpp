// From JSON to phases; legs_of() checks what they say of each other.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/experiment/files/phases_file.hpp"

#include <algorithm>
#include <initializer_list>
#include <numeric>
#include <utility>
#include <vector>

#include "host/core/error.hpp"
#include "host/core/ids.hpp"
#include "host/core/printable.hpp"
#include "testbed/collectives/catalogue.hpp"
#include "testbed/plans/plan_json.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs {
namespace {

constexpr std::int64_t most_phase_cycles = 1'000'000'000'000'000, most_phase_words = 1'000'000'000'000;
constexpr std::size_t most_phases = 20'000, most_moves = 20'000'000, most_phases_bytes = std::size_t{16} << 20;

class PhasesOfFile final : public PhasedWorkload {
 public:
  PhasesOfFile(int nodes, PhasedIteration iteration) : nodes_(nodes), iteration_(std::move(iteration)) {}
  int nodes() const override { return nodes_; }
  bool changes() const override { return false; }
  PhasedIteration iteration(std::uint32_t, const PhaseUnits&) const override { return iteration_; }
  std::string summary() const override {
    return std::to_string(nodes_) + " ranks, " + std::to_string(iteration_.phases.size()) + " phases";
  }

 private:
  int nodes_;
  PhasedIteration iteration_;
};

[[noreturn]] void refuse_phases(const std::string& sentence) { throw Error(ErrorKind::input, sentence); }

void only_known(const Json& object, const std::string& where, std::initializer_list<std::string_view> known) {
  for (const auto& [name, value] : object.items())
    if (std::ranges::find(known, name) == known.end())
      refuse_phases(where + " has " + in_quotes(name) + ", which no phase has");
}

std::int64_t number_in(const Json& value, const std::string& place, std::int64_t most) {
  if (!value.is_number_integer() || value < 0 || value > most)
    refuse_phases(place + " must be a whole number from 0 to " + std::to_string(most));
  return value.get<std::int64_t>();
}

/// A list of lists of numbers from 0.
std::vector<std::vector<std::int64_t>> rows_in(const Fields& in, const char* name, std::int64_t most) {
  std::vector<std::vector<std::int64_t>> rows;
  for (const Json& row : in.list(name)) {
    const std::string place = in.place(name) + "[" + std::to_string(rows.size()) + "]";
    if (!row.is_array()) refuse_phases(place + " must be a list");
    rows.emplace_back();
    for (const Json& value : row) rows.back().push_back(number_in(value, "a number of " + place, most));
  }
  return rows;
}

PairPhase read_pairs(const Json& object, const Fields& in, const std::string& where) {
  only_known(object, where, {"pairs", "gap"});
  PairPhase phase;
  for (const auto& row : rows_in(in, "pairs", most_phase_words)) {
    if (row.size() != 3 || row[0] >= std::int64_t{max_ports} || row[1] >= std::int64_t{max_ports})
      refuse_phases(where + ".pairs must hold lists of two ranks below 256, and words");
    phase.pairs.push_back({static_cast<std::uint16_t>(row[0]), static_cast<std::uint16_t>(row[1]), Words{row[2]}});
  }
  return phase;
}

std::vector<std::vector<std::uint16_t>> read_groups(const Fields& in, int ranks) {
  if (in.find("groups") == nullptr) {  // all ranks are one
    std::vector<std::uint16_t> all(static_cast<std::size_t>(ranks));
    std::iota(all.begin(), all.end(), std::uint16_t{0});
    return {all};
  }
  std::vector<std::vector<std::uint16_t>> groups;
  for (const auto& row : rows_in(in, "groups", max_ports - 1)) groups.emplace_back(row.begin(), row.end());
  if (groups.empty() || groups.front().size() > max_ports)
    refuse_phases(in.place("groups") + " must hold lists of at most 256 ranks");
  return groups;
}

GroupPhase read_group_phase(const Json& object, const Fields& in, const std::string& where, int ranks) {
  only_known(object, where, {"collective", "algorithm", "chunks", "groups", "words", "demand", "gap"});
  if ((in.find("words") == nullptr) == (in.find("demand") == nullptr))
    refuse_phases(where + " must have either \"words\" or \"demand\"");
  GroupPhase phase;
  phase.groups = read_groups(in, ranks);
  try {
    const CollectiveKind kind = collective_kind(in.text("collective", ""));
    const std::string algorithm = in.text("algorithm", std::string(algorithms_of(kind).front().name));
    phase.list = make_collective(kind, algorithm, static_cast<int>(phase.groups.front().size()),
                                 static_cast<std::uint32_t>(in.whole("chunks", 1, 65536, 1)));
    phase.sizes = in.find("demand") != nullptr ? sizes_of(phase.list, rows_in(in, "demand", most_phase_words))
                                               : sizes_of(phase.list, Words{in.whole("words", 0, most_phase_words)});
  } catch (const Error& error) {
    if (std::string_view(error.what()).starts_with(where)) throw;
    refuse_phases(where + ": " + printable(error.what()));  // it quotes the file
  }
  return phase;
}

/// Blocks that its list moves, of all groups: what it takes to look at it.
std::size_t moves_of(const TrafficPhase& phase) {
  const auto* groups = std::get_if<GroupPhase>(&phase.what);
  if (groups == nullptr) return std::get<PairPhase>(phase.what).pairs.size();
  std::size_t moves = 0;
  for (const CollectiveStep& step : groups->list.steps)
    for (const CollectiveTransfer& one : step) moves += one.blocks.size();
  return moves * groups->groups.size();
}

}  // namespace

std::shared_ptr<const PhasedWorkload> parse_phases(std::string_view text, const std::string& where) {
  const Json json = parse_json(text, where);
  const Fields all(json, where);
  only_known(json, where, {"ranks", "phases", "tail"});
  const auto ranks = static_cast<int>(all.whole("ranks", 2, max_ports));
  PhasedIteration iteration;
  iteration.tail = Cycles{all.whole("tail", 0, most_phase_cycles, 0)};
  std::size_t moves = 0;
  for (const Json& object : all.list("phases")) {
    const std::string place = where + ".phases[" + std::to_string(iteration.phases.size()) + "]";
    if (iteration.phases.size() == most_phases) refuse_phases(where + " has more than 20000 phases");
    const Fields in(object, place);
    TrafficPhase phase;
    phase.gap = in.whole("gap", 0, most_phase_cycles, 0);
    if (in.find("pairs") != nullptr)
      phase.what = read_pairs(object, in, place);
    else
      phase.what = read_group_phase(object, in, place, ranks);
    moves += moves_of(phase);
    if (moves > most_moves) refuse_phases(where + " moves more than 2 * 10^7 blocks in its phases");
    iteration.phases.push_back(std::move(phase));
  }
  if (iteration.phases.empty()) refuse_phases(where + ".phases must have one phase or more");
  return std::make_shared<const PhasesOfFile>(ranks, std::move(iteration));
}

PhasesFile load_phases(std::string_view name, const std::filesystem::path& base) {
  const std::filesystem::path file = base / name.substr(phases_prefix.size());
  PhasesFile loaded{read_text_file(file, "file of phases", most_phases_bytes), nullptr};
  loaded.phases = parse_phases(loaded.text, file.filename().string());
  return loaded;
}

}  // namespace ocs
