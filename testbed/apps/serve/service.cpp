// One event loop; passwords alone are judged beside it.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/apps/serve/service.hpp"

#include <chrono>
#include <exception>
#include <iostream>
#include <memory>
#include <optional>
#include <string>

#include "host/control_plane/http/session.hpp"
#include "host/control_plane/net/password_authenticator.hpp"
#include "host/control_plane/net/server.hpp"
#include "host/control_plane/pace.hpp"
#include "host/control_plane/scpi/session.hpp"
#include "host/control_plane/tl1/session.hpp"
#include "host/device/switches.hpp"
#include "testbed/experiment/quantity.hpp"

namespace ocs {
namespace {

using namespace std::chrono_literals;
using serve::Dialect;

constexpr auto tick = 1ms;              // how often the switch goes on by itself
constexpr auto longest_wait = 100ms;    // for something to do, before a signal is asked for again
constexpr auto work_in_a_tick = 800us;  // of that, for the switch at most

/// The first thing that goes wrong ends it.
class Service {
 public:
  Service(Device& device, const ServiceOptions& options, std::ostream& out, ServiceSystem& system);
  void run();

 private:
  std::unique_ptr<serve::Authenticator> make_authenticator(const ServiceOptions& options);
  void next_tick();
  void note(const serve::Peer& peer, const std::string& what);
  void fail(std::exception_ptr failure) {
    if (!failure_) failure_ = std::move(failure);
  }
  void guarded(const std::function<void()>& work) {
    try {
      work();
    } catch (...) {
      fail(std::current_exception());
    }
  }

  ServiceSystem& system_;
  std::shared_ptr<boost::asio::ssl::context> tls_;
  std::unique_ptr<Switch> plane_;
  serve::SwitchService service_;
  serve::Pace pace_;
  std::unique_ptr<serve::Authenticator> authenticator_;
  std::optional<serve::AccessLog> log_;
  serve::ServerContext server_context_;
  serve::tl1::Element element_;
  std::unique_ptr<serve::Timer> timer_;
  serve::Server server_;
  std::exception_ptr failure_;
};

std::unique_ptr<serve::Authenticator> Service::make_authenticator(const ServiceOptions& options) {
  if (!options.logins) return std::make_unique<serve::OpenAuthenticator>();
  return std::make_unique<serve::PasswordAuthenticator>(*options.logins, system_.platform(),
                                                        [this] { server_.go_on(); });
}

Service::Service(Device& device, const ServiceOptions& options, std::ostream& out, ServiceSystem& system)
    : system_(system),
      tls_(options.tls),
      plane_(make_switch(device, {.delays = options.delays})),
      service_(*plane_),
      pace_(service_, device.clock().kind(), options.speed,
            [&system] { return system.platform().now().time_since_epoch(); }),
      authenticator_(make_authenticator(options)),
      server_context_{{.authenticator = *authenticator_, .limits = options.limits, .names = options.http_names},
                      service_,
                      // A path behind the device's name has no place in answers.
                      {.device = options.device.substr(0, options.device.find(':')),
                       .version = options.version,
                       .preset = options.preset,
                       .speed = options.speed},
                      [&system] { return system.time_of_day(); }},
      timer_(system.platform().make_timer()),
      server_(
          system.platform(), server_context_,
          [this] {
            if (!pace_.behind()) pace_.keep_up(work_in_a_tick);
          },
          [this](std::exception_ptr failure) { fail(std::move(failure)); }) {
  if (!options.log.empty()) {
    log_ = system_.open_log(options.log);
    server_context_.note = [this](const serve::Peer& peer, const std::string& what) { note(peer, what); };
  }
  server_context_.lag_seconds = [this] {
    return static_cast<double>(pace_.lag().n) * static_cast<double>(service_.cycle().n) * 1e-12;
  };
  out << "device " << options.device << ", " << service_.ports() << " ports, cycle "
      << to_text(service_.cycle().n, Dimension::time) << ", speed " << options.speed << (tls_ ? ", TLS" : "") << '\n';
  const auto open = [&](Dialect dialect, const char* name, std::optional<std::uint16_t> port,
                        serve::Server::Maker maker) {
    if (!port) return;
    const std::uint16_t chosen = server_.listen(dialect, options.address, *port, std::move(maker), tls_.get());
    const bool colons = options.address.find(':') != std::string::npos;
    out << name << "  " << (colons ? "[" : "") << options.address << (colons ? "]:" : ":") << chosen << '\n';
  };
  open(Dialect::scpi, "SCPI", options.scpi, [this, end = options.scpi_end](const std::string& from) {
    return serve::scpi::make_session(server_context_, end, from);
  });
  open(Dialect::tl1, "TL1 ", options.tl1,
       [this](const std::string& from) { return serve::tl1::make_session(server_context_, element_, from); });
  open(Dialect::http, "HTTP", options.http,
       [this](const std::string& from) { return serve::http::make_session(server_context_, from); });
  out << std::flush;
}

/// A full disk doesn't take the switch away from its clients.
void Service::note(const serve::Peer& peer, const std::string& what) {
  if (!log_) return;
  try {
    log_->note(peer, what, system_.platform().now());
  } catch (const Error& failure) {
    std::cerr << "lightloop: warning: " << failure.what() << "; nothing more is logged\n";
    log_.reset();
  }
}

void Service::next_tick() {
  timer_->async_wait(tick, [this](boost::system::error_code error) {
    if (error) return;
    guarded([this] {
      pace_.keep_up(work_in_a_tick);
      server_.go_on();
    });
    next_tick();
  });
}

void Service::run() {
  next_tick();
  while (!failure_ && !system_.end_wanted()) system_.run_one_for(longest_wait);
  server_.stop();
  if (failure_) std::rethrow_exception(failure_);
}

}  // namespace

void serve_switch(Device& device, const ServiceOptions& options, std::ostream& out, ServiceSystem& system) {
  Service(device, options, out, system).run();
}

}  // namespace ocs
