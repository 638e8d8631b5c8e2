// JSON, CSV and JUnit: exact numbers, for programs.
// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <nlohmann/json.hpp>

#include "host/core/markup.hpp"
#include "host/core/printable.hpp"
#include "testbed/characterize/report.hpp"
#include "testbed/experiment/files/light.hpp"
#include "testbed/experiment/quantity.hpp"

namespace ocs::characterize {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const std::optional<Statistics>& statistics) {
  if (!statistics) return nullptr;
  return {{"min_ps", statistics->min.n},
          {"median_ps", statistics->median.n},
          {"p99_ps", statistics->p99.n},
          {"max_ps", statistics->max.n}};
}

Json json_of(const std::optional<Programming>& programming) {
  if (!programming) return nullptr;
  return {{"time_ps", programming->time.n}, {"lanes", programming->lanes}, {"longest_ps", programming->longest.n}};
}

Json json_of(const std::optional<MeasuredReceivers>& receivers) {
  if (!receivers) return nullptr;
  const auto list = [](const std::vector<Picos>& times) {
    Json out = Json::array();
    for (const Picos time : times) out.push_back(time.n);
    return out;
  };
  return {{"warm_time_ps", receivers->times.warm_time.n},
          {"warm_ps", list(receivers->times.warm)},
          {"cold_ps", list(receivers->times.cold)},
          {"locking_ps", list(receivers->locking)}};
}

Json json_of(const std::optional<MeasuredNeighbours>& neighbours) {
  if (!neighbours) return nullptr;
  Json distances = Json::array();
  for (std::uint32_t left = neighbours->times.distances; left != 0; left &= left - 1)
    distances.push_back(std::countr_zero(left) + 1);
  return {{"distances", std::move(distances)},
          {"disturbed_ps", neighbours->times.disturbed.n},
          {"alike", neighbours->alike}};
}

Json json_of(const CircuitSetUp& set_up) {
  return {{"output", set_up.out},
          {"input", set_up.in ? Json(*set_up.in) : Json(nullptr)},
          {"from", name_of(set_up.from)},
          {"at_ps", set_up.at.n},
          {"tuning_ps", set_up.tuning.n},
          {"locking_ps", set_up.locking.n},
          {"up", set_up.up},
          {"power_dbm", set_up.power ? Json(hundredths_text(*set_up.power)) : Json(nullptr)}};
}

Json json_of(const Findings& findings, const std::optional<MeasuredPower>& power) {
  if (!power) return nullptr;
  const auto list = [](const std::vector<int>& hundredths) {
    Json out = Json::array();
    for (const int each : hundredths) out.push_back(hundredths_text(each));
    return out;
  };
  return {{"min_dbm", hundredths_text(power->min)},
          {"median_dbm", hundredths_text(power->median)},
          {"max_dbm", hundredths_text(power->max)},
          {"weakest", json_of(findings.set_ups[power->weakest])},
          {"missing", power->missing},
          {"laser_dbm", power->levels ? list(power->levels->lasers) : Json(nullptr)},
          {"loss_db", power->levels ? list(power->levels->losses) : Json(nullptr)}};
}

Json json_of(const Findings& findings, const Verdict& verdict) {
  return {{"switch", verdict.against},
          {"outside", verdict.count},
          {"worst", verdict.worst ? json_of(findings.set_ups[*verdict.worst]) : Json(nullptr)},
          {"worst_limit_ps", verdict.worst ? Json(verdict.limits[*verdict.worst].n) : Json(nullptr)}};
}

/// Why a set-up fails; empty: it doesn't.
std::string failure_of(const CircuitSetUp& set_up, std::size_t number, const Verdict* verdict) {
  const std::string took = to_text(set_up.together().n, Dimension::time);
  if (verdict == nullptr) return set_up.up ? "" : "not up after " + took;
  if (!verdict->outside[number]) return "";
  return (set_up.up ? took : "not up after " + took) + ", limit " + to_text(verdict->limits[number].n, Dimension::time);
}

}  // namespace

std::string to_json(const Findings& findings, const Summary& summary, const Verdict* verdict) {
  Json bins = Json::array(), set_ups = Json::array();
  for (const Bin& bin : summary.bins)
    bins.push_back({{"from_ps", bin.from.n}, {"to_ps", bin.to.n}, {"count", bin.count}});
  for (const CircuitSetUp& set_up : findings.set_ups) set_ups.push_back(json_of(set_up));
  const Json json = {{"subject", findings.subject},
                     {"ports", findings.ports},
                     {"cycle_ps", findings.cycle.n},
                     {"failed", summary.failed},
                     {"tuning", json_of(summary.tuning)},
                     {"locking", json_of(summary.locking)},
                     {"together", json_of(summary.together)},
                     {"programming", json_of(findings.programming)},
                     {"receivers", json_of(findings.receivers)},
                     {"neighbours", json_of(findings.neighbours)},
                     {"power", json_of(findings, summary.power)},
                     {"histogram", std::move(bins)},
                     {"against", verdict == nullptr ? Json(nullptr) : json_of(findings, *verdict)},
                     {"set_ups", std::move(set_ups)}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string to_csv(const Findings& findings, const Verdict* verdict) {
  std::string csv = "output,input,from,at_ps,tuning_ps,locking_ps,together_ps,up,limit_ps,outside,power_dbm\n";
  for (std::size_t k = 0; k < findings.set_ups.size(); ++k) {
    const CircuitSetUp& s = findings.set_ups[k];
    csv += std::to_string(s.out) + "," + (s.in ? std::to_string(*s.in) : "") + "," + name_of(s.from) + "," +
           std::to_string(s.at.n) + "," + std::to_string(s.tuning.n) + "," + std::to_string(s.locking.n) + "," +
           std::to_string(s.together().n) + "," + (s.up ? "1" : "0") + ",";
    csv += verdict == nullptr ? "," : std::to_string(verdict->limits[k].n) + "," + (verdict->outside[k] ? "1" : "0");
    csv += "," + (s.power ? hundredths_text(*s.power) : "") + "\n";
  }
  return csv;
}

std::string to_junit(const Findings& findings, const Verdict* verdict) {
  std::string cases;
  std::size_t failures = 0;
  for (std::size_t k = 0; k < findings.set_ups.size(); ++k) {
    const CircuitSetUp& set_up = findings.set_ups[k];
    const std::string failure = failure_of(set_up, k, verdict);
    cases += "  <testcase classname=\"set_up.output_" + std::to_string(set_up.out) + "\" name=\"" +
             escaped(printable(std::to_string(k) + ": " + name_of(set_up))) + "\"";
    cases += failure.empty() ? "/>\n" : "><failure message=\"" + escaped(printable(failure)) + "\"/></testcase>\n";
    if (!failure.empty()) ++failures;
  }
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"" +
         escaped(printable("characterize " + findings.subject +
                           (verdict == nullptr ? "" : " against " + verdict->against))) +
         "\" tests=\"" + std::to_string(findings.set_ups.size()) + "\" failures=\"" + std::to_string(failures) +
         "\">\n" + cases + "</testsuite>\n";
}

}  // namespace ocs::characterize
