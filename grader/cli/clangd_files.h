// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

#include "grader/exercise/exercise.h"
#include "grader/workbook/lay_out.h"

namespace warplings {

/// What clangd, and with it most editors, needs to read a workbook's CUDA files: compile_commands.json with
/// clang's options for each exercise's file, and a header that older versions of clang look for and newer
/// toolkits no longer have. Empty where there is no CUDA compiler: it is not worth refusing a workbook.
std::vector<WorkbookFile> FilesForClangd(const std::filesystem::path& workbook, const Workbook& chapters);

}  // namespace warplings
