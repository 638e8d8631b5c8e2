// ZeroMQ and processes of this machine, for a runner of node processes.
// SPDX-License-Identifier: Apache-2.0
#include <utility>
#include <vector>
#include <zmq.hpp>

#include "host/core/error.hpp"
#include "host/transport/connection_guard.hpp"
#include "host/transport/local_address.hpp"
#include "host/transport/zmq_transport.hpp"
#include "testbed/coordinator/processes/child_process.hpp"
#include "testbed/coordinator/processes/machine_limits.hpp"
#include "testbed/coordinator/processes/private_folder.hpp"
#include "testbed/coordinator/runners/process_runner.hpp"
#include "testbed/coordinator/runners/runner_platform.hpp"

namespace ocs {
namespace {

constexpr std::size_t files_of_a_context = 32, threads_of_a_context = 3, files_of_a_node = 2;  // of ZeroMQ
constexpr std::size_t threads_of_a_node = 2 + threads_of_a_context;  // its own, and one that watches the coordinator

class SystemChild final : public NodeChild {
 public:
  SystemChild(const std::vector<std::string>& command, int inherit) : process_(command, inherit) {}
  std::uint32_t id() const override { return static_cast<std::uint32_t>(process_.id()); }
  std::optional<std::string> ended() override { return process_.ended(); }
  void wait(std::chrono::milliseconds patience) override { process_.wait(patience); }

 private:
  ChildProcess process_;
};

class SystemPlatform final : public RunnerPlatform {
 public:
  SystemPlatform(const ProcessRunnerSettings& settings, EndpointOf endpoint_of)
      : command_(settings.command), insecure_(settings.insecure) {
    require_files(files_of_a_context, "processes of nodes");
    require_threads(threads_of_a_context, "processes of nodes");
    std::string listen = settings.listen;
    if (listen.empty()) {
      if (settings.transport == "ipc") folder_.emplace();
      listen = folder_ ? "ipc://" + (folder_->path() / "lightloop").string() : "tcp://127.0.0.1:*";
    }
    if (!listen.starts_with(settings.transport + "://"))
      throw Error(ErrorKind::input, "nodes.listen is \"" + listen + "\", but must begin with " + settings.transport +
                                        ":// like nodes.transport");
    // A key of one run need not be hidden from this host's root, who alone sees what is sent over loopback.
    key_use_ = settings.keys.empty() && stays_on_this_host(listen) ? KeyUse::prove : KeyUse::encrypt;
    guard_.emplace(context_, key_of(settings), key_use_);
    auto zmq = std::make_unique<ZmqTransport>(
        context_, coordinator_id,
        [listen, others = std::move(endpoint_of)](std::uint16_t participant) {
          return participant == coordinator_id ? listen : others(participant);
        },
        &*guard_);
    zmq_ = zmq.get();
    endpoint_ = zmq_->endpoint();
    transport_ = settings.hook ? settings.hook(std::move(zmq)) : std::move(zmq);
    watch_ = zmq_->watch();
    if (settings.transport == "ipc") memory_.emplace();
  }

  Transport& transport() override { return *transport_; }
  std::string endpoint() const override { return endpoint_; }
  void set_job(std::uint32_t job) override { zmq_->set_job(job); }
  void admit_by(PeerProtocol::Admission admission) override { zmq_->admit_by(std::move(admission)); }
  std::string dropped() const override { return zmq_->dropped(); }
  void send_once(const std::string& endpoint, Message message, std::chrono::milliseconds patience) override {
    zmq_->send_once(endpoint, std::move(message), patience);
  }
  void linger(std::chrono::milliseconds patience) override { zmq_->linger(patience); }
  std::optional<std::string> lost() override {
    while (const auto change = watch_->next(std::chrono::milliseconds{0}))
      if (change->what == ConnectionWatch::Change::What::lost) return change->endpoint;
    return std::nullopt;
  }

  bool shares_memory() const override { return memory_.has_value(); }
  std::unique_ptr<NodeChild> start(Node node) override {
    std::vector<std::string> command = command_;
    command.insert(command.end(), {"--connect", endpoint_, "--id", std::to_string(index(node)), "--quiet"});
    const std::string inherited = std::to_string(ChildProcess::inherited_descriptor);
    if (memory_) command.insert(command.end(), {"--memory", inherited});
    if (inherited_key_) command.insert(command.end(), {"--key", "/proc/self/fd/" + inherited});
    if (key_use_ == KeyUse::prove) command.emplace_back("--unencrypted");
    if (insecure_) command.emplace_back("--insecure");
    return std::make_unique<SystemChild>(command, memory_          ? memory_->descriptor()
                                                  : inherited_key_ ? inherited_key_->descriptor()
                                                                   : -1);
  }
  void require(std::size_t nodes, std::size_t fresh) override {
    require_files(files_of_a_node * nodes, std::to_string(nodes) + " processes of nodes");
    require_threads(threads_of_a_node * fresh, std::to_string(fresh) + " processes of nodes");
  }

 private:
  /// Over ipc the kernel says whose a connection is.
  std::optional<NodeKey> key_of(const ProcessRunnerSettings& settings) {
    if (settings.transport != "tcp" || settings.insecure || (settings.keys.empty() && settings.expect > 0))
      return std::nullopt;
    NodeKey key = settings.keys.empty() ? make_node_key() : read_node_key(settings.keys);
    inherited_key_.emplace(key);
    return key;
  }

  std::vector<std::string> command_;
  bool insecure_;
  std::optional<PrivateFolder> folder_;
  std::optional<SharedMemory> memory_;
  KeyUse key_use_ = KeyUse::encrypt;
  std::optional<InheritedKey> inherited_key_;
  zmq::context_t context_{1};
  std::optional<ConnectionGuard> guard_;
  ZmqTransport* zmq_ = nullptr;
  std::string endpoint_;
  std::unique_ptr<Transport> transport_;
  std::unique_ptr<ConnectionWatch> watch_;  ///< goes before the transport
};

}  // namespace

std::unique_ptr<RunnerPlatform> make_system_platform(const ProcessRunnerSettings& settings,
                                                     RunnerPlatform::EndpointOf endpoint_of) {
  return std::make_unique<SystemPlatform>(settings, std::move(endpoint_of));
}

}  // namespace ocs
