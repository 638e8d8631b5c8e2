// Costs of pairs as matrices, and pairs from a matrix or a list.
// SPDX-License-Identifier: Apache-2.0
#include "python/src/function_selection.hpp"

#include <nanobind/stl/string.h>

#include <utility>

#include "python/src/arrays.hpp"
#include "python/src/numbers.hpp"
#include "testbed/selection/check_selection.hpp"

namespace ocs::python {
namespace {

constexpr const char* right_pairs =
    "pairs (sender, receiver), or a bool array [sender, receiver], or a Selection of these";

/// Shares the problem: arrays are views of it and keep it alive.
struct ProblemOfPeers {
  std::shared_ptr<const SelectionProblem> problem;
  const SelectionProblem* operator->() const { return problem.get(); }
};
struct SendingView {
  std::shared_ptr<const SelectionProblem> problem;
  const Sending* operator->() const { return &*problem->sending; }
};

using PairTable = nb::ndarray<const bool, nb::ndim<2>, nb::device::cpu>;

PeerPairs pairs_from(nb::handle answer, std::size_t peers, const std::string& where) {
  PeerPairs pairs(peers);
  if (PairTable table; nb::ndarray_check(answer) && nb::try_cast(answer, table, false)) {
    if (table.shape(0) != peers || table.shape(1) != peers)
      refuse(where + " is an array of " + std::to_string(table.shape(0)) + " by " + std::to_string(table.shape(1)) +
             ", but must be of " + std::to_string(peers) + " by " + std::to_string(peers));
    for (std::size_t i = 0; i < peers; ++i)
      for (std::size_t j = 0; j < peers; ++j) pairs[i].set(j, table(i, j));
    return pairs;
  }
  const auto last = static_cast<std::int64_t>(peers) - 1;
  for_each_item(answer, where, right_pairs, [&](nb::handle item, const Place& place) {
    const std::vector<std::int64_t> pair = row_of(item, place, 2, 2, "a pair (sender, receiver)");
    for (const std::int64_t peer : pair)
      if (peer < 0 || peer > last)
        refuse(place + " names peer " + std::to_string(peer) + ", but peers are 0 to " + std::to_string(last));
    pairs[static_cast<std::size_t>(pair[0])].set(static_cast<std::size_t>(pair[1]));
  });
  return pairs;
}

/// What falls out of the plans of those who are sending.
std::vector<PeerPair> aborted(const Sending& sending, const PeerPairs& selected) {
  std::vector<PeerPair> pairs;
  for (std::size_t i = 0; i < selected.size(); ++i)
    for_each_output(sending.plan[i] & ~selected[i], [&](std::size_t j) {
      pairs.emplace_back(static_cast<std::uint16_t>(i), static_cast<std::uint16_t>(j));
    });
  return pairs;
}

Selection selection_from(nb::handle answer, const SelectionProblem& problem, const std::string& where) {
  const bool whole_selection = PyTuple_Check(answer.ptr()) != 0 && nb::hasattr(answer, "deadlines");
  Selection selection;
  selection.selected =
      pairs_from(whole_selection ? nb::object(answer.attr("pairs")) : nb::borrow(answer), problem.peers, where);
  selection.basic = selection.selected;
  const nb::object deadlines = whole_selection ? nb::object(answer.attr("deadlines")) : nb::none();
  if (!deadlines.is_none())
    for_each_item(deadlines, where + ".deadlines", "pairs (sender, tick)", [&](nb::handle item, const Place& place) {
      const std::vector<std::int64_t> pair = row_of(item, place, 2, 2, "a pair (sender, tick)");
      if (pair[0] < 0 || pair[0] >= static_cast<std::int64_t>(problem.peers) || pair[1] < 0)
        refuse(place + " must be a peer below " + std::to_string(problem.peers) + " and a tick of 0 or more");
      selection.deadlines.emplace_back(static_cast<std::uint16_t>(pair[0]), Ticks{pair[1]});
    });
  if (problem.sending) selection.aborted = aborted(*problem.sending, selection.selected);
  return selection;
}

class FunctionSelection final : public ReceiverSelection {
 public:
  explicit FunctionSelection(std::shared_ptr<const PolicyFunction> function) : function_(std::move(function)) {}

  Selection select(const SelectionProblem& problem) const override {
    check(problem);
    const auto kept = std::make_shared<const SelectionProblem>(problem);
    const std::string where = function_->name() + ", selection " + std::to_string(++asked_);
    Selection selection;
    ask_function(*function_, where, [&] {
      const nb::object answer = called(function_->function(), ProblemOfPeers{kept});
      const StayAtEnd stay;
      selection = selection_from(answer, *kept, where);
      check_selection(*kept, selection, ErrorKind::run);
    });
    add_loads(problem, selection);
    return selection;
  }

