// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "grader/base/result.h"

namespace warplings {

/// The record of all files that were ever written into a student's workbook: for each file, the SHA-256 of
/// every version. A file with one of these hashes is unchanged; any other was edited by the student, and is
/// never overwritten.
struct LaidDown {
  /// Version of the program that wrote last; informative, for somebody who reads the file.
  std::string version;
  /// Maps a path such as "chapters/01_boundary_checks/tiled_matmul.cu" to its hashes.
  std::map<std::string, std::set<std::string>> files;

  bool Has(const std::string& path, const std::string& hash) const {
    const auto known = files.find(path);
    return known != files.end() && known->second.contains(hash);
  }
};

/// The list of the starters of a source tree, in the format of sha256sum. Git is of no use here: who commits
/// answers has them in every branch.
inline constexpr const char* kStarterList = "grader/workbook/starters.sha256";

/// True if the source tree's list has this version of the file, which is named as "chapters/01_x/y.cu".
bool StarterListHas(const std::filesystem::path& root, const std::string& path, const std::string& hash);

/// True if it has any version of the file.
bool StarterListNames(const std::filesystem::path& root, const std::string& path);

/// SHA-256 of `text` in the form that sha256sum prints.
std::string HashOfText(std::string_view text);

/// The text of .warplings/laid_down: comment lines, then lines in sha256sum's format, so that `sha256sum -c`
/// can read it.
std::string LaidDownText(const LaidDown& laid_down);

/// Reads .warplings/laid_down. A malformed line is a usage error that names the line.
Result<LaidDown> ReadLaidDown(const std::filesystem::path& workbook);

}  // namespace warplings
