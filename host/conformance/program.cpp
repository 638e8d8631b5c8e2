// Reading register programs: every deviation from the format is one sentence with its place.
// SPDX-License-Identifier: Apache-2.0
#include "host/conformance/program.hpp"

#include <algorithm>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <system_error>

#include "host/core/error.hpp"

namespace ocs::conformance {
namespace {

using Json = nlohmann::json;

/// A value and where it stands.
struct Place {
  const Json& json;
  std::string path;

  [[noreturn]] void fail(const std::string& what) const { throw Error(ErrorKind::input, path + ": " + what); }

  Place at(std::size_t i) const { return {json[i], path + "[" + std::to_string(i) + "]"}; }
  Place at(const char* key) const {
    if (!json.contains(key)) fail(std::string("\"") + key + "\" is missing");
    return {json.at(key), path + "." + key};
  }

  const Json& array() const {
    if (!json.is_array()) fail("expected a list, found " + brief());
    return json;
  }

  /// An object with exactly these keys.
  void object(std::initializer_list<const char*> keys) const {
    if (!json.is_object()) fail("expected an object, found " + brief());
    for (const auto& item : json.items())
      if (std::none_of(keys.begin(), keys.end(), [&](const char* key) { return item.key() == key; }))
        fail("unknown key \"" + item.key() + "\"");
    for (const char* key : keys) at(key);
  }

  std::string text() const {
    if (!json.is_string() || json.get_ref<const std::string&>().empty()) fail("expected a text, found " + brief());
    return json.get<std::string>();
  }

  std::uint64_t number(std::uint64_t low, std::uint64_t high) const {
    if (!json.is_number_unsigned())
      fail("expected a whole number from " + std::to_string(low) + " to " + std::to_string(high) + ", found " +
           brief());
    const auto value = json.get<std::uint64_t>();
    if (value < low || value > high)
      fail(std::to_string(value) + " isn't from " + std::to_string(low) + " to " + std::to_string(high));
    return value;
  }

