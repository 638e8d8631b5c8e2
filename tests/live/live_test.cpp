// The page of a run without its program: addresses, what is kept, what a client is told, and the page's process.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "testbed/live/live_address.hpp"
#include "testbed/live/live_log.hpp"
#include "testbed/live/live_page.hpp"
#include "testbed/live/live_row.hpp"
#include "testbed/live/live_session.hpp"
#include "tests/common/refusal.hpp"

namespace ocs::test {
namespace {

using namespace std::chrono_literals;
using boost::asio::ip::tcp;
using Json = nlohmann::json;

std::string ended(std::size_t row) {
  const std::string number = std::to_string(row);
  return "r" + number + " {\"row\":" + number + "}";
}

TEST(LiveAddresses, AreOfThisHostUnlessLoginsAreRequired) {
  EXPECT_EQ(live_address({.at = "127.0.0.1:8080"}).port, 8080);
  EXPECT_EQ(live_address({.at = "[::1]:0"}).address, "::1");
  EXPECT_EQ(live_url(live_address({.at = "[::1]:80"})), "http://[::1]:80/");
  EXPECT_TRUE(live_address({.at = "127.1.2.3:1"}).is_of_this_host);
  EXPECT_FALSE(live_address({.at = "0.0.0.0:1", .logins = "users.toml"}).is_of_this_host);
  for (const char* other : {"0.0.0.0:1", "[::]:1", "10.0.0.1:1", "[::ffff:127.0.0.1]:1"})
    EXPECT_EQ(refusal([&] { live_address({.at = other}); }),
              "--live is \"" + std::string(other) + "\", but without --live-logins FILE only this host is listened to");
  for (const char* wrong : {"8080", "localhost:8080", "127.0.0.1", "127.0.0.1:", "127.0.0.1:70000", "127.0.0.1:-1",
                            "::1:80", "[127.0.0.1]:80", ":80", "127.0.0.1:80x"})
    EXPECT_EQ(refusal([&] { live_address({.at = wrong}); }),
              "--live is \"" + std::string(wrong) +
                  "\", but must be an IP address and a port, such as 127.0.0.1:8080 or [::1]:8080");
}

TEST(ALiveLog, KeepsTheLastRowsThatHaveEndedAndThoseThatRun) {
  LiveLog log;
  log.receive("s{}");
  log.receive(R"(p2 {"row":2})");
  log.receive(R"(p1 {"row":1,"old":1})");
  log.receive(R"(p1 {"row":1})");
  EXPECT_EQ(log.state(1.25), R"({"ended":0,"not_kept":0,"elapsed_s":1.2,"running":[{"row":1},{"row":2}]})");
  log.receive(R"(p3 {"row":3})");
  log.receive("p3 ");  // it has ended, and waits for rows before it
  log.receive(ended(1));
  EXPECT_EQ(log.state(2), R"({"ended":1,"not_kept":0,"elapsed_s":2.0,"running":[{"row":2}]})");
  for (std::size_t row = 2; row <= LiveLog::most_rows + 5; ++row) log.receive(ended(row));
  EXPECT_EQ(log.first(), 5U);
  EXPECT_EQ(log.rows(), LiveLog::most_rows + 5);
  EXPECT_EQ(log.row(5), R"({"row":6})");
  EXPECT_FALSE(log.has_ended());
  log.close();
  EXPECT_EQ(log.end(), R"({"how":"lost"})");
  for (const char* odd : {"", "p", "p1", "px {}", "r1"}) log.receive(odd);  // nothing is done
  EXPECT_EQ(log.rows(), LiveLog::most_rows + 5);
}

/// A client of a session, without sockets.
struct Watcher {
  serve::OpenAuthenticator authenticator{};
  serve::ConnectionContext context{.authenticator = authenticator, .limits = {}, .names_option = "--live-name"};
  LiveLog log{};
  std::chrono::steady_clock::time_point now{};
  LiveShown shown{.context = context, .log = log, .now = [this] { return now; }, .began = now};
  std::unique_ptr<serve::ClientSession> session = make_live_session(shown, "127.0.0.1");

