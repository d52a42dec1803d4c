// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

#include "grader/base/result.h"

namespace warplings::cuda_gpu {

/// A member of Counts and the metrics whose sum it should equal. Requests of the shared memory are not among
/// them: ptxas merges neighbouring loads into wider ones, and then there are fewer than PTX spells.
struct NcuCount {
  std::string_view count;
  std::string_view metrics;  ///< Separated by commas.
};
std::span<const NcuCount> NcuCounts();

/// All metrics, as ncu's --metrics takes them.
std::string NcuMetrics();

/// Kernel to metric to its sum over all launches.
using NcuSums = std::map<std::string, std::map<std::string, double>>;

/// Adds what `ncu --csv --page raw --print-units base --print-kernel-base function` wrote to its log. The
/// error is ncu's own where it could not measure, as where a user may not read the counters.
Status AddNcuLog(std::string_view log, NcuSums& sums);

}  // namespace warplings::cuda_gpu
