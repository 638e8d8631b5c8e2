// Strangers at the ports of a run: each costs its own connection, and the run goes on as if it were alone.
// SPDX-License-Identifier: Apache-2.0
#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>

#include <map>
#include <numeric>

#include "host/transport/fields.hpp"
#include "host/transport/zmq_transport.hpp"
#include "testbed/coordinator/processes/child_process.hpp"
#include "tests/common/places.hpp"
#include "tests/nodes/process_support.hpp"

namespace ocs {
namespace {

using namespace std::chrono_literals;
using test::runner_settings;
using test::TemporaryFolder;
using testing::HasSubstr;

std::string bytes_of_numbers(std::initializer_list<int> numbers) {
  std::string text;
  for (const int n : numbers) text += static_cast<char>(n);
  return text;
}

std::string random_bytes(unsigned seed) {
  std::string text;
  for (int i = 0; i < 200; ++i) text += static_cast<char>((seed = seed * 1664525 + 1013904223) >> 24);
  return text;
}

const std::map<std::string, std::string> probes = {
    {"a message of ZMTP 1.0", bytes_of_numbers({0x01, 0x00, 0x02, 0x00, 0x78})},
    {"HTTP", "GET / HTTP/1.1\r\nHost: localhost\r\nUser-Agent: curl/7.88.1\r\nAccept: */*\r\n\r\n"},
    {"SSH", "SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n"},
    {"TLS", bytes_of_numbers({0x16, 0x03, 0x01, 0x00, 0x2f, 0x01, 0x00, 0x00, 0x2b, 0x03, 0x03}) + random_bytes(9)},
    {"RDP", bytes_of_numbers({0x03, 0x00, 0x00, 0x13, 0x0e, 0xe0, 0, 0, 0, 0, 0, 0x01, 0x00, 0x08, 0x00, 3, 0, 0, 0})},
    {"random bytes", random_bytes(1)},
    {"other random bytes", random_bytes(2)},
    {"ZMTP 2.0", bytes_of_numbers({0xff, 0, 0, 0, 0, 0, 0, 0, 1, 0x7f, 1, 5, 0, 0})},
};

/// A stranger's connection to "tcp://127.0.0.1:PORT".
class Connection {
 public:
  explicit Connection(const std::string& endpoint) : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(static_cast<std::uint16_t>(std::stoi(endpoint.substr(endpoint.rfind(':') + 1))));
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(connect(socket_, reinterpret_cast<sockaddr*>(&to), sizeof to), 0) << endpoint;
  }
  ~Connection() { close(socket_); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void send(const std::string& bytes) { ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL); }
  /// Reads until this comes. False: it doesn't within 5 s.
  bool hears(const std::string& text) {
    std::string heard;
    std::array<char, 4096> piece{};
    for (pollfd ready{socket_, POLLIN, 0}; heard.find(text) == std::string::npos;) {
      if (poll(&ready, 1, 5000) != 1) return false;
      const ssize_t got = recv(socket_, piece.data(), piece.size(), 0);
      if (got <= 0) return false;
      heard.append(piece.data(), static_cast<std::size_t>(got));
    }
    return true;
  }
  /// Reads until the other end closes it. False: it doesn't within so long.
  bool is_closed_within(std::chrono::milliseconds patience) {
    const auto deadline = std::chrono::steady_clock::now() + patience;
    std::array<char, 4096> ignored{};
    while (std::chrono::steady_clock::now() < deadline) {
      pollfd ready{socket_, POLLIN, 0};
      if (poll(&ready, 1, 100) == 1 && recv(socket_, ignored.data(), ignored.size(), 0) <= 0) return true;
    }
    return false;
  }

