// One password at a time.
// SPDX-License-Identifier: Apache-2.0
#include "host/control_plane/net/password_authenticator.hpp"

#include <sodium.h>

#include <array>
#include <map>
#include <optional>

#include "host/control_plane/net/login_queue.hpp"
#include "host/core/error.hpp"

namespace ocs::serve {
namespace {

using Digest = std::array<unsigned char, crypto_generichash_BYTES>;
using Key = std::array<unsigned char, crypto_generichash_KEYBYTES>;

constexpr std::size_t most_remembered = 64;

}  // namespace

struct PasswordAuthenticator::Parts {
  struct Pending {
    Digest digest;
    std::string user, password, network;
    std::shared_ptr<LoginTry> outcome;
    std::uint64_t judged_before = 0;  ///< passwords, when it came
  };
  const ServerPlatform& platform;
  std::function<void()> judged;
  Key key{};
  std::map<Digest, Role> right{};
  std::map<std::uint64_t, Pending> pending{};  ///< those of `queue`, and the one being judged
  std::map<Digest, std::uint64_t> by_digest{};
  LoginQueue queue{};
  std::uint64_t last_id = 0;
  LoginTally tally{};
  std::optional<std::uint64_t> judging{};
  std::unique_ptr<PasswordJudge> worker{};

  Digest digest_of(const std::string& user, const std::string& password) const;
  void end(std::uint64_t id, const LoginTry& outcome);
  void begin_next();
};

Digest PasswordAuthenticator::Parts::digest_of(const std::string& user, const std::string& password) const {
  const std::string both = user + '\0' + password;
  Digest digest{};
  crypto_generichash(digest.data(), digest.size(), reinterpret_cast<const unsigned char*>(both.data()), both.size(),
                     key.data(), key.size());
  return digest;
}

void PasswordAuthenticator::Parts::end(std::uint64_t id, const LoginTry& outcome) {
  const auto found = pending.find(id);
  *found->second.outcome = outcome;
  found->second.outcome->user = found->second.user;
  by_digest.erase(found->second.digest);
  pending.erase(found);
}

/// One at a time: the worker holds nothing that would have to be judged before the program ends.
void PasswordAuthenticator::Parts::begin_next() {
  if (judging) return;
  judging = queue.take();
  if (!judging) return;
  const Pending& next = pending.at(*judging);
  worker->judge(next.user, next.password, [this, id = *judging](Role role) {
    const Pending& done = pending.at(id);
    if (role != Role::nobody) {
      tally.delays += tally.judged - done.judged_before;
      queue.forgive(done.network);
      if (right.size() < most_remembered) right[done.digest] = role;
    }
    ++tally.judged;
    end(id, {.judged = true, .role = role});
    judging.reset();
    begin_next();
    judged();
  });
}

PasswordAuthenticator::PasswordAuthenticator(Logins logins, ServerPlatform& platform, std::function<void()> judged) {
  if (sodium_init() < 0) throw Error(ErrorKind::run, "libsodium can't be started");
  parts_.reset(new Parts{.platform = platform, .judged = std::move(judged)});
  parts_->worker = platform.make_judge(std::move(logins));
  crypto_generichash_keygen(parts_->key.data());
}

PasswordAuthenticator::~PasswordAuthenticator() = default;

LoginTally PasswordAuthenticator::tally() const { return parts_->tally; }

std::shared_ptr<const LoginTry> PasswordAuthenticator::judge(const Peer& peer, std::string user, std::string password) {
  Parts& all = *parts_;
  const Digest digest = all.digest_of(user, password);
  if (const auto known = all.right.find(digest); known != all.right.end())
    return std::make_shared<LoginTry>(LoginTry{.judged = true, .role = known->second, .user = std::move(user)});
  const auto [same, fresh] = all.by_digest.emplace(digest, all.last_id + 1);
  const std::uint64_t id = same->second;
  const std::string network = network_of(peer.address);
  if (fresh) {
    ++all.last_id;
    all.pending[id] = {.digest = digest,
                       .user = std::move(user),
                       .password = std::move(password),
                       .network = network,
                       .outcome = std::make_shared<LoginTry>(),
                       .judged_before = all.tally.judged};
  }
  std::shared_ptr<const LoginTry> outcome = all.pending.at(id).outcome;
  if (all.judging == id) return outcome;
  if (const auto gone = all.queue.add(id, network, all.platform.now()))
    all.end(*gone, {.judged = true, .crowded = true});
  all.begin_next();
  return outcome;
}

}  // namespace ocs::serve
