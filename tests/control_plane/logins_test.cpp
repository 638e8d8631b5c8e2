// Who may do what, in each dialect; the logins file; the map file of reconcile.
// SPDX-License-Identifier: Apache-2.0
#include "host/control_plane/net/logins.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "host/control_plane/http/session.hpp"
#include "host/control_plane/net/access_log.hpp"
#include "host/control_plane/net/asio_platform.hpp"
#include "host/control_plane/net/map_file.hpp"
#include "host/control_plane/net/password_authenticator.hpp"
#include "host/control_plane/tl1/session.hpp"
#include "tests/common/refusal.hpp"
#include "tests/control_plane/rig.hpp"

namespace ocs::test {
namespace {

using namespace serve;

/// Judges by the letter, when told to.
class SlowAuthenticator final : public Authenticator {
 public:
  bool required() const override { return true; }
  std::shared_ptr<const LoginTry> judge(const Peer& /*peer*/, std::string user, std::string password) override {
    tries_.push_back(std::make_shared<LoginTry>());
    outcomes_.push_back(password != "right" ? Role::nobody : user == "reader" ? Role::read : Role::operate);
    return tries_.back();
  }
  bool crowded = false;
  void decide() {
    for (std::size_t k = 0; k < tries_.size(); ++k)
      *tries_[k] = {.judged = true, .role = outcomes_[k], .crowded = crowded, .user = "who"};
  }