 private:
  int socket_;
};

std::string free_endpoint() {
  zmq::context_t context(1);
  zmq::socket_t socket(context, zmq::socket_type::dealer);
  socket.bind("tcp://127.0.0.1:*");
  return socket.get(zmq::sockopt::last_endpoint);
}

/// Shows the test what the coordinator receives.
class Watched : public Transport {
 public:
  using Watch = std::function<void(const Message&)>;
  Watched(std::unique_ptr<Transport> inner, Watch watch) : inner_(std::move(inner)), watch_(std::move(watch)) {}
  void send(Message message) override { inner_->send(std::move(message)); }
  std::optional<Message> receive(std::chrono::milliseconds patience) override {
    auto message = inner_->receive(patience);
    if (message) watch_(*message);
    return message;
  }

 private:
  std::unique_ptr<Transport> inner_;
  Watch watch_;
};

using Endpoints = std::vector<std::string>;  ///< the coordinator's first, then the nodes' as they come

/// Runs a job of 5 nodes, the last one from elsewhere with `expect` 1, and attacks when all are ready. The result must
/// be that of threads.
void run_under(ProcessRunnerSettings settings, const std::function<void(const Endpoints&)>& attack) {
  const JobSpec spec = small_job(3, 2);
  Endpoints endpoints{settings.listen};
  int ready = 0;
  settings.hook = [&](std::unique_ptr<Transport> inner) {
    return std::make_unique<Watched>(std::move(inner), [&](const Message& message) {
      if (kind_of(message) == MessageKind::hello) endpoints.push_back(decode_fields<HelloFields>(message).endpoint);
      if (kind_of(message) == MessageKind::ready && ++ready == 5) attack(endpoints);
    });
  };
  const auto runner = make_process_runner(settings);
  std::optional<ChildProcess> elsewhere;
  if (settings.expect > 0)
    elsewhere.emplace(std::vector<std::string>{ocs::test::built("odd_node"), "--odd", "0:", "--connect",
                                               settings.listen, "--id", "4", "--quiet"});
  FakeNetwork network(spec.word_bytes), alone(spec.word_bytes);
  const JobResult result = run_job(spec, network, *runner), expected = run_job(spec, alone);
  EXPECT_EQ(ready, 5) << "there was no attack";
  EXPECT_EQ(result.end, expected.end);
  EXPECT_EQ(result.rounds, expected.rounds);
  EXPECT_EQ(result.messages, expected.messages);
  EXPECT_EQ(result.bytes_delivered, expected.bytes_delivered);
  EXPECT_EQ(result.crc_errors + result.sum_errors, 0);
}

ProcessRunnerSettings settings_over_tcp(bool with_key) {
  ProcessRunnerSettings settings = runner_settings("tcp");
  settings.listen = free_endpoint();
  settings.expect = with_key ? 0 : 1;
  return settings;
}

class Strangers : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Processes, Strangers, testing::Bool(),
                         [](const auto& instance) { return instance.param ? "with_a_key" : "without"; });

TEST_P(Strangers, CostOnlyTheirConnectionWithOrdinaryProbes) {
  run_under(settings_over_tcp(GetParam()), [](const Endpoints& endpoints) {
    ASSERT_EQ(endpoints.size(), 6u);
    for (const std::string& endpoint : endpoints)
      for (const auto& [name, bytes] : probes) {
        Connection stranger(endpoint);
        stranger.send(bytes);
        EXPECT_TRUE(stranger.is_closed_within(5s)) << name << " at " << endpoint;
      }
  });
}

