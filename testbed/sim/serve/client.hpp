// A client of a simulated `lightloop serve` that behaves: it knows what each answer must be.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "testbed/sim/serve/links.hpp"
#include "testbed/sim/serve/model.hpp"
#include "testbed/sim/serve/serve_settings.hpp"

namespace ocs::sim {

/// What the clients of a scenario share.
struct ServeShared {
  ServeSettings settings{};
  std::uint64_t boot = 0;    ///< starts of the server so far
  Nanos excuse{0};           ///< that faults may have taken, altogether
  Nanos excused_until{0};    ///< the last of them is over
  bool slow = false;         ///< the server is so slow that a client may seem silent to it
  std::uint64_t logins = 0;  ///< by SCPI and TL1, with a password
  std::string violation{};   ///< the first one

  void violate(const std::string& what) {
    if (violation.empty()) violation = what;
  }
};

/// The name and the password of client number k.
std::string user_of(int number);
std::string password_of(int number);

class ServeClient {
 public:
  /// @param number from 0: also says which ports are its own. @param links, shared outlive it
  ServeClient(Links& links, ServeShared& shared, int number, std::uint64_t seed);
  /// In a process of its own, until it has done all that it wanted, and read it back.
  std::string run();
  bool served() const { return served_; }

 private:
  /// Its link of one dialect.
  struct Talk {
    LinkPointer link{};
    std::string heard{};
    bool ready = false;  ///< it has logged in
    Nanos spoke{0}, excuse{0};
    bool rested = false;                  ///< it was silent before that, and may have been disconnected for it
    std::uint64_t news = 0, answers = 0;  ///< TL1: autonomous messages so far; CTAGs
    std::set<int> alarms{};               ///< TL1: own outputs whose alarm stands
    bool knows_alarms = false;
  };
  struct LinkLost {};  ///< thrown where a link has ended
  struct GivesUp {};   ///< thrown after a violation
  using Dialect = serve::Dialect;

  // ---- talking ----
  Talk& talk(Dialect dialect);  ///< ready; is opened if it has to be. @throws LinkLost
  void log_in(Talk& at, Dialect dialect);
  void log_in_scpi(Talk& at);
  void log_in_tl1(Talk& at);
  void say(Talk& at, const std::string& bytes);
  /// What `find` finds in what is heard: how many bytes of it are an answer; 0: not whole yet. @throws LinkLost
  std::string hear(Talk& at, const std::string& question, const std::function<std::size_t(const std::string&)>& find);
  std::string hear_line(Talk& at, const std::string& question);
  std::string hear_tl1(Talk& at, const std::string& question);
  void hear_news(Talk& at, const std::string& message);
  std::string ask(const std::string& message);          ///< by SCPI
  std::string ask_tl1(const std::string& verb_to_aid);  ///< "RTRV-PATCH::1&2"
  std::string ask_http(const std::string& path);
  /// Time passes; what comes is taken.
  void pass(Nanos until);
  void lose_all();
  void wait_for_end(const Link& link);
  [[noreturn]] void give_up(const std::string& what);

  // ---- steps ----
  void step();
  void resolve();
  std::vector<Order> draw_orders(Dialect dialect, std::size_t count);
  void execute(Dialect dialect, const std::vector<Order>& orders);
  void burst();
  void abandon();
  void be_silent();
  void check_light();
  void check_alarms();
  void await_alarms(Talk& tl1);
  void restore();
  bool settles(OwnPorts seen);
  void read_back(Dialect dialect);
  OwnPorts seen_by_scpi();
  OwnPorts seen_by_tl1();
  OwnPorts seen_by_http();
  void note_circuit(OwnPorts& seen, int in, int out);  ///< numbered from 0 among all
  OwnPorts seen_by(Dialect dialect);
  void repair_all();
  void uncertain(const std::vector<Order>& orders, std::size_t from);
  std::string own_list(bool inputs, bool outputs) const;
  OwnPorts& known() { return possible_.front(); }

  Links& links_;
  World& world_;
  ServeShared& shared_;
  int number_, first_;
  Draw draw_;
  std::string name_, address_;
  std::array<Talk, serve::dialect_names.size()> talks_;
  std::vector<OwnPorts> possible_{OwnPorts{}};  ///< what the switch may have; one: it is known
  std::optional<OwnPorts> wanted_{};            ///< of before a restart, which leaves nothing
  std::uint64_t boot_ = 0;
  bool served_ = false;
};

}  // namespace ocs::sim
