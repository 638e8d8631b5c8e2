// Carries commands out one by one; tells what has happened to ports.
// SPDX-License-Identifier: Apache-2.0
#include "host/control_plane/tl1/session.hpp"

#include <algorithm>
#include <array>
#include <bitset>

namespace ocs::serve::tl1 {
namespace {

const Verb* find(std::string_view name) {
  for (const auto verbs : {common_verbs(), patch_verbs(), cross_verbs()})
    for (const Verb& verb : verbs)
      if (verb.name == name) return &verb;
  return nullptr;
}

class Tl1Session final : public ClientSession {
 public:
  Tl1Session(ServerContext& server_context, Element& element, std::string address)
      : server_context_(server_context),
        peer_{.dialect = Dialect::tl1, .address = std::move(address)},
        element_(element),
        tally_(server_context.tally(Dialect::tl1)),
        buffer_(';', server_context.limits.command),
        seen_(server_context.service.last_event()) {}

  void receive_bytes(std::string_view bytes, std::string& answer) override {
    buffer_.add(bytes);
    proceed(answer);
  }
  void go_on(std::string& answer) override {
    if (waiting() || more_) proceed(answer);
    tell_news(answer);
  }
  bool waiting() const override { return login_ != nullptr; }
  bool has_more() const override { return more_; }
  bool admitted() const override { return admitted_ || !server_context_.authenticator.required(); }
  bool over() const override { return over_; }

 private:
  void proceed(std::string& answer);
  void carry_out(std::string_view text, std::string& answer);
  void act(CommandContext& context, const Verb* verb);
  void judge(std::string& answer);
  void deny(const Denial& why, std::string& answer) {
    ++tally_.errors;
    answer += denied(element_.name, server_context_.time_of_day(), command_.ctag, why);
  }
  void complete(const std::vector<std::string>& lines, std::string& answer) const {
    answer += completed(element_.name, server_context_.time_of_day(), command_.ctag, lines);
  }
  void skip_news();
  void tell_news(std::string& answer);

  ServerContext& server_context_;
  Peer peer_;
  Element& element_;
  Tally& tally_;
  CommandBuffer buffer_;
  Command command_{};  ///< the last one
  Role role_ = Role::nobody;
  bool news_ = true, more_ = false, admitted_ = false, over_ = false;
  int wrong_logins_ = 0;
  bool unknown_alarms_ = true;      ///< nobody has logged in so far
  std::uint64_t seen_;              ///< events up to here were told, or passed before the login
  std::uint64_t messages_ = 0;      ///< autonomous ones, so far
  std::bitset<max_ports> alarmed_;  ///< outputs whose alarm stands, as the client can know
  std::shared_ptr<const LoginTry> login_;
};

void Tl1Session::proceed(std::string& answer) {
  judge(answer);
  more_ = false;
  while (!over_ && !waiting()) {
    more_ = answer.size() > server_context_.limits.unsent;
    if (more_) return;
    std::string_view text;
    switch (buffer_.next(text)) {
      case CommandBuffer::Next::nothing:
        return;
      case CommandBuffer::Next::too_long:
        ++tally_.commands;
        command_ = {};
        deny({"IISP", "A command has at most " + std::to_string(server_context_.limits.command) + " bytes"}, answer);
        break;
      case CommandBuffer::Next::web:
        ++tally_.errors;
        server_context_.note(peer_, "refused: starts like HTTP or TLS");
        over_ = true;
        return;
      case CommandBuffer::Next::command:
        carry_out(text, answer);
    }
  }
}

void Tl1Session::judge(std::string& answer) {
  if (!login_ || !login_->judged) return;
  const Role role = login_->role;
  const bool crowded = login_->crowded;
  server_context_.note_login(peer_, *login_);
  login_.reset();
  if (role == Role::nobody) {
    over_ = ++wrong_logins_ >= server_context_.limits.logins;
    return deny({"PICC", crowded ? "Too many logins wait: try again" : "Invalid user or password"}, answer);
  }
  admitted_ = true;
  role_ = role;
  skip_news();
  complete({}, answer);
}

void Tl1Session::carry_out(std::string_view text, std::string& answer) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) return;
  ++tally_.commands;
  command_ = {};
  try {
    parse(text, command_);
    if (!command_.tid.empty() && command_.tid != element_.name) throw Denial("IITA", "Mismatched TID");
    const Verb* verb = find(command_.verb);
    if (verb == nullptr) throw Denial("ICNV", "Unknown command " + command_.verb);
    const Role role = server_context_.authenticator.required() ? role_ : Role::operate;
    if (role < verb->right)
      throw role == Role::nobody ? Denial("PLNA", "Not logged in") : Denial("PICC", " Permission denied ");
    CommandContext context{.server_context = server_context_,
                           .peer = peer_,
                           .element = element_,
                           .command = command_,
                           .role = role,
                           .news = news_};
    verb->act(context);
    if (context.login) {
      login_ = context.login;
      return judge(answer);
    }
    if (context.logged_out) role_ = Role::nobody;
    complete(context.lines, answer);
  } catch (const Denial& why) {
    deny(why, answer);
  }
}

