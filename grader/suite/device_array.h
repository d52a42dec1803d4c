// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "grader/device/device.h"
#include "grader/suite/comparison.h"

namespace warplings {

/// One array that a call gets: what the judge knows of it.
struct CallArray {
  enum class Role {
    kInput,   ///< Holds `bytes`, and must hold them still after the call.
    kOutput,  ///< Poisoned and marked as never written.
  };
  std::string label;  ///< As the contract calls the parameter: "M".
  Role role = Role::kInput;
  std::vector<std::byte> bytes;  ///< For an output only its size matters.
};

template <class T>
CallArray InputArray(std::string label, const std::vector<T>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {std::move(label), CallArray::Role::kInput, {bytes.begin(), bytes.end()}};
}

template <class T>
CallArray OutputArray(std::string label, std::size_t count) {
  return {std::move(label), CallArray::Role::kOutput, std::vector<std::byte>(count * sizeof(T))};
}

template <class T>
std::vector<T> ValuesOf(std::span<const std::byte> bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  return values;
}

/// How accesses outside an array are noticed.
enum class Fence {
  kDevice,      ///< The device checks each access itself: an allocation of exactly the array's size.
  kGuardBands,  ///< It does not: NaN before and behind the array, inside the same allocation, looked at
                ///< after the call. A read there spoils results, a write is found.
};

/// A CallArray in device memory; freed with this object.
class DeviceArray {
 public:
  static CudaResult<DeviceArray> Create(Device& device, const CallArray& array, Fence fence);
  DeviceArray(DeviceArray&& other) noexcept;
  DeviceArray& operator=(DeviceArray&&) = delete;
  ~DeviceArray();

  /// What the submission gets; null for an array of 0 bytes without guard bands.
  DevicePointer pointer() const { return allocation_ + band_bytes_; }

  struct Content {
    std::vector<std::byte> bytes;
    /// Offset from the array's start of the first byte written outside it; 0: none (0 is inside).
    std::int64_t first_outside = 0;
  };
  /// Read on the default stream.
  CudaResult<Content> Read() const;

  static constexpr std::size_t kBandBytes = 4096;

 private:
  explicit DeviceArray(Device& device) : device_(&device) {}

  Device* device_;
  DevicePointer allocation_ = 0;  ///< 0: nothing to free.
  std::size_t array_bytes_ = 0, band_bytes_ = 0;
};

/// `bytes` of kPoison.
std::vector<std::byte> PoisonBytes(std::size_t bytes);

}  // namespace warplings
