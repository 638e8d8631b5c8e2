// The synchronisation schemes: each is made by one function and lives in a file of its own.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "host/core/sync.hpp"
#include "testbed/sync/settings.hpp"

namespace ocs {

// All of them: workers are numbered from 0. @throws Error (input) when made with no worker or with a setting out of
// range; from on() Error (internal) for what breaks the life cycle or a promise (ledger.hpp), and Error (run) that
// names the worker when one leaves and the scheme can't go on.

/// Textbook BSP, both forms. The pushes of a round are applied together, in ascending order of the workers, when the
/// last is in. Staleness 0. A worker that leaves breaks the run; one that has finished is waited for no more.
std::unique_ptr<SyncScheme> make_bsp(std::uint16_t workers, const SyncSettings&);
/// Released at once; no bound.
std::unique_ptr<SyncScheme> make_asp(std::uint16_t workers, const SyncSettings&);
/// SSP(s): a worker goes on while it is at most s pushes ahead of the slowest. Staleness at most (2s+1)(N-1).
std::unique_ptr<SyncScheme> make_ssp(std::uint16_t workers, const SyncSettings&);
/// After DSSP(s_lo, s_up): SSP(s_lo), but the fastest may be up to s_up ahead where its wait is predicted to be short.
/// Staleness at most (2 s_up + 1)(N-1).
std::unique_ptr<SyncScheme> make_dssp(std::uint16_t workers, const SyncSettings&);
/// After R2SP(r, ema_shift): round robin, grants at least floor(r max T / N) apart. Staleness at most 2(N-1); strict:
/// N-1. A worker that leaves or has finished is taken out of the cycle; one that has finished stays in N and in max T.
std::unique_ptr<SyncScheme> make_r2sp(std::uint16_t workers, const SyncSettings&);
/// p-of-n(p, k): a round closes when p members are in, and everyone who missed k rounds in a row. Late pushes are
/// dropped. Staleness at most k(N-1). Once fewer than p workers are left to finish, a round needs all of them.
std::unique_ptr<SyncScheme> make_p_of_n(std::uint16_t workers, const SyncSettings&);
/// After ZipLine: super-steps in which each worker pushes as often as its quota says. Staleness at most R(N-1).
std::unique_ptr<SyncScheme> make_elastic(std::uint16_t workers, const SyncSettings&);
/// After Zeng et al.: local steps back to back (told by `computed`, iteration = step, from 0), one push a
/// synchronisation (iteration = synchronisation; seen = steps that the worker's pushes hold so far, this one included).
/// It asks for the start (0), and for synchronisation s+1 when its push of s is in.
std::unique_ptr<SyncScheme> make_predictive(std::uint16_t workers, const SyncSettings&);

// The settings that each reads, as a row has them.
std::string ssp_text(const SyncSettings&);
std::string dssp_text(const SyncSettings&);
std::string r2sp_text(const SyncSettings&);
std::string p_of_n_text(const SyncSettings&);
std::string elastic_text(const SyncSettings&);
std::string predictive_text(const SyncSettings&);

}  // namespace ocs
