// Sockets: many clients, those that leave, are silent, or fetch nothing; passwords judged beside the loop.
// SPDX-License-Identifier: Apache-2.0
#include "host/control_plane/net/server.hpp"

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>

#include "host/control_plane/net/asio_platform.hpp"
#include "host/control_plane/net/password_authenticator.hpp"
#include "host/control_plane/tl1/session.hpp"
#include "tests/common/refusal.hpp"
#include "tests/control_plane/rig.hpp"

namespace ocs::test {
namespace {

using namespace serve;
using namespace std::chrono_literals;
using boost::asio::ip::tcp;

/// A server and its clients in one thread: time passes when turn() says so.
class ServerTest : public ::testing::Test {
 protected:
  ServerTest() {
    rig_.server_context.limits = {.connections = 3, .command = 1000, .unsent = 100000, .idle = 1h, .logins = 3};
  }

  void open(ServerContext& server_context) {
    server_.emplace(
        platform_, server_context, [this] { rig_.pass(1); }, [this](std::exception_ptr) { ++failures_; });
    port_ = server_->listen(Dialect::scpi, "127.0.0.1", 0, [&server_context](const std::string& from) {
      return scpi::make_session(server_context, "\n", from);
    });
  }
  tcp::socket connect(const std::string& from = "127.0.0.1") {
    tcp::socket socket(clients_, {boost::asio::ip::make_address(from), 0});
    socket.connect({boost::asio::ip::make_address("127.0.0.1"), port_});
    socket.non_blocking(true);
    return socket;
  }
  void turn(std::chrono::milliseconds length = 20ms) {
    loop_.restart();
    loop_.run_for(length);
    server_->go_on();
  }
  /// Sends, lets the server work, and fetches what there is; "(end)" when the server has closed.
  std::string ask(tcp::socket& socket, const std::string& text) {
    boost::system::error_code error;
    boost::asio::write(socket, boost::asio::buffer(text), error);
    for (int k = 0; k < 2; ++k) turn();
    std::string answer(1 << 20, '\0');
    answer.resize(socket.read_some(boost::asio::buffer(answer), error));
    return error && error != boost::asio::error::would_block ? "(end)" : answer;
  }
  /// As ask(), for what is answered in any case: a busy machine may take a while.
  std::string answer_to(tcp::socket& socket, const std::string& text) {
    std::string answer = ask(socket, text);
    for (int k = 0; k < 500 && answer.empty(); ++k) answer = ask(socket, "");
    return answer;
  }

