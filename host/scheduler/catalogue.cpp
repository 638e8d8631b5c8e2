// One line each.
// SPDX-License-Identifier: Apache-2.0
#include "host/scheduler/catalogue.hpp"

#include <algorithm>
#include <iterator>

#include "host/scheduler/coflows/sunflow_inter.hpp"
#include "host/scheduler/lists/colour.hpp"
#include "host/scheduler/lists/hlf.hpp"
#include "host/scheduler/lists/multicast_list.hpp"
#include "host/scheduler/lists/psscheduler.hpp"
#include "host/scheduler/lists/rotation.hpp"
#include "host/scheduler/lists/sunflow.hpp"
#include "host/scheduler/placers/exact_placer.hpp"
#include "host/scheduler/placers/mxnet_placer.hpp"
#include "host/scheduler/placers/simple_placers.hpp"
#include "host/scheduler/psscheduler_or_default.hpp"
#include "host/scheduler/search/best.hpp"
#include "host/scheduler/search/exact.hpp"
#include "host/scheduler/slots/adaptive_maxweight.hpp"
#include "host/scheduler/slots/bvn.hpp"
#include "host/scheduler/slots/eclipse.hpp"
#include "host/scheduler/slots/edmonds.hpp"
#include "host/scheduler/slots/solstice.hpp"
#include "host/scheduler/slots/tms.hpp"

