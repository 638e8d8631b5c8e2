// Objects are written under a temporary name and renamed; a lock of its own makes one process build and others wait.
// SPDX-License-Identifier: Apache-2.0
#include "host/rtl/store.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <map>
#include <mutex>
#include <thread>

#include "host/core/error.hpp"
#include "host/files/lockable_file.hpp"
#include "host/rtl/build.hpp"
#include "host/rtl/seal.hpp"
#include "host/rtl/tool_run.hpp"

namespace ocs::rtl {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view unfinished = "building-";
// A part of an object's name that grows when the same sources, tools and flags make another object.
constexpr const char* way_of_building = "2";

/// Held by the process that builds one object. The lock removes its file; a process that waited for a removed file
/// takes the lock of a new one.
class BuildLock {
 public:
  explicit BuildLock(fs::path file) : file_(std::move(file)) {}
  BuildLock(const BuildLock&) = delete;
  BuildLock& operator=(const BuildLock&) = delete;
  ~BuildLock() {
    if (held_.is_open()) unlink(file_.c_str());
  }

  bool try_now() { return take(false); }
  void wait() {
    while (!take(true)) {
    }
  }

 private:
  bool take(bool waits) {
    constexpr mode_t mode = 0666;
    LockableFile opened(file_, O_RDWR | O_CREAT, mode);
    if (!opened.is_open())
      throw Error(ErrorKind::run, "the folder of compiled switches can't be written (\"" + file_.string() +
                                      "\": " + std::strerror(errno) + "); XDG_CACHE_HOME names another");
    if (!(waits ? opened.lock() : opened.try_lock()) || !opened.is_named(file_)) return false;
    held_ = std::move(opened);
    return true;
  }

  fs::path file_;
  LockableFile held_;
};

/// A folder that is removed, with all files in it, when the object is destroyed.
class Workshop {
 public:
  explicit Workshop(fs::path folder) : folder_(std::move(folder)) {
    std::error_code failure;
    fs::remove_all(folder_, failure);
    fs::create_directory(folder_, failure);
    if (failure) throw Error(ErrorKind::run, "\"" + folder_.string() + "\" can't be made: " + failure.message());
  }
  Workshop(const Workshop&) = delete;
  Workshop& operator=(const Workshop&) = delete;
  ~Workshop() {
    // What a tool that failed has started may write for a moment yet, and a folder that gains a file can't be removed.
    constexpr std::chrono::milliseconds pause{10};
    std::error_code failure;
    for (int tries = 100; tries > 0; --tries) {
      fs::remove_all(folder_, failure);
      if (!failure) return;
      std::this_thread::sleep_for(pause);
    }
  }
  const fs::path& folder() const { return folder_; }

