// Talking: links that are opened, logged in to, and lost.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/sim/serve/client.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "host/core/error.hpp"

namespace ocs::sim {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Nanos patience = seconds(20);           // for one answer
constexpr Nanos patience_if_slow = seconds(200);  // a few looks at the clock for each of thousands of small pieces
constexpr Nanos look_every = milliseconds(5);

constexpr std::array<char, 65> base64 = {"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"};

std::string in_base64(const std::string& text) {
  std::string coded;
  for (std::size_t k = 0; k < text.size(); k += 3) {
    std::uint32_t three = 0;
    for (std::size_t j = 0; j < 3; ++j)
      three = three << 8 | (k + j < text.size() ? static_cast<unsigned char>(text[k + j]) : 0U);
    for (std::size_t j = 0; j < 4; ++j) coded += k + j <= text.size() ? base64[three >> (18 - 6 * j) & 63U] : '=';
  }
  return coded;
}

/// The value of a field of an HTTP answer's head.
std::size_t content_length(const std::string& head) {
  constexpr std::string_view field = "Content-Length: ";
  const std::size_t at = head.find(field);
  std::size_t size = 0;
  if (at != std::string::npos) std::from_chars(head.data() + at + field.size(), head.data() + head.size(), size);
  return size;
}

std::size_t whole_http(const std::string& heard) {
  const std::size_t head = heard.find("\r\n\r\n");
  if (head == std::string::npos) return 0;
  const std::size_t size = head + 4 + content_length(heard.substr(0, head));
  return heard.size() >= size ? size : 0;
}

}  // namespace

std::string user_of(int number) { return "user" + std::to_string(number); }
std::string password_of(int number) { return "secret" + std::to_string(number); }

ServeClient::ServeClient(Links& links, ServeShared& shared, int number, std::uint64_t seed)
    : links_(links),
      world_(links.world()),
      shared_(shared),
      number_(number),
      first_(number * ports_of_one),
      draw_(seed),
      name_("client " + std::to_string(number)),
      address_("10.0.0." + std::to_string(number + 1)) {}

void ServeClient::give_up(const std::string& what) {
  shared_.violate(name_ + " " + what);
  throw GivesUp();
}

void ServeClient::pass(Nanos until) {
  for (Talk& at : talks_)
    if (at.link != nullptr && at.link->deaf_until > world_.now()) until = std::min(until, at.link->deaf_until);
  world_.wait(until);
  for (Talk& at : talks_)
    if (at.link != nullptr) at.heard += links_.take(at.link);
}

void ServeClient::say(Talk& at, const std::string& bytes) {
  at.rested = at.rested || world_.now() - at.spoke > milliseconds(shared_.settings.idle_ms) / 2;
  at.spoke = world_.now();
  links_.send(at.link, bytes);
}

std::string ServeClient::hear(Talk& at, const std::string& question,
                              const std::function<std::size_t(const std::string&)>& find) {
  const Nanos began = world_.now(), excused = shared_.excuse;
  for (;;) {
    at.heard += links_.take(at.link);
    if (const std::size_t size = find(at.heard); size > 0) {
      std::string answer = at.heard.substr(0, size);
      at.heard.erase(0, size);
      at.spoke = world_.now();
      return answer;
    }
    if (at.link->is_over()) throw LinkLost();
    const Nanos longest = shared_.slow ? patience_if_slow : patience;
    const Nanos deadline = began + longest + (shared_.excuse - excused);
    if (world_.now() >= deadline && world_.now() - at.spoke >= longest)
      give_up("waits for an answer to " + serve::shown(question) + " for ever");
    pass(std::max(deadline, world_.now() + look_every));
  }
}

std::string ServeClient::hear_line(Talk& at, const std::string& question) {
  std::string line = hear(at, question, [](const std::string& heard) {
    const std::size_t end = heard.find('\n');
    return end == std::string::npos ? 0 : end + 1;
  });
  line.pop_back();
  at.rested = false;
  return line;
}

