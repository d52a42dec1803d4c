// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "grader/core/launch_record.h"
#include "grader/device/device_profile.h"

namespace warplings::timing {

/// What a kernel's time is spent on, if one thing is to be named.
enum class Bound {
  kLaunch,     ///< Being started: the kernel does hardly anything.
  kDram,       ///< Bytes between DRAM and L2.
  kL2,         ///< Bytes between L2 and the multiprocessors.
  kLoadStore,  ///< Passes of shared memory's banks and lines of the L1 cache.
  kIssue,      ///< Instructions that the schedulers issue.
  kUnits,      ///< Units of which there are few: double precision, special functions, fp32 on some cards.
  kAtomics,    ///< Atomic operations that meet at one place of L2.
  kLatency,    ///< Waiting: too few warps, or too few blocks, to do something else meanwhile.
};
/// "DRAM bandwidth"
std::string_view BoundName(Bound bound);

/// The numbers of the model that were fitted to times of an H200, by tests/benchmarks/fit_estimate.cc. Cycles
/// are those of the multiprocessors' clock.
struct EstimateModel {
  double launch_seconds = 3e-6;     ///< From event to event around a kernel that does nothing.
  double dram_share = 0.85;         ///< Of the peak bandwidth that loads and stores get.
  double l2_bytes_per_cycle = 40;   ///< To and from one multiprocessor.
  double instructions = 0.9;        ///< That a card issues for a slot of LaunchWork.
  double line_cycles = 1;           ///< Of a line of global memory in a multiprocessor's L1 cache.
  double l1_cycles = 40;            ///< From a load to its value: of L1, …
  double l2_cycles = 270;           ///< … of L2, …
  double dram_cycles = 800;         ///< … of DRAM, …
  double shared_cycles = 30;        ///< … of shared memory.
  double barrier_cycles = 30;       ///< From a block's last arrival to its going on.
  double block_cycles = 600;        ///< Of a block's start and end, in which it does nothing else.
  double atomic_cycles = 2;         ///< Of an atomic operation in the slice of L2 that holds its sector.
  double overlap = 3;               ///< The norm by which terms are put together: 1 adds, infinity overlaps.
};

/// Seconds that each part of a card is busy with a launch, if nothing else held it up, and of all together.
struct Estimate {
  double seconds = 0;
  double dram = 0, l2 = 0, load_store = 0, issue = 0, units = 0, atomics = 0, latency = 0;
  Bound bound = Bound::kLaunch;
};

/// The time of a launch with `work` on a card, nothing in its caches before: an estimate, never a measurement.
/// How well it held on hardware stands in kEstimateRecord.
///
/// A roofline with a ceiling for each part (S. Williams et al., "Roofline", 2009), and by Little's law a term
/// for what cannot be hidden: the chain of a warp's dependent instructions, as often as its multiprocessor has
/// to go through resident blocks. README.md has the formulas and the reasons.
Estimate EstimateLaunch(const LaunchRecord& launch, const LaunchWork& work, const DeviceProfile& card,
                        const EstimateModel& model = {});

}  // namespace warplings::timing
