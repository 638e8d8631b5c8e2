// In the order in which the TLM standard lists the attributes: command, address, length, streaming, byte enables; a
// register's length comes before its address, which has to be a multiple of it.
// SPDX-License-Identifier: Apache-2.0
#include "sysc/module/access_rules.hpp"

#include <cstdint>

namespace ocs::sysc {
namespace {

constexpr std::size_t most_words = std::size_t{1} << 20;  // of one transaction: 5 ms at 100 Gb/s

bool wrong_shape(const tlm::tlm_generic_payload& access) {
  return access.get_data_ptr() == nullptr || access.get_streaming_width() < access.get_data_length();
}

}  // namespace

tlm::tlm_response_status judge_register_access(const tlm::tlm_generic_payload& access) {
  if (!access.is_read() && !access.is_write()) return tlm::TLM_COMMAND_ERROR_RESPONSE;
  const std::uint64_t bytes = access.get_data_length();
  if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8) return tlm::TLM_BURST_ERROR_RESPONSE;
  if (access.get_address() % bytes != 0) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  if (wrong_shape(access)) return tlm::TLM_BURST_ERROR_RESPONSE;
  if (access.get_byte_enable_ptr() != nullptr && access.get_byte_enable_length() == 0)
    return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  return tlm::TLM_OK_RESPONSE;
}

tlm::tlm_response_status judge_words(const tlm::tlm_generic_payload& access, std::size_t word_bytes) {
  if (!access.is_write()) return tlm::TLM_COMMAND_ERROR_RESPONSE;
  if (access.get_address() != 0) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  const std::size_t bytes = access.get_data_length();
  if (bytes == 0 || bytes % word_bytes != 0 || bytes / word_bytes > most_words) return tlm::TLM_BURST_ERROR_RESPONSE;
  if (wrong_shape(access)) return tlm::TLM_BURST_ERROR_RESPONSE;
  return access.get_byte_enable_ptr() == nullptr ? tlm::TLM_OK_RESPONSE : tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
}

}  // namespace ocs::sysc
