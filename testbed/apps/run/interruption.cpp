// Notes signals.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/apps/run/interruption.hpp"

namespace ocs {
namespace {

volatile std::sig_atomic_t signal_noted = 0;  // a signal handler reaches nothing else

void note(int signal) { signal_noted = signal; }

void install(int signal, struct sigaction& before) {
  struct sigaction action {};
  action.sa_handler = note;
  action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);  // the second one does what it usually does
  sigemptyset(&action.sa_mask);
  sigaction(signal, nullptr, &before);
  if (before.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);
}

}  // namespace

Interruption::Interruption() {
  signal_noted = 0;
  install(SIGINT, before_int_);
  install(SIGTERM, before_term_);
  install(SIGHUP, before_hang_up_);
}

Interruption::~Interruption() {
  sigaction(SIGINT, &before_int_, nullptr);
  sigaction(SIGTERM, &before_term_, nullptr);
  sigaction(SIGHUP, &before_hang_up_, nullptr);
}

int Interruption::noted() const { return signal_noted; }

void Interruption::check() const {
  if (signal_noted != 0) throw Interrupted(signal_noted, "interrupted");
}

}  // namespace ocs
