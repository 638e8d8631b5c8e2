// Reads profiles with the reader of experiment files: every value has its line.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/experiment/files/switch_profile.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>

#include "host/core/error.hpp"
#include "host/core/fnv.hpp"
#include "host/toml/toml.hpp"
#include "testbed/experiment/files/light.hpp"
#include "testbed/experiment/files/neighbours.hpp"
#include "testbed/experiment/files/quantiles.hpp"
#include "testbed/experiment/files/receivers.hpp"
#include "testbed/experiment/quantity.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs {
namespace {

constexpr std::size_t max_profile_bytes = std::size_t{1} << 22;  // 256 * 256 pairs of 13 digits take a quarter
constexpr std::int64_t longest = std::int64_t{1} << 62;

constexpr Library library{
    .kind = "switch", .plural = "switches", .ending = ".toml", .path = "file:PROFILE.toml", .except = {}};

/// The shortest decimal that is this number: what was written, if that has up to 15 digits. Empty: it isn't a number.
std::string decimal_text(const toml::node& node) {
  if (const auto* whole = node.as_integer()) return std::to_string(whole->get());
  const auto* number = node.as_floating_point();
  if (number == nullptr) return {};
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), number->get());  // the shortest
  return {text.data(), end.ptr};
}

std::string hash_of(std::string_view text) {
  Fnv1a hash;
  hash.add(text);
  return hash.hex();
}

class Reader {
 public:
  Reader(std::string_view origin) : origin_(origin) {}

  SwitchProfile profile(std::string_view text, std::string_view name) {
    SwitchProfile profile;
    profile.name = name;
    profile.hash = hash_of(text);
    const toml::table table = parse(text);
    known(table, "",
          {"summary", "source", "published", "assumed", "ports", "control_latency", "tuning", "locking", "programming",
           "bounds", "optics"});
    profile.summary = words(table, "summary");
    profile.sources = list(table, "source");
    profile.published = words(table, "published");
    profile.assumed = words(table, "assumed");
    profile.ports = static_cast<int>(whole(needed(table, "ports"), "ports", 2, 256));
    if (const toml::node* latency = table.get("control_latency"))
      profile.control_latency = time(*latency, "control_latency");
    profile.tuning = tuning(section(table, "tuning"), profile.ports);
    profile.neighbours_text = words(section(table, "tuning"), "neighbours");
    profile.neighbours = neighbours(section(table, "tuning"), profile.neighbours_text);
    profile.locking = locking(section(table, "locking"), profile.ports);
    profile.receivers_text = words(section(table, "locking"), "receivers");
    profile.receivers = receivers(section(table, "locking"), profile.receivers_text);
    if (table.contains("programming")) {
      const toml::table& programming = section(table, "programming");
      known(programming, "programming.", {"time", "lanes"});
      profile.program_time = time(needed(programming, "time"), "programming.time");
      if (const toml::node* lanes = programming.get("lanes"))
        profile.program_lanes = static_cast<int>(whole(*lanes, "programming.lanes", 1, 256));
    }
    if (table.contains("optics")) {
      profile.optics = optics(section(table, "optics"));
      profile.light_text = words(section(table, "optics"), "light");
      profile.light = light(section(table, "optics"), profile.light_text);
      add_levels(section(table, "optics"), profile);
    }
    if (table.contains("bounds")) {
      const toml::table& bounds = section(table, "bounds");
      known(bounds, "bounds.", {"at_most"});
      profile.at_most = time(needed(bounds, "at_most"), "bounds.at_most");
    }
    return profile;
  }

 private:
  [[noreturn]] void refuse(const toml::source_region& where, const std::string& sentence) const {
    throw Error(ErrorKind::input, std::string(origin_) + ":" + std::to_string(where.begin.line) + ": " + sentence);
  }

  toml::table parse(std::string_view text) const {
    try {
      return parse_toml(text);
    } catch (const toml::parse_error& failure) {
      std::string why;
      for (const char c : failure.description().substr(0, 200)) why += c >= ' ' && c <= '~' ? c : ' ';
      refuse(failure.source(), "this is not valid TOML: " + why);
    }
  }

  void known(const toml::table& table, const std::string& prefix, const std::vector<std::string>& keys) const {
    for (const auto& [key, node] : table)
      if (std::find(keys.begin(), keys.end(), key.str()) == keys.end())
        refuse(key.source(),
               "unknown key " + in_quotes(prefix + std::string(key.str())) + ", but the keys are " + joined(keys));
  }

