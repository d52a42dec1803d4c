// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "grader/base/result.h"

namespace warplings {

/// What starts this program from a workbook's folder, for the texts that are written there: "warplings" if
/// that is on PATH, "./warplings" in a student edition, otherwise a path from "/" or "~/".
std::string CommandInWorkbook(const std::filesystem::path& workbook);

/// The text of a workbook's file as it was handed out (OriginalText): in a workbook that init made, with the
/// command that init writes there.
Result<std::string> HandedOutText(const std::filesystem::path& workbook, const std::filesystem::path& file);

}  // namespace warplings
