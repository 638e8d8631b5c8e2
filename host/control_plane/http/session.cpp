// What of a switch can be fetched.
// SPDX-License-Identifier: Apache-2.0
#include "host/control_plane/http/session.hpp"

#include <algorithm>
#include <vector>

#include "host/control_plane/http/pages.hpp"
#include "host/control_plane/http/request_session.hpp"

namespace ocs::serve::http {
namespace {

constexpr std::size_t ports_at_a_time = 16;  // whose counters are read before others have their turn

class StatusSession final : public RequestSession {
 public:
  StatusSession(ServerContext& server_context, std::string address)
      : RequestSession(server_context, std::move(address)), server_context_(server_context) {}

 private:
  /// Reads all counters that the answer needs. On large switches that takes several turns.
  bool prepare(std::string_view target) override;
  void respond(std::string_view target, std::string& answer) override;

  ServerContext& server_context_;
  std::vector<Counters> counters_;  ///< read so far for the present request
};

bool StatusSession::prepare(std::string_view target) {
  if (target != "/metrics" && target != "/counters.json") return true;
  SwitchService& service = server_context_.service;
  const auto ports = static_cast<std::size_t>(service.ports());
  const std::size_t until = std::min(counters_.size() + ports_at_a_time, ports);
  while (counters_.size() < until) counters_.push_back(service.counters(static_cast<std::uint16_t>(counters_.size())));
  return counters_.size() == ports;
}

void StatusSession::respond(std::string_view target, std::string& answer) {
  const std::vector<Counters> counters = std::move(counters_);
  counters_.clear();
  if (target == "/metrics")
    return say(Status::ok, "text/plain; version=0.0.4", metrics(server_context_, counters), answer);
  if (target == "/counters.json") return say(Status::ok, "application/json", counters_text(counters), answer);
  if (target == "/status.json") return say(Status::ok, "application/json", status(server_context_), answer);
  if (target == "/") return say(Status::ok, "text/html; charset=utf-8", page(), answer);
  say(Status::not_found, "text/plain", "there are /, /metrics, /status.json and /counters.json\n", answer);
}

}  // namespace

std::unique_ptr<ClientSession> make_session(ServerContext& server_context, std::string address) {
  return std::make_unique<StatusSession>(server_context, std::move(address));
}

}  // namespace ocs::serve::http
