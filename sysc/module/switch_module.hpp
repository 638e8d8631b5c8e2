// The switch as a SystemC module: registers, payload and interrupt as sockets, whatever its body is.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <systemc>
#include <tlm>
#include <vector>

#include "sysc/module/body.hpp"
#include "sysc/module/masters.hpp"

namespace ocs::sysc {

enum class Timing : std::uint8_t {
  exact,      ///< every cycle; an annotated delay is waited for
  decoupled,  ///< accesses run ahead by their annotated delay; `irq` and words move at multiples of a quantum
};

/// Shape and pace of a switch.
struct SwitchConfig {
  std::size_t ports = 4;                         ///< N, 2 to 256
  std::size_t fifo_depth = 64;                   ///< records of the event FIFO, 1 to 65535
  std::uint16_t word_bytes = 64;                 ///< bytes of a word, at least 1
  sc_core::sc_time cycle{5120, sc_core::SC_PS};  ///< whole picoseconds, below 2^32
  Timing timing = Timing::exact;
  std::uint64_t quantum = 0;  ///< cycles, of decoupled timing; 0: tlm_global_quantum, rounded up to cycles, at least 1
};

/// Two register sockets show the same window: `regs` is for software, `side` for what surrounds the switch; each has a
/// latch of its own for the high words of 64 bits. Accesses are reads and writes of 1, 2, 4 or 8 bytes at multiples of
/// their length, with byte enables or without; anything else gets its TLM response, and the switch's own SLVERR is
/// TLM_GENERIC_ERROR_RESPONSE. There is no direct memory interface: reads have effects. Debug reads have none.
///
/// A write of k words to words_in[i] puts them on the pin of input i, one a cycle from the present cycle on, behind
/// those that wait already; the input must be EXTERNAL. The annotated delay grows until after the last. A word that
/// passes leaves through words_out[o] in the cycle after, as a write of one word; the target must not wait: light has
/// no back-pressure. A word that is lost is gone. Words of burst engines carry no bytes: segments tell of them.
///
/// `irq` is high from the cycle on in which an event is there, as the contract says.
class SwitchModule : public sc_core::sc_module {
 public:
  using TargetSocket = tlm_utils::simple_target_socket_optional<SwitchModule>;
  using WordTarget = tlm_utils::simple_target_socket_tagged_optional<SwitchModule>;
  using WordInitiator = tlm_utils::simple_initiator_socket_optional<SwitchModule>;

  TargetSocket regs{"regs"}, side{"side"};
  sc_core::sc_vector<WordTarget> words_in{"words_in"};
  sc_core::sc_vector<WordInitiator> words_out{"words_out"};
  sc_core::sc_out<bool> irq{"irq"};

  /// @param sockets inputs and outputs that have one.
  SwitchModule(const sc_core::sc_module_name& name, std::size_t sockets);

  /// A switch as after power-up, from the present time on; the one before is gone.
  void power_up(std::unique_ptr<Body> body, const SwitchConfig& config);

  /// Notified when time has brought something new: states, events, words.
  const sc_core::sc_event& changed() const { return changed_; }

  // ---- for who steps the simulation from outside; as a register access would see it -------------------------------
  std::uint64_t cycle_now();  ///< the present cycle of the switch
  bool irq_now();
  std::uint64_t evaluations() const { return body_->evaluations(); }
  /// When cycle `cycle` of the switch begins. @throws ocs::Error where simulated time can't reach: 2^64 ps.
  sc_core::sc_time begin_of(std::uint64_t cycle) const;

 private:
  struct Word {
    std::uint64_t at;  ///< cycle since power-up
    std::vector<unsigned char> bytes;
  };

  void software(tlm::tlm_generic_payload& access, sc_core::sc_time& delay) { registers(0, access, delay); }
  void surroundings(tlm::tlm_generic_payload& access, sc_core::sc_time& delay) { registers(1, access, delay); }
  void registers(std::size_t master, tlm::tlm_generic_payload& access, sc_core::sc_time& delay);
  unsigned look(tlm::tlm_generic_payload& access);
  void take_words(int input, tlm::tlm_generic_payload& access, sc_core::sc_time& delay);
  tlm::tlm_response_status carry_out(std::size_t master, const tlm::tlm_generic_payload& access);
  bool await(tlm::tlm_generic_payload& access, sc_core::sc_time& delay);
  void wake();
  void after_access();
  bool rises_later() const;
  void schedule(std::uint64_t at);
  std::uint64_t quantum() const;
  std::uint64_t next_change() const;
  std::uint64_t cycles_since_power_up(const sc_core::sc_time& delay) const;
  void catch_up(std::uint64_t until);
  std::uint64_t earliest_word() const;
  void offer_words(std::uint64_t at);
  bool external(std::size_t input);
  std::vector<std::size_t> passing(std::size_t input);

  std::unique_ptr<Body> body_;
  Masters masters_{2};
  SwitchConfig config_;
  sc_core::sc_time epoch_;     ///< power-up
  std::uint64_t restart_ = 0;  ///< cycle since power-up in which the body's time was 0: a soft reset
  std::uint64_t scheduled_;    ///< cycle since power-up in which wake() runs next
  bool shown_ = false;         ///< `irq`
  std::vector<std::deque<Word>> waiting_;
  std::size_t words_waiting_ = 0;
  sc_core::sc_event wake_, changed_;
};

}  // namespace ocs::sysc
