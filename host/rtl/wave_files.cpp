// Blocks of an FST file by their headers, and the text files that viewers read.
// SPDX-License-Identifier: Apache-2.0
#include "host/rtl/wave_files.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <set>
#include <string>

#include "host/core/error.hpp"

namespace ocs::rtl {
namespace {

namespace fs = std::filesystem;

// Kinds of blocks (fstapi.h). Names of signals come packed in one of three ways.
constexpr int header_block = 0, geometry_block = 3, values_block = 8;
constexpr std::array name_blocks{4, 6, 7};

constexpr std::array<const char*, 3> scopes{"TOP.ocs_top.u_core.u_ports.", "TOP.ocs_fast_top.u_core.u_view.u_ports.",
                                            "TOP.ocs_soc.u_switch.u_core.u_view.u_ports."};  // by Core

void write(const fs::path& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out << text;
  out.close();
  if (!out) throw Error(ErrorKind::run, "the view \"" + file.string() + "\" of a waveform can't be written");
}

std::string scope_of(const WaveView& view, int port) {
  return scopes.at(static_cast<std::size_t>(view.core)) + ("port[" + std::to_string(port) + "].");
}

/// Its format is that of the files which GTKWave saves: flags in hexadecimal before the signals that have them.
std::string gtkwave_view(const WaveView& view, bool has_names) {
  constexpr double frames = 5;  // units of GTKWave's zoom in its window
  const double picoseconds = std::max(frames, static_cast<double>((view.to - view.from).n));
  const std::string code = has_names ? "@100000028\n" : "@28\n";  // binary; by the names of an enumeration
  std::string text = "[timestart] " + std::to_string(view.from.n) + "\n[size] 1400 900\n*" +
                     std::to_string(-std::log2(picoseconds / frames)) + " " + std::to_string(view.mark.n) + "\n";
  for (const int port : view.ports) {
    const std::string scope = scope_of(view, port);
    text += "@200\n-port " + std::to_string(port) + "\n";  // a line of text
    text += code + scope + "state[2:0]\n";
    text += "@424\n" + scope + "selects[15:0]\n";  // decimal, signed
    text += "@28\n" + scope + "disturbed\n";
    text += scope + "dim\n";
    text += code + scope + "engine[1:0]\n";
  }
  return text;
}

std::string surfer_view(const WaveView& view) {
  std::string text;
  for (const int port : view.ports) {
    const std::string scope = scope_of(view, port);
    // Surfer takes one word for the name of a divider.
    text += "divider_add port_" + std::to_string(port) + "\n";
    for (const char* signal : {"state", "selects", "disturbed", "dim", "engine"})
      text += "variable_add " + scope + signal + "\n";
  }
  return text + "cursor_set " + std::to_string(view.mark.n) + "\nzoom_fit\n";
}

}  // namespace

bool is_whole_fst(const fs::path& file) {
  constexpr std::uint64_t length_bytes = 8;  // which a block's length counts, but not its kind
  std::ifstream in(file, std::ios::binary);
  std::error_code failure;
  const std::uint64_t size = fs::file_size(file, failure);
  std::set<int> kinds;
  std::uint64_t at = 0;
  while (in && !failure && at < size) {
    std::array<unsigned char, 1 + length_bytes> head{};
    in.seekg(static_cast<std::streamoff>(at));
    if (!in.read(reinterpret_cast<char*>(head.data()), head.size())) return false;
    std::uint64_t length = 0;
    for (std::size_t k = 1; k < head.size(); ++k) length = length << 8U | head.at(k);
    if (length < length_bytes || length > size - at - 1) return false;
    kinds.insert(head[0]);
    at += 1 + length;
  }
  return at == size && kinds.contains(header_block) && kinds.contains(geometry_block) && kinds.contains(values_block) &&
         std::ranges::any_of(name_blocks, [&](int kind) { return kinds.contains(kind); });
}

void write_views(const fs::path& waveform, const WaveView& view) {
  const auto beside = [&](const char* suffix) { return fs::path(waveform).replace_extension(suffix); };
  write(beside(".gtkw"), gtkwave_view(view, waveform.extension() == ".fst"));
  write(beside(".sucl"), surfer_view(view));
}

}  // namespace ocs::rtl
