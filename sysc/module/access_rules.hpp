// What an access must be to be executed, and the TLM response that it gets otherwise.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <tlm>

namespace ocs::sysc {

/// TLM_OK_RESPONSE if the access may go on to the registers, which judge the address themselves.
tlm::tlm_response_status judge_register_access(const tlm::tlm_generic_payload& access);

/// The same for words of `word_bytes` bytes at an input.
tlm::tlm_response_status judge_words(const tlm::tlm_generic_payload& access, std::size_t word_bytes);

}  // namespace ocs::sysc