  const toml::node& needed(const toml::table& table, const char* key) const {
    const toml::node* node = table.get(key);
    if (node == nullptr) refuse(table.source(), "the key " + in_quotes(key) + " is missing");
    return *node;
  }

  const toml::table& section(const toml::table& table, const char* key) const {
    const toml::node& node = needed(table, key);
    if (!node.is_table()) refuse(node.source(), in_quotes(key) + " must be a table: [" + key + "]");
    return *node.as_table();
  }

  std::string words(const toml::table& table, const char* key) const {
    const toml::node* node = table.get(key);
    if (node == nullptr) return {};
    const auto* text = node->as_string();
    if (text == nullptr) refuse(node->source(), in_quotes(key) + " must be text in quotes");
    return text->get();
  }

  std::vector<std::string> list(const toml::table& table, const char* key) const {
    const toml::node* node = table.get(key);
    if (node == nullptr) return {};
    std::vector<std::string> all;
    if (const auto* text = node->as_string())
      all.push_back(text->get());
    else if (const toml::array* items = node->as_array())
      for (const toml::node& item : *items) {
        if (!item.is_string()) refuse(item.source(), in_quotes(key) + " must hold text alone");
        all.push_back(item.as_string()->get());
      }
    else
      refuse(node->source(), in_quotes(key) + " must be text in quotes, or a list of such");
    return all;
  }

  std::int64_t whole(const toml::node& node, const char* key, std::int64_t least, std::int64_t most) const {
    const auto* number = node.as_integer();
    if (number == nullptr || number->get() < least || number->get() > most)
      refuse(node.source(),
             in_quotes(key) + " must be a whole number from " + std::to_string(least) + " to " + std::to_string(most));
    return number->get();
  }

  Picos time(const toml::node& node, const char* key) const {
    const auto* text = node.as_string();
    if (text == nullptr) refuse(node.source(), in_quotes(key) + " must be a time in quotes, such as \"11.5 us\"");
    try {
      const Picos time{parse_quantity(text->get(), Dimension::time)};
      if (time.n <= longest) return time;
    } catch (const Error& failure) {
      refuse(node.source(), in_quotes(key) + " is " + in_quotes(text->get()) + ", but " + failure.what());
    }
    refuse(node.source(), in_quotes(key) + " is " + in_quotes(text->get()) + ", but must be at most " +
                              to_text(longest, Dimension::time));
  }

  const toml::array& array(const toml::node& node, const char* key, std::size_t size, const char* of) const {
    const toml::array* items = node.as_array();
    if (items == nullptr || items->size() != size)
      refuse(node.source(), in_quotes(key) + " must be a list of " + std::to_string(size) + ", one for each " + of);
    return *items;
  }

  std::vector<Picos> row(const toml::node& node, const char* key, int ports, const char* of) const {
    std::vector<Picos> times;
    for (const toml::node& item : array(node, key, static_cast<std::size_t>(ports), of))
      times.push_back({whole(item, key, 0, longest)});
    return times;
  }

  std::vector<Picos> tuning(const toml::table& table, int ports) const {
    known(table, "tuning.", {"all", "seed", "quantiles", "picoseconds", "neighbours"});
    one_of(table, "tuning", {"all", "quantiles", "picoseconds"});
    const auto n = static_cast<std::size_t>(ports);
    if (table.contains("seed") && !table.contains("quantiles"))
      refuse(table.source(), "\"tuning.seed\" goes with \"tuning.quantiles\" alone");
    if (const toml::node* all = table.get("all")) return {time(*all, "tuning.all")};
    std::vector<Picos> pairs(n * n);
    if (const toml::node* rows = table.get("picoseconds")) {
      std::size_t out = 0;
      for (const toml::node& each : array(*rows, "tuning.picoseconds", n, "output")) {
        const std::vector<Picos> times = row(each, "tuning.picoseconds", ports, "input");
        for (std::size_t in = 0; in < n; ++in) pairs[in * n + out] = times[in];
        ++out;
      }
      return pairs;
    }
    const std::vector<Quantile> quantiles = read_quantiles(needed(table, "quantiles"));
    const auto seed = static_cast<std::uint64_t>(whole(needed(table, "seed"), "tuning.seed", 0, longest));
    constexpr std::uint64_t row_of_numbers = 256;  // a pair's draw doesn't depend on how many ports there are
    for (std::size_t in = 0; in < n; ++in)
      for (std::size_t out = 0; out < n; ++out) pairs[in * n + out] = draw(quantiles, seed, out * row_of_numbers + in);
    return pairs;
  }

