// Copies a database and its log of transactions.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/results/database/snapshot.hpp"

#include <fstream>

#include "host/core/error.hpp"

namespace ocs {
namespace {

using std::filesystem::path;

constexpr const char* log_ending = "-wal";

/// The header of a log of transactions: it differs when the log was begun anew. Empty: there is no log.
std::string header_of(const std::string& log) {
  constexpr std::size_t bytes = 32;  // https://www.sqlite.org/fileformat2.html#walformat
  std::ifstream in(log, std::ios::binary);
  std::string header(bytes, '\0');
  in.read(header.data(), bytes);
  header.resize(static_cast<std::size_t>(std::max<std::streamsize>(in.gcount(), 0)));
  return header;
}

bool copy_of(const path& from, const path& to) {
  std::error_code failed;
  std::filesystem::copy_file(from, to, std::filesystem::copy_options::overwrite_existing, failed);
  if (failed && std::filesystem::exists(from))
    throw Error(ErrorKind::run,
                "\"" + from.string() + "\" can't be copied to \"" + to.string() + "\": " + failed.message());
  return !failed;
}

}  // namespace

DatabaseSnapshot::DatabaseSnapshot(const std::string& file, bool always_copied) : file_(file), readable_(file) {
  if (!std::filesystem::is_regular_file(file)) refuse("database \"" + file + "\" does not exist");
  if (!always_copied && header_of(file_ + log_ending).empty()) return;
  folder_.emplace("lightloop-database-", "a folder for a copy of database \"" + file + "\"");
  readable_ = (*folder_ / path(file_).filename().string()).string();
  constexpr int tries = 20;
  for (int k = 0; !copy(); ++k)
    if (k == tries) throw Error(ErrorKind::run, "database \"" + file + "\" was written to while it was read");
}

/// The log holds every page that a checkpoint writes to the database, until the log is begun anew. Where its header is
/// the same before and after, the copy is as consistent as the database after a crash.
bool DatabaseSnapshot::copy() {
  const std::string log = file_ + log_ending, before = header_of(log);
  if (!copy_of(file_, readable_)) return false;
  if (!before.empty() && !copy_of(log, readable_ + log_ending)) return false;
  return before == header_of(log);
}

std::string DatabaseSnapshot::original_names(std::string sentence) const {
  if (!copied()) return sentence;
  for (std::size_t at = 0; (at = sentence.find(readable_, at)) != std::string::npos; at += file_.size())
    sentence.replace(at, readable_.size(), file_);
  return sentence;
}

}  // namespace ocs
