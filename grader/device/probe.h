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
  std::string place = {};  ///< PCI bus id, "0000:1B:00.0"; the same for every process of the machine.
};

/// True if this machine may have a card: the driver's control device (or WSL's) exists, and
/// CUDA_VISIBLE_DEVICES does not hide all cards. Cheap, so that a check on a machine without a GPU does not
/// wait for a driver.
bool MayHaveCard();

/// Asks `device_program --describe gpu:ORDINAL`, in a separate process, because a driver may hang or crash.
/// The error says what is missing: a driver, a card, or a newer driver.
Result<FoundCard> ProbeCard(const std::filesystem::path& device_program, int ordinal);

/// Parses that program's output: "90 NVIDIA H200" in the first line, the PCI bus id in the second. Nothing
/// for any other text.
Result<FoundCard> ParseFoundCard(const std::string& line);

}  // namespace warplings
