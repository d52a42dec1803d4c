// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "grader/base/result.h"

namespace warplings {

/// A card that the device program can use.
struct FoundCard {
  std::string name;        ///< "NVIDIA H200".
  int capability = 0;      ///< 90 for 9.0.
  std::string place = {};  ///< On the bus, "0000:1B:00.0": the same for every process of the machine.
};

/// Whether this machine may have a card at all: the driver's control device is there (or that of WSL), and
/// CUDA_VISIBLE_DEVICES does not hide all cards. Costs nothing, so that a check on a machine without a GPU
/// does not wait for a driver.
bool MayHaveCard();

/// Asks `device_program --describe gpu:ORDINAL`, in a process of its own, because a driver may hang or crash.
/// The error says what is missing: driver, card, or a driver that is new enough.
Result<FoundCard> ProbeCard(const std::filesystem::path& device_program, int ordinal);

/// The first line that that program prints for a card: "90 NVIDIA H200"; its place on the bus is the second.
/// Nothing for any other text.
Result<FoundCard> ParseFoundCard(const std::string& line);

}  // namespace warplings
