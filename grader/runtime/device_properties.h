// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "grader/device/device_profile.h"

namespace warplings::runtime {

/// Sizes of cudaDeviceProp in CUDA 12 (cudaGetDeviceProperties_v2) and 13 (cudaGetDeviceProperties). CUDA 13
/// removed clocks and modes, which changed the offsets of all later fields.
inline constexpr std::size_t kDevicePropertiesBytes12 = 1032;
inline constexpr std::size_t kDevicePropertiesBytes13 = 1008;

/// Writes the card's properties to `target`, a cudaDeviceProp of that major version of CUDA. Fields that have
/// no meaning for a virtual card are 0. `ordinal` becomes the PCI bus number, so that devices of one machine
/// differ.
void WriteDeviceProperties(const DeviceProfile& profile, int ordinal, int cuda_major,
                           std::span<std::byte> target);

/// The value of a device attribute, by its number in enum cudaDeviceAttr (driver_types.h); nothing for a
/// number that is not an attribute.
std::optional<int> DeviceAttribute(const DeviceProfile& profile, int ordinal, int attribute);

/// Byte offsets of a field, for the test that compares them with the toolkit's headers; -1 if CUDA 13 does
/// not have it.
struct PropertyField {
  const char* name;
  int offset12, offset13;
};
std::span<const PropertyField> PropertyFields();

}  // namespace warplings::runtime
