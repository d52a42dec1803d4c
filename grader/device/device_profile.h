// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace warplings {

/// The properties of a card. device_profile.cc has one row per card, with its source. The occupancy
/// calculation, cudaGetDeviceProperties and the chapters' figures all use these rows.
struct DeviceProfile {
  std::string id;            ///< Name on the command line: "a100".
  std::string name;          ///< As cudaDeviceProp::name: "NVIDIA A100-SXM4-40GB".
  int major = 0, minor = 0;  ///< Compute capability.
  int multiprocessors = 0;
  int clock_khz = 0, memory_clock_khz = 0;
  int memory_bus_bits = 0;
  std::uint64_t global_memory_bytes = 0;
  std::uint64_t l2_bytes = 0;
  int max_threads_per_block = 1024;
  int max_threads_per_multiprocessor = 0;
  int max_blocks_per_multiprocessor = 0;
  int registers_per_block = 65536, registers_per_multiprocessor = 65536;
  std::uint32_t shared_bytes_per_block = 49152;  ///< Without cudaFuncSetAttribute (opt-in).
  std::uint32_t shared_bytes_per_block_optin = 0;
  std::uint32_t shared_bytes_per_multiprocessor = 0;
  std::uint32_t reserved_shared_bytes_per_block = 0;  ///< 1024 from compute capability 8.0 on.
  bool integrated = false;
};

/// The profiles that help texts list, in their order.
std::span<const DeviceProfile> DeviceProfiles();
/// Also of those that only suites ask about; null if no profile has this id.
const DeviceProfile* FindDeviceProfile(std::string_view id);
inline constexpr std::string_view kDefaultProfile = "a100";

}  // namespace warplings
