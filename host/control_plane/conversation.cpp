// Cuts bytes into commands.
// SPDX-License-Identifier: Apache-2.0
#include "host/control_plane/conversation.hpp"

#include <algorithm>

namespace ocs::serve {

CommandBuffer::Next CommandBuffer::next(std::string_view& command) {
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
