// Writes a Trace Event JSON file, as ui.perfetto.dev and chrome://tracing read it, straight to disk.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <zlib.h>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>

#include "host/core/units.hpp"

namespace ocs {

/// Where something is shown: a track ("thread") of a group of tracks ("process").
struct Track {
  int group = 0, number = 0;
};

/// One more thing that is said of an event; the name needs no escapes.
struct TraceArg {
  template <class Whole>
  requires std::is_integral_v<Whole> TraceArg(std::string_view arg, Whole value)
      : name(arg), number(static_cast<std::int64_t>(value)) {}
  TraceArg(std::string_view arg, std::string_view value) : name(arg), text(value), is_text(true) {}
  std::string_view name;
  std::int64_t number = 0;
  std::string_view text;
  bool is_text = false;
};
using TraceArgs = std::initializer_list<TraceArg>;

/// Memory: one buffer. Events need no order. Instants are exact, in microseconds with six digits. The
/// length of a slice is exact in its argument `length_ps`. Its `dur` is in whole nanoseconds: Perfetto
/// rounds the instant and the length of a slice each by itself, and drops slices that overlap then.
class TraceWriter {
 public:
  /// @param file replaced, if it is there. @throws Error (input): it can't be written
  TraceWriter(std::string file, bool compressed);
  ~TraceWriter();  ///< ends the file, so that what was written before an error can be read
  TraceWriter(const TraceWriter&) = delete;
  TraceWriter& operator=(const TraceWriter&) = delete;

  void name_group(int group, std::string_view name);
  void name_track(Track track, std::string_view name);  ///< tracks of a group are shown by number

  void slice(Track track, std::string_view name, Picos from, Picos to, TraceArgs args = {});
  void instant(Track track, std::string_view name, Picos at, TraceArgs args = {});
  /// A slice that may overlap others of its group; `id` is its own among those of `category`.
  void span(int group, std::string_view category, std::uint64_t id, std::string_view name, Picos from, Picos to,
            TraceArgs args = {});
  /// An arrow from the slice of a track at an instant to the slice of another.
  void arrow(std::uint64_t id, Track from, Picos left, Track to, Picos arrived);
  void counter(int group, std::string_view name, Picos at, std::int64_t value);

  /// Ends the file. @throws Error (run): not all of it is on disk
  void finish();
  std::int64_t events() const { return events_; }

 private:
  void begin(char phase, Track track, std::string_view name, Picos at);
  void end(TraceArgs args);
  void put(std::string_view text) { buffer_.append(text); }
  void put_number(std::int64_t number);
  void put_time(Picos at);
  void put_escaped(std::string_view text);
  void put_arg(const TraceArg& arg);
  void write();
  void close();
  [[noreturn]] void fail(const std::string& why) const;

  std::string file_, buffer_;
  gzFile out_ = nullptr;
  std::int64_t events_ = 0;
};

}  // namespace ocs
