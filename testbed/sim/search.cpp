// Plays seed after seed.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/sim/search.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <charconv>
#include <new>
#include <sstream>
#include <utility>
#include <vector>

#include "host/core/error.hpp"
#include "testbed/sim/play.hpp"
#include "testbed/sim/seed_watch.hpp"
#include "testbed/sim/serve/serve_settings.hpp"
#include "testbed/sim/shrink.hpp"

namespace ocs::sim {
namespace {

using Wall = std::chrono::steady_clock;

std::vector<Scenario> scenarios_of(std::uint64_t seed, Simulated what, Player& player) {
  std::vector<Scenario> all;
  if (what != Simulated::serve) all.push_back(player.draw(seed));
  if (what != Simulated::run) all.push_back(draw_serve(seed));
  return all;
}

/// A scenario that breaks something is shrunk.
void play_one(const Scenario& scenario, Player& player, SearchResult& result) {
  const Verdict verdict = player.play(scenario);
  result.starts += verdict.starts, result.faults += verdict.faults, result.failed += verdict.failed;
  if (verdict.violation.empty()) return;
  const auto broken = [&](const Scenario& one) {
    try {
      return player.play(one).violation;
    } catch (const Error&) {  // its experiment can't run
      return std::string();
    }
  };
  result.failing = shrink(scenario, broken);
  result.violation = broken(*result.failing);
}

/// Seeds that all processes have played; in memory that they share.
class SharedCount {
 public:
  SharedCount() {
    void* memory = mmap(nullptr, sizeof(Count), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    count_ = new (memory) Count{0};
  }
  SharedCount(const SharedCount&) = delete;
  SharedCount& operator=(const SharedCount&) = delete;
  ~SharedCount() { munmap(count_, sizeof(Count)); }
  void add_one() { count_->fetch_add(1, std::memory_order_relaxed); }
  std::uint64_t now() const { return count_->load(std::memory_order_relaxed); }

 private:
  using Count = std::atomic<std::uint64_t>;
  static_assert(Count::is_always_lock_free, "processes have no lock in common");
  Count* count_;
};

double seconds_since(Wall::time_point began) { return std::chrono::duration<double>(Wall::now() - began).count(); }

SearchResult play_every(const Environment& environment, const SearchArguments& arguments, unsigned job,
                        const std::function<void()>& played) {
  const auto began = Wall::now();
  Player player(environment);
  SearchResult result;
  for (std::uint64_t k = job; !arguments.runs || k < *arguments.runs; k += arguments.jobs) {
    if (arguments.time && Wall::now() - began >= *arguments.time) break;
    ++result.runs;
    watch_seed(arguments.first + k, arguments.longest);
    for (const Scenario& scenario : scenarios_of(arguments.first + k, arguments.what, player))
      if (!result.failing) play_one(scenario, player, result);
    played();
    if (result.failing) break;
  }
  watch_no_seed();
  result.seconds = seconds_since(began);
  return result;
}

/// Numbers in a line, then the scenario and what it breaks, a line each.
std::string lines_of(const SearchResult& result) {
  std::ostringstream text;
  text << result.runs << ' ' << result.starts << ' ' << result.faults << ' ' << result.failed << '\n';
  if (result.failing) text << to_text(*result.failing) << '\n' << result.violation << '\n';
  return text.str();
}

void add_lines(const std::string& text, SearchResult& sum) {
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  std::istringstream numbers(line);
  std::array<std::uint64_t, 4> read{};
  for (std::uint64_t& number : read)
    if (!(numbers >> number)) throw Error(ErrorKind::run, "a process of the simulation ended without a result");
  sum.runs += read[0], sum.starts += read[1], sum.faults += read[2], sum.failed += read[3];
  if (std::getline(lines, line) && !sum.failing) {
    sum.failing = parse_scenario(line);
    std::getline(lines, sum.violation);
  }
}

struct Worker {
  pid_t id = -1;
  int from = -1;
  std::string said{};
};

Worker start_worker(const Environment& environment, const SearchArguments& arguments, unsigned job,
                    SharedCount& count) {
  std::array<int, 2> pipe{};
  if (::pipe(pipe.data()) != 0) throw Error(ErrorKind::run, "no pipe for a process of the simulation");
  const pid_t id = fork();
  if (id < 0) throw Error(ErrorKind::run, "a process of the simulation can't be started");
  if (id > 0) {
    close(pipe[1]);
    return {id, pipe[0]};
  }
  std::string text;
  try {
    text = lines_of(play_every(environment, arguments, job, [&] { count.add_one(); }));
  } catch (const std::exception& failure) {
    text = std::string("! ") + failure.what();
  }
  const bool written = write(pipe[1], text.data(), text.size()) == static_cast<ssize_t>(text.size());
  _exit(written ? 0 : 1);
}

/// Reads what a worker says. @returns whether it may say more
bool read_worker(Worker& worker) {
  std::array<char, 4096> bytes{};
  const ssize_t size = read(worker.from, bytes.data(), bytes.size());
  if (size > 0) worker.said.append(bytes.data(), static_cast<std::size_t>(size));
  return size > 0;
}

void end_all(std::vector<Worker>& workers) {
  for (Worker& worker : workers) {
    if (worker.from >= 0) {
      kill(worker.id, SIGKILL);
      close(worker.from);
    }
    waitpid(worker.id, nullptr, 0);
  }
}

}  // namespace

SearchResult search(const Environment& environment, const SearchArguments& arguments) {
  SharedCount count;
  const auto began = Wall::now();
  double reported = 0;
  const auto report = [&] {
    const double seconds = seconds_since(began);
    if (!arguments.progress || seconds - reported < 1) return;
    reported = seconds;
    arguments.progress(count.now(), seconds);
  };
  if (arguments.jobs <= 1)
    return play_every(environment, arguments, 0, [&] {
      count.add_one();
      report();
    });
  std::vector<Worker> workers;
  workers.reserve(arguments.jobs);
  for (unsigned job = 0; job < arguments.jobs; ++job)
    workers.push_back(start_worker(environment, arguments, job, count));
  SearchResult sum;
  try {
    for (std::size_t left = workers.size(); left > 0 && !sum.failing;) {
      std::vector<pollfd> waits;
      waits.reserve(workers.size());
      for (const Worker& worker : workers) waits.push_back({worker.from, POLLIN, 0});  // -1: passed over
      poll(waits.data(), waits.size(), 1000);
      report();
      for (std::size_t k = 0; k < workers.size(); ++k) {
        if ((waits[k].revents & (POLLIN | POLLHUP)) == 0 || read_worker(workers[k])) continue;
        close(std::exchange(workers[k].from, -1));
        --left;
        if (workers[k].said.starts_with("! ")) throw Error(ErrorKind::run, workers[k].said.substr(2));
        add_lines(workers[k].said, sum);
      }
    }
  } catch (...) {
    end_all(workers);
    throw;
  }
  end_all(workers);
  sum.seconds = seconds_since(began);
  return sum;
}

}  // namespace ocs::sim
