// The system of this machine for a service: Boost.Asio, signals, files.
// SPDX-License-Identifier: Apache-2.0
#include <boost/asio/io_context.hpp>
#include <boost/system/system_error.hpp>
#include <ctime>
#include <string>

#include "host/control_plane/net/asio_platform.hpp"
#include "host/core/error.hpp"
#include "testbed/apps/run/interruption.hpp"
#include "testbed/apps/serve/service.hpp"

namespace ocs {
namespace {

class MachineSystem final : public ServiceSystem {
 public:
  serve::ServerPlatform& platform() override { return platform_; }
  void run_one_for(std::chrono::nanoseconds longest) override { loop_.run_one_for(longest); }
  bool end_wanted() const override { return end_signals_.noted() != 0; }
  std::time_t time_of_day() const override { return std::time(nullptr); }
  serve::AccessLog open_log(const std::string& file) override { return serve::AccessLog(std::filesystem::path(file)); }

 private:
  /// Noted by a handler: boost::asio::signal_set has a pipe, and loses signals without a word where that is not watched.
  Interruption end_signals_;
  boost::asio::io_context loop_{1};
  serve::AsioPlatform platform_{loop_};
};

}  // namespace

void serve_switch(Device& device, const ServiceOptions& options, std::ostream& out) {
  try {
    MachineSystem system;
    serve_switch(device, options, out, system);
  } catch (const boost::system::system_error& failure) {  // Boost's own, which is no std::system_error
    throw Error(ErrorKind::run, std::string("the system refuses what is needed: ") + failure.what());
  }
}

}  // namespace ocs
