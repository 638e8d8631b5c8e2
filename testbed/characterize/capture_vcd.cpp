// Value change dump, IEEE 1364-2005 section 18: declarations, then times and values, separated by white space.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <string>

#include "host/core/error.hpp"
#include "host/core/ids.hpp"
#include "testbed/characterize/capture.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs::characterize {
namespace {

constexpr std::string_view white = " \t\r\n";

class VcdReader {
 public:
  VcdReader(std::string_view text, std::string_view origin, const CaptureOptions& options)
      : rest_(text), origin_(origin), options_(options) {}

  std::vector<LightChange> read() {
    declarations();
    const std::string& light = options_.signal;
    if (signals_.empty() && !left_out_.empty())
      refuse("signal " + in_quotes(left_out_) + " is analog, so --threshold must be given");
    if (signals_.empty())
      refuse("no signal is called " + light + "[K], " + light + "_K or " + light + "K (of one bit), or " + light +
             " (a vector), so there is nothing to judge");
    if (options_.threshold && std::ranges::none_of(signals_, [](const auto& entry) { return entry.second.analog; }))
      refuse("no signal called " + light + " is analog, so --threshold must not be given");
    values();
    if (log_.empty()) refuse("no signal called " + light + " ever has a value");
    return std::move(log_);
  }

 private:
  /// Where a signal's bits go.
  struct Signal {
    std::size_t first_port, bits;
    bool analog = false;
    std::optional<bool> light{};  ///< of an analog one
  };

  [[noreturn]] void refuse(const std::string& sentence) const {
    throw Error(ErrorKind::input, std::string(origin_) + ":" + std::to_string(line_) + ": " + sentence);
  }

  /// The next word, or an empty one at the end.
  std::string_view next() {
    std::size_t begin = rest_.find_first_not_of(white);
    if (begin == std::string_view::npos) begin = rest_.size();
    for (const char c : rest_.substr(0, begin)) line_ += c == '\n' ? 1 : 0;
    rest_.remove_prefix(begin);
    const std::string_view word = rest_.substr(0, rest_.find_first_of(white));
    rest_.remove_prefix(word.size());
    return word;
  }

  std::string_view needed(const char* what) {
    const std::string_view word = next();
    if (word.empty()) refuse("the file ends, but must go on with " + std::string(what));
    return word;
  }

  void skip_section() {
    while (needed("$end") != "$end") {
    }
  }

  void end_section(const char* section) {
    if (const std::string_view word = needed("$end"); word != "$end")
      refuse(std::string(section) + " must end with $end, not " + in_quotes(word));
  }

  template <class Number>
  bool number(std::string_view word, Number& value) const {
    const auto [end, failure] = std::from_chars(word.data(), word.data() + word.size(), value);
    return failure == std::errc() && end == word.data() + word.size() && !word.empty();
  }

  void declarations() {
    while (true) {
      const std::string_view word = needed("$enddefinitions $end");
      if (word == "$enddefinitions") break;
      if (word == "$timescale")
        timescale();
      else if (word == "$var")
        variable();
      else if (word == "$date" || word == "$version" || word == "$comment" || word == "$scope" || word == "$upscope" ||
               word == "$attrbegin" || word == "$attrend")
        skip_section();
      else
        refuse(in_quotes(word) + " must be a declaration: $timescale, $scope, $var, $upscope, $enddefinitions, ...");
    }
    end_section("$enddefinitions");
    if (scale_ == 0) refuse("$timescale is missing");
  }

  /// "1 ns", "10ps", ...
  void timescale() {
    std::string text(needed("a timescale"));
    for (std::string_view word = needed("$end"); word != "$end"; word = needed("$end")) text += word;
    const std::string right = "$timescale is " + in_quotes(text) + ", but must be 1, 10 or 100 of ps, ns, us, ms or s";
    std::int64_t count = 0;
    const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    if (!number(std::string_view(text).substr(0, digits), count) || (count != 1 && count != 10 && count != 100))
      refuse(right);
    const std::string unit = text.substr(digits);
    std::int64_t factor = 1;
    for (const std::string_view known : {"ps", "ns", "us", "ms", "s"}) {
      if (unit == known) scale_ = count * factor;
      factor *= 1000;
    }
    if (unit == "s" && count == 100) refuse(right + "; 100 s is no resolution to time a switch with");
    if (scale_ == 0) refuse(right);
  }

  /// $var TYPE SIZE CODE NAME [RANGE] $end
  void variable() {
    const std::string_view type = needed("a variable's type");
    std::size_t size = 0;
    if (const std::string_view word = needed("a variable's size"); !number(word, size) || size == 0 || size > 1'000'000)
      refuse("size of a variable is " + in_quotes(word) + ", but must be a number from 1 to 1000000");
    const std::string code(needed("a variable's code"));
    std::string name(needed("a variable's name"));
    for (std::string_view word = needed("$end"); word != "$end"; word = needed("$end")) name += word;
    const std::string& light = options_.signal;
    if (type == "string" || !name.starts_with(light)) return;
    const bool analog = type == "real" || type == "realtime";
    std::string_view rest = std::string_view(name).substr(light.size());
    if (!analog && (size > 1 || rest.empty())) return vector(code, rest, size);
    const bool bracket = rest.starts_with('[') && rest.ends_with(']');
    if (bracket) rest = rest.substr(1, rest.size() - 2);
    if (!bracket && rest.starts_with('_')) rest.remove_prefix(1);
    std::size_t port = 0;
    if (!number(rest, port)) return;  // light_sensor, say
    if (port >= max_ports) refuse("signal " + in_quotes(name) + " must be a port from 0 to 255");
    if (analog && !options_.threshold)
      left_out_ = name;
    else
      add(code, {.first_port = port, .bits = 1, .analog = analog}, name);
  }

