// Writes and reads the folder of a failure.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/regress/failure_folder.hpp"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "host/conformance/random_program.hpp"
#include "host/core/error.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs::regress {
namespace {

constexpr std::size_t max_kept_bytes = std::size_t{1} << 26;

}  // namespace

void write_text(const std::filesystem::path& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out << text;
  out.flush();
  if (!out) throw Error(ErrorKind::run, "\"" + file.string() + "\" can't be written");
}

std::vector<std::uint64_t> drawn_for(const Suite& suite, std::uint64_t night_seed) {
  constexpr std::uint64_t largest = std::uint64_t{1} << 53;  // a whole number in every JSON
  const conformance::DrawBelow draw = conformance::draws_of(night_seed);
  std::vector<std::uint64_t> seeds(drawn_seeds(suite));
  std::generate(seeds.begin(), seeds.end(), [&] { return draw(largest); });
  return seeds;
}

std::string line_that_repeats(const std::filesystem::path& folder) {
  std::ifstream in("/proc/self/cmdline", std::ios::binary);
  std::string program;
  std::getline(in, program, '\0');
  return (program.empty() ? "lightloop" : program) + " regress --reproduce " + folder.string();
}

void write_failure(const std::filesystem::path& folder, const Suite& suite, const Case& one, const Outcome& outcome,
                   std::uint64_t night_seed, const std::filesystem::path& work) {
  std::error_code failed;
  std::filesystem::remove_all(folder, failed);  // of a night that ended before its result was kept
  std::filesystem::create_directories(folder, failed);
  if (failed) throw Error(ErrorKind::run, "\"" + folder.string() + "\" can't be made: " + failed.message());
  write_text(folder / "failure.txt", one.name + "\n" + std::string(name_of(outcome.verdict)) + ": " + outcome.sentence +
                                         "\n\n" + line_that_repeats(folder) + "\n\n" + outcome.log);
  const nlohmann::json kept = {{"suite", suite.file.string()}, {"case", one.name}, {"night_seed", night_seed}};
  write_text(folder / "case.json", kept.dump(2) + "\n");
  write_text(folder / "suite.toml", suite.text);
  if (!outcome.program.empty()) write_text(folder / "program.json", outcome.program);
  std::filesystem::rename(work, folder / "files", failed);  // not every case has some
}

void copy_failure(const std::filesystem::path& from, const std::filesystem::path& to) {
  std::error_code failed;
  std::filesystem::remove_all(to, failed);
  std::filesystem::copy(from, to, std::filesystem::copy_options::recursive, failed);
  if (failed)
    throw Error(ErrorKind::run,
                "\"" + from.string() + "\" can't be copied to \"" + to.string() + "\": " + failed.message());
  const std::string before = std::filesystem::absolute(from).string();
  std::string text = read_text_file(to / "failure.txt", "failure", max_kept_bytes);
  if (const std::size_t at = text.find(before); at != std::string::npos) text.replace(at, before.size(), to.string());
  write_text(to / "failure.txt", text);
}

KeptCase parse_kept_case(std::string_view text, const std::string& origin) {
  const nlohmann::json kept = nlohmann::json::parse(text, nullptr, false);
  if (!kept.is_object() || !kept.contains("suite") || !kept["suite"].is_string() || !kept.contains("case") ||
      !kept["case"].is_string() || !kept.contains("night_seed") || !kept["night_seed"].is_number_unsigned())
    refuse(origin, "must hold the suite, the case and the night_seed of a failure");
  return {kept["suite"].get<std::string>(), kept["case"].get<std::string>(), kept["night_seed"].get<std::uint64_t>()};
}

KeptFailure read_failure(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / "case.json";
  const KeptCase kept = parse_kept_case(read_text_file(file, "kept failure", max_kept_bytes), file.string());
  KeptFailure out;
  out.suite = parse_suite(read_text_file(folder / "suite.toml", "suite", max_kept_bytes), kept.suite);
  const std::vector<Case> cases = expand(out.suite, drawn_for(out.suite, kept.night_seed));
  const auto found = std::find_if(cases.begin(), cases.end(), [&](const Case& each) { return each.name == kept.name; });
  if (found == cases.end()) refuse(file.string(), "case " + in_quotes(kept.name) + " does not exist any more");
  out.one = *found;
  if (std::filesystem::exists(folder / "program.json"))
    out.program = read_text_file(folder / "program.json", "register program", max_kept_bytes);
  return out;
}

}  // namespace ocs::regress
