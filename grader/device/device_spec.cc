// SPDX-License-Identifier: Apache-2.0
#include "grader/device/device_spec.h"

namespace warplings {

Result<DeviceSpec> ParseDeviceSpec(const std::string& text) {
  std::string_view id;
  if (text == "virtual") id = kDefaultProfile;
  if (text.starts_with("virtual:")) id = std::string_view(text).substr(std::string_view("virtual:").size());
  if (const DeviceProfile* profile = FindDeviceProfile(id)) return DeviceSpec{profile};
  std::string known;
  for (const DeviceProfile& profile : DeviceProfiles()) known += (known.empty() ? "" : ", ") + profile.id;
  return UsageError("There is no device \"" + text + "\".",
                    "Use virtual:PROFILE, where PROFILE is one of " + known + ".");
}

}  // namespace warplings
