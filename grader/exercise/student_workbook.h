// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>

#include "grader/core/layout.h"

namespace warplings {

/// A student's workbook is a folder that `warplings init` made: chapters/ with the files to edit, and this
/// folder with what `warplings update` has to know. Whatever is graded by, contracts and chapter.toml, is
/// read from the program's own tree, so that an old workbook and a new program fit together.
inline constexpr const char* kWorkbookMarker = ".warplings";

/// The file in it that makes a folder a workbook: what was laid down (grader/workbook/laid_down.h).
std::filesystem::path LaidDownFile(const std::filesystem::path& workbook);

bool IsStudentWorkbook(const std::filesystem::path& folder);

/// The workbook that `folder` lies in, found by walking upward as git does.
std::optional<std::filesystem::path> FindStudentWorkbook(const std::filesystem::path& folder);

/// What a command looks at by default: the student's workbook around the working directory, else the tree
/// that this program belongs to.
std::filesystem::path CurrentWorkbook();
/// ThisLayout(), with that as its root.
Layout LayoutOfCurrentWorkbook();

/// Where the handouts are built and looked for. An installed tree may belong to somebody else, so there it is
/// a folder of the student's workbook, or of the working directory where that lies in none.
std::filesystem::path FolderOfBuiltHandouts(const Layout& layout);

}  // namespace warplings
