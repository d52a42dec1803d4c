// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "grader/core/result.h"
#include "grader/device/device_profile.h"

namespace warplings {

/// The device that a command line asks for.
struct DeviceSpec {
  const DeviceProfile* profile = nullptr;

  /// As reports name it: "virtual:a100".
  std::string Name() const { return "virtual:" + profile->id; }
};

/// Reads "virtual" (the default profile) or "virtual:PROFILE". Anything else is a usage error that lists
/// the profiles.
Result<DeviceSpec> ParseDeviceSpec(const std::string& text);

}  // namespace warplings
