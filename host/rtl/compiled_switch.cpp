// Objects are never unloaded: counts of coverage are written, and sanitizers name functions, when the program ends.
// SPDX-License-Identifier: Apache-2.0
#include "host/rtl/compiled_switch.hpp"

#include <dlfcn.h>

#include <span>

namespace ocs::rtl {

void* Instance::find(std::string_view name, std::size_t& bytes) const {
  for (const lightloop_pin& pin : std::span(made_->pins, made_->pin_count))
    if (pin.name == name) {
      bytes = pin.bytes;
      return pin.place;
    }
  return nullptr;
}

void Instance::wrong_pin(std::string_view name, std::size_t bytes, std::size_t wanted) {
  throw Error(ErrorKind::internal, "the compiled switch has a pin " + std::string(name) + " of " +
                                       std::to_string(bytes) + " bytes where " + std::to_string(wanted) +
                                       " are needed");
}

void Instance::open_waveform(const std::string& file) {
  if (made_->open_waveform == nullptr)
    throw Error(ErrorKind::input,
                "this switch was compiled without waveforms; none can be written to \"" + file + "\"");
  made_->open_waveform(made_.get(), file.c_str());
}

CompiledSwitch::CompiledSwitch(const std::filesystem::path& object) : object_(object), make_(nullptr) {
  void* handle = dlopen(object.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (handle != nullptr) make_ = reinterpret_cast<decltype(make_)>(dlsym(handle, "lightloop_make_switch"));
  if (make_ == nullptr)
    throw Error(ErrorKind::run, "the compiled switch \"" + object.string() + "\" can't be loaded: " + dlerror());
  using WavesOf = decltype(&lightloop_switch_waves);
  if (const auto waves = reinterpret_cast<WavesOf>(dlsym(handle, "lightloop_switch_waves"))) waves_ = waves();
  using CoverageOf = decltype(&lightloop_switch_coverage);
  if (const auto coverage = reinterpret_cast<CoverageOf>(dlsym(handle, "lightloop_switch_coverage")))
    coverage_ = coverage();
}

Instance CompiledSwitch::make() const {
  lightloop_switch* made = make_(LIGHTLOOP_SWITCH_ABI);
  if (made == nullptr)
    throw Error(ErrorKind::run, "the compiled switch \"" + object_.string() +
                                    "\" belongs to another version of lightloop; `lightloop rtl clean` removes it");
  return Instance(made);
}

}  // namespace ocs::rtl
