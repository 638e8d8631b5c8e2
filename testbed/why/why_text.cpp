// Tables of causes and lists of links.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/why/why_text.hpp"

#include <algorithm>
#include <cstdio>

#include "testbed/results/human.hpp"

namespace ocs {
namespace {

std::string left(std::string text, std::size_t width) {
  text.resize(std::max(width, text.size()), ' ');
  return text;
}

std::string right(const std::string& text, std::size_t width) {
  return std::string(text.size() < width ? width - text.size() : 0, ' ') + text;
}

constexpr std::size_t name_width = 18, number_width = 12;

std::string share(Picos part, Picos whole) {
  return human_percent(whole.n == 0 ? 0 : static_cast<double>(part.n) / static_cast<double>(whole.n));
}

std::string causes_text(const Totals& totals, Picos whole) {
  std::string text;
  for (std::size_t k = 0; k < cause_names.size(); ++k)
    if (totals.causes[k].n > 0)
      text += "  " + left(std::string(cause_names[k]), name_width) + right(human_time(totals.causes[k]), number_width) +
              right(share(totals.causes[k], whole), number_width) + "\n";
  return text + "  " + left("sum", name_width) + right(human_time(whole), number_width) +
         right("100.0 %", number_width) + "\n";
}

std::string ports_text(const Totals& totals, Picos whole) {
  if (totals.ports.empty()) return {};
  std::vector<std::pair<std::string, Blocking>> ports(totals.ports.begin(), totals.ports.end());
  std::stable_sort(ports.begin(), ports.end(),
                   [](const auto& a, const auto& b) { return a.second.time > b.second.time; });
  std::string text = "of it, while others waited for a port that was held:\n";
  for (const auto& [port, held] : ports)
    text += "  " + left(port, name_width) + right(human_time(held.time), number_width) +
            right(share(held.time, whole), number_width) + "  by " + counted(held.transfers, "transfer") + "\n";
  return text;
}

std::string link_text(const Link& link) {
  return "  " + right(human_time(link.from), 10) + right(human_time(link.to - link.from), 11) + "  " +
         left(std::string(cause_names[static_cast<std::size_t>(link.cause)]), name_width) + link.what +
         (link.behind.empty() ? "" : "; it holds " + link.behind) + "\n";
}

}  // namespace

std::string span_text(const Span& span) {
  if (!span.worker) return "the whole run";
  return "iteration " + std::to_string(span.iteration) + " of worker " + std::to_string(*span.worker);
}

std::string to_text(const Explanation& one, std::size_t most) {
  const Picos whole = one.span.to - one.span.from;
  const Totals totals = totals_of(one.links);
  std::string text = one.name + "\n" + span_text(one.span) + ": " + human_time(whole) + ", from " +
                     human_time(one.span.from) + " to " + human_time(one.span.to) + "\n\n" +
                     causes_text(totals, whole) + "\n" + ports_text(totals, whole);
  text += "the chain, from its beginning:\n  " + right("at", 10) + right("length", 11) + "  " +
          left("cause", name_width) + "what\n";
  const std::size_t count = one.links.size(), head = count <= most ? count : most / 2;
  for (std::size_t k = 0; k < head; ++k) text += link_text(one.links[k]);
  if (head == count) return text;
  text += "  ... " + counted(static_cast<std::int64_t>(count - most), "link") + " more; --links shows them\n";
  for (std::size_t k = count - (most - head); k < count; ++k) text += link_text(one.links[k]);
  return text;
}

std::string to_text(const Explanation& one, const Explanation& other, const std::vector<std::string>& partings) {
  const Totals first = totals_of(one.links), second = totals_of(other.links);
  const auto line = [](std::string_view name, Picos a, Picos b) {
    const std::string sign = a < b ? "-" : "+";
    return "  " + left(std::string(name), name_width) + right(human_time(a), number_width) +
           right(human_time(b), number_width) + right(sign + human_time(a < b ? b - a : a - b), number_width + 2) +
           "\n";
  };
  std::string text = "against " + other.name + "\n" + span_text(other.span) + "\n\n  " + left("cause", name_width) +
                     right("this", number_width) + right("other", number_width) +
                     right("difference", number_width + 2) + "\n";
  for (std::size_t k = 0; k < cause_names.size(); ++k)
    if (first.causes[k].n > 0 || second.causes[k].n > 0)
      text += line(cause_names[k], first.causes[k], second.causes[k]);
  text += line("sum", one.span.to - one.span.from, other.span.to - other.span.from) + "\n";
  for (const std::string& parting : partings) text += parting + "\n";
  return text;
}

nlohmann::json to_json(const Explanation& one) {
  using Json = nlohmann::json;
  const Totals totals = totals_of(one.links);
  Json causes = Json::object(), ports = Json::array(), links = Json::array();
  for (std::size_t k = 0; k < cause_names.size(); ++k) causes[std::string(cause_names[k])] = totals.causes[k].n;
  for (const auto& [port, held] : totals.ports)
    ports.push_back({{"port", port}, {"held_ps", held.time.n}, {"transfers", held.transfers}});
  for (const Link& link : one.links)
    links.push_back({{"from_ps", link.from.n},
                     {"to_ps", link.to.n},
                     {"cause", cause_names[static_cast<std::size_t>(link.cause)]},
                     {"what", link.what},
                     {"holds", link.behind.empty() ? Json() : Json(link.behind)}});
  return {{"row", one.name},
          {"worker", one.span.worker ? Json(*one.span.worker) : Json()},
          {"iteration", one.span.worker ? Json(one.span.iteration) : Json()},
          {"from_ps", one.span.from.n},
          {"to_ps", one.span.to.n},
          {"causes_ps", std::move(causes)},
          {"ports", std::move(ports)},
          {"links", std::move(links)}};
}

}  // namespace ocs
