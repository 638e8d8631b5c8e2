// Stands between a device and its switch, at the switch's own functions, so that every device is recorded alike.
// SPDX-License-Identifier: Apache-2.0
#include "host/rtl/waveform.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <numeric>
#include <optional>
#include <utility>

#include "host/core/error.hpp"
#include "host/rtl/store.hpp"
#include "host/rtl/wave_files.hpp"

namespace ocs::rtl {
namespace {

namespace fs = std::filesystem;

/// The writer of FST files maps temporary files into memory. It would end the program where there is no room for them.
constexpr std::uintmax_t temporary_bytes = 64'000'000;

/// The pins by which time is known, before an edge and after it.
struct ClockPins {
  explicit ClockPins(const Instance& made)
      : fabric(made.pin<std::uint8_t>("clk_i")),
        bus(made.pin<std::uint8_t>("bus_clk_i")),
        reset(made.pin<std::uint8_t>("rst_ni")),
        step(made.pin<std::uint32_t>("step_i")),
        time(made.pin<std::uint64_t>("time_o")),
        cycle_ps(made.pin<std::uint32_t>("cycle_ps_i")),
        core(made.optional_pin<std::uint8_t>("core_clk_i")),
        ahead(made.optional_pin<std::uint32_t>("ahead_i")) {}

  bool any() const { return fabric != 0 || bus != 0 || (core != nullptr && *core != 0); }
  /// Only the soft core moves, ahead of the fabric.
  bool only_core() const { return fabric == 0 && bus == 0 && core != nullptr && *core != 0; }
  std::uint64_t now() const { return time * cycle_ps; }
  /// The instant that follows the edge which these pins are about to make.
  std::uint64_t after_edge() const {
    const std::uint64_t more = only_core() ? std::uint64_t{*ahead} + 1 : fabric != 0 ? step : 0;
    return (time + more) * cycle_ps;
  }

  std::uint8_t &fabric, &bus, &reset;
  std::uint32_t& step;
  const std::uint64_t& time;
  const std::uint32_t& cycle_ps;
  std::uint8_t* core;
  const std::uint32_t* ahead;
};

/// Clocks as a waveform is to show them, for as long as values are written.
class ShownClocks {
 public:
  ShownClocks(ClockPins& pins, bool core) : pins_(pins), fabric_(pins.fabric), bus_(pins.bus) {
    if (pins_.core != nullptr) core_ = *pins_.core;
    set(0, 0, core ? 1 : 0);
  }
  ~ShownClocks() { set(fabric_, bus_, core_); }
  ShownClocks(const ShownClocks&) = delete;
  ShownClocks& operator=(const ShownClocks&) = delete;

 private:
  void set(std::uint8_t fabric, std::uint8_t bus, std::uint8_t core) {
    pins_.fabric = fabric;
    pins_.bus = bus;
    if (pins_.core != nullptr) *pins_.core = core;
  }
  ClockPins& pins_;
  std::uint8_t fabric_, bus_, core_ = 0;
};

std::string quoted(const fs::path& file) { return "\"" + file.string() + "\""; }

[[noreturn]] void refuse_file(const fs::path& file) {
  const std::string why = std::strerror(errno);
  refuse("the waveform " + quoted(file) + " can't be written: " + why);
}

void check_temporary_room() {
  std::error_code failure;
  const fs::space_info room = fs::space("/tmp", failure);  // where tmpfile() makes its files
  if (!failure && room.available < temporary_bytes)
    throw Error(ErrorKind::run, "a waveform needs 64 MB in /tmp while it is written, but less is free");
}

}  // namespace

/// The switch as its device sees it. The base comes first, so that a pointer to it is one to all of it.
class Waveform::Recorder : public lightloop_switch, public std::enable_shared_from_this<Recorder> {
 public:
  Recorder() : lightloop_switch{} {}
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;
  void begin(const fs::path& file, WaveWindow window);
  Instance record(Parameters parameters);
  void count_from(Picos origin);
  bool is_recording() const { return !file_.empty(); }
  void show_ports(std::vector<int> ports) { ports_ = std::move(ports); }
  WaveReport end();
  void discard();

 private:
  static Recorder& of(lightloop_switch* self) { return *static_cast<Recorder*>(self); }
  static fs::path part_of(const fs::path& file) { return file.string() + ".part"; }
  static fs::path fst_of(const fs::path& file) {
    return file.extension() == ".fst" ? part_of(file) : fs::path(file.string() + ".fst.part");
  }

  static void remove_parts(const fs::path& file) {
    std::error_code none;
    fs::remove(part_of(file), none);
    fs::remove(fst_of(file), none);
  }

