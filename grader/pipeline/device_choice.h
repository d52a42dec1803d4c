// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "grader/base/message.h"
#include "grader/base/result.h"
#include "grader/device/device_profile.h"
#include "grader/device/probe.h"

namespace warplings {

/// The device or devices selected by --device.
struct DeviceChoice {
  std::string spec;  ///< In the notation of the device program: "virtual:a100", "gpu:0".
  std::string name;  ///< The name in reports: "virtual:a100", "gpu:0 (NVIDIA H200)".
  int sm = 80;       ///< The compute capability to compile for (80 is 8.0): the lowest among the devices.
  /// For a card: its watcher, a virtual device; see SuiteOrder.
  std::string watcher;
  /// The cards that may be used, each with its name ("gpu:1") and its PCI bus id. More than one only after
  /// SpreadOverCards.
  struct Card {
    std::string spec, place;
  };
  std::vector<Card> cards = {};
  /// Why "auto" did not choose a card that exists; empty if it skipped none.
  Message note;
};

/// Parses --device: "auto" (the first card that works, otherwise "virtual"), "virtual", "virtual:PROFILE", or
/// "virtual:PROFILE,PROFILE…" for several devices, "gpu" or "gpu:N" for a card of this machine. Anything
/// else, and a card that does not exist or whose driver is too old, is a usage error that lists what is
/// available.
Result<DeviceChoice> ChooseDevice(const std::string& text);

/// The choice for one card, whose name is `spec` ("gpu:0"), with the compute capability to compile for.
DeviceChoice ChoiceOfCard(const std::string& spec, const FoundCard& card);

/// For a class that is graded on "gpu" without a number: adds all cards of the machine that are like the
/// first one, so that they are used in parallel. `probe` is ProbeCard except in tests. The results' device is
/// then "gpu (NVIDIA H200)", because any of the cards may have run a submission.
void SpreadOverCards(DeviceChoice& choice, const std::function<Result<FoundCard>(int)>& probe);
void SpreadOverCards(DeviceChoice& choice);

/// The profile of the watcher for a card: the card's own if there is one, otherwise the lowest that can run
/// code compiled for it, or, for a card newer than all profiles, the newest.
const DeviceProfile& WatcherOf(const FoundCard& card);

}  // namespace warplings
