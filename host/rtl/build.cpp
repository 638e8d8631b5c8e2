// Which files and options make which object. Measured times: docs/rtl-objects.md.
// SPDX-License-Identifier: Apache-2.0
#include "host/rtl/build.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>

#include "host/core/error.hpp"
#include "host/rtl/seal.hpp"
#include "host/rtl/tool_run.hpp"

namespace ocs::rtl {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr int oldest_verilator = 5006;          // 5.006
constexpr int most_entries = 256;               // of an array in a waveform
constexpr std::uintmax_t unit_bytes = 400'000;  // of generated code that one compiler takes at once
const Words runtime_sources{"verilated.cpp", "verilated_threads.cpp"};

void append(Words& words, const Words& more) { words.insert(words.end(), more.begin(), more.end()); }

/// Files that no object of these parameters reads aren't part of its hash.
bool read_by(const Parameters& parameters, const fs::path& relative) {
  constexpr std::array<std::string_view, 6> suffixes{".sv", ".svh", ".f", ".vlt", ".h", ".cpp"};
  if (std::ranges::find(suffixes, relative.extension().string()) == suffixes.end()) return false;
  const std::string folder = relative.begin()->string();
  if (folder == "fpga") return false;
  if (folder == "checks") return parameters.checks;
  if (folder == "waves") return parameters.waves;
  if (folder == "coverage") return parameters.coverage;
  if (folder == "skew") return parameters.short_cycle;
  if (folder == "fast") return parameters.core != Core::counter;
  return folder != "soc" || parameters.core == Core::soc;
}

std::vector<fs::path> files_of(const Places& places, const Parameters& parameters) {
  std::error_code failure;
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(places.sources, failure))
    if (entry.is_regular_file() && read_by(parameters, fs::relative(entry.path(), places.sources)))
      files.push_back(entry.path());
  if (files.empty())
    throw Error(ErrorKind::run, "the RTL isn't in \"" + places.sources.string() + "\", where it is to be built from");
  std::ranges::sort(files);
  if (parameters.core == Core::soc) files.push_back(places.picorv32);  // last, wherever it is
  return files;
}

/// "Verilator 5.006 2023-01-22" is 5006; 0 if it is nothing of the kind.
int version_number(const std::string& text) {
  std::istringstream words(text);
  std::string name, version;
  words >> name >> version;
  const std::size_t dot = version.find('.');
  if (name != "Verilator" || dot == std::string::npos || version.find_first_not_of("0123456789.") != std::string::npos)
    return 0;
  constexpr int major = 1000;
  return std::stoi(version.substr(0, dot)) * major + std::stoi(version.substr(dot + 1, 3));
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

std::string top_of(const Parameters& parameters) {
  if (parameters.short_cycle) return "ocs_skew_top";
  constexpr std::array<const char*, 3> tops{"ocs_top", "ocs_fast_top", "ocs_soc"};
  return tops.at(static_cast<std::size_t>(parameters.core));
}

/// A waveform has every array with an entry for each port; longer ones are memories, which would fill it.
Words waves_options(const fs::path& folder, Core core) {
  return {"--trace-fst",
          "--trace-max-array",
          std::to_string(most_entries),
          "--trace-max-width",
          "0",
          "--timescale-override",
          "1ps/1ps",
          (folder / "ocs_waves.vlt").string(),
          "-F",
          (folder / (core == Core::counter ? "ocs_waves.f" : "ocs_fast_waves.f")).string()};
}

/// What Verilator reads, and how: as the lint of tests does.
Words verilator_command(const Places& places, const Parameters& p, const fs::path& folder) {
  const fs::path& rtl = places.sources;
  Words out{places.verilator, "--cc", "--prefix", "Vocs", "--top-module", top_of(p), "--Mdir", folder.string()};
  append(out, {"-Wall", "-GN=" + std::to_string(p.ports), "-GS=" + std::to_string(p.sequencer_entries),
               "-GFifoDepth=" + std::to_string(p.fifo_depth), "--x-assign", "fast", "--x-initial", "fast",
               "--unroll-count", "4"});
  if (p.core != Core::soc) out.push_back("-GOptions=" + std::to_string(p.options));
  if (p.core == Core::fast) out.push_back("-GLanes=" + std::to_string(p.lanes));
  // Without the last ones a branch is counted by values at the end of its block, after it has
  // changed what it asked for.
  if (p.coverage) append(out, {"--coverage", "-fno-split", "-fno-reorder", "-Wno-UNOPTFLAT"});
  out.push_back((rtl / "ocs.vlt").string());
  if (p.core == Core::soc)
    append(out, {"--timescale", "1ns/1ps", (rtl / "soc/ocs_soc.vlt").string(), places.picorv32.string()});
  append(out, {"-F", (rtl / (p.core == Core::counter ? "ocs.f" : "ocs_fast.f")).string()});
  if (p.core == Core::soc) append(out, {"-F", (rtl / "soc/ocs_soc.f").string()});
  if (p.short_cycle) append(out, {"-F", (rtl / "skew/ocs_skew.f").string()});
  if (p.waves) append(out, waves_options(rtl / "waves", p.core));
  if (p.checks)
    append(out,
           {"--assert", "-F", (rtl / "checks/ocs_checks.f").string(), "-F", (rtl / "checks/axil_checks.f").string()});
  return out;
}

/// The fast core's code calls the runtime at each edge, and its functions call one another: within one translation
/// unit an edge takes 5 to 15 % less time. Code that grows with the ports is compiled in pieces instead.
bool in_one_unit(const Parameters& p) { return p.core == Core::fast && !p.checks && !p.waves && !p.coverage; }

/// Generated files that belong into one translation unit each: reading headers takes long, and so do large functions.
std::vector<Words> translation_units(const fs::path& folder, const Parameters& parameters) {
  std::vector<std::pair<std::uintmax_t, std::string>> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".cpp") files.emplace_back(entry.file_size(), entry.path().filename().string());
  std::ranges::sort(files);
  std::vector<Words> slow(1), fast(1);
  std::uintmax_t slow_bytes = 0, fast_bytes = 0;
  for (const auto& [size, name] : files) {
    const bool is_slow = name.find("__Slow") != std::string::npos;
    std::vector<Words>& units = is_slow ? slow : fast;
    std::uintmax_t& bytes = is_slow ? slow_bytes : fast_bytes;
    if (bytes > 0 && bytes + size > unit_bytes && !(in_one_unit(parameters) && !is_slow)) {
      units.emplace_back();
      bytes = 0;
    }
    units.back().push_back(name);
    bytes += size;
  }
  append(fast.front(), {parameters.waves      ? "switch_with_waves.cpp"
                        : parameters.coverage ? "switch_with_coverage.cpp"
                                              : "switch_object.cpp"});
  if (in_one_unit(parameters)) append(fast.front(), runtime_sources);
  std::ranges::reverse(fast);  // the largest first
  for (Words& unit : slow)
    if (!unit.empty()) fast.push_back(std::move(unit));
  return fast;
}