std::string header_of(MessageKind kind, std::uint16_t from, std::uint64_t sequence) {
  WireHeader header;
  header.kind = static_cast<std::uint16_t>(kind);
  header.from = from;
  header.to = coordinator_id;
  header.sequence = sequence;
  const auto bytes = encode(header);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

template <class F>
std::string text_of(const F& fields) {
  const auto bytes = encode_fields(fields);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// A ZeroMQ socket that says what it likes.
class Liar {
 public:
  explicit Liar(const std::string& endpoint) : context_(1), socket_(context_, zmq::socket_type::dealer) {
    socket_.set(zmq::sockopt::linger, 300);
    socket_.set(zmq::sockopt::sndhwm, 0);
    socket_.connect(endpoint);
  }
  /// Nothing once it was refused: ZeroMQ has given the endpoint up then, and a send that may wait would wait for ever.
  void say(const std::string& header, const std::string& fields = "") {
    constexpr auto more = zmq::send_flags::sndmore | zmq::send_flags::dontwait;
    if (!socket_.send(zmq::buffer(header), more)) return;
    const auto bytes = [](const std::string& text) { return std::as_bytes(std::span(text)); };
    static_cast<void>(socket_.send(zmq::buffer(second_part(bytes(header), bytes(fields))), more));
    static_cast<void>(socket_.send(zmq::message_t(), zmq::send_flags::dontwait));
  }

 private:
  zmq::context_t context_;
  zmq::socket_t socket_;
};

TEST_P(Strangers, DoNotReachTheRunWithMessagesOfOurForm) {
  std::vector<std::unique_ptr<Liar>> liars;  // they talk until the run ends
  run_under(settings_over_tcp(GetParam()), [&](const Endpoints& endpoints) {
    for (int n = 0; n < 5; ++n) liars.push_back(std::make_unique<Liar>(endpoints[0]));
    liars[0]->say(header_of(MessageKind::fault, 3, 1), text_of(FaultFields{ErrorKind::input, "give up"}));
    liars[1]->say(header_of(MessageKind::hello, 4, 1), text_of(HelloFields{"tcp://127.0.0.1:9", 1}));
    liars[2]->say(header_of(MessageKind::ack, 2, 3));
    for (int n = 0; n < 1000; ++n) liars[3]->say("x");
    for (std::uint64_t n = 1; n <= 60'000; ++n) liars[4]->say(header_of(MessageKind::ack, 200, n));
  });
}

TEST(Strangers, HearWhyASeatIsNotTheirs) {
  zmq::context_t context(1);
  zmq::socket_t told(context, zmq::socket_type::dealer);
  told.bind("tcp://127.0.0.1:*");
  run_under(settings_over_tcp(false), [&](const Endpoints& endpoints) {
    Liar(endpoints[0])
        .say(header_of(MessageKind::hello, 4, 1), text_of(HelloFields{told.get(zmq::sockopt::last_endpoint), 1}));
  });
  told.set(zmq::sockopt::rcvtimeo, 5000);
  zmq::message_t header, fields;
  ASSERT_TRUE(told.recv(header) && told.recv(fields));
  EXPECT_THAT(fields.to_string(), HasSubstr("there is a node 4 already"));
}

/// A node that is started here has its seat even if somebody else says first that he is the node.
TEST(Strangers, TakeNoSeatOfANodeThatIsStartedHere) {
  ProcessRunnerSettings settings = settings_over_tcp(false);
  std::optional<Liar> liar;
  settings.on_wait = [&, listen = settings.listen](const std::string&) {
    if (liar) return;
    liar.emplace(listen);
    for (const std::uint16_t node : std::initializer_list<std::uint16_t>{0, 1, 2, 3, 9})
      liar->say(header_of(MessageKind::hello, node, 1), text_of(HelloFields{"tcp://127.0.0.1:9", 1}));
  };
  run_under(settings, [](const Endpoints&) {});
  EXPECT_TRUE(liar);
}

/// What a peer of ZMTP 3 says first.
std::string signature(const std::string& mechanism) {
  const std::string text = bytes_of_numbers({0xff, 0, 0, 0, 0, 0, 0, 0, 1, 0x7f, 3, 0}) + mechanism;
  return text + std::string(64 - text.size(), '\0');
}

/// And then, without encryption: what kind of socket it is.
std::string greeting() {
  const std::string ready = std::string("\5READY") + "\13Socket-Type" + std::string("\0\0\0\6DEALER", 10);
  return signature("NULL") + '\4' + static_cast<char>(ready.size()) + ready;
}

TEST_P(Strangers, CannotAnnounceAMessageOfAnySize) {
  run_under(settings_over_tcp(GetParam()), [](const Endpoints& endpoints) {
    for (const std::string& endpoint : endpoints) {
      Connection stranger(endpoint);
      stranger.send(greeting() + bytes_of_numbers({2, 0, 0, 0, 2, 0, 0, 0, 0}) + "8 GiB begin");
      EXPECT_TRUE(stranger.is_closed_within(5s)) << endpoint;
    }
  });
}

TEST(Strangers, CannotSendPartsWithoutEnd) {
  run_under(settings_over_tcp(false), [](const Endpoints& endpoints) {
    for (const std::string& endpoint : endpoints) {
      const std::size_t bytes = endpoint == endpoints[0] ? 200'000 : 12'000'000;  // payload comes to nodes
      std::string parts;
      while (parts.size() < bytes) parts += "\1\1x";
      Connection stranger(endpoint);
      stranger.send(greeting());
      EXPECT_TRUE(stranger.hears("READY"));
      stranger.send(parts);
      EXPECT_TRUE(stranger.is_closed_within(5s)) << endpoint;
    }
  });
}

/// A command of a handshake that takes its time.
void expect_an_end(ProcessRunnerSettings settings, const std::string& mechanism) {
  const std::string begin = signature(mechanism) + bytes_of_numbers({6, 0, 0, 0, 0, 0, 64, 0, 0});
  run_under(std::move(settings), [&](const Endpoints& endpoints) {
    for (const std::string& endpoint : endpoints) {
      Connection stranger(endpoint);
      stranger.send(begin + std::string(200'000, 'x'));
      EXPECT_TRUE(stranger.is_closed_within(3s)) << endpoint << ", a handshake may take 10 s";
    }
  });
}

TEST(Strangers, CannotSendMuchBeforeTheyShowTheKey) {
  expect_an_end(settings_over_tcp(true), "PLAIN");
  const TemporaryFolder folder;
  ProcessRunnerSettings settings = settings_over_tcp(true);
  settings.keys = folder.file("key");
  write_new_node_key(settings.keys);
  expect_an_end(settings, "CURVE");
}

/// What becomes of a connection of a stranger who has another key.
void expect_refusal(const std::string& endpoint, const std::function<void(zmq::socket_t&)>& prepare) {
  zmq::context_t context(1);
  zmq::socket_t socket(context, zmq::socket_type::dealer);
  ConnectionWatch watch(context, socket);
  socket.set(zmq::sockopt::linger, 0);
  prepare(socket);
  socket.connect(endpoint);
  const auto change = watch.next(5s);
  ASSERT_TRUE(change);
  EXPECT_EQ(change->what, ConnectionWatch::Change::What::refused);
}

TEST(Strangers, NeedTheKeyOfTheRun) {
  run_under(settings_over_tcp(true), [](const Endpoints& endpoints) {
    for (const std::string& endpoint : endpoints)
      expect_refusal(endpoint, [](zmq::socket_t& socket) {
        socket.set(zmq::sockopt::plain_username, "participant");
        socket.set(zmq::sockopt::plain_password, make_node_key().secret);
      });
  });
}

TEST(Strangers, NeedTheKeyForAnEncryptedConnection) {
  const TemporaryFolder folder;
  ProcessRunnerSettings settings = settings_over_tcp(true);
  settings.keys = folder.file("key");
  write_new_node_key(settings.keys);
  const NodeKey right = read_node_key(settings.keys), wrong = make_node_key();
  run_under(settings, [&](const Endpoints& endpoints) {
    for (const std::string& endpoint : endpoints)
      expect_refusal(endpoint, [&](zmq::socket_t& socket) {
        socket.set(zmq::sockopt::curve_serverkey, right.open);
        socket.set(zmq::sockopt::curve_publickey, wrong.open);
        socket.set(zmq::sockopt::curve_secretkey, wrong.secret);
      });
  });
}

}  // namespace
}  // namespace ocs
