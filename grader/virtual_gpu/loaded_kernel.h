// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "grader/device/model/backend.h"
#include "grader/virtual_gpu/machine/context.h"

namespace warplings::vgpu {

/// A kernel as the interpreter runs it.
struct LoadedKernel final : Backend::Kernel {
  struct LoadedModule* module = nullptr;  ///< Which outlives it.
  ClientId client = 0;
  std::unique_ptr<Program> program;
  KernelResources resources;  ///< From the cubin; zeros without one.
  bool has_resources = false;
};

/// Fills in what the model and the clients have to know of a kernel: `info` and `limits`.
void DescribeKernel(LoadedKernel& kernel, const DeviceProfile& profile);

/// The registers, local memory and occupancy of a launch.
void FillResources(LaunchRecord& record, const LoadedKernel& kernel, const LaunchRequest& request,
                   const DeviceProfile& profile);

/// The least number of bytes, up to a word, that the kernel writes to global memory at once.
std::uint32_t LeastStore(const Program& program);

}  // namespace warplings::vgpu
