// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "grader/core/result.h"

namespace warplings {

/// What --device asked for.
struct DeviceChoice {
  std::string spec;  ///< As the device program takes it: "virtual:a100", "gpu:0".
  int sm = 80;       ///< The compute capability to compile for, 80 for 8.0: the lowest of the devices'.
};

/// "auto" (the virtual GPU, for now), "virtual", "virtual:PROFILE", or "virtual:PROFILE,PROFILE…" for several
/// devices, "gpu" or "gpu:N" for a card of this machine. Anything else, and a card that is not there or whose
/// driver is too old, is a usage error that says what there is.
Result<DeviceChoice> ChooseDevice(const std::string& text);

}  // namespace warplings
