// Finds the compiled switch that parameters name; builds it if it isn't there yet.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "host/rtl/build.hpp"
#include "host/rtl/compiled_switch.hpp"
#include "host/rtl/parameters.hpp"
#include "host/rtl/places.hpp"

namespace ocs::rtl {

struct StoredSwitch {
  Parameters parameters;
  std::filesystem::path object;
  bool shipped = false;  ///< came with the program
  bool intact = true;    ///< its seal is what it has to be
  bool current = true;   ///< made of the RTL as it is now
  std::uintmax_t bytes = 0;
};

class Store {
 public:
  using Notice = std::function<void(const std::string& sentence)>;

  /// @param notice hears of builds that begin or are waited for, and of damaged objects. @param jobs compilers at once;
  /// 0: one for each processor.
  Store(Places places, Notice notice, unsigned jobs = 0);

  /// The object, intact and made of the RTL as it is now: one that came with the program, else one of the cache, else
  /// it is built there. Processes that want the same object wait for the one that builds it.
  /// @throws Error (input) for parameters out of range; Error (run) if it can't be built: says why.
  std::filesystem::path object(const Parameters& parameters) const;

  /// Empty if object() will find it or has the tools to build it; else why not, and which sizes of this kind there are.
  std::string unavailable(const Parameters& parameters) const;

  /// All objects, shipped ones first, then by name.
  std::vector<StoredSwitch> list() const;

  /// Removes all objects of the cache, and what ended builds left. @return bytes that were removed.
  std::uintmax_t clean() const;

  /// Builds into `file`, through the cache: for objects that are to come with the program.
  void ship(const Parameters& parameters, const std::filesystem::path& file) const;

  const Places& places() const { return places_; }

 private:
  std::filesystem::path in_cache(const Parameters& parameters, const std::string& sources) const;
  std::filesystem::path built_once(const Parameters& parameters, const std::string& sources, const Toolchain& tools,
                                   const std::filesystem::path& object) const;
  std::filesystem::path built(const Parameters& parameters, const std::string& sources, const Toolchain& tools,
                              const std::filesystem::path& object) const;

  Places places_;
  Notice notice_;
  unsigned jobs_;
};

/// Names a folder: all switches but those with waveforms then count what they reach, and write it there when the program
/// ends.
constexpr const char* coverage_variable = "LIGHTLOOP_COVERAGE_FOLDER";

/// The switch of these parameters, found or built once in this process. Notices go to the standard error.
/// @throws Error (input): coverage_variable names no folder; as Store::object.
std::shared_ptr<const CompiledSwitch> compiled_switch(const Parameters& parameters);

}  // namespace ocs::rtl
