// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

#include "grader/base/result.h"

namespace warplings::cuda_gpu {

/// A member of Counts and the metrics whose sum it should equal. Requests to shared memory are not included:
/// ptxas merges neighbouring loads into wider ones, so there are fewer requests than in the PTX.
struct NcuCount {
  std::string_view count;
  std::string_view metrics;  ///< Separated by commas.
};
std::span<const NcuCount> NcuCounts();

/// All metrics, in the format of ncu's --metrics.
std::string NcuMetrics();

/// For each kernel and metric: the sum over all launches.
using NcuSums = std::map<std::string, std::map<std::string, double>>;

/// Adds the log of `ncu --csv --page raw --print-units base --print-kernel-base function`. The error is ncu's
/// own if it could not measure, for example because the user may not read the counters.
Status AddNcuLog(std::string_view log, NcuSums& sums);

}  // namespace warplings::cuda_gpu