 private:
  std::vector<std::shared_ptr<LoginTry>> tries_;
  std::vector<Role> outcomes_;
};

struct Guarded : Rig {
  SlowAuthenticator authenticator;
  ServerContext closed{
      {.authenticator = authenticator, .limits = {}}, service, {.device = "model", .version = "1.2.3"}, [] {
        return std::time_t{0};
      }};
};

TEST(Logins, ProtectScpi) {
  Guarded rig;
  Client client(scpi::make_session(rig.closed, "\n"));
  EXPECT_EQ(client.ask("*IDN?").substr(0, 9), "lightloop");
  EXPECT_EQ(client.ask("OXC:SWIT:SIZE?;:SYST:ERR?"),
            "-203,\"Command protected;log in first: SYSTem:LOGin 'user','password'\"");
  EXPECT_EQ(client.ask("SYST:LOG 'reader','right';:OXC:SWIT:SIZE?"), "");
  EXPECT_TRUE(client.session().waiting());
  rig.authenticator.decide();
  EXPECT_EQ(client.go_on(), "4,4\n");
  EXPECT_EQ(client.ask("OXC:SWIT:CONN:ADD (@1),(@5);:SYST:ERR?"),
            "-203,\"Command protected;this user may read, not operate\"");
  EXPECT_EQ(client.ask("SYST:LOG 'boss',\"right\""), "");
  rig.authenticator.decide();
  client.go_on();
  EXPECT_EQ(client.ask("OXC:SWIT:CONN:ADD (@1),(@5);:SYST:ERR?"), "0,\"No error\"");
}

TEST(Logins, EndAConnectionAfterThreeWrongOnes) {
  Guarded rig;
  Client client(scpi::make_session(rig.closed, "\n"));
  for (int k = 0; k < 3; ++k) {
    EXPECT_FALSE(client.session().over());
    client.ask("SYST:LOG 'boss','wrong'");
    rig.authenticator.decide();
    client.go_on();
  }
  EXPECT_TRUE(client.session().over());
}

TEST(Logins, AreNotedWithTheirClient) {
  Guarded rig;
  std::vector<std::string> notes;
  rig.closed.note = [&](const Peer& peer, const std::string& what) { notes.push_back(peer.address + " " + what); };
  Client client(scpi::make_session(rig.closed, "\n", "10.0.0.7"));
  for (const char* password : {"wrong", "right"}) {
    client.ask("SYST:LOG 'boss','" + std::string(password) + "'");
    rig.authenticator.decide();
    client.go_on();
  }
  rig.authenticator.crowded = true;
  client.ask("SYST:LOG 'boss','wrong'");
  rig.authenticator.decide();
  client.go_on();
  EXPECT_EQ(
      client.ask("SYST:ERR?;:SYST:ERR?"),
      "-203,\"Command protected;wrong user or password\";-203,\"Command protected;too many logins wait: try again\"");
  Client page(scpi::make_session(rig.closed, "\n", "10.0.0.8"));
  page.say("GET /");
  EXPECT_TRUE(page.session().over());
  EXPECT_EQ(notes,
            (std::vector<std::string>{
                "10.0.0.7 refused: wrong user or password; user=\"who\"", "10.0.0.7 login user=\"who\" role=operate",
                "10.0.0.7 refused: too many logins wait; user=\"who\"", "10.0.0.8 refused: starts like HTTP or TLS"}));
}

TEST(Logins, AreLoggedInFilesOfLimitedSize) {
  const auto folder = std::filesystem::temp_directory_path() / ("lightloop_log_" + std::to_string(::getpid()));
  std::filesystem::create_directory(folder);
  const auto text_of = [&](const char* name) {
    std::ifstream in(folder / name);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  const Peer peer{.dialect = Dialect::tl1, .address = "10.0.0.7"};
  {
    AccessLog log(folder / "serve.log");
    AccessLog::Clock::time_point now{std::chrono::hours(1)};
    log.note(peer, "login user=\"ann\" role=read", now);
    for (int k = 0; k < 500; ++k) log.note(peer, "refused: wrong user or password; user=\"bob\"", now);
    log.note(peer, "login user=\"late\" role=read", now);
    now += std::chrono::seconds(1);
    log.note(peer, "refused: too many connections", now);
    const std::string text = text_of("serve.log");
    EXPECT_EQ(text.substr(text.find('Z')).substr(0, 36), "Z tl1 10.0.0.7 login user=\"ann\" role");
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1 + 20 + 1 + 1 + 1) << text;
    EXPECT_NE(text.find("user=\"late\""), std::string::npos);
    EXPECT_NE(text.find(" and 480 refusals more\n"), std::string::npos);
    for (int k = 0; k < 100000; ++k) log.note(peer, "login user=\"" + std::string(50, 'x') + "\" role=read", now);
  }
  std::size_t files = 0;
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    ++files;
    EXPECT_LE(file.file_size(), AccessLog::most_bytes) << file.path();
  }
  EXPECT_EQ(files, 1 + AccessLog::most_files);
  std::filesystem::remove_all(folder);
  EXPECT_NE(refusal([&] { AccessLog(std::filesystem::path("/proc/nowhere/serve.log")); }).find("can't be written"),
            std::string::npos);
}

TEST(Logins, ProtectTl1) {
  Guarded rig;
  tl1::Element element;
  Client client(tl1::make_session(rig.closed, element));
  EXPECT_NE(client.say("RTRV-PATCH:::1:;").find("PLNA\r\n   /* Not logged in */"), std::string::npos);
  EXPECT_EQ(client.say("ACT-USER::reader:1::wrong;"), "");
  rig.authenticator.decide();
  EXPECT_NE(client.go_on().find("PICC"), std::string::npos);
  client.say("ACT-USER::reader:1::right;");
  rig.authenticator.decide();
  EXPECT_NE(client.go_on().find("COMPLD"), std::string::npos);
  EXPECT_NE(client.say("RTRV-PATCH:::1:;").find("COMPLD"), std::string::npos);
  EXPECT_NE(client.say("ENT-PATCH::1,5:1:;").find("PICC\r\n   /*  Permission denied  */"), std::string::npos);
  client.say("CANC-USER::reader:1:;");
  EXPECT_NE(client.say("RTRV-PATCH:::1:;").find("PLNA"), std::string::npos);
}

TEST(Logins, ProtectHttp) {
  Guarded rig;
  Client client(http::make_session(rig.closed));
  EXPECT_NE(client.say("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").find("HTTP/1.1 401"), std::string::npos);
  const auto with = [&](const std::string& credentials) {
    client.say("GET /metrics HTTP/1.1\r\nHost: localhost\r\nAuthorization: Basic " + credentials + "\r\n\r\n");
    rig.authenticator.decide();
    return client.go_on().substr(0, 12);
  };
  EXPECT_FALSE(client.session().admitted());
  EXPECT_EQ(with("cmVhZGVyOndyb25n"), "HTTP/1.1 401");  // reader:wrong
  EXPECT_EQ(with("cmVhZGVyOnJpZ2h0"), "HTTP/1.1 200");  // reader:right
  EXPECT_TRUE(client.session().admitted());
  EXPECT_EQ(with("cmVhZGVyOndyb25n"), "HTTP/1.1 401");
  rig.authenticator.crowded = true;
  EXPECT_FALSE(client.session().over());
  EXPECT_EQ(with("cmVhZGVyOndyb25n"), "HTTP/1.1 503");
  EXPECT_TRUE(client.session().over());  // three in a connection
  Client other(http::make_session(rig.closed));
  EXPECT_NE(other.say("GET / HTTP/1.1\r\nHost: localhost\r\nAuthorization: Basic !!\r\n\r\n").find("HTTP/1.1 401"),
            std::string::npos);
}

TEST(Logins, AreHashedByArgon2id) {
  const std::string hash = hash_password("open sesame");
  EXPECT_TRUE(hash.starts_with("$argon2id$")) << hash;
  const Logins logins = parse_logins("[users.ann]\nrole = \"operate\"\npassword = \"" + hash + "\"\n", "logins.toml");
  EXPECT_EQ(judge(logins, "ann", "open sesame"), Role::operate);
  EXPECT_EQ(judge(logins, "ann", "open barley"), Role::nobody);
  EXPECT_EQ(judge(logins, "bob", "open sesame"), Role::nobody);
}

TEST(Logins, FilesAreChecked) {
  const auto refused = [](const std::string& text) { return refusal([&] { parse_logins(text, "l.toml"); }); };
  EXPECT_EQ(refused(""), "l.toml: must have a table [users.NAME] for each user");
  EXPECT_EQ(refused("[users.a]\nrole = \"root\""), "l.toml: users.a: role must be \"read\" or \"operate\"");
  EXPECT_EQ(refused("[users.a]\nrole = \"read\"\npassword = \"secret\""),
            "l.toml: users.a: password must be what `lightloop serve --hash-password` prints");
  EXPECT_EQ(refused("[users.a]\ncolour = 1"), "l.toml: users.a: unknown key \"colour\"; known: role, password");
  EXPECT_EQ(refused("[users]\na = 1"), "l.toml: users.a must be a table");
  EXPECT_EQ(refused("x = 1"), "l.toml: unknown key \"x\"; there are tables [users.NAME]");
  EXPECT_EQ(refused("[users").substr(0, 15), "l.toml:1: this ");
  std::string deep = "users";
  for (int k = 0; k < 20000; ++k) deep += ".a";
  EXPECT_EQ(refused("\n" + deep + " = 1"),
            "l.toml:2: this is not valid TOML: keys and brackets nest more than 64 deep");
}

TEST(MapFile, NamesCircuitsAsSonicDoes) {
  EXPECT_EQ(parse_map("circuits = [\"3A-1B\", \"1a-2b\"]", "m"), (std::vector{circuit(0, 1), circuit(2, 0)}));
  EXPECT_TRUE(parse_map("circuits = []", "m").empty());
  const auto refused = [](const std::string& text) { return refusal([&] { parse_map(text, "m.toml"); }); };
  EXPECT_EQ(refused("circuits = [\"1A-2\"]"),
            "m.toml: \"1A-2\" isn't a circuit as \"1A-2B\", with ports from 1 to 256");
  EXPECT_EQ(refused("circuits = [\"0A-2B\"]"),
            "m.toml: \"0A-2B\" isn't a circuit as \"1A-2B\", with ports from 1 to 256");
  EXPECT_EQ(refused("circuits = [\"1A-2B\", \"1A-3B\"]"), "m.toml: 1A-2B and 1A-3B share an input");
  EXPECT_EQ(refused("circuits = [\"1A-2B\", \"3A-2B\"]"), "m.toml: 1A-2B and 3A-2B share an output");
  EXPECT_EQ(refused("circuits = [1]"), "m.toml: circuits must be a list of texts as \"1A-2B\"");
  EXPECT_EQ(refused("map = []"), "m.toml: unknown key \"map\"; known: circuits");
  EXPECT_EQ(refused(""), "m.toml: must have circuits = [\"1A-2B\", ...]");
  EXPECT_EQ(refused("circuits = " + std::string(200, '[')),
            "m.toml:1: this is not valid TOML: keys and brackets nest more than 64 deep");
}

TEST(MapFile, LeavesWhatStaysAlone) {
  const auto found = difference({circuit(0, 1), circuit(1, 2)}, {circuit(0, 1), circuit(1, 3), circuit(2, 2)});
  EXPECT_EQ(found.keep, (std::vector{circuit(0, 1)}));
  EXPECT_EQ(found.remove, (std::vector{circuit(1, 2)}));
  EXPECT_EQ(found.add, (std::vector{circuit(1, 3), circuit(2, 2)}));
}

/// In a process of its own, as a user to whom the limit applies.
void judge_without_threads() {
  const rlimit limit{1, 1};
  setrlimit(RLIMIT_NPROC, &limit);
  if (geteuid() == 0 && setuid(65534) != 0) _exit(1);
  boost::asio::io_context loop;
  try {
    AsioPlatform platform(loop);
    const PasswordAuthenticator authenticator({}, platform, [] {});
  } catch (const Error& failure) {
    std::fputs(failure.what(), stderr);
    _exit(failure.exit_code() + 10);
  }
  _exit(0);
}

TEST(Logins, NeedAThread) {
  EXPECT_EXIT(judge_without_threads(), ::testing::ExitedWithCode(11), "no thread for passwords can be started");
}

}  // namespace
}  // namespace ocs::test
