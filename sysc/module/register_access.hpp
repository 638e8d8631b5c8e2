// One access to a switch's registers, for who is bound to a socket of them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <tlm>

namespace ocs::sysc {

/// @param socket initiator. @param value read into, or written. @param delay local time of the initiator, in and out.
template <class Socket>
tlm::tlm_response_status access_register(Socket& socket, tlm::tlm_command command, std::uint64_t address,
                                         std::uint32_t& value, sc_core::sc_time& delay) {
  tlm::tlm_generic_payload payload;
  payload.set_command(command);
  payload.set_address(address);
  payload.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
  payload.set_data_length(sizeof value);
  payload.set_streaming_width(sizeof value);
  socket->b_transport(payload, delay);
  return payload.get_response_status();
}

/// The same at the present time.
template <class Socket>
tlm::tlm_response_status access_register(Socket& socket, tlm::tlm_command command, std::uint64_t address,
                                         std::uint32_t& value) {
  sc_core::sc_time now = sc_core::SC_ZERO_TIME;
  return access_register(socket, command, address, value, now);
}

}  // namespace ocs::sysc
