// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "grader/base/result.h"
#include "grader/device/device_profile.h"

namespace warplings {

/// Maximum number of devices; ordinals are below it.
inline constexpr std::size_t kMaxDevices = 8;

/// The devices requested on a command line: one card, or a list of virtual devices.
struct DeviceSpec {
  std::optional<int> card;  ///< Ordinal of a real card; then there are no profiles.
  std::vector<const DeviceProfile*> profiles;

  /// The name in reports: "gpu:0", "virtual:a100", "virtual:t4,a100".
  std::string Name() const;
  /// The lowest compute capability among the profiles (80 is 8.0); code compiled for it runs on all of them.
  int LowestCapability() const;
};

/// Parses "gpu" (the first card), "gpu:N", "virtual" (the default profile), "virtual:PROFILE", or
/// "virtual:PROFILE,PROFILE…" for several devices at once. Anything else is a usage error that lists the
/// profiles.
Result<DeviceSpec> ParseDeviceSpec(const std::string& text);

}  // namespace warplings
