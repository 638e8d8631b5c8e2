// Birkhoff-von Neumann decomposition: perfect matchings, each for as long as its smallest entry lasts.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/scheduler/slots/decompose.hpp"

namespace ocs {

/// While entries remain: a largest matching on all of them (always a perfect one, as all rows and columns sum to the
/// budget); the slot lasts as long as its smallest entry, and all its entries lose that. Source: Birkhoff, "Tres
/// observaciones sobre el álgebra lineal", Univ. Nac. Tucumán Rev. A 5, 1946; for switches: Chang, Chen, Huang, "On
/// service guarantees for input-buffered crossbar switches", IWQoS 1999.
std::vector<Slot> bvn_slots(const Square& stuffed);

std::vector<Slot> bvn(const Demand& demand);

}  // namespace ocs
