// Tables of causes and lists of links.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/why/why_text.hpp"

#include <algorithm>
#include <cstdio>

#include "testbed/results/text/human.hpp"

namespace ocs {
namespace {

std::string left(std::string text, std::size_t width) {
  text.resize(std::max(width, text.size()), ' ');
  return text;
}

std::string right(const std::string& text, std::size_t width) {
  return std::string(text.size() < width ? width - text.size() : 0, ' ') + text;
}

constexpr std::size_t name_width = 18, number_width = 12, count_width = 9;

std::string share(Picos part, Picos whole) {
  return human_percent(whole.n == 0 ? 0 : static_cast<double>(part.n) / static_cast<double>(whole.n));
}

std::string causes_text(const Explanation& one, const Totals& totals) {
  const Picos whole = one.span.to - one.span.from;
  const auto line = [](std::string_view name, const std::string& time, const std::string& part,
                       const std::string& links) {
    return "  " + left(std::string(name), name_width) + right(time, number_width) + right(part, number_width) +
           right(links, count_width) + "\n";
  };
  std::string text = line("cause", "time", "share", "links");
  for (std::size_t k = 0; k < cause_names.size(); ++k)
    if (totals.links[k] > 0)
      text += line(cause_names[k], human_time(totals.causes[k]), share(totals.causes[k], whole),
                   human_count(totals.links[k]));
  return text + line("sum", human_time(whole), "100.0 %", human_count(static_cast<std::int64_t>(one.links.size())));
}

std::string nodes_text(const std::vector<Node>& nodes) {
  std::string text = nodes.size() == 1 ? "node " : "nodes ";
  for (std::size_t k = 0; k < nodes.size(); ++k) text += (k == 0 ? "" : ", ") + std::to_string(index(nodes[k]));
  return text;
}

/// A line, or nothing for a run without servers of its own.
std::string servers_text(const Explanation& one) {
  if (one.servers.empty()) return {};
  return counted(static_cast<std::int64_t>(one.servers.size()), "server") + " on " + nodes_text(one.servers) + "\n";
}

/// Where the servers of two rows are.
std::string servers_text(const Explanation& one, const Explanation& other) {
  if (one.servers.empty() && other.servers.empty()) return {};
  const auto place = [](const Explanation& row) {
    return row.servers.empty() ? std::string("none") : "on " + nodes_text(row.servers);
  };
  if (one.servers == other.servers) return "the servers of both rows are " + place(one) + "\n";
  return "servers: " + place(one) + "; in the other row: " + place(other) + "\n";
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
  std::string text = one.name + "\n" + servers_text(one) + span_text(one.span) + ": " + human_time(whole) + ", from " +
                     human_time(one.span.from) + " to " + human_time(one.span.to) + "\n\n" + causes_text(one, totals) +
                     "\n" + ports_text(totals, whole);
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
  const auto line = [](std::string_view name, Picos a, std::int64_t links_a, Picos b, std::int64_t links_b) {
    const std::string sign = a < b ? "-" : "+";
    return "  " + left(std::string(name), name_width) + right(human_time(a), number_width) +
           right(human_count(links_a), count_width) + right(human_time(b), number_width) +
           right(human_count(links_b), count_width) +
           right(sign + human_time(a < b ? b - a : a - b), number_width + 2) + "\n";
  };
  std::string text = "against " + other.name + "\n" + span_text(other.span) + "\n" + servers_text(one, other) + "\n  " +
                     left("cause", name_width) + right("this", number_width) + right("links", count_width) +
                     right("other", number_width) + right("links", count_width) +
                     right("difference", number_width + 2) + "\n";
  for (std::size_t k = 0; k < cause_names.size(); ++k)
    if (first.links[k] > 0 || second.links[k] > 0)
      text += line(cause_names[k], first.causes[k], first.links[k], second.causes[k], second.links[k]);
  text += line("sum", one.span.to - one.span.from, static_cast<std::int64_t>(one.links.size()),
               other.span.to - other.span.from, static_cast<std::int64_t>(other.links.size())) +
          "\n";
  for (const std::string& parting : partings) text += parting + "\n";
  return text;
}

nlohmann::json to_json(const Explanation& one) {
  using Json = nlohmann::json;
  const Totals totals = totals_of(one.links);
  Json causes = Json::object(), counts = Json::object(), ports = Json::array(), links = Json::array();
  Json servers = Json::array();
  for (std::size_t k = 0; k < cause_names.size(); ++k) {
    causes[std::string(cause_names[k])] = totals.causes[k].n;
    counts[std::string(cause_names[k])] = totals.links[k];
  }
  for (const Node server : one.servers) servers.push_back(index(server));
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
          {"servers", std::move(servers)},
          {"causes_ps", std::move(causes)},
          {"causes_links", std::move(counts)},
          {"ports", std::move(ports)},
          {"links", std::move(links)}};
}

}  // namespace ocs