  std::string brief() const {
    const std::string all = json.dump(-1, ' ', false, Json::error_handler_t::replace);
    return all.size() <= 60 ? all : all.substr(0, 57) + "...";
  }
};

constexpr std::uint64_t any64 = ~std::uint64_t{0};

void arity(const Place& op, std::size_t elements, const char* form, std::size_t optional = 0) {
  if (op.json.size() < elements || op.json.size() > elements + optional)
    op.fail(std::string("expected ") + form + ", found " + op.brief());
}

void parse_register(const Place& op, Op& out) {
  const std::string name = op.at(1).text();
  out.reg = find_register(name);
  if (out.reg == nullptr) op.at(1).fail("unknown register \"" + name + "\"");
  const Place indices = op.at(2);
  const auto wanted = static_cast<std::size_t>(out.reg->indices());
  if (indices.array().size() != wanted)
    indices.fail(name + " takes " + std::to_string(wanted) + " indices, found " + indices.brief());
  for (std::size_t i = 0; i < wanted; ++i)
    out.index[i] = static_cast<std::uint32_t>(indices.at(i).number(0, out.reg->largest_index()));
}

void parse_value(const Place& value, Op& out) {
  if (out.reg->shape != Shape::circuit) {
    out.value = value.number(0, out.reg->limit());
    return;
  }
  out.valid = !value.json.is_null();
  if (!out.valid) return;
  value.object({"input"});
  out.value = value.at("input").number(0, out.reg->limit());
}

/// The word of a register of 64 bits that is accessed alone, if the operation names one.
void parse_part(const Place& op, std::size_t element, Op& out) {
  if (op.json.size() <= element) return;
  const Place part = op.at(element);
  const std::string name = part.text();
  if (name != "low" && name != "high") part.fail("must be \"low\" or \"high\", found " + part.brief());
  if (out.reg->shape != Shape::wide)
    part.fail(std::string(out.reg->name) + " has no word of its own that is \"" + name + "\": it has no 64 bits");
  out.part = name == "low" ? Op::Part::low : Op::Part::high;
}

Op parse_write_bytes(const Place& op) {
  Op out;
  arity(op, 5, "[\"write_bytes\", NAME, [index...], value, strobes]", 1);
  out.kind = Op::Kind::write;
  parse_register(op, out);
  parse_value(op.at(3), out);
  out.strobes = static_cast<std::uint8_t>(op.at(4).number(0, Op::all_bytes - 1));
  parse_part(op, 5, out);
  return out;
}

Op parse_op(const Place& op) {
  if (op.array().empty()) op.fail("expected an operation, found an empty list");
  const std::string verb = op.at(std::size_t{0}).text();
  Op out;
  if (verb == "write") {
    arity(op, 4, "[\"write\", NAME, [index...], value]", 1);
    out.kind = Op::Kind::write;
    parse_register(op, out);
    parse_value(op.at(3), out);
    parse_part(op, 4, out);
  } else if (verb == "write_bytes") {
    return parse_write_bytes(op);
  } else if (verb == "read") {
    arity(op, 3, "[\"read\", NAME, [index...]]", 1);
    out.kind = Op::Kind::read;
    parse_register(op, out);
    parse_part(op, 3, out);
  } else if (verb == "advance" || verb == "advance_irq") {
    arity(op, 2, verb == "advance" ? "[\"advance\", n]" : "[\"advance_irq\", limit]");
    out.kind = verb == "advance" ? Op::Kind::advance : Op::Kind::advance_irq;
    out.value = op.at(1).number(0, max_advance);
  } else if (verb == "pop" || verb == "drain") {
    arity(op, 1, verb == "pop" ? "[\"pop\"]" : "[\"drain\"]");
    out.kind = verb == "pop" ? Op::Kind::pop : Op::Kind::drain;
  } else {
    op.fail("unknown operation \"" + verb + "\"; known: write, write_bytes, read, advance, advance_irq, pop, drain");
  }
  return out;
}

LoggedEvent parse_event(const Place& event) {
  const std::size_t fields = event.array().size();
  if (fields != 4 && fields != 5)
    event.fail("expected [stamp, class, port, kind], or these and a commit's tag, found " + event.brief());
  return {event.at(std::size_t{0}).number(0, any64), static_cast<std::uint32_t>(event.at(1).number(0, 2)),
          static_cast<std::uint32_t>(event.at(2).number(0, max_index)),
          static_cast<std::uint32_t>(event.at(3).number(0, 15)),
          fields == 5 ? static_cast<std::uint32_t>(event.at(4).number(0, 63)) : 0};
}

Json parse_read(const Place& read) {
  const Json& value = read.json;
  if (value.is_null() || value == "refused" || value.is_number_unsigned()) return value;
  if (value.is_array()) return to_json(parse_event(read));
  if (value.is_object() && value.size() == 1) {
    read.object({"input"});
    read.at("input").number(0, 511);
  } else {
    read.object({"input", "tag", "first", "count"});
    for (const auto& item : value.items()) read.at(item.key().c_str()).number(0, 0xFFFF'FFFF);
  }
  return value;
}

Counters parse_counters(const Place& counters, std::size_t ports) {
  counters.object(
      {"PASSED", "LOST", "DARK", "TUNINGS", "RESTARTS", "SENT", "UNROUTED", "COMMITS", "REFUSED", "LATE", "DROPPED"});
  Counters out;
  for (const std::string_view name : counter_names) {
    const Place counter = counters.at(name.data());
    std::vector<std::uint64_t>& values = out.emplace_back();
    if (find_register(name)->indices() == 0) {
      values.push_back(counter.number(0, any64));
      continue;
    }
    if (counter.array().size() != ports)
      counter.fail("expected " + std::to_string(ports) + " numbers, found " + counter.brief());
    for (std::size_t p = 0; p < ports; ++p) values.push_back(counter.at(p).number(0, any64));
  }
  return out;
}

Case parse_case(const Place& place) {
  place.object({"name", "rule", "ports", "fifo_depth", "program", "expect"});
  Case out;
  out.name = place.at("name").text();
  out.rule = place.at("rule").text();
  out.ports = static_cast<int>(place.at("ports").number(2, 256));
  out.fifo_depth = static_cast<int>(place.at("fifo_depth").number(1, 65535));
  const Place program = place.at("program");
  for (std::size_t i = 0; i < program.array().size(); ++i) out.program.push_back(parse_op(program.at(i)));
  const Place expect = place.at("expect");
  expect.object({"time", "events", "reads", "counters"});
  out.expect.time = expect.at("time").number(0, any64);
  const Place events = expect.at("events"), reads = expect.at("reads");
  for (std::size_t i = 0; i < events.array().size(); ++i) out.expect.events.push_back(parse_event(events.at(i)));
  for (std::size_t i = 0; i < reads.array().size(); ++i) out.expect.reads.push_back(parse_read(reads.at(i)));
  out.expect.counters = parse_counters(expect.at("counters"), static_cast<std::size_t>(out.ports));
  return out;
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw Error(ErrorKind::input, path.string() + ": can't be read");
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace

std::vector<Case> parse_cases(std::string_view text, const std::string& origin) {
  Json json;
  try {
    json = Json::parse(text);
  } catch (const Json::exception& e) {
    throw Error(ErrorKind::input, origin + ": not JSON: " + e.what());
  }
  const Place whole{json, origin};
  std::vector<Case> out;
  if (!json.is_array()) {
    out.push_back(parse_case(whole));
    return out;
  }
  if (json.empty()) whole.fail("expected a case or a list of cases, found an empty list");
  for (std::size_t i = 0; i < json.size(); ++i) out.push_back(parse_case(whole.at(i)));
  return out;
}

std::vector<ProgramFile> load_programs(const std::filesystem::path& folder) {
  std::vector<ProgramFile> out;
  std::error_code error;
  std::filesystem::recursive_directory_iterator entry(folder, error);
  if (error) return {{folder.string(), {}, folder.string() + ": " + error.message() + "; name a folder of programs"}};
  for (const std::filesystem::recursive_directory_iterator end; entry != end; entry.increment(error)) {
    if (error) break;
    if (entry->path().extension() != ".json" || entry->is_directory(error)) continue;
    ProgramFile& file = out.emplace_back();
    file.name = entry->path().lexically_relative(folder).generic_string();
    try {
      file.cases = parse_cases(read_file(entry->path()), file.name);
    } catch (const Error& e) {
      file.problem = e.what();
    }
  }
  if (error) out.push_back({folder.string(), {}, folder.string() + ": " + error.message()});
  if (out.empty()) out.push_back({folder.string(), {}, folder.string() + ": holds no program (*.json)"});
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return out;
}

}  // namespace ocs::conformance
