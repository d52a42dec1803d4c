// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "grader/device/device_profile.h"

namespace warplings::runtime {

/// cudaDeviceProp as CUDA 12 (cudaGetDeviceProperties_v2) and 13 (cudaGetDeviceProperties) lay it out: 13
/// dropped clocks and modes, and everything behind moved.
inline constexpr std::size_t kDevicePropertiesBytes12 = 1032;
inline constexpr std::size_t kDevicePropertiesBytes13 = 1008;

/// Writes the card's properties over `target`, a cudaDeviceProp of that major version of CUDA. Fields that
/// say nothing about a virtual card are 0. `ordinal` tells cards of one machine apart: it is the PCI bus.
void WriteDeviceProperties(const DeviceProfile& profile, int ordinal, int cuda_major,
                           std::span<std::byte> target);

/// The value that cudaDeviceGetAttribute has for the number (driver_types.h, enum cudaDeviceAttr); nothing
/// for a number that is no attribute.
std::optional<int> DeviceAttribute(const DeviceProfile& profile, int ordinal, int attribute);

/// Where a field lies, for the test that compares with the toolkit's headers; -1 where CUDA 13 has none.
struct PropertyField {
  const char* name;
  int offset12, offset13;
};
std::span<const PropertyField> PropertyFields();

}  // namespace warplings::runtime
