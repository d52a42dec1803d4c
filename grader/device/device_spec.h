// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "grader/core/result.h"
#include "grader/device/device_profile.h"

namespace warplings {

/// No machine has more devices; cudaSetDevice takes 0 to one less.
inline constexpr std::size_t kMaxDevices = 8;

/// The devices that a command line asks for, by ordinal; at least one.
struct DeviceSpec {
  std::vector<const DeviceProfile*> profiles;

  /// As reports name them: "virtual:a100", "virtual:t4,a100".
  std::string Name() const;
  /// The lowest compute capability among them, 80 for 8.0: code compiled for it runs on them all.
  int LowestCapability() const;
};

/// Reads "virtual" (the default profile), "virtual:PROFILE", or "virtual:PROFILE,PROFILE…" for several
/// devices at once. Anything else is a usage error that lists the profiles.
Result<DeviceSpec> ParseDeviceSpec(const std::string& text);

}  // namespace warplings
