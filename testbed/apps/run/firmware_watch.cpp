// Two files, two callbacks of the mailbox.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/apps/run/firmware_watch.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>

#include "testbed/workloads/input.hpp"

namespace ocs {
namespace {

[[noreturn]] void cannot_write(const char* option, const std::string& name) {
  throw Error(ErrorKind::input,
              std::string(option) + " " + in_quotes(name) + " can't be written: " + std::strerror(errno));
}

void open(std::ofstream& file, const char* option, const std::string& name) {
  if (name.empty() || name == "-") return;
  file.open(name, std::ios::trunc);
  if (!file) cannot_write(option, name);
}

std::ostream& where(std::ofstream& file) { return file.is_open() ? file : std::cerr; }

}  // namespace

FirmwareWatch::FirmwareWatch(const FirmwareFiles& files) : files_(files) {
  open(log_, "--firmware-log", files.log);
  open(trace_, "--firmware-trace", files.trace);
}

void FirmwareWatch::attach(Device& device, std::optional<std::size_t> plane, const Mailbox::ConsoleLine& see) {
  Mailbox* const mailbox = device.mailbox();
  if (see && mailbox != nullptr && files_.log.empty()) mailbox->on_console(see);
  if (!files_.any()) return;
  if (!mailbox)
    throw Error(ErrorKind::input, std::string(files_.log.empty() ? "--firmware-trace" : "--firmware-log") +
                                      " needs a device with firmware: \"soc\"");
  const std::string after_cycle = plane ? " plane " + std::to_string(*plane) + " " : " ";
  if (!files_.log.empty())
    mailbox->on_console([this, after_cycle, see](Cycles at, std::string_view line) {
      where(log_) << at.n << after_cycle << line << "\n";
      if (see) see(at, line);
    });
  if (!files_.trace.empty())
    mailbox->on_fetch([this, mailbox, after_cycle](Cycles at, std::uint32_t address) {
      std::array<char, 16> hex{};
      std::snprintf(hex.data(), hex.size(), "0x%08x", address);
      where(trace_) << at.n << after_cycle << hex.data() << " " << mailbox->function_at(address) << "\n";
    });
}

void FirmwareWatch::finish() {
  if (log_.is_open() && !log_.flush()) cannot_write("--firmware-log", files_.log);
  if (trace_.is_open() && !trace_.flush()) cannot_write("--firmware-trace", files_.trace);
}

}  // namespace ocs
