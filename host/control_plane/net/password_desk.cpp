// One worker thread.
// SPDX-License-Identifier: Apache-2.0
#include "host/control_plane/net/password_desk.hpp"

#include <sodium.h>

#include <array>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <map>

#include "host/core/error.hpp"

namespace ocs::serve {
namespace {

using Digest = std::array<unsigned char, crypto_generichash_BYTES>;
using Key = std::array<unsigned char, crypto_generichash_KEYBYTES>;

constexpr std::size_t most_remembered = 64;

}  // namespace

struct PasswordDesk::Parts {
  Logins logins;
  boost::asio::io_context& loop;
  std::function<void()> judged;
  Key key{};
  std::map<Digest, Role> right{};
  boost::asio::thread_pool worker{1};
};

PasswordDesk::PasswordDesk(Logins logins, boost::asio::io_context& loop, std::function<void()> judged)
    : parts_(new Parts{.logins = std::move(logins), .loop = loop, .judged = std::move(judged)}) {
  if (sodium_init() < 0) throw Error(ErrorKind::run, "libsodium can't be started");
  crypto_generichash_keygen(parts_->key.data());
}

PasswordDesk::~PasswordDesk() { parts_->worker.join(); }

std::shared_ptr<const LoginTry> PasswordDesk::judge(std::string user, std::string password) {
  const std::string both = user + '\0' + password;
  Digest digest{};
  crypto_generichash(digest.data(), digest.size(), reinterpret_cast<const unsigned char*>(both.data()), both.size(),
                     parts_->key.data(), parts_->key.size());
  auto outcome = std::make_shared<LoginTry>();
  if (const auto known = parts_->right.find(digest); known != parts_->right.end()) {
    *outcome = {.judged = true, .role = known->second};
    return outcome;
  }
  boost::asio::post(parts_->worker, [this, outcome, digest, user = std::move(user), password = std::move(password)] {
    const Role role = serve::judge(parts_->logins, user, password);
    boost::asio::post(parts_->loop, [this, outcome, digest, role] {
      *outcome = {.judged = true, .role = role};
      if (role != Role::nobody && parts_->right.size() < most_remembered) parts_->right[digest] = role;
      parts_->judged();
    });
  });
  return outcome;
}

}  // namespace ocs::serve
