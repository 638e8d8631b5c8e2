// A node process that misbehaves on purpose: for tests that a run survives or ends with the right sentence.
//   odd_node --odd N:HOW[:JOB] --connect ENDPOINT --id ID [--memory D] [--key FILE] [--quiet]
// Node N misbehaves in its JOBth job (default 1) as HOW says; everybody else, and N before, is a good node.
// SPDX-License-Identifier: Apache-2.0
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <map>
#include <new>
#include <stdexcept>
#include <string_view>
#include <thread>
#include <vector>

#include "host/transport/zmq_transport.hpp"
#include "testbed/nodes/process/node_process.hpp"
#include "tests/nodes/odd_transports.hpp"

namespace {

using namespace ocs;

struct Oddity {
  std::string how;  ///< empty: a good node
  int job = 1;
};

std::string text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// The second part of a message without fields.
std::string checksum_of(const std::string& header) {
  return text_of(second_part(std::as_bytes(std::span(header)), {}));
}

/// Sends raw parts to the coordinator from a socket of its own, and waits until they must be there, if they may.
void shout(const std::string& endpoint, const std::vector<std::string>& parts) {
  zmq::context_t context(1);
  zmq::socket_t socket(context, zmq::socket_type::dealer);
  socket.set(zmq::sockopt::linger, 500);
  socket.connect(endpoint);
  for (std::size_t i = 0; i < parts.size(); ++i)
    socket.send(zmq::buffer(parts[i]), i + 1 < parts.size() ? zmq::send_flags::sndmore : zmq::send_flags::none);
}

std::string hello_of_version(std::uint16_t version, Node self) {
  WireHeader header;
  header.version = version;
  header.kind = static_cast<std::uint16_t>(MessageKind::hello);
  header.from = index(self);
  header.to = coordinator_id;
  header.sequence = 1;
  return text_of(encode(header));
}

/// Ends all connections of this process; what listens goes on.
void hang_up() {
  constexpr int most_files = 1024;
  for (int file = 3; file < most_files; ++file) {
    int listens = 1;
    socklen_t size = sizeof listens;
    if (getsockopt(file, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0 && listens == 0) shutdown(file, SHUT_RDWR);
  }
}

/// Ends at once with exit code 7. A sanitizer that looks for leaks at _exit would put its own code in place of it, since the threads
/// that end with their connections are not joined.
[[noreturn]] void exit_at_once() {
  syscall(SYS_exit_group, 7);
  std::abort();
}

void misbehave(const std::string& how, const NodeProcessSettings& settings) {
  if (how == "die") raise(SIGKILL);
  if (how == "exit") exit_at_once();
  if (how == "hang up and exit") {
    hang_up();
    usleep(500'000);
    exit_at_once();
  }
  if (how == "stop") raise(SIGSTOP);
  while (how == "hang") pause();
  const std::string hello = hello_of_version(how == "version" ? 99 : WireHeader{}.version, settings.id);
  if (how == "version" || how == "again") shout(settings.connect, {hello, checksum_of(hello), ""});
  if (how == "garbage") shout(settings.connect, {"any bytes", "at", "all"});
}

/// Misbehaves when it is first asked in the job that it is to misbehave in.
class OddLogic : public NodeLogic {
 public:
  OddLogic(std::unique_ptr<NodeLogic> inner, std::string how, const NodeProcessSettings& settings)
      : inner_(std::move(inner)), how_(std::move(how)), settings_(settings) {}
  Picos on(std::span<const Message> batch, Picos now, std::vector<Message>& out) override {
    const Picos promise = inner_->on(batch, now, out);
    if (now.n == 0) return promise;
    misbehave(how_, settings_);
    if (how_ == "throw") throw std::runtime_error("out of paper");
    if (how_ == "exhaust") throw std::bad_alloc();
    return how_ == "lie" ? now - Picos{1} : promise;
  }

 private:
  std::unique_ptr<NodeLogic> inner_;
  std::string how_;
  const NodeProcessSettings& settings_;
};

NodeProcessHooks hooks_of(const Oddity& odd, const NodeProcessSettings& settings) {
  NodeProcessHooks hooks;
  if (odd.how.empty()) return hooks;
  const auto job = std::make_shared<int>(0);
  hooks.logic = [odd, &settings, job](std::unique_ptr<NodeLogic> logic) -> std::unique_ptr<NodeLogic> {
    if (++*job != odd.job) return logic;
    return std::make_unique<OddLogic>(std::move(logic), odd.how, settings);
  };
  hooks.transport = [odd, &settings, job](std::unique_ptr<Transport> inner) -> std::unique_ptr<Transport> {
    if (odd.how == "shuffle") return std::make_unique<ShufflingTransport>(std::move(inner), index(settings.id));
    Transport* raw = inner.get();
    return std::make_unique<MeddlingTransport>(std::move(inner), [odd, raw, job](Message& message) {
      if (*job != odd.job) return true;
      const MessageKind kind = kind_of(message);
      if (odd.how == "lingers" && kind == MessageKind::done) {  // its coordinator leaves before it reads on
        raw->send(message);
        std::this_thread::sleep_for(std::chrono::milliseconds{400});
        return false;
      }
      if (odd.how == "twice" && kind == MessageKind::offers) raw->send(message);
      if (odd.how == "mute" && kind == MessageKind::chunk) return false;
      if (odd.how == "flood" && kind == MessageKind::chunk)
        for (int i = 0; i < 8; ++i) raw->send(message);
      if (odd.how == "die with payload" && kind == MessageKind::chunk) raise(SIGKILL);
      if (odd.how == "stop with payload" && kind == MessageKind::chunk) raise(SIGSTOP);
      return true;
    });
  };
  return hooks;
}

/// "3:stop:2"
Oddity oddity_of(const std::string& text, Node self) {
  const std::size_t how = text.find(':') + 1, job = text.find(':', how);
  if (text != "all:shuffle" && std::stoi(text) != index(self)) return {};
  return {text.substr(how, job - how), job == std::string::npos ? 1 : std::stoi(text.substr(job + 1))};
}

}  // namespace

int main(int argc, char** argv) {
  std::map<std::string, std::string> given;
  for (int i = 1; i + 1 < argc; ++i)
    if (std::strncmp(argv[i], "--", 2) == 0) given[argv[i]] = argv[i + 1];
  NodeProcessSettings settings;
  settings.connect = given.at("--connect");
  settings.id = Node{static_cast<std::uint16_t>(std::stoi(given.at("--id")))};
  if (given.contains("--memory")) settings.memory = std::stoi(given.at("--memory"));
  if (given.contains("--key")) settings.key = given.at("--key");
  settings.encrypt = std::find(argv, argv + argc, std::string_view("--unencrypted")) == argv + argc;
  const Oddity odd = oddity_of(given.at("--odd"), settings.id);
  try {
    if (odd.how == "never comes") return 0;
    if (odd.how == "of another version") {
      shout(settings.connect, {hello_of_version(99, settings.id), "", ""});
      return 0;
    }
    run_node_process(settings, hooks_of(odd, settings));
  } catch (const Error& failure) {
    if (std::find(argv, argv + argc, std::string_view("--quiet")) == argv + argc) std::cerr << failure.what() << '\n';
    return failure.exit_code();
  }
}
