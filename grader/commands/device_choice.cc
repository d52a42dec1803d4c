// SPDX-License-Identifier: Apache-2.0
#include "grader/commands/device_choice.h"

#include "grader/device/device_spec.h"

namespace warplings {

Result<DeviceChoice> ChooseDevice(const std::string& text) {
  if (text == "gpu") {
    return UsageError("this version checks on the virtual GPU only; --device gpu is not supported yet",
                      "Leave --device out, or use --device virtual.");
  }
  auto spec = ParseDeviceSpec(text == "auto" ? "virtual" : text);
  if (!spec) return UsageError("--device: " + spec.error().message, spec.error().next_step);
  return DeviceChoice{spec->Name(), spec->LowestCapability()};
}

}  // namespace warplings
