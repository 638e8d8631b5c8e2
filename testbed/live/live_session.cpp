// Says what a client doesn't know yet, a piece at a time.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/live/live_session.hpp"

#include <algorithm>
#include <utility>

#include "host/control_plane/http/request_session.hpp"
#include "testbed/live/page.hpp"

namespace ocs {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t piece = std::size_t{1} << 15;  // bytes of rows that are said at once
constexpr auto longest_silence = 5s;                 // until a client is sent a comment: it may have left

void say_event(std::string_view name, std::string_view json, std::string& answer) {
  answer.append("event: ").append(name).append("\ndata: ").append(json).append("\n\n");
}

class LiveSession final : public serve::http::RequestSession {
 public:
  LiveSession(const LiveShown& shown, std::string address)
      : RequestSession(shown.reception, std::move(address)), shown_(shown) {}

  void hear(std::string_view bytes, std::string& answer) override {
    if (!streams_) RequestSession::hear(bytes, answer);
  }
  void go_on(std::string& answer) override {
    if (!streams_) return RequestSession::go_on(answer);
    if (answer.empty()) tell(answer);  // else the client hasn't taken what it was told before
  }
  bool waiting() const override { return streams_ ? !told_end_ : RequestSession::waiting(); }
  bool has_more() const override {
    return streams_ ? !told_end_ && next_ < shown_.log.rows() : RequestSession::has_more();
  }
  bool over() const override { return streams_ ? told_end_ : RequestSession::over(); }

 private:
  void respond(std::string_view target, std::string& answer) override {
    if (target == "/") return say(Status::ok, "text/html; charset=utf-8", live_page_html(), answer);
    if (target != "/events") return say(Status::not_found, "text/plain", "there are / and /events\n", answer);
    answer += head(Status::ok, "text/event-stream", std::nullopt);
    end_requests();
    if (!wants_body()) return;
    streams_ = true;
    last_ = shown_.now();
    tell_sweep(answer);
  }

  /// A client may come before the run has said what it is.
  void tell_sweep(std::string& answer) {
    if (told_sweep_ || shown_.log.sweep().empty()) return;
    told_sweep_ = true;
    say_event("sweep", shown_.log.sweep(), answer);
  }

  void tell(std::string& answer) {
    const LiveLog& log = shown_.log;
    const auto now = shown_.now();
    tell_sweep(answer);
    if (!told_sweep_ && !log.has_ended()) return;
    tell_rows(answer);
    if (next_ == log.rows() && version_ != log.version()) {
      version_ = log.version();
      say_event("state", log.state(std::chrono::duration<double>(now - shown_.began).count()), answer);
    }
    if (next_ == log.rows() && log.has_ended()) {
      say_event("end", log.end(), answer);
      told_end_ = true;
    }
    if (answer.empty() && now - last_ > longest_silence) answer = ": \n\n";
    if (!answer.empty()) last_ = now;
  }

  void tell_rows(std::string& answer) {
    const LiveLog& log = shown_.log;
    next_ = std::max(next_, log.first());
    if (next_ == log.rows()) return;
    std::string rows = "[";
    for (; next_ < log.rows() && rows.size() < piece; ++next_)
      rows.append(rows.size() > 1 ? "," : "").append(log.row(next_));
    say_event("rows", rows + "]", answer);
  }

  const LiveShown& shown_;
  bool streams_ = false, told_sweep_ = false, told_end_ = false;
  std::uint64_t next_ = 0;     ///< row to be told
  std::uint64_t version_ = 0;  ///< of the log, as it was told
  std::chrono::steady_clock::time_point last_;
};

}  // namespace

std::unique_ptr<serve::Conversation> make_live_session(const LiveShown& shown, std::string address) {
  return std::make_unique<LiveSession>(shown, std::move(address));
}

}  // namespace ocs
