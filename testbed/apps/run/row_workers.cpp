// Starts workers, hands out rows, and takes messages apart.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/apps/run/row_workers.hpp"

#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <system_error>
#include <type_traits>
#include <utility>

#include "host/core/error.hpp"
#include "testbed/coordinator/processes/private_folder.hpp"
#include "testbed/results/rows/row_wire.hpp"

namespace ocs {
namespace {

constexpr std::chrono::milliseconds report_interval{100}, patience_with_the_end{3000};

enum class Kind : std::uint8_t { report, row, failure };

/// The header of each message of a worker.
struct Header {
  Kind kind;
  std::uint64_t size;
};

template <class T>
void append(std::string& bytes, const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void append_text(std::string& bytes, std::string_view text) {
  append(bytes, text.size());
  bytes += text;
}

/// Both ends are the same program: what it takes apart is what it has put together.
class Parts {
 public:
  explicit Parts(std::string_view bytes) : bytes_(bytes) {}
  template <class T>
  T take() {
    T value;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  std::string_view text() { return take(take<std::size_t>()); }

 private:
  std::string_view take(std::size_t size) {
    if (size > bytes_.size()) throw Error(ErrorKind::internal, "a message of a worker ends too early");
    const std::string_view part = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return part;
  }
  std::string_view bytes_;
};

/// @return whether the other end took all of it
bool send_all(int socket, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

void send_message(int socket, Kind kind, std::string_view body) {
  std::string head;
  append(head, Header{kind, body.size()});
  if (!send_all(socket, head) || !send_all(socket, body)) _exit(EXIT_FAILURE);  // nobody wants it any more
}

/// Reports a few times a second.
class WorkerProgress : public Progress {
 public:
  WorkerProgress(int socket, const Interruption& interruption) : socket_(socket), interruption_(interruption) {}
  void tick(const Report& report) override {
    interruption_.check();
    const auto now = std::chrono::steady_clock::now();
    if (now < next_) return;
    next_ = now + report_interval;
    std::string body;
    append(body, report.now.n);
    append(body, report.fraction);
    append_text(body, report.waiting_for);
    send_message(socket_, Kind::report, body);
  }

 private:
  int socket_;
  const Interruption& interruption_;
  std::chrono::steady_clock::time_point next_;
};

void append_waves(std::string& bytes, const WavesOutcome& waves) {
  append_text(bytes, waves.text);
  append(bytes, waves.failed);
}

std::string body_of(const RowOutcome& outcome) {
  std::string body;
  append_text(body, to_bytes(outcome.row));
  append_text(body, outcome.profile_text);
  append_waves(body, outcome.waves);
  static_assert(std::is_trivially_copyable_v<Event>);
  append_text(body, {reinterpret_cast<const char*>(outcome.log.data()), outcome.log.size() * sizeof(Event)});
  return body;
}

std::string body_of(const Error& failure, const WavesOutcome& waves) {
  std::string body;
  append(body, failure.kind());
  append_text(body, failure.what());
  append_waves(body, waves);
  return body;
}

WavesOutcome take_waves(Parts& parts) {
  WavesOutcome waves;
  waves.text = parts.text();
  waves.failed = parts.take<std::size_t>();
  return waves;
}

RowOutcome outcome_of(Kind kind, std::string_view body) {
  Parts parts(body);
  RowOutcome outcome;
  if (kind == Kind::failure) {
    const auto what = parts.take<ErrorKind>();
    outcome.failure.emplace(what, std::string(parts.text()));
    outcome.waves = take_waves(parts);
    return outcome;
  }
  outcome.row = row_from_bytes(parts.text());
  outcome.profile_text = parts.text();
  outcome.waves = take_waves(parts);
  const std::string_view log = parts.text();
  outcome.log.resize(log.size() / sizeof(Event));
  if (!log.empty()) std::memcpy(outcome.log.data(), log.data(), log.size());
  return outcome;
}

/// Rows that only hand over between threads keep to the core where they begin: two workers must not begin on one.
void keep_to_share_of_cores(std::size_t number, std::size_t count) {
  cpu_set_t allowed, share;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  CPU_ZERO(&share);
  const auto cores = static_cast<std::size_t>(CPU_COUNT(&allowed));
  std::size_t seen = 0;
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (!CPU_ISSET(static_cast<unsigned>(core), &allowed)) continue;
    if (count <= cores ? seen % count == number : seen == number % cores) CPU_SET(static_cast<unsigned>(core), &share);
    ++seen;
  }
  sched_setaffinity(0, sizeof share, &share);
}

std::string ended_how(int status) {
  if (WIFSIGNALED(status))
    return "was ended by signal " + std::to_string(WTERMSIG(status)) + " (" + strsignal(WTERMSIG(status)) + ")";
  return "ended with exit code " + std::to_string(WEXITSTATUS(status));
}

/// Waits for its end, then kills it. @return whether a signal ended it.
bool end_process(pid_t id) {
  const auto until = std::chrono::steady_clock::now() + patience_with_the_end;
  int status = 0;
  while (waitpid(id, &status, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() >= until) kill(id, SIGKILL);
    poll(nullptr, 0, 5);
  }
  return WIFSIGNALED(status);
}

}  // namespace

RowWorkers::RowWorkers(std::size_t count, Work work, const Interruption& interruption)
    : work_(std::move(work)), interruption_(interruption), workers_(count) {}

RowWorkers::~RowWorkers() {
  for (Worker& worker : workers_) {
    if (worker.id < 0) continue;
    if (worker.running) kill(worker.id, SIGTERM);
    close(worker.socket);  // a worker without a row ends by itself
  }
  for (const Worker& worker : workers_)
    if (worker.id >= 0 && end_process(worker.id)) killed_ = true;
  std::error_code none;
  if (killed_) sweep_private_folders(std::filesystem::temp_directory_path(none));  // of its nodes' sockets
}

bool RowWorkers::has_free() const { return running() < workers_.size(); }

std::size_t RowWorkers::running() const {
  return static_cast<std::size_t>(
      std::count_if(workers_.begin(), workers_.end(), [](const Worker& worker) { return worker.running.has_value(); }));
}

std::optional<RowWorkers::Running> RowWorkers::first() const {
  std::optional<Running> first;
  for (const Worker& worker : workers_)
    if (worker.running && (!first || worker.running->row < first->row)) first = worker.running;
  return first;
}

void RowWorkers::start(std::size_t row) {
  const auto worker =
      std::find_if(workers_.begin(), workers_.end(), [](const Worker& each) { return !each.running.has_value(); });
  int status = 0;
  if (worker->id >= 0 && waitpid(worker->id, &status, WNOHANG) == worker->id) {  // it died between two rows
    if (WIFSIGNALED(status)) killed_ = true;
    close(worker->socket);
    *worker = {};
  }
  if (worker->id < 0) fork_worker(static_cast<std::size_t>(worker - workers_.begin()));
  worker->running = Running{.row = row, .now = {}, .fraction = 0, .waiting_for = {}};
  std::string number;
  append(number, static_cast<std::uint64_t>(row));
  if (!send_all(worker->socket, number) && errno != EPIPE)  // of a worker that has died, wait() finds out
    throw Error(ErrorKind::run,
                "row " + std::to_string(row + 1) + " can't be handed to another process: " + std::strerror(errno));
}

void RowWorkers::fork_worker(std::size_t number) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw Error(ErrorKind::run, std::string("no connection to another process can be made: ") + std::strerror(errno));
  std::cout.flush();
  std::fflush(nullptr);  // what is buffered must not be written by both
  const pid_t parent = getpid(), id = fork();
  if (id == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(EXIT_FAILURE);
    for (const Worker& other : workers_)
      if (other.socket >= 0) close(other.socket);
    close(ends[0]);
    be_worker(number, ends[1]);
  }
  close(ends[1]);
  if (id < 0) {
    close(ends[0]);
    throw Error(ErrorKind::run, std::string("no further process can be started: ") + std::strerror(errno));
  }
  workers_[number] = Worker{.id = id, .socket = ends[0], .running = {}, .received = {}};
}

/// Nothing of the parent's may be destroyed here: its files and its database are still in use there.
void RowWorkers::be_worker(std::size_t number, int socket) {
  setpgid(0, 0);  // Ctrl-C is for the parent, which ends its workers
  keep_to_share_of_cores(number, workers_.size());
  WorkerProgress progress(socket, interruption_);
  try {
    NodeRunners runners(progress);
    for (std::uint64_t row = 0; recv(socket, &row, sizeof row, MSG_WAITALL) == sizeof row;) {
      const RowOutcome outcome = outcome_of_row(static_cast<std::size_t>(row), progress, runners);
      interruption_.check();  // what failed may have, because it was interrupted
      if (outcome.failure)
        send_message(socket, Kind::failure, body_of(*outcome.failure, outcome.waves));
      else
        send_message(socket, Kind::row, body_of(outcome));
    }
  } catch (const Interrupted&) {  // the node processes have ended, too
  }
  _exit(EXIT_SUCCESS);
}

RowOutcome RowWorkers::outcome_of_row(std::size_t row, Progress& progress, NodeRunners& runners) {
  try {
    return work_(
        row, progress, [this] { interruption_.check(); }, runners);
  } catch (const Interrupted&) {
    throw;
  } catch (const std::exception& failure) {
    RowOutcome outcome;
    outcome.failure.emplace(ErrorKind::internal, std::string("internal error: ") + failure.what());
    return outcome;
  }
}

std::vector<RowWorkers::Finished> RowWorkers::wait(std::chrono::milliseconds patience) {
  std::vector<pollfd> sockets;
  std::vector<Worker*> waiting;
  for (Worker& worker : workers_)
    if (worker.running) {
      sockets.push_back({worker.socket, POLLIN, 0});
      waiting.push_back(&worker);
    }
  std::vector<Finished> finished;
  if (poll(sockets.data(), sockets.size(), static_cast<int>(patience.count())) <= 0) return finished;
  for (std::size_t k = 0; k < sockets.size(); ++k)
    if (sockets[k].revents != 0) receive(*waiting[k], finished);
  return finished;
}

void RowWorkers::receive(Worker& worker, std::vector<Finished>& finished) {
  static constexpr std::size_t most_at_once = std::size_t{1} << 16;
  std::string chunk(most_at_once, '\0');
  const ssize_t got = recv(worker.socket, chunk.data(), chunk.size(), MSG_DONTWAIT);
  if (got < 0 && (errno == EINTR || errno == EAGAIN)) return;
  if (got <= 0) return bury(worker, finished);
  worker.received.append(chunk.data(), static_cast<std::size_t>(got));
  while (worker.received.size() >= sizeof(Header)) {
    const auto header = Parts(worker.received).take<Header>();
    if (worker.received.size() - sizeof header < header.size) return;
    const std::string body = worker.received.substr(sizeof header, header.size);
    worker.received.erase(0, sizeof header + header.size);
    if (!worker.running) continue;
    if (header.kind == Kind::report) {
      Parts fields(body);
      worker.running->now = {fields.take<std::int64_t>()};
      worker.running->fraction = fields.take<double>();
      worker.running->waiting_for = fields.text();
      continue;
    }
    finished.push_back({worker.running->row, outcome_of(header.kind, body)});
    worker.running.reset();
  }
}

void RowWorkers::bury(Worker& worker, std::vector<Finished>& finished) {
  int status = 0;
  close(worker.socket);
  waitpid(worker.id, &status, 0);
  if (WIFSIGNALED(status)) killed_ = true;
  if (worker.running) {
    RowOutcome outcome;
    outcome.failure.emplace(ErrorKind::run, "the process that ran it " + ended_how(status));
    finished.push_back({worker.running->row, std::move(outcome)});
  }
  worker = {};
}

}  // namespace ocs