/// The next answer; autonomous messages before it are noted.
std::string ServeClient::hear_tl1(Talk& at, const std::string& question) {
  for (;;) {
    std::string message = hear(at, question, [](const std::string& heard) {
      const std::size_t end = heard.find(';');
      return end == std::string::npos ? 0 : end + 1;
    });
    const std::size_t line = message.find("\r\n", message.find("\r\n\n") + 3);
    if (line == std::string::npos) give_up("reads what isn't TL1: " + serve::shown(message));
    message.erase(0, line + 2);
    if (message.starts_with("M  ")) {
      at.rested = false;  // news may have come long before; an answer did not
      return message;
    }
    hear_news(at, message);
  }
}

/// "A  3 REPT ALM EQPT", then "17:CL,LOS,..." in quotes.
void ServeClient::hear_news(Talk& at, const std::string& message) {
  std::uint64_t number = 0;
  std::from_chars(message.data() + 3, message.data() + message.size(), number);
  if (number != ++at.news)
    give_up("is told autonomous message " + std::to_string(number) + " after " + std::to_string(at.news - 1));
  const std::size_t quote = message.find('"');
  if (message.find("REPT ALM") == std::string::npos || quote == std::string::npos || !at.knows_alarms) return;
  int port = 0;
  std::from_chars(message.data() + quote + 1, message.data() + message.size(), port);
  const int own = port - ports_of_all - 1 - first_;
  if (own < 0 || own >= ports_of_one) return;
  const bool stands = message.find(":MJ,LOS") != std::string::npos;
  if (stands == at.alarms.contains(own))
    give_up("is told twice that the alarm of port " + std::to_string(port) + (stands ? " stands" : " has ended"));
  if (stands)
    at.alarms.insert(own);
  else
    at.alarms.erase(own);
}

std::string ServeClient::ask(const std::string& message) {
  Talk& at = talk(Dialect::scpi);
  say(at, message + "\n");
  return hear_line(at, message);
}

std::string ServeClient::ask_tl1(const std::string& verb_to_aid) {
  Talk& at = talk(Dialect::tl1);
  const std::string ctag = std::to_string(++at.answers);
  say(at, verb_to_aid + ":" + ctag + ":;");
  std::string answer = hear_tl1(at, verb_to_aid);
  if (!answer.starts_with("M  " + ctag + " COMPLD"))
    give_up("asks " + verb_to_aid + " as " + ctag + ", but is answered " + serve::shown(answer));
  return answer;
}

std::string ServeClient::ask_http(const std::string& path) {
  Talk& at = talks_[static_cast<std::size_t>(Dialect::http)];
  if (at.link == nullptr)
    at = Talk{.link = links_.connect(Dialect::http, address_, world_.self()), .excuse = shared_.excuse};
  const std::string login =
      shared_.settings.logins
          ? "Authorization: Basic " + in_base64(user_of(number_) + ":" + password_of(number_)) + "\r\n"
          : "";
  say(at, "GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n" + login + "\r\n");
  std::string answer = hear(at, path, whole_http);
  if (answer.starts_with("HTTP/1.1 503 ")) throw LinkLost();  // too many logins wait
  if (!answer.starts_with("HTTP/1.1 200 ")) give_up("asks for " + path + ", but is answered " + serve::shown(answer));
  if (shared_.boot != boot_) throw LinkLost();
  at.ready = true;
  at.rested = false;
  return answer;
}

ServeClient::Talk& ServeClient::talk(Dialect dialect) {
  Talk& at = talks_[static_cast<std::size_t>(dialect)];
  if (at.link != nullptr && at.ready) return at;
  if (at.link != nullptr) throw LinkLost();  // it was lost before it was ready
  // What happens between a login and the list of alarms may be in both the list and a message behind it.
  if (dialect == Dialect::tl1 && ask("*TST?;*OPC?") != "0;1") give_up("can't wait until nothing is on its way");
  at = Talk{.link = links_.connect(dialect, address_, world_.self()), .excuse = shared_.excuse};
  log_in(at, dialect);
  return at;
}

void ServeClient::log_in(Talk& at, Dialect dialect) {
  if (dialect == Dialect::scpi)
    log_in_scpi(at);
  else
    log_in_tl1(at);
  shared_.logins += shared_.settings.logins ? 1 : 0;
  if (shared_.boot != boot_) throw LinkLost();  // of another start: what is known of it has to be asked again
  at.ready = true;
}