 private:
  std::shared_ptr<const PolicyFunction> function_;
  mutable std::int64_t asked_ = 0;  ///< for messages
};

View<bool> table_of(const PeerPairs& pairs) {
  const std::size_t peers = pairs.size();
  auto* const kept = new bool[peers * peers];
  const nb::capsule owner(kept, [](void* pointer) noexcept { delete[] static_cast<bool*>(pointer); });
  for (std::size_t i = 0; i < peers; ++i)
    for (std::size_t j = 0; j < peers; ++j) kept[i * peers + j] = pairs[i].test(j);
  const std::size_t shape[] = {peers, peers};
  return {kept, 2, shape, owner};
}

template <class T, class Item>
View<T> matrix(const ProblemOfPeers& view, const std::vector<Item>& items) {
  return items_view<T>(view.problem, items, {view->peers, view->peers});
}

nb::object select_by(const ProblemOfPeers& view, const std::string& name) {
  const Selection selection = find_selection(name).make()->select(*view.problem);
  nb::list deadlines;
  for (const auto& [peer, tick] : selection.deadlines) deadlines.append(nb::make_tuple(peer, tick.n));
  const nb::object table = nb::cast(table_of(selection.selected), nb::rv_policy::reference);
  return nb::module_::import_("lightloop.policies").attr("Selection")(table, deadlines);
}

nb::object sending_of(const ProblemOfPeers& view) {
  if (!view->sending) return nb::none();
  return nb::cast(SendingView{view.problem});
}

void add_sending(nb::module_& module) {
  constexpr auto reference = nb::rv_policy::reference;
  nb::class_<SendingView>(module, "Sending", "What goes on while a peer becomes ready.")
      .def_prop_ro(
          "ready", [](const SendingView& view) { return view->ready; }, "The peer that has become ready.")
      .def_prop_ro(
          "senders",
          [](const SendingView& view) {
            return items_view<std::uint16_t>(view.problem, view->senders, {view->senders.size()});
          },
          reference, "uint16: peers that are sending, ascending.")
      .def_prop_ro(
          "plan", [](const SendingView& view) { return table_of(view->plan); }, reference,
          "bool (peers, peers): their pairs that haven't been carried whole.")
      .def_prop_ro(
          "mostly_sent", [](const SendingView& view) { return table_of(view->mostly_sent); }, reference,
          "bool (peers, peers): among these, pairs of which less than peers.eta is left.")
      .def_prop_ro(
          "slack",
          [](const SendingView& view) {
            return items_view<std::int64_t>(view.problem, view->slack, {view->slack.size()});
          },
          reference, "int64 (peers,): ticks that each would wait anyhow if it had finished now.");
}

}  // namespace

std::shared_ptr<const SelectionEntry> selection_entry(std::shared_ptr<const PolicyFunction> function) {
  const std::string_view name = function->name();
  const bool while_sending = function->traits().while_sending;
  return std::make_shared<const SelectionEntry>(
      SelectionEntry{.name = name,
                     .summary = "a function of Python",
                     .while_sending = while_sending,
                     .make = [function = std::move(function)] { return std::make_unique<FunctionSelection>(function); },
                     .draws = true});
}

void add_selection_problem(nb::module_& module) {
  constexpr auto reference = nb::rv_policy::reference;
  add_sending(module);
  nb::class_<ProblemOfPeers>(module, "SelectionProblem",
                             "Which peers a peer can send its model to. Times are whole ticks, which are cycles of the "
                             "switch. Arrays are read-only and stay valid when they are kept.")
      .def_prop_ro(
          "peers", [](const ProblemOfPeers& view) { return view->peers; }, "How many peers there are, 1 to 256.")
      .def_prop_ro(
          "at_sender", [](const ProblemOfPeers& view) { return matrix<std::int64_t>(view, view->at_sender); },
          reference,
          "int64 (peers, peers): ticks that a model [sender, receiver] takes at the sender's port, set-up included.")
      .def_prop_ro(
          "at_receiver", [](const ProblemOfPeers& view) { return matrix<std::int64_t>(view, view->at_receiver); },
          reference, "int64 (peers, peers): the same at the receiver's port.")
      .def_prop_ro(
          "least",
          [](const ProblemOfPeers& view) {
            return items_view<std::uint32_t>(view.problem, view->least, {view->peers});
          },
          reference, "uint32 (peers,): receivers that each sender needs.")
      .def_prop_ro(
          "unsent", [](const ProblemOfPeers& view) { return matrix<std::uint32_t>(view, view->unsent); }, reference,
          "uint32 (peers, peers): rounds in which the sender hasn't sent to the receiver.")
      .def_prop_ro(
          "must",
          [](const ProblemOfPeers& view) {
            nb::list list;
            for (const auto& [i, j] : view->must) list.append(nb::make_tuple(i, j));
            return list;
          },
          "Pairs (sender, receiver) that have to be served: left out peers.k times.")
      .def_prop_ro(
          "layer", [](const ProblemOfPeers& view) { return view->layer == Layer::network ? "L3" : "L7"; },
          "\"L3\": the switch multiplies a model; \"L7\": the sender pays for each receiver.")
      .def_prop_ro(
          "seed", [](const ProblemOfPeers& view) { return view->seed; }, "Another number for each selection of a row.")
      .def_prop_ro("sending", sending_of, "Sending; None: all peers are ready.")
      .def("select_by", select_by, nb::arg("selection"), "The Selection that a selection of lightloop makes.");
}

}  // namespace ocs::python
