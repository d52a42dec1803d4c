// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "grader/base/message.h"
#include "grader/core/launch_record.h"
#include "grader/device/device_profile.h"

namespace warplings::timing {

/// What limits a kernel: the resource on which most of its time is spent.
enum class Bound {
  kLaunch,     ///< Launch overhead: the kernel does hardly anything.
  kDram,       ///< Bandwidth between DRAM and L2.
  kL2,         ///< Bandwidth between L2 and the SMs.
  kLoadStore,  ///< Shared-memory wavefronts and L1 cache lines.
  kIssue,      ///< Issue slots of the warp schedulers.
  kUnits,      ///< Execution units of which there are few: FP64, special functions, FP32 on some cards.
  kAtomics,    ///< Atomic operations on the same slice of L2.
  kBlocks,     ///< Starting and ending many small blocks.
  kLatency,    ///< Latency that too few resident warps or blocks cannot hide.
};
/// "DRAM bandwidth"
Message NameOf(Bound bound);

/// The parameters of the model, fitted to times measured on an H200 by tests/benchmarks/fit_estimate.cc.
/// Cycles are SM clock cycles.
struct EstimateModel {
  double launch_seconds = 3.19e-6;  ///< Time between two events around an empty kernel.
  double dram_share = 1.01;  ///< Share of the peak bandwidth; above 1, because the last writes stay in L2.
  double l2_bytes_per_cycle = 38.1;  ///< To and from one SM.
  double instructions = 0.778;       ///< Instructions that a card issues per issue slot of LaunchWork.
  double line_cycles = 1.11;         ///< Time that the L1 cache of an SM takes for a line of global memory.
  double l1_cycles = 37.1;           ///< Latency of a load: from L1, …
  double l2_cycles = 269;            ///< … from L2, …
  double dram_cycles = 734;          ///< … from DRAM, …
  double shared_cycles = 24.6;       ///< … from shared memory.
  double barrier_cycles = 15.8;      ///< From the last arrival at a barrier until the block continues.
  double block_cycles = 157;         ///< Time of an SM for starting and ending a block.
  double atomic_cycles = 1.61;       ///< Time of an atomic operation in its L2 slice.
  double overlap = 2.54;  ///< Exponent p of the p-norm that combines the terms: 1 adds them, infinity
                          ///< overlaps them completely.
};

/// The accuracy of the model, from tests/benchmarks/results/estimate.h200.txt: over kernels that were not
/// used for the fit.
struct EstimateRecord {
  std::string_view card;
  std::size_t cases = 0;
  double mean_error = 0;        ///< Mean of |estimate / time - 1|.
  double rank_correlation = 0;  ///< Spearman's, between estimates and measured times.
};
extern const EstimateRecord kEstimateRecord;

/// Whether an estimated ratio of two times is so close to 1 that the model's mean error can have made the
/// difference.
bool IsWithinError(double ratio, double mean_error);

/// Seconds for which the warps wait for results, if nothing else delays them.
struct Waits {
  double arithmetic = 0, shared = 0, global = 0, barriers = 0;
};

/// Estimated seconds: of the whole launch, and for each part of the card how long it would take if nothing
/// else delayed it.
struct Estimate {
  double seconds = 0;
  double dram = 0, l2 = 0, load_store = 0, issue = 0, units = 0, atomics = 0, blocks = 0, latency = 0;
  double lines = 0;  ///< The share of `load_store` that is cache lines of global memory.
  Waits waits;       ///< They add up to `latency`.
  Bound bound = Bound::kLaunch;
};

/// Estimates the time of a launch with `work` on a card with cold caches. kEstimateRecord has the accuracy.
///
/// The model is a roofline with a ceiling for each part of the card (S. Williams et al., "Roofline", 2009)
/// and, by Little's law, a term for latency that is not hidden: a warp's chain of dependent instructions,
/// times the number of waves of resident blocks on an SM. README.md has the formulas and the reasons.
Estimate EstimateLaunch(const LaunchRecord& launch, const LaunchWork& work, const DeviceProfile& card,
                        const EstimateModel& model = {});

/// Estimates all launches in `kernel`, one after the other. Nothing if the model does not cover their
/// instructions, or if ObservationOptions::work was not set.
std::optional<Estimate> EstimateKernel(const KernelProfile& kernel, const DeviceProfile& card);

}  // namespace warplings::timing
