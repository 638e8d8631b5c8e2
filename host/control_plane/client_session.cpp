// Cuts bytes into commands.
// SPDX-License-Identifier: Apache-2.0
#include "host/control_plane/client_session.hpp"

#include <algorithm>
#include <array>

namespace ocs::serve {
namespace {

constexpr std::array<std::string_view, 10> methods{"CONNECT", "DELETE", "GET", "HEAD", "OPTIONS",
                                                   "PATCH",   "POST",   "PRI", "PUT",  "TRACE"};
constexpr std::size_t longest_method = 24;
constexpr char tls_handshake = 0x16;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

}  // namespace

CommandBuffer::Start CommandBuffer::judge_start() const {
  if (bytes_.starts_with(tls_handshake)) return Start::web;
  const auto letters =
      static_cast<std::size_t>(std::find_if_not(bytes_.begin(), bytes_.end(), is_letter) - bytes_.begin());
  if (letters == bytes_.size()) return letters > longest_method ? Start::command : Start::open;
  if (letters == 0 || bytes_[letters] != ' ') return Start::command;
  if (std::find(methods.begin(), methods.end(), bytes_.substr(0, letters)) != methods.end()) return Start::web;
  if (letters + 1 == bytes_.size()) return Start::open;
  return bytes_[letters + 1] == '/' ? Start::web : Start::command;
}

CommandBuffer::Next CommandBuffer::next(std::string_view& command) {
  if (start_ == Start::open) start_ = judge_start();
  if (start_ == Start::web) {
    bytes_.clear();
    return Next::web;
  }
  for (;;) {
    const std::size_t end = bytes_.find(end_, std::max(from_, searched_));
    if (end == std::string::npos) {
      if (from_ > 0) bytes_.erase(0, from_);
      from_ = 0;
      searched_ = bytes_.size();
      const bool told = dropping_;
      if (bytes_.size() > longest_) dropping_ = true;
      if (!dropping_) return Next::nothing;
      bytes_.clear();
      searched_ = 0;
      if (bytes_.capacity() > 4 * longest_) bytes_.shrink_to_fit();
      return told ? Next::nothing : Next::too_long;
    }
    command = std::string_view(bytes_).substr(from_, end - from_);
    from_ = searched_ = end + 1;
    if (dropping_) {
      dropping_ = false;
      continue;
    }
    return command.size() > longest_ ? Next::too_long : Next::command;
  }
}

}  // namespace ocs::serve
