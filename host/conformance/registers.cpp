// The table of register names: addresses and bits come from the generated header alone.
// SPDX-License-Identifier: Apache-2.0
#include "host/conformance/registers.hpp"

#include <bit>
#include <cstddef>

#include "ocs_regs.h"

namespace ocs::conformance {
namespace {

constexpr Register device(std::string_view name, std::size_t offset, Shape shape = Shape::word) {
  return {name, shape, Indexed::nothing, static_cast<std::uint32_t>(offset)};
}

constexpr Register array(std::string_view name, Indexed indexed, std::size_t offset, Shape shape = Shape::word) {
  return {name, shape, indexed, static_cast<std::uint32_t>(offset)};
}

constexpr Register field(std::string_view name, Indexed indexed, std::size_t offset, std::uint32_t mask) {
  return {name, Shape::field, indexed, static_cast<std::uint32_t>(offset), mask};
}

#define TOP(member) offsetof(ocs_regs_t, member)
#define CORE(member) (offsetof(ocs_regs_t, core) + offsetof(ocs_regs__core_t, member))
#define PORT(member) (offsetof(ocs_regs_t, port) + offsetof(ocs_regs__port_t, member))
#define OPTICS(member) (offsetof(ocs_regs_t, optics) + offsetof(ocs_regs__optics_t, member))

constexpr Indexed output = Indexed::output, input = Indexed::input, port = Indexed::port;

constexpr Register table[] = {
    device("TIME", CORE(TIME), Shape::wide),
    device("STATUS", CORE(STATUS)),
    field("CTRL.ALL_STOP", Indexed::nothing, TOP(CTRL), OCS_REGS__CTRL__ALL_STOP_bm),
    field("CTRL.MULTICAST", Indexed::nothing, TOP(CTRL), OCS_REGS__CTRL__MULTICAST_bm),
    device("BRIEF", TOP(BRIEF)),
    device("SOFT_RESET", CORE(SOFT_RESET)),
    array("SHADOW", output, PORT(SHADOW), Shape::circuit),
    array("SHADOW_WORD", output, PORT(SHADOW)),
    field("SHADOW.COMMIT", output, PORT(SHADOW), OCS_REGS__PORT__SHADOWX__COMMIT_bm),
    array("ACTIVE", output, PORT(ACTIVE), Shape::circuit),
    device("SHADOW_LOAD", CORE(SHADOW_LOAD)),
    device("COMMIT", CORE(COMMIT)),
    device("COMMIT_CANCEL", CORE(COMMIT_CANCEL)),
    device("COMMIT_TAG", TOP(COMMIT_TAG)),
    device("COMMIT_AT", CORE(COMMIT_AT), Shape::wide),
    field("STATE", output, PORT(STATE), OCS_REGS__PORT__STATEX__STATE_bm),
    field("CAUSE", output, PORT(STATE), OCS_REGS__PORT__STATEX__CAUSE_bm),
    field("DISTURBED", output, PORT(STATE), OCS_REGS__PORT__STATEX__DISTURBED_bm),
    field("DIM", output, PORT(STATE), OCS_REGS__PORT__STATEX__DIM_bm),
    array("BASE", output, PORT(BASE)),
    array("SLOW", output, PORT(SLOW)),
    array("LOCK", output, PORT(LOCK)),
    array("PAIR", Indexed::output_and_input, TOP(PAIR), Shape::pair),
    device("PROG", TOP(PROG)),
    device("PROG_LANES", TOP(PROG_LANES)),
    field("RECEIVER.ON", Indexed::nothing, TOP(RECEIVER), OCS_REGS__RECEIVER__ON_bm),
    field("RECEIVER.WARM_TIME", Indexed::nothing, TOP(RECEIVER), OCS_REGS__RECEIVER__WARM_TIME_bm),
    array("LOCK_WARM", Indexed::point, CORE(LOCK_WARM)),
    array("LOCK_COLD", Indexed::point, CORE(LOCK_COLD)),
    device("DISTURB", TOP(DISTURB)),
    device("DISTURB_AT", TOP(DISTURB_AT)),
    array("JITTER_MASK", output, PORT(JITTER_MASK)),
    device("SEED", CORE(SEED)),
    field("LOS", input, PORT(FAULT), OCS_REGS__PORT__FAULTX__LOS_bm),
    field("DEAD", port, PORT(FAULT), OCS_REGS__PORT__FAULTX__DEAD_bm),
    field("STUCK", output, PORT(FAULT), OCS_REGS__PORT__FAULTX__STUCK_bm),
    field("KEEPS", output, PORT(FAULT), OCS_REGS__PORT__FAULTX__KEEPS_bm),
    array("FLAP", output, PORT(FLAP)),
    array("RETRY", output, CORE(RETRY), Shape::bit),
    field("LEVEL.ON", Indexed::nothing, TOP(LEVEL), OCS_REGS__LEVEL__ON_bm),
    field("LEVEL.THRESHOLD", Indexed::nothing, TOP(LEVEL), OCS_REGS__LEVEL__THRESHOLD_bm),
    field("LEVEL.HYSTERESIS", Indexed::nothing, TOP(LEVEL), OCS_REGS__LEVEL__HYSTERESIS_bm),
    device("LOS_ASSERT", TOP(LOS_ASSERT)),
    device("LOS_RELEASE", TOP(LOS_RELEASE)),
    array("LASER", input, OPTICS(LASER)),
    array("LOSS", output, OPTICS(LOSS)),
    array("POWER", output, OPTICS(POWER)),
    device("RING_AFTER", TOP(RING_AFTER)),
    device("RING", TOP(RING)),
    device("RINGS", TOP(RINGS)),
    array("LEN", input, PORT(LEN)),
    array("GAP", input, PORT(GAP)),
    array("REPEAT", input, PORT(REPEAT)),
    field("GATED", input, PORT(BURST), OCS_REGS__PORT__BURSTX__GATED_bm),
    field("TAG", input, PORT(BURST), OCS_REGS__PORT__BURSTX__TAG_bm),
    field("BURST.START", input, PORT(BURST), OCS_REGS__PORT__BURSTX__START_bm),
    field("RATE", input, PORT(SOURCE), OCS_REGS__PORT__SOURCEX__RATE_bm),
    field("EXTERNAL", input, PORT(SOURCE), OCS_REGS__PORT__SOURCEX__EXTERNAL_bm),
    array("START", input, CORE(START), Shape::bit),
    array("STOP", input, CORE(STOP), Shape::bit),
    field("ENGINE", input, PORT(ENGINE), OCS_REGS__PORT__ENGINEX__STATE_bm),
    array("SEG", output, PORT(SEG), Shape::segment),
    array("SEG_FULL", output, CORE(SEG_FULL), Shape::bit),
    array("CHANGED", output, CORE(CHANGED), Shape::bit),
    array("ENDED", input, CORE(ENDED), Shape::bit),
    device("SEQ_OFFSET", TOP(SEQ_OFFSET)),
    array("SEQ_LAUNCH", input, CORE(SEQ_LAUNCH), Shape::bit_rw),
    device("SEQ_STORE", CORE(SEQ_STORE)),
    device("SEQ_BASE", CORE(SEQ_BASE), Shape::wide),
    device("SEQ_LEN", TOP(SEQ_LEN)),
    device("SEQ_PERIOD", TOP(SEQ_PERIOD)),
    device("SEQ_GO", CORE(SEQ_GO)),
    device("SEQ_SWAP", CORE(SEQ_SWAP)),
    device("SEQ_STOP", CORE(SEQ_STOP)),
    device("IRQ_STATUS", CORE(IRQ_STATUS)),
    device("IRQ_ENABLE", TOP(IRQ_ENABLE)),
    device("ERROR", CORE(ERROR)),
    array("PASSED", output, PORT(PASSED), Shape::wide),
    array("LOST", output, PORT(LOST), Shape::wide),
    array("MISROUTED", output, OPTICS(MISROUTED), Shape::wide),
    array("DARK", output, PORT(DARK), Shape::wide),
    array("TUNINGS", output, PORT(TUNINGS), Shape::wide),
    array("RESTARTS", output, PORT(RESTARTS), Shape::wide),
    array("SENT", input, PORT(SENT), Shape::wide),
    array("UNROUTED", input, PORT(UNROUTED), Shape::wide),
    device("COMMITS", CORE(COMMITS), Shape::wide),
    device("REFUSED", CORE(REFUSED), Shape::wide),
    device("LATE", CORE(LATE), Shape::wide),
    device("DROPPED", CORE(DROPPED), Shape::wide),
};

#undef TOP
#undef CORE
#undef PORT
#undef OPTICS

}  // namespace

std::uint64_t Register::limit() const {
  switch (shape) {
    case Shape::field:
      return mask >> std::countr_zero(mask);
    case Shape::wide:
      return ~std::uint64_t{0};
    case Shape::bit:
    case Shape::bit_rw:
      return 1;
    case Shape::circuit:
      return OCS_REGS__PORT__SHADOWX__INPUT_bm;
    case Shape::word:
    case Shape::segment:
    case Shape::pair:
      break;
  }
  return 0xFFFF'FFFF;
}

std::span<const Register> registers() { return table; }

const Register* find_register(std::string_view name) {
  for (const Register& candidate : table)
    if (candidate.name == name) return &candidate;
  return nullptr;
}

}  // namespace ocs::conformance
