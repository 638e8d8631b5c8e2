// JSON by hand: a library would need more time for an event than the run does.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/timeline/trace_writer.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <utility>

#include "host/core/error.hpp"

namespace ocs {
namespace {

constexpr std::size_t buffer_size = std::size_t{1} << 18, longest_event = std::size_t{1} << 12;
constexpr std::int64_t ps_per_us = 1'000'000, ps_per_ns = 1'000;

/// The nanosecond to which Perfetto rounds an instant.
std::int64_t to_ns(Picos at) { return (at.n + ps_per_ns / 2) / ps_per_ns; }

}  // namespace

TraceWriter::TraceWriter(std::string file, bool compressed) : file_(std::move(file)) {
  errno = 0;
  out_ = gzopen(file_.c_str(), compressed ? "wb1" : "wbT");  // T: as it is
  if (out_ == nullptr)
    throw Error(ErrorKind::input, "the timeline can't be written to \"" + file_ + "\": " + std::strerror(errno));
  gzbuffer(out_, 1 << 17);
  buffer_.reserve(buffer_size + longest_event);
  put("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n");
}

TraceWriter::~TraceWriter() {
  if (out_ == nullptr) return;
  try {
    finish();
  } catch (const Error&) {  // another error is under way
  }
  close();
}

void TraceWriter::close() {
  if (out_ != nullptr) gzclose(std::exchange(out_, nullptr));
}

void TraceWriter::fail(const std::string& why) const {
  throw Error(ErrorKind::run, "the timeline \"" + file_ + "\" can't be written: " + why);
}

void TraceWriter::put_number(std::int64_t number) {
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
  buffer_.append(digits, static_cast<std::size_t>(end - digits));
}

void TraceWriter::put_time(Picos at) {
  put_number(at.n / ps_per_us);
  char fraction[7] = {'.', '0', '0', '0', '0', '0', '0'};
  int length = 0;
  std::int64_t rest = at.n % ps_per_us;
  for (int k = 6; k > 0; --k, rest /= 10) {
    fraction[k] = static_cast<char>('0' + rest % 10);
    if (fraction[k] != '0') length = std::max(length, k + 1);
  }
  buffer_.append(fraction, static_cast<std::size_t>(length));
}

void TraceWriter::put_escaped(std::string_view text) {
  buffer_ += '"';
  for (const char c : text.substr(0, longest_event / 8)) {
    if (c == '"' || c == '\\') buffer_ += '\\';
    buffer_ += c < ' ' || c > '~' ? '?' : c;
  }
  buffer_ += '"';
}

void TraceWriter::begin(char phase, Track track, std::string_view name, Picos at) {
  if (events_++ > 0) put(",\n");
  put("{\"ph\":\"");
  buffer_ += phase;
  put("\",\"pid\":");
  put_number(track.group);
  put(",\"tid\":");
  put_number(track.number + 1);  // Perfetto takes thread 0 for the thread whose number is that of its process
  put(",\"ts\":");
  put_time(at);
  put(",\"name\":");
  put_escaped(name);
}

void TraceWriter::end(TraceArgs args) {
  if (args.size() > 0) {
    put(",\"args\":{");
    bool first = true;
    for (const TraceArg& arg : args) {
      if (!std::exchange(first, false)) buffer_ += ',';
      put_arg(arg);
    }
    buffer_ += '}';
  }
  buffer_ += '}';
  if (buffer_.size() >= buffer_size) write();
}

void TraceWriter::put_arg(const TraceArg& arg) {
  buffer_ += '"';
  put(arg.name);
  put("\":");
  arg.is_text ? put_escaped(arg.text) : put_number(arg.number);
}

void TraceWriter::write() {
  errno = 0;
  const int written = gzwrite(out_, buffer_.data(), static_cast<unsigned>(buffer_.size()));
  if (written != static_cast<int>(buffer_.size())) fail(std::strerror(errno == 0 ? EIO : errno));
  buffer_.clear();
}

void TraceWriter::name_group(int group, std::string_view name) {
  begin('M', {group, 0}, "process_name", Picos{0});
  end({{"name", name}});
  begin('M', {group, 0}, "process_sort_index", Picos{0});
  end({{"sort_index", group}});
}

void TraceWriter::name_track(Track track, std::string_view name) {
  begin('M', track, "thread_name", Picos{0});
  end({{"name", name}});
  begin('M', track, "thread_sort_index", Picos{0});
  end({{"sort_index", track.number}});
}

void TraceWriter::slice(Track track, std::string_view name, Picos from, Picos to, TraceArgs args) {
  begin('X', track, name, from);
  put(",\"dur\":");
  put_time(Picos{(to_ns(to) - to_ns(from)) * ps_per_ns});
  put(",\"args\":{\"length_ps\":");
  put_number((to - from).n);
  for (const TraceArg& arg : args) {
    buffer_ += ',';
    put_arg(arg);
  }
  put("}");
  end({});
}

void TraceWriter::instant(Track track, std::string_view name, Picos at, TraceArgs args) {
  begin('i', track, name, at);
  put(",\"s\":\"t\"");
  end(args);
}

void TraceWriter::span(int group, std::string_view category, std::uint64_t id, std::string_view name, Picos from,
                       Picos to, TraceArgs args) {
  for (const bool first : {true, false}) {
    begin(first ? 'b' : 'e', {group, 0}, name, first ? from : to);
    put(",\"cat\":");
    put_escaped(category);
    put(",\"id2\":{\"local\":\"");  // an id of the group; Perfetto shows what has a global one apart from its group
    put_number(static_cast<std::int64_t>(id));
    put("\"}");
    end(first ? args : TraceArgs{});
  }
}

void TraceWriter::arrow(std::uint64_t id, Track from, Picos left, Track to, Picos arrived) {
  for (const bool first : {true, false}) {
    begin(first ? 's' : 'f', first ? from : to, "transfer", first ? left : arrived);
    put(",\"cat\":\"transfer\",\"id\":");
    put_number(static_cast<std::int64_t>(id));
    if (!first) put(",\"bp\":\"e\"");
    end({});
  }
}

void TraceWriter::counter(int group, std::string_view name, Picos at, std::int64_t value) {
  begin('C', {group, 0}, name, at);
  end({{"value", value}});
}

void TraceWriter::finish() {
  if (out_ == nullptr) return;
  put("\n]}\n");
  write();
  errno = 0;
  if (gzclose(std::exchange(out_, nullptr)) != Z_OK) fail(std::strerror(errno == 0 ? EIO : errno));
}

}  // namespace ocs