  void vector(const std::string& code, std::string_view range, std::size_t size) {
    if (size > max_ports)
      refuse("vector " + options_.signal + " has " + std::to_string(size) +
             " bits, but must have at most 256, one a port");
    const std::string right = "[" + std::to_string(size - 1) + ":0]";
    if (!range.empty() && range.front() != '[') return;  // another signal whose name begins so
    if (!range.empty() && range != right && (size != 1 || range != "[0]"))
      refuse("vector " + options_.signal + " has the range " + in_quotes(range) + ", but must have " + right);
    add(code, {.first_port = 0, .bits = size}, options_.signal);
  }

  void add(const std::string& code, Signal signal, const std::string& name) {
    for (const auto& [other, known] : signals_)
      if (other != code && signal.first_port < known.first_port + known.bits &&
          known.first_port < signal.first_port + signal.bits)
        refuse("signal " + in_quotes(name) + " names a port that another signal names already");
    if (!signals_.emplace(code, signal).second) refuse("signal " + in_quotes(name) + " has the code of another one");
  }

  void values() {
    for (std::string_view word = next(); !word.empty(); word = next()) {
      const char first = word.front();
      if (first == '#')
        time(word.substr(1));
      else if (first == 'b' || first == 'B')
        bits(word.substr(1), needed("a variable's code"));
      else if (first == 'r' || first == 'R')
        level(word.substr(1), needed("a variable's code"));
      else if (first == 's' || first == 'S')
        needed("a variable's code");
      else if (first == '$')
        keyword(word);
      else if (std::string_view("01xXzZ").find(first) != std::string_view::npos)
        bits(word.substr(0, 1), word.substr(1));
      else
        refuse(in_quotes(word) + " must be a time (#N), a value, or a keyword");
    }
  }

  void keyword(std::string_view word) {
    if (word == "$comment") return skip_section();
    if (word != "$dumpvars" && word != "$dumpall" && word != "$dumpon" && word != "$dumpoff" && word != "$end")
      refuse(in_quotes(word) + " isn't a keyword that may stand among values");
  }

  void time(std::string_view digits) {
    std::int64_t count = 0;
    if (!number(digits, count) || count < 0 || count > std::numeric_limits<std::int64_t>::max() / scale_)
      refuse("time is " + in_quotes(digits) + ", but must be a number of time steps that fits 2^63 ps");
    if (count * scale_ < now_.n) refuse("time is " + in_quotes(digits) + ", but must not be before the one above");
    now_ = Picos{count * scale_};
  }

  void level(std::string_view text, std::string_view code) {
    double value = 0;
    if (!number(text, value) || !std::isfinite(value)) refuse("value " + in_quotes(text) + " must be a number");
    const auto found = signals_.find(std::string(code));
    if (found == signals_.end() || !found->second.analog) return;
    Signal& signal = found->second;
    const std::optional<bool> light = options_.threshold->light(signal.light, value);
    log_.push_back({now_, static_cast<std::uint16_t>(signal.first_port), light});
    signal.light = light;
  }

  void bits(std::string_view value, std::string_view code) {
    if (value.empty() || value.find_first_not_of("01xXzZ") != std::string_view::npos)
      refuse("value " + in_quotes(value) + " must be of 0, 1, x and z");
    const auto found = signals_.find(std::string(code));
    if (code.empty()) refuse("value " + in_quotes(value) + " must be followed by a variable's code");
    if (found == signals_.end()) return;
    const Signal& signal = found->second;
    if (signal.analog) refuse("value " + in_quotes(value) + " must begin with r, since its signal is real");
    if (value.size() > signal.bits)
      refuse("value " + in_quotes(value) + " has more bits than its signal, which has " + std::to_string(signal.bits));
    const char leftmost = value.front() == '1' ? '0' : value.front();  // on the left what is missing is 0, x or z
    for (std::size_t k = 0; k < signal.bits; ++k) {
      const char bit = k < value.size() ? value[value.size() - 1 - k] : leftmost;
      std::optional<bool> light;
      if (bit == '0' || bit == '1') light = bit == '1';
      log_.push_back({now_, static_cast<std::uint16_t>(signal.first_port + k), light});
    }
  }

  std::string_view rest_, origin_;
  const CaptureOptions& options_;
  std::string left_out_;  ///< an analog signal that has no threshold
  std::size_t line_ = 1;
  std::int64_t scale_ = 0;  ///< ps
  Picos now_;
  std::map<std::string, Signal> signals_;  ///< by code
  std::vector<LightChange> log_;
};

}  // namespace

std::vector<LightChange> parse_capture_vcd(std::string_view text, std::string_view origin,
                                           const CaptureOptions& options) {
  return VcdReader(text, origin, options).read();
}

}  // namespace ocs::characterize
