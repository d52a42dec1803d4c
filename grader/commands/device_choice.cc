// SPDX-License-Identifier: Apache-2.0
#include "grader/commands/device_choice.h"

#include "grader/core/layout.h"
#include "grader/device/device_spec.h"
#include "grader/device/probe.h"

namespace warplings {

Result<DeviceChoice> ChooseDevice(const std::string& text) {
  auto spec = ParseDeviceSpec(text == "auto" ? "virtual" : text);
  if (!spec) return UsageError("--device: " + spec.error().message, spec.error().next_step);
  if (!spec->card) return DeviceChoice{spec->Name(), spec->LowestCapability()};
  auto card = ProbeCard(ThisLayout().DeviceProgram(), *spec->card);
  // Whoever asks for a card that is not there has to ask for something else.
  if (!card) return UsageError("--device " + text + ": " + card.error().message, card.error().next_step);
  return DeviceChoice{spec->Name(), card->capability};
}

}  // namespace warplings
