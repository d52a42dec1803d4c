// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

#include "grader/workbook/exercise.h"
#include "grader/workbook/lay_out.h"

namespace warplings {

/// The files with which clangd, and so most editors, can parse a workbook's CUDA files: compile_commands.json
/// with clang's options for each exercise's file, and a header that older versions of clang include but newer
/// toolkits lack. Empty if there is no CUDA compiler, because a workbook is usable without these files.
std::vector<WorkbookFile> FilesForClangd(const std::filesystem::path& workbook, const Workbook& chapters);

}  // namespace warplings
