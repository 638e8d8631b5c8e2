// What a switch service is asked and what it says: circuits, port states, complaints, events. No dialect in it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/core/ids.hpp"
#include "host/core/units.hpp"

namespace ocs::serve {

/// One way, from an input to an output; an input feeds one output at most.
struct CrossConnect {
  Input in{};
  Output out{};
  friend auto operator<=>(const CrossConnect&, const CrossConnect&) = default;
};

/// One side of a port.
struct Port {
  bool output = false;
  std::uint16_t number = 0;  ///< from 0
  friend auto operator<=>(const Port&, const Port&) = default;
};

/// Port states of SONiC-OCS, from those of docs/switch-contract.md, section 2: IDLE, and a port that is switched off,
/// are blocked; LOCKING, HELD and UP are tuned.
enum class Light : std::uint8_t { blocked, tuning, tuned, failed };
inline constexpr std::array<std::string_view, 4> light_names{"blocked", "tuning", "tuned", "failed"};
constexpr std::string_view name_of(Light light) { return light_names[static_cast<std::size_t>(light)]; }

/// What becomes of circuits that are in the way of new ones. A new circuit that exists already stays as it is.
enum class Mode : std::uint8_t {
  safe,      ///< the change is refused
  update,    ///< they are removed
  overwrite  ///< all circuits that aren't asked for are removed
};

/// Whole or not at all. Removals come first, so that what they free can be used again.
struct Change {
  std::vector<CrossConnect> remove{}, add{};
  Mode mode = Mode::safe;
};

enum class Fault : std::uint8_t {
  no_such_port,     ///< `port`
  named_twice,      ///< `asked` and `blocked_by` of the same request share a port
  busy,             ///< `asked` can't be, because there is `blocked_by`
  no_such_circuit,  ///< `asked` isn't there; `blocked_by` is what its input or output has instead
  switch_refused    ///< `why`
};

/// Why a request had no effect.
struct Complaint {
  Fault fault{};
  std::optional<CrossConnect> asked{}, blocked_by{};
  std::optional<Port> port{};
  std::string why{};
};

enum class ServiceEventKind : std::uint8_t {
  light,         ///< `port` (an output) is now `light`; `in` is the input that it selects
  connected,     ///< a circuit from `in` to `port` is wanted now
  disconnected,  ///< no longer
  switched_off,  ///< `port` by a client
  switched_on
};

struct ServiceEvent {
  std::uint64_t number = 0;  ///< from 1, no gaps
  Cycles at{0};
  ServiceEventKind kind{};
  Port port{};
  Light light{};
  std::optional<Input> in{};
};

}  // namespace ocs::serve
