// What the sessions of all dialects share: the service, who may log in, what the switch is called, and tallies.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/control_plane/quoted.hpp"
#include "host/control_plane/switch_service.hpp"

namespace ocs::serve {

/// What a user may do. Each role may do what the ones before it may.
enum class Role : std::uint8_t { nobody, read, operate };

enum class Dialect : std::uint8_t { scpi, tl1, http };
inline constexpr std::array<std::string_view, 3> dialect_names{"scpi", "tl1", "http"};

/// The client of a connection.
struct Peer {
  Dialect dialect = Dialect::scpi;
  std::string address{};  ///< as text, without a port
};

/// The answer to a login; comes later, since a password takes time to judge.
struct LoginTry {
  bool judged = false;
  Role role = Role::nobody;  ///< nobody: refused
  bool crowded = false;      ///< refused unjudged, since too many logins waited
  std::string user{};
};

/// Since the start.
struct LoginTally {
  std::uint64_t judged = 0;  ///< passwords
  std::uint64_t delays = 0;  ///< of those, while one waited that was right: each of these counted for itself
};

/// Judges logins.
class Authenticator {
 public:
  virtual ~Authenticator() = default;
  /// Nobody may do anything without a login.
  virtual bool required() const = 0;
  /// @return judged now or later; a ClientSession is asked to go_on() then.
  virtual std::shared_ptr<const LoginTry> judge(const Peer& peer, std::string user, std::string password) = 0;
  virtual LoginTally tally() const { return {}; }
};

/// Everybody may operate, whatever the password: for connections from this host alone.
class OpenAuthenticator final : public Authenticator {
 public:
  bool required() const override { return false; }
  std::shared_ptr<const LoginTry> judge(const Peer& /*peer*/, std::string user, std::string /*password*/) override {
    return std::make_shared<LoginTry>(LoginTry{.judged = true, .role = Role::operate, .user = std::move(user)});
  }
};

/// Counts for one dialect, since the start.
struct Tally {
  std::int64_t open = 0;  ///< connections now
  std::uint64_t connections = 0, turned_away = 0, commands = 0, errors = 0;
};

struct Identity {
  std::string device, version;  ///< no commas or quotes in either
  std::string preset{};         ///< name of the switch profile that sets the delays; empty: none
  std::int64_t speed = 1;       ///< virtual time over wall time
};

/// How long a command may be, and what else a client can't exceed.
struct Limits {
  std::size_t connections = 256;              ///< of one dialect
  std::size_t per_address = 64;               ///< of those, from one address
  std::size_t command = 65536;                ///< bytes
  std::size_t unsent = std::size_t{1} << 18;  ///< bytes of answers, beyond which no command of a client is executed
  std::chrono::milliseconds idle = std::chrono::minutes(10);
  int logins = 3;                                                   ///< wrong ones, until the connection is closed
  std::chrono::milliseconds login_time = std::chrono::seconds(10);  ///< until a client has logged in, if it has to
  std::chrono::milliseconds farewell = std::chrono::seconds(10);    ///< a client that has left and fetches nothing
};

/// What the connections of any server share: limits, logins and tallies.
struct ConnectionContext {
  Authenticator& authenticator;
  Limits limits;
  std::vector<std::string> names{};  ///< under which HTTP may ask for this host, besides addresses and localhost
  std::string names_option = "--http-name";  ///< by which they are given
  std::array<Tally, dialect_names.size()> tallies{};
  /// Takes note of a login or a refusal.
  std::function<void(const Peer&, const std::string& what)> note = [](const Peer&, const std::string&) {};

  Tally& tally(Dialect dialect) { return tallies[static_cast<std::size_t>(dialect)]; }
  /// Notes how a login ended.
  void note_login(const Peer& peer, const LoginTry& login) const {
    constexpr std::array<std::string_view, 3> roles{"", "read", "operate"};
    const std::string user = " user=" + shown(login.user);
    if (login.role != Role::nobody)
      return note(peer, "login" + user + " role=" + std::string(roles[static_cast<std::size_t>(login.role)]));
    note(peer, (login.crowded ? "refused: too many logins wait;" : "refused: wrong user or password;") + user);
  }
};

struct ServerContext : ConnectionContext {
  SwitchService& service;
  Identity identity;
  std::function<std::time_t()> time_of_day;
  std::function<double()> lag_seconds = [] { return 0.0; };  ///< behind the wall clock
};

}  // namespace ocs::serve
