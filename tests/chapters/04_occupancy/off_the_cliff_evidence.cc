// SPDX-License-Identifier: Apache-2.0
#include "tests/chapters/04_occupancy/off_the_cliff_evidence.h"

#include <algorithm>
#include <cmath>

#include "chapters/04_occupancy/off_the_cliff.h"
#include "grader/device/occupancy.h"
#include "grader/suite/device_work.h"
#include "grader/suite/evidence.h"

namespace warplings::off_the_cliff {
namespace {

constexpr std::uint32_t kMostRegisters = 32;
/// An array that is indexed by a loop leaves only addresses, sums and counters in registers, 16 here; a
/// kernel that the compiler had to squeeze uses all that it was allowed.
constexpr std::uint32_t kFewRegisters = 24;
constexpr std::uint32_t kArrayBytes = kFeatures * sizeof(float);

using All = std::span<const Evidence>;

bool ValuesRight(const Evidence& e) {
  return Completed(e.result) && e.result.wrong_count == 0 && !HasError(e.result);
}

const Evidence* CancelledFarFromZero(All all) {
  const Evidence* cancelled = nullptr;
  for (const Evidence& e : all) {
    if (!Completed(e.result) || HasError(e.result)) return nullptr;
    if (e.result.wrong_count > 0 && !e.far_from_zero) return nullptr;
    if (e.result.wrong_count > 0) cancelled = &e;
  }
  return cancelled;
}

BlockShape ShapeOf(const LaunchRecord& launch) {
  return {.threads = static_cast<std::uint32_t>(launch.block.Volume()),
          .registers = launch.registers,
          .static_shared_bytes = launch.static_shared_bytes,
          .dynamic_shared_bytes = launch.dynamic_shared_bytes};
}

std::uint32_t BlocksOf(const LaunchRecord& launch) {
  return ResidencyOn(*FindDeviceProfile("a100"), ShapeOf(launch)).blocks;
}

std::string Bytes(std::uint32_t bytes, const std::string& what) {
  return std::to_string(bytes) + " bytes " + what;
}

}  // namespace

KernelResources Largest(std::span<const KernelResources> kernels) {
  KernelResources largest;
  for (const KernelResources& kernel : kernels) {
    largest.registers = std::max(largest.registers, kernel.registers);
    largest.local_bytes = std::max(largest.local_bytes, kernel.local_bytes);
    largest.shared_bytes = std::max(largest.shared_bytes, kernel.shared_bytes);
  }
  return largest;
}

double OccupancyOf(const LaunchRecord& launch) {
  return Occupancy(*FindDeviceProfile("a100"), ShapeOf(launch));
}

double Fetches(const Evidence& evidence) {
  const double elements = double{kFeatures} * evidence.samples;
  return static_cast<double>(TrafficOf(evidence.result, "x").load_bytes) / (elements * sizeof(float));
}

std::vector<Recognised> Recognise(All evidence, std::span<const KernelResources> kernels) {
  if (const Evidence* e = CancelledFarFromZero(evidence)) {
    return {{"squares_cancel", e->test + ": right for means near 0, wrong where the mean is large"}};
  }
  if (evidence.empty() || kernels.empty() || !std::ranges::all_of(evidence, ValuesRight)) return {};
  const KernelResources most = Largest(kernels);
  const std::string registers = std::to_string(most.registers) + " registers";
  if (most.local_bytes == kArrayBytes && most.registers <= kFewRegisters) {
    return {{"array_in_local_memory", Bytes(most.local_bytes, "of local memory a thread: all 32 values")}};
  }
  if (most.local_bytes > 0 && most.registers <= kMostRegisters) {
    return {{"forced_to_spill", registers + ", and " + Bytes(most.local_bytes, "of local memory a thread")}};
  }
  const auto uses_shared = [](const LaunchRecord& l) {
    return l.static_shared_bytes + l.dynamic_shared_bytes > 0;
  };
  const auto& launches = evidence.front().result.launches;
  const auto shared = std::ranges::find_if(launches, uses_shared);
  if (shared != launches.end() && most.registers <= kMostRegisters && OccupancyOf(*shared) < 1) {
    const auto bytes = shared->static_shared_bytes + shared->dynamic_shared_bytes;
    return {{"moved_to_shared_memory", Bytes(bytes, "of shared memory for a block of ") +
                                           std::to_string(shared->block.Volume()) + " threads"}};
  }
  const auto gaps = std::ranges::find_if(launches, [](const LaunchRecord& l) { return OccupancyOf(l) < 1; });
  if (gaps != launches.end() && most.registers <= kMostRegisters && shared == launches.end()) {
    return {{"blocks_leave_gaps", registers + ", but blocks of " + std::to_string(gaps->block.Volume()) +
                                      " threads, of which " + std::to_string(BlocksOf(*gaps)) + " fit"}};
  }
  if (most.registers <= kMostRegisters || most.local_bytes > 0 || shared != launches.end()) return {};
  const bool again = Fetches(evidence.front()) >= 1.9;
  return {{again ? "fetched_far_ahead" : "kept_under_other_names",
           registers + (again ? ", though the values are fetched more than once"
                              : ", and each value is fetched once")}};
}

double CommonFactor(const std::vector<float>& actual, const std::vector<double>& expected) {
  // Quotients of small numbers are mostly rounding.
  constexpr double kSmall = 1e-2, kSpread = 1e-3;
  double least = 0, most = 0;
  bool any = false;
  for (std::size_t i = 0; i < std::min(actual.size(), expected.size()); ++i) {
    if (std::fabs(expected[i]) < kSmall) continue;
    const double factor = static_cast<double>(actual[i]) / expected[i];
    if (!std::isfinite(factor)) return 0;
    least = any ? std::min(least, factor) : factor;
    most = any ? std::max(most, factor) : factor;
    any = true;
  }
  const double middle = (least + most) / 2;
  const bool is_one_factor = any && most - least < kSpread * std::fabs(middle);
  return is_one_factor && std::fabs(middle - 1) > 2 * kSpread ? middle : 0;
}

}  // namespace warplings::off_the_cliff
