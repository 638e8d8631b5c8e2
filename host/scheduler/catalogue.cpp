// One line each.
// SPDX-License-Identifier: Apache-2.0
#include "host/scheduler/catalogue.hpp"

#include "host/scheduler/adaptive_maxweight.hpp"
#include "host/scheduler/best.hpp"
#include "host/scheduler/bvn.hpp"
#include "host/scheduler/colour.hpp"
#include "host/scheduler/eclipse.hpp"
#include "host/scheduler/edmonds.hpp"
#include "host/scheduler/exact.hpp"
#include "host/scheduler/hlf.hpp"
#include "host/scheduler/mxnet_placer.hpp"
#include "host/scheduler/psscheduler.hpp"
#include "host/scheduler/psscheduler_placer.hpp"
#include "host/scheduler/rotation.hpp"
#include "host/scheduler/solstice.hpp"
#include "host/scheduler/sunflow.hpp"
#include "host/scheduler/tms.hpp"

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

constexpr char bvn_name[] = "bvn", solstice_name[] = "solstice", tms_name[] = "tms", eclipse_name[] = "eclipse";

template <const char* name, Decompose decompose, SlotMode mode>
std::unique_ptr<Scheduler> slots() {
  return std::make_unique<Decomposition>(name, decompose, mode);
}

template <SlotMode mode>
std::unique_ptr<Scheduler> edmonds() {
  return std::make_unique<Edmonds>(mode);
}

constexpr Entry<Scheduler> scheduler_list[] = {
    {"psscheduler", "the shortest of rotation_list, colour, hlf, sunflow_longest and sunflow",
     plain<Scheduler, Psscheduler>},
    {"sunflow", "Sunflow, flows in (input, output) order", sunflow<FlowOrder::src_dst>},
    {"sunflow_longest", "Sunflow, longest flows first", sunflow<FlowOrder::longest>},
    {"sunflow_given", "Sunflow, flows in the order they are given", sunflow<FlowOrder::given>},
    {"sunflow_random", "Sunflow, flows in an order drawn from the seed", sunflow<FlowOrder::random>},
    {"hlf", "heaviest load first", plain<Scheduler, Hlf>},
    {"colour", "edge colouring, one colour after the other", plain<Scheduler, Colour>},
    {"rotation_list", "rotating matchings, work-conserving", plain<Scheduler, RotationList>},
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
    {"best", "the shortest of psscheduler's, then local search with a fixed amount of work", plain<Scheduler, Best>},
    {"exact", "the shortest plan without preemption, by branch and bound; at most 20 pairs of ports",
     plain<Scheduler, Exact>},
};

constexpr Entry<Placer> placer_list[] = {
    {"psscheduler", "servers and blocks by linear programme, assignment and exchange",
     plain<Placer, PsschedulerPlacer>},
    {"mxnet", "the first nodes, blocks by MXNet's rule", plain<Placer, MxnetPlacer>},
};

constexpr Policy policy_list[] = {
    {"psscheduler", "PSscheduler, servers on any node", "psscheduler", "psscheduler", true},
    {"psscheduler_dedicated", "PSscheduler's circuits on the default placement", "mxnet", "psscheduler", false},
    {"sunflow", "Sunflow on the default placement", "mxnet", "sunflow", false},
    {"hlf", "heaviest load first on the default placement", "mxnet", "hlf", false},
};

}  // namespace

std::span<const Entry<Scheduler>> schedulers() { return scheduler_list; }
std::span<const Entry<Placer>> placers() { return placer_list; }
std::span<const Policy> policies() { return policy_list; }

}  // namespace ocs