 private:
  fs::path folder_;
};

void make_folder(const fs::path& folder) {
  if (folder.empty())
    throw Error(ErrorKind::run, "there is no folder for compiled switches: neither XDG_CACHE_HOME nor HOME is set");
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (failure)
    throw Error(ErrorKind::run, "the folder of compiled switches \"" + folder.string() +
                                    "\" can't be made: " + failure.message() + "; XDG_CACHE_HOME names another");
}

/// Removes what builds left that were killed: their locks are free.
void sweep(const fs::path& cache) {
  std::error_code failure;
  std::vector<fs::path> left;
  for (const auto& entry : fs::directory_iterator(cache, failure))
    if (entry.path().filename().string().starts_with(unfinished)) left.push_back(entry.path());
  for (const fs::path& path : left) {
    const std::string name = path.stem().string();
    BuildLock lock(cache / (name + ".lock"));
    if (lock.try_now()) fs::remove_all(cache / name, failure);
  }
}

bool is_current(const fs::path& object, const std::string& sources) { return sealed_sources(object) == sources; }

/// Seconds on two cores, from measured figures (docs/rtl-objects.md); what it is compared with is a person's patience.
int usual_seconds(const Parameters& p) {
  const double words = p.lanes > 0 ? 2.0 : 1.0, base = p.core == Core::soc ? 20 : p.coverage ? 140 : 12;
  return static_cast<int>(base + words * 0.35 * p.ports);
}

std::string sentence_of(const Parameters& p) {
  std::string text = "core " + std::string(name_of(p.core)) + ", " + std::to_string(p.ports) + " ports";
  if (p.lanes > 0) text += ", words of " + std::to_string(64 * p.lanes) + " bits";
  if (p.fifo_depth != Parameters{}.fifo_depth) text += ", " + std::to_string(p.fifo_depth) + " event records";
  if (p.short_cycle) text += ", for a short cycle";
  if (p.checks) text += ", with checks";
  if (p.waves) text += ", with waveforms";
  if (p.coverage) text += ", with coverage";
  return text;
}

/// "fast-136-<32 digits>" is fast-136.
std::string without_hash(const std::string& stem) {
  constexpr std::size_t hash = 33;
  return stem.size() > hash && stem[stem.size() - hash] == '-' ? stem.substr(0, stem.size() - hash) : stem;
}

void add_folder(std::vector<StoredSwitch>& out, const Places& places, const fs::path& folder, bool shipped) {
  std::error_code failure;
  std::vector<StoredSwitch> found;
  for (const auto& entry : fs::directory_iterator(folder, failure)) {
    if (entry.path().extension() != ".so") continue;
    try {
      StoredSwitch one{parameters_of(without_hash(entry.path().stem().string())), entry.path(), shipped};
      const auto sources = sealed_sources(entry.path());
      one.intact = sources.has_value();
      one.current = sources == hash_of_sources(places, one.parameters);
      one.bytes = entry.file_size();
      found.push_back(std::move(one));
    } catch (const Error&) {  // not one of ours
    }
  }
  std::ranges::sort(found, {}, [](const StoredSwitch& one) {
    return std::tuple(one.parameters.core, one.parameters.ports, name_of(one.parameters));
  });
  out.insert(out.end(), found.begin(), found.end());
}

/// Whether an object of this name is in either folder, intact and current. Others are not read.
bool is_stored(const Places& places, const Parameters& parameters) {
  const std::string sources = hash_of_sources(places, parameters), name = name_of(parameters);
  if (is_current(places.shipped / (name + ".so"), sources)) return true;
  std::error_code failure;
  for (const auto& entry : fs::directory_iterator(places.cache, failure))
    if (entry.path().extension() == ".so" && without_hash(entry.path().stem().string()) == name &&
        is_current(entry.path(), sources))
      return true;
  return false;
}

/// Copies a finished object to its place, under a temporary name first.
void publish(const fs::path& from, const fs::path& to) {
  const fs::path temporary =
      to.parent_path() / (std::string(unfinished) + to.filename().string() + "." + std::to_string(getpid()));
  std::error_code failure;
  fs::copy_file(from, temporary, fs::copy_options::overwrite_existing, failure);
  if (!failure) fs::rename(temporary, to, failure);
  if (!failure) return;
  std::error_code ignored;
  fs::remove(temporary, ignored);
  throw Error(ErrorKind::run, "\"" + to.string() + "\" can't be written: " + failure.message());
}

}  // namespace

Store::Store(Places places, Notice notice, unsigned jobs)
    : places_(std::move(places)),
      notice_(std::move(notice)),
      jobs_(jobs > 0 ? jobs : std::max(1U, std::thread::hardware_concurrency())) {}

fs::path Store::object(const Parameters& parameters) const {
  check(parameters);
  const std::string sources = hash_of_sources(places_, parameters);
  fs::path shipped = places_.shipped / (name_of(parameters) + ".so");
  if (is_current(shipped, sources)) return shipped;
  std::error_code missing;
  if (fs::exists(shipped, missing))
    notice_("the compiled switch \"" + shipped.string() + "\" is damaged, or made of other RTL; it isn't used");
  return in_cache(parameters, sources);
}

fs::path Store::in_cache(const Parameters& parameters, const std::string& sources) const {
  Toolchain tools;
  try {
    tools = toolchain_of(places_);
  } catch (const Error&) {
    throw Error(ErrorKind::run, unavailable(parameters));
  }
  std::vector<std::string> key = compiler_flags(places_, parameters);
  key.insert(key.end(), {way_of_building, sources, tools.verilator_version, places_.compiler, tools.compiler_version});
  const std::string name = name_of(parameters) + "-" + hash_of(key);
  fs::path object = places_.cache / (name + ".so");
  if (is_current(object, sources)) return object;
  make_folder(places_.cache);
  try {
    return built_once(parameters, sources, tools, object);
  } catch (const ToolsInterrupted& wish) {
    std::raise(wish.signal());  // nothing of the build is left by now
    throw;
  }
}

