// SPDX-License-Identifier: Apache-2.0
#include "grader/cuda_gpu/card.h"

#include <array>

#include "grader/messages/device.h"

namespace warplings::cuda_gpu {

Result<DeviceProfile> ReadCard(const DriverApi& driver, int ordinal) {
  int count = 0;
  driver.cuDeviceGetCount(&count);
  CUdevice device = 0;
  if (ordinal < 0 || ordinal >= count || driver.cuDeviceGet(&device, ordinal) != CUDA_SUCCESS) {
    return UsageError(say::no_such_card(ordinal, count), say::name_smaller_card());
  }
  const auto ask = [&](CUdevice_attribute attribute) {
    int value = 0;
    driver.cuDeviceGetAttribute(&value, attribute, device);
    return value;
  };
  const auto bytes = [&](CUdevice_attribute attribute) { return static_cast<std::uint32_t>(ask(attribute)); };
  std::array<char, 256> name{};
  driver.cuDeviceGetName(name.data(), name.size() - 1, device);
  std::size_t memory = 0;
  driver.cuDeviceTotalMem(&memory, device);

  DeviceProfile card;
  card.id = "gpu:" + std::to_string(ordinal);
  card.name = name.data();
  card.major = ask(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
  card.minor = ask(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  card.multiprocessors = ask(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  card.clock_khz = ask(CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
  card.memory_clock_khz = ask(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE);
  card.memory_bus_bits = ask(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH);
  card.global_memory_bytes = memory;
  card.l2_bytes = static_cast<std::uint64_t>(ask(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE));
  card.max_threads_per_block = ask(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  card.max_threads_per_multiprocessor = ask(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
  card.max_blocks_per_multiprocessor = ask(CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR);
  card.registers_per_block = ask(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK);
  card.registers_per_multiprocessor = ask(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR);
  card.shared_bytes_per_block = bytes(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
  card.shared_bytes_per_block_optin = bytes(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  card.shared_bytes_per_multiprocessor = bytes(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
  card.reserved_shared_bytes_per_block = bytes(CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK);
  card.integrated = ask(CU_DEVICE_ATTRIBUTE_INTEGRATED) != 0;
  return card;
}

}  // namespace warplings::cuda_gpu
