// How simulated time, accesses and words meet a body that counts cycles.
// SPDX-License-Identifier: Apache-2.0
#include "sysc/module/switch_module.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "host/core/error.hpp"
#include "ocs_regs.h"
#include "sysc/module/access_rules.hpp"

namespace ocs::sysc {
namespace {

constexpr std::uint64_t never_cycle = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint32_t state_up = 3;

std::uint64_t round_up(std::uint64_t value, std::uint64_t step) {
  return value > never_cycle - step ? never_cycle : (value + step - 1) / step * step;
}

std::uint32_t register_of(std::size_t row, std::size_t port) { return static_cast<std::uint32_t>(row + 4 * port); }

}  // namespace

SwitchModule::SwitchModule(const sc_core::sc_module_name& name, std::size_t sockets)
    : sc_module(name), scheduled_(never_cycle), waiting_(sockets) {
  regs.register_b_transport(this, &SwitchModule::software);
  side.register_b_transport(this, &SwitchModule::surroundings);
  regs.register_transport_dbg(this, &SwitchModule::look);
  side.register_transport_dbg(this, &SwitchModule::look);
  words_in.init(sockets);
  words_out.init(sockets);
  for (std::size_t i = 0; i < sockets; ++i)
    words_in[i].register_b_transport(this, &SwitchModule::take_words, static_cast<int>(i));
  SC_HAS_PROCESS(SwitchModule);
  SC_METHOD(wake);
  sensitive << wake_;
}

void SwitchModule::power_up(std::unique_ptr<Body> body, const SwitchConfig& config) {
  body_ = std::move(body);
  masters_.forget();
  config_ = config;
  epoch_ = sc_core::sc_time_stamp();
  restart_ = 0;
  for (auto& words : waiting_) words.clear();
  words_waiting_ = 0;
  wake_.cancel();
  scheduled_ = never_cycle;
  wake_.notify(sc_core::SC_ZERO_TIME);
}

// ---- time -----------------------------------------------------------------------------------------------------------

std::uint64_t SwitchModule::cycles_since_power_up(const sc_core::sc_time& delay) const {
  return (sc_core::sc_time_stamp() + delay - epoch_).value() / config_.cycle.value();
}

sc_core::sc_time SwitchModule::begin_of(std::uint64_t cycle) const {
  const std::uint64_t left = (sc_core::sc_max_time() - epoch_).value() / config_.cycle.value();
  if (cycle > left || restart_ > left - cycle)
    throw Error(ErrorKind::run, "cycle " + std::to_string(cycle) + " lies beyond what SystemC's time can hold: " +
                                    std::to_string(left) + " cycles since the switch was made");
  return epoch_ + sc_core::sc_time::from_value((restart_ + cycle) * config_.cycle.value());
}

std::uint64_t SwitchModule::cycle_now() {
  catch_up(cycles_since_power_up(sc_core::SC_ZERO_TIME));
  return body_->time();
}

bool SwitchModule::irq_now() {
  catch_up(cycles_since_power_up(sc_core::SC_ZERO_TIME));
  return body_->irq();
}

void SwitchModule::catch_up(std::uint64_t until) {
  for (std::uint64_t at = earliest_word(); at < until; at = earliest_word()) offer_words(at);
  if (until > restart_ + body_->time()) body_->run_to(until - restart_);
}

std::uint64_t SwitchModule::next_change() const {
  const std::uint64_t own = body_->next_change();
  const std::uint64_t change = own > never_cycle - restart_ ? never_cycle : restart_ + own;
  const std::uint64_t word = earliest_word();
  return word == never_cycle ? change : std::min(change, word + 1);
}

void SwitchModule::wake() {
  if (!body_) return;
  scheduled_ = never_cycle;
  catch_up(cycles_since_power_up(sc_core::SC_ZERO_TIME));
  if (!rises_later()) shown_ = body_->irq();
  irq.write(shown_);
  changed_.notify(sc_core::SC_ZERO_TIME);
  schedule(rises_later() ? restart_ + body_->time() : next_change());
}

/// Decoupled, somebody has run ahead to where `irq` is high: not for others yet.
bool SwitchModule::rises_later() const {
  return !shown_ && body_->irq() && restart_ + body_->time() > cycles_since_power_up(sc_core::SC_ZERO_TIME);
}

std::uint64_t SwitchModule::quantum() const {
  if (config_.quantum != 0) return config_.quantum;
  const std::uint64_t global = tlm::tlm_global_quantum::instance().get().value();
  return std::max<std::uint64_t>(round_up(global, config_.cycle.value()) / config_.cycle.value(), 1);
}

/// wake() in cycle `at` since power-up, or earlier; decoupled: at the end of its quantum.
void SwitchModule::schedule(std::uint64_t at) {
  if (config_.timing == Timing::decoupled) at = round_up(at, quantum());
  const sc_core::sc_time passed = sc_core::sc_time_stamp() - epoch_;
  if (at >= scheduled_ || at > (sc_core::sc_max_time() - epoch_).value() / config_.cycle.value()) return;
  scheduled_ = at;
  const auto begin = sc_core::sc_time::from_value(at * config_.cycle.value());
  wake_.notify(begin > passed ? begin - passed : sc_core::SC_ZERO_TIME);
}

/// Sees to it that `irq` and the next wake-up follow what an access has done.
void SwitchModule::after_access() {
  if (rises_later())
    schedule(restart_ + body_->time());
  else if (body_->irq() != shown_)
    wake_.notify(sc_core::SC_ZERO_TIME);
  else
    schedule(next_change());
}

// ---- accesses -------------------------------------------------------------------------------------------------------

/// Lets an annotated delay pass where timing is exact. @return false: nobody is there who could wait.
bool SwitchModule::await(tlm::tlm_generic_payload& access, sc_core::sc_time& delay) {
  if (config_.timing == Timing::decoupled || delay == sc_core::SC_ZERO_TIME) return true;
  const sc_core::sc_curr_proc_kind kind = sc_core::sc_get_current_process_handle().proc_kind();
  if (kind != sc_core::SC_THREAD_PROC_ && kind != sc_core::SC_CTHREAD_PROC_) {
    access.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    return false;
  }
  wait(delay);
  delay = sc_core::SC_ZERO_TIME;
  return true;
}

void SwitchModule::registers(std::size_t master, tlm::tlm_generic_payload& access, sc_core::sc_time& delay) {
  access.set_dmi_allowed(false);
  access.set_response_status(judge_register_access(access));
  if (!access.is_response_ok() || !await(access, delay)) return;
  catch_up(cycles_since_power_up(delay));
  access.set_response_status(carry_out(master, access));
  after_access();
}

tlm::tlm_response_status SwitchModule::carry_out(std::size_t master, const tlm::tlm_generic_payload& access) {
  const std::uint64_t before = body_->time();
  const auto response = masters_.carry_out(*body_, master, access);
  restart_ += before - body_->time();  // a soft reset begins at 0
  return response;
}

/// The body is taken to the present cycle, or to that of a word that hasn't been offered yet: nobody sees that, while
/// a word that leaves would be seen.
unsigned SwitchModule::look(tlm::tlm_generic_payload& access) {
  const std::uint64_t now = std::min(cycles_since_power_up(sc_core::SC_ZERO_TIME), earliest_word());
  if (now > restart_ + body_->time()) body_->run_to(now - restart_);
  return Masters::look(*body_, access);
}

// ---- words ----------------------------------------------------------------------------------------------------------

void SwitchModule::take_words(int input, tlm::tlm_generic_payload& access, sc_core::sc_time& delay) {
  access.set_dmi_allowed(false);
  access.set_response_status(judge_words(access, config_.word_bytes));
  if (!access.is_response_ok()) return;
  const auto i = static_cast<std::size_t>(input);
  const std::uint64_t now = cycles_since_power_up(delay);
  if (config_.timing == Timing::exact) catch_up(cycles_since_power_up(sc_core::SC_ZERO_TIME));
  if (i >= body_->ports() || !external(i)) {
    access.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    return;
  }
  std::deque<Word>& words = waiting_[i];
  std::uint64_t at = std::max(now, restart_ + body_->time());
  if (!words.empty()) at = std::max(at, words.back().at + 1);
  const unsigned char* bytes = access.get_data_ptr();
  for (std::size_t k = 0; k < access.get_data_length(); k += config_.word_bytes)
    words.push_back({at++, {bytes + k, bytes + k + config_.word_bytes}});
  words_waiting_ += access.get_data_length() / config_.word_bytes;
  delay = epoch_ + sc_core::sc_time::from_value(at * config_.cycle.value()) - sc_core::sc_time_stamp();
  after_access();
}

std::uint64_t SwitchModule::earliest_word() const {
  std::uint64_t at = never_cycle;
  if (words_waiting_ == 0) return at;
  for (const auto& words : waiting_)
    if (!words.empty()) at = std::min(at, words.front().at);
  return at;
}

/// Cycle `at`: its words go onto their pins, and out where they pass.
void SwitchModule::offer_words(std::uint64_t at) {
  catch_up(at);
  std::vector<std::pair<std::size_t, std::vector<unsigned char>>> leaving;
  for (std::size_t i = 0; i < waiting_.size(); ++i) {
    if (waiting_[i].empty() || waiting_[i].front().at != at) continue;
    Word word = std::move(waiting_[i].front());
    waiting_[i].pop_front();
    --words_waiting_;
    if (!external(i)) continue;  // nobody looks at the pin any more
    for (const std::size_t o : passing(i)) leaving.emplace_back(o, word.bytes);
    body_->offer(i);
  }
  body_->run_to(at + 1 - restart_);
  for (auto& [o, bytes] : leaving) {
    if (words_out[o].size() == 0) continue;
    tlm::tlm_generic_payload word;
    word.set_command(tlm::TLM_WRITE_COMMAND);
    word.set_data_ptr(bytes.data());
    word.set_data_length(static_cast<unsigned>(bytes.size()));
    word.set_streaming_width(static_cast<unsigned>(bytes.size()));
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    words_out[o]->b_transport(word, delay);
  }
}

bool SwitchModule::external(std::size_t input) {
  const auto source = body_->read(register_of(offsetof(ocs_regs_t, port.SOURCE), input));
  return (source.value_or(0) & OCS_REGS__PORT__SOURCEX__EXTERNAL_bm) != 0;
}

/// Outputs that pass a word of the input in the present cycle.
std::vector<std::size_t> SwitchModule::passing(std::size_t input) {
  const std::uint32_t selects = OCS_REGS__PORT__ACTIVEX__VALID_bm | static_cast<std::uint32_t>(input);
  std::vector<std::size_t> outputs;
  for (std::size_t o = 0; o < body_->ports(); ++o) {
    if (body_->read(register_of(offsetof(ocs_regs_t, port.ACTIVE), o)) != selects) continue;
    const std::uint32_t state = body_->read(register_of(offsetof(ocs_regs_t, port.STATE), o)).value_or(0);
    constexpr std::uint32_t decides =
        OCS_REGS__PORT__STATEX__STATE_bm | OCS_REGS__PORT__STATEX__DISTURBED_bm | OCS_REGS__PORT__STATEX__DIM_bm;
    if ((state & decides) == state_up) outputs.push_back(o);
  }
  return outputs;
}

}  // namespace ocs::sysc
