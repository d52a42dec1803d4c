// SPDX-License-Identifier: Apache-2.0
#include "grader/device/launch_check.h"

#include "grader/device/occupancy.h"
#include "grader/messages/refusals.h"

namespace warplings {
namespace {

Message Shape(const Dim3& d) {
  return say::three_sides(d.x, d.y, d.z);
}

/// A block as it is written mostly: "64 x 64".
Message ShapeOfBlock(const Dim3& block) {
  return block.z == 1 ? say::two_sides(block.x, block.y) : Shape(block);
}

CudaStatus Refuse(CudaError code, Message message) {
  return CudaFault{code, std::move(message)};
}

// Limits: CUDA C++ Programming Guide, "Compute Capabilities", technical specifications per compute
// capability.

CudaStatus CheckShape(const DeviceProfile& profile, const KernelLimits& kernel, const Dim3& grid,
                      const Dim3& block) {
  if (!block.x || !block.y || !block.z) {
    return Refuse(CudaError::kInvalidConfiguration, say::no_threads(Shape(block)));
  }
  if (!grid.x || !grid.y || !grid.z) {
    return Refuse(CudaError::kInvalidConfiguration, say::no_blocks(Shape(grid)));
  }
  const std::uint64_t threads = block.Volume();
  if (threads > static_cast<std::uint64_t>(profile.max_threads_per_block)) {
    const int most = profile.max_threads_per_block;
    return Refuse(CudaError::kInvalidConfiguration,
                  threads == block.x ? say::too_many_threads_in_a_row(threads, most)
                                     : say::too_many_threads(threads, ShapeOfBlock(block), most));
  }
  if (block.z > 64) {
    return Refuse(CudaError::kInvalidConfiguration, say::block_too_deep(block.z));
  }
  if (grid.x > 0x7fffffffu || grid.y > 65535 || grid.z > 65535) {
    return Refuse(CudaError::kInvalidConfiguration, say::grid_too_large(Shape(grid)));
  }
  if (kernel.promised_threads && threads > kernel.promised_threads) {
    return Refuse(CudaError::kInvalidValue,
                  say::more_threads_than_promised(threads, kernel.promised_threads));
  }
  return Unit{};
}

CudaStatus CheckSharedMemory(const DeviceProfile& profile, const KernelLimits& kernel,
                             std::uint32_t dynamic_bytes) {
  const std::uint64_t shared = std::uint64_t{kernel.static_shared_bytes} + dynamic_bytes;
  // From CUDA 12.9 on, ptxas refuses arrays of fixed size beyond 48 KB. Older ptxas accepts them, and they
  // run without the attribute: an H200 runs 60,000 bytes compiled by CUDA 12.4.
  const bool needs_attribute = kernel.static_shared_bytes <= profile.shared_bytes_per_block;
  if (needs_attribute && shared > profile.shared_bytes_per_block &&
      dynamic_bytes > kernel.max_dynamic_shared) {
    return Refuse(CudaError::kInvalidValue,
                  say::shared_memory_without_attribute(shared, profile.shared_bytes_per_block));
  }
  if (shared > profile.shared_bytes_per_block_optin) {
    return Refuse(CudaError::kInvalidValue,
                  say::shared_memory_of_card(shared, profile.shared_bytes_per_block_optin));
  }
  return Unit{};
}

CudaStatus CheckRegisters(const DeviceProfile& profile, const KernelLimits& kernel, std::uint64_t threads) {
  // Registers are given to warps in units of 256.
  const std::uint64_t warp_registers = (std::uint64_t{kernel.registers} * 32 + 255) / 256 * 256;
  const std::uint64_t warps = (threads + 31) / 32;
  if (warp_registers * warps <= static_cast<std::uint64_t>(profile.registers_per_block)) return Unit{};
  return Refuse(CudaError::kLaunchOutOfResources,
                say::too_many_registers(threads, kernel.registers, profile.registers_per_block));
}

/// All blocks of a cooperative launch wait for each other, so all have to be resident.
CudaStatus CheckResidency(const DeviceProfile& profile, const KernelLimits& kernel,
                          const LaunchRequest& request) {
  const BlockShape shape{static_cast<std::uint32_t>(request.block.Volume()), kernel.registers,
                         kernel.static_shared_bytes, request.dynamic_shared_bytes};
  const std::uint64_t resident = std::uint64_t{BlocksPerMultiprocessor(profile, shape)} *
                                 static_cast<std::uint64_t>(profile.multiprocessors);
  if (request.grid.Volume() <= resident) return Unit{};
  return Refuse(CudaError::kCooperativeLaunchTooLarge,
                say::cooperative_launch_too_large(request.grid.Volume(), resident));
}

}  // namespace

CudaStatus CheckLaunch(const DeviceProfile& profile, const KernelLimits& kernel,
                       const LaunchRequest& request) {
  if (auto fits = CheckShape(profile, kernel, request.grid, request.block); !fits) return fits;
  if (auto fits = CheckSharedMemory(profile, kernel, request.dynamic_shared_bytes); !fits) return fits;
  if (auto fits = CheckRegisters(profile, kernel, request.block.Volume()); !fits) return fits;
  if (request.cooperative) {
    if (auto fits = CheckResidency(profile, kernel, request); !fits) return fits;
  }
  if (request.arguments.size() != kernel.argument_bytes) {
    return Refuse(CudaError::kInvalidValue,
                  say::other_argument_bytes(say::Count(kernel.argument_bytes, "byte"),
                                            say::Count(request.arguments.size(), "byte")));
  }
  return Unit{};
}

}  // namespace warplings
