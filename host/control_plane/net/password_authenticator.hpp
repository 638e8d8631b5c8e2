// Judges logins in a thread of its own, so that nobody waits for another's password.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/io_context.hpp>
#include <functional>
#include <memory>
#include <string>

#include "host/control_plane/net/logins.hpp"

namespace ocs::serve {

/// Remembers who was right, by a keyed hash that only this process knows: a browser sends its password each time. Tries
/// of the same user and password share a judgement; others wait as LoginQueue says.
class PasswordAuthenticator final : public Authenticator {
 public:
  /// @param judged called in the loop's thread when a try has been judged. @param loop outlives the authenticator.
  PasswordAuthenticator(Logins logins, boost::asio::io_context& loop, std::function<void()> judged);
  ~PasswordAuthenticator() override;
  bool required() const override { return true; }
  std::shared_ptr<const LoginTry> judge(const Peer& peer, std::string user, std::string password) override;
  LoginTally tally() const override;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace ocs::serve
