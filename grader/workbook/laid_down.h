// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "grader/base/result.h"

namespace warplings {

/// What was ever laid down in a student's workbook: for each file the SHA-256 of every version. A file with
/// one of them is as it came; any other was edited by the student and is not written to.
struct LaidDown {
  std::string version;  ///< Of the program that wrote last, for a person who reads the file.
  std::map<std::string, std::set<std::string>>
      files;  ///< "chapters/01_boundary_checks/tiled_matmul.cu" to hashes.

  bool Has(const std::string& path, const std::string& hash) const {
    const auto known = files.find(path);
    return known != files.end() && known->second.contains(hash);
  }
};

/// SHA-256 of a file's text, as sha256sum prints it.
std::string HashOfText(std::string_view text);

/// The file's text: comment lines, then lines as sha256sum writes them, so that `sha256sum -c` reads it, too.
std::string LaidDownText(const LaidDown& laid_down);

/// Reads .warplings/laid_down. A usage error names a line that is none.
Result<LaidDown> ReadLaidDown(const std::filesystem::path& workbook);

}  // namespace warplings
