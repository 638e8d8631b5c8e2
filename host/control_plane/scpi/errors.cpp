// The error queue.
// SPDX-License-Identifier: Apache-2.0
#include "host/control_plane/scpi/errors.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace ocs::serve::scpi {
namespace {

constexpr std::size_t longest_queue = 32;
constexpr std::size_t longest_entry = 255;  // SCPI-99: of text and what follows it

constexpr std::array texts{
    std::pair{0, std::string_view("No error")},
    std::pair{-101, std::string_view("Invalid character")},
    std::pair{-102, std::string_view("Syntax error")},
    std::pair{-103, std::string_view("Invalid separator")},
    std::pair{-104, std::string_view("Data type error")},
    std::pair{-108, std::string_view("Parameter not allowed")},
    std::pair{-109, std::string_view("Missing parameter")},
    std::pair{-111, std::string_view("Header separator error")},
    std::pair{-112, std::string_view("Program mnemonic too long")},
    std::pair{-113, std::string_view("Undefined header")},
    std::pair{-121, std::string_view("Invalid character in number")},
    std::pair{-124, std::string_view("Too many digits")},
    std::pair{-141, std::string_view("Invalid character data")},
    std::pair{-151, std::string_view("Invalid string data")},
    std::pair{-171, std::string_view("Invalid expression")},
    std::pair{-200, std::string_view("Execution error")},
    std::pair{-203, std::string_view("Command protected")},
    std::pair{-221, std::string_view("Settings conflict")},
    std::pair{-222, std::string_view("Data out of range")},
    std::pair{-224, std::string_view("Illegal parameter value")},
    std::pair{-226, std::string_view("Lists not same length")},
    std::pair{-240, std::string_view("Hardware error")},
    std::pair{-241, std::string_view("Hardware missing")},
    std::pair{-350, std::string_view("Queue overflow")},
    std::pair{-363, std::string_view("Input buffer overrun")},
};

std::uint8_t event_of(int number) {
  if (number <= -400) return query_error;
  if (number <= -300 || number > 0) return device_error;
  return number <= -200 ? execution_error : command_error;
}

}  // namespace

std::string_view text_of(int number) {
  const auto* const found =
      std::find_if(texts.begin(), texts.end(), [&](const auto& entry) { return entry.first == number; });
  return found == texts.end() ? std::string_view{} : found->second;
}

void Status::raise(const ScpiError& error) {
  events = static_cast<std::uint8_t>(events | event_of(error.number()));
  if (queue_.size() >= longest_queue) {
    queue_.back() = "-350,\"Queue overflow\"";
    return;
  }
  std::string text(text_of(error.number()));
  if (!error.more().empty()) text += ";" + error.more();
  for (char& letter : text)
    if (letter == '"' || letter < ' ' || letter > '~') letter = letter == '"' ? '\'' : '?';
  text.resize(std::min(text.size(), longest_entry));
  queue_.push_back(std::to_string(error.number()) + ",\"" + text + "\"");
}

void Status::clear() {
  queue_.clear();
  events = 0;
  operation.event = questionable.event = 0;
}

std::string Status::next_error() {
  if (queue_.empty()) return "0,\"No error\"";
  std::string oldest = std::move(queue_.front());
  queue_.pop_front();
  return oldest;
}

std::uint8_t Status::take_events() { return std::exchange(events, std::uint8_t{0}); }

std::uint8_t Status::status_byte() const {
  unsigned byte = 0;
  if (!queue_.empty()) byte |= 1U << 2;
  if ((questionable.event & questionable.enable) != 0) byte |= 1U << 3;
  if ((events & event_enable) != 0) byte |= 1U << 5;
  if ((operation.event & operation.enable) != 0) byte |= 1U << 7;
  if ((byte & service_enable & ~64U) != 0) byte |= 64;
  return static_cast<std::uint8_t>(byte);
}

}  // namespace ocs::serve::scpi
