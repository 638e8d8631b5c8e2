// Rows as JSON, for the page.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/apps/run/live_sweep.hpp"

#include <unistd.h>

#include <ctime>
#include <iostream>
#include <nlohmann/json.hpp>

#include "host/core/error.hpp"
#include "testbed/apps/run/row_selection.hpp"
#include "testbed/results/print/table.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs {
namespace {

using Json = nlohmann::ordered_json;

std::string text_of(const Json& json) { return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace); }

}  // namespace

void add_live(CLI::App& command, LiveArguments& arguments) {
  command
      .add_option("--live", arguments.at,
                  "serves a page that shows the run while it goes on, at this address of this host, such as "
                  "127.0.0.1:8080; port 0: the system chooses (docs/live.md); default: none")
      ->type_name("ADDRESS:PORT");
  command
      .add_option("--live-logins", arguments.logins,
                  "users who may watch, as for `lightloop serve --logins`; --live may then be an address that other "
                  "hosts reach; default: everybody on this host may")
      ->type_name("FILE");
  command
      .add_option("--live-name", arguments.names,
                  "a name of this host, as browsers ask for it; addresses and localhost need none")
      ->type_name("NAME");
}

void check_live(const LiveArguments& arguments, bool dry_run) {
  if (arguments.at.empty()) {
    for (const auto& [name, given] :
         {std::pair{"--live-logins", !arguments.logins.empty()}, std::pair{"--live-name", !arguments.names.empty()}})
      if (given) throw Error(ErrorKind::input, std::string(name) + " needs --live ADDRESS:PORT: there is no page");
    return;
  }
  if (dry_run) throw Error(ErrorKind::input, "--live shows rows while they run, but --dry-run runs none");
}

LiveSweep::LiveSweep(const LiveArguments& arguments, const Experiment& experiment) : experiment_(experiment) {
  if (arguments.at.empty()) return;
  const LiveAddress& where = page_.emplace(arguments).where();
  if (!where.is_of_this_host)
    std::cerr << "lightloop: warning: passwords cross the network unencrypted, since --live is " +
                     in_quotes(arguments.at) + "\n";
  std::cerr << "lightloop: the run is shown at " + live_url(where) + "\n";
}

void LiveSweep::begin(const SweepShape& shape) {
  if (!page_) return;
  const std::time_t now = std::time(nullptr);
  page_->sweep(text_of({{"run", std::to_string(now) + "-" + std::to_string(getpid())},
                        {"experiment", shape.experiment},
                        {"rows", shape.rows},
                        {"of", experiment_.points.size()},
                        {"jobs", shape.jobs},
                        {"began", now},
                        {"version", shape.version}}));
}

void LiveSweep::say(std::size_t row, const std::string& json) {
  page_->ended(row + 1, json);
  if (!page_->is_lost() || warned_) return;
  warned_ = true;
  std::cerr << "lightloop: warning: the process of the page of --live has ended; the run goes on\n";
}

void LiveSweep::ended(std::size_t row, const Row& result) {
  if (!page_) return;
  say(row, text_of({{"row", row + 1},
                    {"name", name_of_row(experiment_, row)},
                    {"result", headline_text(result)},
                    {"wall_s", result.wall_time_s}}));
}

void LiveSweep::failed(std::size_t row, const std::string& why) {
  if (!page_) return;
  ++failed_;
  say(row, text_of({{"row", row + 1}, {"name", name_of_row(experiment_, row)}, {"error", why}}));
}

void LiveSweep::end(const char* why) {
  if (!page_) return;
  if (why != nullptr)
    page_->end(text_of({{"how", "stopped"}, {"why", why}}));
  else
    page_->end(text_of({{"how", "finished"}, {"failed", failed_}}));
}

}  // namespace ocs
