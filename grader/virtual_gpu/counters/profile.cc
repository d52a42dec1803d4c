// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/counters/profile.h"

#include <algorithm>
#include <utility>

namespace warplings::vgpu {
void Profile::Add(std::uint64_t kernel, const LaunchRecord& launch,
                  std::vector<InstructionCounts> instructions) {
  const Shape shape{kernel,         launch.grid.x,  launch.grid.y,  launch.grid.z,
                    launch.block.x, launch.block.y, launch.block.z, launch.dynamic_shared_bytes};
  const auto [place, is_new] = places_.emplace(shape, kernels_.size());
  if (is_new) {
    kernels_.push_back({0, 1, launch, std::move(instructions)});
    return;
  }
  KernelProfile& known = kernels_[place->second];
  ++known.launches;
  known.sum.completed = known.sum.completed && launch.completed;
  known.sum.totals += launch.totals;
  if (known.sum.work && launch.work)
    *known.sum.work += *launch.work;
  else
    known.sum.work.reset();
  AddLines(known.sum.lines, launch.lines);
  // Without counters a launch has none; they can be switched between launches.
  if (known.instructions.empty())
    known.instructions = std::move(instructions);
  else
    for (std::size_t i = 0; i < instructions.size(); ++i)
      known.instructions[i].counts += instructions[i].counts;
}

std::vector<KernelProfile> Profile::Take() {
  places_.clear();
  for (KernelProfile& kernel : kernels_) {
    std::erase_if(kernel.instructions,
                  [](const InstructionCounts& each) { return each.counts.warp_instructions == 0; });
  }
  return std::exchange(kernels_, {});
}

}  // namespace warplings::vgpu
