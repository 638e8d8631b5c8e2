// Steps from lists of transfers, asked for once for each number of ranks.
// SPDX-License-Identifier: Apache-2.0
#include "python/src/function_collective.hpp"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

#include "host/core/ids.hpp"
#include "python/src/numbers.hpp"

namespace ocs::python {
namespace {

constexpr const char* right_transfer = "a transfer (sender, receiver, blocks, \"add\" or \"take\")";
constexpr std::int64_t most_blocks = 65536;

bool adds(nb::handle word, const Place& where) {
  const std::string text = PyUnicode_Check(word.ptr()) != 0 ? nb::cast<std::string>(word) : type_word(word);
  if (text != "add" && text != "take") refuse(where + " is " + text + ", but must be \"add\" or \"take\"");
  return text == "add";
}

CollectiveTransfer transfer_from(nb::handle item, std::uint32_t ranks, const Place& where) {
  if (PyTuple_Check(item.ptr()) == 0 && PyList_Check(item.ptr()) == 0)
    refuse(where + " is a " + type_word(item) + ", but must be " + right_transfer);
  if (const std::size_t size = nb::len(item); size != 4)
    refuse(where + " has " + std::to_string(size) + " items, but must be " + right_transfer);
  const auto rank = [&](std::size_t k) {
    return static_cast<std::uint16_t>(whole(nb::object(item[k]), where.item(k), 0, std::int64_t{ranks} - 1));
  };
  CollectiveTransfer transfer{rank(0), rank(1), {}, adds(nb::object(item[3]), where.item(3))};
  for_each_item(nb::object(item[2]), where.item(2), "a list of blocks", [&](nb::handle block, const Place& place) {
    transfer.blocks.push_back(static_cast<std::uint32_t>(whole(block, place, 0, most_blocks - 1)));
  });
  return transfer;
}

/// Blocks that a collective of the kind has: those that are named, or as many as its ranks say.
std::uint32_t blocks_of(const Collective& list) {
  if (list.kind == CollectiveKind::all_to_all) return list.ranks * list.ranks;
  if (list.kind == CollectiveKind::all_gather) return list.ranks;
  std::uint32_t blocks = 1;
  for (const CollectiveStep& step : list.steps)
    for (const CollectiveTransfer& transfer : step)
      for (const std::uint32_t block : transfer.blocks) blocks = std::max(blocks, block + 1);
  return blocks;
}

Collective collective_from(nb::handle answer, CollectiveKind kind, std::uint32_t ranks, const std::string& where) {
  Collective list{.kind = kind, .ranks = ranks, .blocks = 0, .steps = {}};
  for_each_item(answer, where, "a list of steps", [&](nb::handle step, const Place& place) {
    CollectiveStep transfers;
    for_each_item(step, place, "a list of transfers",
                  [&](nb::handle item, const Place& of) { transfers.push_back(transfer_from(item, ranks, of)); });
    std::ranges::stable_sort(transfers, {}, &CollectiveTransfer::sender);
    list.steps.push_back(std::move(transfers));
  });
  list.blocks = blocks_of(list);
  if (kind == CollectiveKind::reduce_scatter)
    for (std::uint32_t block = 0; block < list.blocks; ++block)
      list.homes.push_back(static_cast<std::uint16_t>(block % ranks));
  return list;
}

/// The checker of all lists calls what is wrong an error of lightloop's own; here it is the function's.
void check_list(const Collective& list) {
  try {
    check(list);
  } catch (const Error& wrong) {
    throw BrokenRule(ErrorKind::run, PlanRule::steps, wrong.what());
  }
}

/// Lists are asked for once: they depend on the ranks alone, and a row asks for its own several times.
class FunctionCollective {
 public:
  FunctionCollective(std::shared_ptr<const PolicyFunction> function, CollectiveKind kind)
      : function_(std::move(function)), kind_(kind) {}

  Collective list(std::uint16_t ranks) {
    {
      const std::scoped_lock lock(mutex_);
      if (const auto known = lists_.find(ranks); known != lists_.end()) return known->second;
    }
    Collective made;
    ask_function(*function_, function_->name(), [&] {
      const nb::object answer = called(function_->function(), ranks);
      const StayAtEnd stay;
      made = collective_from(answer, kind_, ranks, function_->name());
      check_list(made);
    });
    const std::scoped_lock lock(mutex_);
    return lists_.emplace(ranks, std::move(made)).first->second;
  }

 private:
  std::shared_ptr<const PolicyFunction> function_;
  CollectiveKind kind_;
  std::mutex mutex_;
  std::map<std::uint16_t, Collective> lists_;
};

nb::list steps_of(const std::string& kind, const std::string& algorithm, int ranks) {
  nb::list steps;
  for (const CollectiveStep& step : make_collective(collective_kind(kind), algorithm, ranks).steps) {
    nb::list transfers;
    for (const CollectiveTransfer& one : step) {
      nb::list blocks;
      for (const std::uint32_t block : one.blocks) blocks.append(block);
      transfers.append(nb::make_tuple(one.sender, one.receiver, blocks, one.adds ? "add" : "take"));
    }
    steps.append(transfers);
  }
  return steps;
}

}  // namespace

std::shared_ptr<const CollectiveEntry> collective_entry(std::shared_ptr<const PolicyFunction> function) {
  const CollectiveKind kind = collective_kind(function->traits().collective);
  const std::string_view name = function->name();
  const auto lists = std::make_shared<FunctionCollective>(std::move(function), kind);
  return std::make_shared<const CollectiveEntry>(
      CollectiveEntry{.name = name,
                      .kind = kind,
                      .summary = "a function of Python",
                      .power_of_two = false,
                      .make = [lists](std::uint16_t ranks, std::uint32_t) { return lists->list(ranks); }});
}

void add_collectives(nb::module_& module) {
  module.def("collective_steps", steps_of, nb::arg("collective"), nb::arg("algorithm"), nb::arg("ranks"));
}

}  // namespace ocs::python
