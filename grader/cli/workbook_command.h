// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace warplings {

/// What starts this program from a workbook's folder, for the texts that are written there: "warplings" if
/// that is on PATH, "./warplings" in a student edition, otherwise a path from "/" or "~/".
std::string CommandInWorkbook(const std::filesystem::path& workbook);

}  // namespace warplings
