// Writing register programs in the format in which they are read.
// SPDX-License-Identifier: Apache-2.0
#include <iterator>
#include <utility>

#include "host/conformance/program.hpp"

namespace ocs::conformance {
namespace {

using Json = nlohmann::json;

Json circuit_text(const Op& op) { return op.valid ? Json{{"input", op.value}} : Json(nullptr); }

Json indices(const Op& op) {
  Json out = Json::array();
  for (int i = 0; i < op.reg->indices(); ++i) out.push_back(op.index[static_cast<std::size_t>(i)]);
  return out;
}

Json with_part(Json out, const Op& op) {
  if (op.part != Op::Part::whole) out.push_back(op.part == Op::Part::low ? "low" : "high");
  return out;
}

template <class Items>
std::string lines(const Items& items) {
  std::string out;
  for (const auto& item : items) out += (out.empty() ? "\n      " : ",\n      ") + to_json(item).dump();
  return "[" + out + "]";
}

}  // namespace

Json to_json(const Op& op) {
  switch (op.kind) {
    case Op::Kind::write: {
      const bool whole = op.strobes == Op::all_bytes;
      Json out{whole ? "write" : "write_bytes", op.reg->name, indices(op),
               op.reg->shape == Shape::circuit ? circuit_text(op) : Json(op.value)};
      if (!whole) out.push_back(op.strobes);
      return with_part(std::move(out), op);
    }
    case Op::Kind::read:
      return with_part({"read", op.reg->name, indices(op)}, op);
    case Op::Kind::advance:
      return {"advance", op.value};
    case Op::Kind::advance_irq:
      return {"advance_irq", op.value};
    case Op::Kind::pop:
      return Json::array({"pop"});
    case Op::Kind::drain:
      break;
  }
  return Json::array({"drain"});
}

Json to_json(const LoggedEvent& event) {
  Json out{event.stamp, event.cls, event.port, event.kind};
  if (event.tag != 0) out.push_back(event.tag);
  return out;
}

std::string to_text(const Case& program) {
  Json counters = Json::object();
  for (std::size_t k = 0; k < program.expect.counters.size(); ++k) {
    const std::string name(counter_names[k]);
    if (find_register(name)->indices() == 0)
      counters[name] = program.expect.counters[k].at(0);
    else
      counters[name] = program.expect.counters[k];
  }
  Json events = Json::array();
  for (const LoggedEvent& event : program.expect.events) events.push_back(to_json(event));
  return "{ \"name\": " + Json(program.name).dump() + ", \"rule\": " + Json(program.rule).dump() +
         ", \"ports\": " + std::to_string(program.ports) + ", \"fifo_depth\": " + std::to_string(program.fifo_depth) +
         ",\n  \"program\": " + lines(program.program) +
         ",\n  \"expect\": {\n    \"time\": " + std::to_string(program.expect.time) +
         ",\n    \"events\": " + events.dump() + ",\n    \"reads\": " + Json(program.expect.reads).dump() +
         ",\n    \"counters\": " + counters.dump() + " } }\n";
}

}  // namespace ocs::conformance
