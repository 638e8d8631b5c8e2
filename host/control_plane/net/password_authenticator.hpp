// Judges logins beside the event loop, so that nobody waits for another's password.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "host/control_plane/net/logins.hpp"
#include "host/control_plane/net/server_platform.hpp"

namespace ocs::serve {

/// Remembers who was right, by a keyed hash that only this process knows: a browser sends its password each time. Tries
/// of the same user and password share a judgement; others wait as LoginQueue says.
class PasswordAuthenticator final : public Authenticator {
 public:
  /// @param judged called from the event loop when a try has been judged. @param platform outlives the authenticator.
  /// @throws Error (run) as ServerPlatform::make_judge()
  PasswordAuthenticator(Logins logins, ServerPlatform& platform, std::function<void()> judged);
  ~PasswordAuthenticator() override;
  bool required() const override { return true; }
  std::shared_ptr<const LoginTry> judge(const Peer& peer, std::string user, std::string password) override;
  LoginTally tally() const override;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace ocs::serve