void ServeClient::log_in_scpi(Talk& at) {
  std::string message = "*IDN?";
  if (shared_.settings.logins)
    message = "SYST:LOG \"" + user_of(number_) + "\",\"" + password_of(number_) + "\";:SYST:ERR?;*IDN?";
  say(at, message + "\n");
  const std::string answer = hear_line(at, message);
  if (answer.find("too many logins wait") != std::string::npos) throw LinkLost();
  if (answer !=
      std::string(shared_.settings.logins ? "0,\"No error\";" : "") + "lightloop,OCS-model-16x16-V,0,simulated")
    give_up("logs in by SCPI, but is answered " + serve::shown(answer));
}

void ServeClient::log_in_tl1(Talk& at) {
  say(at, "ACT-USER::" + user_of(number_) + ":0::" + password_of(number_) + ";");
  std::string answer = hear_tl1(at, "ACT-USER");
  if (answer.find("Too many logins wait") != std::string::npos) throw LinkLost();
  if (!answer.starts_with("M  0 COMPLD")) give_up("logs in by TL1, but is answered " + serve::shown(answer));
  say(at, "RTRV-ALM-ALL::" + own_list(false, true) + ":0:;");
  answer = hear_tl1(at, "RTRV-ALM-ALL");
  for (int out = 0; out < ports_of_one; ++out)
    if (answer.find('"' + std::to_string(ports_of_all + first_ + out + 1) + ":MJ,LOS") != std::string::npos)
      at.alarms.insert(out);
  at.knows_alarms = true;
}

/// The server has to notice by itself that a client has gone, after a reset, too: what it had read before is executed.
void ServeClient::wait_for_end(const Link& link) {
  const Nanos began = world_.now(), excused = shared_.excuse;
  const auto most = milliseconds(2 * shared_.settings.idle_ms + shared_.settings.login_ms) + patience;
  while (link.server != nullptr || (!link.admitted && !link.broken)) {
    if (world_.now() - began > most + (shared_.excuse - excused))
      give_up("has gone, but the server keeps its connection");
    pass(world_.now() + look_every);
  }
}

/// Ends what is left of links that have gone, and waits until nothing of them can have an effect.
void ServeClient::lose_all() {
  for (Talk& at : talks_) {
    if (at.link == nullptr || (at.ready && !at.link->is_over())) continue;
    const bool calm = !at.link->excused && at.excuse == shared_.excuse && !shared_.slow && shared_.boot == boot_;
    const bool spoke = world_.now() - at.spoke < milliseconds(shared_.settings.idle_ms) / 2;
    if (at.ready && calm && spoke && !at.rested && !at.link->sends_end)
      give_up("was disconnected from " + std::string(serve::dialect_names[static_cast<std::size_t>(at.link->dialect)]) +
              (at.link->broken ? " by a reset" : "") + ", though it had done nothing to be");
    links_.close(at.link);
    wait_for_end(*at.link);
    at = Talk{};
    pass(world_.now() + milliseconds(1 + static_cast<std::int64_t>(draw_.below(30))));
  }
}

std::string ServeClient::run() {
  try {
    for (std::int64_t k = 0; k < shared_.settings.steps; ++k) {
      try {
        resolve();
        step();
      } catch (const LinkLost&) {
      }
    }
    const Nanos began = world_.now(), excused = shared_.excuse;
    while (!served_) {
      try {
        resolve();
        check_light();
        read_back(static_cast<Dialect>(draw_.below(serve::dialect_names.size())));
        served_ = true;
      } catch (const LinkLost&) {
        if (world_.now() - began > 3 * patience + (shared_.excuse - excused)) give_up("isn't served");
      }
    }
    for (Talk& at : talks_)
      if (at.link != nullptr) links_.close(at.link);
  } catch (const GivesUp&) {
    return "gave up";
  } catch (const Error& failure) {
    shared_.violate(name_ + " does not understand an answer: " + failure.what());
    return "gave up";
  }
  return "was served";
}

}  // namespace ocs::sim
