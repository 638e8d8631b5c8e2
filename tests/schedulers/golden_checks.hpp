// Runs one golden case and reports every difference to GoogleTest.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/schedulers/golden_case.hpp"

namespace ocs::golden {

void check(const CircuitCase& golden);
void check(const CoflowsCase& golden);
void check(const SlotsCase& golden);
void check(const BlockCase& golden);
void check(const PlacementCase& golden);
void check(const ServerCase& golden);
void check(const MomentCase& golden);
void check(const ClosedFormCase& golden);
void check(const BatchCase& golden);
void check(const LoadCase& golden);
void check(const LoadTotalsCase& golden);
void check(const SelectionCase& golden);
void check(const MulticastCase& golden);
void check(const ListCase& golden);
void check(const LegCase& golden);
void check(const PolicyCase& golden);
void check(const PlanesCase& golden);

}  // namespace ocs::golden
