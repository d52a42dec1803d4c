// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <tuple>
#include <vector>

#include "grader/core/launch_record.h"

namespace warplings::vgpu {

/// Sums up launches by kernel and shape. Its memory goes by the number of kernels, shapes and instructions.
class Profile {
 public:
  /// `kernel` tells kernels apart, also those of the same name; `instructions` are all of the program's, in
  /// the same order at each launch.
  void Add(std::uint64_t kernel, const LaunchRecord& launch, std::vector<InstructionCounts> instructions);
  /// What came together since the last call, in the order of first launches.
  std::vector<KernelProfile> Take();

 private:
  using Shape = std::tuple<std::uint64_t, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t,
                           std::uint32_t, std::uint32_t, std::uint32_t>;
  std::map<Shape, std::size_t> places_;
  std::vector<KernelProfile> kernels_;
};

}  // namespace warplings::vgpu
