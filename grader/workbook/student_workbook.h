// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "grader/core/layout.h"

namespace warplings {

/// A student's workbook is a folder made by `warplings init`: chapters/ with the files to edit, and this
/// folder with the data that `warplings update` needs. Contracts and chapter.toml, by which the work is
/// graded, are read from the program's own tree, so that a new program can check an old workbook.
inline constexpr const char* kWorkbookMarker = ".warplings";

/// The file whose presence makes a folder a workbook: the record of the files written there
/// (grader/workbook/laid_down.h).
std::filesystem::path LaidDownFile(const std::filesystem::path& workbook);

bool IsStudentWorkbook(const std::filesystem::path& folder);

/// The workbook that `folder` lies in, found by walking upward as git does.
std::optional<std::filesystem::path> FindStudentWorkbook(const std::filesystem::path& folder);

/// The default root for commands: the student's workbook that contains the working directory, otherwise the
/// tree that this program belongs to.
std::filesystem::path CurrentWorkbook();
/// ThisLayout() with CurrentWorkbook() as its root.
Layout LayoutOfCurrentWorkbook();

/// The folder in which handouts are built and looked for. An installed tree may belong to another user; for
/// one, it is a folder in the student's workbook, or in the working directory if that is in no workbook.
std::filesystem::path FolderOfBuiltHandouts(const Layout& layout);
/// The same, or where nothing was built there for students, the handouts that came with the program.
std::filesystem::path FolderOfHandoutsToRead(const Layout& layout);
/// A page such as "index.html" of the handouts in `folder`, which are there in `languages`: in the chosen
/// language if that is among them, else in the first of them, which must be there.
std::filesystem::path PageToRead(const std::filesystem::path& folder, const std::string& page,
                                 const std::vector<std::string>& languages);
/// Of the students' handouts, a page such as "index.html": in the chosen language if it was built in it,
/// otherwise in English. It need not exist.
std::filesystem::path HandoutPageToRead(const Layout& layout, const std::string& page);

}  // namespace warplings
