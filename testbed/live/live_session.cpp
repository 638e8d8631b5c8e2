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
      : RequestSession(shown.context, std::move(address)), shown_(shown) {}

  void receive_bytes(std::string_view bytes, std::string& answer) override {
    if (!streams_) RequestSession::receive_bytes(bytes, answer);
  }
  void go_on(std::string& answer) override {
    if (!streams_) return RequestSession::go_on(answer);
    if (answer.empty()) append_news(answer);  // else the client hasn't taken what it was told before
  }
  bool waiting() const override { return streams_ ? !sent_end_ : RequestSession::waiting(); }
  bool has_more() const override {
    return streams_ ? !sent_end_ && next_ < shown_.log.rows() : RequestSession::has_more();
  }
  bool over() const override { return streams_ ? sent_end_ : RequestSession::over(); }

 private:
  void respond(std::string_view target, std::string& answer) override {
    if (target == "/") return say(Status::ok, "text/html; charset=utf-8", live_page_html(), answer);
    if (target != "/events") return say(Status::not_found, "text/plain", "there are / and /events\n", answer);
    answer += head(Status::ok, "text/event-stream", std::nullopt);
    end_requests();
    if (!wants_body()) return;
    streams_ = true;
    last_ = shown_.now();
    append_sweep(answer);
  }

  /// A client may come before the run has said what it is.
  void append_sweep(std::string& answer) {
    if (sent_sweep_ || shown_.log.sweep().empty()) return;
    sent_sweep_ = true;
    say_event("sweep", shown_.log.sweep(), answer);
  }

  void append_news(std::string& answer) {
    const LiveLog& log = shown_.log;
    const auto now = shown_.now();
    append_sweep(answer);
    if (!sent_sweep_ && !log.has_ended()) return;
    append_rows(answer);
    if (next_ == log.rows() && version_ != log.version()) {
      version_ = log.version();
      say_event("state", log.state(std::chrono::duration<double>(now - shown_.began).count()), answer);
    }
    if (next_ == log.rows() && log.has_ended()) {
      say_event("end", log.end(), answer);
      sent_end_ = true;
    }
    if (answer.empty() && now - last_ > longest_silence) answer = ": \n\n";
    if (!answer.empty()) last_ = now;
  }

  void append_rows(std::string& answer) {
    const LiveLog& log = shown_.log;
    next_ = std::max(next_, log.first());
    if (next_ == log.rows()) return;
    std::string rows = "[";
    for (; next_ < log.rows() && rows.size() < piece; ++next_)
      rows.append(rows.size() > 1 ? "," : "").append(log.row(next_));
    say_event("rows", rows + "]", answer);
  }

  const LiveShown& shown_;
  bool streams_ = false, sent_sweep_ = false, sent_end_ = false;
  std::uint64_t next_ = 0;     ///< row to be told
  std::uint64_t version_ = 0;  ///< of the log, as it was told
  std::chrono::steady_clock::time_point last_;
};

}  // namespace

std::unique_ptr<serve::ClientSession> make_live_session(const LiveShown& shown, std::string address) {
  return std::make_unique<LiveSession>(shown, std::move(address));
}

}  // namespace ocs
