// What waits is called from the event loop, never from within the request.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/sim/serve/server_end.hpp"

#include <boost/asio/error.hpp>
#include <utility>

#include "host/core/error.hpp"

namespace ocs::sim {

using boost::system::error_code;
namespace asio_error = boost::asio::error;

namespace {

constexpr std::uint64_t most_at_once = 200'000;  // things that a server does in one instant
constexpr std::uint16_t first_port = 5000;
constexpr std::time_t first_second = 1'786'000'000;  // of the wall clock, at virtual time 0

class SimulatedDoor final : public serve::Door, public Listener {
 public:
  SimulatedDoor(Links& links, EventQueue& queue, serve::Dialect dialect, std::size_t& longest_write)
      : links_(links), queue_(queue), dialect_(dialect), longest_write_(longest_write) {
    links_.listen(dialect_, this);
  }
  ~SimulatedDoor() override { SimulatedDoor::close(); }
  SimulatedDoor(const SimulatedDoor&) = delete;
  SimulatedDoor& operator=(const SimulatedDoor&) = delete;

  std::uint16_t port() const override { return port_of(dialect_); }
  void async_accept(Admit done) override {
    admit_ = std::move(done);
    take_next();
  }
  void close() override {
    if (!open_) return;
    open_ = false;
    if (links_.listens(dialect_, this)) links_.listen(dialect_, nullptr);
    for (const LinkPointer& link : waiting_) links_.reset(link);
    waiting_.clear();
    if (admit_)
      queue_.post([done = std::exchange(admit_, nullptr)] { done(asio_error::operation_aborted, nullptr, {}); });
  }
  void come(LinkPointer link) override {
    waiting_.push_back(std::move(link));
    take_next();
  }

 private:
  void take_next() {
    if (!admit_ || waiting_.empty() || due_) return;
    due_ = true;
    queue_.post([this] {
      due_ = false;
      if (!admit_ || waiting_.empty()) return;
      const LinkPointer link = std::move(waiting_.front());
      waiting_.pop_front();
      const Admit done = std::exchange(admit_, nullptr);
      if (link->broken) return done(asio_error::connection_aborted, nullptr, {});
      link->admitted = true;
      done({}, std::make_unique<ServerEnd>(links_, queue_, link, longest_write_), link->address);
      links_.was_admitted(link);
    });
  }

  Links& links_;
  EventQueue& queue_;
  serve::Dialect dialect_;
  std::size_t& longest_write_;
  std::deque<LinkPointer> waiting_;
  Admit admit_{};
  bool open_ = true, due_ = false;
};

/// What waits on it may have gone when the time has come.
class SimulatedTimer final : public serve::Timer {
 public:
  SimulatedTimer(World& world, std::weak_ptr<EventQueue> queue) : world_(world), queue_(std::move(queue)) {}
  void async_wait(std::chrono::nanoseconds time, serve::ClientStream::Done done) override {
    cancel();
    wait_ = std::make_shared<serve::ClientStream::Done>(std::move(done));
    world_.at(world_.now() + time, [queue = queue_, waits = std::weak_ptr(wait_)] {
      const auto due = waits.lock();
      const auto into = queue.lock();
      if (due == nullptr || into == nullptr || !*due) return;
      into->post([call = std::exchange(*due, nullptr)] { call({}); });
    });
  }
  void cancel() override {
    const auto into = queue_.lock();
    if (wait_ == nullptr || !*wait_ || into == nullptr) return;
    into->post([call = std::exchange(*wait_, nullptr)] { call(asio_error::operation_aborted); });
  }

 private:
  World& world_;
  std::weak_ptr<EventQueue> queue_;
  std::shared_ptr<serve::ClientStream::Done> wait_;
};

/// Passwords are compared as they are: Argon2id would take more time than all the rest.
class SimulatedJudge final : public serve::PasswordJudge {
 public:
  SimulatedJudge(World& world, std::weak_ptr<EventQueue> queue, serve::Logins logins, std::uint64_t seed)
      : world_(world), queue_(std::move(queue)), logins_(std::move(logins)), draw_(seed) {}
  ~SimulatedJudge() override { world_.wait_or_end(busy_until_); }
  SimulatedJudge(const SimulatedJudge&) = delete;
  SimulatedJudge& operator=(const SimulatedJudge&) = delete;

  void judge(std::string user, std::string password, std::function<void(serve::Role)> done) override {
    busy_until_ = world_.now() + std::chrono::milliseconds(50 + static_cast<std::int64_t>(draw_.below(100)));
    const auto found = logins_.find(user);
    const serve::Role role =
        found != logins_.end() && found->second.hash == password ? found->second.role : serve::Role::nobody;
    world_.at(busy_until_, [queue = queue_, role, done = std::move(done)] {
      if (const auto into = queue.lock()) into->post([done, role] { done(role); });
    });
  }

 private:
  World& world_;
  std::weak_ptr<EventQueue> queue_;
  serve::Logins logins_;
  Draw draw_;
  Nanos busy_until_{0};
};

class DiskLines final : public serve::LineFile {
 public:
  DiskLines(Disk& disk, std::string name) : disk_(disk), name_(std::move(name)), file_(disk.find(name_, true)) {
    disk_.count_open(1);
  }
  ~DiskLines() override { disk_.count_open(-1); }
  DiskLines(const DiskLines&) = delete;
  DiskLines& operator=(const DiskLines&) = delete;
  void write(const std::string& line) override {
    const std::string whole = line + "\n";
    if (disk_.dead()) return;
    if (disk_.write(*file_, whole.data(), whole.size(), file_->bytes.size()) != 0)
      throw Error(ErrorKind::run, "log \"" + name_ + "\" can't be written: simulated");
  }

