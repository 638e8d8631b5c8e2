// Carries messages out, unit by unit; waits where one says so.
// SPDX-License-Identifier: Apache-2.0
#include "host/control_plane/scpi/session.hpp"

#include <vector>

#include "host/control_plane/scpi/message.hpp"
#include "host/control_plane/scpi/vocabulary.hpp"

namespace ocs::serve::scpi {
namespace {

const Vocabulary& vocabulary() {
  static const Vocabulary all;  // the same for every session
  return all;
}

class ScpiSession final : public ClientSession {
 public:
  ScpiSession(ServerContext& server_context, std::string_view end, std::string address)
      : server_context_(server_context),
        peer_{.dialect = Dialect::scpi, .address = std::move(address)},
        tally_(server_context.tally(Dialect::scpi)),
        end_(end),
        buffer_('\n', server_context.limits.command),
        role_(server_context.authenticator.required() ? Role::nobody : Role::operate),
        admitted_(role_ != Role::nobody),
        seen_(server_context.service.last_event()) {}

  void receive_bytes(std::string_view bytes, std::string& answer) override {
    buffer_.add(bytes);
    proceed(answer);
  }
  void go_on(std::string& answer) override {
    refresh();
    if (waiting() || more_) proceed(answer);
  }
  bool waiting() const override { return until_settled_ || login_ != nullptr; }
  bool has_more() const override { return more_; }
  bool admitted() const override { return admitted_; }
  bool over() const override { return over_; }

 private:
  void proceed(std::string& answer);
  bool still_waiting();
  void begin(std::string_view message);
  void finish(std::string& answer);
  void carry_out(std::string_view text);
  const Command& find(const Unit& unit);
  void refresh();
  void raise(const ScpiError& error) {
    ++tally_.errors;
    status_.raise(error);
  }

  ServerContext& server_context_;
  Peer peer_;
  Tally& tally_;
  std::string_view end_;
  CommandBuffer buffer_;
  Status status_;
  Role role_;
  bool admitted_;  ///< at some time
  int wrong_logins_ = 0;
  std::uint64_t seen_;  ///< events of the service up to here are in the status registers

  std::string message_;  ///< being executed
  std::vector<std::string_view> units_;
  std::size_t next_ = 0;            ///< of units_
  std::vector<std::string> level_;  ///< where the next header begins, if not at the root
  std::string reply_;               ///< to units of the message, except what of it was sent early
  bool replied_ = false;            ///< some of the reply was sent early
  bool until_settled_ = false, opc_ = false, more_ = false, over_ = false;
  std::shared_ptr<const LoginTry> login_;
};

/// Status registers from what has happened in the service.
void ScpiSession::refresh() {
  SwitchService& service = server_context_.service;
  service.events_since(seen_, [&](const ServiceEvent& event) {
    if (event.kind != ServiceEventKind::light) return;
    // What came and went between two looks is latched all the same.
    if (event.light == Light::tuning)
      status_.operation.event = static_cast<std::uint16_t>(status_.operation.event | settling);
    if (event.light == Light::failed) {
      status_.questionable.event = static_cast<std::uint16_t>(status_.questionable.event | failed_port);
    }
  });
  seen_ = service.last_event();
  status_.operation.set(service.settled() ? 0 : settling);
  status_.questionable.set(service.failed() > 0 ? failed_port : 0);
  if (opc_ && service.settled()) {
    opc_ = false;
    status_.events = static_cast<std::uint8_t>(status_.events | operation_complete);
  }
}

bool ScpiSession::still_waiting() {
  if (until_settled_ && server_context_.service.settled()) until_settled_ = false;
  if (login_ && login_->judged) {
    role_ = login_->role;
    admitted_ = admitted_ || role_ != Role::nobody;
    server_context_.note_login(peer_, *login_);
    if (role_ == Role::nobody) {
      raise(ScpiError(-203, login_->crowded ? "too many logins wait: try again" : "wrong user or password"));
      over_ = ++wrong_logins_ >= server_context_.limits.logins;
    }
    login_.reset();
  }
  return waiting();
}

void ScpiSession::proceed(std::string& answer) {
  more_ = false;
  while (!over_ && !still_waiting()) {
    if (reply_.size() > server_context_.limits.unsent) {
      answer.append(reply_);
      reply_.clear();
      replied_ = true;
    }
    more_ = answer.size() > server_context_.limits.unsent;
    if (more_) return;
    if (next_ < units_.size()) {
      carry_out(units_[next_++]);
      if (next_ == units_.size() && !still_waiting()) finish(answer);
      continue;
    }
    if (!units_.empty()) finish(answer);
    std::string_view message;
    switch (buffer_.next(message)) {
      case CommandBuffer::Next::nothing:
        return;
      case CommandBuffer::Next::too_long:
        raise(ScpiError(-363, "a message has at most " + std::to_string(server_context_.limits.command) + " bytes"));
        break;
      case CommandBuffer::Next::web:
        ++tally_.errors;
        server_context_.note(peer_, "refused: starts like HTTP or TLS");
        over_ = true;
        return;
      case CommandBuffer::Next::command:
        begin(message);
    }
  }
}

void ScpiSession::begin(std::string_view message) {
  message_ = message;
  units_ = split_units(message_);
  next_ = 0;
  level_.clear();
}

void ScpiSession::finish(std::string& answer) {
  if (replied_ || !reply_.empty()) answer.append(reply_).append(end_);
  reply_.clear();
  replied_ = false;
  units_.clear();
  next_ = 0;
}

const Command& ScpiSession::find(const Unit& unit) {
  std::vector<std::string> words = mnemonics_of(unit.header);
  const bool common = unit.header.front() == '*';
  if (!common && unit.header.front() != ':') words.insert(words.begin(), level_.begin(), level_.end());
  const Command* command = vocabulary().find(words, unit.query);
  if (command == nullptr) throw ScpiError(-113, std::string(unit.header) + (unit.query ? "?" : ""));
  if (!common) level_.assign(words.begin(), words.end() - 1);
  return *command;
}

void ScpiSession::carry_out(std::string_view text) {
  ++tally_.commands;
  refresh();
  try {
    const Unit unit = parse_unit(text);
    const Command& command = find(unit);
    if (role_ < command.right)
      throw ScpiError(-203, role_ == Role::nobody ? "log in first: SYSTem:LOGin 'user','password'"
                                                  : "this user may read, not operate");
    CommandContext context{
        .server_context = server_context_, .peer = peer_, .status = status_, .parameters = unit.parameters};
    command.act(context);
    if (unit.query) reply_.append(reply_.empty() && !replied_ ? "" : ";").append(context.reply);
    until_settled_ = context.until_settled;
    opc_ = opc_ || context.complete_when_settled;
    login_ = context.login;
  } catch (const ScpiError& error) {
    raise(error);
  }
}

}  // namespace

std::unique_ptr<ClientSession> make_session(ServerContext& server_context, std::string_view end, std::string address) {
  return std::make_unique<ScpiSession>(server_context, end, std::move(address));
}

}  // namespace ocs::serve::scpi