  std::vector<Quantile> read_quantiles(const toml::node& node) const {
    constexpr const char* key = "tuning.quantiles";
    const std::string right = in_quotes(key) +
                              " must be a list such as [[0, \"1 ms\"], [500, \"2 ms\"], [1000, \"9 ms\"]]: "
                              "thousandths of the pairs, and the time that they need at most; both ascend";
    const toml::array* items = node.as_array();
    if (items == nullptr || items->size() < 2) refuse(node.source(), right);
    std::vector<Quantile> quantiles;
    for (const toml::node& item : *items) {
      const toml::array* pair = item.as_array();
      if (pair == nullptr || pair->size() != 2) refuse(item.source(), right);
      quantiles.push_back({whole(*pair->get(0), key, 0, 1000), time(*pair->get(1), key)});
      const std::size_t k = quantiles.size() - 1;
      if (k > 0 && (quantiles[k].share <= quantiles[k - 1].share || quantiles[k].time < quantiles[k - 1].time))
        refuse(item.source(), right);
    }
    if (quantiles.front().share != 0 || quantiles.back().share != 1000)
      refuse(node.source(), right + "; from 0 to 1000");
    return quantiles;
  }

  std::vector<Picos> locking(const toml::table& table, int ports) const {
    known(table, "locking.", {"all", "picoseconds", "receivers"});
    one_of(table, "locking", {"all", "picoseconds"});
    if (const toml::node* all = table.get("all")) return {time(*all, "locking.all")};
    return row(needed(table, "picoseconds"), "locking.picoseconds", ports, "output");
  }

  std::optional<ReceiverTimes> receivers(const toml::table& table, const std::string& text) const {
    try {
      return parse_receivers(text);
    } catch (const Error& failure) {
      refuse(table.get("receivers")->source(),
             "\"locking.receivers\" is " + in_quotes(text) + ", but " + failure.what());
    }
  }

  NeighbourTimes neighbours(const toml::table& table, const std::string& text) const {
    try {
      return parse_neighbours(text);
    } catch (const Error& failure) {
      refuse(table.get("neighbours")->source(),
             "\"tuning.neighbours\" is " + in_quotes(text) + ", but " + failure.what());
    }
  }

  std::optional<LightLevels> light(const toml::table& table, const std::string& text) const {
    try {
      return parse_light(text);
    } catch (const Error& failure) {
      refuse(table.get("light")->source(), "\"optics.light\" is " + in_quotes(text) + ", but " + failure.what());
    }
  }

  /// What one of the lists says: a number of dBm or dB for all ports, or one for each; in hundredths.
  struct Levels {
    const char *key, *what, *of;  ///< of: whom each number belongs to
    int least, most;
  };

  int level(const toml::node& node, const std::string& right, const Levels& limits) const {
    const std::string text = decimal_text(node);
    if (text.empty()) refuse(node.source(), right);
    const std::optional<int> level = hundredths_of(text);
    if (!level || *level < limits.least || *level > limits.most) refuse(node.source(), right + "; it has " + text);
    return *level;
  }

  /// @param all of every port, if it is one number @param each of each port, if it is a list
  void read_levels(const toml::node& node, const Levels& limits, int ports, int& all, std::vector<int>& each) const {
    const std::string right = in_quotes(std::string("optics.") + limits.key) + " must be " + limits.what +
                              ", or a list of " + std::to_string(ports) + " of them, one for each " + limits.of +
                              ": numbers from " + hundredths_text(limits.least) + " to " +
                              hundredths_text(limits.most) + " with two decimals at most";
    const toml::array* items = node.as_array();
    if (items == nullptr) {
      all = level(node, right, limits);
      return;
    }
    if (items->size() != static_cast<std::size_t>(ports))
      refuse(node.source(), right + "; it has " + std::to_string(items->size()) + " of them");
    for (const toml::node& item : *items) each.push_back(level(item, right, limits));
  }

  /// Lists of levels go before the first level of `light`.
  void add_levels(const toml::table& table, SwitchProfile& profile) const {
    const toml::node *laser = table.get("laser"), *loss = table.get("loss");
    if (laser == nullptr && loss == nullptr) return;
    if (!profile.light) profile.light.emplace();
    LightLevels& levels = *profile.light;
    if (laser != nullptr)
      read_levels(*laser, {"laser", "a level in dBm", "input", least_light, most_light}, profile.ports, levels.laser,
                  levels.lasers);
    if (loss != nullptr)
      read_levels(*loss, {"loss", "a loss in dB", "output", 0, most_loss}, profile.ports, levels.loss, levels.losses);
    profile.light_text += std::string(profile.light_text.empty() ? "" : ", ") + (laser != nullptr ? "laser" : "") +
                          (laser != nullptr && loss != nullptr ? " and " : "") + (loss != nullptr ? "loss" : "") +
                          " of the switch";
  }

