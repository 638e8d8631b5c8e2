// A job as arrays, and a placement from nodes of blocks or from shards.
// SPDX-License-Identifier: Apache-2.0
#include "python/src/function_placer.hpp"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <utility>

#include "host/core/catalogue.hpp"
#include "host/scheduler/job_traffic.hpp"
#include "host/scheduler/placers/check_placement.hpp"
#include "python/src/arrays.hpp"
#include "python/src/numbers.hpp"

namespace ocs::python {
namespace {

constexpr const char* right_placement =
    "the node of each block, a list of shards (block, offset, size, node), or a Placement of these";
constexpr std::int64_t last_node = max_ports - 1, most_bytes = std::int64_t{1} << 62;

/// Shares the job: arrays are views of it and keep it alive.
struct JobView {
  std::shared_ptr<const Job> job;
  const Job* operator->() const { return job.get(); }
};

Node node_of(std::int64_t number) { return Node{static_cast<std::uint16_t>(number)}; }

/// Block after block: its node, or the shards that it is cut into.
std::vector<Shard> shards_from(nb::handle list, const Job& job, const std::string& where) {
  std::vector<Shard> shards;
  std::uint32_t next = 0;
  for_each_item(list, where, right_placement, [&](nb::handle item, const Place& place) {
    if (nb::hasattr(item, "__len__")) {  // a number of numpy has none
      const std::vector<std::int64_t> row = row_of(item, place, 4, 4, "a shard (block, offset, size, node)");
      constexpr std::int64_t most[] = {0xffffffff, most_bytes, most_bytes, last_node};
      for (std::size_t k = 0; k < row.size(); ++k)
        if (row[k] < 0 || row[k] > most[k])
          refuse(place + "[" + std::to_string(k) + "] is " + std::to_string(row[k]) + ", but must be from 0 to " +
                 std::to_string(most[k]));
      shards.push_back({static_cast<std::uint32_t>(row[0]), {row[1]}, {row[2]}, node_of(row[3])});
      return;
    }
    const Node node = node_of(whole(item, place, 0, last_node));
    shards.push_back({next, {}, next < job.blocks.size() ? job.blocks[next].size : Bytes{4}, node});
    ++next;
  });
  std::ranges::stable_sort(shards, {}, [](const Shard& shard) { return std::pair(shard.block, shard.offset.n); });
  return shards;
}

Placement placement_from(nb::handle answer, const Job& job, const std::string& where) {
  Placement placement;
  const bool whole_placement = PyTuple_Check(answer.ptr()) != 0 && nb::hasattr(answer, "servers");
  placement.shards = shards_from(whole_placement ? nb::object(answer.attr("shards")) : nb::borrow(answer), job, where);
  const nb::object servers = whole_placement ? nb::object(answer.attr("servers")) : nb::none();
  if (servers.is_none())
    for (const Shard& shard : placement.shards) placement.servers.push_back(shard.server);
  else
    for_each_item(servers, where + ".servers", "a list of nodes", [&](nb::handle item, const Place& place) {
      placement.servers.push_back(node_of(whole(item, place, 0, last_node)));
    });
  std::ranges::sort(placement.servers);
  if (servers.is_none())
    placement.servers.erase(std::unique(placement.servers.begin(), placement.servers.end()), placement.servers.end());
  return placement;
}

class FunctionPlacer final : public Placer {
 public:
  explicit FunctionPlacer(std::shared_ptr<const PolicyFunction> function) : function_(std::move(function)) {}

  Placement place(const Job& job) const override {
    check_job(job, function_->name());
    const auto kept = std::make_shared<const Job>(job);
    Placement placement;
    ask_function(*function_, function_->name(), [&] {
      const nb::object answer = called(function_->function(), JobView{kept});
      const StayAtEnd stay;
      placement = placement_from(answer, *kept, function_->name());
      check_placement(*kept, placement, ErrorKind::run);
    });
    return placement;
  }

 private:
  std::shared_ptr<const PolicyFunction> function_;
};

nb::object place_by(const JobView& view, const std::string& name) {
  const Placement placement = make(placers(), name, "placer")->place(*view.job);
  nb::list servers, shards;
  for (const Node server : placement.servers) servers.append(index(server));
  for (const Shard& shard : placement.shards)
    shards.append(nb::make_tuple(shard.block, shard.offset.n, shard.size.n, index(shard.server)));
  return nb::module_::import_("lightloop.policies").attr("Placement")(shards, servers);
}

}  // namespace

std::shared_ptr<const PlacerEntry> placer_entry(std::shared_ptr<const PolicyFunction> function) {
  const std::string_view name = function->name();
  return std::make_shared<const PlacerEntry>(
      PlacerEntry{.name = name,
                  .summary = "a function of Python",
                  .make = [function = std::move(function)] { return std::make_unique<FunctionPlacer>(function); },
                  .traits = {.draws = true}});
}

void add_placement_job(nb::module_& module) {
  constexpr auto reference = nb::rv_policy::reference;
  nb::class_<JobView>(module, "PlacementJob",
                      "What a placer has to place. Arrays are read-only views and stay valid when they are kept.")
      .def(
          "__len__", [](const JobView& view) { return view->blocks.size(); }, "How many blocks there are.")
      .def_prop_ro(
          "servers", [](const JobView& view) { return view->servers; }, "How many nodes have to be servers.")
      .def_prop_ro(
          "workers",
          [](const JobView& view) {
            return items_view<std::uint16_t>(view.job, view->workers, {view->workers.size()});
          },
          reference, "uint16 (workers,): nodes of the workers.")
      .def_prop_ro(
          "candidates",
          [](const JobView& view) {
            return items_view<std::uint16_t>(view.job, view->candidates, {view->candidates.size()});
          },
          reference, "uint16 (candidates,): nodes that may be servers, in order of preference.")
      .def_prop_ro(
          "size", [](const JobView& view) { return field_view<std::int64_t>(view.job, view->blocks, &Block::size); },
          reference, "int64 (blocks,): bytes of each block, in whole words of the switch.")
      .def_prop_ro(
          "tensor",
          [](const JobView& view) { return field_view<std::uint32_t>(view.job, view->blocks, &Block::tensor); },
          reference, "uint32 (blocks,): row of each block's tensor in the table of the workload.")
      .def_prop_ro(
          "rate",
          [](const JobView& view) {
            return items_view<std::int64_t>(view.job, view->rate_bps, {view->rate_bps.size()});
          },
          reference, "int64 (nodes,): bit/s of each node, both directions.")
      .def_prop_ro(
          "delta_ps", [](const JobView& view) { return view->delta.n; },
          "Picoseconds that a circuit takes to be set up.")
      .def_prop_ro(
          "tick_ps", [](const JobView& view) { return view->tick.n; }, "Picoseconds of a cycle of the switch.")
      .def_prop_ro(
          "seed", [](const JobView& view) { return view->seed; }, "Seed of the row, for placers that draw.")
      .def("place_by", place_by, nb::arg("placer"), "The Placement that a placer of lightloop makes.");
}

}  // namespace ocs::python