  Rig rig_;
  boost::asio::io_context loop_, clients_;
  AsioPlatform platform_{loop_};
  std::optional<Server> server_;
  std::uint16_t port_ = 0;
  int failures_ = 0;
};

TEST_F(ServerTest, AnswersEachOfItsClients) {
  open(rig_.server_context);
  tcp::socket one = connect(), two = connect();
  EXPECT_EQ(answer_to(one, "*ESE 1;*ESE?\n"), "1\n");
  EXPECT_EQ(answer_to(two, "*ESE?\n"), "0\n");
  EXPECT_EQ(ask(two, "*ES"), "");
  EXPECT_EQ(ask(one, "OXC:SWIT:CONN:ADD (@1),(@5);:*OPC?\n"), "");
  rig_.pass(100);
  EXPECT_EQ(answer_to(one, ""), "1\n");
  EXPECT_EQ(answer_to(two, "E?\n"), "0\n");
  EXPECT_EQ(failures_, 0);
}

TEST_F(ServerTest, TurnsAwayWhoIsOneTooMany) {
  open(rig_.server_context);
  std::vector<tcp::socket> there;
  for (int k = 0; k < 3; ++k) there.push_back(connect());
  turn();
  tcp::socket late = connect();
  EXPECT_EQ(answer_to(late, ""), "(end)");
  EXPECT_EQ(rig_.server_context.tally(Dialect::scpi).turned_away, 1U);
  there.pop_back();
  turn();
  tcp::socket next = connect();
  EXPECT_EQ(answer_to(next, "*SRE?\n"), "0\n");
  EXPECT_EQ(rig_.server_context.tally(Dialect::scpi).open, 3);
}

TEST_F(ServerTest, AnswersWhatWasAskedBeforeAClientEnded) {
  open(rig_.server_context);
  tcp::socket one = connect();
  boost::asio::write(one, boost::asio::buffer(std::string("*SRE?\n*SRE?\n")));
  one.shutdown(tcp::socket::shutdown_send);
  EXPECT_EQ(answer_to(one, ""), "0\n0\n");
  EXPECT_EQ(answer_to(one, ""), "(end)");
  EXPECT_EQ(rig_.server_context.tally(Dialect::scpi).open, 0);
}

TEST_F(ServerTest, EndsASilentConnection) {
  rig_.server_context.limits.idle = 1s;  // much longer than the first question may take on a busy machine
  open(rig_.server_context);
  tcp::socket one = connect();
  EXPECT_EQ(ask(one, "*SR"), "");
  turn(1100ms);
  EXPECT_EQ(answer_to(one, ""), "(end)");
}

TEST_F(ServerTest, FreesThePlaceOfWhoWaitedAndLeft) {
  rig_.server_context.limits.farewell = 700ms;
  open(rig_.server_context);
  tcp::socket one = connect(), two = connect();
  const std::string slow = "OXC:SWIT:CONN:ADD (@1),(@5);:DIAG:PORT:FAIL (@3);*WAI\n";
  EXPECT_EQ(ask(one, slow + std::string(100000, '\n')), "");  // more than is read while it waits
  EXPECT_EQ(ask(two, "*WAI\n"), "");
  EXPECT_EQ(rig_.server_context.tally(Dialect::scpi).open, 2);
  one.close();
  turn(1000ms);
  turn(1000ms);
  EXPECT_EQ(rig_.server_context.tally(Dialect::scpi).open, 1);  // who stays may wait for ever
}

TEST_F(ServerTest, GivesThePlaceOfTheSilentToWhoComes) {
  rig_.server_context.limits.login_time = 500ms;
  open(rig_.server_context);
  tcp::socket asked = connect(), silent = connect(), later = connect();
  EXPECT_EQ(answer_to(asked, "*SRE?\n"), "0\n");
  turn(600ms);
  tcp::socket next = connect();
  EXPECT_EQ(answer_to(next, "*SRE?\n"), "0\n");
  EXPECT_EQ(answer_to(silent, ""), "(end)");
  EXPECT_EQ(answer_to(asked, "*SRE?\n"), "0\n");
  EXPECT_EQ(answer_to(later, "*SRE?\n"), "0\n");
  EXPECT_EQ(rig_.server_context.tally(Dialect::scpi).turned_away, 0U);
}

TEST_F(ServerTest, LimitsWhatOneAddressTakes) {
  rig_.server_context.limits.per_address = 2;
  open(rig_.server_context);
  tcp::socket one = connect(), two = connect();
  EXPECT_EQ(answer_to(one, "*SRE?\n") + answer_to(two, "*SRE?\n"), "0\n0\n");
  tcp::socket third = connect();
  EXPECT_EQ(answer_to(third, ""), "(end)");
  tcp::socket other = connect("127.0.0.2");
  EXPECT_EQ(answer_to(other, "*SRE?\n"), "0\n");
}

/// A server whose clients have to log in.
class ClosedServerTest : public ServerTest {
 protected:
  ~ClosedServerTest() override { server_.reset(); }  // its connections know the context