/// What has happened is not reported. The alarms that stand by now are known from RTRV-ALM-ALL: their end is news.
void Tl1Session::skip_news() {
  SwitchService& service = server_context_.service;
  if (seen_ == service.last_event() && !unknown_alarms_) return;
  unknown_alarms_ = role_ == Role::nobody;
  seen_ = service.last_event();
  if (unknown_alarms_) return;
  for (int out = 0; out < service.ports(); ++out)
    alarmed_.set(static_cast<std::size_t>(out),
                 service.light({.output = true, .number = static_cast<std::uint16_t>(out)}) == Light::failed);
}

/// Between answers, never within one.
void Tl1Session::tell_news(std::string& answer) {
  SwitchService& service = server_context_.service;
  if (role_ == Role::nobody || !news_ || waiting()) return skip_news();
  const std::time_t now = server_context_.time_of_day();
  std::array<char, 32> date{};
  std::tm parts{};
  gmtime_r(&now, &parts);
  std::strftime(date.data(), date.size(), "%m-%d,%H-%M-%S", &parts);
  const auto say = [&](std::string_view alarm, std::string_view what, const std::string& line) {
    answer.append(header(element_.name, now)).append(alarm).append(" ").append(std::to_string(++messages_));
    answer.append(" REPT ").append(what).append("\r\n   \"").append(line).append("\"\r\n;");
  };
  service.events_since(seen_, [&](const ServiceEvent& event) {
    const std::string port = std::to_string(number_of(event.port, service.ports()));
    const auto text = [](std::string_view words) { return ":\\\"" + std::string(words) + "\\\""; };
    const std::string event_tail = std::string(",TC,") + date.data() + ",,,,";
    switch (event.kind) {
      case ServiceEventKind::light:
        if (event.light == Light::failed) {
          say("**", "ALM EQPT", port + ":MJ,LOS,SA," + date.data() + ",," + text("Loss of light"));
        } else if (alarmed_[event.port.number]) {
          say("A ", "ALM EQPT", port + ":CL,LOS,SA," + date.data() + ",," + text("Loss of light"));
        }
        alarmed_.set(event.port.number, event.light == Light::failed);
        if (event.light == Light::tuned)
          say("A ", "EVT EQPT", port + ":TUNED" + event_tail + text("Port " + port + " tuned"));
        break;
      case ServiceEventKind::switched_off:
        say("A ", "EVT EQPT", port + ":DISABLED" + event_tail + text("Port " + port + " disabled"));
        break;
      case ServiceEventKind::switched_on:
        say("A ", "EVT EQPT", port + ":ENABLED" + event_tail + text("Port " + port + " enabled"));
        break;
      default:
        break;
    }
  });
  seen_ = service.last_event();
}

}  // namespace

std::unique_ptr<ClientSession> make_session(ServerContext& server_context, Element& element, std::string address) {
  return std::make_unique<Tl1Session>(server_context, element, std::move(address));
}

}  // namespace ocs::serve::tl1
