// SPDX-License-Identifier: Apache-2.0
#include "grader/commands/device_choice.h"

#include "grader/device/device_profile.h"

namespace warplings {
namespace {

std::string ProfileIds() {
  std::string ids;
  for (const DeviceProfile& profile : DeviceProfiles()) ids += (ids.empty() ? "" : " ") + profile.id;
  return ids;
}

}  // namespace

Result<DeviceChoice> ChooseDevice(const std::string& text) {
  constexpr std::string_view kVirtual = "virtual";
  if (text == "gpu") {
    return UsageError("this version checks on the virtual GPU only; --device gpu is not supported yet",
                      "Leave --device out, or use --device virtual.");
  }
  std::string id(kDefaultProfile);
  if (text != "auto" && text != kVirtual) {
    if (!text.starts_with("virtual:")) {
      return UsageError("--device " + text + ": no such device", "Use auto, virtual, or virtual:PROFILE.");
    }
    id = text.substr(kVirtual.size() + 1);
  }
  const DeviceProfile* profile = FindDeviceProfile(id);
  if (profile == nullptr) {
    return UsageError("--device " + text + ": no such profile", "Profiles: " + ProfileIds());
  }
  return DeviceChoice{"virtual:" + profile->id, profile->major * 10 + profile->minor};
}

}  // namespace warplings
