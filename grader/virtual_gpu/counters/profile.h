// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <tuple>
#include <vector>

#include "grader/core/launch_record.h"

namespace warplings::vgpu {

/// Sums up launches by kernel and dimensions. Its size depends only on the number of kernels, dimensions and
/// instructions.
class Profile {
 public:
  /// `kernel` identifies the kernel, because several may have the same name. `instructions` are all
  /// instructions of the program, in the same order for every launch.
  void Add(std::uint64_t kernel, const LaunchRecord& launch, std::vector<InstructionCounts> instructions);
  /// Returns and clears the sums since the last call, in the order of first launches.
  std::vector<KernelProfile> Take();

 private:
  using Shape = std::tuple<std::uint64_t, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t,
                           std::uint32_t, std::uint32_t, std::uint32_t>;
  std::map<Shape, std::size_t> places_;
  std::vector<KernelProfile> kernels_;
};

}  // namespace warplings::vgpu
