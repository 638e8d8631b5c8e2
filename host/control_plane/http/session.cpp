// Requests are parsed and answers written by Boost.Beast.
// SPDX-License-Identifier: Apache-2.0
#include "host/control_plane/http/session.hpp"

#include <sodium.h>

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/beast/http.hpp>
#include <optional>
#include <sstream>
#include <vector>

#include "host/control_plane/http/origin.hpp"
#include "host/control_plane/http/pages.hpp"

namespace ocs::serve::http {
namespace {

namespace beast = boost::beast::http;
using Request = beast::request<beast::empty_body>;
using Parser = beast::request_parser<beast::empty_body>;

constexpr std::uint32_t longest_header = 16384;
constexpr std::size_t ports_at_a_time = 16;  // whose counters are read before others have their turn

/// What `Authorization: Basic ...` says, as USER:PASSWORD; empty if it says nothing.
std::string credentials(const Request& request) {
  const auto field = request[beast::field::authorization];
  constexpr std::string_view scheme = "Basic ";
  std::string_view text(field.data(), field.size());
  if (!text.starts_with(scheme)) return {};
  text.remove_prefix(scheme.size());
  std::string decoded(text.size(), '\0');
  std::size_t size = 0;
  if (sodium_base642bin(reinterpret_cast<unsigned char*>(decoded.data()), decoded.size(), text.data(), text.size(), " ",
                        &size, nullptr, sodium_base64_VARIANT_ORIGINAL) != 0)
    return {};
  decoded.resize(size);
  return decoded;
}

class Session final : public Conversation {
 public:
  Session(Station& station, std::string address)
      : station_(station),
        peer_{.dialect = Dialect::http, .address = std::move(address)},
        tally_(station.tally(Dialect::http)) {
    begin();
  }

  void hear(std::string_view bytes, std::string& answer) override {
    heard_.append(bytes);
    proceed(answer);
  }
  void go_on(std::string& answer) override {
    if (waiting() || more_) proceed(answer);
  }
  bool waiting() const override { return login_ != nullptr || reading_; }
  bool has_more() const override { return more_; }
  bool admitted() const override { return was_admitted_ || !station_.desk.required(); }
  bool over() const override { return over_; }

 private:
  void begin() {
    parser_.emplace();
    parser_->header_limit(longest_header);
    parser_->eager(true);
    admitted_.reset();
    counters_.clear();
  }
  void proceed(std::string& answer);
  /// Whether the client may see anything; nothing while that is being judged.
  std::optional<bool> judge();
  void refuse(std::string& answer);
  /// All counters that the answer needs are there. On large switches that takes several turns.
  bool have_counters();
  std::string_view target() const {
    const auto whole = parser_->get().target();
    return std::string_view(whole.data(), whole.size()).substr(0, whole.find('?'));
  }
  void respond(std::string& answer);
  void say(beast::status status, std::string_view type, std::string_view body, std::string& answer);

