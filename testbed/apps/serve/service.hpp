// The event loop of lightloop serve: a switch, its clock, the dialects and their sockets.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <ctime>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "host/control_plane/net/access_log.hpp"
#include "host/control_plane/net/logins.hpp"
#include "host/control_plane/net/server_platform.hpp"
#include "host/control_plane/net/tls.hpp"
#include "host/control_plane/server_context.hpp"
#include "host/core/delays.hpp"
#include "host/core/device.hpp"

namespace ocs {

struct ServiceOptions {
  std::string device;  ///< its name, for *IDN? and the like
  std::string preset;  ///< name of the switch profile that `delays` come from; empty: none
  SwitchDelays delays;
  std::int64_t speed = 1;  ///< virtual time over wall time
  std::string address = "127.0.0.1";
  std::optional<std::uint16_t> scpi, tl1, http;  ///< TCP ports, 0: the system chooses; none: not served
  std::string scpi_end = "\n";
  serve::Limits limits{};
  std::vector<std::string> http_names{};             ///< of this host, besides addresses and localhost
  std::string log{};                                 ///< file for logins and refusals; empty: none
  std::optional<serve::Logins> logins{};             ///< none: everybody may operate
  std::shared_ptr<boost::asio::ssl::context> tls{};  ///< none: nothing is encrypted
  std::string version;
};

/// What a service needs of the system: that of this machine (serve_switch()), or that of a simulation.
class ServiceSystem {
 public:
  virtual ~ServiceSystem() = default;
  virtual serve::ServerPlatform& platform() = 0;
  /// Carries out one thing that is due; waits for it so long at most.
  virtual void run_one_for(std::chrono::nanoseconds longest) = 0;
  virtual bool end_wanted() const = 0;  ///< a signal came
  virtual std::time_t time_of_day() const = 0;
  /// @throws Error (input): it can't be written.
  virtual serve::AccessLog open_log(const std::string& file) = 0;
};

/// Until the system wants its end. Says on `out` where it listens. @param device as after power-up.
/// @throws Error (input): an address can't be listened on; Error (run): the switch fails.
void serve_switch(Device& device, const ServiceOptions& options, std::ostream& out, ServiceSystem& system);

/// On this machine, until SIGINT, SIGTERM or SIGHUP. @throws as above
void serve_switch(Device& device, const ServiceOptions& options, std::ostream& out);

}  // namespace ocs