/// The folder of verilated.h and the runtime's sources. Verilator takes long to answer, so only a build asks it.
std::string includes_of(const Places& places) {
  return first_line(output_of({places.verilator, "--getenv", "VERILATOR_ROOT"})) + "/include";
}

Words headers_in(const std::string& includes) { return {"-isystem", includes, "-isystem", includes + "/vltstd"}; }

/// Writes `unit`K.cpp for each translation unit. @param headers options that name those of Verilator's runtime.
/// @return calls that compile them to `unit`K.o.
std::vector<ToolCall> compile_calls(const Places& places, const Parameters& parameters, const Words& headers,
                                    const fs::path& folder) {
  std::vector<ToolCall> calls;
  for (const Words& files : translation_units(folder, parameters)) {
    const std::string name = "unit" + std::to_string(calls.size());
    std::ofstream unit(folder / (name + ".cpp"));
    for (const std::string& file : files) unit << "#include \"" << file << "\"\n";
    const bool slow = files.front().find("__Slow") != std::string::npos;
    Words command{places.compiler};
    append(command, compiler_flags(places, parameters));
    if (slow) command.emplace_back("-O0");  // what is executed once
    append(command, {"-DLIGHTLOOP_OBJECT_NAME=\"" + name_of(parameters) + "\"", "-I.",
                     "-I" + (places.sources / "object").string(), "-I" + (places.sources / "waves").string(),
                     "-I" + (places.sources / "coverage").string()});
    append(command, headers);
    append(command, {"-c", name + ".cpp", "-o", name + ".o"});
    calls.push_back({command, folder, folder / (name + ".log")});
  }
  return calls;
}

/// The parts of Verilator's runtime that are the same for all objects: compiled once and kept in one folder.
class Runtime {
 public:
  Runtime(const Places& places, const Parameters& parameters, const Toolchain& tools, std::string includes,
          fs::path folder)
      : places_(places), includes_(std::move(includes)), kept_(std::move(folder)) {
    if (!in_one_unit(parameters)) sources_ = runtime_sources;
    if (parameters.waves) sources_.emplace_back("verilated_fst_c.cpp");
    if (parameters.coverage) sources_.emplace_back("verilated_cov.cpp");
    Words pieces = compiler_flags(places, Parameters{});
    append(pieces, {places.compiler, tools.compiler_version, tools.verilator_version});
    hash_ = hash_of(pieces);
  }

