// Requests are parsed and answers written by Boost.Beast.
// SPDX-License-Identifier: Apache-2.0
#include "host/control_plane/http/request_session.hpp"

#include <sodium.h>

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/beast/http.hpp>
#include <sstream>

#include "host/control_plane/http/origin.hpp"

namespace ocs::serve::http {
namespace {

namespace beast = boost::beast::http;
using Request = beast::request<beast::empty_body>;

constexpr std::uint32_t longest_header = 16384;

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

}  // namespace

struct RequestSession::Parser : beast::request_parser<beast::empty_body> {};

RequestSession::RequestSession(ConnectionContext& context, std::string address)
    : context_(context),
      peer_{.dialect = Dialect::http, .address = std::move(address)},
      tally_(context.tally(Dialect::http)) {
  begin();
}

RequestSession::~RequestSession() = default;

void RequestSession::begin() {
  parser_ = std::make_unique<Parser>();
  parser_->header_limit(longest_header);
  parser_->eager(true);
  admitted_.reset();
}

void RequestSession::receive_bytes(std::string_view bytes, std::string& answer) {
  heard_.append(bytes);
  proceed(answer);
}

void RequestSession::go_on(std::string& answer) {
  if (waiting() || more_) proceed(answer);
}

bool RequestSession::admitted() const { return was_admitted_ || !context_.authenticator.required(); }

std::string_view RequestSession::target() const {
  const auto whole = parser_->get().target();
  return std::string_view(whole.data(), whole.size()).substr(0, whole.find('?'));
}

void RequestSession::proceed(std::string& answer) {
  more_ = false;
  while (!over_) {
    more_ = answer.size() > context_.limits.unsent;
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
        parser_ = std::make_unique<Parser>();
        return say(error == beast::error::header_limit ? beast::status::request_header_fields_too_large
                   : error == beast::error::unexpected_body || error == beast::error::body_limit
                       ? beast::status::payload_too_large
                       : beast::status::bad_request,
                   "text/plain", error.message() + "\n", answer);
      }
      ++tally_.commands;
      if (const auto why = foreign(parser_->get(), context_.names, context_.names_option)) {
        over_ = true;
        context_.note(peer_, "refused: " + why->sentence);
        return say(why->status, "text/plain", why->sentence + "\n", answer);
      }
    }
    if (!admitted_) admitted_ = judge();
    if (!admitted_) return;
    preparing_ = *admitted_ && is_read() && !prepare(target());
    if (preparing_) return;
    over_ = !parser_->get().keep_alive();
    if (*admitted_) {
      serve(answer);
    } else {
      refuse(answer);
    }
    begin();
  }
}

void RequestSession::refuse(std::string& answer) {
  over_ = over_ || wrong_logins_ >= context_.limits.logins;
  if (crowded_)
    return say(beast::status::service_unavailable, "text/plain", "too many logins wait: try again\n", answer);
  say(beast::status::unauthorized, "text/plain", "a user and a password are needed\n", answer);
}

std::optional<bool> RequestSession::judge() {
  crowded_ = false;
  if (!context_.authenticator.required()) return true;
  if (login_ == nullptr) {
    const std::string given = credentials(parser_->get());
    const std::size_t colon = given.find(':');
    if (colon == std::string::npos) return false;
    login_ = context_.authenticator.judge(peer_, given.substr(0, colon), given.substr(colon + 1));
  }
  if (!login_->judged) return std::nullopt;
  const bool known = login_->role >= Role::read;
  crowded_ = login_->crowded;
  if (!known) ++wrong_logins_;
  if (!known || !was_admitted_) context_.note_login(peer_, *login_);  // a browser logs in with each request
  was_admitted_ = was_admitted_ || known;
  login_.reset();
  return known;
}

void RequestSession::serve(std::string& answer) {
  if (!is_read()) return say(beast::status::method_not_allowed, "text/plain", "only GET and HEAD\n", answer);
  respond(target(), answer);
}

std::string RequestSession::head(beast::status code, std::string_view type, std::optional<std::size_t> size) const {
  beast::response<beast::empty_body> response(code, 11);
  response.set(beast::field::server, "lightloop");
  response.set(beast::field::content_type, {type.data(), type.size()});
  response.set(beast::field::cache_control, "no-store");
  response.set("X-Content-Type-Options", "nosniff");
  response.set("Cross-Origin-Resource-Policy", "same-origin");
  response.set("Content-Security-Policy", "default-src 'self' 'unsafe-inline'; frame-ancestors 'none'");
  if (code == beast::status::unauthorized)
    response.set(beast::field::www_authenticate, "Basic realm=\"lightloop\", charset=\"UTF-8\"");
  if (code == beast::status::method_not_allowed) response.set(beast::field::allow, "GET, HEAD");
  response.keep_alive(!over_ && size.has_value());
  if (size) response.content_length(*size);
  std::ostringstream text;
  text << response.base();
  return text.str();
}

bool RequestSession::is_read() const {
  const auto method = parser_->get().method();
  return method == beast::verb::get || method == beast::verb::head;
}

bool RequestSession::wants_body() const { return parser_->get().method() != beast::verb::head; }

void RequestSession::say(beast::status code, std::string_view type, std::string_view body, std::string& answer) {
  if (static_cast<unsigned>(code) >= 400) ++tally_.errors;
  answer += head(code, type, body.size());
  if (wants_body()) answer += body;
}

}  // namespace ocs::serve::http