  Station& station_;
  Peer peer_;
  Tally& tally_;
  std::string heard_;
  std::optional<Parser> parser_;
  std::shared_ptr<const LoginTry> login_;
  std::optional<bool> admitted_;  ///< of the present request
  int wrong_logins_ = 0;
  std::vector<Counters> counters_;  ///< read for it so far
  bool crowded_ = false, was_admitted_ = false, reading_ = false, more_ = false, over_ = false;
};

void Session::proceed(std::string& answer) {
  more_ = false;
  while (!over_) {
    more_ = answer.size() > station_.limits.unsent;
    if (more_) return;
    if (!parser_->is_done()) {
      if (heard_.empty()) return;
      boost::beast::error_code error;
      const std::size_t used = parser_->put(boost::asio::buffer(heard_), error);
      heard_.erase(0, used);
      if (error == beast::error::need_more || (!error && !parser_->is_done())) return;
      if (error) {
        ++tally_.commands;
        over_ = true;
        parser_.emplace();
        return say(error == beast::error::header_limit ? beast::status::request_header_fields_too_large
                   : error == beast::error::unexpected_body || error == beast::error::body_limit
                       ? beast::status::payload_too_large
                       : beast::status::bad_request,
                   "text/plain", error.message() + "\n", answer);
      }
      ++tally_.commands;
      if (const auto why = foreign(parser_->get(), station_.names)) {
        over_ = true;
        station_.note(peer_, "refused: " + why->sentence);
        return say(why->status, "text/plain", why->sentence + "\n", answer);
      }
    }
    if (!admitted_) admitted_ = judge();
    if (!admitted_) return;
    reading_ = *admitted_ && (target() == "/metrics" || target() == "/counters.json") && !have_counters();
    if (reading_) return;
    over_ = !parser_->get().keep_alive();
    if (*admitted_) {
      respond(answer);
    } else {
      refuse(answer);
    }
    begin();
  }
}

void Session::refuse(std::string& answer) {
  over_ = over_ || wrong_logins_ >= station_.limits.logins;
  if (crowded_)
    return say(beast::status::service_unavailable, "text/plain", "too many logins wait: try again\n", answer);
  say(beast::status::unauthorized, "text/plain", "a user and a password are needed\n", answer);
}

std::optional<bool> Session::judge() {
  crowded_ = false;
  if (!station_.desk.required()) return true;
  if (login_ == nullptr) {
    const std::string given = credentials(parser_->get());
    const std::size_t colon = given.find(':');
    if (colon == std::string::npos) return false;
    login_ = station_.desk.judge(peer_, given.substr(0, colon), given.substr(colon + 1));
  }
  if (!login_->judged) return std::nullopt;
  const bool known = login_->role >= Role::read;
  crowded_ = login_->crowded;
  if (!known) ++wrong_logins_;
  if (!known || !was_admitted_) station_.note_login(peer_, *login_);  // a browser logs in with each request
  was_admitted_ = was_admitted_ || known;
  login_.reset();
  return known;
}

bool Session::have_counters() {
  SwitchOffice& office = station_.office;
  const auto ports = static_cast<std::size_t>(office.ports());
  const std::size_t until = std::min(counters_.size() + ports_at_a_time, ports);
  while (counters_.size() < until) counters_.push_back(office.counters(static_cast<std::uint16_t>(counters_.size())));
  return counters_.size() == ports;
}

void Session::respond(std::string& answer) {
  const Request& request = parser_->get();
  if (request.method() != beast::verb::get && request.method() != beast::verb::head)
    return say(beast::status::method_not_allowed, "text/plain", "only GET and HEAD\n", answer);
  if (target() == "/metrics")
    return say(beast::status::ok, "text/plain; version=0.0.4", metrics(station_, counters_), answer);
  if (target() == "/counters.json") return say(beast::status::ok, "application/json", counters_text(counters_), answer);
  if (target() == "/status.json") return say(beast::status::ok, "application/json", status(station_), answer);
  if (target() == "/") return say(beast::status::ok, "text/html; charset=utf-8", page(), answer);
  say(beast::status::not_found, "text/plain", "there are /, /metrics, /status.json and /counters.json\n", answer);
}

void Session::say(beast::status code, std::string_view type, std::string_view body, std::string& answer) {
  beast::response<beast::string_body> response(code, 11);
  response.set(beast::field::server, "lightloop");
  response.set(beast::field::content_type, {type.data(), type.size()});
  response.set(beast::field::cache_control, "no-store");
  response.set("X-Content-Type-Options", "nosniff");
  response.set("Cross-Origin-Resource-Policy", "same-origin");
  response.set("Content-Security-Policy", "default-src 'self' 'unsafe-inline'; frame-ancestors 'none'");
  if (code == beast::status::unauthorized)
    response.set(beast::field::www_authenticate, "Basic realm=\"lightloop\", charset=\"UTF-8\"");
  if (code == beast::status::method_not_allowed) response.set(beast::field::allow, "GET, HEAD");
  response.keep_alive(!over_);
  response.body() = body;
  response.prepare_payload();
  if (static_cast<unsigned>(code) >= 400) ++tally_.errors;
  std::ostringstream text;
  text << response.base();
  answer += text.str();
  if (parser_->get().method() != beast::verb::head) answer += body;
}

}  // namespace

std::unique_ptr<Conversation> make_session(Station& station, std::string address) {
  return std::make_unique<Session>(station, std::move(address));
}

}  // namespace ocs::serve::http