 private:
  Disk& disk_;
  std::string name_;
  std::shared_ptr<Disk::File> file_;
};

}  // namespace

std::uint16_t port_of(serve::Dialect dialect) {
  return static_cast<std::uint16_t>(first_port + static_cast<std::uint16_t>(dialect));
}

void EventQueue::post(std::function<void()> what) {
  due_.push_back(std::move(what));
  world_.wake(owner_);
}

void EventQueue::run_one_for(Nanos longest) {
  if (due_.empty() || owner_.killed || owner_.stopped_until > world_.now())
    world_.wait(due_.empty() ? world_.now() + longest : world_.now());
  if (due_.empty()) return;
  if (std::exchange(since_, world_.now()) != world_.now()) at_once_ = 0;
  if (++at_once_ > most_at_once) throw World::Stuck("the server does more than 200000 things in one instant");
  const std::size_t chosen = draw_.below(due_.size());
  const std::function<void()> what = std::move(due_[chosen]);
  due_.erase(due_.begin() + static_cast<std::ptrdiff_t>(chosen));
  what();
}

ServerEnd::ServerEnd(Links& links, EventQueue& queue, LinkPointer link, std::size_t& longest_write)
    : links_(links), queue_(queue), link_(std::move(link)), longest_write_(longest_write) {
  link_->server = this;
}

void ServerEnd::end_read(error_code error, std::size_t size) {
  queue_.post([done = std::exchange(read_, nullptr), error, size] { done(error, size); });
}

void ServerEnd::end_write(error_code error) {
  queue_.post([done = std::exchange(write_, nullptr), error, size = written_] { done(error, size); });
}

void ServerEnd::async_read_some(std::span<char> into, Moved done) {
  into_ = into;
  read_ = std::move(done);
  if (!open_) return end_read(asio_error::bad_descriptor, 0);
  has_bytes();
}

void ServerEnd::has_bytes() {
  if (!read_) return;
  if (link_->broken) return end_read(asio_error::connection_reset, 0);
  Way& way = link_->to_server;
  const std::size_t size = std::min(into_.size(), way.arrived.size());
  if (size == 0 && !way.ended) return;
  std::copy_n(way.arrived.begin(), size, into_.begin());
  way.arrived.erase(0, size);
  way.held -= size;
  end_read(size == 0 ? error_code(asio_error::eof) : error_code(), size);
  if (size > 0) links_.has_read(link_);
}

void ServerEnd::async_write(std::string_view bytes, Moved done) {
  longest_write_ = std::max(longest_write_, bytes.size());
  from_ = bytes;
  written_ = 0;
  write_ = std::move(done);
  if (!open_) return end_write(asio_error::bad_descriptor);
  has_place();
}

void ServerEnd::has_place() {
  if (!write_) return;
  written_ += links_.send_to_client(link_, from_.substr(written_));
  if (!write_) return;  // a fault has broken it meanwhile
  if (link_->broken) return end_write(asio_error::connection_reset);
  if (written_ == from_.size()) end_write({});
}

void ServerEnd::was_reset() {
  if (read_) end_read(asio_error::connection_reset, 0);
  if (write_) end_write(asio_error::connection_reset);
}

serve::ClientStream::Client ServerEnd::look() {
  if (link_->broken) return Client::gone;
  return link_->to_server.ended ? Client::ended : Client::there;
}

void ServerEnd::close() {
  if (!open_) return;
  open_ = false;
  if (read_) end_read(asio_error::operation_aborted, 0);
  if (write_) end_write(asio_error::operation_aborted);
  links_.end_to_client(link_);
}

SimulatedSystem::SimulatedSystem(Links& links, Process& owner, std::uint64_t seed, Disk& disk, const bool& end_wanted)
    : links_(links),
      world_(links.world()),
      draw_(seed),
      owner_(owner),
      disk_(disk),
      end_wanted_(end_wanted),
      queue_(std::make_shared<EventQueue>(world_, owner, seed ^ 1)) {}

SimulatedSystem::~SimulatedSystem() = default;

serve::ServerPlatform::Clock::time_point SimulatedSystem::now() const {
  if (slow_by > Nanos{0} && world_.self() == &owner_) world_.jump(slow_by);
  return world_.clock();
}

std::time_t SimulatedSystem::time_of_day() const {
  return first_second + std::chrono::duration_cast<std::chrono::seconds>(world_.now()).count();
}

serve::AccessLog SimulatedSystem::open_log(const std::string& file) {
  return serve::AccessLog(std::make_unique<DiskLines>(disk_, file));
}

std::unique_ptr<serve::Door> SimulatedSystem::listen(const std::string& /*address*/, std::uint16_t port,
                                                     boost::asio::ssl::context* /*tls*/) {
  return std::make_unique<SimulatedDoor>(links_, *queue_, static_cast<serve::Dialect>(port - first_port),
                                         longest_write_);
}

std::unique_ptr<serve::Timer> SimulatedSystem::make_timer() { return std::make_unique<SimulatedTimer>(world_, queue_); }

std::unique_ptr<serve::PasswordJudge> SimulatedSystem::make_judge(serve::Logins logins) {
  return std::make_unique<SimulatedJudge>(world_, queue_, std::move(logins), draw_.next());
}

}  // namespace ocs::sim