  std::map<std::string, double> optics(const toml::table& table) const {
    constexpr double most = 1000;
    known(table, "optics.",
          {"launch_dbm", "insertion_loss_db", "loss_spread_db", "sensitivity_dbm", "drift_db_per_s", "damping", "light",
           "laser", "loss"});
    std::map<std::string, double> numbers;
    for (const auto& [key, node] : table) {
      if (key.str() == "light" || key.str() == "laser" || key.str() == "loss") continue;
      const std::optional<double> number = node.value<double>();
      if (!node.is_number() || !number || !(*number >= -most && *number <= most))
        refuse(node.source(), in_quotes("optics." + std::string(key.str())) + " must be a number from -1000 to 1000");
      numbers.emplace(key.str(), *number);
    }
    return numbers;
  }

  void one_of(const toml::table& table, const char* section, const std::vector<std::string>& keys) const {
    const auto there =
        std::count_if(keys.begin(), keys.end(), [&](const std::string& key) { return table.contains(key); });
    if (there != 1) refuse(table.source(), "[" + std::string(section) + "] must have exactly one of " + joined(keys));
  }

  std::string_view origin_;
};

void use_first_ports(LightLevels& levels, std::size_t ports) {
  for (std::vector<int>* of_each : {&levels.lasers, &levels.losses})
    if (!of_each->empty()) of_each->resize(ports);
}

}  // namespace

Picos SwitchProfile::tuning_of(Input in, Output out) const {
  return tuning.size() == 1
             ? tuning[0]
             : tuning[static_cast<std::size_t>(index(in)) * static_cast<std::size_t>(ports) + index(out)];
}

Picos SwitchProfile::locking_of(Output out) const { return locking.size() == 1 ? locking[0] : locking[index(out)]; }

SwitchProfile parse_switch_profile(std::string_view text, std::string_view name, std::string_view origin) {
  return Reader(origin).profile(text, name);
}

SwitchProfile load_switch_profile(std::string_view name, const std::filesystem::path& folder,
                                  const std::filesystem::path& base) {
  const std::filesystem::path file = file_named(name, library, folder, base);
  return parse_switch_profile(read_text_file(file, "switch profile", max_profile_bytes), name, file.string());
}

std::vector<std::string> switch_names(const std::filesystem::path& folder) { return names_in(library, folder); }

void use_switch(FabricSettings& fabric, const SwitchProfile& profile, const Origins& origins) {
  if (fabric.ports > profile.ports)
    throw Error(ErrorKind::input, origin_of(origins, {"fabric.switch", "fabric.ports"}) + ": switch " +
                                      in_quotes(profile.name) + " has " + std::to_string(profile.ports) +
                                      " ports, but fabric.ports is " + std::to_string(fabric.ports));
  fabric.switch_name = profile.name;
  fabric.switch_hash = profile.hash;
  fabric.control_latency = profile.control_latency;
  fabric.program_time = profile.program_time;
  fabric.program_lanes = profile.program_lanes;
  if (fabric.receivers_text.empty()) {
    fabric.receivers_text = profile.receivers_text;
    fabric.receiver_times = profile.receivers;
  }
  if (fabric.neighbours_text.empty()) {
    fabric.neighbours_text = profile.neighbours_text;
    fabric.neighbour_times = profile.neighbours;
  }
  if (fabric.light_text.empty()) {
    fabric.light_text = profile.light_text;
    fabric.light_levels = profile.light;
    if (fabric.light_levels) use_first_ports(*fabric.light_levels, static_cast<std::size_t>(fabric.ports));
  }
  fabric.pair_tuning.clear();
  fabric.output_locking.clear();
  fabric.tuning = fabric.locking = {};
  const auto ports = static_cast<std::uint16_t>(fabric.ports);
  for (std::uint16_t in = 0; in < ports; ++in)
    for (std::uint16_t out = 0; out < ports; ++out) {
      fabric.pair_tuning.push_back(profile.tuning_of(Input{in}, Output{out}));
      fabric.tuning = std::max(fabric.tuning, fabric.pair_tuning.back());
    }
  for (std::uint16_t out = 0; out < ports; ++out) {
    fabric.output_locking.push_back(profile.locking_of(Output{out}));
    fabric.locking = std::max(fabric.locking, fabric.output_locking.back());
  }
  if (profile.tuning.size() == 1) fabric.pair_tuning.clear();
  if (profile.locking.size() == 1) fabric.output_locking.clear();
}

}  // namespace ocs
