// HTTP without sockets: what can be fetched, and what is refused.
// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "host/control_plane/http/session.hpp"
#include "tests/control_plane/rig.hpp"

namespace ocs::test {
namespace {

using namespace serve;

Client browser(Rig& rig) { return Client(http::make_session(rig.server_context)); }

std::string body(const std::string& answer) { return answer.substr(answer.find("\r\n\r\n") + 4); }
std::string get(Client& client, const std::string& target) {
  return client.say("GET " + target + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
}

/// name value, or name{label="text"} value
bool is_sample(const std::string& line) {
  constexpr const char* letters = "abcdefghijklmnopqrstuvwxyz_";
  std::size_t at = line.find_first_not_of(letters);
  if (at != std::string::npos && line[at] == '{') {
    at = line.find_first_not_of(letters, at + 1);
    if (at == std::string::npos || line.compare(at, 2, "=\"") != 0) return false;
    at = line.find_first_of("\"\\\n", at + 2);
    if (at == std::string::npos || line.compare(at, 2, "\"}") != 0) return false;
    at += 2;
  }
  if (at == std::string::npos || line[at] != ' ') return false;
  char* end = nullptr;
  std::strtod(line.c_str() + at, &end);
  return *end == '\0' && end > line.c_str() + at + 1;
}

TEST(Http, TellsTheStatusAsJson) {
  Rig rig;
  Client client = browser(rig);
  ASSERT_FALSE(rig.service.change({.remove = {}, .add = {circuit(0, 1)}, .mode = Mode::safe}));
  ASSERT_FALSE(rig.service.switch_off(std::vector{Port{.output = false, .number = 3}}, true));
  rig.server_context.identity.preset = "palomar";
  rig.server_context.identity.speed = 250;
  rig.pass(20);
  const std::string answer = get(client, "/status.json?x");
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 200 OK\r\n")) << answer;
  const auto status = nlohmann::json::parse(body(answer));
  EXPECT_EQ(status["ports"], 4);
  EXPECT_EQ(status["circuits"],
            nlohmann::json::parse(R"([{"id":"1A-2B","a_side":"1A","b_side":"2B","state":"tuned"}])"));
  EXPECT_EQ(status["inputs"][3], nlohmann::json::parse(R"({"id":"4A","state":"blocked","off":true})"));
  EXPECT_EQ(status["outputs"][1]["state"], "tuned");
  EXPECT_EQ(status["events"].back()["what"], "1A-2B tuned");
  EXPECT_EQ(status["now"], rig.service.now().n);
  EXPECT_EQ(status["preset"], "palomar");
  EXPECT_EQ(status["speed"], 250);
}

TEST(Http, TellsTheCountersOfEachPortAsJson) {
  Rig rig;
  Client client = browser(rig);
  ASSERT_FALSE(rig.service.change({.remove = {}, .add = {circuit(0, 1)}, .mode = Mode::safe}));
  rig.pass(20);
  const std::string answer = get(client, "/counters.json");
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 200 OK\r\n")) << answer;
  const auto ports = nlohmann::json::parse(body(answer))["ports"];
  ASSERT_EQ(ports.size(), 4U);
  EXPECT_EQ(ports[1], nlohmann::json::parse(R"({"reconfigurations":1,"dark":15,"passed":0,"lost":0,"unrouted":0})"));
  EXPECT_EQ(ports[0]["reconfigurations"], 0);
}

TEST(Http, TellsMetricsAsPrometheusReadsThem) {
  Rig rig;
  Client client = browser(rig);
  ASSERT_FALSE(rig.service.change({.remove = {}, .add = {circuit(0, 1)}, .mode = Mode::safe}));
  rig.pass(20);
  const std::string answer = get(client, "/metrics");
  EXPECT_NE(answer.find("Content-Type: text/plain; version=0.0.4\r\n"), std::string::npos);
  const std::string text = body(answer);
  ASSERT_TRUE(text.ends_with("\n"));
  std::istringstream lines(text);
  std::set<std::string> seen;
  for (std::string line; std::getline(lines, line);) {
    EXPECT_TRUE(line.starts_with("# HELP lightloop_") || line.starts_with("# TYPE lightloop_") || is_sample(line))
        << line;
    EXPECT_TRUE(line.front() == '#' || seen.insert(line.substr(0, line.rfind(' '))).second) << line;
  }
  for (const char* line : {"\nlightloop_circuits 1\n", "\nlightloop_output_state{output=\"2B\"} 2\n",
                           "\nlightloop_outputs{state=\"tuned\"} 1\n", "\nlightloop_outputs{state=\"blocked\"} 3\n",
                           "\nlightloop_output_reconfigurations_total{output=\"2B\"} 1\n",
                           "\nlightloop_output_dark_seconds_total{output=\"2B\"} 7.68e-08\n",
                           "\nlightloop_commands_total{dialect=\"http\"} 1\n", "\nlightloop_commits_total 1\n"})
    EXPECT_NE(text.find(line), std::string::npos) << line;
}

TEST(Http, KeepsAConnectionAndTakesRequestsInPieces) {
  Rig rig;
  Client client = browser(rig);
  std::string answer;
  for (const char letter :
       std::string("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\nHEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n"))
    answer += client.say(std::string(1, letter));
  EXPECT_EQ(answer.find("HTTP/1.1 200 OK"), 0U);
  EXPECT_TRUE(answer.ends_with("\r\n\r\n"));  // HEAD has no body
  EXPECT_FALSE(client.session().over());
  client.say("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  EXPECT_TRUE(client.session().over());
}

TEST(Http, ReadsTheCountersOfLargeSwitchesInTurns) {
  Rig rig("model", 40);
  Client client = browser(rig);
  EXPECT_EQ(get(client, "/counters.json"), "");
  EXPECT_EQ(client.go_on(), "");
  EXPECT_EQ(client.go_on().substr(0, 15), "HTTP/1.1 200 OK");
  EXPECT_EQ(get(client, "/metrics"), "");
  EXPECT_TRUE(client.session().waiting());
  EXPECT_EQ(client.go_on(), "");
  EXPECT_NE(client.go_on().find("lightloop_output_reconfigurations_total{output=\"40B\"} 0\n"), std::string::npos);
  EXPECT_FALSE(client.session().waiting());
  EXPECT_EQ(get(client, "/status.json").substr(0, 15), "HTTP/1.1 200 OK");
}

TEST(Http, AnswersNoPageOfSomebodyElse) {
  Rig rig;
  rig.server_context.names = {"switch.lab"};
  const auto status = [&](const std::string& fields) {
    Client client = browser(rig);
    const std::string answer = client.say("GET /status.json HTTP/1.1\r\n" + fields + "\r\n");
    EXPECT_EQ(client.session().over(), answer.substr(9, 3) != "200") << fields;
    return answer.substr(9, 3);
  };
  for (const std::string host :
       {"127.0.0.1:8025", "[::1]:8025", "[::1]", "10.1.2.3", "localhost:8025", "LOCALHOST", "Switch.Lab:1"})
    EXPECT_EQ(status("Host: " + host + "\r\n"), "200") << host;
  // Names that their owner can make point to this host at any time.
  for (const std::string host :
       {"evil.example", "evil.example:8025", "127.0.0.1.evil.example", "localhost.evil.example", "[evil.example]", ""})
    EXPECT_EQ(status("Host: " + host + "\r\n"), "421") << host;
  EXPECT_EQ(status("Host: localhost:8025\r\nOrigin: http://localhost:8025\r\n"), "200");
  EXPECT_EQ(status("Host: localhost:8025\r\nOrigin: https://localhost:8025\r\n"), "200");
  for (const std::string origin :
       {"http://evil.example", "http://localhost:80", "null", "", "http://localhost:8025\r\nOrigin: null"})
    EXPECT_EQ(status("Host: localhost:8025\r\nOrigin: " + origin + "\r\n"), "403") << origin;
  EXPECT_EQ(status(""), "400");
  EXPECT_EQ(status("Host: localhost\r\nHost: localhost\r\n"), "400");
}

TEST(Http, RefusesWhatItDoesNotServe) {
  Rig rig;
  const auto status = [&](const std::string& request) {
    Client client = browser(rig);
    const std::string answer = client.say(request);
    return answer.substr(0, 12);
  };
  EXPECT_EQ(status("GET /etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n"), "HTTP/1.1 404");
  EXPECT_EQ(status("DELETE / HTTP/1.1\r\nHost: localhost\r\n\r\n"), "HTTP/1.1 405");
  EXPECT_EQ(status("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc"), "HTTP/1.1 413");
  EXPECT_EQ(status("*IDN?\r\n\r\n"), "HTTP/1.1 400");
  EXPECT_EQ(status(std::string("\0\0\0\0\r\n\r\n", 8)), "HTTP/1.1 400");
  EXPECT_EQ(status("GET / HTTP/1.1\r\nA: " + std::string(100000, 'x')), "HTTP/1.1 431");
  EXPECT_EQ(status("GET / HT"), "");
}

}  // namespace
}  // namespace ocs::test
