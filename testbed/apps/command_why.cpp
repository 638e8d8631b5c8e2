// lightloop why: the chain of waits that an iteration of a stored row took, and where another row parts from it.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>

#include "host/core/error.hpp"
#include "host/core/printable.hpp"
#include "testbed/apps/commands.hpp"
#include "testbed/apps/new_file.hpp"
#include "testbed/apps/run/repetition.hpp"
#include "testbed/session/names.hpp"
#include "testbed/why/why_text.hpp"

namespace ocs {
namespace {

struct WhyArguments {
  std::string database, json;
  std::int64_t row = 0, against = 0, worker = -1, iteration = -1;
  std::size_t links = 40;
  bool whole = false;
  RepeatArguments repeat;
};

/// The longest of those that are asked for; of equally long ones the first.
Span chosen(const History& history, const WhyArguments& arguments, const std::string& name) {
  if (arguments.whole) return whole_run(history);
  std::optional<Span> longest;
  const auto length = [](const Span& span) { return span.to - span.from; };
  for (const Span& span : spans_of(history)) {
    if (arguments.worker >= 0 && (!span.worker || *span.worker != arguments.worker)) continue;
    if (arguments.iteration >= 0 && (!span.worker || span.iteration != arguments.iteration)) continue;
    if (!longest || length(*longest) < length(span)) longest = span;
  }
  if (longest) return *longest;
  throw Error(ErrorKind::input,
              name + " has no iteration" +
                  (arguments.iteration >= 0 ? " " + std::to_string(arguments.iteration) : std::string{}) +
                  (arguments.worker >= 0 ? " of worker " + std::to_string(arguments.worker) : std::string{}) +
                  "; without --iteration and --worker the longest one is explained");
}

struct Explained {
  std::unique_ptr<History> history;
  Explanation explanation;
};

Explained explain(StoredRows& stored, std::int64_t id, const WhyArguments& arguments, const Environment& environment) {
  const Repetition one = repetition_of(stored, id, arguments.repeat, environment);
  Explained result;
  const auto make = [&]() -> RunWatch& { return *(result.history = std::make_unique<History>()); };
  watch_again(one, make, environment.version, arguments.repeat.quiet);
  Explanation& explanation = result.explanation;
  explanation.name = one.name + ": policy " + printable(one.then.policy) + ", device " + printable(one.then.device);
  explanation.servers = result.history->servers;
  explanation.span = chosen(*result.history, arguments, one.name);
  explanation.links = chain_of(*result.history, explanation.span);
  return result;
}

void why(const WhyArguments& arguments, const Environment& environment) {
  StoredRows stored(arguments.database);
  const Explained one = explain(stored, arguments.row, arguments, environment);
  std::optional<Explained> other;
  if (arguments.against > 0) other = explain(stored, arguments.against, arguments, environment);
  warn_of_rows_without_checksum(stored);
  const std::vector<std::string> partings =
      other ? partings_of(*one.history, *other->history) : std::vector<std::string>{};
  if (!arguments.json.empty()) {
    nlohmann::json json{{"schema_version", 1}, {"explained", to_json(one.explanation)}};
    if (other) {
      json["against"] = to_json(other->explanation);
      json["partings"] = partings;
    }
    return NewFile(arguments.json, "the explanation").write(json.dump(1) + "\n");
  }
  std::printf("%s", to_text(one.explanation, std::max<std::size_t>(2, arguments.links)).c_str());
  if (other) std::printf("\n%s", to_text(one.explanation, other->explanation, partings).c_str());
}

}  // namespace

void add_why(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "why",
      "Says why an iteration of a stored row took as long as it did: the chain of what waited for what, whose links "
      "add "
      "up to the time of the iteration, with the share of each cause and of each port that others waited for. The row "
      "is repeated for this, without payload, and must give the event log that it had (docs/timeline.md).");
  const auto arguments = std::make_shared<WhyArguments>();
  add_stored_row(*command, arguments->database, arguments->row);
  command
      ->add_option("--against", arguments->against,
                   "another row: where the servers of both are, the time and the links of each cause, and the first "
                   "plan, circuit and grant that differ; default: none")
      ->type_name("NUMBER");
  command->add_option("--iteration", arguments->iteration, "explains this iteration, from 0; default: the longest")
      ->type_name("NUMBER");
  command->add_option("--worker", arguments->worker, "explains an iteration of the worker on this node; default: any")
      ->type_name("NUMBER");
  command->add_flag("--whole", arguments->whole, "explains the whole run, from its end back to its beginning");
  command->add_option("--links", arguments->links, "shows so many links of the chain; default: 40")->type_name("N");
  command
      ->add_option("--json", arguments->json,
                   "writes all links as JSON to this new file, or to standard output (-); default: text")
      ->type_name("FILE|-");
  arguments->repeat.add_to(*command);
  command->footer("Exit codes: 0 explained, 1 a row is not the same any more, 2 wrong input, 130 ended by Ctrl-C.");
  command->callback(
      [arguments, &action] { action = [arguments](const Environment& given) { why(*arguments, given); }; });
}

}  // namespace ocs
