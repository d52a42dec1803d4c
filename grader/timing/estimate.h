// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
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
  kBlocks,     ///< Starting and ending blocks, where they are many and small.
  kLatency,    ///< Waiting: too few warps, or too few blocks, to do something else meanwhile.
};
/// "DRAM bandwidth"
std::string_view BoundName(Bound bound);

/// The numbers of the model that were fitted to times of an H200, by tests/benchmarks/fit_estimate.cc. Cycles
/// are those of the multiprocessors' clock.
struct EstimateModel {
  double launch_seconds = 3.19e-6;   ///< From event to event around a kernel that does nothing.
  double dram_share = 1.01;          ///< Of the peak bandwidth; above 1, as L2 keeps what is written last.
  double l2_bytes_per_cycle = 38.1;  ///< To and from one multiprocessor.
  double instructions = 0.778;       ///< That a card issues for a slot of LaunchWork.
  double line_cycles = 1.11;         ///< Of a line of global memory in a multiprocessor's L1 cache.
  double l1_cycles = 37.1;           ///< From a load to its value: of L1, …
  double l2_cycles = 269;            ///< … of L2, …
  double dram_cycles = 734;          ///< … of DRAM, …
  double shared_cycles = 24.6;       ///< … of shared memory.
  double barrier_cycles = 15.8;      ///< From a block's last arrival to its going on.
  double block_cycles = 157;         ///< Of a multiprocessor for a block's start and end.
  double atomic_cycles = 1.61;       ///< Of an atomic operation in the slice of L2 that holds its sector.
  double overlap = 2.54;             ///< The norm by which terms are put together: 1 adds, infinity overlaps.
};

/// How well the model holds: what tests/benchmarks/results/estimate.h200.txt says of the kernels that it was
/// not fitted on.
struct EstimateRecord {
  std::string_view card;
  std::size_t cases = 0;
  double mean_error = 0;        ///< Mean of |estimate / time - 1|.
  double rank_correlation = 0;  ///< Spearman's, of estimates with times.
};
extern const EstimateRecord kEstimateRecord;

/// Seconds that each part of a card is busy with a launch, if nothing else held it up, and of all together.
struct Estimate {
  double seconds = 0;
  double dram = 0, l2 = 0, load_store = 0, issue = 0, units = 0, atomics = 0, blocks = 0, latency = 0;
  Bound bound = Bound::kLaunch;
};

/// The time of a launch with `work` on a card, nothing in its caches before: an estimate, never a
/// measurement. How well it held on hardware stands in kEstimateRecord.
///
/// A roofline with a ceiling for each part (S. Williams et al., "Roofline", 2009), and by Little's law a term
/// for what cannot be hidden: the chain of a warp's dependent instructions, as often as its multiprocessor
/// has to go through resident blocks. README.md has the formulas and the reasons.
Estimate EstimateLaunch(const LaunchRecord& launch, const LaunchWork& work, const DeviceProfile& card,
                        const EstimateModel& model = {});

/// Of all launches of a kernel in one shape, one after the other; nothing where the model does not know their
/// instructions, or nobody asked for what an estimate needs.
std::optional<Estimate> EstimateKernel(const KernelProfile& kernel, const DeviceProfile& card);

}  // namespace warplings::timing
