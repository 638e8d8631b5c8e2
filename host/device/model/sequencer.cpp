// The sequencer (section 9).
// SPDX-License-Identifier: Apache-2.0
#include "host/device/model/sequencer.hpp"

#include <algorithm>

namespace ocs::model {

Sequencer::Sequencer(std::size_t ports) { banks_.fill(std::vector<Entry>(entries, Entry{0, {}, Map(ports)})); }

void Sequencer::reset() {
  settings = {};
  commands = {};
  active_ = 1;
  running_ = false;
  swap_waits_ = false;
}

void Sequencer::store(std::size_t e, const Map& shadow, std::uint8_t tag) {
  banks_[idle()][e] = {settings.offset, settings.launch, shadow, tag};
}

Cycle Sequencer::due() const { return running_ ? loop_ + next().offset : no_cycle; }

/// Goes on to the entry after the one taken. @return true for a wrap.
bool Sequencer::advance() {
  if (++next_ < length_) return false;
  next_ = 0;
  if (period_ == 0) {
    running_ = false;
    return false;
  }
  loop_ += period_;
  return true;
}

bool Sequencer::act(bool taken) {
  const bool wrapped = taken && advance();
  // A swap that is asked for while nothing runs never meets a wrap: SEQ_GO forgets it.
  if (commands.swap) swap_waits_ = true;
  if (wrapped && swap_waits_) {
    active_ = idle();
    swap_waits_ = false;
  }
  if (commands.stop) running_ = false;
  if (commands.go) {
    active_ = idle();
    loop_ = settings.base;
    length_ = std::min<std::size_t>(settings.length, entries);
    period_ = settings.period;
    next_ = 0;
    running_ = length_ > 0;
    swap_waits_ = false;
  }
  commands = {};
  return wrapped;
}

}  // namespace ocs::model
