// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "grader/base/result.h"
#include "grader/device/device_profile.h"
#include "grader/device/probe.h"

namespace warplings {

/// What --device asked for.
struct DeviceChoice {
  std::string spec;  ///< As the device program takes it: "virtual:a100", "gpu:0".
  std::string name;  ///< As reports say it: "virtual:a100", "gpu:0 (NVIDIA H200)".
  int sm = 80;       ///< The compute capability to compile for, 80 for 8.0: the lowest of the devices'.
  /// For a card: the virtual device that watches; see SuiteOrder.
  std::string watcher;
  /// The cards that may be used, each by its own name ("gpu:1") and its place on the bus. More than one only
  /// after SpreadOverCards.
  struct Card {
    std::string spec, place;
  };
  std::vector<Card> cards = {};
  /// Why "auto" passed a card over; "" where there was none to pass over.
  std::string note;
};

/// "auto" (the first card where there is one that works, else "virtual"), "virtual", "virtual:PROFILE", or
/// "virtual:PROFILE,PROFILE…" for several devices, "gpu" or "gpu:N" for a card of this machine. Anything
/// else, and a card that is not there or whose driver is too old, is a usage error that says what there is.
Result<DeviceChoice> ChooseDevice(const std::string& text);

/// This card, under this name of it ("gpu:0"), with what the submissions for it are compiled for.
DeviceChoice ChoiceOfCard(const std::string& spec, const FoundCard& card);

/// For a class that is graded on "gpu", without a number: all cards of the machine that are like the first
/// one are used side by side. `probe` is ProbeCard of this machine, but in tests. Results say "gpu (NVIDIA
/// H200)" then, since any of them may have run a submission.
void SpreadOverCards(DeviceChoice& choice, const std::function<Result<FoundCard>(int)>& probe);
void SpreadOverCards(DeviceChoice& choice);

/// The profile that watches over a card: its own, else the least that runs code compiled for it or, for a
/// card newer than all profiles, the newest.
const DeviceProfile& WatcherOf(const FoundCard& card);

}  // namespace warplings
