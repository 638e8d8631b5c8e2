// A client that asks by HTTP/1.1: its requests are read, checked and answered one after the other; GET and HEAD alone.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/beast/http/status.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "host/control_plane/client_session.hpp"
#include "host/control_plane/server_context.hpp"

namespace ocs::serve::http {

/// What there is to get is a matter of the derived class. Host and Origin are those of this host (origin.hpp); where
/// logins are required: Basic, any role.
class RequestSession : public ClientSession {
 public:
  /// @param context outlives it. @param address of the client
  RequestSession(ConnectionContext& context, std::string address);
  ~RequestSession() override;

  void receive_bytes(std::string_view bytes, std::string& answer) override;
  void go_on(std::string& answer) override;
  bool waiting() const override { return login_ != nullptr || preparing_; }
  bool has_more() const override { return more_; }
  bool admitted() const override;
  bool over() const override { return over_; }

 protected:
  using Status = boost::beast::http::status;
  /// Work that an answer needs before it, a piece a call. @return whether all of it is done.
  virtual bool prepare(std::string_view /*target*/) { return true; }
  /// Answers a GET or HEAD, by say(). @param target path, without a query
  virtual void respond(std::string_view target, std::string& answer) = 0;

  void say(Status status, std::string_view type, std::string_view body, std::string& answer);
  /// Status line and fields. @param size of the body; none: it goes on until the connection ends
  std::string head(Status status, std::string_view type, std::optional<std::size_t> size) const;
  bool wants_body() const;  ///< GET, not HEAD
  /// What the client sends from now on is left unread: the present answer has no end of its own.
  void end_requests() { over_ = true; }

 private:
  struct Parser;
  void begin();
  void proceed(std::string& answer);
  /// Whether the client may see anything; nothing while that is being judged.
  std::optional<bool> judge();
  void refuse(std::string& answer);
  void serve(std::string& answer);
  bool is_read() const;  ///< GET or HEAD
  std::string_view target() const;

  ConnectionContext& context_;
  Peer peer_;
  Tally& tally_;
  std::string heard_;
  std::unique_ptr<Parser> parser_;
  std::shared_ptr<const LoginTry> login_;
  std::optional<bool> admitted_;  ///< of the present request
  int wrong_logins_ = 0;
  bool crowded_ = false, was_admitted_ = false, preparing_ = false, more_ = false, over_ = false;
};

}  // namespace ocs::serve::http