  PasswordAuthenticator authenticator_{
      {{"ann", {.role = Role::operate, .hash = hash_password("sesame")}}}, platform_, [this] { server_->go_on(); }};
  ServerContext closed_{
      {.authenticator = authenticator_, .limits = {}}, rig_.service, {.device = "model", .version = "1"}, [] {
        return std::time_t{0};
      }};
};

TEST_F(ClosedServerTest, LetsTheNewestStayWhateverItsAddress) {
  closed_.limits.connections = 3;
  open(closed_);
  tcp::socket first = connect("127.0.0.3"), second = connect("127.0.0.2"), newest = connect("127.0.0.1");
  turn();
  tcp::socket stranger = connect("127.0.0.4");
  EXPECT_EQ(answer_to(newest, "SYST:LOG 'ann','sesame';*SRE?\n"), "0\n");
  EXPECT_EQ(answer_to(first, ""), "(end)");
  EXPECT_EQ(answer_to(second, "*SRE?\n"), "0\n");
}

TEST_F(ClosedServerTest, GivesAShortTimeToLogIn) {
  closed_.limits.login_time = 3s;
  open(closed_);
  tcp::socket stranger = connect(), known = connect();
  EXPECT_EQ(answer_to(stranger, "*SRE?\n"), "0\n");
  EXPECT_EQ(answer_to(known, "SYST:LOG 'ann','sesame';*SRE?\n"), "0\n");
  turn(3100ms);
  EXPECT_EQ(answer_to(stranger, ""), "(end)");
  EXPECT_EQ(answer_to(known, "*SRE?\n"), "0\n");
  // What isn't judged yet ends with the server, without being judged.
  tcp::socket many = connect();
  const auto began = std::chrono::steady_clock::now();
  for (int k = 0; k < 50; ++k) authenticator_.judge({}, "ann", std::to_string(k));
  server_.reset();
  EXPECT_LT(std::chrono::steady_clock::now() - began, 2s);
}

TEST_F(ServerTest, StopsReadingFromWhoFetchesNothing) {
  open(rig_.server_context);
  tcp::socket deaf = connect(), other = connect();
  std::string many;
  for (int k = 0; k < 1000; ++k) many += "*IDN?\n";
  boost::system::error_code error;
  std::size_t sent = 0;
  for (int k = 0; k < 4000 && !error; ++k) {
    sent += deaf.write_some(boost::asio::buffer(many), error);
    turn(1ms);
  }
  EXPECT_EQ(error, boost::asio::error::would_block) << sent;
  EXPECT_EQ(answer_to(other, "*SRE?\n"), "0\n");
}

TEST_F(ServerTest, AnswersAllOfAThousandQueriesThatComeAtOnce) {
  rig_.server_context.limits.unsent = 4000;  // the answers to what is read at once are 17 times as long
  open(rig_.server_context);
  tcp::socket one = connect();
  std::string asked, expected;
  for (int k = 0; k < 1000; ++k) {
    asked += "OCS:PORT:STAT?\n";
    expected += "(BLOCKED,BLOCKED,BLOCKED,BLOCKED,BLOCKED,BLOCKED,BLOCKED,BLOCKED)\n";
  }
  boost::system::error_code error;
  std::string answered;
  std::size_t sent = 0;
  for (int k = 0; k < 20000 && answered.size() < expected.size(); ++k) {
    sent += one.write_some(boost::asio::buffer(asked) + sent, error);
    turn(1ms);
    std::array<char, 8192> piece{};
    const std::size_t size = one.read_some(boost::asio::buffer(piece), error);
    ASSERT_TRUE(!error || error == boost::asio::error::would_block) << error.message() << " after " << answered.size();
    answered.append(piece.data(), size);
  }
  EXPECT_TRUE(answered == expected) << answered.size() << " bytes of " << expected.size();
  EXPECT_EQ(answer_to(one, "*SRE?\n"), "0\n");
}

TEST_F(ClosedServerTest, JudgesPasswordsBesideTheLoop) {
  open(closed_);
  tcp::socket one = connect(), two = connect();
  const std::string early = ask(one, "SYST:LOG 'ann','sesame';:OXC:SWIT:SIZE?\n");
  EXPECT_EQ(answer_to(two, "*SRE?\n"), "0\n");
  EXPECT_EQ(early.empty() ? answer_to(one, "") : early, "4,4\n");
  EXPECT_EQ(answer_to(two, "SYST:LOG 'ann','sesame';:OXC:SWIT:SIZE?\n"), "4,4\n");  // remembered: judged at once
  EXPECT_EQ(answer_to(two, "SYST:LOG 'ann','barley';:SYST:ERR?\n").substr(0, 4), "-203");
}

TEST_F(ServerTest, RefusesAddressesThatItCantListenOn) {
  open(rig_.server_context);
  const auto refused = [&](const std::string& address, std::uint16_t port) {
    return refusal([&] { server_->listen(Dialect::tl1, address, port, [](const std::string&) { return nullptr; }); });
  };
  EXPECT_EQ(refused("here", 0), "\"here\" isn't an IP address to listen on, as 127.0.0.1 or ::1");
  EXPECT_EQ(refused("127.0.0.1", port_),
            "can't listen on 127.0.0.1 port " + std::to_string(port_) + " for tl1: Address already in use");
}

TEST_F(ServerTest, TellsOfAFailureOfTheSwitch) {
  struct Broken final : ClientSession {
    void receive_bytes(std::string_view, std::string&) override { throw Error(ErrorKind::run, "the switch is gone"); }
    void go_on(std::string&) override {}
    bool waiting() const override { return false; }
    bool has_more() const override { return false; }
    bool admitted() const override { return true; }
    bool over() const override { return false; }
  };
  open(rig_.server_context);
  port_ = server_->listen(Dialect::tl1, "127.0.0.1", 0, [](const std::string&) { return std::make_unique<Broken>(); });
  tcp::socket one = connect();
  ask(one, "x");
  EXPECT_EQ(failures_, 1);
}

}  // namespace
}  // namespace ocs::test
