// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/counters/access_log.h"

#include <tuple>
#include <utility>

namespace warplings::vgpu {

void AccessLog::Add(std::list<LoggedAccess> part) {
  const std::lock_guard lock(mutex_);
  all_.splice(all_.end(), part);
}

std::vector<AccessSample> AccessLog::Take(std::size_t most, bool only_first_block) {
  if (only_first_block) std::erase_if(all_, [](const LoggedAccess& each) { return each.block != 0; });
  const auto order = [](const LoggedAccess& each) {
    const AccessSample& sample = each.sample;
    return std::tuple(each.instruction, sample.space, sample.access, each.block, sample.warp, sample.visit);
  };
  all_.sort([&](const LoggedAccess& a, const LoggedAccess& b) { return order(a) < order(b); });
  std::vector<AccessSample> samples;
  for (LoggedAccess& each : all_) {
    if (samples.size() == most) break;
    samples.push_back(std::move(each.sample));
  }
  all_.clear();
  return samples;
}

}  // namespace warplings::vgpu
