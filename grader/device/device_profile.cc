// SPDX-License-Identifier: Apache-2.0
#include "grader/device/device_profile.h"

#include <algorithm>
#include <array>

namespace warplings {
namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;
constexpr std::uint32_t kKiB = 1024;

// Per-multiprocessor limits (threads, blocks, registers, shared memory, the 1 KiB that each block
// reserves): CUDA C++ Programming Guide, "Compute Capabilities", table "Technical Specifications per
// Compute Capability"; cuda_occupancy.h has the same. Multiprocessors, clocks, buses and caches: the
// document named at each row. Clocks are the boost clock, as cudaDevAttrClockRate reports, and the
// memory's command clock, whose double times the bus is the bandwidth.
const std::array kProfiles{
    // "NVIDIA A100 Tensor Core GPU Architecture" whitepaper, tables 4 and 5. 1555 GB/s.
    DeviceProfile{.id = "a100",
                  .name = "NVIDIA A100-SXM4-40GB",
                  .major = 8,
                  .minor = 0,
                  .multiprocessors = 108,
                  .clock_khz = 1'410'000,
                  .memory_clock_khz = 1'215'000,
                  .memory_bus_bits = 5120,
                  .global_memory_bytes = 40 * kGiB,
                  .l2_bytes = 40 * kMiB,
                  .max_threads_per_multiprocessor = 2048,
                  .max_blocks_per_multiprocessor = 32,
                  .shared_bytes_per_block_optin = 163 * kKiB,
                  .shared_bytes_per_multiprocessor = 164 * kKiB,
                  .reserved_shared_bytes_per_block = kKiB},
    // "NVIDIA Turing GPU Architecture" whitepaper, appendix on the Tesla T4. 320 GB/s.
    DeviceProfile{.id = "t4",
                  .name = "Tesla T4",
                  .major = 7,
                  .minor = 5,
                  .multiprocessors = 40,
                  .clock_khz = 1'590'000,
                  .memory_clock_khz = 5'001'000,
                  .memory_bus_bits = 256,
                  .global_memory_bytes = 15 * kGiB,
                  .l2_bytes = 4 * kMiB,
                  .max_threads_per_multiprocessor = 1024,
                  .max_blocks_per_multiprocessor = 16,
                  .shared_bytes_per_block_optin = 64 * kKiB,
                  .shared_bytes_per_multiprocessor = 64 * kKiB,
                  .reserved_shared_bytes_per_block = 0},
    // "NVIDIA Tesla V100 GPU Architecture" whitepaper, table 1. 900 GB/s.
    DeviceProfile{.id = "v100",
                  .name = "Tesla V100-SXM2-16GB",
                  .major = 7,
                  .minor = 0,
                  .multiprocessors = 80,
                  .clock_khz = 1'530'000,
                  .memory_clock_khz = 877'000,
                  .memory_bus_bits = 4096,
                  .global_memory_bytes = 16 * kGiB,
                  .l2_bytes = 6 * kMiB,
                  .max_threads_per_multiprocessor = 2048,
                  .max_blocks_per_multiprocessor = 32,
                  .shared_bytes_per_block_optin = 96 * kKiB,
                  .shared_bytes_per_multiprocessor = 96 * kKiB,
                  .reserved_shared_bytes_per_block = 0},
    // "NVIDIA Ampere GA102 GPU Architecture" whitepaper, and the GeForce RTX 3060's specifications. 360 GB/s.
    DeviceProfile{.id = "rtx3060",
                  .name = "NVIDIA GeForce RTX 3060",
                  .major = 8,
                  .minor = 6,
                  .multiprocessors = 28,
                  .clock_khz = 1'777'000,
                  .memory_clock_khz = 7'501'000,
                  .memory_bus_bits = 192,
                  .global_memory_bytes = 12 * kGiB,
                  .l2_bytes = 2304 * std::uint64_t{kKiB},
                  .max_threads_per_multiprocessor = 1536,
                  .max_blocks_per_multiprocessor = 16,
                  .shared_bytes_per_block_optin = 99 * kKiB,
                  .shared_bytes_per_multiprocessor = 100 * kKiB,
                  .reserved_shared_bytes_per_block = kKiB},
    // "NVIDIA Ada GPU Architecture" whitepaper, table 2. 1008 GB/s.
    DeviceProfile{.id = "rtx4090",
                  .name = "NVIDIA GeForce RTX 4090",
                  .major = 8,
                  .minor = 9,
                  .multiprocessors = 128,
                  .clock_khz = 2'520'000,
                  .memory_clock_khz = 10'501'000,
                  .memory_bus_bits = 384,
                  .global_memory_bytes = 24 * kGiB,
                  .l2_bytes = 72 * kMiB,
                  .max_threads_per_multiprocessor = 1536,
                  .max_blocks_per_multiprocessor = 24,
                  .shared_bytes_per_block_optin = 99 * kKiB,
                  .shared_bytes_per_multiprocessor = 100 * kKiB,
                  .reserved_shared_bytes_per_block = kKiB},
    // "NVIDIA H100 Tensor Core GPU Architecture" whitepaper, table 3 (SXM5). 3352 GB/s.
    DeviceProfile{.id = "h100",
                  .name = "NVIDIA H100 80GB HBM3",
                  .major = 9,
                  .minor = 0,
                  .multiprocessors = 132,
                  .clock_khz = 1'980'000,
                  .memory_clock_khz = 2'619'000,
                  .memory_bus_bits = 5120,
                  .global_memory_bytes = 80 * kGiB,
                  .l2_bytes = 50 * kMiB,
                  .max_threads_per_multiprocessor = 2048,
                  .max_blocks_per_multiprocessor = 32,
                  .shared_bytes_per_block_optin = 227 * kKiB,
                  .shared_bytes_per_multiprocessor = 228 * kKiB,
                  .reserved_shared_bytes_per_block = kKiB},
    // As cudaGetDeviceProperties of CUDA 13.0 on one reports. 4.8 TB/s.
    DeviceProfile{.id = "h200",
                  .name = "NVIDIA H200",
                  .major = 9,
                  .minor = 0,
                  .multiprocessors = 132,
                  .clock_khz = 1'980'000,
                  .memory_clock_khz = 3'201'000,
                  .memory_bus_bits = 6016,
                  .global_memory_bytes = 150'109'880'320,
                  .l2_bytes = 60 * kMiB,
                  .max_threads_per_multiprocessor = 2048,
                  .max_blocks_per_multiprocessor = 32,
                  .shared_bytes_per_block_optin = 227 * kKiB,
                  .shared_bytes_per_multiprocessor = 228 * kKiB,
                  .reserved_shared_bytes_per_block = kKiB},
    // "NVIDIA Blackwell Architecture Technical Brief" and the HGX B200's data sheet: 180 GB, 8 TB/s.
    DeviceProfile{.id = "b200",
                  .name = "NVIDIA B200",
                  .major = 10,
                  .minor = 0,
                  .multiprocessors = 148,
                  .clock_khz = 1'965'000,
                  .memory_clock_khz = 3'996'000,
                  .memory_bus_bits = 8192,
                  .global_memory_bytes = 180'000'000'000,
                  .l2_bytes = 126 * kMiB,
                  .max_threads_per_multiprocessor = 2048,
                  .max_blocks_per_multiprocessor = 32,
                  .shared_bytes_per_block_optin = 227 * kKiB,
                  .shared_bytes_per_multiprocessor = 228 * kKiB,
                  .reserved_shared_bytes_per_block = kKiB},
    // A strong integrated one, the GB10 of a DGX Spark: its product page (6144 cores, 128 GB of LPDDR5x on
    // 256
    // bits, 273 GB/s, shared with the host); the clock is that of 29.71 TFLOP/s in fp32.
    DeviceProfile{.id = "gb10",
                  .name = "NVIDIA GB10",
                  .major = 12,
                  .minor = 1,
                  .multiprocessors = 48,
                  .clock_khz = 2'418'000,
                  .memory_clock_khz = 4'266'000,
                  .memory_bus_bits = 256,
                  .global_memory_bytes = 128'000'000'000,
                  .l2_bytes = 24 * kMiB,
                  .max_threads_per_multiprocessor = 1536,
                  .max_blocks_per_multiprocessor = 24,
                  .shared_bytes_per_block_optin = 99 * kKiB,
                  .shared_bytes_per_multiprocessor = 100 * kKiB,
                  .reserved_shared_bytes_per_block = kKiB,
                  .integrated = true},
    // A weak integrated one: Jetson Orin Nano 8GB, "Jetson Orin Nano Series Modules" data sheet
    // (1024 cores at 625 MHz, 128-bit LPDDR5 at 68 GB/s, shared with the host).
    DeviceProfile{.id = "orin",
                  .name = "Orin",
                  .major = 8,
                  .minor = 7,
                  .multiprocessors = 8,
                  .clock_khz = 625'000,
                  .memory_clock_khz = 2'133'000,
                  .memory_bus_bits = 128,
                  .global_memory_bytes = 8 * kGiB,
                  .l2_bytes = 2 * kMiB,
                  .max_threads_per_multiprocessor = 1536,
                  .max_blocks_per_multiprocessor = 16,
                  .shared_bytes_per_block_optin = 163 * kKiB,
                  .shared_bytes_per_multiprocessor = 164 * kKiB,
                  .reserved_shared_bytes_per_block = kKiB,
                  .integrated = true},
};

/// GeForce GTX 1080: "NVIDIA GeForce GTX 1080" whitepaper. 320 GB/s.
DeviceProfile Gtx1080(const char* id, int clock_khz) {
  return {.id = id,
          .name = "NVIDIA GeForce GTX 1080",
          .major = 6,
          .minor = 1,
          .multiprocessors = 20,
          .clock_khz = clock_khz,
          .memory_clock_khz = 5'005'000,
          .memory_bus_bits = 256,
          .global_memory_bytes = 8 * kGiB,
          .l2_bytes = 2 * kMiB,
          .max_threads_per_multiprocessor = 2048,
          .max_blocks_per_multiprocessor = 32,
          .shared_bytes_per_block_optin = 48 * kKiB,
          .shared_bytes_per_multiprocessor = 96 * kKiB,
          .reserved_shared_bytes_per_block = 0};
}

// For suites that compare clocks; too old for CUDA 13, so that no help text lists them. Many cards of compute
// capability 6 report half a megahertz: TensorFlow's log of a GTX 1080 says "memoryClockRate(GHz): 1.7335",
// which is cudaDeviceProp::clockRate. The data sheet says 1733 MHz, CUDA's sample deviceQuery prints 1734.
/// And an integrated device that nobody builds, with fifty times the cycles of the largest card: a program
/// that prefers cards by a number which it adds is right with everything that is sold.
DeviceProfile IntegratedLarge() {
  DeviceProfile profile = Gtx1080("integrated_large", 5'000'000);
  profile.name = "a large integrated device";
  profile.multiprocessors = 4000;
  profile.integrated = true;
  return profile;
}

const std::array kForSuites{Gtx1080("gtx1080", 1'733'500), Gtx1080("gtx1080_1733", 1'733'000),
                            Gtx1080("gtx1080_1734", 1'734'000), IntegratedLarge()};

}  // namespace

std::span<const DeviceProfile> DeviceProfiles() {
  return kProfiles;
}

const DeviceProfile* FindDeviceProfile(std::string_view id) {
  for (const auto profiles : {DeviceProfiles(), std::span<const DeviceProfile>(kForSuites)}) {
    const auto found = std::ranges::find(profiles, id, &DeviceProfile::id);
    if (found != profiles.end()) return &*found;
  }
  return nullptr;
}

}  // namespace warplings