fs::path Store::built_once(const Parameters& parameters, const std::string& sources, const Toolchain& tools,
                           const fs::path& object) const {
  BuildLock lock(places_.cache / (std::string(unfinished) + object.stem().string() + ".lock"));
  if (!lock.try_now()) {
    notice_("another process is building the switch " + name_of(parameters) + "; waiting for it");
    lock.wait();
  }
  return is_current(object, sources) ? object : built(parameters, sources, tools, object);
}

fs::path Store::built(const Parameters& parameters, const std::string& sources, const Toolchain& tools,
                      const fs::path& object) const {
  sweep(places_.cache);
  std::error_code missing;
  if (fs::exists(object, missing)) notice_("\"" + object.string() + "\" is damaged; it is built again");
  notice_("building the switch (" + sentence_of(parameters) + "); this usually takes about " +
          std::to_string(usual_seconds(parameters)) + " s on 2 cores, once");
  try {
    const Workshop workshop(places_.cache / (std::string(unfinished) + object.stem().string()));
    const fs::path made = build(places_, parameters, tools, workshop.folder(), places_.cache, jobs_);
    seal(made, sources);
    fs::rename(made, object);
  } catch (const ToolsInterrupted&) {
    throw;
  } catch (const fs::filesystem_error& failure) {
    throw Error(ErrorKind::run, "the switch can't be built: " + std::string(failure.what()));
  } catch (const Error& failure) {
    throw Error(ErrorKind::run, "the switch (" + sentence_of(parameters) + ") can't be built: " + failure.what());
  }
  return object;
}

std::string Store::unavailable(const Parameters& parameters) const {
  if (is_stored(places_, parameters)) return {};
  std::string why;
  try {
    toolchain_of(places_);
    return {};
  } catch (const Error& missing) {
    why = missing.what();
  }
  std::string sizes;
  for (const StoredSwitch& one : list()) {
    if (!one.intact || !one.current) continue;
    Parameters same = parameters;
    same.ports = one.parameters.ports;
    const std::string ports = std::to_string(same.ports);
    if (one.parameters == same && (", " + sizes + ",").find(", " + ports + ",") == std::string::npos)
      sizes += (sizes.empty() ? "" : ", ") + ports;
  }
  return "no switch of this size is compiled, and none can be: " + why + "; compiled are " +
         (sizes.empty() ? "no other sizes" : sizes + " ports");
}

std::vector<StoredSwitch> Store::list() const {
  std::vector<StoredSwitch> out;
  add_folder(out, places_, places_.shipped, true);
  if (!places_.cache.empty()) add_folder(out, places_, places_.cache, false);
  return out;
}

std::uintmax_t Store::clean() const {
  std::error_code failure;
  if (places_.cache.empty() || !fs::is_directory(places_.cache, failure)) return 0;
  sweep(places_.cache);
  std::uintmax_t bytes = 0;
  for (const auto& entry : fs::directory_iterator(places_.cache)) {
    const std::string name = entry.path().filename().string();
    if (!entry.is_regular_file() || (entry.path().extension() != ".so" && !name.starts_with("runtime-"))) continue;
    bytes += entry.file_size();
    if (!fs::remove(entry.path(), failure))
      throw Error(ErrorKind::run, "\"" + entry.path().string() + "\" can't be removed: " + failure.message());
  }
  return bytes;
}

void Store::ship(const Parameters& parameters, const fs::path& file) const {
  check(parameters);
  make_folder(file.parent_path());
  publish(in_cache(parameters, hash_of_sources(places_, parameters)), file);
}

std::shared_ptr<const CompiledSwitch> compiled_switch(const Parameters& asked) {
  static std::mutex one_at_a_time;
  static std::map<std::string, std::shared_ptr<const CompiledSwitch>> loaded;
  const std::lock_guard lock(one_at_a_time);
  Places places = standard_places();
  Parameters parameters = asked;
  if (const char* folder = std::getenv(coverage_variable)) {
    std::error_code missing;
    if (!fs::is_directory(folder, missing))
      throw Error(ErrorKind::input, std::string(coverage_variable) + " is \"" + folder + "\", which must be a folder");
    parameters.coverage = !parameters.waves;
  }
  std::shared_ptr<const CompiledSwitch>& known = loaded[places.sources.string() + "/" + name_of(parameters)];
  if (!known) {
    const auto notice = [](const std::string& sentence) { std::cerr << "lightloop: " << sentence << '\n'; };
    if (places.named) notice("the RTL is that of \"" + places.sources.string() + "\"");
    const Store store(std::move(places), notice);
    known = std::make_shared<const CompiledSwitch>(store.object(parameters));
  }
  return known;
}

}  // namespace ocs::rtl