  std::string say(const std::string& request) {
    std::string answer;
    session->receive_bytes(request, answer);
    return answer;
  }
  std::string get(const std::string& target, const std::string& fields = {}) {
    return say("GET " + target + " HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n" + fields + "\r\n");
  }
  std::string go_on() {
    std::string answer;
    session->go_on(answer);
    return answer;
  }
};

TEST(ALiveSession, ServesAPageAndNothingElse) {
  Watcher one;
  EXPECT_NE(one.get("/").find("<title>lightloop run</title>"), std::string::npos);
  EXPECT_EQ(one.get("/status.json").substr(0, 12), "HTTP/1.1 404");
  EXPECT_EQ(one.say("POST /events HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\n\r\n").substr(0, 12),
            "HTTP/1.1 405");
  EXPECT_NE(one.say("HEAD /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n").find("text/event-stream"), std::string::npos);
  EXPECT_TRUE(one.session->over());
  const std::string foreign = Watcher().say("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n");
  EXPECT_EQ(foreign.substr(0, 12), "HTTP/1.1 421");
  EXPECT_NE(foreign.find("a name given by --live-name"), std::string::npos);
  EXPECT_EQ(Watcher().get("/events", "Origin: http://evil.example\r\n").substr(0, 12), "HTTP/1.1 403");
}

TEST(ALiveSession, TellsWhatIsNewAndHowItEnds) {
  Watcher one;
  one.log.receive(R"(s{"rows":2})");
  const std::string head = one.get("/events");
  EXPECT_NE(head.find("\r\n\r\nevent: sweep\ndata: {\"rows\":2}\n\n"), std::string::npos);
  EXPECT_EQ(head.find("Content-Length"), std::string::npos);
  EXPECT_EQ(one.get("/"), "");  // the stream goes on
  EXPECT_TRUE(one.session->waiting());
  EXPECT_EQ(one.go_on().substr(0, 12), "event: state");
  EXPECT_EQ(one.go_on(), "");
  one.log.receive(ended(1));
  EXPECT_EQ(one.go_on().substr(0, 39), "event: rows\ndata: [{\"row\":1}]\n\nevent: s");
  one.now += 6s;
  EXPECT_EQ(one.go_on(), ": \n\n");
  one.log.receive(R"(e{"how":"finished"})");
  EXPECT_FALSE(one.session->over());
  EXPECT_NE(one.go_on().find("event: end\ndata: {\"how\":\"finished\"}\n\n"), std::string::npos);
  EXPECT_TRUE(one.session->over());
}

TEST(ALiveSession, SaysNothingBeforeTheRunHasSaidWhatItIs) {
  Watcher one;
  EXPECT_TRUE(one.get("/events").ends_with("\r\n\r\n"));
  EXPECT_EQ(one.go_on(), "");
  one.log.receive(R"(s{"rows":2})");
  EXPECT_EQ(one.go_on().substr(0, 26), "event: sweep\ndata: {\"rows\"");
  Watcher other;
  other.get("/events");
  other.log.close();
  EXPECT_NE(other.go_on().find(R"({"how":"lost"})"), std::string::npos);
  EXPECT_TRUE(other.session->over());
}

TEST(ALiveSession, GivesAClientThatTakesNothingNothingMore) {
  Watcher one;
  one.log.receive("s{}");
  one.get("/events");
  const std::string filler(30, 'x');
  for (std::size_t row = 1; row <= 10'000; ++row)
    one.log.receive("r" + std::to_string(row) + " {\"row\":" + std::to_string(row) + "," + filler + "}");
  std::string untaken = one.go_on();
  EXPECT_TRUE(one.session->has_more());
  EXPECT_LT(untaken.size(), 40'000U);
  const std::string before = untaken;
  one.session->go_on(untaken);
  EXPECT_EQ(untaken, before);
  // It has missed rows that are not kept any more.
  std::string all = untaken;
  while (one.session->has_more()) all += one.go_on();
  EXPECT_EQ(all.find("{\"row\":8000,"), std::string::npos);
  EXPECT_NE(all.find("{\"row\":8001,"), std::string::npos);
  EXPECT_NE(all.find("{\"row\":10000,"), std::string::npos);
}

std::string answer_of(const LiveAddress& where, const std::string& request) {
  boost::asio::io_context loop;
  tcp::socket socket(loop);
  socket.connect({boost::asio::ip::make_address(where.address), where.port});
  boost::asio::write(socket, boost::asio::buffer(request));
  std::string answer;
  boost::system::error_code ended;
  boost::asio::read(socket, boost::asio::dynamic_buffer(answer), ended);
  return answer;
}

const std::string events_please = "GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";

TEST(ALivePage, IsServedByAProcessOfItsOwnUntilTheRunEnds) {
  std::optional<LivePage> page(std::in_place, LiveArguments{.at = "127.0.0.1:0"});
  const LiveAddress where = page->where();
  ASSERT_NE(where.port, 0);
  const std::string at = "127.0.0.1:" + std::to_string(where.port);
  EXPECT_EQ(
      refusal([&] { LivePage(LiveArguments{.at = at}); }),
      "--live: can't listen on 127.0.0.1 port " + std::to_string(where.port) + " for http: Address already in use");
  page->sweep(R"({"rows":1})");
  page->ended(1, R"({"row":1})");
  boost::asio::io_context loop;
  tcp::socket early(loop);
  early.connect({boost::asio::ip::make_address(where.address), where.port});
  boost::asio::write(early, boost::asio::buffer(events_please));
  std::array<char, 9> status{};
  boost::asio::read(early, boost::asio::buffer(status));  // it is a client before the end
  page->end(R"({"how":"finished"})");
  EXPECT_NO_THROW(LivePage(LiveArguments{.at = at}));  // its address is free again
  std::string rest;
  boost::system::error_code ended;
  boost::asio::read(early, boost::asio::dynamic_buffer(rest), ended);
  EXPECT_NE(rest.find("event: rows\ndata: [{\"row\":1}]"), std::string::npos) << rest;
  EXPECT_NE(rest.find("event: end\ndata: {\"how\":\"finished\"}"), std::string::npos) << rest;
  EXPECT_FALSE(page->is_lost());
}

TEST(ALivePage, SaysThatARunHasEndedWithoutAWord) {
  std::optional<LivePage> page(std::in_place, LiveArguments{.at = "127.0.0.1:0"});
  const LiveAddress where = page->where();
  page->sweep("{}");
  boost::asio::io_context loop;
  tcp::socket client(loop);
  client.connect({boost::asio::ip::make_address(where.address), where.port});
  boost::asio::write(client, boost::asio::buffer(events_please));
  std::array<char, 9> status{};
  boost::asio::read(client, boost::asio::buffer(status));
  page.reset();
  std::string rest;
  boost::system::error_code ended;
  boost::asio::read(client, boost::asio::dynamic_buffer(rest), ended);
  EXPECT_NE(rest.find(R"({"how":"lost"})"), std::string::npos) << rest;
}

TEST(ALivePage, NeitherWaitsForClientsNorForgetsARow) {
  LivePage page(LiveArguments{.at = "127.0.0.1:0"});
  page.sweep("{}");
  boost::asio::io_context loop;
  std::vector<tcp::socket> greedy;  // they ask, and take nothing
  for (int k = 0; k < 20; ++k) {
    greedy.emplace_back(loop).connect({boost::asio::ip::make_address("127.0.0.1"), page.where().port});
    boost::asio::write(greedy.back(), boost::asio::buffer(events_please));
  }
  const std::string large(20'000, 'x');
  for (std::size_t row = 1; row <= 1500; ++row) {
    page.running(row, "{\"text\":\"" + large + "\"}");
    page.ended(row, "{\"row\":" + std::to_string(row) + "}");
  }
  page.end(R"({"how":"finished"})");
  EXPECT_FALSE(page.is_lost());
  greedy.clear();
}

/// Notes what it is told.
struct Noted final : Progress {
  void tick(const Report& report) override { fraction = report.fraction; }
  double fraction = 0;
};

TEST(ALiveRow, TellsThePageWhatItsOutputsDo) {
  LivePage page(LiveArguments{.at = "127.0.0.1:0"});
  page.sweep("{}");
  Noted noted;
  LiveRow row(page, noted, 7, "a \"row\"");
  RunShape shape;
  shape.ports = 3;
  row.begin(shape);
  row.outputs(0)->entered(Output{1}, EventKind::tuning, Input{2}, Cycles{5});
  row.outputs(0)->passed(Output{1}, Input{2}, Cycles{10}, Cycles{30});
  row.on({});
  std::optional<Json> shown;
  std::this_thread::sleep_for(250ms);  // the page is told five times a second at most
  for (int k = 0; k < 100 && !shown; ++k) {
    row.tick({.now = Picos{5000}, .fraction = .5, .waiting_for = "node 2", .slowest = {.node = Node{2}, .took = 3ms}});
    boost::asio::io_context loop;
    tcp::socket client(loop);
    client.connect({boost::asio::ip::make_address("127.0.0.1"), page.where().port});
    boost::asio::write(client, boost::asio::buffer(events_please));
    std::string text;
    while (text.find("\"planes\"") == std::string::npos && text.size() < 4096)
      if (boost::asio::read(client, boost::asio::dynamic_buffer(text, 4096), boost::asio::transfer_at_least(1)) == 0)
        break;
    const std::size_t state = text.find("event: state\ndata: ");
    if (state == std::string::npos) continue;
    const std::string line = text.substr(state + 19, text.find('\n', state + 19) - state - 19);
    if (line.find("\"planes\"") != std::string::npos && line.ends_with("}")) shown = Json::parse(line);
  }
  ASSERT_TRUE(shown);
  EXPECT_EQ(noted.fraction, .5);
  const Json one = shown->at("running").at(0);
  EXPECT_EQ(one.at("row"), 7);
  EXPECT_EQ(one.at("name"), "a \"row\"");
  EXPECT_EQ(one.at("planes").at(0), (Json{{"states", "iti"}, {"inputs", {-1, 2, -1}}}));
  EXPECT_EQ(one.at("words"), 20);
  EXPECT_EQ(one.at("slowest"), (Json{{"node", 2}, {"took_s", .003}}));
  EXPECT_EQ(one.at("waiting_for"), "node 2");
}

TEST(ThePageOfALogin, IsRefusedWithoutOne) {
  EXPECT_NE(
      refusal([] { LivePage(LiveArguments{.at = "127.0.0.1:0", .logins = "no such file"}); }).find("no such file"),
      std::string::npos);
  LivePage page(LiveArguments{.at = "127.0.0.1:0"});
  page.sweep("{}");
  EXPECT_EQ(answer_of(page.where(), "GET / HTTP/1.0\r\n\r\n").substr(0, 12), "HTTP/1.1 200");
}

}  // namespace
}  // namespace ocs::test