namespace ocs {
namespace {

template <class Base, class T>
std::unique_ptr<Base> plain() {
  return std::make_unique<T>();
}

template <FlowOrder order>
std::unique_ptr<Scheduler> sunflow() {
  return std::make_unique<Sunflow>(order);
}

template <Sharing sharing>
std::unique_ptr<Scheduler> sunflow_inter() {
  return std::make_unique<SunflowInter>(sharing);
}

constexpr char bvn_name[] = "bvn", solstice_name[] = "solstice", tms_name[] = "tms", eclipse_name[] = "eclipse";

template <const char* name, Decompose decompose, SlotMode mode>
std::unique_ptr<Scheduler> slots() {
  return std::make_unique<Decomposition>(name, decompose, mode);
}

template <SlotMode mode>
std::unique_ptr<Scheduler> edmonds() {
  return std::make_unique<Edmonds>(mode);
}

constexpr SchedulerEntry scheduler_list[] = {
    {"psscheduler",
     "the shortest of rotation_list, colour, hlf, sunflow_longest and sunflow",
     plain<Scheduler, Psscheduler>,
     {.online = true}},
    {"sunflow", "Sunflow, flows in (input, output) order", sunflow<FlowOrder::src_dst>, {.online = true}},
    {"sunflow_longest", "Sunflow, longest flows first", sunflow<FlowOrder::longest>, {.online = true}},
    {"sunflow_given", "Sunflow, flows in the order they are given", sunflow<FlowOrder::given>, {.online = true}},
    {"sunflow_random",
     "Sunflow, flows in an order drawn from the seed",
     sunflow<FlowOrder::random>,
     {.online = true, .draws = true}},
    {"sunflow_inter",
     "Sunflow for several coflows, the shortest first",
     sunflow_inter<Sharing::shortest>,
     {.online = true, .priorities = true}},
    {"sunflow_fifo",
     "Sunflow for several coflows, the first that came first",
     sunflow_inter<Sharing::first_come>,
     {.online = true, .priorities = true}},
    {"sunflow_fair",
     "Sunflow for several coflows, the one that has been given least first",
     sunflow_inter<Sharing::least_served>,
     {.online = true, .priorities = true}},
    {"hlf", "heaviest load first", plain<Scheduler, Hlf>, {.online = true}},
    {"colour", "edge colouring, one colour after the other", plain<Scheduler, Colour>, {.online = true}},
    {"rotation_list", "rotating matchings, work-conserving", plain<Scheduler, RotationList>, {.online = true}},
    {"rotation_allstop", "rotating matchings in slots, as rotor switches", plain<Scheduler, RotationAllstop>},
    {"solstice", "Solstice: stuffed, long slots first; all circuits stop while some are set up",
     slots<solstice_name, solstice, SlotMode::all_stop>},
    {"solstice_hold", "Solstice; circuits of two slots in a row go on", slots<solstice_name, solstice, SlotMode::hold>},
    {"bvn", "Birkhoff-von Neumann decomposition; all circuits stop while some are set up",
     slots<bvn_name, bvn, SlotMode::all_stop>},
    {"bvn_hold", "Birkhoff-von Neumann decomposition; circuits of two slots in a row go on",
     slots<bvn_name, bvn, SlotMode::hold>},
    {"tms", "TMS: bottleneck matchings; all circuits stop while some are set up",
     slots<tms_name, tms, SlotMode::all_stop>},
    {"tms_hold", "TMS: bottleneck matchings; circuits of two slots in a row go on",
     slots<tms_name, tms, SlotMode::hold>},
    {"eclipse", "Eclipse: the slot that carries most for its time first; all circuits stop while some are set up",
     slots<eclipse_name, eclipse, SlotMode::all_stop>},
    {"eclipse_hold", "Eclipse; circuits of two slots in a row go on", slots<eclipse_name, eclipse, SlotMode::hold>},
    {"edmonds", "repeated maximum-weight matching; circuits of two slots in a row go on", edmonds<SlotMode::hold>},
    {"edmonds_allstop", "repeated maximum-weight matching; all circuits stop while some are set up",
     edmonds<SlotMode::all_stop>},
    {"adaptive_maxweight", "circuits stay until another matching is heavier by more than an eighth",
     plain<Scheduler, AdaptiveMaxweight>},
    {"best",
     "the shortest of psscheduler's, then local search with a fixed amount of work",
     plain<Scheduler, Best>,
     {.draws = true, .searches = true}},
    {"multicast_list",
     "one input to several outputs at once; urgent flows first, then inputs with most outputs left",
     plain<Scheduler, MulticastList>,
     {.online = true, .priorities = true, .multicast = true}},
    {"exact",
     "the shortest plan without preemption, by branch and bound; at most 20 pairs of ports",
     plain<Scheduler, Exact>,
     {.small_only = true}},
};

constexpr Policy policy_list[] = {
    {"psscheduler", "PSscheduler, servers on any node", "psscheduler", "mxnet", "psscheduler", true},
    {"psscheduler_dedicated", "PSscheduler's circuits on the default placement", "mxnet", "mxnet", "psscheduler",
     false},
    {"psscheduler_whole", "PSscheduler with whole tensors", "psscheduler", "whole", "psscheduler", true},
    {"psscheduler_chunks", "PSscheduler with chunks of 4 MB", "psscheduler", "chunks", "psscheduler", true},
    {"psscheduler_exact", "PSscheduler with whole tensors where the heaviest port is lightest; for small jobs", "exact",
     "whole", "psscheduler", true},
    {"best", "PSscheduler's placement, the best circuits that can be found", "psscheduler", "mxnet", "best", true},
    {"best_dedicated", "the best circuits that can be found on the default placement", "mxnet", "mxnet", "best", false},
    {"sunflow", "Sunflow on the default placement", "mxnet", "mxnet", "sunflow", false},
    {"sunflow_inter", "Sunflow on the default placement, of several coflows the shortest first", "mxnet", "mxnet",
     "sunflow_inter", false},
    {"sunflow_fifo", "the same, of several coflows the first that came first", "mxnet", "mxnet", "sunflow_fifo", false},
    {"sunflow_fair", "the same, of several coflows the one that has been given least first", "mxnet", "mxnet",
     "sunflow_fair", false},
    {"sunflow_equal", "Sunflow, every server holds as much", "default", "equal", "sunflow", false},
    {"sunflow_whole", "Sunflow with whole tensors, in turn", "round_robin", "whole", "sunflow", false},
    {"hlf", "heaviest load first on the default placement", "mxnet", "mxnet", "hlf", false},
    {"hlf_equal", "heaviest load first, every server holds as much", "default", "equal", "hlf", false},
    {"hlf_whole", "heaviest load first with whole tensors, in turn", "round_robin", "whole", "hlf", false},
    {"byteps", "Sunflow with BytePS's chunks and hash", "byteps", "chunks", "sunflow", false},
    {"random", "Sunflow, servers and blocks drawn from the seed on any node", "random", "mxnet", "sunflow", true},
    {"solstice_allstop", "Solstice in all-stop slots", "mxnet", "mxnet", "solstice", false},
    {"bvn_allstop", "Birkhoff-von Neumann in all-stop slots", "mxnet", "mxnet", "bvn", false},
    {"tms_allstop", "TMS in all-stop slots", "mxnet", "mxnet", "tms", false},
    {"eclipse_allstop", "Eclipse in all-stop slots", "mxnet", "mxnet", "eclipse", false},
    {"edmonds_allstop", "repeated maximum-weight matching in all-stop slots", "mxnet", "mxnet", "edmonds_allstop",
     false},
    {"multicast", "one input to several outputs at once on the default placement, for job.peers", "mxnet", "mxnet",
     "multicast_list", false},
    {"rotor", "a blind timetable of rotations on the default placement", "mxnet", "mxnet", "rotation_allstop", false},
    {"solstice", "Solstice with hold on the default placement", "mxnet", "mxnet", "solstice_hold", false},
    {"bvn", "Birkhoff-von Neumann with hold on the default placement", "mxnet", "mxnet", "bvn_hold", false},
    {"tms", "TMS with hold on the default placement", "mxnet", "mxnet", "tms_hold", false},
    {"eclipse", "Eclipse with hold on the default placement", "mxnet", "mxnet", "eclipse_hold", false},
    {"edmonds", "repeated maximum-weight matching on the default placement", "mxnet", "mxnet", "edmonds", false},
    {"adaptive_maxweight", "adaptive MaxWeight on the default placement", "mxnet", "mxnet", "adaptive_maxweight",
     false},
};

/// Names of the schedulers with a trait, joined by commas.
std::string names_with(bool SchedulerTraits::*trait) {
  std::string text;
  for (const SchedulerEntry& entry : scheduler_list)
    if (entry.traits.*trait) text.append(text.empty() ? "" : ", ").append(entry.name);
  return text;
}

}  // namespace

SchedulerTraits scheduler_traits(std::string_view scheduler) {
  const auto* found = std::ranges::find(scheduler_list, scheduler, &SchedulerEntry::name);
  return found == std::end(scheduler_list) ? SchedulerTraits{} : found->traits;
}

bool plans_arrivals(std::string_view scheduler) { return scheduler_traits(scheduler).online; }
bool plans_priorities(std::string_view scheduler) { return scheduler_traits(scheduler).priorities; }
std::string arrivals_schedulers() { return names_with(&SchedulerTraits::online); }
std::string priority_schedulers() { return names_with(&SchedulerTraits::priorities); }

std::span<const SchedulerEntry> schedulers() { return scheduler_list; }
std::span<const PlacerEntry> placers() {
  static const PlacerEntry placer_list[] = {
      {"psscheduler",
       "servers and blocks by linear programme, assignment and exchange; a default placement if that is sooner",
       plain<Placer, PsschedulerOrDefault>},
      {"mxnet", "the first nodes, blocks by MXNet's rule", plain<Placer, MxnetPlacer>},
      {"default", "the first nodes, each block to the one that holds the fewest bytes", plain<Placer, DefaultPlacer>},
      {"round_robin", "the first nodes in turn", plain<Placer, RoundRobinPlacer>},
      {"byteps", "the first nodes, blocks by BytePS's hash", plain<Placer, BytepsPlacer>},
      {"random", "nodes and blocks drawn from the seed", plain<Placer, RandomPlacer>, {.draws = true}},
      {"exact",
       "the smallest load of the heaviest port, by branch and bound; for small jobs",
       plain<Placer, ExactPlacer>,
       {.small_only = true}},
  };
  return placer_list;
}
std::span<const Policy> policies() { return policy_list; }

}  // namespace ocs
