// One client's session in one dialect, as bytes in and bytes out: no socket, no clock of its own.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ocs::serve {

class ClientSession {
 public:
  virtual ~ClientSession() = default;
  /// What the client has sent: any bytes, in pieces of any size. Answers are appended.
  /// @throws Error (run) when the switch fails, nothing else.
  virtual void receive_bytes(std::string_view bytes, std::string& answer) = 0;
  /// The switch has gone on, or a login was judged: what waited goes on, and news are told. @throws as receive_bytes().
  virtual void go_on(std::string& answer) = 0;
  /// It waits for the switch or a login, and wants to hear nothing before that.
  virtual bool waiting() const = 0;
  /// Commands may be left, since the answer is longer than a client should have waiting: go_on() executes them once
  /// the answer so far is sent.
  virtual bool has_more() const = 0;
  /// The client has logged in at some time, or needn't.
  virtual bool admitted() const = 0;
  /// The connection is to be closed once all answers are sent.
  virtual bool over() const = 0;
};

/// Pieces of bytes to commands that end with a given byte, none longer than a limit. A connection
/// that starts like HTTP or TLS gives no command at all: a web page can make a browser send any
/// bytes after a request line that it can't avoid.
class CommandBuffer {
 public:
  CommandBuffer(char end, std::size_t longest) : end_(end), longest_(longest) {}

  enum class Next { nothing, command, too_long, web };
  void add(std::string_view bytes) { bytes_.append(bytes); }
  /// The next whole command, without its end; or that one was too long, told once, when the limit
  /// is passed. The rest of it is dropped. web: the connection started like HTTP or TLS, and is to
  /// be closed. `command` is good until the next call.
  Next next(std::string_view& command);
  /// Bytes of a command that isn't whole.
  std::size_t held() const { return bytes_.size() - from_; }

 private:
  enum class Start { open, command, web };
  /// What the first bytes of the connection are, as soon as they can be told apart.
  Start judge_start() const;

  char end_;
  std::size_t longest_, from_ = 0, searched_ = 0;
  std::string bytes_;
  bool dropping_ = false;
  Start start_ = Start::open;
};

}  // namespace ocs::serve