  /// Adds a call for each part that isn't there yet. @return all objects, some of them yet to be compiled in `folder`.
  Words objects(const fs::path& folder, std::vector<ToolCall>& calls) const {
    Words objects;
    for (const std::string& source : sources_) {
      objects.push_back(kept(source).string());
      if (fs::exists(kept(source))) continue;
      objects.back() = (folder / source).replace_extension(".o").string();
      calls.push_back({command(source, objects.back()), folder, folder / (source + ".log")});
    }
    return objects;
  }

  /// Those that were compiled in `folder` are for the next switch, too. Renaming replaces a file at once.
  void keep(const fs::path& folder) const {
    for (const std::string& source : sources_)
      if (const fs::path object = (folder / source).replace_extension(".o"); fs::exists(object))
        fs::rename(object, kept(source));
  }

 private:
  fs::path kept(const std::string& source) const {
    return kept_ / ("runtime-" + fs::path(source).stem().string() + "-" + hash_ + ".o");
  }

  Words command(const std::string& source, const std::string& object) const {
    Words out{places_.compiler};
    append(out, compiler_flags(places_, Parameters{}));
    append(out, headers_in(includes_));
    append(out, {"-c", includes_ + "/" + source, "-o", object});
    return out;
  }

  const Places& places_;
  std::string includes_;
  fs::path kept_;
  Words sources_;
  std::string hash_;
};

/// @throws Error (run): the compiler doesn't find it; names the package.
void check_zlib(const Places& places, const fs::path& folder) {
  const Words command{places.compiler, "-shared",   "-fPIC", "-include", "zlib.h", "-x",
                      "c++",           "/dev/null", "-lz",   "-o",       "zlib.so"};
  try {
    run_tools({{command, folder, folder / "zlib.log"}}, 1);
  } catch (const Error&) {
    throw Error(ErrorKind::run, "waveforms are compressed by zlib, which \"" + places.compiler +
                                    "\" doesn't find; Debian's package zlib1g-dev has it");
  }
}

}  // namespace

std::string hash_of_sources(const Places& places, const Parameters& parameters) {
  Words pieces{name_of(parameters)};
  for (const fs::path& file : files_of(places, parameters)) {
    pieces.push_back(file.filename().string());
    pieces.push_back(contents_of(file));
  }
  return hash_of(pieces);
}

Toolchain toolchain_of(const Places& places) {
  Toolchain tools;
  tools.verilator_version = first_line(output_of({places.verilator, "--version"}));
  if (tools.verilator_version.empty())
    throw Error(ErrorKind::run,
                "Verilator is missing (\"" + places.verilator + "\"); Debian's package verilator has it");
  if (version_number(tools.verilator_version) < oldest_verilator)
    throw Error(ErrorKind::run, "Verilator is too old (\"" + tools.verilator_version + "\"); 5.006 or later is needed");
  tools.compiler_version = first_line(output_of({places.compiler, "--version"}));
  if (tools.compiler_version.empty())
    throw Error(ErrorKind::run, "the C++ compiler \"" + places.compiler +
                                    "\" is missing; Debian's package g++ has one, and CXX names another");
  return tools;
}

Words compiler_flags(const Places& places, const Parameters& p) {
  Words flags{"-std=c++20",
              p.checks ? "-O1" : "-O2",
              "-DNDEBUG",
              "-w",
              "-fPIC",
              "-fvisibility=hidden",
              "-fvisibility-inlines-hidden",
              "-DVM_SC=0",
              "-DVM_TRACE_VCD=0"};
  for (const auto& [name, on] :
       {std::pair{"-DVM_COVERAGE=", p.coverage}, {"-DVM_TRACE=", p.waves}, {"-DVM_TRACE_FST=", p.waves}})
    flags.push_back(std::string(name) + (on ? "1" : "0"));
  std::istringstream more(places.compiler_flags);
  for (std::string flag; more >> flag;) flags.push_back(flag);
  return flags;
}

fs::path build(const Places& places, const Parameters& parameters, const Toolchain& tools, const fs::path& folder,
               const fs::path& runtime_folder, unsigned jobs) {
  if (parameters.waves) check_zlib(places, folder);
  run_tools({{verilator_command(places, parameters, folder), folder, folder / "verilator.log"}}, 1);
  const std::string includes = includes_of(places);
  std::vector<ToolCall> calls = compile_calls(places, parameters, headers_in(includes), folder);
  Words link{places.compiler, "-shared", "-o", "switch.so"};
  for (std::size_t k = 0; k < calls.size(); ++k) link.push_back("unit" + std::to_string(k) + ".o");
  const Runtime runtime(places, parameters, tools, includes, runtime_folder);
  append(link, runtime.objects(folder, calls));
  link.emplace_back("-pthread");
  if (parameters.waves) link.emplace_back("-lz");
  run_tools(calls, jobs);
  run_tools({{link, folder, folder / "link.log"}}, 1);
  runtime.keep(folder);
  return folder / "switch.so";
}

}  // namespace ocs::rtl
