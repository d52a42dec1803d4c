// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grader/base/result.h"
#include "grader/exercise/exercise.h"

namespace warplings {

/// One student's entry in the folder of a class.
struct StudentEntry {
  enum class Kind { kFolder, kArchive, kUnusable };
  std::string name;  ///< The folder's or the archive's without its ending, fit to print; no two are the same.
  std::filesystem::path path;
  Kind kind = Kind::kFolder;
  std::string problem;  ///< Of an unusable one, to be read after its name.
};

struct ClassFolder {
  std::vector<StudentEntry> students;  ///< By name.
  std::vector<std::string>
      ignored;  ///< Entries that are no student's: a roster, notes. Hidden ones are left out.
};

/// Every folder and every .zip, .tar.gz, .tgz and .tar in `folder` is a student. A link is one that cannot be
/// used, because it could lead anywhere, and so is an archive of another kind. A missing or empty folder, and
/// one that looks like a single student's, are usage errors.
Result<ClassFolder> ListClass(const std::filesystem::path& folder, const Workbook& workbook);

}  // namespace warplings
