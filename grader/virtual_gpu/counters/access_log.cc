// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/counters/access_log.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

namespace warplings::vgpu {

void AccessLog::Add(std::vector<LoggedAccess> part) {
  const std::lock_guard lock(mutex_);
  std::ranges::move(part, std::back_inserter(all_));
}

std::vector<AccessSample> AccessLog::Take(std::size_t most, bool only_first_block) {
  if (only_first_block) std::erase_if(all_, [](const LoggedAccess& each) { return each.block != 0; });
  std::ranges::sort(all_, {}, [](const LoggedAccess& each) {
    const AccessSample& sample = each.sample;
    return std::tuple(each.instruction, sample.space, sample.access, each.block, sample.warp, sample.visit);
  });
  std::vector<AccessSample> samples;
  for (LoggedAccess& each : all_) {
    if (samples.size() == most) break;
    samples.push_back(std::move(each.sample));
  }
  all_.clear();
  return samples;
}

}  // namespace warplings::vgpu
