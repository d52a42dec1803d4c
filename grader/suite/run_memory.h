// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "grader/suite/suite_messages.h"

namespace warplings {

/// Of each device process that a suite starts, as for DeviceClient::StartProcess.
struct MemoryOptions {
  std::uint64_t bytes = 0, seed = 0;
};

/// All of a run's device processes place their memory alike, and the run's seed decides where. So a report is
/// the same again with the same seed, and what a submission learns of addresses in one run holds in no other.
///
/// A submission sees addresses before its first call (it may allocate in a static constructor), and must not
/// compute the run's seed from them, with which it would know all inputs. So the way from the one to the
/// other takes a millisecond, and to try it with each of the 2^32 fresh seeds takes weeks.
MemoryOptions MemoryOf(const SuiteOrder& order);

/// What outputs are filled with in a run with this seed (comparison.h).
std::uint32_t PoisonOf(std::uint64_t run_seed);

}  // namespace warplings
