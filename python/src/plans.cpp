// Takes reservations apart, each number with its range.
// SPDX-License-Identifier: Apache-2.0
#include "python/src/plans.hpp"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <array>

#include "host/core/catalogue.hpp"
#include "host/scheduler/catalogue.hpp"
#include "host/scheduler/check_plan.hpp"
#include "python/src/numbers.hpp"
#include "testbed/plans/plan_json.hpp"

namespace ocs::python {
namespace {

namespace nb = nanobind;

constexpr std::size_t least_columns = 4, columns = 6;
constexpr std::array<const char*, columns> column_names = {"flow", "start", "up", "end", "offset", "plane"};
using Numbers = std::array<std::int64_t, columns>;

/// Flows by number. Their places are looked up once, for plans have many reservations.
class FlowTable {
 public:
  explicit FlowTable(const Problem& problem) {
    flows_.reserve(problem.flows.size());
    for (const Flow& flow : problem.flows) flows_.push_back(&flow);
    if (!std::ranges::is_sorted(flows_, {}, number_of)) std::ranges::sort(flows_, {}, number_of);
  }
  Reservation reservation(const Numbers& numbers, const Place& where) const {
    for (std::size_t k = 0; k < columns; ++k) check(numbers[k], k, where);
    const Flow* const flow = find(static_cast<std::uint32_t>(numbers[0]));
    if (flow == nullptr)
      throw BrokenRule(ErrorKind::input, PlanRule::unknown_flow,
                       "the plan has a reservation of flow " + std::to_string(numbers[0]) + ", which is not asked for");
    return {.flow = flow->id,
            .plane = Plane{static_cast<std::uint8_t>(numbers[5])},
            .in = flow->in,
            .outs = flow->outs,
            .start = {numbers[1]},
            .up = {numbers[2]},
            .end = {numbers[3]},
            .offset = {numbers[4]}};
  }
  /// Whether it reaches all outputs of its flow, as reservation() takes it.
  bool whole_flow(const Reservation& r) const { return find(index(r.flow))->outs == r.outs; }

 private:
  static std::uint32_t number_of(const Flow* flow) { return index(flow->id); }
  /// nullptr: an unknown one.
  const Flow* find(std::uint32_t number) const {
    const auto flow = std::ranges::lower_bound(flows_, number, {}, number_of);
    return flow == flows_.end() || number_of(*flow) != number ? nullptr : *flow;
  }
  static void check(std::int64_t number, std::size_t column, const Place& where) {
    const std::int64_t most = column == 0 ? 0xffffffff : column == 5 ? 255 : largest_tick;
    if (number < 0 || number > most)
      refuse(where.field(column_names[column]) + " is " + std::to_string(number) +
             ", but must be a whole number from 0 to " + std::to_string(most));
  }
  std::vector<const Flow*> flows_;  ///< ascending
};

Json to_json(nb::handle value, const Place& where) {
  if (PyList_Check(value.ptr()) == 0 && PyTuple_Check(value.ptr()) == 0) return whole(value, where);
  Json list = Json::array();
  for (const nb::handle item : value) list.push_back(whole(item, where));
  return list;
}

Reservation from_dict(const nb::dict& fields, const Place& where) {
  Json json = Json::object();
  for (const auto [name, value] : fields) {
    if (!nb::isinstance<nb::str>(name))
      refuse(where + " has a key that is a " + type_word(name) + ", but must be text");
    const std::string key = nb::cast<std::string>(name);
    json[key] = to_json(value, where.field(key.c_str()));
  }
  return reservations_from_json(Json::array({json}), where.text()).front();
}

/// @param tuple a tuple or a list
Numbers from_tuple(nb::handle tuple, const Place& where) {
  const std::size_t size = nb::len(tuple);
  if (size < least_columns || size > columns)
    refuse(where + " has " + std::to_string(size) + " items, but must be (flow, start, up, end[, offset[, plane]])");
  Numbers numbers{};
  for (std::size_t k = 0; k < size; ++k) numbers[k] = whole(nb::object(tuple[k]), where.field(column_names[k]));
  return numbers;
}

using Table = nb::ndarray<const std::int64_t, nb::ndim<2>, nb::device::cpu>;

std::vector<Reservation> from_table(const Table& table, const FlowTable& flows, const Place& where) {
  const std::size_t width = table.shape(1);
  if (width < least_columns || width > columns)
    refuse(where + " is an array with " + std::to_string(width) +
           " columns, but must have flow, start, up, end[, offset[, plane]]");
  std::vector<Reservation> list;
  list.reserve(table.shape(0));
  for (std::size_t row = 0; row < table.shape(0); ++row) {
    Numbers numbers{};
    for (std::size_t k = 0; k < width; ++k) numbers[k] = table(row, k);
    list.push_back(flows.reservation(numbers, where.item(row)));
  }
  return list;
}

Reservation one_of(nb::handle item, const FlowTable& flows, const Place& where) {
  if (PyDict_Check(item.ptr()) != 0) return from_dict(nb::borrow<nb::dict>(item), where);
  if (PyTuple_Check(item.ptr()) != 0 || PyList_Check(item.ptr()) != 0)
    return flows.reservation(from_tuple(item, where), where);
  refuse(where + " is a " + type_word(item) +
         ", but must be (flow, start, up, end[, offset[, plane]]) or a dictionary");
}

}  // namespace

std::vector<Reservation> reservations_from(nb::handle answer, const Problem& problem, const std::string& where) {
  const FlowTable flows(problem);
  if (Table table; nb::ndarray_check(answer) && nb::try_cast(answer, table, false))
    return from_table(table, flows, where);
  constexpr const char* right =
      "a list of reservations or an int64 array with the columns flow, start, up, end[, offset[, plane]]";
  if (nb::ndarray_check(answer)) refuse(where + " is a " + type_word(answer) + ", but must be " + right);
  std::vector<Reservation> list;
  for_each_item(answer, where, right,
                [&](nb::handle item, const Place& place) { list.push_back(one_of(item, flows, place)); });
  return list;
}

nb::ndarray<nb::numpy, std::int64_t> plan_by(const Problem& problem, const std::string& name) {
  const Plan plan = make(schedulers(), name, "scheduler")->plan(problem);
  auto* const numbers = new std::vector<std::int64_t>;
  const nb::capsule owner(numbers,
                          [](void* pointer) noexcept { delete static_cast<std::vector<std::int64_t>*>(pointer); });
  numbers->reserve(plan.list.size() * columns);
  const FlowTable flows(problem);
  for (const Reservation& r : plan.list) {
    if (!flows.whole_flow(r))
      refuse("scheduler \"" + name + "\" sends flow " + std::to_string(index(r.flow)) +
             " to its outputs one after another, which such an array can't say");
    numbers->insert(numbers->end(), {index(r.flow), r.start.n, r.up.n, r.end.n, r.offset.n, index(r.plane)});
  }
  const std::size_t shape[] = {plan.list.size(), columns};
  return {numbers->data(), 2, shape, owner};
}

}  // namespace ocs::python
