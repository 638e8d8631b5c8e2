// Shares as integers.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/collectives/demand.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "host/core/error.hpp"
#include "host/core/wide.hpp"
#include "host/scheduler/splitmix.hpp"
#include "testbed/collectives/routing.hpp"

namespace ocs {
namespace {

[[noreturn]] void refuse_demand(const std::string& sentence) { throw Error(ErrorKind::input, sentence); }

/// "0.75" as 750; nothing for what isn't a number of at most three decimals.
std::optional<std::int64_t> thousandths(std::string_view text) {
  const std::size_t point = std::min(text.find('.'), text.size());
  std::string digits(text.substr(0, point));
  const std::string_view decimals = text.substr(std::min(point + 1, text.size()));
  if (digits.empty() || digits.size() > 6 || decimals.size() > 3 || (point < text.size() && decimals.empty()))
    return {};
  digits += decimals;
  digits.append(3 - decimals.size(), '0');
  std::int64_t value = 0;
  const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (failure != std::errc{} || end != digits.data() + digits.size() || value < 0) return {};
  return value;
}

Wide root(Wide square) {
  Wide low = 0, high = Wide{1} << 62;
  while (high - low > 1) {
    const Wide middle = (low + high) / 2;
    (middle * middle <= square ? low : high) = middle;
  }
  return low;
}

/// 2^30 n^(-quarters / 4), rounded down. @pre n <= 256, quarters <= 8
Wide zipf_share(std::int64_t n, std::int64_t quarters) {
  Wide power = 1;
  for (std::int64_t k = 0; k < quarters; ++k) power *= n;
  return root(root((Wide{1} << 120) / power));
}

void shuffle(std::vector<std::int64_t>& list, std::uint64_t& state) {
  for (std::size_t k = list.size(); k > 1; --k) std::swap(list[k - 1], list[splitmix64(state) % k]);
}

/// `words` cut by the shares of ranks whose popularity is drawn.
std::vector<std::int64_t> zipf_row(std::uint32_t ranks, std::int64_t words, std::int64_t quarters, std::uint64_t seed) {
  std::vector<std::int64_t> shares, row;
  for (std::uint32_t n = 1; n <= ranks; ++n) shares.push_back(static_cast<std::int64_t>(zipf_share(n, quarters)));
  shuffle(shares, seed);
  const std::int64_t total = std::accumulate(shares.begin(), shares.end(), std::int64_t{0});
  Wide so_far = 0;
  for (const std::int64_t share : shares) {
    const Wide before = Wide{words} * so_far / total;
    so_far += share;
    row.push_back(static_cast<std::int64_t>(Wide{words} * so_far / total - before));
  }
  return row;
}

DemandMatrix top_k_matrix(std::uint32_t ranks, std::int64_t words, std::int64_t k, std::uint64_t seed) {
  if (k >= ranks)
    refuse_demand("must be at most \"top_k:" + std::to_string(ranks - 1) + "\" for " + std::to_string(ranks) +
                  " ranks");
  const std::vector<Words> parts = block_words(Words{words}, static_cast<std::uint32_t>(k));
  DemandMatrix matrix(ranks, std::vector<std::int64_t>(ranks, 0));
  for (std::uint32_t s = 0; s < ranks; ++s) {
    std::vector<std::int64_t> others;
    for (std::uint32_t t = 0; t < ranks; ++t)
      if (t != s) others.push_back(t);
    shuffle(others, seed);
    for (std::size_t i = 0; i < parts.size(); ++i) matrix[s][static_cast<std::size_t>(others[i])] = parts[i].n;
  }
  return matrix;
}

/// A permutation that leaves nobody at its place: drawn until it does.
std::vector<std::int64_t> derangement(std::uint32_t ranks, std::uint64_t& state) {
  std::vector<std::int64_t> to(ranks);
  const auto stays = [&] {
    for (std::size_t k = 0; k < to.size(); ++k)
      if (to[k] == static_cast<std::int64_t>(k)) return true;
    return false;
  };
  do {
    std::iota(to.begin(), to.end(), std::int64_t{0});
    shuffle(to, state);
  } while (stays());
  return to;
}

DemandMatrix flows_matrix(const DemandRule& rule, std::uint32_t ranks, std::int64_t words, std::uint64_t seed) {
  const auto large = static_cast<std::int64_t>(Wide{words} * rule.large_milli / 1000);
  DemandMatrix matrix(ranks, std::vector<std::int64_t>(ranks, 0));
  for (const auto& [all, flows] : {std::pair{large, rule.value}, std::pair{words - large, rule.small}})
    for (const Words part : block_words(Words{all}, static_cast<std::uint32_t>(flows))) {
      const std::vector<std::int64_t> to = derangement(ranks, seed);
      for (std::size_t s = 0; s < to.size(); ++s) matrix[s][static_cast<std::size_t>(to[s])] += part.n;
    }
  return matrix;
}

/// "4,12,0.7"; nothing for what isn't of this form.
std::optional<DemandRule> parse_flows(std::string_view text) {
  const std::size_t first = text.find(','), second = text.find(',', std::min(first, text.size() - 1) + 1);
  if (first == std::string_view::npos || second == std::string_view::npos) return {};
  const auto large = thousandths(text.substr(0, first));
  const auto small = thousandths(text.substr(first + 1, second - first - 1));
  const auto share = thousandths(text.substr(second + 1));
  const auto is_count = [](const std::optional<std::int64_t>& value) {
    return value && *value >= 1000 && *value <= 255'000 && *value % 1000 == 0;
  };
  if (!is_count(large) || !is_count(small) || !share || *share <= 0 || *share >= 1000) return {};
  return DemandRule{DemandRule::Kind::flows, *large / 1000, {}, *small / 1000, *share};
}

}  // namespace

DemandRule parse_demand(std::string_view text) {
  using enum DemandRule::Kind;
  const std::size_t colon = std::min(text.find(':'), text.size());
  const std::string_view name = text.substr(0, colon), rest = text.substr(std::min(colon + 1, text.size()));
  if (text == "equal") return {};
  if (name == "file" && !rest.empty()) return {file, 0, std::string(rest)};
  if (name == "flows")
    if (const std::optional<DemandRule> rule = parse_flows(rest)) return *rule;
  const std::optional<std::int64_t> value = thousandths(rest);
  if (name == "zipf" && value && *value >= 250 && *value <= 2000 && *value % 250 == 0) return {zipf, *value / 250};
  if (name == "gini" && value && *value > 0 && *value < 1000) return {gini, *value};
  if (name == "top_k" && value && *value >= 1000 && *value <= 255'000 && *value % 1000 == 0)
    return {top_k, *value / 1000};
  refuse_demand(
      "must be \"equal\", \"zipf:0.25\" to \"zipf:2\" in steps of 0.25, \"gini:0.001\" to \"gini:0.999\", "
      "\"top_k:1\" to \"top_k:255\", \"flows:L,S,SHARE\" such as \"flows:4,12,0.7\" with L and S from 1 to 255, or "
      "\"file:PATH\"");
}

DemandMatrix drawn_demand(const DemandRule& rule, std::uint32_t ranks, std::int64_t words, std::uint64_t seed) {
  if (rule.kind == DemandRule::Kind::top_k) return top_k_matrix(ranks, words, rule.value, seed);
  if (rule.kind == DemandRule::Kind::flows) return flows_matrix(rule, ranks, words, seed);
  if (rule.kind == DemandRule::Kind::zipf) return {ranks, zipf_row(ranks, words, rule.value, seed)};
  if (const std::int64_t most = most_gini_milli(ranks); rule.value > most)
    refuse_demand("must have a Gini coefficient of at most " + std::to_string(most) + " thousandths for " +
                  std::to_string(ranks) + " ranks");
  return {ranks, routed_tokens(words, ranks, rule.value, seed, 0)};
}

}  // namespace ocs
