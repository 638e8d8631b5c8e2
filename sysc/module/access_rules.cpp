// In the order in which the TLM standard lists the attributes: command, address, length, streaming, byte enables.
// SPDX-License-Identifier: Apache-2.0
#include "sysc/module/access_rules.hpp"

namespace ocs::sysc {
namespace {

constexpr std::size_t register_bytes = 4;
constexpr std::size_t most_words = std::size_t{1} << 20;  // of one transaction: 5 ms at 100 Gb/s

tlm::tlm_response_status judge_shape(const tlm::tlm_generic_payload& access) {
  if (access.get_byte_enable_ptr() != nullptr) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  if (access.get_data_ptr() == nullptr || access.get_streaming_width() < access.get_data_length())
    return tlm::TLM_BURST_ERROR_RESPONSE;
  return tlm::TLM_OK_RESPONSE;
}

}  // namespace

tlm::tlm_response_status judge_register_access(const tlm::tlm_generic_payload& access) {
  if (!access.is_read() && !access.is_write()) return tlm::TLM_COMMAND_ERROR_RESPONSE;
  if (access.get_address() % register_bytes != 0) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  if (access.get_data_length() != register_bytes) return tlm::TLM_BURST_ERROR_RESPONSE;
  return judge_shape(access);
}

tlm::tlm_response_status judge_words(const tlm::tlm_generic_payload& access, std::size_t word_bytes) {
  if (!access.is_write()) return tlm::TLM_COMMAND_ERROR_RESPONSE;
  if (access.get_address() != 0) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  const std::size_t bytes = access.get_data_length();
  if (bytes == 0 || bytes % word_bytes != 0 || bytes / word_bytes > most_words) return tlm::TLM_BURST_ERROR_RESPONSE;
  return judge_shape(access);
}

}  // namespace ocs::sysc
