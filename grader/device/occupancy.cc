// SPDX-License-Identifier: Apache-2.0
#include "grader/device/occupancy.h"

#include <cuda_occupancy.h>

#include <algorithm>
#include <climits>

namespace warplings {
namespace {

constexpr std::uint32_t kWarpSize = 32;

/// A toolkit's header ends with the cards of its day, CUDA 12.4's with compute capability 9.0, and refuses
/// later ones. Their resources are given out in the portions of 9.0 (CUDA 13's header has the same numbers
/// for 8.0 to 12.1); what differs from card to card stands in the profile.
bool IsKnownToHeader(const DeviceProfile& profile) {
  return profile.major <= __CUDA_OCC_MAJOR__;
}

cudaOccDeviceProp DeviceProperties(const DeviceProfile& profile) {
  cudaOccDeviceProp properties;
  properties.computeMajor = IsKnownToHeader(profile) ? profile.major : 9;
  properties.computeMinor = IsKnownToHeader(profile) ? profile.minor : 0;
  properties.maxThreadsPerBlock = profile.max_threads_per_block;
  properties.maxThreadsPerMultiprocessor = profile.max_threads_per_multiprocessor;
  properties.regsPerBlock = profile.registers_per_block;
  properties.regsPerMultiprocessor = profile.registers_per_multiprocessor;
  properties.warpSize = kWarpSize;
  properties.sharedMemPerBlock = profile.shared_bytes_per_block;
  properties.sharedMemPerMultiprocessor = profile.shared_bytes_per_multiprocessor;
  properties.numSms = profile.multiprocessors;
  properties.sharedMemPerBlockOptin = profile.shared_bytes_per_block_optin;
  properties.reservedSharedMemPerBlock = profile.reserved_shared_bytes_per_block;
  return properties;
}

}  // namespace

Residency ResidencyOn(const DeviceProfile& profile, const BlockShape& shape) {
  // Beyond what an int holds nothing fits, and the header would see a negative number.
  constexpr std::uint32_t kAbsurd = 1u << 20;
  if (shape.threads < 1 || shape.threads > kAbsurd || shape.registers > 1024) return {};
  cudaOccDeviceProp properties = DeviceProperties(profile);
  cudaOccFuncAttributes attributes;
  attributes.maxThreadsPerBlock = INT_MAX;
  attributes.numRegs = static_cast<int>(shape.registers);
  attributes.sharedSizeBytes = shape.static_shared_bytes;
  attributes.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
  attributes.maxDynamicSharedSizeBytes = shape.dynamic_shared_bytes;
  attributes.numBlockBarriers = 1;
  cudaOccDeviceState state;
  cudaOccResult result;
  cudaOccError error = cudaOccMaxActiveBlocksPerMultiprocessor(
      &result, &properties, &attributes, &state, static_cast<int>(shape.threads), shape.dynamic_shared_bytes);
  if (error != CUDA_OCC_SUCCESS) return {};
  // A block has one barrier, of which there are at least as many as blocks: never a limit of its own.
  constexpr std::uint32_t kAll = kLimitThreads | kLimitRegisters | kLimitSharedMemory | kLimitBlocks;
  Residency residency{static_cast<std::uint32_t>(std::max(result.activeBlocksPerMultiprocessor, 0)),
                      result.limitingFactors & kAll};
  // The header knows the cards' blocks per multiprocessor by compute capability; the profile's row says
  // the same, and wins where a toolkit's header is older than the card.
  const auto slots = static_cast<std::uint32_t>(profile.max_blocks_per_multiprocessor);
  if (residency.blocks > slots) residency = {slots, 0};
  if (residency.blocks == slots) residency.limits |= kLimitBlocks;
  return residency;
}

AllocationUnits AllocationUnitsOf(const DeviceProfile& profile) {
  const cudaOccDeviceProp properties = DeviceProperties(profile);
  int registers = 0, partitions = 0, most_registers = 0, shared = 0;
  if (cudaOccRegAllocationGranularity(&registers, &properties) != CUDA_OCC_SUCCESS) return {};
  if (cudaOccSubPartitionsPerMultiprocessor(&partitions, &properties) != CUDA_OCC_SUCCESS) return {};
  if (cudaOccRegAllocationMaxPerThread(&most_registers, &properties) != CUDA_OCC_SUCCESS) return {};
  if (cudaOccSMemAllocationGranularity(&shared, &properties) != CUDA_OCC_SUCCESS) return {};
  return {.registers_per_warp = static_cast<std::uint32_t>(registers),
          .register_partitions = static_cast<std::uint32_t>(partitions),
          .registers_per_thread = static_cast<std::uint32_t>(most_registers),
          .shared_bytes = static_cast<std::uint32_t>(shared)};
}

std::uint32_t BlocksPerMultiprocessor(const DeviceProfile& profile, const BlockShape& shape) {
  return ResidencyOn(profile, shape).blocks;
}

double Occupancy(const DeviceProfile& profile, const BlockShape& shape) {
  std::uint32_t warps = (shape.threads + kWarpSize - 1) / kWarpSize;
  double resident = static_cast<double>(BlocksPerMultiprocessor(profile, shape)) * warps;
  return resident * kWarpSize / profile.max_threads_per_multiprocessor;
}

}  // namespace warplings
