// SPDX-License-Identifier: Apache-2.0
#include "grader/pipeline/device_choice.h"

#include <algorithm>

#include "grader/core/layout.h"
#include "grader/device/device_spec.h"
#include "grader/messages/check_faults.h"
#include "grader/messages/checking.h"

namespace warplings {
namespace {

int CapabilityOf(const DeviceProfile& profile) {
  return profile.major * 10 + profile.minor;
}

/// The first card that works, or the virtual GPU with a note on what is wrong with the card.
DeviceChoice ChooseAutomatically() {
  Message note;
  if (MayHaveCard()) {
    const auto spec = ParseDeviceSpec("gpu");
    const auto card = ProbeCard(ThisLayout().DeviceProgram(), 0);
    if (spec && card) return ChoiceOfCard(spec->Name(), *card);
    note = say::gpu_cannot_be_used(card.error().message);
  }
  const std::string name = "virtual:" + std::string(kDefaultProfile);
  return {.spec = name,
          .name = name,
          .sm = CapabilityOf(*FindDeviceProfile(kDefaultProfile)),
          .watcher = "",
          .note = note};
}

}  // namespace

const DeviceProfile& WatcherOf(const FoundCard& card) {
  const auto profiles = DeviceProfiles();
  const auto own = std::ranges::find(profiles, card.name, &DeviceProfile::name);
  if (own != profiles.end() && CapabilityOf(*own) == card.capability) return *own;
  // An integrated device is no likeness of a card, however new it is.
  const DeviceProfile* least = &*std::ranges::max_element(profiles, {}, [](const DeviceProfile& profile) {
    return profile.integrated ? 0 : CapabilityOf(profile);
  });
  for (const DeviceProfile& profile : profiles) {
    const int its = CapabilityOf(profile);
    if (!profile.integrated && its >= card.capability && its < CapabilityOf(*least)) least = &profile;
  }
  return *least;
}

DeviceChoice ChoiceOfCard(const std::string& spec, const FoundCard& card) {
  const DeviceProfile& watcher = WatcherOf(card);
  DeviceChoice choice;
  choice.spec = spec;
  choice.name = choice.spec + " (" + card.name + ")";
  // The watcher has to run it too; a newer card's driver compiles the PTX that lies beside the machine code.
  choice.sm = std::min(card.capability, CapabilityOf(watcher));
  choice.watcher = "virtual:" + watcher.id;
  choice.cards = {{spec, card.place}};
  return choice;
}

Result<DeviceChoice> ChooseDevice(const std::string& text) {
  if (text == "auto") return ChooseAutomatically();
  auto spec = ParseDeviceSpec(text);
  if (!spec) return UsageError(say::of_device_option(spec.error().message), spec.error().next_step);
  if (!spec->card) {
    return DeviceChoice{.spec = spec->Name(),
                        .name = spec->Name(),
                        .sm = spec->LowestCapability(),
                        .watcher = "",
                        .note = {}};
  }
  auto card = ProbeCard(ThisLayout().DeviceProgram(), *spec->card);
  // Whoever asks for a card that is not there has to ask for something else.
  if (!card) return UsageError(say::of_device_asked_for(text, card.error().message), card.error().next_step);
  return ChoiceOfCard(spec->Name(), *card);
}

void SpreadOverCards(DeviceChoice& choice, const std::function<Result<FoundCard>(int)>& probe) {
  const auto first = probe(0);
  if (!first) return;
  for (int ordinal = 1; ordinal < static_cast<int>(kMaxDevices); ++ordinal) {
    const auto card = probe(ordinal);
    if (!card) break;
    if (card->name != first->name || card->capability != first->capability) continue;
    choice.cards.push_back({"gpu:" + std::to_string(ordinal), card->place});
  }
  if (choice.cards.size() < 2) return;
  choice.spec = "gpu";
  choice.name = "gpu (" + first->name + ")";
}

void SpreadOverCards(DeviceChoice& choice) {
  SpreadOverCards(choice, [](int ordinal) { return ProbeCard(ThisLayout().DeviceProgram(), ordinal); });
}

}  // namespace warplings
