// Policies that are functions of the program that runs the experiment (docs/python.md).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

namespace ocs {

struct CollectiveEntry;
struct PlacerEntry;
struct SelectionEntry;
struct SyncEntry;

/// By the name that a key says, such as "python:mine". The entries are those of a catalogue.
template <class Entry>
using OwnEntries = std::map<std::string, std::shared_ptr<const Entry>, std::less<>>;

/// Keys name these besides the entries of the catalogues.
struct OwnPolicies {
  OwnEntries<PlacerEntry> placers;          ///< key "placer"
  OwnEntries<SyncEntry> schemes;            ///< key "job.sync"
  OwnEntries<SelectionEntry> selections;    ///< key "job.peers"
  OwnEntries<CollectiveEntry> collectives;  ///< key "job.algorithm"
};

}  // namespace ocs