  void edge();
  void record_edge();
  void before_edge(std::uint64_t next);
  void write(std::uint64_t at);
  void write_still(std::uint64_t at);
  void write_core_edge();
  void open();
  void close(std::uint64_t now);
  void end_of_switch();
  void finish_file(const fs::path& file, const fs::path& fst);

  std::shared_ptr<Recorder> self_;  ///< while there is a switch
  std::uint64_t now() const { return pins_->now() - std::min(origin_, pins_->now()); }

  std::uint64_t origin_ = 0;
  bool has_origin_ = false;
  lightloop_switch* inner_ = nullptr;
  const lightloop_waves* waves_ = nullptr;
  std::optional<ClockPins> pins_;
  Parameters parameters_;
  std::vector<int> ports_;

  fs::path file_;  ///< empty: nothing is recorded
  WaveWindow window_;
  std::uint64_t from_ = 0, to_ = 0;  ///< of the window
  std::string problem_;              ///< the rest of a sentence
  bool open_ = false, over_ = false;
  std::optional<std::uint64_t> first_, last_;  ///< instants that were written
  std::optional<std::uint64_t> core_edge_;     ///< instant of an edge of the soft core that is not written yet
  std::uint64_t instant_ = 0, edges_ = 0;      ///< edges at one instant, after the first
  std::uint64_t now_ = 0;
};

void Waveform::Recorder::begin(const fs::path& file, WaveWindow window) {
  if (file.extension() != ".fst" && file.extension() != ".vcd")
    refuse("the waveform " + quoted(file) + " must end in .fst or .vcd, which is its format");
  if (window.to <= window.from) refuse("a waveform must end later than it begins");
  discard();
  check_temporary_room();
  errno = fs::is_directory(file) ? EISDIR : 0;
  if (errno != 0 || !std::ofstream(part_of(file), std::ios::binary | std::ios::trunc)) refuse_file(file);
  file_ = file;
  window_ = window;
  from_ = static_cast<std::uint64_t>(window.from.n);
  if (inner_ != nullptr) from_ = std::max(from_, now());  // what has been is not known
  to_ = static_cast<std::uint64_t>(window.to.n);
  problem_.clear();
  over_ = false;
  first_.reset();
  last_.reset();
}

Instance Waveform::Recorder::record(Parameters parameters) {
  parameters.waves = true;
  parameters_ = parameters;
  const auto compiled = compiled_switch(parameters);
  waves_ = compiled->waves();
  has_origin_ = parameters.core != Core::soc;
  if (waves_ == nullptr)
    throw Error(ErrorKind::internal, "the compiled switch " + quoted(compiled->object()) + " has no waveforms");
  Instance made = compiled->make();
  pins_.emplace(made);
  inner_ = made.release();
  pins = inner_->pins;
  pin_count = inner_->pin_count;
  eval = [](lightloop_switch* self) { of(self).edge(); };
  failed = [](const lightloop_switch* self) {
    const lightloop_switch* const inner = static_cast<const Recorder*>(self)->inner_;
    return inner->failed(inner);
  };
  destroy = [](lightloop_switch* self) { of(self).end_of_switch(); };
  self_ = shared_from_this();
  return Instance(this);
}

void Waveform::Recorder::count_from(Picos origin) {
  origin_ = static_cast<std::uint64_t>(origin.n);
  has_origin_ = true;
  if (is_recording() && !open_) from_ = std::max(from_, now());
}

void Waveform::Recorder::edge() {
  if (!is_recording() || over_ || !has_origin_ || !pins_->any() || pins_->reset == 0) return inner_->eval(inner_);
  record_edge();
}

void Waveform::Recorder::record_edge() {
  const std::uint64_t next = pins_->after_edge() - origin_;
  const bool core_alone = pins_->only_core();
  before_edge(next);
  inner_->eval(inner_);
  if (over_ || next < from_) return;
  if (core_alone) {
    core_edge_ = next;
    return;
  }
  edges_ = next == instant_ && last_ ? edges_ + 1 : 0;
  instant_ = next;
  const std::uint64_t at = next + 2 * edges_;
  if (at > to_ || (edges_ > 0 && 2 * edges_ + 1 >= pins_->cycle_ps / 2)) return;
  write(at);
  if (pins_->cycle_ps > 3 && at < to_) write_still(at + 1);
}

/// The core runs ahead: its last edge is the fabric's when the fabric has come to the same instant.
void Waveform::Recorder::before_edge(std::uint64_t next) {
  if (core_edge_ && !(pins_->fabric != 0 && *core_edge_ == next)) write_core_edge();
  core_edge_.reset();
  if (!open_ && next > from_) write_still(from_);
  if (next > to_) close(to_);
}

/// Values as they are. Those at an instant before the last one, or at the same, are left out.
void Waveform::Recorder::write(std::uint64_t at) {
  if (!open_) open();
  if (!open_ || (last_ && at <= *last_)) return;
  inner_->dump_waveform(inner_, at);
  if (!first_) first_ = at;
  last_ = at;
}

/// The same between edges. Without an evaluation Verilator would look for no change.
void Waveform::Recorder::write_still(std::uint64_t at) {
  const ShownClocks low(*pins_, false);
  inner_->eval(inner_);
  write(at);
}

void Waveform::Recorder::write_core_edge() {
  if (*core_edge_ > to_) return;
  {
    const ShownClocks core(*pins_, true);
    write(*core_edge_);
  }
  if (pins_->cycle_ps > 3 && *core_edge_ < to_) write_still(*core_edge_ + 1);
}

void Waveform::Recorder::open() {
  open_ = waves_->begin(inner_, fst_of(file_).c_str()) != 0;
  if (!open_) over_ = true;
  if (!open_) problem_ = "can't be written: " + std::string(std::strerror(errno));
}

/// The switch has come to `now`, or the window is over.
void Waveform::Recorder::close(std::uint64_t now) {
  if (over_) return;
  if (core_edge_) write_core_edge();
  core_edge_.reset();
  const std::uint64_t end = std::min(now, to_);
  if (end >= from_ && (open_ || now >= from_)) write_still(open_ ? end : from_);
  if (open_) waves_->end(inner_);
  open_ = false;
  over_ = true;
}

void Waveform::Recorder::end_of_switch() {
  now_ = now();
  if (is_recording()) close(now_);
  pins_.reset();
  lightloop_switch* const inner = std::exchange(inner_, nullptr);
  inner->destroy(inner);
  self_.reset();  // the last thing: it may have been the last share
}

WaveReport Waveform::Recorder::end() {
  if (!is_recording()) throw Error(ErrorKind::internal, "no waveform was begun");
  if (inner_ != nullptr) {
    now_ = now();
    close(now_);
  }
  const fs::path file = std::exchange(file_, {});
  const fs::path fst = fst_of(file);
  if (problem_.empty() && !first_)
    problem_ = "would begin at " + std::to_string(from_) + " ps, but the run ends at " + std::to_string(now_) + " ps";
  if (problem_.empty() && !is_whole_fst(fst)) problem_ = "can't be written: the disk has no room for all of it";
  if (problem_.empty()) finish_file(file, fst);
  remove_parts(file);
  if (!problem_.empty()) throw Error(ErrorKind::run, "the waveform " + quoted(file) + " " + problem_);
  const auto instant = [](std::uint64_t ps) { return Picos{static_cast<std::int64_t>(ps)}; };
  const std::uint64_t last = std::clamp(std::min(now_, to_), *first_, *last_);  // without what follows the last edge
  const WaveReport report{.first = instant(*first_), .last = instant(last)};
  std::vector<int> ports = ports_;
  if (ports.empty()) {
    ports.resize(static_cast<std::size_t>(parameters_.ports));
    std::iota(ports.begin(), ports.end(), 0);
  }
  write_views(file, {.core = parameters_.core,
                     .ports = std::move(ports),
                     .from = report.first,
                     .to = report.last,
                     .mark = window_.mark.value_or(report.first)});
  return report;
}

void Waveform::Recorder::finish_file(const fs::path& file, const fs::path& fst) {
  std::error_code failure;
  if (file.extension() == ".vcd" && waves_->to_vcd(fst.c_str(), part_of(file).c_str()) == 0)
    problem_ = "can't be written: the disk has no room for all of it";
  else
    fs::rename(part_of(file), file, failure);
  if (failure) problem_ = "can't be written: " + failure.message();
}

void Waveform::Recorder::discard() {
  if (!is_recording()) return;
  if (inner_ != nullptr && open_) waves_->end(inner_);
  open_ = false;
  remove_parts(std::exchange(file_, {}));
}

Waveform::Waveform() : recorder_(std::make_shared<Recorder>()) {}
Waveform::~Waveform() { recorder_->discard(); }

void Waveform::begin(const fs::path& file, WaveWindow window) { recorder_->begin(file, window); }
Instance Waveform::record(Parameters parameters) { return recorder_->record(parameters); }
void Waveform::count_from(Picos origin) { recorder_->count_from(origin); }
bool Waveform::is_recording() const { return recorder_->is_recording(); }
void Waveform::show_ports(std::vector<int> ports) { recorder_->show_ports(std::move(ports)); }
WaveReport Waveform::end() { return recorder_->end(); }

}  // namespace ocs::rtl
