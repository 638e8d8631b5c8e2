// A switch that was compiled from the RTL: the loaded object, and the switches it makes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "host/core/error.hpp"
#include "rtl/coverage/coverage_abi.h"
#include "rtl/object/switch_abi.h"
#include "rtl/waves/waves_abi.h"

namespace ocs::rtl {

/// One switch: its pins by name, and its evaluation. The object stays loaded until the program ends.
class Instance {
 public:
  explicit Instance(lightloop_switch* made) : made_(made) {}
  /// Gives the switch away. @return who takes it calls its `destroy`.
  lightloop_switch* release() { return made_.release(); }

  void eval() { made_->eval(made_.get()); }
  bool failed() const { return made_->failed(made_.get()) != 0; }

  /// The pin, if there is one. @param bytes its size, if the pin exists.
  void* find(std::string_view name, std::size_t& bytes) const;

  /// @throws Error (internal) if there is no such pin or it has another size.
  template <class T>
  T& pin(std::string_view name) const {
    std::size_t bytes = 0;
    void* place = find(name, bytes);
    if (place == nullptr || bytes != sizeof(T)) wrong_pin(name, bytes, sizeof(T));
    return *static_cast<T*>(place);
  }
  /// A variable that Verilator may have left out: nullptr then.
  template <class T>
  T* optional_pin(std::string_view name) const {
    std::size_t bytes = 0;
    void* place = find(name, bytes);
    return bytes == sizeof(T) ? static_cast<T*>(place) : nullptr;
  }

  /// @throws Error (input) if the object was compiled without waveforms.
  void open_waveform(const std::string& file);
  void dump_waveform(std::uint64_t step) { made_->dump_waveform(made_.get(), step); }
  void flush_waveform() { made_->flush_waveform(made_.get()); }

  /// What functions of an object take (waves_abi.h, coverage_abi.h).
  lightloop_switch* made() const { return made_.get(); }

 private:
  [[noreturn]] static void wrong_pin(std::string_view name, std::size_t bytes, std::size_t wanted);

  struct End {
    void operator()(lightloop_switch* made) const { made->destroy(made); }
  };
  std::unique_ptr<lightloop_switch, End> made_;
};

class CompiledSwitch {
 public:
  /// Loads an object whose seal is intact. @throws Error (run) if the loader refuses it.
  explicit CompiledSwitch(const std::filesystem::path& object);

  Instance make() const;
  /// Functions for its switches; nullptr: it was compiled without waveforms.
  const lightloop_waves* waves() const { return waves_; }
  /// Functions for its switches; nullptr: it was compiled without coverage.
  const lightloop_coverage* coverage() const { return coverage_; }
  const std::filesystem::path& object() const { return object_; }

 private:
  std::filesystem::path object_;
  decltype(&lightloop_make_switch) make_;
  const lightloop_waves* waves_ = nullptr;
  const lightloop_coverage* coverage_ = nullptr;
};

}  // namespace ocs::rtl
